/*
 * literal.c: the clipped estimator in its literal form, a sum over the whole history.
 *
 * Paper: none.
 *
 *   everything of clipped.c, divergence.c, divergence_lower.c and bias.c, from its definition, in long double and with
 *   libm, so that it shares no shortcut and no numerics with what it checks
 *
 * Not part of the library: linked into tests only.
 *
 * Cost: O(t) per index, O(t N) per round; for estimates O(N X V) more per index.
 * Check: SPEC sections 3 and 5 (tests/unit/test_oracle.c: literal_check_values).
 */
#include "literal.h"

#include <stdlib.h>
#include <string.h>

/* r_lo = max(0, rhat - loss). */
static long double loss(const roster_estimator_problem *problem)
{
    long double xi = problem->bounds.xi, p_V = problem->bounds.p_V;
    return problem->empirical ? xi / (p_V * (p_V - xi)) : 0;
}

static long double ratio_low(const roster_estimator_problem *problem, long double rhat)
{
    long double lo = rhat - loss(problem);
    return lo > 0 ? lo : 0;
}

static long double ratio_high(const roster_estimator_problem *problem, long double rhat)
{
    long double xi = problem->bounds.xi, p_V = problem->bounds.p_V;
    return problem->empirical ? rhat + xi / (p_V * (p_V + xi)) : rhat;
}

static long double width(const roster_estimator_problem *problem, long double rhat)
{
    long double a = loss(problem);
    return (rhat < a ? rhat : a) + ratio_high(problem, 0);
}

/* ln sum_x p(x) sum_v pi_i exp(r_ik), over the actions that k plays. */
static long double divergence(const roster_estimator_problem *problem, size_t i, size_t k)
{
    const roster_experts *e = problem->experts;
    long double top = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < e->x * e->v; c++) {
            long double pi_i = e->pi[c * e->n + i], pi_k = e->pi[c * e->n + k];
            long double p = problem->p != NULL ? (long double)problem->p[c / e->v] : 1.0L / (long double)e->x;
            if (pi_i == 0 || pi_k == 0 || p == 0)
                continue;
            if (pass == 0)
                top = pi_i / pi_k > top ? pi_i / pi_k : top;
            else
                sum += p * pi_i * expl(pi_i / pi_k - top);
        }
    long double m = top + logl(sum);
    return m > 1 ? m : 1;
}

/* 1 + ln(1 + p_X sum_x sum_v max(0, pihat_k - xi) f1(r_lo)), f1 scaled by exp(-top). */
static long double lower_divergence(const roster_estimator_problem *problem, size_t i, size_t k)
{
    const roster_experts *e = problem->experts;
    long double top = 0, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < e->x * e->v; c++) {
            long double pi_i = e->pi[c * e->n + i], pi_k = e->pi[c * e->n + k];
            if (pi_k == 0 || pi_k <= problem->bounds.xi)
                continue;
            long double lo = ratio_low(problem, pi_i / pi_k), q = pi_k - problem->bounds.xi;
            if (pass == 0)
                top = lo > top ? lo : top;
            else
                sum += problem->bounds.p_X * q * (lo * expl(lo - 1 - top) - expl(-top));
        }
    long double scaled = expl(-top) + sum;
    long double m = scaled > 0 ? 1 + top + logl(scaled) : 1;
    return m > 1 ? m : 1;
}

/* r_hi and r_hi - r_lo of every pair of experts in every cell, so that they need not be divided again in every round.
   The difference of a large ratio's bounds is written so that the ratio does not drown it: min(rhat, a) + b. */
static int tabulate(roster_literal *self)
{
    const roster_experts *e = self->problem.experts;
    size_t cells = e->x * e->v;
    self->high = roster_alloc(roster_times(roster_times(e->n, e->n), cells), sizeof *self->high);
    self->gap = roster_alloc(roster_times(roster_times(e->n, e->n), cells), sizeof *self->gap);
    if (self->high == NULL || self->gap == NULL)
        return ROSTER_ENOMEM;
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->n; j++)
            for (size_t c = 0; c < cells; c++) {
                long double pi_i = e->pi[c * e->n + i], pi_j = e->pi[c * e->n + j];
                size_t at = (i * e->n + j) * cells + c;
                self->high[at] = pi_j > 0 ? ratio_high(&self->problem, pi_i / pi_j) : -1;
                self->gap[at] = pi_j > 0 ? width(&self->problem, pi_i / pi_j) : 0;
            }
    return ROSTER_OK;
}

