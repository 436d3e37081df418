/*
 * table.c: the events of a campaign that are open or still remembered, in the order of their decisions.
 *
 * A ring, since windows of one campaign all last equally long and so end in the order in which they began; and an
 * index by key with linear probing, in which a gap is closed by moving back what follows it.
 *
 * Paper: none.
 * Cost: a few memory accesses per event; 96 bytes each, and 8 per number of an event that has some. Rooms double, and
 *       do not shrink.
 * Check: against a plain list (tests/unit/test_service_table.c: like_a_list).
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void service_table_free(service_table *self)
{
    free(self->events);
    free(self->numbers);
    free(self->index);
    size_t width = self->width;
    *self = (service_table){.width = width};
}

service_event *service_table_at(const service_table *self, uint64_t i)
{
    return &self->events[i & (self->room - 1)];
}

double *service_table_numbers(const service_table *self, const service_event *event)
{
    return self->numbers + (size_t)(event - self->events) * self->width;
}

static size_t slot_of(const service_table *self, service_key key)
{
    uint64_t h = (key.a ^ key.b * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9fb21c651e98df25);
    return (size_t)(h ^ h >> 29) & (2 * self->room - 1);
}

/* Where the key is, or the free slot where it would be. */
static size_t probe(const service_table *self, service_key key)
{
    size_t i = slot_of(self, key);
    while (self->index[i] != 0 && !service_key_equal(self->events[self->index[i] - 1].key, key))
        i = (i + 1) & (2 * self->room - 1);
    return i;
}

service_event *service_table_find(const service_table *self, service_key key)
{
    if (self->room == 0)
        return NULL;
    size_t i = probe(self, key);
    return self->index[i] != 0 ? &self->events[self->index[i] - 1] : NULL;
}

/* Events move to where they belong in the larger ring. */
static void move_all(service_table *to, const service_table *from)
{
    for (uint64_t i = from->tail; i < from->end; i++) {
        const service_event *event = service_table_at(from, i);
        service_event *copy = service_table_at(to, i);
        *copy = *event;
        memcpy(service_table_numbers(to, copy), service_table_numbers(from, event), to->width * sizeof(double));
        to->index[probe(to, copy->key)] = (uint32_t)(copy - to->events) + 1;
    }
}

bool service_table_reserve(service_table *self)
{
    if (self->room > 0 && self->end - self->tail < self->room)
        return true;
    service_table more = *self;
    more.room = self->room > 0 ? 2 * self->room : FIRST_ROOM;
    more.events = calloc(more.room, sizeof *more.events);
    more.numbers = calloc(more.room * self->width + 1, sizeof *more.numbers);
    more.index = calloc(2 * more.room, sizeof *more.index);
    if (more.events == NULL || more.numbers == NULL || more.index == NULL) {
        service_table_free(&more);
        return false;
    }
    move_all(&more, self);
    service_table_free(self);
    *self = more;
    return true;
}

service_event *service_table_push(service_table *self, service_key key)
{
    service_event *event = service_table_at(self, self->end++);
    size_t i = probe(self, key);
    *event = (service_event){.key = key, .raw = NAN};
    self->index[i] = (uint32_t)(event - self->events) + 1;
    return event;
}

void service_table_drop(service_table *self)
{
    size_t mask = 2 * self->room - 1, gap = probe(self, service_table_at(self, self->tail)->key);
    self->index[gap] = 0;
    for (size_t i = (gap + 1) & mask; self->index[i] != 0; i = (i + 1) & mask) {
        size_t home = slot_of(self, self->events[self->index[i] - 1].key);
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* it is not beyond its home if moved */
        self->index[gap] = self->index[i];
        self->index[i] = 0;
        gap = i;
    }
    self->tail++;
}
