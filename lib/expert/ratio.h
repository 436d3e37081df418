/*
 * ratio.h: what estimated probabilities say about a ratio of true ones.
 *
 * Paper: Proposition 1.
 *
 *   r_lo = max(0, rhat - a),  a = xi / (p_V (p_V - xi))          r_hi = rhat + b,  b = xi / (p_V (p_V + xi))
 *
 * Known experts are the case xi = 0: a = b = 0 and both bounds are the ratio itself, to the bit.
 */
#ifndef ROSTER_RATIO_H
#define ROSTER_RATIO_H

#include "base.h"

typedef struct roster_ratio {
    double a, b;
} roster_ratio;

static inline roster_ratio roster_ratio_bounds(const roster_error_bounds *known)
{
    roster_ratio bounds = {0, 0};
    if (known->xi > 0) {
        bounds.a = known->xi / (known->p_V * (known->p_V - known->xi));
        bounds.b = known->xi / (known->p_V * (known->p_V + known->xi));
    }
    return bounds;
}

static inline double roster_ratio_low(const roster_ratio *bounds, double rhat)
{
    double lo = rhat - bounds->a;
    return lo > 0 ? lo : 0;
}

static inline double roster_ratio_high(const roster_ratio *bounds, double rhat)
{
    return rhat + bounds->b;
}

#endif
