/*
 * numerics.c: logarithm, exponential, Lambert and gamma function with the same bits on every machine.
 *
 * Paper: none.
 *
 *   ln x      x = 2^k m, m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f), z = s^2:
 *             ln(1 + f) = f - f^2/2 + s (f^2/2 + R),  R = sum_{n>=1} 2 z^n / (2n + 1),  z <= 0.0295
 *   exp x     x = k ln 2 + r, |r| <= ln(2)/2, exp r by its series, times 2^k
 *   W(u)      the W with W e^W = u: W' = W (1 + d), the fourth-order step of Fritsch, Shafer and Crowley with
 *             z = ln(u / W) - W,  q = 2 (1 + W)(1 + W + 2z/3),  d = z / (1 + W) (q - z) / (q - 2z);
 *             from a start within 4% two steps leave only rounding
 *   ln G(x)   x moved up to at least 12 by G(x) = G(x + 1)/x, then Stirling's series, whose next term is below 2^-60
 *
 * Why not libm: its log and exp have a variant per processor, chosen at load time, that can differ in the last bit.
 * One bit is enough to break a tie the other way, and then two machines no longer tell the same story.
 * The series are cut where the next term is below 2^-57; the coefficients are those of the series themselves.
 *
 * Cost: ln and exp about 25 operations each, W four logarithms, from a good guess one or two.
 * Check: W(1) = 0.567143290409783873 (tests/unit/test_numerics.c: lambert_known_values).
 */
#include "base.h"

#include <stdlib.h>
#include <string.h>

static const double SMALLEST_NORMAL = 0x1p-1022;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)), for normal x > 0. */
static double split(double x, double *k)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd);
    uint64_t shifted = bits_of(x) - sqrt_half;
    *k = (double)((int64_t)shifted >> 52);
    return double_of((shifted & UINT64_C(0x000fffffffffffff)) + sqrt_half);
}

double roster_ln(double x)
{
    double k, subnormal = 0;
    if (!(x > 0) || x == INFINITY)
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    if (x < SMALLEST_NORMAL) {
        x *= 0x1p54;
        subnormal = 54;
    }
    double f = split(x, &k) - 1;
    k -= subnormal;
    double s = f / (2 + f), z = s * s, z2 = z * z;
    double odd = z * (2.0 / 3 + z2 * (2.0 / 7 + z2 * (2.0 / 11 + z2 * (2.0 / 15 + z2 * (2.0 / 19)))));
    double even = z2 * (2.0 / 5 + z2 * (2.0 / 9 + z2 * (2.0 / 13 + z2 * (2.0 / 17 + z2 * (2.0 / 21)))));
    double half = 0.5 * f * f;
    return k * ROSTER_LN2_HI - ((half - (s * (half + (odd + even)) + k * ROSTER_LN2_LO)) - f);
}

/* 2^k for -1022 <= k <= 1023. */
static double power_of_two(int k)
{
    return double_of((uint64_t)(k + 1023) << 52);
}

double roster_exp(double x)
{
    if (!(x < 709.79))
        return x >= 709.79 ? INFINITY : NAN;
    if (x < ROSTER_EXP_LEAST)
        return 0;
    double k = (double)(int)(x * 1.44269504088896340736 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * ROSTER_LN2_HI) - k * ROSTER_LN2_LO, r2 = r * r;
    double y = ROSTER_EXP_SERIES(r, r2);
    /* Two factors, because 2^k alone leaves the range of doubles before the product does. */
    int half = (int)k / 2;
    return y * power_of_two(half) * power_of_two((int)k - half);
}

/* What is left of ln u = ln(W e^W), and the step that it asks for. */
static double lambert_rest(double u, double w)
{
    return roster_ln(u / w) - w;
}

static double lambert_step(double w, double z)
{
    double one = 1 + w, q = 2 * one * (one + 2.0 / 3 * z);
    return w * (1 + z / one * ((q - z) / (q - 2 * z)));
}

double roster_lambert_near(double u, double guess)
{
    double w = guess;
    if (!(u > 0 && u < INFINITY && guess > 0))
        return roster_lambert(u);
    for (int step = 0; step < 2; step++) {
        double z = lambert_rest(u, w);
        if (fabs(z) <= 1e-14 * (1 + w))
            return w; /* rounding alone; a guess that was a result is given back as it is */
        if (!(fabs(z) < 0.5))
            break;
        w = lambert_step(w, z);
        if (fabs(z) < 1e-4)
            return w; /* the step leaves the fourth power of that */
    }
    return roster_lambert(u);
}

double roster_lambert(double u)
{
    if (!(u > 0) || u == INFINITY)
        return u == 0 || u > 0 ? u : NAN;
    double w = u / (1 + u);
    if (u > 0.3) {
        double l = roster_ln(1 + u);
        w = l * (1 - roster_ln(1 + l) / (2 + l));
    }
    for (int step = 0; step < 2; step++)
        w = lambert_step(w, lambert_rest(u, w));
    return w;
}

double roster_ln_gamma(double x)
{
    double product = 1;
    for (; x < 12; x++)
        product *= x;
    double y = 1 / x, y2 = y * y;
    double tail =
        y * (1.0 / 12 - y2 * (1.0 / 360 -
                              y2 * (1.0 / 1260 -
                                    y2 * (1.0 / 1680 - y2 * (1.0 / 1188 - y2 * (691.0 / 360360 - y2 * (1.0 / 156)))))));
    double sum = (x - 0.5) * roster_ln(x) - x + 0.91893853320467274178 + tail;
    return product == 1 ? sum : sum - roster_ln(product);
}

/* -ln(1 - a) = 2 atanh s = 2 (s + s^3/3 + s^5/5 ...) with s = a/(2 - a), and 2 s - a = a s: nothing cancels. */
double roster_psi_e(double a)
{
    double s = a / (2 - a), z = s * s, z4 = z * z * (z * z);
    return a * s + 2 * s * z * (a > ROSTER_PSI_E_NEAR ? ROSTER_PSI_E_FAR_SERIES(z, z4) : ROSTER_PSI_E_NEAR_SERIES(z));
}

size_t roster_largest(const double *u, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        best = u[i] > u[best] ? i : best;
    return best;
}

size_t roster_leader(const double *u, size_t n)
{
    size_t best = roster_largest(u, n), i = 0;
    if (!(fabs(u[best]) < INFINITY))
        return best;
    while (u[i] < u[best] - roster_tie(u[best]))
        i++;
    return i;
}

bool roster_avx2(void)
{
#ifdef __x86_64__
    const char *forced = getenv("ROSTER_SIMD");
    return (forced == NULL || strcmp(forced, "baseline") != 0) && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
