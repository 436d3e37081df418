/*
 * pool.c: samples summed up by context and action, whoever acted.
 *
 * Paper: Beyond 12 (cells).
 *
 *   n, s = sum y, q = sum y^2 per cell
 *   u = 1/(n+1)    m = (s + m0) u    z = (q - s^2/n + 1/4) u                         (q - s^2/n is 0 where n = 0)
 *   s/n - m = (s/n - m0) u, so that  q - 2 m s + n m^2 = (q - s^2/n) + n ((s/n - m0) u)^2, which cancels nothing
 *
 * Cost: 40 bytes a cell.
 * Departs: the paper keeps samples by expert, and weights them.
 * Check: m, z and the residuals are those of the rewards one by one (tests/unit/test_direct.c: cells_by_definition).
 */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

int roster_pool_init(roster_pool *self, const roster_experts *e)
{
    *self = (roster_pool){.n = e->n, .x = e->x, .v = e->v};
    self->cells = roster_alloc(roster_times(e->x, e->v), sizeof *self->cells);
    self->contexts = roster_alloc(e->x, sizeof *self->contexts);
    self->arrived = roster_alloc(e->x, sizeof *self->arrived);
    self->plays = roster_alloc(e->n, sizeof *self->plays);
    self->own = roster_alloc(roster_times(e->n, 2), sizeof *self->own);
    if (self->cells == NULL || self->contexts == NULL || self->arrived == NULL || self->plays == NULL ||
        self->own == NULL)
        return ROSTER_ENOMEM;
    self->own_lo = self->own + e->n;
    return ROSTER_OK;
}

void roster_pool_fini(roster_pool *self)
{
    free(self->cells);
    free(self->contexts);
    free(self->arrived);
    free(self->plays);
    free(self->own);
}

void roster_pool_forget_cells(roster_pool *self)
{
    self->aside += self->t;
    self->t = self->unnamed = 0;
    self->sum = self->sum_lo = 0;
    memset(self->cells, 0, self->x * self->v * sizeof *self->cells);
    memset(self->contexts, 0, self->x * sizeof *self->contexts);
}

void roster_pool_forget_contexts(roster_pool *self)
{
    self->arrivals = 0;
    memset(self->arrived, 0, self->x * sizeof *self->arrived);
}

void roster_pool_forget_plays(roster_pool *self)
{
    self->aside = 0;
    memset(self->plays, 0, self->n * sizeof *self->plays);
    memset(self->own, 0, 2 * self->n * sizeof *self->own);
}

void roster_pool_reset(roster_pool *self)
{
    roster_pool_forget_cells(self);
    roster_pool_forget_contexts(self);
    roster_pool_forget_plays(self);
}

void roster_pool_add(roster_pool *self, size_t k, size_t cell, double y)
{
    roster_pool_cell *c = &self->cells[cell];
    c->n++;
    roster_add(&c->s, &c->s_lo, y);
    roster_add(&c->q, &c->q_lo, y * y);
    roster_add(&self->own[k], &self->own_lo[k], y);
    roster_add(&self->sum, &self->sum_lo, y);
    self->contexts[cell / self->v]++;
    self->arrived[cell / self->v]++;
    self->arrivals++;
    self->plays[k]++;
    self->t++;
}

void roster_pool_add_aside(roster_pool *self, size_t k, uint64_t n, double s)
{
    roster_add(&self->own[k], &self->own_lo[k], s);
    self->plays[k] += n;
    self->aside += n;
}

void roster_pool_add_batch(roster_pool *self, const roster_batch *batch)
{
    for (size_t i = 0; i < batch->n_touched; i++) {
        size_t cell = batch->touched[i];
        const roster_batch_cell *some = &batch->cells[cell];
        roster_pool_cell *c = &self->cells[cell];
        c->n += some->n;
        roster_add(&c->s, &c->s_lo, some->s);
        roster_add(&c->q, &c->q_lo, batch->squares[cell]);
        self->contexts[cell / self->v] += some->n;
        self->arrived[cell / self->v] += some->n;
    }
    roster_add(&self->own[batch->k], &self->own_lo[batch->k], batch->s);
    roster_add(&self->sum, &self->sum_lo, batch->s);
    self->plays[batch->k] += batch->n;
    self->arrivals += batch->n;
    self->t += batch->n;
}

void roster_pool_add_row(roster_pool *self, const roster_tally_row *row)
{
    roster_pool_cell *c = &self->cells[row->context * self->v + row->action];
    c->n += row->count;
    roster_add(&c->s, &c->s_lo, row->sum);
    roster_add(&c->q, &c->q_lo, row->squares);
    roster_add(&self->sum, &self->sum_lo, row->sum);
    self->contexts[row->context] += row->count;
    self->arrived[row->context] += row->count;
    self->arrivals += row->count;
    self->t += row->count;
    if (row->expert == ROSTER_NO_EXPERT) {
        self->unnamed += row->count;
        return;
    }
    roster_add(&self->own[row->expert], &self->own_lo[row->expert], row->sum);
    self->plays[row->expert] += row->count;
}

