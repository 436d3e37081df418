/*
 * test_theory.c: the theorems as calculators, against the paper's formulas written out again, literally.
 *
 * The oracles use libm, a w found by bisection, and loops over all rounds. Numbers without a derivation beside them
 * were computed with 40 digits from the definitions.
 */
#include "support.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static roster_rng stream(uint64_t seed)
{
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, ROSTER_ROLE_SETUP);
    return rng;
}

static double uniform(roster_rng *rng, double low, double high)
{
    return low + (high - low) * roster_rng_uniform(rng);
}

static double log_uniform(roster_rng *rng, double low, double high)
{
    return exp(uniform(rng, log(low), log(high)));
}

/* y / ln(2/y) increases on (0, 2): bisection. */
static double literal_w(double x)
{
    double low = 0, high = 2;
    for (int i = 0; i < 1100 && high - low > 1e-16 * high; i++) {
        double y = low + (high - low) / 2;
        if (y / log(2 / y) < x)
            low = y;
        else
            high = y;
    }
    return high;
}

/* The conditions of the times; d: the gap, less what is lost to the experts' errors. */
typedef bool (*condition)(const roster_constants *c, double d, double t);

static bool literal_width(const roster_constants *c, double d, double t)
{
    (void)d;
    return c->C * literal_w(sqrt(log(t) / t)) <= c->gamma;
}

static bool literal_apart(const roster_constants *c, double d, double t)
{
    return t / log(t) >= 9 * c->C * c->C * c->M * c->M * pow(log(6 * c->C / d), 2) / (d * d);
}

static bool literal_unclipped(const roster_constants *c, double d, double t)
{
    (void)d;
    return log(2 / (c->C * literal_w(c->M * sqrt(log(t) / t)))) >= c->clip;
}

static void w_solves_its_equation(void **state)
{
    (void)state;
    assert_close(roster_theory_w(1e-3), 0.0058367314949081788, 4e-16);
    assert_close(roster_theory_w(1), 0.85260550201372549, 4e-16);
    assert_close(roster_theory_w(1e3), 1.9960119574993118, 4e-16);
    assert_close(roster_theory_w(1e-305), 6.9643562518095358e-303, 1e-15);
    assert_close(roster_theory_w(1e-320), 7.3091793847799686e-318, 1e-6);
    assert_true(roster_theory_w(0) == 0 && roster_theory_w(1.7e308) == 2 && roster_theory_w(INFINITY) == 2);
    double before = 0;
    for (double x = 1e-306; x < 1e15; x *= 1.7) {
        double y = roster_theory_w(x);
        assert_true(y > before && y <= 2);
        assert_close(y, literal_w(x), 2e-15);
        before = y;
    }
}

static void sample_sizes(void **state)
{
    (void)state;
    double xi = roster_theory_xi(0.02, 0.3, false);
    double n = roster_theory_samples_per_context(10, 5e5, xi);
    double A = roster_theory_samples_per_expert(n, 0.05, 10, 5, 5e5, 5);
    assert_close(xi, 2.39999999136e-06, 1e-14);
    assert_close(n, 4.797e13, 1e-4);
    assert_close(n, 20 * log(1e6) / (xi * xi), 1e-14);
    assert_close(A, 1.9188e15, 1e-4);
    assert_close(roster_theory_samples_per_expert(7, 0.1, 4, 6, 1000, 9), 140 + 50 * log(4 * 6 * 1000 * 3), 1e-14);
    assert_true(isfinite(roster_theory_samples_per_expert(7, 0.1, SIZE_MAX, SIZE_MAX, 1e300, 1e300)));
    assert_close(roster_theory_C(3, 0.3), 160, 1e-15);
    assert_close(roster_theory_C_empirical(3, 0.3, 0.05), 336.84210526315789, 1e-15);
}

/* Tight means that e_k = r_hi - r_lo = xi/(p_V (p_V - xi)) + xi/(p_V (p_V + xi)) is gamma p_V / 2 as claimed. */
static void xi_as_printed_and_tight(void **state)
{
    (void)state;
    for (double p_V = 0.01; p_V < 0.5; p_V += 0.03) {
        for (double gamma = 0.05; gamma <= 1; gamma += 0.19) {
            double xi = roster_theory_xi(p_V, gamma, true), a = pow(p_V, 4) * gamma * gamma;
            assert_close(xi / (p_V * (p_V - xi)) + xi / (p_V * (p_V + xi)), gamma * p_V / 2, 1e-13);
            /* The printed difference keeps its digits where a is not small. */
            if (a > 1e-4)
                assert_close(roster_theory_xi(p_V, gamma, false), 2 * (sqrt(1 + a) - 1) / (p_V * gamma), 1e-11);
        }
    }
    assert_close(roster_theory_xi(1e-6, 0.1, false), 1e-19, 1e-15);
    assert_true(roster_theory_xi(0, 0.3, false) == 0 && isinf(roster_theory_samples_per_context(10, 5e5, 0)));
}

