/*
 * many_experts.h: among very many experts most need not be computed for a long time. many_experts.c says why that is
 * exact.
 *
 * For known experts with finite contexts and full support, while rounds are learnt in batches.
 */
#ifndef ROSTER_MANY_EXPERTS_H
#define ROSTER_MANY_EXPERTS_H

#include "certificate.h"

typedef struct roster_many_experts roster_many_experts;

/* Whether it pays. */
bool roster_many_experts_pays(const roster_ranking *ranking);
/* Over a ranking, which is borrowed: from now on its sums, heaps and indices are exact for the active experts alone,
   its tally and its leader for all. On failure the caller still frees *out. */
int roster_many_experts_create(roster_many_experts **out, roster_ranking *ranking);
void roster_many_experts_free(roster_many_experts *self);
/* Learn the batch, look at the experts whose time has come, and find the leader. On failure half done. */
int roster_many_experts_learn(roster_many_experts *self, const roster_batch *batch);
/* How long the leader is certain. rivals: as in certificate.h. */
void roster_many_experts_certify(const roster_many_experts *self, double *rivals, roster_certificate *certificate);
/* All experts are active: the ranking is exact again, but for a refresh. On failure half done. */
int roster_many_experts_activate_all(roster_many_experts *self);

#endif
