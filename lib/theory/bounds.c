/*
 * bounds.c: the paper's bounds on the regret.
 *
 * Paper: Theorem 2, Theorem 3 (regret), Lemma (D-UCB-lite), Theorem 4, Corollary (online sampling),
 * Corollary (many experts).
 *
 *     gaps sorted: 0 = D_1 <= D_2 <= ... <= D_N;  tau_k from times.c, for ED-UCB tau'_k
 *     Theorems 2, 3   R <= pi^2/3 sum D_k + tau_N D_N + sum_{k=2}^{N-1} (tau_k - tau_{k+1}) D_k
 *                       = sum_{k=2}^N ( pi^2/3 D_k + tau_k (D_k - D_{k-1}) )
 *     lite            c = N / ln N,  g(t) = t - 2c ln t,  s = 2 / beta
 *                     tau_{1,b} = min{t: g(t) >= tau_1^beta},  tau_{k,b} = min{t >= tau_{1,b}: g(t) >= tau_k^beta}
 *                     R(T) <= tau_{N,b} D_N + pi^2/3 sum D_k + sum_t 2 D_N / floor(g(t))^s
 *     episodes        R <= sqrt(E) + E + sum_e R_e (1 + 1/(T^2 sqrt(E))) + A N
 *     many experts    R = O( M^4 ln N ln^2(1/D_2) / D_2 )
 *
 * The second form of Theorem 2 has no difference of times, which may both be infinite, and no negative term.
 * g falls from g(1) = 1 until t = 2c and rises from there on, so that once g(t) >= tau >= 3 holds it holds for good.
 * The sum over t: g(t) - 1 < floor(g(t)) and g'(t) = 1 - 2c/t grows, so what follows the term of round a is at most
 *     1/(1 - 2c/a) * [ (g(a) - 1)^(1-s) - (g(T) - 1)^(1-s) ] / (s - 1).
 *
 * Cost: N times of about 100 evaluations and a sort; lite: a million terms at most.
 * Departs: a gap up to 1e-12 is rounding and counts as 0; experts that tie for the best add nothing. The sum over t
 * starts at tau_{1,b}: the rounds before are paid for by the first term, and g(t) can be <= 0 there. After a million
 * terms it continues as the integral, an upper bound. The Lemma is computed as printed, though the decomposition its
 * proof refers to also has the terms (tau_{k,b} - tau_{k+1,b}) D_k.
 * Check: C = 1, M = 2, gamma = .1, gaps (0, .2, .5) give 26810.5029076936; with C = .02, gamma = .03
 * lite gives 18.3556881052854 for beta = 1.75, T = 5000 (tests/unit/test_theory.c).
 */
#include "theory.h"

#include <stdlib.h>
#include <string.h>

static const double PI_SQUARED_THIRDS = 3.28986813369645287294;

