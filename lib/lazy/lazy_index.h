/*
 * lazy_index.h: among very many experts most need not be looked at for a long time. lazy_index.c says why that is exact.
 *
 * For known experts with finite contexts and full support, while rounds are played in stretches (certificate.h).
 */
#ifndef ROSTER_CROWD_H
#define ROSTER_CROWD_H

#include "greedy.h"
#include "simd.h"

/* ---- active_set.c: those whose indices are exact after every stretch ---- */

/* Positions 0..n-1 of `who` are in no order. */
typedef struct roster_awake {
    roster_greedy *g; /* borrowed: estimator, indices, leader                                 */
    size_t *who;      /* owned, [N]                                                           */
    size_t n;
    size_t *played; /* owned, [N]: experts that have been played, in the order of their cells */
    size_t n_played;
    size_t *rewarded; /* owned: cells of the tally with a reward                              */
    size_t n_rewarded, room;
} roster_awake;

/* Everybody is awake, as the estimator says. */
int roster_awake_init(roster_awake *self, roster_greedy *greedy);
void roster_awake_fini(roster_awake *self);
/* Open k's column and cells. True in *added: they were not open. */
int roster_awake_open(roster_awake *self, size_t k, bool *added);
/* Those awake learn the pile, whose expert is open; so does the tally. */
int roster_awake_learn(roster_awake *self, const roster_pile *pile);
/* The index of everybody awake, and the leader among them. */
void roster_awake_lead(roster_awake *self);
/* Expert i from the tally alone: now it is awake too. */
int roster_awake_rouse(roster_awake *self, size_t i);
/* The one at that position is no longer awake; the last one takes its position. */
void roster_awake_drop(roster_awake *self, size_t position);

/* Nobody asleep has an index above the bar before the clock has advanced by `limit`; a round with reward y in cell c of
   the leader advances it by at most idle + y min(most, gain[c]). */
typedef struct roster_asleep {
    double bar, limit, idle, most;
    const double *gain; /* [X V] */
} roster_asleep;

/* certificate.c: what it needs of the leader alone; false where nothing is certain. Then, once o->rounds is known, the rest. */
bool roster_hold_outlook(const roster_greedy *greedy, roster_outlook *o);
void roster_hold_leader(roster_outlook *o);
/* certificate.c's hold, over those awake, and while those asleep can sleep. */
void roster_awake_hold(const roster_awake *self, const roster_asleep *asleep, roster_hold *hold);

/* ---- lazy_index.c ---- */

/* Whether a crowd pays. */
bool roster_crowd_pays(const roster_greedy *greedy);
/* On failure the caller still frees *out. */
int roster_crowd_create(roster_crowd **out, roster_greedy *greedy);
void roster_crowd_free(roster_crowd *self);
/* Learn the pile, wake whoever's time has come, and find the leader. On failure half done. */
int roster_crowd_learn(roster_crowd *self, const roster_pile *pile);
void roster_crowd_hold(const roster_crowd *self, roster_hold *hold);

#endif
