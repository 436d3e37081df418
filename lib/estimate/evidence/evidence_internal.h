/*
 * evidence_internal.h: inside the evidence.
 */
#ifndef ROSTER_EVIDENCE_INTERNAL_H
#define ROSTER_EVIDENCE_INTERNAL_H

#include "evidence_means.h"
#include "evidence_past.h"

/* Three processes per expert: one bounds its value from below, one from above, one bounds from above its value less
   that of the reference of each round. */
enum { ROSTER_LOW, ROSTER_HIGH, ROSTER_VERSUS, ROSTER_SIDES };

/* Of the rounds of one expert. All arrays are [n], in one block that count[0] owns; NULL: none yet. */
typedef struct roster_spread {
    uint64_t plays;
    double *count[ROSTER_SIDES], *square[ROSTER_SIDES]; /* rounds in each process, sum of its (psi - h)^2 */
    double *lost;                                       /* sum of what clipping left out                  */
} roster_spread;
enum { ROSTER_SPREAD_ARRAYS = 2 * ROSTER_SIDES + 1 };

/* What was learnt. */
typedef struct roster_evidence_state {
    uint64_t t;
    size_t leader;
    double *psi[ROSTER_SIDES];    /* [n]: sum of lambda psi, all in one block that psi[0] owns */
    double *lambda[ROSTER_SIDES]; /* [n]: sum of lambda                                        */
    double *charge[ROSTER_SIDES]; /* [n]: sum of (psi - h)^2 psiE(lambda B) / B^2              */
    double *worse;                /* [n]: the largest lower bound of mu* - mu_i so far, 0: none */
    roster_spread *spread;        /* owned, [n + 1]: the last of rounds whose expert was drawn */
    roster_means means;
    roster_past past;
} roster_evidence_state;

struct roster_evidence {
    const roster_experts *experts; /* borrowed */
    bool own;
    double level;
    double ln_value, ln_versus; /* ln(2N/delta), ln(2/delta) */
    uint64_t fingerprint;
    double **ratio;  /* owned, [n] of [n]: R_ik at [k][i]; NULL until k acts or has columns           */
    double *scratch; /* owned: q and m of every action, a row of probabilities; softmax: those of all */
    double clock;    /* t ln(1 + t) of the round being learnt                                         */
    roster_evidence_state state;
};

/* One process in one round. */
typedef struct roster_evidence_step {
    double psi;
    double reach; /* R of the weights that count in full: B = reach + 1, of a difference reach + 2 */
    double prior; /* R as v's first guess takes it                                                 */
} roster_evidence_step;

/* evidence.c */
int roster_evidence_state_init(roster_evidence_state *self, const roster_evidence *evidence);
void roster_evidence_state_fini(roster_evidence_state *self, size_t n);
/* The columns of expert k and R of its rounds, or the columns of k = N. */
int roster_evidence_open(const roster_evidence *self, roster_evidence_state *state, size_t k);

/* evidence_reach.c: R of the rounds of expert k, if it is not there; ROSTER_ENOMEM. `before`: of the first n experts;
   NULL and 0: none. */
int roster_reach_open(double **ratio, const roster_experts *experts, size_t k, const double *before, size_t n);

/* evidence_process.c */
double roster_process_ln(const roster_evidence *self, int side);
/* sum lambda psi / sum lambda; before the first round 1/2, of a difference 0. */
double roster_process_mean(const roster_evidence_state *state, int side, size_t i);
/* One round of expert k. */
void roster_process_learn(roster_evidence *self, int side, size_t i, size_t k, roster_evidence_step step);
/* Lower or upper bound of the value, not cut to [0, 1]; infinite before the first round. */
double roster_process_low(const roster_evidence *self, const roster_evidence_state *state, size_t i);
double roster_process_high(const roster_evidence *self, const roster_evidence_state *state, size_t i);
/* The estimate of the value, in [0, 1]. */
double roster_process_value(const roster_evidence_state *state, size_t i);

/* evidence_learn.c: the largest weight that counts in round t + 1 where R is the largest there could be. */
double roster_evidence_reach(uint64_t t, double ratio);

/* evidence_judge.c: who leads and who is excluded, after the sums have changed. */
void roster_evidence_judge(const roster_evidence *self, roster_evidence_state *state);

#endif
