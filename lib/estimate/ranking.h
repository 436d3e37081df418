/*
 * ranking.h: the clipped estimator, the index of every expert, and the expert whose index is largest.
 */
#ifndef ROSTER_RANKING_H
#define ROSTER_RANKING_H

#include "clipped.h"

typedef struct roster_ranking {
    roster_clipped est;
    const roster_rng *stream; /* borrowed: before anything is learnt the leader is random */
    double *u;                /* owned, [n]: U_i(t), with room for whole vectors          */
    size_t leader;            /* the first of the largest                                 */
} roster_ranking;

/* Nothing is learnt yet. On failure the caller still calls fini. Prepared problem and stream must outlive it. */
int roster_ranking_init(roster_ranking *self, roster_prepared *prepared, const roster_rng *stream);
void roster_ranking_fini(roster_ranking *self);
/* Forget all samples; the stream may have changed. */
void roster_ranking_reset(roster_ranking *self);
/* Into one that was initialised for the same problem: now it is equal. ROSTER_ENOMEM: half done. */
int roster_ranking_copy(roster_ranking *self, const roster_ranking *from);
/* Learn; ROSTER_ENOMEM leaves everything as it was. */
int roster_ranking_learn(roster_ranking *self, const roster_sample *sample);
/* Learn all of a batch; ROSTER_ENOMEM: half done. */
int roster_ranking_learn_batch(roster_ranking *self, const roster_batch *batch);
/* All indices and the leader, after the estimator has changed. */
void roster_ranking_refresh(roster_ranking *self);

/* A uniformly random expert for round 1, from the first block of the stream. */
size_t roster_random_start(const roster_rng *stream, const roster_experts *experts);

#endif