static void times_known_values(void **state)
{
    (void)state;
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1};
    assert_true(roster_theory_tau_1(&c) == 8074);
    assert_true(roster_theory_tau(&c, 0.2) == 121930 && roster_theory_tau(&c, 0.5) == 8074);
    roster_constants theory = {.C = 160, .M = 3, .gamma = 0.3};
    assert_true(roster_theory_tau_1(&theory) == 268365364);
    assert_true(roster_theory_tau(&theory, 0.1) == 468523967979);
    roster_constants e = {.C = 0.5, .M = 1, .gamma = 0.3, .p_V = 0.1, .clip = 2};
    assert_true(roster_theory_T_clip(&e) == 17 && roster_theory_tau_1_empirical(&e) == 17);
    assert_true(roster_theory_tau_empirical(&e, 0.4) == 438);
    roster_constants large = {.C = 32 * 3 / (0.3 * 0.95), .M = 3, .gamma = 0.3, .p_V = 0.05, .clip = 4};
    assert_close(roster_theory_T_clip(&large), 2081364488513, 1e-13);
}

/* The condition holds at t and fails at t-1 (past 1e11, where the last bits decide, nearly); near t: at all before. */
static void assert_first(double t, double from, condition holds, const roster_constants *c, double d)
{
    double slack = t < 1e11 ? 0 : ceil(t * 1e-13);
    assert_true(t >= from && t == floor(t));
    assert_true(holds(c, d, t + slack));
    assert_true(t == from || !holds(c, d, t - 1 - slack));
    for (double before = from; t < 2000 && before < t; before++)
        assert_false(holds(c, d, before));
}

static void check_times(const roster_constants *c, double gap)
{
    double tau_1 = roster_theory_tau_1(c), clip = roster_theory_T_clip(c);
    double tau_1_empirical = roster_theory_tau_1_empirical(c), d = gap - c->gamma * c->p_V;
    assert_first(tau_1, 3, literal_width, c, 0);
    assert_first(roster_theory_tau(c, gap), tau_1, literal_apart, c, gap);
    assert_first(clip, 3, literal_unclipped, c, 0);
    assert_first(tau_1_empirical, clip, literal_width, c, 0);
    if (d > 0)
        assert_first(roster_theory_tau_empirical(c, gap), tau_1_empirical, literal_apart, c, d);
    else
        assert_true(isinf(roster_theory_tau_empirical(c, gap)));
}

static void a_time_is_the_first_that_holds(void **state)
{
    (void)state;
    roster_rng rng = stream(1);
    for (int i = 0; i < 400; i++) {
        roster_constants c = {.C = log_uniform(&rng, 0.01, 500), .M = log_uniform(&rng, 1, 100)};
        c.gamma = log_uniform(&rng, 0.01, 1), c.p_V = uniform(&rng, 0, 0.2), c.clip = uniform(&rng, 0, 5);
        check_times(&c, log_uniform(&rng, 1e-3, 1));
    }
}

static void what_is_harder_takes_longer(void **state)
{
    (void)state;
    roster_constants c = {.C = 2, .M = 5, .gamma = 0.3, .p_V = 0.05, .clip = 3};
    for (double gap = 0.02; gap < 0.9; gap += 0.01) {
        assert_true(roster_theory_tau(&c, gap) > roster_theory_tau(&c, gap + 0.01));
        assert_true(roster_theory_tau_empirical(&c, gap) >= roster_theory_tau(&c, gap));
        assert_true(roster_theory_tau_empirical(&c, gap) >= roster_theory_tau_empirical(&c, gap + 0.01));
    }
    for (int i = 0; i < 20; i++) {
        roster_constants easier = c;
        c.C *= 1.3;
        assert_true(roster_theory_tau_1(&easier) < roster_theory_tau_1(&c));
        assert_true(roster_theory_tau(&easier, 0.1) < roster_theory_tau(&c, 0.1));
        assert_true(roster_theory_T_clip(&easier) < roster_theory_T_clip(&c));
    }
}

