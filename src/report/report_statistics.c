/*
 * report_statistics.c: intervals and fits.
 *
 * Paper: none.
 *
 *   mean +- t_{.975, n-1} sd / sqrt(n)
 *   ratio R of means Y to X: its sd is that of (y - R x) / X over the runs (delta method), with the covariance of x and
 *   y from the moments of y - x
 *   P(|T| > t) = I_x(a, 1/2), a = df/2, x = df / (df + t^2), I the regularized incomplete beta function:
 *     I_x(a, b) = x^a (1-x)^b / (a B(a, b)) * 1/(1+ d1/(1+ d2/(1+ ...)))       (continued fraction)
 *   1/B(a, 1/2) = G(a) / sqrt(pi), G(a) = Gamma(a + 1/2) / Gamma(a): asymptotic series at a + 64, stepped down by
 *     G(a) = G(a+1) a / (a + 1/2), which keeps full precision where a difference of lgamma loses it
 *
 * The quantile is found by bisection and rounded to 12 digits, so that the last bits of a libm do not show.
 *
 * Cost: about a thousand terms per quantile.
 * Check: t_{.975, 9} = 2.262157163, t_{.975, 1} = 12.7062047362 (tests/unit/test_report.c: quantiles_of_t).
 */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>

static const double SQRT_PI = 1.7724538509055160273;

/* Gamma(a + 1/2) / Gamma(a). */
static double gamma_step(double a)
{
    double down = 1;
    for (int i = 0; i < 64; i++, a++)
        down *= a / (a + .5);
    double u = 1 / (8 * a);
    return down * sqrt(a) * (1 + u * (-1 + u * (.5 + u * (2.5 + u * (-21. / 8 + u * (-399. / 8))))));
}

/* The continued fraction of I_x(a, b), by Lentz's method; x below (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
    for (double m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return value;
}

/* P(|T| > t). */
static double two_tails(double t, double df)
{
    double a = df / 2, x = df / (df + t * t), y = t * t / (df + t * t);
    double front = exp(-a * log1p(t * t / df)) * sqrt(y) * gamma_step(a) / SQRT_PI;
    if (x < (a + 1) / (a + 2.5))
        return front * fraction(x, a, .5) / a;
    return 1 - front * fraction(y, .5, a) / .5;
}

static double rounded(double x)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.11e", x);
    return strtod(digits, NULL);
}

double report_t_quantile(double p, double df)
{
    double low = 0, high = 1;
    while (two_tails(high, df) > 2 * (1 - p) && high < 1e300)
        high *= 2;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (two_tails(middle, df) > 2 * (1 - p))
            low = middle;
        else
            high = middle;
    }
    return rounded((low + high) / 2);
}

double report_t95(uint64_t runs)
{
    return runs > 1 ? report_t_quantile(.975, (double)(runs - 1)) : NAN;
}

report_summary report_summarize(const roster_moments *moments, uint64_t runs)
{
    report_summary s = {NAN, NAN, NAN};
    if (runs > 0)
        s.mean = roster_moments_mean(moments, runs);
    if (runs > 1) {
        s.sd = roster_moments_sd(moments, runs);
        s.half = report_t95(runs) * s.sd / sqrt((double)runs);
    }
    return s;
}

report_summary report_ratio(const roster_moments *a, const roster_moments *b, const roster_moments *difference,
                            uint64_t runs)
{
    report_summary x = report_summarize(a, runs), y = report_summarize(b, runs), d = report_summarize(difference, runs);
    report_summary ratio = {.mean = y.mean / x.mean};
    double covariance = (x.sd * x.sd + y.sd * y.sd - d.sd * d.sd) / 2;
    double variance = y.sd * y.sd - 2 * ratio.mean * covariance + ratio.mean * ratio.mean * x.sd * x.sd;
    ratio.sd = sqrt(variance > 0 ? variance : 0) / x.mean;
    ratio.half = x.sd > 0 ? ratio.sd * x.half / x.sd : ratio.sd == 0 ? 0 : NAN; /* the same t and number of runs */
    return ratio;
}

report_fit report_fit_line(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    double slope = xy / xx;
    return (report_fit){slope, mean_y - slope * mean_x, yy > 0 ? xy * xy / (xx * yy) : 1};
}

static double experts_of(const report *self, size_t c)
{
    return (double)roster_experts_count(self->experiment->cases[c].experts);
}

bool report_has_growth(const report *self)
{
    size_t different = 0, n = self->experiment->n_cases;
    for (size_t c = 0; c < n; c++) {
        size_t before = 0;
        while (before < c && experts_of(self, before) != experts_of(self, c))
            before++;
        different += before == c;
        if (self->results[c]->runs == 0)
            return false;
    }
    return different >= 3;
}

int report_grow(const report *self, size_t a, report_growth *out, roster_error *err)
{
    size_t n = self->experiment->n_cases;
    double *x = calloc(3 * n, sizeof *x);
    if (x == NULL)
        return common_fail_memory(err);
    double *ln_x = x + n, *y = x + 2 * n;
    for (size_t c = 0; c < n; c++) {
        x[c] = experts_of(self, c);
        ln_x[c] = log(x[c]);
        y[c] = roster_moments_mean(&self->results[c]->total[a], self->results[c]->runs);
    }
    out->linear = report_fit_line(x, y, n);
    out->logarithmic = report_fit_line(ln_x, y, n);
    free(x);
    return ROSTER_OK;
}