static void add_pair(double *hi, double *lo, double more, double more_lo)
{
    roster_add(hi, lo, more);
    *lo += more_lo;
}

void roster_pool_merge(roster_pool *self, const roster_pool *from)
{
    for (size_t c = 0; c < self->x * self->v; c++) {
        roster_pool_cell *cell = &self->cells[c], more = from->cells[c];
        cell->n += more.n;
        add_pair(&cell->s, &cell->s_lo, more.s, more.s_lo);
        add_pair(&cell->q, &cell->q_lo, more.q, more.q_lo);
    }
    for (size_t x = 0; x < self->x; x++) {
        self->contexts[x] += from->contexts[x];
        self->arrived[x] += from->arrived[x];
    }
    self->arrivals += from->arrivals;
    self->aside += from->aside;
    self->unnamed += from->unnamed;
    for (size_t k = 0; k < self->n; k++) {
        self->plays[k] += from->plays[k];
        add_pair(&self->own[k], &self->own_lo[k], from->own[k], from->own_lo[k]);
    }
    add_pair(&self->sum, &self->sum_lo, from->sum, from->sum_lo);
    self->t += from->t;
}

void roster_pool_copy(roster_pool *self, const roster_pool *from)
{
    self->t = from->t;
    self->aside = from->aside;
    self->unnamed = from->unnamed;
    self->arrivals = from->arrivals;
    memcpy(self->arrived, from->arrived, from->x * sizeof *self->arrived);
    self->sum = from->sum;
    self->sum_lo = from->sum_lo;
    memcpy(self->cells, from->cells, from->x * from->v * sizeof *self->cells);
    memcpy(self->contexts, from->contexts, from->x * sizeof *self->contexts);
    memcpy(self->plays, from->plays, from->n * sizeof *self->plays);
    memcpy(self->own, from->own, from->n * sizeof *self->own);
    memcpy(self->own_lo, from->own_lo, from->n * sizeof *self->own_lo);
}

void roster_pool_save(const roster_pool *self, roster_writer *w)
{
    for (size_t k = 0; k < self->n; k++)
        roster_put_u64(w, self->plays[k]);
    roster_put_doubles(w, self->own, 2 * self->n);
    for (size_t c = 0; c < self->x * self->v; c++) {
        const roster_pool_cell *cell = &self->cells[c];
        roster_put_u64(w, cell->n);
        if (cell->n > 0)
            roster_put_doubles(w, (const double[]){cell->s, cell->s_lo, cell->q, cell->q_lo}, 4);
    }
    roster_put_doubles(w, (const double[]){self->sum, self->sum_lo}, 2);
    roster_put_u64(w, self->aside);
    for (size_t x = 0; x < self->x; x++)
        roster_put_u64(w, self->arrived[x]);
}

static void load_cell(roster_pool *self, roster_reader *r, size_t c)
{
    roster_pool_cell *cell = &self->cells[c];
    double sums[4] = {0, 0, 0, 0};
    cell->n = roster_get_u64(r);
    if (cell->n > 0)
        roster_get_doubles(r, sums, 4);
    cell->s = sums[0];
    cell->s_lo = sums[1];
    cell->q = sums[2];
    cell->q_lo = sums[3];
    for (size_t i = 0; i < 4; i++)
        r->failed |= !isfinite(sums[i]);
    r->failed |= !(cell->s >= 0 && cell->q >= 0);
    self->contexts[c / self->v] += cell->n;
    self->t += cell->n;
}

void roster_pool_load(roster_pool *self, roster_reader *r)
{
    uint64_t plays = 0;
    for (size_t k = 0; k < self->n; k++)
        plays += self->plays[k] = roster_get_u64(r);
    roster_get_doubles(r, self->own, 2 * self->n);
    for (size_t k = 0; k < 2 * self->n; k++)
        r->failed |= !isfinite(self->own[k]);
    for (size_t c = 0; c < self->x * self->v && !r->failed; c++)
        load_cell(self, r, c);
    self->sum = roster_get_double(r);
    self->sum_lo = roster_get_double(r);
    self->aside = roster_get_u64(r);
    for (size_t x = 0; x < self->x; x++)
        self->arrivals += self->arrived[x] = roster_get_u64(r);
    r->failed |= plays > roster_pool_rounds(self) || !isfinite(self->sum) || !isfinite(self->sum_lo);
}

roster_pool_rest roster_pool_look_on(const roster_pool_cell *cell, double m0)
{
    if (cell->n == 0)
        return (roster_pool_rest){0, 0};
    double n = (double)cell->n, s = cell->s + cell->s_lo, mean = s / n, above = mean - m0, apart = above / (n + 1);
    return (roster_pool_rest){above, (n + 1) / n * roster_pool_spread(cell, s, mean) + (n + 1) * apart * apart};
}
