/*
 * prepared.h: what follows from the problem and the settings alone, whatever happens later: divergences, bounds of ratios,
 * error terms. An agent has them once; its states, the present one and those being loaded or merged, borrow them.
 */
#ifndef ROSTER_FACTS_H
#define ROSTER_FACTS_H

#include "bias.h"

/* What is known of the experts. Borrowed pointers. */
typedef struct roster_knowledge {
    const roster_experts *experts;
    const double *p;           /* context probabilities, NULL: uniform; known experts only */
    bool shared;               /* accept infinite divergence (SPEC 7)                      */
    bool empirical;            /* the experts are estimates                                */
    roster_error_bounds known; /* of the estimates                                         */
    double C;
} roster_knowledge;

/* Arrays that vectors run over have room for whole ones: 8 doubles, a cache line. */
static inline size_t roster_lanes_up(size_t n)
{
    return n <= SIZE_MAX - 7 ? (n + 7) / 8 * 8 : SIZE_MAX;
}

typedef struct roster_lanes roster_lanes; /* simd.h */

typedef struct roster_facts {
    const roster_lanes *lanes; /* chosen once */
    roster_knowledge known;
    roster_ratio bounds; /* of the ratios                                               */
    double **inverse_m;  /* owned, [n] of [up(n)]: 1/M_ik at [k][i]; NULL until k is played */
    double **inverse_pi; /* the same, [n] of [up(X V)]: 1/pi_k of k's cells, 0 where it never acts so           */
    double *by_expert;   /* owned, tables only, [n][up(X V)]: pi_i by cell               */
    double least;        /* tables only: the least probability above 0                  */
    roster_bias bias;    /* estimates only                                              */
} roster_facts;

int roster_facts_create(roster_facts **out, const roster_knowledge *known);
void roster_facts_free(roster_facts *self);
/* Expert k's column of divergences; does nothing if it is there. */
int roster_facts_open(roster_facts *self, size_t k);
/* The largest M_ij, or M_lo_ij of estimates. O(N^2 X V) for known experts. */
int roster_facts_largest(const roster_facts *self, double *m);

#endif
