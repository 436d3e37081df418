/*
 * simd.h: the arithmetic of many experts or cells at once, on whatever vector registers the processor has.
 *
 * Every path gives the same bits: it does the same operations in the same order in every lane. An agent keeps the table
 * of the path that was chosen when it was created.
 */
#ifndef ROSTER_SIMD_H
#define ROSTER_SIMD_H

#include "clipped.h"

/* Levels are taken wider by this: rounding loses far less. */
#define ROSTER_LEVEL_ROUNDING 1e-12

/* What stays the same over a stretch (certificate.c has the letters), and what each rival can do in it. */
typedef struct roster_lead_bounds {
    const roster_clipped *est;
    const double *u;
    size_t k;
    double bar;            /* a rival's lead is this less its index      */
    double rounds;         /* B                                          */
    double rho, fall;      /* of (2); m_k/Z_k                            */
    double width;          /* 3/2 eps_k m_k/Z_k                          */
    double lose_by_0;      /* at most what the leader's estimate loses by a reward of 0 ... */
    double lose_by_1;      /* ... and by one of 1                                            */
    double *rivals;        /* borrowed, [up(n)][ROSTER_RIVAL]: the numbers of (10)           */
    const size_t *experts; /* borrowed, [n]: who the rivals are, k may be one; NULL: all     */
    size_t n;
} roster_lead_bounds;

/* Of (10): two lines over r_lo, of which the higher counts, as far as r_lo goes. */
enum { ROSTER_RISE_UP, ROSTER_FALL_UP, ROSTER_RISE_DOWN, ROSTER_FALL_DOWN, ROSTER_RATIO_MOST, ROSTER_RIVAL };

struct roster_simd {
    const char *name;
    size_t width; /* experts at a time */
    /* U_i for i = from, from + 1, ... as roster_clipped_index computes it. Stops before the first vector in which
       something out of the ordinary happens, and returns where, or at least n. The width is not 0. */
    size_t (*indices)(const roster_clipped *self, size_t from, double *u);
    /* Z_i += count / M_ik; pi: only where that is above 0, NULL: all. */
    void (*add_counts)(roster_clipped *self, const double *inverse_m, const double *pi, double count);
    /* s_i += s r_lo / M_ik of what passes. */
    void (*add_rewards)(roster_clipped *self, const roster_sample *sample, double inverse_pi);
    /* The same of all cells of a batch of tables' rounds, cell by cell. */
    void (*add_batch)(roster_clipped *self, const roster_batch *batch);
    /* lazy_index.c, (4): the sum of s r over the cells with r = pi inverse at most `limit`; n: a multiple of 16. */
    double (*passing)(const float *pi, const float *inverse, const float *s, float limit, size_t n);
    /* The largest of a[i] b[i]. */
    double (*largest_product)(const double *a, const double *b, size_t n);
    /* The largest of u[0..n-1]; up(n) of them can be read. */
    double (*largest)(const double *u, size_t n);
    /* (5): the least of `most` and how long every rival's steps are away; 0 where somebody is not behind. */
    double (*steps)(const roster_lead_bounds *o, double most);
    /* Fills o->rivals; returns idle of (9). */
    double (*rivals)(const roster_lead_bounds *o);
    /* idle - danger(c) of (9) for all cells and the rivals of the outlook. */
    void (*gains)(const roster_lead_bounds *o, double idle, double *gain);
};

/* The best path that runs here, or the one that the environment variable ROSTER_SIMD names. */
const roster_simd *roster_simd_choose(void);

#endif
