/*
 * load_queue.c: rewards that wait until they are due: a binary heap.
 *
 * Of two that are due at the same time the earlier event comes first, so that without delay rewards keep their order.
 *
 * Paper: none.
 * Cost: O(log n) to add and to take.
 */
#include "grow.h"
#include "load_internal.h"

static bool before(const load_item *a, const load_item *b)
{
    return a->due < b->due || (a->due == b->due && a->event < b->event);
}

bool load_queue_add(load_queue *self, const load_item *item)
{
    if (!common_grow(&self->items, &self->room, self->used + 1, sizeof *self->items))
        return false;
    size_t at = self->used++;
    for (; at > 0 && before(item, &self->items[(at - 1) / 2]); at = (at - 1) / 2)
        self->items[at] = self->items[(at - 1) / 2];
    self->items[at] = *item;
    return true;
}

load_item load_queue_take(load_queue *self)
{
    load_item top = self->items[0], last = self->items[--self->used];
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
