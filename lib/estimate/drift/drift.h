/*
 * drift.h: the two tests whether the world is still the one it was: do contexts come as before, do cells pay as before.
 *
 * Both learn blocks of 32 rounds, compare what came before each checkpoint with what came after, and then make the next
 * checkpoint. After a change is found the test starts afresh, with the next block.
 */
#ifndef ROSTER_DRIFT_H
#define ROSTER_DRIFT_H

#include "checkpoints.h"
#include "expert.h"

/* What was found. */
typedef struct roster_change {
    double evidence; /* ln of the e-value less the checkpoint's price; a change from the threshold on */
    uint64_t since;  /* rounds of this test before the checkpoint                                  */
    size_t which;    /* the cell, or the context whose share changed most                          */
    double before, after, n_before, n_after; /* its mean reward, or its share; of how many rounds      */
} roster_change;

/* drift_contexts.c */
typedef struct roster_drift_contexts {
    size_t x;
    double threshold;
    roster_checkpoints points;
    double *count;                        /* owned, [x]: rounds of each context                          */
    double *logs;                         /* owned, [x]: count ln count                                  */
    double *before;                       /* owned, [x][slots]: count at the checkpoint                  */
    uint64_t *filled;                     /* owned, [x]: before[x] holds checkpoints up to this block    */
    double sum, sum_lo;                   /* of logs                                                     */
    double mantissa, exponent;            /* KT of all rounds = mantissa 2^exponent, 1 <= mantissa < 2   */
    double mantissas[ROSTER_CHECKPOINTS]; /* the same of the rounds after a slot's checkpoint            */
    double exponents[ROSTER_CHECKPOINTS];
    double fixed[ROSTER_CHECKPOINTS]; /* of a slot: lnKT of the rounds before it */
} roster_drift_contexts;

int roster_drift_contexts_init(roster_drift_contexts *self, size_t x, double threshold);
void roster_drift_contexts_fini(roster_drift_contexts *self);
void roster_drift_contexts_reset(roster_drift_contexts *self);
/* One block; whether contexts have changed, and then *change. */
bool roster_drift_contexts_learn(roster_drift_contexts *self, const size_t *contexts, roster_change *change);
void roster_drift_contexts_save(const roster_drift_contexts *self, roster_writer *w);
/* Into a fresh one. Sets r->failed where the bytes make no sense. */
void roster_drift_contexts_load(roster_drift_contexts *self, roster_reader *r);

/* drift_rewards.c */
typedef struct roster_drift_cell {
    double n, s, lo;         /* rewards: number, sum, its carried error                                    */
    double slack;            /* while it is not negative no checkpoint of this cell can be at its threshold */
    double success, failure; /* what a reward of 1 and of 0 take from the slack                            */
    uint64_t filled;         /* the row holds checkpoints up to this block                                 */
} roster_drift_cell;

typedef struct roster_drift_rewards {
    size_t cells;
    double threshold;
    roster_checkpoints points;
    roster_drift_cell *cell; /* owned, [cells]                                                     */
    double *rows;            /* owned, [cells][2][slots]: n and s of the cell at the checkpoint    */
} roster_drift_rewards;

int roster_drift_rewards_init(roster_drift_rewards *self, size_t cells, double threshold);
void roster_drift_rewards_fini(roster_drift_rewards *self);
void roster_drift_rewards_reset(roster_drift_rewards *self);
bool roster_drift_rewards_learn(roster_drift_rewards *self, const size_t *cells, const double *rewards,
                                roster_change *change);
void roster_drift_rewards_save(const roster_drift_rewards *self, roster_writer *w);
void roster_drift_rewards_load(roster_drift_rewards *self, roster_reader *r);

#endif
