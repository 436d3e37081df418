/*
 * lazy_index.h: among very many experts most need not be looked at for a long time. lazy_index.c says why that is exact.
 *
 * For known experts with finite contexts and full support, while rounds are played in stretches (certificate.h).
 */
#ifndef ROSTER_LAZY_INDEX_H
#define ROSTER_LAZY_INDEX_H

#include "greedy.h"
#include "simd.h"

/* ---- active_set.c: those whose indices are exact after every stretch ---- */

/* Positions 0..n-1 of `who` are in no order. */
typedef struct roster_active_set {
    roster_greedy *g; /* borrowed: estimator, indices, leader                                 */
    size_t *experts;  /* owned, [N]                                                           */
    size_t n;
    size_t *played; /* owned, [N]: experts that have been played, in the order of their cells */
    size_t n_played;
    size_t *rewarded; /* owned: cells of the tally with a reward                              */
    size_t n_rewarded, room;
} roster_active_set;

/* Everybody is awake, as the estimator says. */
int roster_active_set_init(roster_active_set *self, roster_greedy *greedy);
void roster_active_set_fini(roster_active_set *self);
/* Open k's column and cells. True in *added: they were not open. */
int roster_active_set_open(roster_active_set *self, size_t k, bool *added);
/* Those awake learn the batch, whose expert is open; so does the tally. */
int roster_active_set_learn(roster_active_set *self, const roster_batch *batch);
/* The index of everybody awake, and the leader among them. */
void roster_active_set_lead(roster_active_set *self);
/* Expert i from the tally alone: now it is awake too. */
int roster_active_set_activate(roster_active_set *self, size_t i);
/* The one at that position is no longer awake; the last one takes its position. */
void roster_active_set_deactivate(roster_active_set *self, size_t position);

/* Nobody asleep has an index above the bar before the clock has advanced by `limit`; a round with reward y in cell c of
   the leader advances it by at most idle + y min(most, gain[c]). */
typedef struct roster_inactive_bounds {
    double bar, limit, idle, most;
    const double *gain; /* [X V] */
} roster_inactive_bounds;

/* certificate.c: what it needs of the leader alone; false where nothing is certain. Then, once o->rounds is known, the rest. */
bool roster_lead_bounds_init(const roster_greedy *greedy, roster_lead_bounds *o);
void roster_lead_bounds_of_leader(roster_lead_bounds *o);
/* certificate.c's hold, over those awake, and while those asleep can sleep. */
void roster_active_set_certify(const roster_active_set *self, const roster_inactive_bounds *inactive,
                               roster_certificate *certificate);

/* ---- lazy_index.c ---- */

/* Whether a crowd pays. */
bool roster_lazy_index_pays(const roster_greedy *greedy);
/* On failure the caller still frees *out. */
int roster_lazy_index_create(roster_lazy_index **out, roster_greedy *greedy);
void roster_lazy_index_free(roster_lazy_index *self);
/* Learn the batch, wake whoever's time has come, and find the leader. On failure half done. */
int roster_lazy_index_learn(roster_lazy_index *self, const roster_batch *batch);
void roster_lazy_index_certify(const roster_lazy_index *self, roster_certificate *certificate);

#endif
