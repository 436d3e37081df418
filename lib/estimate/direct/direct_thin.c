/*
 * direct_thin.c: the correction for cells that are seen rarely, where the shrinkage to m0 hides what was learnt.
 *
 * Paper: Beyond 12 (thin cells).
 *
 *   alpha_k = (n_k + 1/N)/(t_w + 1), as of the last re-weighting: at t_w = 1, then at max(t_w + 1, floor(1.25 t_w))
 *   w_i(c)  = pi_i(c) / sum_k alpha_k pi_k(c)
 *   kept:     sum_{c: n >= 1} w_i(c) (s/n - m0)   and   sum_{c: n >= 1} w_i(c)^2 ((n+1)/n)(q - 2 m s + n m^2)
 *
 * Samples of a tally that does not say who acted are nobody's plays. Of these, F in number, the shares take it that all
 * experts acted equally often: alpha_k = (n_k + (F + 1)/N)/(t_w + F + 1).
 *
 * One cell changes per round; all do at a re-weighting and where m0 changes. The sums are used for an expert whose thin
 * mass is above .1. If at a re-weighting no expert has more than half of that, they are not kept; where one comes to
 * need them before the next, they are made then and kept until then.
 *
 * Cost: O(N) per round; anew O(N) for every cell seen, in each round in which t has grown by a quarter.
 * Departs: the paper has no cells. Where experts are learnt (direct_experts.c) the mixture is that of the experts as of
 *          the last re-weighting, or of the cell's first sample if that came later, and the sums are always kept.
 * Check: mu' = 1.03434739180435, 0.948865191833244, 0.30515821286237 after five rounds
 *        (tests/unit/test_direct.c: check_values).
 */
#include "direct.h"

#include <string.h>

static uint64_t step(uint64_t t)
{
    return t < 4 ? 1 : t / 4;
}

static uint64_t next_weighting(uint64_t t)
{
    uint64_t next = 1;
    while (next <= t)
        next += step(next);
    return next;
}

uint64_t roster_direct_weighed_before(uint64_t next)
{
    uint64_t t = next > 1 ? 1 : 0;
    while (t > 0 && t + step(t) < next)
        t += step(t);
    return t;
}

static bool some_are_thin(const roster_direct *self, double most)
{
    for (size_t i = 0; i < self->pool.n; i++)
        if (self->sums[ROSTER_DIRECT_THIN][i] > most)
            return true;
    return false;
}

void roster_direct_weigh_plays(roster_direct *self)
{
    double n = (double)self->pool.n, more = (double)self->pool.unnamed + 1, t = 0;
    for (size_t k = 0; k < self->pool.n; k++)
        t += self->alone[k] ? 0 : (double)self->pool.plays[k];
    for (size_t k = 0; k < self->pool.n; k++)
        self->alpha[k] = ((self->alone[k] ? 0 : (double)self->pool.plays[k]) + more / n) / (t + more);
    self->next_weighting = next_weighting(self->pool.t);
    self->corrects =
        roster_direct_learns(self) || some_are_thin(self, 0.5 * ROSTER_DIRECT_THIN_MASS * roster_direct_weight(self));
}

static void weigh(roster_direct *self, size_t cell)
{
    const double *pi = roster_direct_pi(self, cell);
    double sum = 0;
    for (size_t k = 0; k < self->pool.n; k++)
        sum += self->alpha[k] * pi[k];
    self->mixture[cell] = 1 / sum;
}

static void add(roster_direct *self, size_t cell, double above, double residual)
{
    const double *pi = roster_direct_pi(self, cell);
    double *sum = self->correct, *squares = sum + self->up, inverse = self->mixture[cell];
    for (size_t i = 0; i < self->pool.n; i++) {
        double w = pi[i] * inverse;
        sum[i] += w * above;
        squares[i] += w * w * residual;
    }
}

void roster_direct_correct(roster_direct *self, bool anew)
{
    self->corrects = true;
    memset(self->correct, 0, 2 * self->up * sizeof *self->correct);
    for (size_t x = 0; x < self->pool.x; x++)
        for (size_t v = 0; v < self->pool.v && self->pool.contexts[x] > 0; v++) {
            size_t cell = x * self->pool.v + v;
            if (self->pool.cells[cell].n == 0)
                continue;
            roster_pool_rest rest = roster_pool_look_on(&self->pool.cells[cell], self->m0);
            if (anew || self->mixture[cell] == 0)
                weigh(self, cell);
            add(self, cell, rest.above, rest.residual);
        }
}

/* What the cells of context x say of expert k. */
static void correct_row(const roster_direct *self, size_t k, size_t x, double sum[2])
{
    sum[0] = sum[1] = 0;
    for (size_t v = 0; v < self->pool.v; v++) {
        size_t cell = x * self->pool.v + v;
        roster_pool_rest rest = roster_pool_look_on(&self->pool.cells[cell], self->m0);
        double w = roster_direct_pi(self, cell)[k] * self->mixture[cell];
        sum[0] += w * rest.above;
        sum[1] += w * w * rest.residual;
    }
}

void roster_direct_leave_correction(roster_direct *self, size_t k, size_t x)
{
    double row[2];
    correct_row(self, k, x, row);
    for (size_t j = 0; j < 2; j++)
        self->left[j] = self->correct[j * self->up + k] - row[j];
}

void roster_direct_update_correction(roster_direct *self, size_t k, size_t cell, const roster_pool_rest *old)
{
    roster_pool_rest now = roster_pool_look_on(&self->pool.cells[cell], self->m0);
    double row[2];
    if (self->pool.cells[cell].n == 1)
        weigh(self, cell);
    add(self, cell, now.above - old->above, now.residual - old->residual);
    if (!roster_direct_learns(self))
        return;
    correct_row(self, k, cell / self->pool.v, row);
    for (size_t j = 0; j < 2; j++)
        self->correct[j * self->up + k] = self->left[j] + row[j];
}
