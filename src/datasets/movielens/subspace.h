/*
 * subspace.h: the largest singular values of a sparse matrix plus one of low rank.
 */
#ifndef ROSTER_DATA_SUBSPACE_H
#define ROSTER_DATA_SUBSPACE_H

#include "sparse.h"

/* W = S + left right'. S has `values` where `known` has entries. All borrowed. */
typedef struct subspace_matrix {
    const sparse *known;
    const double *values;
    const tall *left, *right; /* of any width, 0 too; as many columns as each other */
} subspace_matrix;

/* The k directions kept: W is about u diag(sigma) v' in them, sigma falling. */
typedef struct subspace {
    tall u, v;
    double *sigma; /* as many as v has columns */
    tall q, b;     /* scratch                  */
    roster_rng rng;
} subspace;

/* No directions yet. `seed`: of those that subspace_resize invents. */
void subspace_init(subspace *self, uint64_t seed);
void subspace_fini(subspace *self);
/* k <= columns directions: the first of those there were, and random ones. u and sigma hold nothing until the next
   step. */
int subspace_resize(subspace *self, size_t columns, size_t k, roster_error *err);
/* One step of the power method. What u, v and sigma say is never more than W: each sigma[i] is at most W's. */
int subspace_step(subspace *self, const subspace_matrix *w, unsigned threads, roster_error *err);

#endif
