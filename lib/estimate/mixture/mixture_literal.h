/*
 * mixture_literal.h: the mixture estimate as it is defined. Slow and plain: the oracle the running form is tested by.
 */
#ifndef ROSTER_MIXTURE_LITERAL_H
#define ROSTER_MIXTURE_LITERAL_H

#include "mixture.h"

typedef struct roster_mixture_literal {
    size_t n, memory, count, capacity;
    long double kappa, eta;
    uint64_t next;
    size_t *k;       /* owned: the expert of each round          */
    long double *y;  /* owned: what it earned                    */
    long double *pi; /* owned, [round][n]                        */
    long double *w;  /* owned, [round][n]: the present weights   */
    long double mu;  /* of the last index                        */
} roster_mixture_literal;

int roster_mixture_literal_init(roster_mixture_literal *self, size_t n, size_t memory, double kappa, double eta,
                                size_t rounds);
void roster_mixture_literal_fini(roster_mixture_literal *self);
/* One round; there must be room for it. */
void roster_mixture_literal_add(roster_mixture_literal *self, const roster_sample *sample);
/* The last `memory` samples are weighted anew, as in a merge. */
void roster_mixture_literal_reweigh(roster_mixture_literal *self);
/* U_i after all rounds so far. */
double roster_mixture_literal_index(roster_mixture_literal *self, size_t i);

#endif
