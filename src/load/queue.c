/*
 * queue.c: rewards that wait until they are due: a binary heap.
 *
 * Of two that are due at the same time the earlier event comes first, so that without delay rewards keep their order.
 *
 * Paper: none.
 * Cost: O(log n) to add and to take.
 */
#include "inside.h"

#include <stdlib.h>

static bool before(const drive_item *a, const drive_item *b)
{
    return a->due < b->due || (a->due == b->due && a->event < b->event);
}

bool drive_queue_add(drive_queue *self, const drive_item *item)
{
    if (self->used == self->room) {
        size_t room = 2 * self->room + 64;
        drive_item *items = realloc(self->items, room * sizeof *items);
        if (items == NULL)
            return false;
        self->items = items;
        self->room = room;
    }
    size_t at = self->used++;
    for (; at > 0 && before(item, &self->items[(at - 1) / 2]); at = (at - 1) / 2)
        self->items[at] = self->items[(at - 1) / 2];
    self->items[at] = *item;
    return true;
}

drive_item drive_queue_take(drive_queue *self)
{
    drive_item top = self->items[0], last = self->items[--self->used];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < self->used; at = child) {
        if (child + 1 < self->used && before(&self->items[child + 1], &self->items[child]))
            child++;
        if (!before(&self->items[child], &last))
            break;
        self->items[at] = self->items[child];
    }
    self->items[at] = last;
    return top;
}
