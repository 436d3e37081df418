/*
 * evidence_past.c: all rounds summed up by who acted in which cell.
 *
 * Paper: Beyond 18 (past).
 *
 *   n, s = sum y, q = sum y^2 of the rounds in which expert k acted in a cell
 *
 * Cost: O(1) a round; 24 X V bytes for every expert that has acted, in snapshots 32 for every cell seen. Of tables with
 *       more than two million numbers rounds are not summed up, and who comes starts from nothing.
 * Check: tests/unit/test_evidence_change.c: seed_equals_literal, snapshots_go_on.
 */
#include "evidence_past.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 1 << 21 }; /* experts x contexts x actions: 50 MB if all experts act */

int roster_past_init(roster_past *self, size_t n, const roster_experts *tables)
{
    size_t cells = tables != NULL ? tables->x * tables->v : 0;
    *self = (roster_past){.n = n, .size = roster_times(n, cells) <= NUMBERS_MOST ? cells : 0};
    self->cells = roster_alloc(n, sizeof *self->cells);
    self->since = roster_alloc(n, sizeof *self->since);
    return self->cells != NULL && self->since != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_past_fini(roster_past *self)
{
    for (size_t k = 0; self->cells != NULL && k < self->n; k++)
        free(self->cells[k]);
    free(self->cells);
    free(self->since);
}

void roster_past_reset(roster_past *self)
{
    for (size_t k = 0; k < self->n; k++)
        if (self->cells[k] != NULL)
            memset(self->cells[k], 0, self->size * sizeof *self->cells[k]);
    memset(self->since, 0, self->n * sizeof *self->since);
}

int roster_past_open(roster_past *self, size_t k)
{
    if (self->size == 0 || self->cells[k] != NULL)
        return ROSTER_OK;
    self->cells[k] = roster_alloc(self->size, sizeof *self->cells[k]);
    return self->cells[k] != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_past_add(roster_past *self, size_t k, size_t cell, double y)
{
    if (self->size == 0)
        return;
    roster_past_cell *c = &self->cells[k][cell];
    c->n += 1;
    c->s += y;
    c->q += y * y;
}

int roster_past_merge(roster_past *self, const roster_past *from)
{
    for (size_t k = 0; k < from->n; k++)
        if (from->cells[k] != NULL && roster_past_open(self, k) != ROSTER_OK)
            return ROSTER_ENOMEM;
    for (size_t k = 0; k < from->n; k++) {
        for (size_t c = 0; from->cells[k] != NULL && c < self->size; c++) {
            roster_past_cell *to = &self->cells[k][c], more = from->cells[k][c];
            *to = (roster_past_cell){to->n + more.n, to->s + more.s, to->q + more.q};
        }
        self->since[k] += from->since[k];
    }
    return ROSTER_OK;
}

static size_t count_seen(const roster_past *self, size_t k)
{
    size_t seen = 0;
    for (size_t c = 0; self->cells[k] != NULL && c < self->size; c++)
        seen += self->cells[k][c].n > 0;
    return seen;
}

void roster_past_save(const roster_past *self, roster_writer *w)
{
    for (size_t k = 0; k < self->n; k++) {
        roster_put_u64(w, self->since[k]);
        roster_put_u64(w, count_seen(self, k));
        for (size_t c = 0; self->cells[k] != NULL && c < self->size; c++) {
            const roster_past_cell *cell = &self->cells[k][c];
            if (cell->n == 0)
                continue;
            roster_put_u64(w, c);
            roster_put_doubles(w, (const double[]){cell->n, cell->s, cell->q}, 3);
        }
    }
}

static void load_cell(roster_past *self, size_t k, roster_reader *r)
{
    uint64_t c = roster_get_u64(r);
    double sums[3];
    roster_get_doubles(r, sums, 3);
    bool sound = sums[0] >= 1 && sums[0] <= 0x1p53 && sums[1] >= 0 && sums[1] <= sums[0] * (1 + 1e-9) && sums[2] >= 0 &&
                 sums[2] <= sums[1] * (1 + 1e-9) + 1e-9;
    r->failed |= c >= self->size || !sound;
    if (!r->failed)
        self->cells[k][c] = (roster_past_cell){sums[0], sums[1], sums[2]};
}

int roster_past_load(roster_past *self, roster_reader *r)
{
    for (size_t k = 0; k < self->n && !roster_reader_ended(r) && !r->failed; k++) {
        self->since[k] = roster_get_u64(r);
        size_t seen = roster_get_count(r, 32);
        r->failed |= seen > self->size;
        if (seen > 0 && !r->failed && roster_past_open(self, k) != ROSTER_OK)
            return ROSTER_ENOMEM;
        for (size_t j = 0; j < seen && !r->failed; j++)
            load_cell(self, k, r);
    }
    return ROSTER_OK;
}
