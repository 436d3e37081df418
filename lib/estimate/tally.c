/*
 * tally.c: counts and reward sums per (expert, context, action), which is all an estimator needs of the past.
 *
 * Paper: none.
 *
 *   n[k][x][v], s[k][x][v]: samples and their rewards' sum; N_k(t) = plays[k]
 *
 * Cost: X V cells of 24 bytes per expert played.
 * Departs: the paper keeps the whole history.
 * Check: 1e7 rewards of 0.1 sum to 1e6 within 1e-9 (tests/unit/test_clipped.c: tally_does_not_drift).
 */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

int roster_tally_init(roster_tally *self, size_t n, size_t block)
{
    self->n = n;
    self->block = block;
    self->plays = roster_alloc(n, sizeof *self->plays);
    self->first = roster_alloc(n, sizeof *self->first);
    if (self->plays == NULL || self->first == NULL)
        return ROSTER_ENOMEM;
    roster_tally_reset(self);
    return ROSTER_OK;
}

void roster_tally_fini(roster_tally *self)
{
    free(self->plays);
    free(self->first);
    free(self->cells);
}

void roster_tally_reset(roster_tally *self)
{
    self->t = 0;
    self->count = 0;
    for (size_t k = 0; k < self->n; k++) {
        self->plays[k] = 0;
        self->first[k] = ROSTER_NO_CELL;
    }
}

int roster_tally_reserve(roster_tally *self, size_t cells)
{
    return roster_grow(&self->cells, &self->capacity, self->count, cells, sizeof *self->cells);
}

size_t roster_tally_open(roster_tally *self, size_t k)
{
    if (self->first[k] != ROSTER_NO_CELL)
        return self->first[k];
    self->first[k] = self->count;
    for (size_t c = 0; c < self->block; c++)
        roster_tally_append(self);
    return self->first[k];
}

size_t roster_tally_append(roster_tally *self)
{
    self->cells[self->count] = (roster_cell){0, 0, 0};
    return self->count++;
}

void roster_tally_count(roster_tally *self, size_t k, uint64_t n)
{
    self->plays[k] += n;
    self->t += n;
}

void roster_tally_add(roster_tally *self, size_t cell, uint64_t n, double s)
{
    roster_cell *c = &self->cells[cell];
    c->n += n;
    roster_add(&c->s, &c->lo, s);
}

int roster_tally_copy(roster_tally *self, const roster_tally *from)
{
    self->count = 0;
    if (roster_tally_reserve(self, from->count) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (from->count > 0)
        memcpy(self->cells, from->cells, from->count * sizeof *self->cells);
    memcpy(self->plays, from->plays, from->n * sizeof *self->plays);
    memcpy(self->first, from->first, from->n * sizeof *self->first);
    self->count = from->count;
    self->t = from->t;
    return ROSTER_OK;
}

void roster_tally_save(const roster_tally *self, roster_writer *w)
{
    for (size_t k = 0; k < self->n; k++) {
        roster_put_u64(w, self->plays[k]);
        roster_put_u64(w, self->first[k] == ROSTER_NO_CELL ? 0 : self->first[k] + 1);
    }
    roster_put_u64(w, self->count);
    for (size_t c = 0; c < self->count; c++) {
        roster_put_u64(w, self->cells[c].n);
        roster_put_double(w, self->cells[c].s);
        roster_put_double(w, self->cells[c].lo);
    }
}

static void load_cells(roster_tally *self, roster_reader *r, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        roster_cell *cell = &self->cells[roster_tally_append(self)];
        cell->n = roster_get_u64(r);
        cell->s = roster_get_double(r);
        cell->lo = roster_get_double(r);
        r->failed |= !(cell->s >= 0 && isfinite(cell->s) && isfinite(cell->lo));
    }
}

int roster_tally_load(roster_tally *self, roster_reader *r)
{
    for (size_t k = 0; k < self->n; k++) {
        roster_tally_count(self, k, roster_get_u64(r));
        self->first[k] = (size_t)roster_get_u64(r) - 1;
    }
    size_t count = roster_get_count(r, 24);
    for (size_t k = 0; k < self->n; k++) {
        bool inside = self->block <= count && self->first[k] <= count - self->block;
        r->failed |= self->first[k] != ROSTER_NO_CELL && !inside;
    }
    int code = roster_tally_reserve(self, count);
    if (code == ROSTER_OK)
        load_cells(self, r, count);
    return code;
}

int roster_tally_init_arms(roster_tally *self, size_t n)
{
    if (roster_tally_init(self, n, 1) != ROSTER_OK || roster_tally_reserve(self, n) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_tally_reset_arms(self);
    return ROSTER_OK;
}

void roster_tally_reset_arms(roster_tally *self)
{
    roster_tally_reset(self);
    for (size_t i = 0; i < self->n; i++)
        self->first[i] = roster_tally_append(self);
}

void roster_tally_learn_arm(roster_tally *self, size_t k, uint64_t n, double s)
{
    roster_tally_add(self, k, n, s);
    roster_tally_count(self, k, n);
}

void roster_tally_learn_rows(roster_tally *self, const roster_tally_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        roster_tally_learn_arm(self, rows[i].expert, rows[i].count, rows[i].sum);
}

int roster_tally_load_arms(roster_tally *self, roster_reader *r)
{
    roster_tally_reset(self);
    int code = roster_tally_load(self, r);
    for (size_t i = 0; i < self->n; i++)
        r->failed |= self->first[i] != i;
    return code;
}

void roster_tally_merge_arms(roster_tally *self, const roster_tally *from)
{
    for (size_t i = 0; i < from->n; i++)
        roster_tally_learn_arm(self, i, from->plays[i], roster_tally_mass(from, i));
}
