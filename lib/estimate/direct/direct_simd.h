/*
 * direct_simd.h: the arithmetic of direct_sums.c and direct_index.c for many experts at once.
 */
#ifndef ROSTER_DIRECT_SIMD_H
#define ROSTER_DIRECT_SIMD_H

#include "direct.h"

/* What is the same for the indices of all experts. */
typedef struct roster_direct_moment {
    double t;          /* samples in cells                                              */
    double by, twice;  /* 1 over the sums' divisor, and its square                      */
    double scale;      /* (rounds + 1)/kappa                                            */
    double least, bar; /* eta ell(t), and at most what it is the logarithm of           */
    double thin;       /* the sum from which on cells are thin                          */
} roster_direct_moment;

/* A cell's new sample. */
typedef struct roster_direct_change {
    const double *pi;              /* of the cell                                */
    double w;                      /* weight of its context                      */
    double *row;                   /* of its context; where weights are learnt   */
    double df[ROSTER_DIRECT_ROWS]; /* what the cell says now, less what it said  */
} roster_direct_change;

struct roster_direct_simd {
    size_t width;
    /* sums_i += (w pi_i)^d df, or what that is where the weight grew by 1 to w, with the row of its context. Then every
       expert whose index is not surely below that of the leader so far, ties included, is in one of the vectors of
       `width` experts that begin at near[0..count - 1]: count is returned, and their indices are in u, NAN where the
       plain form has to compute them. */
    size_t (*learn)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now);
    size_t (*learn_rows)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now);
    /* U_i of all experts, NAN as above. */
    void (*indices)(const roster_direct *self, const roster_direct_moment *now, double *u);
};

const roster_direct_simd *roster_direct_simd_choose(bool avx2);

/* direct_index.c. */
roster_direct_moment roster_direct_now(const roster_direct *self);

#endif
