/*
 * marginal.c: marginal and maximal likelihood of rewards with one mean.
 *
 * Paper: Beyond 16 (marginal likelihood).
 *
 *   lnKT(a, b) = ln of the integral of h^a (1 - h)^b over h ~ Beta(1/2, 1/2)
 *              = ln G(a + 1/2) + ln G(b + 1/2) - ln G(a + b + 1) - ln pi
 *   lnML(a, b) = a ln(a / (a + b)) + b ln(b / (a + b)) = max over h of ln h^a (1 - h)^b,  0 ln 0 = 0
 *
 * Why that is true of every reward in [0, 1] and not of 0 and 1 alone: (h/m)^y ((1 - h)/(1 - m))^(1 - y) is at most
 * y h/m + (1 - y)(1 - h)/(1 - m), the mean of two numbers against their weighted product, and the mean of that is 1
 * where y has mean m. So KT over the likelihood of the true mean, and still more KT over ML, is a supermartingale.
 *
 * Cost: three logarithms of the gamma function; two logarithms.
 * Check: lnKT(30, 10) + lnKT(8, 32) - lnML(38, 42) = 8.68554260968138 (tests/unit/test_alarms.c: check_value).
 */
#include "marginal.h"

#define LN_PI 1.1447298858494001741

double roster_ln_kt(double a, double b)
{
    return roster_ln_gamma(a + 0.5) + roster_ln_gamma(b + 0.5) - roster_ln_gamma(a + b + 1) - LN_PI;
}

double roster_ln_ml(double a, double b)
{
    double n = a + b;
    return (a > 0 ? a * roster_ln(a / n) : 0) + (b > 0 ? b * roster_ln(b / n) : 0);
}