/* For a large y, t / ln t >= y has t near y ln y: the times must be of that size where integers no longer tell. */
static void times_at_extremes(void **state)
{
    (void)state;
    roster_constants c = {.C = 1600, .M = 1e6, .gamma = 0.01, .p_V = 1e-6, .clip = 10};
    double t = roster_theory_tau(&c, 1e-12), y = pow(3 * c.C * c.M * log(6 * c.C / 1e-12) / 1e-12, 2);
    assert_close(t / log(t), y, 1e-14);
    assert_true(isfinite(roster_theory_tau_empirical(&c, 1)));
    c.gamma = 1e-100;
    t = roster_theory_tau_1(&c);
    assert_true(isfinite(t) && t > 1e200);
    assert_close(c.C * literal_w(sqrt(log(t) / t)), c.gamma, 1e-13);
    c.gamma = 1e-200;
    assert_true(isinf(roster_theory_tau_1(&c)) && isinf(roster_theory_tau(&c, 0.5)));
    c.C = 1e200;
    assert_true(isinf(roster_theory_tau_1(&c)) && isinf(roster_theory_T_clip(&c)));
    roster_constants clip = {.C = 1, .M = 1, .gamma = 1, .clip = 1e4};
    assert_true(isinf(roster_theory_T_clip(&clip)) && isinf(roster_theory_tau_1_empirical(&clip)));
    assert_true(isinf(roster_theory_tau_empirical(&clip, 0.5)));
    roster_constants easy = {.C = 1e-6, .M = 1, .gamma = 1, .clip = 0};
    assert_true(roster_theory_tau_1(&easy) == 3 && roster_theory_tau(&easy, 1) == 3);
    assert_true(roster_theory_T_clip(&easy) == 3);
    roster_constants none = {.C = 1, .M = 2, .gamma = 0.5, .p_V = 0.2, .clip = 1};
    assert_true(isinf(roster_theory_tau(&none, 0)) && isinf(roster_theory_tau(&none, -0.1)));
    assert_true(isinf(roster_theory_tau(&none, NAN)) && isinf(roster_theory_tau_empirical(&none, 0.1)));
    assert_true(isfinite(roster_theory_tau_empirical(&none, 0.1001)));
    none.gamma = 0;
    assert_true(isinf(roster_theory_tau_1(&none)));
}

typedef int (*theorem)(const roster_constants *, const double *, size_t, double *, roster_error *);

static double bound_of(theorem f, const roster_constants *c, const double *gaps, size_t n)
{
    roster_error err;
    double bound = -7;
    assert_ok(f(c, gaps, n, &bound, &err), &err);
    return bound;
}

static double lite(const roster_constants *c, const double *gaps, size_t n, double beta, double T)
{
    roster_error err;
    double bound = -7;
    assert_ok(roster_theory_regret_lite(c, gaps, n, beta, T, &bound, &err), &err);
    return bound;
}

/* Gaps ascending, gaps[0] the best's; in the paper's order. */
static double literal_theorem(const double *gaps, size_t n, double (*tau)(const roster_constants *, double),
                              const roster_constants *c)
{
    double sum = 0;
    for (size_t k = 1; k < n; k++)
        sum += gaps[k];
    double bound = PI * PI / 3 * sum + tau(c, gaps[n - 1]) * gaps[n - 1];
    for (size_t k = 1; k + 1 < n; k++)
        bound += (tau(c, gaps[k]) - tau(c, gaps[k + 1])) * gaps[k];
    return bound;
}

static void theorem_2_known_values(void **state)
{
    (void)state;
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1};
    assert_close(bound_of(roster_theory_regret, &c, (double[]){0.2, 0, 0.5}, 3), 26810.50290769359, 1e-15);
    /* Ties for the best add nothing, equal gaps share their time. */
    assert_close(bound_of(roster_theory_regret, &c, (double[]){0, 0.5, 0, 0.2, 1e-16}, 5), 26810.50290769359, 1e-15);
    double equal = bound_of(roster_theory_regret, &c, (double[]){0.2, 0.2, 0, 0.2}, 4);
    assert_close(equal, PI * PI / 3 * 0.6 + 121930 * 0.2, 1e-14);
}