static int check_gaps(const double *gaps, size_t n, roster_error *err)
{
    size_t best = 0;
    if (n == 0)
        return roster_fail(err, ROSTER_EINVAL, "gaps is empty, must have an entry for every expert");
    for (size_t k = 0; k < n; k++) {
        if (!(gaps[k] >= 0 && gaps[k] <= 1))
            return roster_fail(err, ROSTER_EINVAL, "gaps[%zu] is %.15g, must be in [0, 1]", k, gaps[k]);
        if (gaps[k] < gaps[best])
            best = k;
    }
    if (gaps[best] > ROSTER_ZERO_GAP)
        return roster_fail(err, ROSTER_EINVAL, "gaps[%zu] is %.15g, must be 0 because it is the smallest", best,
                           gaps[best]);
    return ROSTER_OK;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Theorems 2 and 3: `from` is tau_1 or tau'_1, `loss` what the experts' errors take from every gap. */
static double add_up(const roster_constants *c, const double *sorted, size_t n, double from, double loss)
{
    double sum = 0, before = 0;
    for (size_t k = 0; k < n; k++) {
        double gap = sorted[k];
        if (gap <= ROSTER_ZERO_GAP)
            continue;
        sum += PI_SQUARED_THIRDS * gap;
        if (gap > before)
            sum += roster_theory_tau_from(c, gap - loss, from) * (gap - before);
        before = gap;
    }
    return sum;
}

static int bound_regret(const roster_constants *c, const double *gaps, size_t n, double from, double loss,
                        double *bound, roster_error *err)
{
    double *sorted = roster_alloc(n, sizeof *sorted);
    if (sorted == NULL)
        return roster_fail_memory(err);
    int code = check_gaps(gaps, n, err);
    if (code == ROSTER_OK) {
        memcpy(sorted, gaps, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, ascending);
        *bound = add_up(c, sorted, n, from, loss);
    }
    free(sorted);
    return code;
}

int roster_theory_regret(const roster_constants *c, const double *gaps, size_t n, double *bound, roster_error *err)
{
    return bound_regret(c, gaps, n, roster_theory_tau_1(c), 0, bound, err);
}

int roster_theory_regret_empirical(const roster_constants *c, const double *gaps, size_t n, double *bound,
                                   roster_error *err)
{
    return bound_regret(c, gaps, n, roster_theory_tau_1_empirical(c), c->gamma * c->p_V, bound, err);
}

/* g(t): up to a probability of 1/t^2, an index in use in round t was recomputed in this round or later. */
static double fresh_rounds(double two_c, double t)
{
    double stale = two_c * roster_ln(t), whole = round(stale);
    /* Where t is a power of N it is a whole number; rounding must not push floor(g) below what it is. */
    return t - (fabs(stale - whole) <= 1e-15 * stale ? whole : stale);
}

static bool is_fresh(const double *a, double t)
{
    return fresh_rounds(a[0], t) >= a[1];
}

/* sum over the rounds t = first..T of floor(g(t))^(-2/beta), its tail as an integral. */
static double sum_of_staleness(double two_c, double beta, double first, double T)
{
    double s = 2 / beta, s_minus_1 = (2 - beta) / beta;
    double last = fmin(floor(T), first + 999999);
    double sum = 0, rest = 0;
    /* Counted in i, because past 2^53 t + 1 == t; where last == first for that reason the integral is as good. */
    for (double i = 0; i <= last - first; i++)
        roster_add(&sum, &rest, pow(floor(fresh_rounds(two_c, first + i)), -s));
    if (last == floor(T))
        return sum + rest;
    double begin = pow(fresh_rounds(two_c, last) - 1, -s_minus_1);
    double end = isinf(T) ? 0 : pow(fresh_rounds(two_c, T) - 1, -s_minus_1);
    return sum + rest + (begin - end) / s_minus_1 / (1 - two_c / last);
}

static double bound_lite(const roster_constants *c, double sum, double widest, size_t n, double beta, double T)
{
    double two_c = 2 * (double)n / roster_ln((double)n);
    double tau_1 = roster_theory_tau_1(c);
    double tau_N = roster_theory_tau_from(c, widest, tau_1);
    double first = roster_theory_first(3, is_fresh, (const double[]){two_c, pow(tau_1, beta)});
    double settled = roster_theory_first(first, is_fresh, (const double[]){two_c, pow(tau_N, beta)});
    if (isinf(settled))
        return INFINITY;
    return settled * widest + PI_SQUARED_THIRDS * sum + 2 * widest * sum_of_staleness(two_c, beta, first, T);
}

int roster_theory_regret_lite(const roster_constants *c, const double *gaps, size_t n, double beta, double T,
                              double *bound, roster_error *err)
{
    int code = check_gaps(gaps, n, err);
    if (code != ROSTER_OK)
        return code;
    if (!(beta >= 1 && beta < 2))
        return roster_fail(err, ROSTER_EINVAL, "beta is %.15g, must be in [1, 2)", beta);
    if (!(T >= 1))
        return roster_fail(err, ROSTER_EINVAL, "T is %.15g, must be at least 1", T);
    double sum = 0, widest = 0;
    for (size_t k = 0; k < n; k++) {
        if (gaps[k] > ROSTER_ZERO_GAP)
            sum += gaps[k];
        widest = fmax(widest, gaps[k]);
    }
    *bound = sum > 0 ? bound_lite(c, sum, widest, n, beta, T) : 0;
    return ROSTER_OK;
}

double roster_theory_regret_episodes(double E, double T, double sum, double A, size_t N)
{
    return sqrt(E) + E + sum * (1 + 1 / (T * T * sqrt(E))) + A * (double)N;
}

double roster_theory_regret_order(double M, size_t N, double gap)
{
    if (!(gap > 0))
        return INFINITY;
    double log_gap = roster_ln(gap);
    double M_squared = M * M;
    return roster_ln((double)N) * log_gap * log_gap / gap * M_squared * M_squared;
}
