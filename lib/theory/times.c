/*
 * times.c: the rounds from which the theorems hold.
 *
 * Paper: Function w, Equation 3 (times), Equation 7 (empirical times), Corollary (probability of a play).
 *
 *     w(x)    = the y with y / ln(2/y) = x, that is x W0(2/x)
 *     tau_1   = min{t: C w(sqrt(ln t / t)) <= gamma}
 *     tau_k   = min{t >= tau_1: t / ln t >= (3 C M ln(6C/D_k) / D_k)^2}
 *     T_clip  = min{t: W0(2/x) - ln C >= clip},   x = M sqrt(ln t / t)
 *     tau'_1  = min{t >= T_clip: C w(sqrt(ln t / t)) <= gamma}
 *     tau'_k  = min{t >= tau'_1: t / ln t >= (3 C M ln(6C/d) / d)^2},   d = D_k - gamma p_V
 *     P(k_t = k) <= 2 / t^2   for t >= tau_k
 *
 * Why T_clip reads so: the paper asks r_hi <= 2 ln(2/eps_i(t)) M_lo of all ratios, and clip is the largest
 * r_hi / (2 M_lo). eps_i depends on what was played, but Z_i >= t/M, so eps_i <= C w(x); and ln(2/w(x)) = W0(2/x).
 *
 * Cost: two evaluations per binary digit of the answer.
 * Departs: t = 1, where ln t = 0, fulfils every condition; t/ln t rises and ln t/t falls from t = e on only. So a time
 * is the smallest integer t >= 3: from there on, what holds once holds for good. Past 2^53 it is the smallest double,
 * past 1e300 INFINITY. T_clip is an upper bound on the paper's, which is random. Where D_k > 6C the logarithm is
 * negative and its square makes tau_k larger than need be (3/2 eps <= 3C < D_k/2 in every round then): kept as printed,
 * the bounds stay valid.
 * Check: w(1) = 0.852605502013725; C = 1, M = 2, gamma = .1 give tau_1 = 8074, tau(.2) = 121930
 *        (tests/unit/test_theory.c).
 */
#include "theory.h"

double roster_theory_w(double x)
{
    if (x <= 0)
        return 0;
    if (x > 1e17)
        return 2; /* within rounding: w(x) = 2 - 4/x + ... */
    if (x > 1e-300)
        return x * roster_lambert(2 / x);
    /* 2/x may overflow. W + ln W = ln(2/x) is about 700 here, so each step gains a factor of 700. */
    double log_u = roster_ln(2) - roster_ln(x);
    double W = log_u;
    for (int step = 0; step < 8; step++)
        W = log_u - roster_ln(W);
    return x * W;
}

double roster_theory_first(double from, roster_theory_condition holds, const double *a)
{
    const double never = 1e300;
    double low = from, high = from;
    while (high < never && !holds(a, high)) {
        low = high;
        high *= 2;
    }
    if (!(high < never))
        return INFINITY;
    /* high holds, low does not unless it is high. Past 2^53 the middle of two neighbours is one of them. */
    for (;;) {
        double middle = floor(low + (high - low) / 2);
        if (middle <= low || middle >= high)
            return high;
        if (holds(a, middle))
            high = middle;
        else
            low = middle;
    }
}

static double deviation(double t)
{
    return sqrt(roster_ln(t) / t);
}

static bool width_is_below(const double *a, double t)
{
    double C = a[0], gamma = a[1];
    return C * roster_theory_w(deviation(t)) <= gamma;
}

static bool is_told_apart(const double *a, double t)
{
    return t / roster_ln(t) >= a[0];
}

static bool clips_nothing(const double *a, double t)
{
    double M = a[0], least = a[1];
    return roster_lambert(2 / (M * deviation(t))) >= least;
}

double roster_theory_tau_from(const roster_constants *c, double d, double from)
{
    if (!(d > 0))
        return INFINITY;
    double root = 3 * c->C * c->M * roster_ln(6 * c->C / d) / d;
    double least = root * root;
    return roster_theory_first(from, is_told_apart, &least);
}

double roster_theory_tau_1(const roster_constants *c)
{
    return roster_theory_first(3, width_is_below, (const double[]){c->C, c->gamma});
}

double roster_theory_tau(const roster_constants *c, double gap)
{
    return roster_theory_tau_from(c, gap, roster_theory_tau_1(c));
}

double roster_theory_T_clip(const roster_constants *c)
{
    return roster_theory_first(3, clips_nothing, (const double[]){c->M, c->clip + roster_ln(c->C)});
}

double roster_theory_tau_1_empirical(const roster_constants *c)
{
    return roster_theory_first(roster_theory_T_clip(c), width_is_below, (const double[]){c->C, c->gamma});
}

double roster_theory_tau_empirical(const roster_constants *c, double gap)
{
    return roster_theory_tau_from(c, gap - c->gamma * c->p_V, roster_theory_tau_1_empirical(c));
}

double roster_theory_play_probability(double t)
{
    return fmin(1, 2 / t / t);
}
