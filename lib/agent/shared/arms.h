/*
 * arms.h: experts as the arms of an ordinary bandit, each told apart by its own rewards alone. UCB and KL-UCB are this
 * with different scores; the functions are those of roster_agent_type.
 */
#ifndef ROSTER_ARMS_H
#define ROSTER_ARMS_H

#include "agent.h"

/* What is known of an arm: u is its index for this mean, these plays, and ln f = at. From there on, as ln f grows by x,
   the index is at most u + slope x, and less than that by at most bend x^2. */
typedef struct roster_arm {
    double mean, plays, at;
    double u, slope, bend;
    double pull; /* the score's own */
} roster_arm;

/* Fills the arm in. It holds what was known last, or 0, from which the score may start. The index grows with the mean
   and with ln f, and falls with the times played. */
typedef void (*roster_score)(roster_arm *arm, double mean, double plays, double ln_f);
/* The other way round: a mean from which on the index is at least u for as many plays as the arm has and `rounds` more.
   The arm's index is at least `low` at this ln_f. Not the least such mean; the arm's own where there is none below. */
typedef double (*roster_mean_for)(const roster_arm *arm, double u, double low, double rounds, double ln_f);

/* Whether an arm with this mean and these plays may have an index of at least u: a cheap look before its score is
   computed. */
typedef bool (*roster_may_reach)(double mean, double plays, double ln_f, double u);

typedef struct roster_arms {
    roster_score score;
    roster_mean_for mean_for;
    roster_may_reach may_reach;    /* NULL: the score is as cheap */
    const roster_experts *experts; /* borrowed */
    roster_tally tally;            /* one cell per expert */
    double ln_t, ln_f;             /* of the present round */
    roster_arm *arms;              /* owned, [n]; of no use until all are played */
    size_t leader, second;
    double low, rival; /* the leader's index is at least, all others' at most */
    bool all_played;   /* that are not retired */
} roster_arms;

int roster_arms_init(roster_arms *self, const roster_experts *experts, roster_score score, roster_mean_for mean_for,
                     roster_may_reach may_reach);
void roster_arms_fini(void *self);
void roster_arms_reset(void *self);
int roster_arms_learn(void *self, const roster_sample *sample);
size_t roster_arms_choose(const void *self);
size_t roster_arms_choose_waiting(const void *self, const uint64_t *waiting, double u);
void roster_arms_index(const void *self, double *u);
void roster_arms_index_waiting(const void *self, const uint64_t *waiting, double *u);
void roster_arms_insight(const void *self, size_t i, roster_insight *out);
void roster_arms_save(const void *self, roster_writer *w);
int roster_arms_load(void *self, roster_reader *r);
int roster_arms_merge(void *self, const void *from);
int roster_arms_adopt(void *self, const void *from, size_t n);
int roster_arms_learn_tally(void *self, const roster_tally_row *rows, size_t n);
extern const roster_agent_lazy roster_arms_lazy;

#define ROSTER_ARMS_FUNCTIONS                                                                                          \
    .blind = true, .state_size = sizeof(roster_arms), .fini = roster_arms_fini, .reset = roster_arms_reset,            \
    .learn = roster_arms_learn, .choose = roster_arms_choose, .choose_waiting = roster_arms_choose_waiting,            \
    .index = roster_arms_index, .index_waiting = roster_arms_index_waiting, .insight = roster_arms_insight,            \
    .save = roster_arms_save, .load = roster_arms_load, .merge = roster_arms_merge, .adopt = roster_arms_adopt,        \
    .learn_tally = roster_arms_learn_tally, .lazy = &roster_arms_lazy

#endif
