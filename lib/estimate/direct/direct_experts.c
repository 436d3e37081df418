/*
 * direct_experts.c: experts that are known from counts, or from nothing, and learnt while they play.
 *
 * Paper: Beyond 13 (experts from counts).
 *
 *   A_ix = samples of row (i,x) + 1 at first,  pi = (counts + 1/V)/A;  when i is seen to play v in x:
 *   pi <- (A pi + e_v)/(A + 1),  A <- A + 1
 *   T_ix = sum_v pi m^2 - (sum_v pi m)^2
 *   V_i += sum_x W^2 T/(A + 1)      B_i += sum_x W^2/(A + 1)^2      z_i += sum_x W T
 *
 * Kept are the counts with their 1/V, so that pi is one division and never drifts. The three terms are added to the
 * rows of direct_sums.c: what a row adds to V, B and z then comes from experts and rewards alike.
 *
 * Cost: O(N + V) per round; 2 N X V numbers.
 * Departs: the paper needs estimates with a known error before the first round. Nothing is proved for finite samples: T
 *          over A is the variance of sum_v pi m by the delta method.
 * Check: equal to direct_literal.c at every round (tests/unit/test_direct_experts.c: learnt_experts_equal_literal).
 */
#include "direct.h"

int roster_direct_experts_init(roster_direct *self)
{
    const roster_pool *pool = &self->pool;
    size_t all = roster_times(roster_times(pool->x, pool->v), pool->n);
    self->counts = roster_alloc(all, sizeof *self->counts);
    self->totals = roster_alloc(roster_times(pool->x, pool->n), sizeof *self->totals);
    self->learnt_pi = roster_alloc(roster_plus(all, ROSTER_ROOM_BEHIND), sizeof *self->learnt_pi);
    self->pi = self->learnt_pi;
    return self->counts != NULL && self->totals != NULL && self->learnt_pi != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

/* Of an action and of a row, before the first round. */
static double first_count(const roster_direct *self, size_t cell, size_t i)
{
    const roster_experts *e = self->problem.experts;
    return e->pi[cell * e->n + i] * e->rows[cell / e->v * e->n + i] + 1 / (double)e->v;
}

static double first_total(const roster_direct *self, size_t row)
{
    return self->problem.experts->rows[row] + 1;
}

static void divide(roster_direct *self, size_t cell, size_t i)
{
    size_t n = self->pool.n;
    self->learnt_pi[cell * n + i] = self->counts[cell * n + i] / self->totals[cell / self->pool.v * n + i];
}

void roster_direct_experts_divide(roster_direct *self)
{
    for (size_t cell = 0; cell < self->pool.x * self->pool.v; cell++)
        for (size_t i = 0; i < self->pool.n; i++)
            divide(self, cell, i);
}

void roster_direct_experts_reset(roster_direct *self)
{
    for (size_t row = 0; row < self->pool.x * self->pool.n; row++)
        self->totals[row] = first_total(self, row);
    for (size_t cell = 0; cell < self->pool.x * self->pool.v; cell++)
        for (size_t i = 0; i < self->pool.n; i++)
            self->counts[cell * self->pool.n + i] = first_count(self, cell, i);
    roster_direct_experts_divide(self);
}

void roster_direct_experts_merge(roster_direct *self, const roster_direct *from)
{
    for (size_t row = 0; row < self->pool.x * self->pool.n; row++)
        self->totals[row] += from->totals[row] - first_total(self, row);
    for (size_t cell = 0; cell < self->pool.x * self->pool.v; cell++)
        for (size_t i = 0; i < self->pool.n; i++)
            self->counts[cell * self->pool.n + i] += from->counts[cell * self->pool.n + i] - first_count(self, cell, i);
    roster_direct_experts_divide(self);
}

void roster_direct_experts_save(const roster_direct *self, roster_writer *w)
{
    roster_put_doubles(w, self->totals, self->pool.x * self->pool.n);
    roster_put_doubles(w, self->counts, self->pool.x * self->pool.v * self->pool.n);
}

void roster_direct_experts_load(roster_direct *self, roster_reader *r)
{
    size_t rows = self->pool.x * self->pool.n;
    roster_get_doubles(r, self->totals, rows);
    roster_get_doubles(r, self->counts, rows * self->pool.v);
    for (size_t row = 0; row < rows; row++)
        r->failed |= !(self->totals[row] >= 1 && isfinite(self->totals[row]));
    for (size_t i = 0; i < rows * self->pool.v; i++)
        r->failed |= !(self->counts[i] >= 0 && isfinite(self->counts[i]));
    if (!r->failed)
        roster_direct_experts_divide(self);
}

void roster_direct_experts_see(roster_direct *self, size_t k, size_t cell, uint64_t n)
{
    size_t x = cell / self->pool.v;
    self->counts[cell * self->pool.n + k] += (double)n;
    self->totals[x * self->pool.n + k] += (double)n;
    for (size_t v = 0; v < self->pool.v; v++)
        divide(self, x * self->pool.v + v, k);
}

double roster_direct_doubt(const roster_direct *self, size_t i, size_t x)
{
    return 1 / (self->totals[x * self->pool.n + i] + 1);
}

/* T_ix. */
static double spread(const roster_direct *self, size_t i, const double *row)
{
    double mean = row[ROSTER_DIRECT_MU * self->up + i];
    return row[ROSTER_DIRECT_SQUARES * self->up + i] - mean * mean;
}

void roster_direct_doubt_row(const roster_direct *self, size_t i, size_t x, double *row)
{
    double T = spread(self, i, row), doubt = roster_direct_doubt(self, i, x);
    row[ROSTER_DIRECT_Z * self->up + i] += T;
    row[ROSTER_DIRECT_V * self->up + i] += T * doubt;
    row[ROSTER_DIRECT_B * self->up + i] += doubt * doubt;
}

void roster_direct_move_row(const roster_direct *self, size_t cell, const double df[ROSTER_DIRECT_ROWS], double *row)
{
    const double *pi = roster_direct_pi(self, cell);
    for (size_t i = 0; i < self->pool.n; i++) {
        double T = spread(self, i, row), a = pi[i], squared = a * a;
        row[ROSTER_DIRECT_MU * self->up + i] += a * df[ROSTER_DIRECT_MU];
        row[ROSTER_DIRECT_SQUARES * self->up + i] += a * df[ROSTER_DIRECT_SQUARES];
        T = spread(self, i, row) - T;
        row[ROSTER_DIRECT_Z * self->up + i] += a * df[ROSTER_DIRECT_Z] + T;
        row[ROSTER_DIRECT_THIN * self->up + i] += a * df[ROSTER_DIRECT_THIN];
        row[ROSTER_DIRECT_V * self->up + i] +=
            squared * df[ROSTER_DIRECT_V] + T * roster_direct_doubt(self, i, cell / self->pool.v);
        row[ROSTER_DIRECT_B * self->up + i] += squared * df[ROSTER_DIRECT_B];
    }
}
