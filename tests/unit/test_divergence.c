/*
 * test_divergence.c: divergences of known and of estimated experts (lib/expert/divergence.c, divergence_lower.c), held
 * to SPEC's values, to their definitions in long doubles, and to what the lower bound promises.
 */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 130 };

static double divergence(const roster_experts *e, const double *p, bool shared, size_t i, size_t k)
{
    double m[MOST];
    roster_divergence_column(e, p, shared, k, m);
    return m[i];
}

static double lower(const roster_experts *e, const roster_error_bounds *known, size_t i, size_t k)
{
    double m[MOST];
    roster_divergence_lower_column(e, known, k, m);
    return m[i];
}

static roster_experts *tables(size_t n, size_t x, size_t v, const double *pi)
{
    roster_experts *e;
    roster_error err;
    assert_ok(roster_experts_tables(&e, n, x, v, pi, NULL, &err), &err);
    return e;
}

static long double f1(long double z)
{
    return z * expl(z - 1) - 1;
}

/* 1 + ln(1 + sum_x p(x) sum_v pi_k f1(r_ik)), as it is defined, without what k never plays. */
static double defined(const roster_experts *e, const double *p, size_t i, size_t k)
{
    size_t contexts = roster_experts_contexts(e);
    long double d = 0;
    for (size_t x = 0; x < contexts; x++)
        for (size_t v = 0; v < roster_experts_actions(e); v++) {
            long double a = roster_experts_probability(e, i, x, v), b = roster_experts_probability(e, k, x, v);
            if (b > 0)
                d += (p != NULL ? (long double)p[x] : 1.0L / (long double)contexts) * b * f1(a / b);
        }
    return (double)fmaxl(1, 1 + logl(1 + d));
}

/* SPEC section 5, the same way. */
static double defined_lower(const roster_experts *e, const roster_error_bounds *known, size_t i, size_t k)
{
    long double d = 0, a = known->xi / ((long double)known->p_V * ((long double)known->p_V - known->xi));
    for (size_t x = 0; x < roster_experts_contexts(e); x++)
        for (size_t v = 0; v < roster_experts_actions(e); v++) {
            long double pi = roster_experts_probability(e, i, x, v), pk = roster_experts_probability(e, k, x, v);
            if (pk > known->xi)
                d += known->p_X * (pk - known->xi) * f1(fmaxl(0, pi / pk - a));
        }
    return 1 + d > 0 ? (double)fmaxl(1, 1 + logl(1 + d)) : 1;
}

static void divergence_check_values(void **state)
{
    (void)state;
    roster_experts *e = spec_experts();
    assert_close(divergence(e, spec_p, false, 0, 1), 2.762286752068799, 1e-12);
    assert_close(divergence(e, spec_p, false, 0, 2), 13.1327047105385, 1e-12);
    assert_close(divergence(e, spec_p, false, 2, 0), 8.384796458868784, 1e-12);
    for (size_t i = 0; i < 3; i++) {
        assert_close(divergence(e, spec_p, false, i, i), 1, 1e-15);
        for (size_t k = 0; k < 3; k++) /* nobody plays anything alone, so there is nothing to leave out */
            assert_true(divergence(e, spec_p, true, i, k) == divergence(e, spec_p, false, i, k));
    }
    roster_experts_free(e);
}

static void random_instances_follow_the_definition(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 11, 0, ROSTER_ROLE_SETUP);
    for (int round = 0; round < 300; round++) {
        instance in;
        instance_random(&in, &rng, random_size(&rng, 1, 9), random_size(&rng, 1, 6), random_size(&rng, 1, 8), 0.02);
        for (size_t k = 0; k < in.n; k++)
            for (size_t i = 0; i < in.n; i++) {
                double m = divergence(in.experts, in.p, false, i, k);
                assert_true(m >= 1);
                assert_close(m, defined(in.experts, in.p, i, k), 1e-9);
                if (i == k)
                    assert_close(m, 1, 1e-12);
            }
        instance_free(&in);
    }
}

static void null_is_uniform(void **state)
{
    (void)state;
    const double half[] = {0.5, 0.5};
    roster_experts *e = spec_experts();
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            assert_true(divergence(e, NULL, false, i, k) == divergence(e, half, false, i, k));
            assert_close(divergence(e, NULL, false, i, k), defined(e, NULL, i, k), 1e-12);
        }
    assert_true(divergence(e, NULL, false, 0, 1) != divergence(e, spec_p, false, 0, 1));
    roster_experts_free(e);
}

