/*
 * direct.c: the life of the direct estimate, and what happens when a reward comes.
 *
 * Paper: Beyond 12 (direct estimate).
 *
 *   m0 = (sum of all y + 5)/(t + 10), taken at powers of two and kept until the next; 1/2 before round 1
 *   W_x = p(x); where p is not declared, or was rejected: (n_x + 1/2)/(t + X/2)
 *   mu_i = sum W pi_i m    V_i = sum (W pi_i)^2 z u    B_i = sum (W pi_i)^2 u^2    z_i = sum W pi_i z
 *
 * One cell changes per round, so the sums change by what that cell says now less what it said before (direct_sums.c).
 * They are summed anew at powers of two, when m0 changes in all cells, which also ends what rounding has left.
 *
 * Cost: O(N) per round; summing anew is O(N V) for every context seen, at powers of two.
 * Departs: the paper weights every sample by a ratio of two experts and clips it. Here who acted does not matter.
 * Check: mu = 0.676857142857143, 0.632571428571429, 0.454 after five rounds (tests/unit/test_direct.c: check_values);
 *        equal to direct_literal.c at every round on random instances (tests/unit/test_direct.c: equals_literal).
 */
#include "direct_simd.h"

#include <stdlib.h>
#include <string.h>

static const double PRIOR_REWARD = 0.5;

/* The array of this size comes next. */
static double *take(double **next, size_t size)
{
    double *array = *next;
    *next += size;
    return array;
}

static int place_arrays(roster_direct *self)
{
    const roster_experts *e = self->problem.experts;
    size_t up = self->up, cells = e->x * e->v, rows = roster_times(e->x, ROSTER_DIRECT_ROWS);
    size_t experts = roster_times(up, ROSTER_DIRECT_SAVED + 3);
    self->block = roster_alloc(roster_plus(roster_plus(experts, cells), roster_times(rows, up)), sizeof *self->block);
    if (self->block == NULL)
        return ROSTER_ENOMEM;
    double *next = self->block;
    for (size_t i = 0; i < ROSTER_DIRECT_SUMS; i++)
        self->sums[i] = take(&next, up);
    self->unseen = take(&next, ROSTER_DIRECT_UNSEEN * up);
    self->correct = take(&next, 2 * up);
    self->alpha = take(&next, up);
    self->u = take(&next, up);
    self->arms = take(&next, 2 * up);
    self->mixture = take(&next, cells);
    self->rows = next;
    return ROSTER_OK;
}

