/*
 * cells.c: a hash table of (context, action).
 *
 * Paper: none. Cost: O(1) per event; memory for the pairs that were seen.
 * Check: tests/unit/test_evaluation.c: cells_*.
 */
#include "cells.h"

#include "grow.h"

#include <stdlib.h>

void cells_free(cells *self)
{
    free(self->list);
    free(self->slots);
    free(self->contexts);
    *self = (cells){0};
}

static size_t probe(const cells *self, uint32_t context, uint32_t action)
{
    uint64_t h = ((uint64_t)context << 32 | action) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(h ^ h >> 32) & (self->n_slots - 1);
    while (self->slots[at] != 0) {
        const cell *c = &self->list[self->slots[at] - 1];
        if (c->context == context && c->action == action)
            break;
        at = (at + 1) & (self->n_slots - 1);
    }
    return at;
}

uint32_t cells_find(const cells *self, uint32_t context, uint32_t action)
{
    if (self->n_slots == 0)
        return CELLS_END;
    uint32_t found = self->slots[probe(self, context, action)];
    return found != 0 ? found - 1 : CELLS_END;
}

static bool reserve(cells *self)
{
    if (2 * (self->n + 1) <= self->n_slots)
        return common_grow(&self->list, &self->room, self->n + 1, sizeof *self->list);
    size_t n_slots = self->n_slots > 0 ? 2 * self->n_slots : 64;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    free(self->slots);
    self->slots = slots;
    self->n_slots = n_slots;
    for (size_t i = 0; i < self->n; i++)
        slots[probe(self, self->list[i].context, self->list[i].action)] = (uint32_t)i + 1;
    return common_grow(&self->list, &self->room, self->n + 1, sizeof *self->list);
}

static bool add_context(cells *self, uint32_t context)
{
    if (!common_grow(&self->contexts, &self->context_room, (size_t)context + 1, sizeof *self->contexts))
        return false;
    for (; self->n_contexts <= context; self->n_contexts++)
        self->contexts[self->n_contexts] = (struct cells_context){.first = CELLS_END};
    return true;
}

uint32_t cells_add(cells *self, uint32_t context, uint32_t action)
{
    uint32_t found = cells_find(self, context, action);
    if (found != CELLS_END)
        return found;
    if (self->n >= CELLS_END - 1 || !reserve(self) || !add_context(self, context))
        return CELLS_END;
    uint32_t at = (uint32_t)self->n++;
    self->list[at] = (cell){.context = context, .action = action, .next = self->contexts[context].first};
    self->contexts[context].first = at;
    self->slots[probe(self, context, action)] = at + 1;
    return at;
}

void cells_count(cells *self, uint32_t at, double n, double reward, double squares)
{
    cell *c = &self->list[at];
    c->n += n;
    c->r += n * reward;
    c->r2 += n * squares;
    self->contexts[c->context].n += n;
    self->contexts[c->context].r += n * reward;
}
