/*
 * literal.h: the clipped estimator as the paper writes it. Slow and plain: the oracle the running form is tested by.
 */
#ifndef ROSTER_LITERAL_H
#define ROSTER_LITERAL_H

#include "clipped.h"

typedef struct roster_literal {
    roster_estimator_problem problem;
    long double *m;     /* owned, [i][k]: M_ik or M_lo_ik          */
    long double *share; /* owned, [i][k]: 1 / M_ik */
    size_t *k;          /* owned: the expert of each round          */
    double *y;          /* owned: what it earned                   */
    long double *r;     /* owned, [round][n]: the ratio of each expert to it; -1: not touched by the round */
    long double *high;  /* owned, estimates only, [i][j][cell]: r_hi_ij; -1 where j is not known to act */
    long double *gap;   /* owned, estimates only: r_hi_ij - r_lo_ij */
    size_t count, capacity;
    size_t clipped; /* samples left out in the last index      */
} roster_literal;

int roster_literal_init(roster_literal *self, const roster_estimator_problem *problem, size_t rounds);
void roster_literal_fini(roster_literal *self);
/* One round; there must be room for it. */
void roster_literal_add(roster_literal *self, const roster_sample *sample);
/* U_i(t), or U'_i(t), computed from the first t rounds. */
double roster_literal_index(roster_literal *self, size_t i, size_t t);

#endif
