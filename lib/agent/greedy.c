/*
 * greedy.c: the loop that Algorithms 1 and 3 share.
 *
 * Paper: none.
 *
 *   round 1: uniformly random;  round t: argmax_i U_i(t - 1), ties to the smallest i
 *
 * Cost: per round one absorb and N indices, O(N); choosing is O(1).
 * Check: identical experts tie, and the first of them is played (tests/unit/test_extremes.c: identical_experts).
 */
#include "lazy_index.h"
#include "waiting.h"

#include <stdlib.h>

size_t roster_random_start(const roster_rng *stream, size_t n)
{
    roster_rng rng = *stream;
    roster_rng_seek(&rng, 0);
    return (size_t)roster_rng_below(&rng, n);
}

/* roster_leader, by vectors. */
static size_t leader_of(const roster_greedy *self)
{
    double top = self->est.prepared->simd->largest(self->u, self->est.tally.n);
    double least = fabs(top) < INFINITY ? top - roster_tie(top) : top;
    size_t i = 0;
    while (self->u[i] < least)
        i++;
    return i;
}

static void refresh(roster_greedy *self)
{
    size_t n = self->est.prepared->problem.experts->n;
    roster_clipped_indices(&self->est, self->u);
    self->leader = self->est.tally.t > 0 ? leader_of(self) : roster_random_start(self->stream, n);
}

int roster_greedy_init(void *self, const roster_setup *setup, roster_error *err)
{
    roster_greedy *g = self;
    (void)err;
    g->stream = setup->stream;
    size_t up = roster_simd_up(setup->experts->n), rows = 1 + ROSTER_RIVAL;
    g->u = roster_alloc(roster_times(up, rows), sizeof *g->u);
    if (roster_clipped_init(&g->est, setup->prepared) != ROSTER_OK || g->u == NULL)
        return ROSTER_ENOMEM;
    g->rivals = g->u + up;
    refresh(g);
    return ROSTER_OK;
}

void roster_greedy_fini(void *self)
{
    roster_greedy *g = self;
    roster_clipped_fini(&g->est);
    roster_lazy_index_free(g->lazy);
    free(g->u);
}

void roster_greedy_reset(void *self)
{
    roster_greedy *g = self;
    roster_lazy_index_free(g->lazy);
    g->lazy = NULL;
    roster_clipped_reset(&g->est);
    refresh(g);
}

int roster_greedy_reserve(void *self, size_t rounds)
{
    return roster_clipped_reserve(&((roster_greedy *)self)->est, rounds);
}

int roster_greedy_learn(void *self, const roster_sample *sample)
{
    roster_greedy *g = self;
    int code = roster_clipped_absorb(&g->est, sample);
    if (code == ROSTER_OK)
        refresh(g);
    return code;
}

int roster_greedy_learn_batch(void *self, const roster_batch *batch)
{
    roster_greedy *g = self;
    if (g->lazy != NULL)
        return roster_lazy_index_learn(g->lazy, batch);
    int code = roster_clipped_absorb_batch(&g->est, batch);
    if (code == ROSTER_OK)
        refresh(g);
    if (code == ROSTER_OK && roster_lazy_index_pays(g))
        code = roster_lazy_index_create(&g->lazy, g);
    return code;
}

size_t roster_greedy_choose(const void *self)
{
    return ((const roster_greedy *)self)->leader;
}

static bool is_unknown(const void *self, size_t i)
{
    return ((const roster_greedy *)self)->u[i] == INFINITY;
}

size_t roster_greedy_choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const roster_greedy *g = self;
    size_t n = g->est.prepared->problem.experts->n;
    bool none = is_unknown(g, g->leader) ? roster_waiting_sum(waiting, n) == 0 : true;
    return none ? g->leader : roster_waiting_fewest(g, is_unknown, n, waiting, u);
}

void roster_greedy_index(const void *self, double *u)
{
    const roster_greedy *g = self;
    for (size_t i = 0; i < g->est.prepared->problem.experts->n; i++)
        u[i] = g->u[i];
}

void roster_greedy_insight(const void *self, size_t i, roster_insight *out)
{
    roster_clipped_insight(&((const roster_greedy *)self)->est, i, out);
}

void roster_greedy_save(const void *self, roster_writer *w)
{
    roster_clipped_save(&((const roster_greedy *)self)->est, w);
}

int roster_greedy_load(void *self, roster_reader *r)
{
    roster_greedy *g = self;
    int code = roster_clipped_load(&g->est, r);
    if (code == ROSTER_OK && !r->failed)
        refresh(g);
    return code;
}

int roster_greedy_merge(void *self, const void *from)
{
    roster_greedy *g = self;
    int code = roster_clipped_merge(&g->est, &((const roster_greedy *)from)->est);
    if (code == ROSTER_OK)
        refresh(g);
    return code;
}
