/*
 * batch.c: rounds of one expert, summed up.
 *
 * Paper: none.
 *
 * Cost: O(1) per round; to clear it, the cells that were touched.
 * Check: learning a batch is learning its rounds one by one (tests/unit/test_contract.c: lazy_interfaces).
 */
#include "batch.h"

#include <stdlib.h>

int roster_batch_init(roster_batch *self, size_t cells)
{
    *self = (roster_batch){.cells = roster_alloc(cells, sizeof *self->cells),
                           .squares = roster_alloc(cells, sizeof *self->squares),
                           .touched = roster_alloc(roster_plus(cells, 1), sizeof *self->touched)};
    return self->cells != NULL && self->squares != NULL && self->touched != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_batch_fini(roster_batch *self)
{
    free(self->cells);
    free(self->squares);
    free(self->touched);
}

void roster_batch_clear(roster_batch *self)
{
    for (size_t i = 0; i < self->n_touched; i++) {
        self->cells[self->touched[i]] = (roster_batch_cell){0, 0};
        self->squares[self->touched[i]] = 0;
    }
    self->n_touched = 0;
    self->n = 0;
    self->s = 0;
}

void roster_batch_add(roster_batch *self, size_t k, size_t cell, double reward)
{
    self->k = k;
    if (self->cells[cell].n++ == 0)
        self->touched[self->n_touched++] = cell;
    self->cells[cell].s += reward;
    self->squares[cell] += reward * reward;
    self->s += reward;
    self->n++;
}
