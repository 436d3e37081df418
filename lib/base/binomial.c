/*
 * binomial.c: binomial and multinomial counts, exact for any 64-bit number of trials.
 *
 * Paper: none. Lemma 3 asks for some 1e15 samples of each expert, too many to draw one by one.
 *
 *   n, p, q     trials, probability of success p <= 1/2 (else failures are counted), q = 1 - p
 *   n p < 10    inversion: k = 0, 1, ... until u in [0, 1) is used up by f(0) = q^n, f(k+1) = f(k) (n-k)/(k+1) p/q
 *   else        BTRS of Hoermann: The generation of binomial random variates (1993). With m = floor((n+1) p),
 *               s = sqrt(npq), b = 1.15 + 2.53 s, a = -0.0873 + 0.0248 b + 0.01 p, alpha = (2.83 + 5.1/b) s,
 *               U in [-1/2, 1/2), w = 1/2 - |U|, V in [0, 1):
 *                   d = floor((2a/w + b) U + (np - m) + 1/2),  k = m + d
 *                   take k if V alpha / (a/w^2 + b) <= f(k) / f(m), else draw U and V again
 *   f(k)        in the form of Loader: Fast and accurate computation of binomial probabilities (2000):
 *                   ln f(k) = g(n) - g(k) - g(n-k) - D(k, np) - D(n-k, nq)
 *                   g and D as in gamma.c
 *               D depends on x - y, here d + (m - np), which is known to full precision where x and y are not. The
 *               textbook's differences of lgamma have an error near 1 at n = 1e15; these have one near 1e-14.
 *   multinomial outcome v takes Binomial(what is left, p_v / (p_v + p_{v+1} + ...)), the last possible one the rest
 *
 * m and np - m come from integers: p is a 53-bit integer times a power of two, so n p fits 128 bits. k is m plus an
 * integer, so no count is ever rounded to a double.
 *
 * Cost: 1.1 to 1.4 rounds of two uniforms, or one uniform and at most 110 multiplications; no memory.
 * Departs: without Hoermann's squeeze, which saves time and adds a claim to prove; that the hat is above f is left, and
 * over n = 20..2^64 and p the quotient stays below 0.996. A uniform is a multiple of 2^-53, which makes every
 * probability uncertain by about 2^-53.
 * Check: f of n = 10, p = 1/2 is 252/1024 at 5 (tests/unit/test_binomial.c: binomial_of_ten).
 */
#include "base.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/* Below this mean BTRS is not valid. */
static const double SMALL_MEAN = 10;
/* f(k) < 1e-70 from here on while the mean is small: reached only where rounding has left some of u over. */
static const uint64_t LAST_SMALL = 110;

/* ln(1 - p) for 0 <= p <= 1/2, with a small relative error however small p is. */
static double ln_complement(double p)
{
    double q = 1 - p;
    return q == 1 ? -p : roster_ln(q) * (p / (1 - q));
}

static uint64_t small_mean(roster_rng *rng, uint64_t n, double p)
{
    const double trials = (double)n, odds = p / (1 - p);
    const double none = roster_exp(trials * ln_complement(p));
    for (;;) {
        double u = roster_rng_uniform(rng), f = none;
        for (uint64_t k = 0; k <= n && k < LAST_SMALL; k++) {
            if (u < f)
                return k;
            u -= f;
            f *= (trials - (double)k) / (double)(k + 1) * odds;
        }
    }
}

/* A binomial distribution with p <= 1/2 and n p >= 10, and BTRS's constants for it. */
typedef struct shape {
    uint64_t n, m;      /* trials; the most likely count      */
    double np, nq;      /* means of successes and of failures */
    double off;         /* np - m, to full precision          */
    double a, b, alpha; /* of the hat                         */
    double ln_f_mode;   /* ln f(m) - g(n)                     */
} shape;

/* ln f(m + d) - g(n); d is within -m..n-m. */
static double ln_f(const shape *s, int64_t d)
{
    uint64_t k = s->m + (uint64_t)d;
    double e = (double)d - s->off;
    return -roster_factorial_rest((double)k) - roster_factorial_rest((double)(s->n - k)) - roster_deviance(e, s->np) -
           roster_deviance(-e, s->nq);
}

static void shape_init(shape *s, uint64_t n, double p)
{
    int exponent;
    const uint64_t digits = (uint64_t)(frexp(p, &exponent) * 0x1p53); /* p = digits 2^-scale */
    const int scale = 53 - exponent;                                  /* in 53..113, because n p >= 10 */
    const u128 np = (u128)n * digits;
    const u128 mode = (np + digits) >> scale;
    const double spread = sqrt((double)n * p * (1 - p));
    s->n = n;
    s->m = (uint64_t)mode;
    s->np = (double)n * p;
    s->nq = (double)n * (1 - p);
    s->off = ldexp((double)((i128)np - (i128)(mode << scale)), -scale);
    s->b = 1.15 + 2.53 * spread;
    s->a = -0.0873 + 0.0248 * s->b + 0.01 * p;
    s->alpha = (2.83 + 5.1 / s->b) * spread;
    s->ln_f_mode = ln_f(s, 0);
}

/* m + d is a possible count. Not finite or far outside is possible too: the hat has heavy tails. */
static bool possible(const shape *s, double d)
{
    if (!(fabs(d) < 0x1p62))
        return false;
    return d < 0 ? (uint64_t)-d <= s->m : (uint64_t)d <= s->n - s->m;
}

static uint64_t large_mean(roster_rng *rng, uint64_t n, double p)
{
    shape s;
    shape_init(&s, n, p);
    for (;;) {
        double u = roster_rng_uniform(rng) - 0.5, v = roster_rng_uniform(rng), w = 0.5 - fabs(u);
        double d = floor((2 * s.a / w + s.b) * u + s.off + 0.5);
        if (!possible(&s, d))
            continue;
        if (v * s.alpha / (s.a / (w * w) + s.b) <= roster_exp(ln_f(&s, (int64_t)d) - s.ln_f_mode))
            return s.m + (uint64_t)(int64_t)d;
    }
}

uint64_t roster_rng_binomial(roster_rng *rng, uint64_t n, double p)
{
    if (n == 0 || !(p > 0))
        return 0;
    if (p >= 1)
        return n;
    if (p > 0.5)
        return n - roster_rng_binomial(rng, n, 1 - p);
    return (double)n * p < SMALL_MEAN ? small_mean(rng, n, p) : large_mean(rng, n, p);
}

void roster_rng_multinomial(roster_rng *rng, uint64_t n, size_t v, const double *p, uint64_t *count)
{
    /* What is left of the probability is carried with its rounding error: after most of it has been taken away the
       rest must still be good to the last digit, and what the p add up to in place of 1 must not fall to the last. */
    double left = 0, error = 0;
    size_t last = 0;
    for (size_t i = 0; i < v; i++) {
        roster_add(&left, &error, p[i]);
        if (p[i] > 0)
            last = i;
    }
    for (size_t i = 0; i < v; i++) {
        double rest = left + error;
        double share = p[i] < rest ? p[i] / rest : p[i] > 0 ? 1 : 0; /* rest can round to p[i], or even to 0 */
        count[i] = i == last ? n : roster_rng_binomial(rng, n, share);
        n -= count[i];
        roster_add(&left, &error, -p[i]);
    }
}