static void theorems_equal_the_papers_sum(void **state)
{
    (void)state;
    roster_rng rng = stream(3);
    for (int i = 0; i < 200; i++) {
        size_t n = 2 + roster_rng_below(&rng, 12);
        roster_constants c = {.C = log_uniform(&rng, 0.02, 100), .M = uniform(&rng, 1, 20), .p_V = 0.05};
        c.gamma = uniform(&rng, 0.1, 0.5), c.clip = uniform(&rng, 0, 3);
        double gaps[14] = {0}, reversed[14] = {0};
        for (size_t k = 1; k < n; k++)
            reversed[n - 1 - k] = gaps[k] = gaps[k - 1] + uniform(&rng, 0.03, 0.07);
        double two = bound_of(roster_theory_regret, &c, reversed, n);
        double three = bound_of(roster_theory_regret_empirical, &c, reversed, n);
        assert_close(two, literal_theorem(gaps, n, roster_theory_tau, &c), 1e-12);
        assert_close(three, literal_theorem(gaps, n, roster_theory_tau_empirical, &c), 1e-12);
    }
}

static void bounds_of_zero_and_none_at_all(void **state)
{
    (void)state;
    roster_constants c = {.C = 1, .M = 2, .gamma = 0, .p_V = 0.1, .clip = 1};
    const double zeros[3] = {0, 1e-13, 0};
    for (size_t n = 1; n <= 3; n++) {
        assert_true(bound_of(roster_theory_regret, &c, zeros, n) == 0);
        assert_true(bound_of(roster_theory_regret_empirical, &c, zeros, n) == 0);
        assert_true(lite(&c, zeros, n, 1.5, 100) == 0);
    }
    /* A gap that the experts' errors hide has no bound. */
    c.gamma = 0.5, c.p_V = 0.2;
    assert_true(bound_of(roster_theory_regret_empirical, &c, (double[]){0, 0.05, 0.07, 0.5}, 4) == INFINITY);
    assert_true(isfinite(bound_of(roster_theory_regret_empirical, &c, (double[]){0, 0.11, 0.2, 0.5}, 4)));
    c.gamma = 1e-300;
    assert_true(bound_of(roster_theory_regret, &c, (double[]){0, 0.1, 0.1, 0.2}, 4) == INFINITY);
}

/* At powers of n this is a whole number, which the last conversion finds again. */
static double literal_g(size_t n, double t)
{
    return (double)((long double)t - 2 * (long double)n / logl((long double)n) * logl((long double)t));
}

/* All of the lemma as loops over rounds. gaps: ascending. */
static double literal_lite(const roster_constants *c, const double *gaps, size_t n, double beta, double T)
{
    double widest = gaps[n - 1], sum = 0, staleness = 0;
    double first = fmax(3, ceil(2 * (double)n / log((double)n))), settled;
    while (!(literal_g(n, first) >= pow(roster_theory_tau_1(c), beta)))
        first++;
    for (settled = first; !(literal_g(n, settled) >= pow(roster_theory_tau(c, widest), beta));)
        settled++;
    for (size_t k = 0; k < n; k++)
        sum += gaps[k];
    for (double t = first; t <= T; t++)
        staleness += 2 * widest / pow(floor(literal_g(n, t)), 2 / beta);
    return settled * widest + PI * PI / 3 * sum + staleness;
}

static void lite_known_values(void **state)
{
    (void)state;
    roster_constants c = {.C = 0.02, .M = 2, .gamma = 0.03};
    assert_close(lite(&c, (double[]){0, 0.2, 0.5}, 3, 1.75, 5000), 18.35568810528536, 1e-14);
    assert_close(lite(&c, (double[]){0, 0.2, 0.5}, 3, 1, 5000), 12.762825094461147, 1e-14);
    roster_constants huge = {.C = 1600, .M = 1e6, .gamma = 0.01};
    double bound = lite(&huge, (double[]){0, 1e-6}, 2, 1.9, INFINITY);
    assert_true(isfinite(bound) && bound > 0);
    huge.gamma = 1e-300;
    assert_true(lite(&huge, (double[]){0, 1}, 2, 1, 10) == INFINITY);
}

