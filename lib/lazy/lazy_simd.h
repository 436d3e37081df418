/*
 * lazy_simd.h: what bounds the leader and its rivals over the next rounds, and the arithmetic of many rivals or cells
 * at once.
 */
#ifndef ROSTER_LAZY_SIMD_H
#define ROSTER_LAZY_SIMD_H

#include "certificate.h"

/* Levels are taken wider by this: rounding loses far less. */
#define ROSTER_LEVEL_ROUNDING 1e-12

/* What stays the same over the rounds of a certificate; certificate.c has the letters. */
typedef struct roster_lead_bounds {
    const roster_clipped *est;
    const double *u;
    size_t k;
    double bar;            /* a rival's distance is this less its index      */
    double rounds;         /* B                                              */
    double rho, fall;      /* of (2); m_k/Z_k                                */
    double width;          /* 3/2 eps_k m_k/Z_k                              */
    double lose_by_0;      /* at most what the leader's estimate loses by a reward of 0 ... */
    double lose_by_1;      /* ... and by one of 1                                            */
    const size_t *experts; /* borrowed, [up(n)]: the rivals, k may be among them; NULL: all  */
    size_t n;              /* rivals, with k                                                 */
} roster_lead_bounds;

/* certificate.c: the bounds that need the leader alone; false where nothing is certain. */
bool roster_lead_bounds_init(roster_lead_bounds *self, const roster_ranking *ranking);
/* certificate.c: the rest of them, once self->rounds is final. */
void roster_lead_bounds_of_leader(roster_lead_bounds *self);

/* Of (10), per rival: two lines over r_lo, of which the higher counts, as far as r_lo goes. */
enum { ROSTER_RISE_UP, ROSTER_FALL_UP, ROSTER_RISE_DOWN, ROSTER_FALL_DOWN, ROSTER_RATIO_MOST, ROSTER_RIVAL };

struct roster_lazy_simd {
    /* (5): the least of `most` and how long every rival's steps are away; 0 where one is not behind. */
    double (*steps)(const roster_lead_bounds *b, double most);
    /* Fills rivals[up(n)][ROSTER_RIVAL]; returns idle of (9), -INFINITY where there is no rival. */
    double (*rivals)(const roster_lead_bounds *b, double *rivals);
    /* idle - danger(c) of (9) for all cells. */
    void (*gains)(const roster_lead_bounds *b, const double *rivals, double idle, double *gain);
    /* many_experts.c, (4): the sum of s r over the cells with r = pi inverse at most `limit`; n: a multiple of 16. */
    double (*passing)(const float *pi, const float *inverse, const float *s, float limit, size_t n);
    /* The largest of a[i] b[i]. */
    double (*largest_product)(const double *a, const double *b, size_t n);
};

const roster_lazy_simd *roster_lazy_simd_choose(bool avx2);

#endif