int roster_direct_init(roster_direct *self, const roster_direct_problem *problem)
{
    *self = (roster_direct){.problem = *problem, .up = roster_simd_up(problem->experts->n)};
    roster_context_test_init(&self->test, problem->p, problem->experts->x);
    self->simd = roster_direct_simd_choose(problem->experts->avx2);
    self->pi = problem->experts->pi;
    self->alone = roster_alloc(problem->experts->n, sizeof *self->alone);
    self->near = roster_alloc(self->up / 2, sizeof *self->near);
    if (roster_pool_init(&self->pool, problem->experts) != ROSTER_OK || place_arrays(self) != ROSTER_OK ||
        self->alone == NULL || self->near == NULL)
        return ROSTER_ENOMEM;
    if (roster_direct_learns(self) && roster_direct_experts_init(self) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_direct_reset(self);
    return ROSTER_OK;
}

void roster_direct_fini(roster_direct *self)
{
    roster_pool_fini(&self->pool);
    free(self->alone);
    free(self->near);
    free(self->block);
    free(self->counts);
    free(self->totals);
    free(self->learnt_pi);
}

/* All that follows from the pool, after some of it was forgotten. */
static void start_anew(roster_direct *self)
{
    if (self->pool.t == 0)
        self->m0 = PRIOR_REWARD;
    memset(self->mixture, 0, self->pool.x * self->pool.v * sizeof *self->mixture);
    roster_direct_find_unseen(self);
    roster_direct_rebuild(self);
    roster_direct_weigh_plays(self);
    roster_direct_correct(self, true);
    roster_direct_refresh(self);
}

void roster_direct_reset(roster_direct *self)
{
    roster_pool_reset(&self->pool);
    roster_context_test_reset(&self->test);
    memset(self->alone, 0, self->pool.n * sizeof *self->alone);
    self->learnt = self->problem.p == NULL;
    if (roster_direct_learns(self))
        roster_direct_experts_reset(self);
    start_anew(self);
}

void roster_direct_forget(roster_direct *self, bool contexts, bool rewards)
{
    if (contexts) {
        roster_pool_forget_contexts(&self->pool);
        self->test.rejected = self->learnt = true;
    }
    if (rewards)
        roster_pool_forget_cells(&self->pool);
    roster_pool_forget_plays(&self->pool);
    start_anew(self);
}

void roster_direct_stand_alone(roster_direct *self, size_t k)
{
    self->alone[k] = true;
    roster_pool_forget_cells(&self->pool);
    start_anew(self);
}

/* What the sample of a cell changes in the sums; `old` is what the cell said before. How many vectors are near. */
static size_t learn_sums(roster_direct *self, size_t k, size_t cell, const roster_pool_terms *old, bool doubled)
{
    size_t x = cell / self->pool.v;
    bool rejected = !self->learnt && self->test.rejected;
    if (rejected) {
        self->learnt = true;
        roster_direct_find_unseen(self);
    } else if (self->pool.contexts[x] == 1) {
        roster_direct_see(self, x);
    }
    if (!doubled && !rejected)
        return roster_direct_update(self, k, cell, old);
    if (roster_direct_learns(self))
        roster_direct_experts_see(self, k, cell, 1);
    roster_direct_rebuild(self);
    return 0;
}

static void learn_correction(roster_direct *self, size_t k, size_t cell, const roster_pool_rest *old, bool doubled)
{
    bool weigh = self->pool.t == self->next_weighting;
    if (weigh)
        roster_direct_weigh_plays(self);
    if (!self->corrects)
        return;
    if (weigh || doubled)
        roster_direct_correct(self, weigh);
    else
        roster_direct_update_correction(self, k, cell, old);
}

void roster_direct_take_m0(roster_direct *self)
{
    self->m0 = (self->pool.sum + self->pool.sum_lo + 5) / ((double)self->pool.t + 10);
}

static void learn_aside(roster_direct *self, size_t k, double y)
{
    roster_pool_add_aside(&self->pool, k, 1, y);
    roster_direct_note_play(self, k);
    roster_direct_find_leader(self, 0);
}

void roster_direct_learn(roster_direct *self, size_t k, size_t cell, double y)
{
    roster_pool *pool = &self->pool;
    size_t x = cell / pool->v;
    if (self->alone[k]) {
        learn_aside(self, k, y);
        return;
    }
    roster_pool_terms old = roster_pool_look(&pool->cells[cell], self->m0);
    roster_pool_rest rest = {0, 0};
    if (self->corrects)
        rest = roster_pool_look_on(&pool->cells[cell], self->m0);
    if (!self->learnt)
        roster_context_test_learn(&self->test, x, pool->arrived[x], pool->arrivals);
    if (roster_direct_learns(self))
        roster_direct_leave_correction(self, k, x);
    roster_pool_add(pool, k, cell, y);
    bool doubled = (pool->t & (pool->t - 1)) == 0;
    if (doubled)
        roster_direct_take_m0(self);
    roster_direct_note_play(self, k);
    size_t near = learn_sums(self, k, cell, &old, doubled);
    learn_correction(self, k, cell, &rest, doubled);
    if (doubled)
        roster_direct_refresh(self);
    else
        roster_direct_find_leader(self, near);
}

uint64_t roster_direct_steady(const roster_direct *self)
{
    uint64_t t = self->pool.t, doubled = 1;
    while (doubled <= t)
        doubled *= 2;
    return (doubled < self->next_weighting ? doubled : self->next_weighting) - t;
}

uint64_t roster_direct_most(const roster_direct *self)
{
    if (roster_direct_learns(self))
        return 1;
    double most = (double)roster_direct_steady(self);
    double room =
        self->learnt ? INFINITY : roster_context_test_room(&self->test, self->pool.arrived, self->pool.arrivals);
    return (uint64_t)(room < most ? room : most);
}

void roster_direct_collect(roster_direct *self, const roster_batch *batch)
{
    if (self->alone[batch->k]) {
        roster_pool_add_aside(&self->pool, batch->k, batch->n, batch->s);
        return;
    }
    roster_pool_add_batch(&self->pool, batch);
    if (!self->learnt)
        roster_context_test_set(&self->test, self->pool.arrived, self->pool.arrivals);
}

void roster_direct_settle(roster_direct *self)
{
    uint64_t t = self->pool.t;
    if ((t & (t - 1)) == 0)
        roster_direct_take_m0(self);
    self->learnt |= self->test.rejected;
    roster_direct_find_unseen(self);
    roster_direct_rebuild(self);
    bool weigh = t >= self->next_weighting;
    if (weigh)
        roster_direct_weigh_plays(self);
    if (self->corrects)
        roster_direct_correct(self, weigh);
    roster_direct_refresh(self);
}
