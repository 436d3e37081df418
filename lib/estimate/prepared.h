/*
 * prepared.h: what follows from the problem and the settings alone, whatever happens later: divergences, bounds of
 * ratios, error terms. An agent has them once; its states, the present one and those being loaded or merged, borrow
 * them.
 */
#ifndef ROSTER_PREPARED_H
#define ROSTER_PREPARED_H

#include "bias.h"

/* What is known of the experts. Borrowed pointers. */
typedef struct roster_estimator_problem {
    const roster_experts *experts;
    const double *p;            /* context probabilities, NULL: uniform; known experts only */
    bool shared;                /* accept infinite divergence (SPEC 7)                      */
    bool empirical;             /* the experts are estimates                                */
    roster_error_bounds bounds; /* of the estimates                                         */
    double C;
} roster_estimator_problem;

typedef struct roster_clipped_simd roster_clipped_simd; /* clipped_simd.h */

typedef struct roster_prepared {
    bool avx2;                       /* vectors of four doubles, chosen once */
    const roster_clipped_simd *simd; /* the same choice */
    roster_estimator_problem problem;
    roster_ratio ratio;  /* of the ratios                                               */
    double **inverse_m;  /* owned, [n] of [up(n)]: 1/M_ik at [k][i]; NULL until k is played */
    double **inverse_pi; /* the same, [n] of [up(X V)]: 1/pi_k of k's cells, 0 where it never acts so           */
    double *by_expert;   /* owned, tables only, [n][up(X V)]: pi_i by cell               */
    double least;        /* tables only: the least probability above 0                  */
    roster_bias bias;    /* estimates only                                              */
} roster_prepared;

int roster_prepared_create(roster_prepared **out, const roster_estimator_problem *problem);
void roster_prepared_free(roster_prepared *self);
/* Expert k's column of divergences; does nothing if it is there. */
int roster_prepared_open(roster_prepared *self, size_t k);
/* Columns that `from` has, of the same experts, perhaps fewer: only what is new is computed. ROSTER_ENOMEM. */
int roster_prepared_adopt(roster_prepared *self, const roster_prepared *from);
/* The largest M_ij, or M_lo_ij of estimates. O(N^2 X V) for known experts. */
int roster_prepared_largest(const roster_prepared *self, double *m);

#endif
