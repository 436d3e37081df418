/*
 * clipped_simd.h: the arithmetic of clipped.c for many experts at once, on the vector registers that the processor has.
 */
#ifndef ROSTER_CLIPPED_SIMD_H
#define ROSTER_CLIPPED_SIMD_H

#include "clipped.h"

struct roster_clipped_simd {
    const char *name;
    size_t width; /* experts at a time */
    /* U_i for i = from, from + 1, ... as roster_clipped_index computes it. Stops before the first vector in which
       something out of the ordinary happens, and returns where, or at least n. The width is not 0. */
    size_t (*indices)(roster_clipped *self, size_t from, double *u);
    /* Z_i += count / M_ik; pi: only where that is above 0, NULL: all. */
    void (*add_counts)(roster_clipped *self, const double *inverse_m, const double *pi, double count);
    /* s_i += s r_lo / M_ik of what passes. */
    void (*add_rewards)(roster_clipped *self, const roster_sample *sample, double inverse_pi);
    /* The same of all cells of a batch of tables' rounds, cell by cell. */
    void (*add_batch)(roster_clipped *self, const roster_batch *batch);
    /* The largest of u[0..n-1]; up(n) of them can be read. */
    double (*largest)(const double *u, size_t n);
};

const roster_clipped_simd *roster_clipped_simd_choose(bool avx2);

#endif
