/*
 * arms.h: experts as the arms of an ordinary bandit, each told apart by its own rewards alone. UCB and KL-UCB are this
 * with different scores; the functions are those of roster_agent_type.
 */
#ifndef ROSTER_ARMS_H
#define ROSTER_ARMS_H

#include "agent.h"

/* An arm's index from its mean, the times it was played, and ln f(t), and its derivative by ln f. It grows with the
   mean, and with ln f, as a function of which it is concave; it falls with the times played. */
typedef double (*roster_score)(double mean, double plays, double ln_f, double *slope);
/* The other way round: a mean from which on the index is at least u. Not the least one where rounding forbids. */
typedef double (*roster_mean_for)(double u, double plays, double ln_f);

/* What is known of an arm's index: it was u at ln f = at, with this slope. */
typedef struct roster_arm {
    double u, slope, at;
} roster_arm;

typedef struct roster_arms {
    roster_score score;
    roster_mean_for mean_for;
    roster_tally tally; /* one cell per expert */
    double ln_t, ln_f;  /* of the present round */
    roster_arm *arms;   /* owned, [n]           */
    size_t leader;
} roster_arms;

int roster_arms_init(roster_arms *self, size_t n, roster_score score, roster_mean_for mean_for);
void roster_arms_fini(void *self);
void roster_arms_reset(void *self);
int roster_arms_reserve(void *self, size_t rounds);
int roster_arms_learn(void *self, const roster_sample *sample);
void roster_arms_hold(void *self, roster_hold *hold);
int roster_arms_learn_pile(void *self, const roster_pile *pile);
size_t roster_arms_choose(const void *self);
void roster_arms_index(const void *self, double *u);
void roster_arms_look(const void *self, size_t i, roster_insight *out);
void roster_arms_save(const void *self, roster_writer *w);
int roster_arms_load(void *self, roster_reader *r);
int roster_arms_merge(void *self, const void *from);

#define ROSTER_ARMS_FUNCTIONS                                                                                          \
    .blind = true, .state_size = sizeof(roster_arms), .fini = roster_arms_fini, .reset = roster_arms_reset,            \
    .reserve = roster_arms_reserve, .learn = roster_arms_learn, .choose = roster_arms_choose,                          \
    .index = roster_arms_index, .look = roster_arms_look, .save = roster_arms_save, .load = roster_arms_load,          \
    .merge = roster_arms_merge, .hold = roster_arms_hold, .learn_pile = roster_arms_learn_pile

#endif
