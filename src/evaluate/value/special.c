/*
 * special.c: quantiles of the normal, the beta and Fisher's F distribution.
 *
 *   I_x(a, b)   the incomplete beta function by its continued fraction (Lentz)
 *   quantiles   by halving the interval: the functions are monotone, and a hundred halvings leave no bit
 *
 * Paper: none. Cost: about 100 x 100 steps; called a few times per report.
 * Check: tests/unit/test_evaluation.c: special_*.
 */
#include "value_internal.h"

#include <math.h>

enum { HALVINGS = 200, FRACTIONS = 400 };

static double continued_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < FRACTIONS; m++) {
        for (int odd = 0; odd < 2; odd++) {
            double k = odd ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                           : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 + k * d;
            c = 1 + k / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            h *= c * d;
        }
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return h;
}

/* The incomplete beta function. */
static double beta(double x, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (!(x < 1))
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * continued_fraction(x, a, b) / a;
    return 1 - front * continued_fraction(1 - x, b, a) / b;
}

double special_beta_quantile(double p, double a, double b)
{
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS && high - low > 1e-17; i++) {
        double x = (low + high) / 2;
        if (beta(x, a, b) < p)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

double special_f1_above(double p, double n)
{
    /* F = n (1 - x) / x where x is beta(n/2, 1/2) distributed. */
    double x = special_beta_quantile(p, n / 2, 0.5);
    return n * (1 - x) / x;
}

double special_normal_quantile(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < HALVINGS; i++) {
        double x = (low + high) / 2;
        if (erfc(-x / sqrt(2)) / 2 < p)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}
