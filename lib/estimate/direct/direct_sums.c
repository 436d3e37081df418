/*
 * direct_sums.c: the sums over cells that estimate, variance and exploration of every expert rest on.
 *
 * Paper: Beyond 12 (sums).
 *
 *   S_i = sum over cells c = (x,v) of (W_x pi_i(c))^d f(c),    f = m, z, 1{n < 3} with d = 1;  f = z u, u^2 with d = 2
 *
 * A sample of cell c changes f(c) by df. Where p is declared
 *
 *   S_i += (W_x pi_i(c))^d df
 *
 * Where weights are learnt W_x = g/(t + X/2), g = n_x + 1/2. The divisor is left to who reads the sums; g becomes g + 1
 * in context x alone, whose row sum r_i = sum_v pi_i^d f is kept:
 *
 *   S_i += ((g+1)^d - g^d) r_i + (g+1)^d pi_i^d df,    r_i += pi_i^d df
 *
 * Contexts that were not seen have f = m0, 1/4, 1, 1/4, 1 in all cells: of them the sums of W pi_i and (W pi_i)^2 are
 * all that is kept, and of W_x^2/(A + 1)^2 where experts are learnt, without loss (roster_add), so that summing anew
 * visits only contexts that were seen. Experts that are learnt add to their rows, which are kept (direct_experts.c).
 *
 * Cost: O(N) per round; O(N V) for the first sample of a context; anew O(N V) for every context seen.
 * Check: equal to direct_literal.c at every round (tests/unit/test_direct.c: equals_literal).
 */
#include "direct_simd.h"

#include <string.h>

/* The power d of each sum. */
static bool is_squared(size_t sum)
{
    return sum == ROSTER_DIRECT_V || sum == ROSTER_DIRECT_B;
}

static void values_of(const roster_pool_terms *terms, double f[ROSTER_DIRECT_ROWS])
{
    f[ROSTER_DIRECT_MU] = terms->m;
    f[ROSTER_DIRECT_Z] = terms->z;
    f[ROSTER_DIRECT_THIN] = terms->thin;
    f[ROSTER_DIRECT_V] = terms->z * terms->u;
    f[ROSTER_DIRECT_B] = terms->u * terms->u;
    f[ROSTER_DIRECT_SQUARES] = terms->m * terms->m;
}

/* W_x, times the divisor where it is learnt. */
static double weight_of(const roster_direct *self, size_t x)
{
    return self->learnt ? (double)self->pool.arrived[x] + 0.5 : self->problem.p[x];
}

/* Where the row of a context is kept; else room for one. */
static double *row_of(const roster_direct *self, size_t x)
{
    return self->rows + (self->learnt || roster_direct_learns(self) ? x : 0) * ROSTER_DIRECT_ROWS * self->up;
}

/* into_i += (w pi_i)^d f */
static void add_cell(const roster_direct *self, double *into, const double *pi, double w, bool squared, double f)
{
    for (size_t i = 0; i < self->pool.n; i++) {
        double a = w * pi[i];
        into[i] += (squared ? a * a : a) * f;
    }
}

/* sum_v pi_i and sum_v pi_i^2 of context x. */
static void sum_row(const roster_direct *self, size_t x, double *sum, double *squares)
{
    memset(sum, 0, self->up * sizeof *sum);
    memset(squares, 0, self->up * sizeof *squares);
    for (size_t v = 0; v < self->pool.v; v++) {
        const double *pi = roster_direct_pi(self, x * self->pool.v + v);
        add_cell(self, sum, pi, 1, false, 1);
        add_cell(self, squares, pi, 1, true, 1);
    }
}

/* Context x counts by weight w, and by `sign`, among those not seen; its sums of pi_i and pi_i^2 are given. */
static void count_unseen(roster_direct *self, size_t x, double w, const double *sum, const double *squares, double sign)
{
    for (size_t i = 0; i < self->pool.n; i++) {
        double doubt = roster_direct_learns(self) ? roster_direct_doubt(self, i, x) : 0;
        const double more[ROSTER_DIRECT_UNSEEN / 2] = {w * sum[i], w * w * squares[i], w * w * (doubt * doubt)};
        for (size_t j = 0; j < ROSTER_DIRECT_UNSEEN / 2; j++) {
            double *hi = self->unseen + 2 * j * self->up;
            roster_add(&hi[i], &hi[self->up + i], sign * more[j]);
        }
    }
}

void roster_direct_find_unseen(roster_direct *self)
{
    memset(self->unseen, 0, ROSTER_DIRECT_UNSEEN * self->up * sizeof *self->unseen);
    for (size_t x = 0; x < self->pool.x; x++) {
        double *row = row_of(self, x);
        if (self->pool.contexts[x] > 0)
            continue;
        sum_row(self, x, row, row + self->up);
        count_unseen(self, x, weight_of(self, x), row, row + self->up, 1);
    }
}