int roster_literal_init(roster_literal *self, const roster_estimator_problem *problem, size_t rounds)
{
    size_t n = problem->experts->n;
    memset(self, 0, sizeof *self);
    self->problem = *problem;
    self->capacity = rounds;
    self->m = roster_alloc(roster_times(n, n), sizeof *self->m);
    self->share = roster_alloc(roster_times(n, n), sizeof *self->share);
    self->k = roster_alloc(rounds, sizeof *self->k);
    self->y = roster_alloc(rounds, sizeof *self->y);
    self->r = roster_alloc(roster_times(rounds, n), sizeof *self->r);
    if (self->m == NULL || self->share == NULL || self->k == NULL || self->y == NULL || self->r == NULL)
        return ROSTER_ENOMEM;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            self->m[i * n + k] = problem->empirical ? lower_divergence(problem, i, k) : divergence(problem, i, k);
            self->share[i * n + k] = 1 / self->m[i * n + k];
        }
    return problem->empirical ? tabulate(self) : ROSTER_OK;
}

void roster_literal_fini(roster_literal *self)
{
    free(self->m);
    free(self->share);
    free(self->k);
    free(self->y);
    free(self->r);
    free(self->high);
    free(self->gap);
}

/* Where the action has probability 0 for the expert that took it (estimates only), the ratio is taken as infinite:
   always clipped. An expert that never acts so is, with shared support, not touched. */
void roster_literal_add(roster_literal *self, const roster_sample *sample)
{
    size_t n = self->problem.experts->n;
    self->k[self->count] = sample->k;
    self->y[self->count] = sample->s;
    for (size_t i = 0; i < n; i++) {
        long double r =
            sample->pi[sample->k] > 0 ? (long double)sample->pi[i] / sample->pi[sample->k] : (long double)INFINITY;
        self->r[self->count * n + i] = self->problem.shared && sample->pi[i] == 0 ? -1 : r;
    }
    self->count++;
}

/* The y with y / ln(2/y) = x, by bisection on y in (0, 2). */
static long double w_of(long double x)
{
    long double low = 0, high = 2;
    for (int step = 0; step < 80 && x > 0; step++) {
        long double y = (low + high) / 2;
        if (y / logl(2 / y) < x)
            low = y;
        else
            high = y;
    }
    return x > 0 ? high : 0;
}

static long double normaliser(const roster_literal *self, size_t i, size_t t)
{
    size_t n = self->problem.experts->n;
    long double z = 0;
    for (size_t s = 0; s < t; s++)
        z += self->r[s * n + i] >= 0 ? self->share[i * n + self->k[s]] : 0;
    return z;
}

/* sum_s y_s r_lo / M 1{ r_hi <= 2 L M }; level INFINITY: nothing is clipped but infinite ratios. */
static long double clipped_sum(roster_literal *self, size_t i, size_t t, long double level)
{
    size_t n = self->problem.experts->n;
    long double sum = 0, a = loss(&self->problem), b = ratio_high(&self->problem, 0);
    self->clipped = 0;
    for (size_t s = 0; s < t; s++) {
        long double r = self->r[s * n + i], m = self->m[i * n + self->k[s]];
        if (r < 0)
            continue;
        if (r < (long double)INFINITY && r + b <= 2 * level * m)
            sum += self->y[s] * (r > a ? r - a : 0) * self->share[i * n + self->k[s]];
        else
            self->clipped++;
    }
    return sum;
}

/* e_i: max over j, x, v of r_hi - r_lo 1{ r_hi <= 2 L M_lo }. */
static long double error_term(const roster_literal *self, size_t i, long double level)
{
    const roster_experts *e = self->problem.experts;
    size_t cells = e->x * e->v;
    long double largest = 0;
    for (size_t j = 0; j < e->n; j++) {
        const long double *high = self->high + (i * e->n + j) * cells, *gap = self->gap + (i * e->n + j) * cells;
        long double clip = 2 * level * self->m[i * e->n + j];
        for (size_t c = 0; c < cells; c++) {
            long double error = high[c] < 0 ? 0 : high[c] <= clip ? gap[c] : high[c];
            largest = error > largest ? error : largest;
        }
    }
    return largest;
}

double roster_literal_index(roster_literal *self, size_t i, size_t t)
{
    long double z = normaliser(self, i, t);
    if (z == 0)
        return INFINITY;
    long double eps = self->problem.C * w_of(sqrtl((long double)t * logl((long double)t)) / z);
    long double level = eps > 0 ? logl(2 / eps) : (long double)INFINITY;
    long double mean = clipped_sum(self, i, t, level) / z;
    long double e_i = self->problem.empirical ? error_term(self, i, level) : 0;
    return (double)(mean + e_i + 1.5L * eps);
}