static void lite_equals_its_loops(void **state)
{
    (void)state;
    const double wide[6] = {0, 0.1, 0.3, 0.4, 0.6, 0.9}, wide_mixed[6] = {0.6, 0.1, 0.9, 0, 0.4, 0.3};
    const double narrow[4] = {0, 0.1, 0.15, 0.2}, narrow_mixed[4] = {0.1, 0.2, 0, 0.15};
    roster_rng rng = stream(4);
    for (int i = 0; i < 20; i++) {
        roster_constants c = {.C = uniform(&rng, 0.02, 0.2), .M = uniform(&rng, 1, 3)};
        c.gamma = uniform(&rng, 0.05, 0.2);
        double beta = i % 2 == 0 ? 1 : 1.75;
        assert_close(lite(&c, wide_mixed, 6, beta, 5000), literal_lite(&c, wide, 6, beta, 5000), 1e-12);
        assert_close(lite(&c, narrow_mixed, 4, beta, 5000), literal_lite(&c, narrow, 4, beta, 5000), 1e-12);
    }
}

static void the_tail_of_lite_is_an_upper_bound(void **state)
{
    (void)state;
    roster_constants c = {.C = 0.1, .M = 2, .gamma = 0.1};
    const double gaps[2] = {0, 0.4};
    double bound = lite(&c, gaps, 2, 1.75, 2.5e6), whole = literal_lite(&c, gaps, 2, 1.75, 2.5e6);
    assert_true(bound >= whole);
    assert_close(bound, whole, 1e-7);
    /* What remains after T is about 2 D_N T^(1-s) / (s-1), s = 2/1.75. */
    double rest = lite(&c, gaps, 2, 1.75, INFINITY) - bound;
    assert_close(rest, 0.8 * pow(2.5e6, 1 - 2 / 1.75) / (2 / 1.75 - 1), 1e-4);
}

static void lite_before_its_first_round_has_no_sum(void **state)
{
    (void)state;
    const double gaps[3] = {0, 0.5, 0.5};
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1};
    double at_8000 = lite(&c, gaps, 3, 1, 8000), at_9000 = lite(&c, gaps, 3, 1, 9000);
    assert_true(lite(&c, gaps, 3, 1, 1) == at_8000 && at_8000 < at_9000);
    assert_close(at_9000, literal_lite(&c, gaps, 3, 1, 9000), 1e-12);
}

static int lite_of(const roster_constants *c, const double *gaps, size_t n, double *bound, roster_error *err)
{
    return roster_theory_regret_lite(c, gaps, n, 1.5, 100, bound, err);
}

static void refuse(const double *gaps, size_t n, const char *sentence)
{
    const theorem all[3] = {roster_theory_regret, roster_theory_regret_empirical, lite_of};
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1, .p_V = 0.1, .clip = 1};
    for (size_t i = 0; i < 3; i++) {
        roster_error err = {0};
        double bound = -7;
        assert_refused(all[i](&c, gaps, n, &bound, &err), &err, ROSTER_EINVAL, sentence);
        assert_int_equal(all[i](&c, gaps, n, &bound, NULL), ROSTER_EINVAL);
        assert_true(bound == -7);
    }
}

static void refuse_lite(double beta, double T, const char *sentence)
{
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1};
    roster_error err = {0};
    double bound = -7;
    int code = roster_theory_regret_lite(&c, (double[]){0, 0.5}, 2, beta, T, &bound, &err);
    assert_refused(code, &err, ROSTER_EINVAL, sentence);
    assert_true(bound == -7);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    refuse((double[]){0, 0.1, 0.2, -0.1}, 4, "gaps[3] is -0.1, must be in [0, 1]");
    refuse((double[]){0, 1.0000000001}, 2, "gaps[1] is 1.0000000001, must be in [0, 1]");
    refuse((double[]){0, 0.5, NAN}, 3, "gaps[2] is nan, must be in [0, 1]");
    refuse((double[]){INFINITY}, 1, "gaps[0] is inf, must be in [0, 1]");
    refuse((double[]){0.3, 0.05, 0.2}, 3, "gaps[1] is 0.05, must be 0 because it is the smallest");
    refuse((double[]){0}, 0, "gaps is empty, must have an entry for every expert");
    refuse_lite(2, 100, "beta is 2, must be in [1, 2)");
    refuse_lite(0.5, 100, "beta is 0.5, must be in [1, 2)");
    refuse_lite(NAN, 100, "beta is nan, must be in [1, 2)");
    refuse_lite(1, 0, "T is 0, must be at least 1");
    refuse_lite(1.5, NAN, "T is nan, must be at least 1");
}

