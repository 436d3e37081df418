/*
 * direct_literal.c: the direct estimate from its definition, summed over the whole history.
 *
 * Paper: none.
 *
 *   everything of pool.c, context_test.c and direct*.c, in long double and with libm, so that it shares no shortcut and
 *   no numerics with what it checks
 *
 * Not part of the library: linked into tests only.
 *
 * Cost: O(t + X V N) per index.
 * Check: SPEC-2 section 12 (tests/unit/test_direct.c: literal_check_values).
 */
#include "direct_literal.h"

#include <stdlib.h>

int roster_direct_literal_init(roster_direct_literal *self, const roster_direct_problem *problem, size_t rounds)
{
    *self = (roster_direct_literal){.problem = *problem};
    self->rounds = roster_alloc(rounds, sizeof *self->rounds);
    self->experts = roster_alloc(problem->experts->n, sizeof *self->experts);
    return self->rounds != NULL && self->experts != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_direct_literal_fini(roster_direct_literal *self)
{
    free(self->rounds);
    free(self->experts);
}

/* How often context x came. */
static long double times_seen(const roster_direct_literal *self, size_t x)
{
    long double n = 0;
    for (size_t r = 0; r < self->count; r++)
        n += self->rounds[r].cell / self->problem.experts->v == x;
    return n;
}

void roster_direct_literal_add(roster_direct_literal *self, size_t k, size_t cell, double y)
{
    const roster_experts *e = self->problem.experts;
    if (self->problem.p != NULL) {
        long double next = (times_seen(self, cell / e->v) + 0.5L) / ((long double)self->count + (long double)e->x / 2);
        self->ln_e += logl(next / self->problem.p[cell / e->v]);
        self->rejected |= self->ln_e > logl(1e4L);
    }
    self->rounds[self->count++] = (roster_direct_round){k, cell, y};
}

static long double weight(const roster_direct_literal *self, size_t x)
{
    const roster_experts *e = self->problem.experts;
    if (self->problem.p != NULL && !self->rejected)
        return self->problem.p[x];
    return (times_seen(self, x) + 0.5L) / ((long double)self->count + (long double)e->x / 2);
}

/* m0 of the last power of two. */
static long double prior(const roster_direct_literal *self)
{
    size_t t = 1;
    long double sum = 0;
    while (2 * t <= self->count)
        t *= 2;
    for (size_t r = 0; r < t; r++)
        sum += self->rounds[r].y;
    return (sum + 5) / ((long double)t + 10);
}

/* The last re-weighting. */
static size_t last_weighting(const roster_direct_literal *self)
{
    size_t t = 1, next = 1;
    while (next <= self->count) {
        t = next;
        size_t more = (size_t)floor(1.25 * (double)t);
        next = more > t + 1 ? more : t + 1;
    }
    return t;
}

/* alpha_k of then. */
static long double share(const roster_direct_literal *self, size_t k)
{
    size_t t = last_weighting(self);
    long double plays = 0;
    for (size_t r = 0; r < t; r++)
        plays += self->rounds[r].k == k;
    return (plays + 1 / (long double)self->problem.experts->n) / ((long double)t + 1);
}

/* A of expert k's row in the cell's context, as of round t. */
static long double row_total(const roster_direct_literal *self, size_t k, size_t x, size_t t)
{
    const roster_experts *e = self->problem.experts;
    long double total = 1 + (long double)e->rows[x * e->n + k];
    for (size_t r = 0; r < t; r++)
        total += self->rounds[r].k == k && self->rounds[r].cell / e->v == x;
    return total;
}

/* pi_k of a cell, as of round t. */
static long double chance(const roster_direct_literal *self, size_t k, size_t cell, size_t t)
{
    const roster_experts *e = self->problem.experts;
    long double known = e->pi[cell * e->n + k];
    if (e->rows == NULL)
        return known;
    long double count = known * e->rows[cell / e->v * e->n + k] + 1 / (long double)e->v;
    for (size_t r = 0; r < t; r++)
        count += self->rounds[r].k == k && self->rounds[r].cell == cell;
    return count / row_total(self, k, cell / e->v, t);
}

/* sum_k alpha_k pi_k of a cell, pi as of the last re-weighting, or of the cell's first sample if that came later. */
static long double mixture(const roster_direct_literal *self, size_t cell)
{
    size_t first = 0, t = last_weighting(self);
    while (first < self->count && self->rounds[first].cell != cell)
        first++;
    t = first + 1 > t ? first + 1 : t;
    long double sum = 0;
    for (size_t k = 0; k < self->problem.experts->n; k++)
        sum += self->experts[k].alpha * chance(self, k, cell, t);
    return sum;
}

typedef struct cell_sums {
    long double n, s, q;
} cell_sums;

static cell_sums sums_of(const roster_direct_literal *self, size_t cell)
{
    cell_sums sums = {0, 0, 0};
    for (size_t r = 0; r < self->count; r++)
        if (self->rounds[r].cell == cell) {
            long double y = self->rounds[r].y;
            sums = (cell_sums){sums.n + 1, sums.s + y, sums.q + y * y};
        }
    return sums;
}

static void add_cell(roster_direct_literal *self, size_t cell, long double m0, long double W_x)
{
    const roster_experts *e = self->problem.experts;
    cell_sums c = sums_of(self, cell);
    long double u = 1 / (c.n + 1), m = (c.s + m0) * u, z = ((c.n > 0 ? c.q - c.s * c.s / c.n : 0) + 0.25L) * u;
    long double mixed = c.n > 0 ? mixture(self, cell) : 0;
    for (size_t i = 0; i < e->n; i++) {
        roster_direct_literal_expert *a = &self->experts[i];
        long double pi = chance(self, i, cell, self->count), W = W_x * pi;
        a->row += pi * m;
        a->row_squares += pi * m * m;
        a->mu += W * m;
        a->V += W * W * z * u;
        a->B += W * W * u * u;
        a->z += W * z;
        a->thin += c.n < 3 ? W : 0;
        if (c.n == 0)
            continue;
        long double w = pi / mixed;
        a->first += w * (c.s / c.n - m0);
        a->second += w * w * ((c.n + 1) / c.n) * (c.q - 2 * m * c.s + c.n * m * m);
    }
}

/* What rows that are not known for certain add. */
static void add_doubts(roster_direct_literal *self, size_t x, long double W)
{
    for (size_t i = 0; i < self->problem.experts->n; i++) {
        roster_direct_literal_expert *a = &self->experts[i];
        long double T = a->row_squares - a->row * a->row, A = row_total(self, i, x, self->count);
        a->V += W * W * T / (A + 1);
        a->B += W * W / ((A + 1) * (A + 1));
        a->z += W * T;
        a->row = a->row_squares = 0;
    }
}

/* A_i. */
static long double arm(const roster_direct_literal *self, size_t i, long double ell)
{
    long double n = 0, s = 0;
    for (size_t r = 0; r < self->count; r++)
        if (self->rounds[r].k == i) {
            n++;
            s += self->rounds[r].y;
        }
    return n > 0 ? s / n + sqrtl(ell / (2 * n)) : (long double)INFINITY;
}

static long double log_term(const roster_direct_literal *self, long double ell, long double ratio)
{
    long double L = ratio > 1 ? logl(ratio) : 0, least = self->problem.eta * ell;
    return L > least ? L : least;
}

static void find_index(const roster_direct_literal *self, size_t i)
{
    roster_direct_literal_expert *a = &self->experts[i];
    long double t = (long double)self->count, ell = t > 1 ? logl(1 + t * logl(t) * logl(t)) : 0, square, L;
    long double scale = (t + 1) / (self->problem.kappa * a->z), R = a->second / (t * t);
    a->corrected = !self->alone && a->thin > 0.1L * (1 + 1e-9L);
    if (a->corrected) {
        L = log_term(self, ell, scale * (R + a->B / 4));
        square = 2 * L * R + L * L * a->B;
    } else {
        L = log_term(self, ell, scale * a->V);
        square = 2 * L * a->V + (L * L - L / 2) * a->B;
    }
    a->estimate = a->corrected ? a->mu + a->first / t : a->mu;
    long double D = a->estimate + sqrtl(square > 0 ? square : 0) + self->problem.margin, A = arm(self, i, ell);
    a->held = A < D;
    a->u = a->held ? A : D;
}

void roster_direct_literal_look(roster_direct_literal *self)
{
    const roster_experts *e = self->problem.experts;
    long double m0 = prior(self);
    for (size_t i = 0; i < e->n; i++)
        self->experts[i] = (roster_direct_literal_expert){.alpha = share(self, i)};
    for (size_t x = 0; x < e->x; x++) {
        long double W = weight(self, x);
        for (size_t v = 0; v < e->v; v++)
            add_cell(self, x * e->v + v, m0, W);
        if (e->rows != NULL)
            add_doubts(self, x, W);
    }
    for (size_t i = 0; i < e->n; i++)
        find_index(self, i);
}
