/*
 * beta.c: the regularised incomplete beta function and its inverse, for exact binomial intervals.
 *
 * Paper: none.
 *
 *   I_x(a, b) = 1/B(a,b) int_0^x t^(a-1) (1-t)^(b-1) dt;  for whole a it is P(Bin(a+b-1, x) >= a)
 *             = x^a (1-x)^b / (a B(a,b)) / (1 + d_1/(1 + d_2/(1 + ...))), the continued fraction by Lentz's method:
 *               d_2m = m (b-m) x / ((a+2m-1)(a+2m)),  d_2m+1 = -(a+m)(a+b+m) x / ((a+2m)(a+2m+1)),
 *               for x < (a+1)/(a+b+2); beyond that 1 - I_(1-x)(b, a)
 *   factor    ln [x^a (1-x)^b / B(a,b)] = g(a+b) - g(a) - g(b) + ln(ab/(a+b)) - D(a, (a+b)x) - D(b, (a+b)(1-x)),
 *             g and D as in gamma.c, so that nothing large cancels
 *   inverse   by halving, until two neighbouring numbers enclose it: the larger is taken
 *
 * Cost: some 25 terms where I is below 1e-3, about sqrt(min(a,b)) near its middle, at most 10,000; the inverse about 60
 * times that.
 * Check: I_x(1, n) = 1 - (1-x)^n, I_x(2, 3) at .4 = .5248 (tests/unit/test_beta.c: known_values).
 */
#include "base.h"

enum { TERMS_MOST = 10000 };

/* Lentz's method: the two continuants are kept as quotients of neighbours, which stay near 1. */
static double continued_fraction(double x, double a, double b)
{
    double above = 1, below = 1 / (1 - (a + b) * x / (a + 1)), fraction = below;
    for (int i = 1; i <= TERMS_MOST; i++) {
        double m = i, at = a + 2 * m;
        double even = m * (b - m) * x / ((at - 1) * at);
        below = 1 / (1 + even * below);
        above = 1 + even / above;
        fraction *= below * above;
        double odd = -(a + m) * (a + b + m) * x / (at * (at + 1));
        below = 1 / (1 + odd * below);
        above = 1 + odd / above;
        double step = below * above;
        fraction *= step;
        if (fabs(step - 1) < 1e-15)
            break;
    }
    return fraction;
}

/* x^a (1-x)^b / (a B(a, b)); y = 1 - x is given because near 1 x does not know it. */
static double factor(double x, double y, double a, double b)
{
    double n = a + b, rests = roster_factorial_rest(n) - roster_factorial_rest(a) - roster_factorial_rest(b);
    double e = a * y - b * x; /* a - n x */
    return b / n * roster_exp(rests - roster_deviance(e, n * x) - roster_deviance(-e, n * y));
}

double roster_beta(double x, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    if (x < (a + 1) / (a + b + 2))
        return factor(x, 1 - x, a, b) * continued_fraction(x, a, b);
    return 1 - factor(1 - x, x, b, a) * continued_fraction(1 - x, b, a);
}

double roster_beta_inverse(double p, double a, double b)
{
    double low = 0, high = 1;
    if (!(p > 0 && p < 1))
        return p >= 1 ? 1 : 0;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return high;
        if (roster_beta(middle, a, b) < p)
            low = middle;
        else
            high = middle;
    }
}
