/*
 * gamma.c: what is left of factorials and of binomial probabilities when their large parts have cancelled.
 *
 * Paper: none.
 *
 *   g(x)    = ln x! - (x ln x - x), x >= 0 real (x! = Gamma(x + 1)): from 16 on Stirling's series, below it for whole x
 *             from the product itself
 *   D(x, y) = x ln(x/y) - (x - y), near x = y by its series in (x - y) / (x + y)
 *
 * With these the logarithm of a binomial probability or of the beta integral's integrand is a sum of small terms
 * (Loader: Fast and accurate computation of binomial probabilities, 2000); differences of ln Gamma have an error near
 * 1 at n = 1e15, these have one near 1e-14.
 *
 * Cost: a logarithm each, and near x = y some five terms.
 * Check: g(1/2) = ln(sqrt(pi)/2) + ln(2)/2 + 1/2 = 0.725791352644727 (tests/unit/test_beta.c: rests_of_factorials).
 */
#include "base.h"

static const double SERIES_FROM = 16;

static double stirling(double x)
{
    const double two_pi = 6.283185307179586477, z = 1 / (x * x);
    const double series = 1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188))));
    return 0.5 * roster_ln(two_pi * x) + series / x;
}

static double small_whole(double x)
{
    double factorial = 1;
    for (double i = 2; i <= x; i++)
        factorial *= i;
    return x > 0 ? roster_ln(factorial) - x * (roster_ln(x) - 1) : 0;
}

double roster_factorial_rest(double x)
{
    if (x >= SERIES_FROM)
        return stirling(x);
    if (x == floor(x))
        return small_whole(x);
    return roster_ln_gamma(x + 1) - x * (roster_ln(x) - 1);
}

double roster_deviance(double e, double y)
{
    double x = y + e, v = e / (x + y);
    if (!(v < 0.05 && v > -0.05))
        return x > 0 ? x * roster_ln(x / y) - e : y;
    /* ln(x/y) = 2 artanh v: the first term of its series with -e leaves e v, the others follow. */
    double sum = e * v, power = 2 * x * v, v2 = v * v;
    for (int i = 3;; i += 2) {
        power *= v2;
        double next = sum + power / i;
        if (next == sum)
            return sum;
        sum = next;
    }
}
