/*
 * ranking.c: all indices after every change, and their argmax: what Algorithms 1 and 3 share.
 *
 * Paper: none.
 *
 *   round 1: uniformly random;  round t: argmax_i U_i(t - 1), ties to the smallest i
 *
 * Cost: per round one absorb and N indices, O(N).
 * Check: identical experts tie, and the first of them is played (tests/unit/test_extremes.c: identical_experts).
 */
#include "ranking.h"

#include "clipped_simd.h"

#include <stdlib.h>
#include <string.h>

size_t roster_random_start(const roster_rng *stream, const roster_experts *experts)
{
    roster_rng rng = *stream;
    roster_rng_seek(&rng, 0);
    return roster_experts_active_at(experts, (size_t)roster_rng_below(&rng, experts->active));
}

/* roster_leader, by vectors. */
static size_t leader_of(const roster_ranking *self)
{
    double top = self->est.prepared->simd->largest(self->u, self->est.tally.n);
    double least = fabs(top) < INFINITY ? top - roster_tie(top) : top;
    size_t i = 0;
    while (self->u[i] < least)
        i++;
    return i;
}

void roster_ranking_refresh(roster_ranking *self)
{
    const roster_experts *experts = self->est.prepared->problem.experts;
    roster_clipped_indices(&self->est, self->u);
    roster_experts_mask(experts, self->u);
    self->leader = self->est.tally.t > 0 ? leader_of(self) : roster_random_start(self->stream, experts);
}

int roster_ranking_init(roster_ranking *self, roster_prepared *prepared, const roster_rng *stream)
{
    self->stream = stream;
    self->u = roster_alloc(roster_simd_up(prepared->problem.experts->n), sizeof *self->u);
    if (roster_clipped_init(&self->est, prepared) != ROSTER_OK || self->u == NULL)
        return ROSTER_ENOMEM;
    roster_ranking_refresh(self);
    return ROSTER_OK;
}

void roster_ranking_fini(roster_ranking *self)
{
    roster_clipped_fini(&self->est);
    free(self->u);
}

void roster_ranking_reset(roster_ranking *self)
{
    roster_clipped_reset(&self->est);
    roster_ranking_refresh(self);
}

int roster_ranking_copy(roster_ranking *self, const roster_ranking *from)
{
    memcpy(self->u, from->u, from->est.tally.n * sizeof *self->u);
    self->leader = from->leader;
    return roster_clipped_copy(&self->est, &from->est);
}

int roster_ranking_learn(roster_ranking *self, const roster_sample *sample)
{
    int code = roster_clipped_absorb(&self->est, sample);
    if (code == ROSTER_OK)
        roster_ranking_refresh(self);
    return code;
}

int roster_ranking_learn_batch(roster_ranking *self, const roster_batch *batch)
{
    int code = roster_clipped_absorb_batch(&self->est, batch);
    if (code == ROSTER_OK)
        roster_ranking_refresh(self);
    return code;
}