void roster_direct_see(roster_direct *self, size_t x)
{
    size_t up = self->up;
    double *row = row_of(self, x), *sum = row + ROSTER_DIRECT_THIN * up, *squares = row + ROSTER_DIRECT_B * up;
    sum_row(self, x, sum, squares);
    count_unseen(self, x, weight_of(self, x) - (self->learnt ? 1 : 0), sum, squares, -1);
    for (size_t i = 0; i < self->pool.n; i++) {
        row[ROSTER_DIRECT_MU * up + i] = self->m0 * sum[i];
        row[ROSTER_DIRECT_Z * up + i] = 0.25 * sum[i];
        row[ROSTER_DIRECT_V * up + i] = 0.25 * squares[i];
        row[ROSTER_DIRECT_SQUARES * up + i] = self->m0 * self->m0 * sum[i];
        if (roster_direct_learns(self))
            roster_direct_doubt_row(self, i, x, row);
    }
}

/* The sums over contexts that were not seen. */
static void start_sums(roster_direct *self)
{
    const size_t up = self->up;
    for (size_t i = 0; i < self->pool.n; i++) {
        const double *unseen = self->unseen + i;
        double sum = unseen[0] + unseen[up], squares = unseen[2 * up] + unseen[3 * up];
        self->sums[ROSTER_DIRECT_MU][i] = self->m0 * sum;
        self->sums[ROSTER_DIRECT_Z][i] = 0.25 * sum;
        self->sums[ROSTER_DIRECT_THIN][i] = sum;
        self->sums[ROSTER_DIRECT_V][i] = 0.25 * squares;
        self->sums[ROSTER_DIRECT_B][i] = squares + (unseen[4 * up] + unseen[5 * up]);
    }
}

static void rebuild_row(roster_direct *self, size_t x, double *row)
{
    double f[ROSTER_DIRECT_ROWS];
    memset(row, 0, ROSTER_DIRECT_ROWS * self->up * sizeof *row);
    for (size_t v = 0; v < self->pool.v; v++) {
        size_t cell = x * self->pool.v + v;
        roster_pool_terms terms = roster_pool_look(&self->pool.cells[cell], self->m0);
        values_of(&terms, f);
        for (size_t j = 0; j < ROSTER_DIRECT_ROWS; j++)
            add_cell(self, row + j * self->up, roster_direct_pi(self, cell), 1, is_squared(j), f[j]);
    }
    for (size_t i = 0; i < self->pool.n && roster_direct_learns(self); i++)
        roster_direct_doubt_row(self, i, x, row);
}

/* The sums gain, or lose, a context's row. */
static void add_row(roster_direct *self, const double *row, double w, double sign)
{
    for (size_t j = 0; j < ROSTER_DIRECT_SUMS; j++) {
        double weight = sign * (is_squared(j) ? w * w : w);
        for (size_t i = 0; i < self->pool.n; i++)
            self->sums[j][i] += weight * row[j * self->up + i];
    }
}

void roster_direct_rebuild(roster_direct *self)
{
    start_sums(self);
    for (size_t x = 0; x < self->pool.x; x++) {
        double *row = row_of(self, x);
        if (self->pool.contexts[x] == 0)
            continue;
        rebuild_row(self, x, row);
        add_row(self, row, weight_of(self, x), 1);
    }
}

/* The row of one expert from its cells. */
static void rebuild_expert(roster_direct *self, size_t k, size_t x, double *row)
{
    double f[ROSTER_DIRECT_ROWS];
    for (size_t j = 0; j < ROSTER_DIRECT_ROWS; j++)
        row[j * self->up + k] = 0;
    for (size_t v = 0; v < self->pool.v; v++) {
        size_t cell = x * self->pool.v + v;
        roster_pool_terms terms = roster_pool_look(&self->pool.cells[cell], self->m0);
        double pi = roster_direct_pi(self, cell)[k];
        values_of(&terms, f);
        for (size_t j = 0; j < ROSTER_DIRECT_ROWS; j++)
            row[j * self->up + k] += (is_squared(j) ? pi * pi : pi) * f[j];
    }
    roster_direct_doubt_row(self, k, x, row);
}

/* Where experts are learnt: the row of all changes with the cell, and that of expert k in all cells. */
static void update_experts(roster_direct *self, size_t k, size_t cell, const double *df)
{
    size_t x = cell / self->pool.v;
    double *row = row_of(self, x), after = weight_of(self, x);
    add_row(self, row, self->learnt ? after - 1 : after, -1);
    roster_direct_experts_see(self, k, cell, 1);
    roster_direct_move_row(self, cell, df, row);
    rebuild_expert(self, k, x, row);
    add_row(self, row, after, 1);
}

size_t roster_direct_update(roster_direct *self, size_t k, size_t cell, const roster_pool_terms *old)
{
    size_t x = cell / self->pool.v;
    double before[ROSTER_DIRECT_ROWS];
    roster_pool_terms terms = roster_pool_look(&self->pool.cells[cell], self->m0);
    roster_direct_change change = {.pi = roster_direct_pi(self, cell), .w = weight_of(self, x)};
    values_of(&terms, change.df);
    values_of(old, before);
    for (size_t j = 0; j < ROSTER_DIRECT_ROWS; j++)
        change.df[j] -= before[j];
    if (roster_direct_learns(self)) {
        update_experts(self, k, cell, change.df);
        return 0;
    }
    roster_direct_moment now = roster_direct_now(self);
    if (!self->learnt)
        return self->simd->learn(self, &change, &now);
    change.row = row_of(self, x);
    return self->simd->learn_rows(self, &change, &now);
}
