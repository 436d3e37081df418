/*
 * active_set.h: of very many experts those whose indices are exact after every batch. See many_experts.c.
 */
#ifndef ROSTER_ACTIVE_SET_H
#define ROSTER_ACTIVE_SET_H

#include "lazy_simd.h"

typedef struct roster_active_set {
    roster_ranking *ranking; /* borrowed: estimator, indices, leader                                  */
    size_t *experts;         /* owned, [up(N)]: the first n are active, in no order                   */
    size_t n;
    size_t *played; /* owned, [N]: experts that have been played, in the order of their cells         */
    size_t n_played;
    size_t *rewarded; /* owned: cells of the tally with a reward                                      */
    size_t n_rewarded, room;
} roster_active_set;

/* All are active, as the estimator says. On failure the caller still calls fini. */
int roster_active_set_init(roster_active_set *self, roster_ranking *ranking);
void roster_active_set_fini(roster_active_set *self);
/* Open k's column and cells. True in *added: they were not open. */
int roster_active_set_open(roster_active_set *self, size_t k, bool *added);
/* The active experts and the tally learn the batch, whose expert is open. On failure half done. */
int roster_active_set_learn(roster_active_set *self, const roster_batch *batch);
/* The index of every active expert, and the leader among them. */
void roster_active_set_lead(roster_active_set *self);
/* Expert i from the tally alone: now it is active too. On failure half done. */
int roster_active_set_activate(roster_active_set *self, size_t i);
/* The one at that position is no longer active; the last one takes its position. */
void roster_active_set_deactivate(roster_active_set *self, size_t position);

/* No inactive expert has an index above the bar before the clock has advanced by `limit`; a round with reward y in cell
   c of the leader advances it by at most idle + y min(most, gain[c]). */
typedef struct roster_inactive_bounds {
    double bar, limit, idle, most;
    const double *gain; /* [X V] */
} roster_inactive_bounds;

/* The certificate of certificate.c over the active experts, and while the inactive ones can stay so. */
void roster_active_set_certify(const roster_active_set *self, const roster_lazy_simd *simd, double *rivals,
                               const roster_inactive_bounds *inactive, roster_certificate *certificate);

#endif
