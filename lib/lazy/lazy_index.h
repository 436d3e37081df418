/*
 * lazy_index.h: a ranking that learns in batches and computes only what can change the leader. D-UCB and ED-UCB have it
 * as their lazy interface (roster_agent_lazy in agent.h).
 */
#ifndef ROSTER_LAZY_INDEX_H
#define ROSTER_LAZY_INDEX_H

#include "many_experts.h"

typedef struct roster_lazy_index {
    roster_ranking ranking;       /* owned: exact, but with `many` for the active experts alone    */
    const roster_lazy_simd *simd; /* borrowed                                                      */
    double *rivals;               /* owned: scratch of certificates                                */
    roster_many_experts *many;    /* owned; NULL: all experts are computed after every batch       */
} roster_lazy_index;

/* Equal to `from`, a ranking over finite contexts. On failure the caller still calls stop. */
int roster_lazy_index_start(roster_lazy_index *self, const roster_ranking *from);
void roster_lazy_index_stop(roster_lazy_index *self);
/* The leader, and for how long it is certain. */
void roster_lazy_index_certify(roster_lazy_index *self, roster_certificate *certificate);
/* Learn all of a batch. On failure half done. */
int roster_lazy_index_learn_batch(roster_lazy_index *self, const roster_batch *batch);
/* All that was learnt into `to`, the ranking it was started from. ROSTER_ENOMEM leaves `to` as it was. After it only
   stop is called. */
int roster_lazy_index_finish(roster_lazy_index *self, roster_ranking *to);

#endif