/* AddressSanitizer's allocator is to answer NULL to what is too large, as the C library's does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* More gaps than can be copied: memory is asked for before any of them is read. */
static void memory_that_cannot_be_had_is_reported(void **state)
{
    (void)state;
    roster_constants c = {.C = 1, .M = 2, .gamma = 0.1, .p_V = 0.1, .clip = 1};
    const theorem both[2] = {roster_theory_regret, roster_theory_regret_empirical};
    for (size_t i = 0; i < 2; i++) {
        roster_error err = {0};
        double gap = 0, bound = -7;
        int code = both[i](&c, &gap, SIZE_MAX / sizeof gap, &bound, &err);
        assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
        assert_true(bound == -7);
    }
}

static void closed_forms(void **state)
{
    (void)state;
    assert_close(roster_theory_play_probability(8074), 2.0 / (8074.0 * 8074.0), 1e-15);
    assert_true(roster_theory_play_probability(1) == 1 && roster_theory_play_probability(INFINITY) == 0);
    assert_close(roster_theory_regret_episodes(4, 10, 200, 0, 5), 2 + 4 + 200 * (1 + 1.0 / 200), 1e-15);
    assert_close(roster_theory_regret_episodes(4, 10, 200, 30, 5), 2 + 4 + 201 + 150, 1e-15);
    assert_close(roster_theory_regret_episodes(9, INFINITY, 50, 0, 5), 3 + 9 + 50, 1e-15);
    assert_true(isinf(roster_theory_regret_episodes(4, 10, INFINITY, 0, 5)));
    assert_close(roster_theory_regret_order(3, 64, 0.1), 81 * log(64) * pow(log(10), 2) / 0.1, 1e-14);
    assert_true(roster_theory_regret_order(3, 1, 0.1) == 0 && roster_theory_regret_order(1e90, 64, 1) == 0);
    assert_true(isinf(roster_theory_regret_order(3, 64, 0)) && isinf(roster_theory_regret_order(3, 64, 1e-310)));
}

/* Not NaN either. */
static void assert_at_least(double least, double value)
{
    if (!(value >= least))
        fail_msg("%g is below %g", value, least);
}

static void a_random_sweep_meets_no_nan(void **state)
{
    (void)state;
    roster_rng rng = stream(5);
    for (int i = 0; i < 1000; i++) {
        roster_constants c = {.C = log_uniform(&rng, 1e-9, 1e100), .M = log_uniform(&rng, 1, 1e30)};
        c.gamma = log_uniform(&rng, 1e-30, 1), c.p_V = log_uniform(&rng, 1e-30, 0.5);
        c.clip = log_uniform(&rng, 1e-3, 1e3);
        size_t n = 1 + (size_t)uniform(&rng, 0, 10);
        double gaps[11], T = i % 50 == 0 ? INFINITY : log_uniform(&rng, 1, 1e4);
        for (size_t k = 0; k < n; k++)
            gaps[k] = k == 0 || uniform(&rng, 0, 1) < 0.2 ? 0 : log_uniform(&rng, 1e-14, 1);
        assert_at_least(3, roster_theory_tau_1(&c));
        assert_at_least(3, roster_theory_tau(&c, gaps[n - 1]));
        assert_at_least(3, roster_theory_T_clip(&c));
        assert_at_least(3, roster_theory_tau_1_empirical(&c));
        assert_at_least(3, roster_theory_tau_empirical(&c, gaps[n - 1]));
        assert_at_least(0, bound_of(roster_theory_regret, &c, gaps, n));
        assert_at_least(0, bound_of(roster_theory_regret_empirical, &c, gaps, n));
        assert_at_least(0, lite(&c, gaps, n, uniform(&rng, 1, 2), T));
        assert_at_least(0, roster_theory_regret_order(c.M, n, gaps[n - 1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w_solves_its_equation),
        cmocka_unit_test(sample_sizes),
        cmocka_unit_test(xi_as_printed_and_tight),
        cmocka_unit_test(times_known_values),
        cmocka_unit_test(a_time_is_the_first_that_holds),
        cmocka_unit_test(what_is_harder_takes_longer),
        cmocka_unit_test(times_at_extremes),
        cmocka_unit_test(theorem_2_known_values),
        cmocka_unit_test(theorems_equal_the_papers_sum),
        cmocka_unit_test(bounds_of_zero_and_none_at_all),
        cmocka_unit_test(lite_known_values),
        cmocka_unit_test(lite_equals_its_loops),
        cmocka_unit_test(the_tail_of_lite_is_an_upper_bound),
        cmocka_unit_test(lite_before_its_first_round_has_no_sum),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(memory_that_cannot_be_had_is_reported),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(a_random_sweep_meets_no_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
