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
    double curve;      /* least^2 - least/2                                             */
    double thin;       /* the sum from which on cells are thin                          */
} roster_direct_moment;

struct roster_direct_simd {
    /* sums_i += (w pi_i)^d df. */
    void (*update)(roster_direct *self, const double *pi, double w, const double *df);
    /* The same where the weight grew by 1 to w, and the row of its context, which is kept. */
    void (*update_learnt)(roster_direct *self, const double *pi, double w, const double *df, double *row);
    /* U_i of all experts whose cells are not thin and that need no logarithm; the others are set to NAN. Whether there
       are such others. */
    bool (*indices)(roster_direct *self, const roster_direct_moment *now);
};

const roster_direct_simd *roster_direct_simd_choose(bool avx2);

#endif
