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

/* Of the rounds of one expert. All arrays are [up], in one block that count[0] owns; NULL: none yet. */
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
    double *psi[ROSTER_SIDES];    /* [up]: sum of lambda psi, all in one block that psi[0] owns */
    double *lambda[ROSTER_SIDES]; /* [up]: sum of lambda                                        */
    double *charge[ROSTER_SIDES]; /* [up]: sum of (psi - h)^2 psiE(lambda B) / B^2              */
    double *worse;                /* [up]: the largest lower bound of mu* - mu_i so far, 0: none */
    /* What follows from the sums (evidence_judge.c), not saved. */
    double *mean[ROSTER_SIDES]; /* [up]: sum lambda psi / sum lambda; 1/2, of a difference 0, before the first round */
    double *low, *high, *value; /* [up]: bounds of the value, infinite before the first round, and its estimate  */
    double *apart;              /* [up]: lower bound of how much worse than its references                       */
    double *claim;              /* [up]: the value, -1 of who cannot lead                                        */
    roster_spread *spread;      /* owned, [n + 1]: the last of rounds whose expert was drawn */
    roster_means means;
    roster_past past;
} roster_evidence_state;
/* The arrays of a state: those that are saved, and all. */
enum {
    ROSTER_EVIDENCE_SAVED = 3 * ROSTER_SIDES + 1,
    ROSTER_EVIDENCE_ARRAYS = ROSTER_EVIDENCE_SAVED + ROSTER_SIDES + 5
};

typedef struct roster_evidence_simd roster_evidence_simd;

struct roster_evidence {
    const roster_evidence_simd *simd; /* chosen at creation */
    size_t up;                        /* experts, with room for whole vectors */
    const roster_experts *experts;    /* borrowed */
    bool own;
    double level;
    double ln_value, ln_versus; /* ln(2N/delta), ln(2/delta) */
    uint64_t fingerprint;
    double **ratio;  /* owned, [n] of [up + 1]: R_ik at [k][i], at last the largest; NULL until k acts or has columns */
    double *scratch; /* owned: tau q and m of every action, a row of probabilities; softmax: those of all */
    double clock;    /* t ln(1 + t) of the round being learnt                                         */
    roster_evidence_state state;
};

/* One round, as far as it is the same for all experts. */
typedef struct roster_evidence_round {
    size_t n, v;
    const double *all; /* pi of every action there, [v][n], with room behind; NULL: not known */
    const double *pi;  /* of the action taken, across the experts           */
    double q, y, m;
    double surprise; /* y - m                        */
    const double *g; /* [n], with room behind; NULL: m */
    const double *choice;
    roster_spread *spread;      /* of k, or of those drawn                      */
    const double *ratio;        /* R of k's rounds, or of the most likely one's */
    double unlikely;            /* 1 over how likely that was                   */
    double tau, full;           /* clip level; up to which R nothing is clipped */
    double mean;                /* of all rewards so far                        */
    double share;               /* 1 over one more than the rounds of k so far  */
    const double *caps, *m_row; /* tau q and m of every action                  */
} roster_evidence_round;

/* The largest two lower bounds. */
typedef struct roster_lows {
    double first, second;
} roster_lows;

/* evidence_process.c: the arithmetic for many experts at once. */
struct roster_evidence_simd {
    /* The round, of every expert. */
    void (*learn)(const roster_evidence *self, const roster_evidence_round *round);
    /* Expert k's own reward, of k alone. */
    void (*learn_own)(const roster_evidence *self, size_t k, double y);
    /* What follows from the sums, but for claims. */
    roster_lows (*bounds)(const roster_evidence *self, const roster_evidence_state *state);
    /* worse and claims after that; returns the largest claim. */
    double (*exclude)(const roster_evidence *self, const roster_evidence_state *state, const roster_lows *lows);
};

const roster_evidence_simd *roster_evidence_simd_choose(bool avx2);

/* evidence.c */
int roster_evidence_state_init(roster_evidence_state *self, const roster_evidence *evidence);
void roster_evidence_state_fini(roster_evidence_state *self, size_t n);
/* The columns of expert k and R of its rounds, or the columns of k = N. */
int roster_evidence_open(const roster_evidence *self, roster_evidence_state *state, size_t k);

/* evidence_reach.c: R of the rounds of expert k and at [up] the largest, if they are not there; ROSTER_ENOMEM.
   `before`: of the first n experts; NULL and 0: none. */
int roster_reach_open(double **ratio, const roster_experts *experts, size_t k, const double *before, size_t n);

/* evidence_learn.c: the largest weight that counts in round t + 1 where R is the largest there could be. */
double roster_evidence_reach(uint64_t t, double ratio);

/* evidence_judge.c: what follows from the sums, after they were set; after a round also who leads and is excluded. */
void roster_evidence_look(const roster_evidence *self, const roster_evidence_state *state);
void roster_evidence_judge(const roster_evidence *self, roster_evidence_state *state);

#endif