/* Context 1 never occurs: neither its ratios nor its infinite one count. */
static void impossible_contexts_are_ignored(void **state)
{
    (void)state;
    const double pi[] = {.7, .3, .5, .5, .4, .6, 1, 0}, first[] = {1, 0};
    const double alone[] = {.7, .3, .4, .6};
    roster_experts *e = tables(2, 2, 2, pi), *one = tables(2, 1, 2, alone);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 2; i++)
            assert_true(divergence(e, first, false, i, k) == divergence(one, NULL, false, i, k));
    assert_true(divergence(e, NULL, false, 0, 1) == INFINITY);
    roster_experts_free(e);
    roster_experts_free(one);
}

/* One action that k plays with probability q, i with 1/2: M = 1/(2q) + ln(1/2 + ...), the rest far below rounding. */
static void large_ratios_stay_finite(void **state)
{
    (void)state;
    const double least[] = {1 / 1402.0, 1 / 2000.0, 5e-7, 5e-301, DBL_MIN};
    for (size_t j = 0; j < sizeof least / sizeof *least; j++) {
        const double pi[] = {0.5, 0.5, least[j], 1 - least[j]};
        roster_experts *e = tables(2, 1, 2, pi);
        double m = divergence(e, NULL, false, 0, 1), back = divergence(e, NULL, false, 1, 0);
        assert_close(m, 0.5 / least[j] + log(0.5), 1e-14);
        assert_true(isfinite(m));
        assert_close(back, defined(e, NULL, 1, 0), 1e-12);
        roster_experts_free(e);
    }
}

static void infinite_where_k_cannot_follow(void **state)
{
    (void)state;
    roster_experts *toy = tables(2, 2, 3, toy_pi);
    assert_true(divergence(toy, toy_p, false, 0, 1) == INFINITY);
    assert_close(divergence(toy, toy_p, false, 1, 0), 7.77696412852325, 1e-12);
    assert_close(divergence(toy, toy_p, true, 0, 1), 3.77944738155277, 1e-12);
    assert_close(divergence(toy, toy_p, true, 1, 0), 7.77696412852325, 1e-12);
    assert_close(divergence(toy, toy_p, true, 0, 1), defined(toy, toy_p, 0, 1), 1e-12);
    assert_close(divergence(toy, toy_p, false, 0, 0), 1, 1e-15);
    assert_close(divergence(toy, toy_p, false, 1, 1), 1, 1e-15);
    roster_experts_free(toy);
    const double apart[] = {1, 0, 0, 1}; /* nothing in common at all: M' is its least value */
    roster_experts *e = tables(2, 1, 2, apart);
    assert_true(divergence(e, NULL, false, 0, 1) == INFINITY && divergence(e, NULL, false, 1, 0) == INFINITY);
    assert_true(divergence(e, NULL, true, 0, 1) == 1 && divergence(e, NULL, true, 1, 0) == 1);
    roster_experts_free(e);
}

/* Experts are taken in blocks of 64; a pair of its own must not notice. */
static void many_experts_equal_pairs(void **state)
{
    (void)state;
    const size_t sizes[] = {63, 64, 65, MOST};
    roster_rng rng;
    roster_rng_init(&rng, 12, 0, ROSTER_ROLE_SETUP);
    for (size_t s = 0; s < 4; s++) {
        instance in;
        double m[MOST], pair[12], mine[2];
        instance_random(&in, &rng, sizes[s], 2, 3, 0.01);
        for (size_t k = 0; k < in.n; k += 31) {
            roster_divergence_column(in.experts, in.p, false, k, m);
            for (size_t i = 0; i < in.n; i++) {
                for (size_t c = 0; c < 6; c++) {
                    pair[c] = in.pi[i * 6 + c];
                    pair[6 + c] = in.pi[k * 6 + c];
                }
                roster_experts *e = tables(2, 2, 3, pair);
                roster_divergence_column(e, in.p, false, 1, mine);
                assert_true(m[i] == mine[0]);
                roster_experts_free(e);
            }
        }
        instance_free(&in);
    }
}

