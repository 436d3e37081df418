/*
 * direct_literal.h: the direct estimate as its definition says, from the whole history. Slow and plain: the oracle that
 * the running form is tested by.
 */
#ifndef ROSTER_DIRECT_LITERAL_H
#define ROSTER_DIRECT_LITERAL_H

#include "direct.h"

typedef struct roster_direct_round {
    size_t k, cell;
    double y;
} roster_direct_round;

/* What the index of an expert rests on. */
typedef struct roster_direct_literal_expert {
    long double alpha;             /* its share of plays as of the last re-weighting */
    long double mu, V, B, z, thin; /* the sums over cells                            */
    long double first, second;     /* the correction's                               */
    long double row, row_squares;  /* of the context at hand: sums of pi m and pi m^2 */
    long double estimate, u;       /* mu_i or mu'_i; U_i                              */
    bool corrected, held;          /* by mu'_i; A_i is smaller than D_i              */
} roster_direct_literal_expert;

typedef struct roster_direct_literal {
    roster_direct_problem problem;
    roster_direct_round *rounds;           /* owned              */
    roster_direct_literal_expert *experts; /* owned, [n]         */
    size_t count;
    long double ln_e; /* of a declared p                   */
    bool rejected;    /* ever                              */
    bool alone;       /* asked for: D_i whatever is thin   */
} roster_direct_literal;

int roster_direct_literal_init(roster_direct_literal *self, const roster_direct_problem *problem, size_t rounds);
void roster_direct_literal_fini(roster_direct_literal *self);
/* One round; there must be room for it. */
void roster_direct_literal_add(roster_direct_literal *self, size_t k, size_t cell, double y);
/* All experts, from all rounds so far, of which there must be one. */
void roster_direct_literal_look(roster_direct_literal *self);

#endif
