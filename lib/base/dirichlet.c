/*
 * dirichlet.c: random distributions, and numbers with the law of Beta.
 *
 * Paper: none.
 *
 *   g_i ~ Gamma(a), p_i = floor + (1 - n floor) g_i / sum g
 *   Gamma(a), a >= 1, by Marsaglia and Tsang: d = a - 1/3, c = 1/sqrt(9d), x normal, v = (1 + c x)^3, accept d v if
 *   ln u < x^2/2 + d - d v + d ln v.   a < 1: Gamma(a + 1) u^(1/a), kept as a logarithm, since it may be tiny
 *   normal by Marsaglia's polar method
 *   Beta(a, b) = g / (g + h),  g ~ Gamma(a), h ~ Gamma(b)
 *
 * a that is not a number above 0 gives the uniform distribution, the limit for large a.
 *
 * Cost: about 1.1 tries per gamma.
 * Check: mean 1/n and variance (1 - 1/n)/n/(n a + 1) (tests/unit/test_dirichlet.c: moments); Beta's mean a / (a + b)
 *        and variance (tests/unit/test_dirichlet.c: beta_moments).
 */
#include "base.h"

/* Below this all mass is on one outcome, and the logarithms of the others would be infinite. */
static const double SMALLEST = 1e-300;

static double normal(roster_rng *rng)
{
    for (;;) {
        double x = 2 * roster_rng_uniform(rng) - 1, y = 2 * roster_rng_uniform(rng) - 1, s = x * x + y * y;
        if (s > 0 && s < 1)
            return x * sqrt(-2 * roster_ln(s) / s);
    }
}

/* ln of a Gamma(a) number, a >= 1. */
static double ln_gamma_draw(roster_rng *rng, double a)
{
    double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(rng), v = 1 + c * x, u = 1 - roster_rng_uniform(rng);
        if (v <= 0)
            continue;
        v = v * v * v;
        if (roster_ln(u) < .5 * x * x + d - d * v + d * roster_ln(v))
            return roster_ln(d * v);
    }
}

static double ln_gamma_any(roster_rng *rng, double a)
{
    if (a >= 1)
        return ln_gamma_draw(rng, a);
    double tail = roster_ln(1 - roster_rng_uniform(rng)) / a;
    return ln_gamma_draw(rng, a + 1) + tail;
}

double roster_rng_beta(roster_rng *rng, double a, double b)
{
    double g = ln_gamma_any(rng, a), h = ln_gamma_any(rng, b);
    return 1 / (1 + roster_exp(h - g));
}

void roster_rng_dirichlet(roster_rng *rng, size_t n, double concentration, double floor, double *p)
{
    double top = -INFINITY, sum = 0;
    bool possible = concentration > 0 && concentration < INFINITY;
    double a = concentration < SMALLEST ? SMALLEST : concentration;
    for (size_t i = 0; i < n; i++) {
        p[i] = possible ? ln_gamma_any(rng, a) : 0;
        top = p[i] > top ? p[i] : top;
    }
    for (size_t i = 0; i < n; i++) {
        p[i] = roster_exp(p[i] - top);
        sum += p[i];
    }
    for (size_t i = 0; i < n; i++) {
        double share = floor + (1 - (double)n * floor) * (p[i] / sum);
        p[i] = share < 0x1p-1022 ? 0 : share;
    }
}