static void feature_experts_are_their_sample(void **state)
{
    (void)state;
    const double weights[12] = {0.5, -1, 2, 0.25, 0, 1, -3, 0.1, 0.7, 0.7, 1, -2}, sample[6] = {0, 0, 1, -1, 0.3, 0.5};
    const roster_softmax model = {
        .experts = 2, .actions = 3, .features = 2, .weights = weights, .floor = 0.01, .sample = sample, .samples = 3};
    const roster_error_bounds known = {.xi = 1e-4, .p_V = .01, .p_X = .3};
    double pi[18];
    roster_experts *soft, *external;
    roster_error err;
    assert_ok(roster_experts_softmax(&soft, &model, &err), &err);
    for (size_t c = 0; c < 18; c++)
        pi[c] = roster_experts_probability(soft, c / 9, c / 3 % 3, c % 3);
    roster_experts *table = tables(2, 3, 3, pi);
    assert_ok(roster_experts_external(&external, 2, 3, 3, pi, NULL, &err), &err);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 2; i++) {
            assert_true(divergence(soft, NULL, false, i, k) == divergence(table, NULL, false, i, k));
            assert_true(divergence(external, NULL, false, i, k) == divergence(table, NULL, false, i, k));
            assert_true(lower(soft, &known, i, k) == lower(table, &known, i, k));
        }
    assert_true(divergence(soft, NULL, false, 0, 1) > 1.1);
    roster_experts_free(soft);
    roster_experts_free(external);
    roster_experts_free(table);
}

static void lower_divergence_check_values(void **state)
{
    (void)state;
    const roster_error_bounds fine = {.xi = .001, .p_V = .05, .p_X = .2}, coarse = {.xi = .03, .p_V = .05, .p_X = .2};
    const roster_error_bounds exact = {.xi = 0, .p_V = .05, .p_X = .5};
    roster_experts *e = spec_experts();
    assert_close(lower(e, &fine, 0, 2), 11.5762394650239, 1e-12);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            assert_true(lower(e, &coarse, i, k) == 1);
            assert_close(lower(e, &fine, i, k), defined_lower(e, &fine, i, k), 1e-12);
            /* No error and contexts known to be uniform: the bound is the divergence itself. */
            assert_close(lower(e, &exact, i, k), divergence(e, NULL, false, i, k), 1e-12);
        }
    roster_experts_free(e);
}

static void lower_follows_the_definition(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 13, 0, ROSTER_ROLE_SETUP);
    for (int round = 0; round < 300; round++) {
        instance in;
        instance_random(&in, &rng, random_size(&rng, 1, 9), random_size(&rng, 1, 6), random_size(&rng, 1, 8), 0.02);
        double floor = roster_experts_floor(in.experts);
        const roster_error_bounds known = {.xi = floor * roster_rng_uniform(&rng) * floor,
                                           .p_V = floor,
                                           .p_X = roster_rng_uniform(&rng) / (double)in.x};
        for (size_t k = 0; k < in.n; k++)
            for (size_t i = 0; i < in.n; i++)
                assert_close(lower(in.experts, &known, i, k), defined_lower(in.experts, &known, i, k), 1e-9);
        instance_free(&in);
    }
}

/* pi moved by at most xi, rows still summing to 1: what an estimate may look like. */
static roster_experts *estimate(const instance *truth, roster_rng *rng, double xi)
{
    size_t count = truth->n * truth->x * truth->v;
    double *pi = malloc(count * sizeof *pi);
    assert_non_null(pi);
    for (size_t c = 0; c < count; c++)
        pi[c] = truth->pi[c];
    for (size_t c = 0; c + 1 < count; c += 2) { /* pairs within a row: V is even */
        double shift = xi * (2 * roster_rng_uniform(rng) - 1);
        pi[c] += shift;
        pi[c + 1] -= shift;
    }
    roster_experts *e = tables(truth->n, truth->x, truth->v, pi);
    free(pi);
    return e;
}

static void lower_is_below_the_truth(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 14, 0, ROSTER_ROLE_SETUP);
    size_t informative = 0;
    for (int round = 0; round < 300; round++) {
        instance in;
        instance_random(&in, &rng, 4, random_size(&rng, 1, 5), 2 * random_size(&rng, 2, 4), 0.05);
        double p_V = roster_experts_floor(in.experts), p_X = 1;
        for (size_t x = 0; x < in.x; x++)
            p_X = fmin(p_X, in.p[x]);
        const roster_error_bounds known = {.xi = p_V * p_V * 0.9 * roster_rng_uniform(&rng), .p_V = p_V, .p_X = p_X};
        roster_experts *e = estimate(&in, &rng, known.xi);
        for (size_t k = 0; k < in.n; k++)
            for (size_t i = 0; i < in.n; i++) {
                double lo = lower(e, &known, i, k);
                assert_true(lo >= 1 && lo <= divergence(in.experts, in.p, false, i, k) * (1 + 1e-12));
                informative += lo > 1.01;
            }
        roster_experts_free(e);
        instance_free(&in);
    }
    assert_true(informative > 1000); /* a bound that is always 1 would hold too */
}

