/*
 * divergence_lower.c: the same from estimated experts, as a lower bound.
 *
 * Paper: Equation 4 (divergence estimates).
 *
 *   rhat_ik = pihat_i / pihat_k
 *   r_lo = max(0, rhat - xi / (p_V (p_V - xi)))       r_hi = rhat + xi / (p_V (p_V + xi))
 *   D_lo = p_X sum_x sum_v max(0, pihat_k - xi) f1(r_lo),   M_lo = max(1, 1 + ln(1 + D_lo))
 *
 * With q = p_X max(0, pihat_k - xi) and f1(r) = r e^(r-1) - 1 the logarithm's argument is
 *   1 + D_lo = (1 - sum q) + sum q r_lo e^(r_lo - 1)
 * summed here after division by e^top, top the largest r_lo - 1, so that nothing overflows. Actions with pihat_k = 0
 * are left out, which makes this the variant for infinite divergences too.
 *
 * Cost: a column is 2 N X V operations, half of them exponentials.
 * Departs: the two max(...) are not in the paper: true ratios are >= 0 and true divergences >= 1.
 * Check: SPEC's instance with xi = .001, p_V = .05, p_X = .2 gives M_lo_02 = 11.5762394650239
 *        (tests/unit/test_divergence.c: lower_divergence_check_values).
 */
#include "expert.h"

#include "ratio.h"

/* q of a cell, and in *lo its r_lo; both 0 where k is not known to act. */
static double weigh(const roster_error_bounds *known, const roster_ratio *bounds, double pi_i, double pi_k, double *lo)
{
    double q = pi_k > known->xi ? known->p_X * (pi_k - known->xi) : 0;
    *lo = q > 0 ? roster_ratio_low(bounds, pi_i / pi_k) : 0;
    return q;
}

static double lower_divergence(const roster_experts *e, const roster_error_bounds *known, const roster_ratio *bounds,
                               size_t i, size_t k)
{
    double top = 0, mass = 0, sum = 0, lo;
    /* Only cells that count: a huge ratio of weight 0 would drown all others. */
    for (size_t cell = 0; cell < e->x * e->v; cell++) {
        weigh(known, bounds, e->pi[cell * e->n + i], e->pi[cell * e->n + k], &lo);
        top = lo - 1 > top ? lo - 1 : top;
    }
    for (size_t cell = 0; cell < e->x * e->v; cell++) {
        double q = weigh(known, bounds, e->pi[cell * e->n + i], e->pi[cell * e->n + k], &lo);
        mass += q;
        if (lo > 0)
            sum += q * lo * roster_exp(lo - 1 - top);
    }
    double scaled = (1 - mass) * roster_exp(-top) + sum;
    double m = scaled > 0 ? 1 + top + roster_ln(scaled) : 1;
    return m > 1 ? m : 1;
}

void roster_divergence_lower_column(const roster_experts *e, const roster_error_bounds *known, size_t k, double *m)
{
    roster_divergence_lower_column_from(e, known, k, 0, m);
}

void roster_divergence_lower_column_from(const roster_experts *e, const roster_error_bounds *known, size_t k,
                                         size_t from, double *m)
{
    roster_ratio bounds = roster_ratio_bounds(known);
    if (k >= e->n || e->x == 0) {
        roster_divergence_none(e, m);
        return;
    }
    for (size_t i = from; i < e->n; i++)
        m[i] = lower_divergence(e, known, &bounds, i, k);
}
