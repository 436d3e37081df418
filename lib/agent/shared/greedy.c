/*
 * greedy.c: the agent that plays the leader of a ranking: what Algorithms 1 and 3 share.
 *
 * Paper: none.
 *
 *   round 1: uniformly random;  round t: argmax_i U_i(t - 1), ties to the smallest i (ranking.c)
 *
 * Cost: per round one absorb and N indices, O(N); choosing is O(1). By the lazy interface see lazy_index.c.
 * Check: identical experts tie, and the first of them is played (tests/unit/test_extremes.c: identical_experts).
 */
#include "greedy.h"

#include "lazy_index.h"
#include "waiting.h"

#include <string.h>

int roster_greedy_init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    return roster_ranking_init(self, setup->prepared, setup->stream);
}

void roster_greedy_fini(void *self)
{
    roster_ranking_fini(self);
}

void roster_greedy_reset(void *self)
{
    roster_ranking_reset(self);
}

int roster_greedy_reserve(void *self, size_t rounds)
{
    return roster_clipped_reserve(&((roster_ranking *)self)->est, rounds);
}

int roster_greedy_learn(void *self, const roster_sample *sample)
{
    return roster_ranking_learn(self, sample);
}

size_t roster_greedy_choose(const void *self)
{
    return ((const roster_ranking *)self)->leader;
}

size_t roster_greedy_choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const roster_ranking *r = self;
    return roster_waiting_leader(r->u, r->est.tally.n, r->leader, waiting, u);
}

void roster_greedy_index(const void *self, double *u)
{
    const roster_ranking *r = self;
    memcpy(u, r->u, r->est.tally.n * sizeof *u);
}

void roster_greedy_insight(const void *self, size_t i, roster_insight *out)
{
    roster_clipped_insight(&((const roster_ranking *)self)->est, i, out);
}

void roster_greedy_save(const void *self, roster_writer *w)
{
    roster_clipped_save(&((const roster_ranking *)self)->est, w);
}

int roster_greedy_load(void *self, roster_reader *r)
{
    roster_ranking *ranking = self;
    int code = roster_clipped_load(&ranking->est, r);
    if (code == ROSTER_OK && !r->failed)
        roster_ranking_refresh(ranking);
    return code;
}

int roster_greedy_merge(void *self, const void *from)
{
    roster_ranking *r = self;
    int code = roster_clipped_merge(&r->est, &((const roster_ranking *)from)->est);
    if (code == ROSTER_OK)
        roster_ranking_refresh(r);
    return code;
}

/* Merging is all there is to it: who comes is known from the cells of all others. */
int roster_greedy_adopt(void *self, const void *from, size_t n)
{
    (void)n;
    return roster_greedy_merge(self, from);
}

int roster_greedy_learn_tally(void *self, const roster_tally_row *rows, size_t n)
{
    roster_ranking *r = self;
    const roster_experts *e = r->est.prepared->problem.experts;
    int code = ROSTER_OK;
    for (size_t i = 0; i < n && code == ROSTER_OK; i++) {
        const roster_tally_row *row = &rows[i];
        roster_sample sample = {.k = row->expert,
                                .cell = row->context * e->v + row->action,
                                .pi = roster_experts_across(e, row->context, row->action),
                                .n = row->count,
                                .s = row->sum};
        code = roster_clipped_absorb(&r->est, &sample);
    }
    if (code == ROSTER_OK)
        roster_ranking_refresh(r);
    return code;
}

static int lazy_start(void *lazy, const void *self)
{
    return roster_lazy_index_start(lazy, self);
}

static void lazy_stop(void *lazy)
{
    roster_lazy_index_stop(lazy);
}

static void lazy_certify(void *lazy, roster_certificate *certificate)
{
    roster_lazy_index_certify(lazy, certificate);
}

static int lazy_learn_batch(void *lazy, const roster_batch *batch)
{
    return roster_lazy_index_learn_batch(lazy, batch);
}

static int lazy_finish(void *lazy, void *self)
{
    return roster_lazy_index_finish(lazy, self);
}

const roster_agent_lazy roster_greedy_lazy = {
    .state_size = sizeof(roster_lazy_index),
    .start = lazy_start,
    .stop = lazy_stop,
    .certify = lazy_certify,
    .learn_batch = lazy_learn_batch,
    .finish = lazy_finish,
};