static void lower_with_zero_estimates(void **state)
{
    (void)state;
    const roster_error_bounds known = {.xi = 1e-3, .p_V = .1, .p_X = .5}, exact = {.xi = 0, .p_V = .1, .p_X = 1};
    roster_experts *toy = tables(2, 2, 3, toy_pi);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 2; i++) {
            assert_true(isfinite(lower(toy, &known, i, k)));
            assert_close(lower(toy, &known, i, k), defined_lower(toy, &known, i, k), 1e-12);
        }
    roster_experts_free(toy);
    const double pi[] = {.25, .25, .5, .5, .5, 0}; /* without error this is the modified divergence */
    roster_experts *e = tables(2, 1, 3, pi);
    assert_close(lower(e, &exact, 0, 1), divergence(e, NULL, true, 0, 1), 1e-12);
    assert_close(lower(e, &exact, 1, 0), divergence(e, NULL, true, 1, 0), 1e-12);
    roster_experts_free(e);
    roster_estimates *unseen; /* rows of zeros: nothing is claimed */
    roster_error err;
    assert_ok(roster_estimates_create(&unseen, 2, 1, 3, NULL, &err), &err);
    assert_ok(roster_estimates_add(unseen, 0, 0, 1, 10, &err), &err);
    assert_ok(roster_estimates_experts(unseen, &e, &err), &err);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 2; i++)
            assert_true(lower(e, &known, i, k) == 1);
    roster_experts_free(e);
    roster_estimates_free(unseen);
}

/* The bound's largest term alone: p_X (q - xi) r_lo e^(r_lo - 1). */
static void lower_with_large_ratios(void **state)
{
    (void)state;
    const double least[] = {5e-4, 5e-7, 5e-13};
    for (size_t j = 0; j < sizeof least / sizeof *least; j++) {
        const double q = least[j], pi[] = {0.5, 0.5, q, 1 - q};
        const roster_error_bounds known = {.xi = q * q / 100, .p_V = q, .p_X = 1};
        double a = known.xi / (q * (q - known.xi)), lo = 0.5 / q - a;
        roster_experts *e = tables(2, 1, 2, pi);
        assert_close(lower(e, &known, 0, 1), lo + log((q - known.xi) * lo), 1e-13);
        roster_experts_free(e);
    }
}

/* An estimate of at most xi has no weight, however large its ratio. */
static void lower_ignores_estimates_below_the_error(void **state)
{
    (void)state;
    const roster_error_bounds known = {.xi = .001, .p_V = .05, .p_X = 1};
    const double pi[] = {.5, .4, .1, .0005, .0195, .98};
    roster_experts *e = tables(2, 1, 3, pi);
    assert_close(lower(e, &known, 0, 1), defined_lower(e, &known, 0, 1), 1e-12);
    assert_close(lower(e, &known, 0, 1), 19.1156241927327, 1e-12);
    roster_experts_free(e);
}

/* p(x) pi_i below the smallest double, and its product with exp still counts. */
static void tiny_products_count(void **state)
{
    (void)state;
    const double p[] = {1e-30, 1};
    const double table[] = {1e-300, 1, .5, .5, 1e-300 / 800, 1, .5, .5};
    roster_error err;
    roster_experts *e;
    double m[2];
    assert_ok(roster_experts_tables(&e, 2, 2, 2, table, NULL, &err), &err);
    roster_divergence_column(e, p, false, 1, m);
    /* ln( 1e-330 e^800 + e ), by hand */
    assert_close(m[0], (double)logl(expl(800 - 330 * logl(10)) + expl(1)), 1e-12);
    roster_experts_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergence_check_values),
        cmocka_unit_test(tiny_products_count),
        cmocka_unit_test(random_instances_follow_the_definition),
        cmocka_unit_test(null_is_uniform),
        cmocka_unit_test(impossible_contexts_are_ignored),
        cmocka_unit_test(large_ratios_stay_finite),
        cmocka_unit_test(infinite_where_k_cannot_follow),
        cmocka_unit_test(many_experts_equal_pairs),
        cmocka_unit_test(feature_experts_are_their_sample),
        cmocka_unit_test(lower_divergence_check_values),
        cmocka_unit_test(lower_follows_the_definition),
        cmocka_unit_test(lower_is_below_the_truth),
        cmocka_unit_test(lower_with_zero_estimates),
        cmocka_unit_test(lower_with_large_ratios),
        cmocka_unit_test(lower_ignores_estimates_below_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
