/*
 * test_estimates.c: counts and the experts they make (lib/expert/estimates.c), through the public header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "roster.h"

enum { N = 3, X = 2, V = 3 };

static const double truth_pi[N * X * V] = {
    0.7, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2, 0.5, 0.3, 0.4, 0.4, 0.2, 0.05, 0.05, 0.9, 0.3, 0.1, 0.6,
};

static roster_estimates *new_estimates(size_t n, size_t x, size_t v)
{
    roster_estimates *e;
    roster_error err;
    assert_int_equal(roster_estimates_create(&e, n, x, v, NULL, &err), ROSTER_OK);
    return e;
}

static roster_experts *new_truth(const double *pi)
{
    roster_experts *truth;
    roster_error err;
    assert_int_equal(roster_experts_tables(&truth, N, X, V, pi, NULL, &err), ROSTER_OK);
    return truth;
}

static void assert_refused(int code, const roster_error *err, const char *sentence)
{
    assert_int_equal(code, ROSTER_EINVAL);
    assert_int_equal(err->code, ROSTER_EINVAL);
    assert_string_equal(err->msg, sentence);
}

static uint64_t row_total(const roster_estimates *e, size_t k, size_t x, size_t v)
{
    uint64_t total = 0;
    for (size_t a = 0; a < v; a++)
        total += roster_estimates_count(e, k, x, a);
    return total;
}

static void counts_become_frequencies(void **state)
{
    (void)state;
    static const char *const names[] = {"newest", "cheapest"};
    roster_estimates *e;
    roster_experts *experts;
    roster_error err;
    assert_int_equal(roster_estimates_create(&e, 2, 2, 3, names, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 1, 0, 2, 3, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 1, 0, 1, 1, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 1, 0, 2, 4, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 0, 1, 0, 10, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_count(e, 1, 0, 2), 7);
    assert_int_equal(roster_estimates_count(e, 1, 0, 1), 1);
    assert_int_equal(roster_estimates_count(e, 1, 0, 0), 0);
    assert_int_equal(roster_estimates_experts(e, &experts, &err), ROSTER_OK);
    roster_estimates_free(e); /* the experts do not need it any more */
    assert_int_equal(roster_experts_kind(experts), ROSTER_TABLES);
    assert_string_equal(roster_experts_name(experts, 0), "newest");
    assert_string_equal(roster_experts_name(experts, 1), "cheapest");
    assert_true(roster_experts_probability(experts, 1, 0, 0) == 0);
    assert_true(roster_experts_probability(experts, 1, 0, 1) == 0.125);
    assert_true(roster_experts_probability(experts, 1, 0, 2) == 0.875);
    assert_true(roster_experts_probability(experts, 0, 1, 0) == 1);
    for (size_t v = 0; v < 3; v++) { /* never seen: nothing is claimed */
        assert_true(roster_experts_probability(experts, 0, 0, v) == 0);
        assert_true(roster_experts_probability(experts, 1, 1, v) == 0);
    }
    roster_experts_free(experts);
}

static void a_stream_of_records_adds_up(void **state)
{
    (void)state;
    enum { RECORDS = 20000 };
    roster_estimates *one = new_estimates(N, X, V);
    uint64_t expected[N][X][V] = {{{0}}}, sum = 0;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_SETUP);
    for (int i = 0; i < RECORDS; i++) {
        size_t k = roster_rng_below(&rng, N), x = roster_rng_below(&rng, X);
        size_t v = roster_experts_draw(truth_pi + (k * X + x) * V, V, roster_rng_uniform(&rng));
        assert_int_equal(roster_estimates_add(one, k, x, v, 1, NULL), ROSTER_OK);
        expected[k][x][v]++;
    }
    roster_experts *experts;
    assert_int_equal(roster_estimates_experts(one, &experts, NULL), ROSTER_OK);
    for (size_t i = 0; i < N * X * V; i++) {
        size_t k = i / (X * V), x = i / V % X, v = i % V;
        sum += roster_estimates_count(one, k, x, v);
        assert_int_equal(roster_estimates_count(one, k, x, v), expected[k][x][v]);
        double share = (double)expected[k][x][v] / (double)row_total(one, k, x, V);
        assert_true(roster_experts_probability(experts, k, x, v) == share);
        assert_true(fabs(share - truth_pi[i]) < 5 * sqrt(0.25 / (RECORDS / (N * X) * 0.9)));
    }
    assert_int_equal(sum, RECORDS);
    roster_experts_free(experts);
    roster_estimates_free(one);
}

static void min_samples_is_over_experts_and_contexts(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(2, 2, 2);
    assert_int_equal(roster_estimates_min_samples(e), 0);
    for (size_t k = 0; k < 2; k++)
        for (size_t x = 0; x < 2; x++) {
            assert_int_equal(roster_estimates_add(e, k, x, 0, 10 + 2 * k + x, NULL), ROSTER_OK);
            assert_int_equal(roster_estimates_add(e, k, x, 1, 5, NULL), ROSTER_OK);
        }
    assert_int_equal(roster_estimates_min_samples(e), 15);
    assert_int_equal(roster_estimates_add(e, 0, 0, 1, 100, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_min_samples(e), 16);
    roster_estimates_free(e);
}

static void xi_of_the_paper(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(1, 1, 10);
    assert_true(roster_estimates_xi(e, 0.1) == INFINITY);
    assert_int_equal(roster_estimates_add(e, 0, 0, 3, UINT64_C(47970000000000), NULL), ROSTER_OK);
    /* p_V = .02, gamma = .3, T = 5e5 asks for 4.797e13 samples to have xi = 2.4e-6. */
    assert_true(fabs(roster_estimates_xi(e, 1 / 5e5) / 2.4e-6 - 1) < 1e-3);
    assert_true(fabs(roster_estimates_xi(e, 0.5) - sqrt(20 * log(4) / 4.797e13)) < 1e-20);
    assert_true(fabs(roster_estimates_xi(e, 1) - sqrt(20 * log(2) / 4.797e13)) < 1e-20);
    roster_estimates_free(e);
}

static void xi_is_infinite_while_a_row_is_empty(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(1, 2, 2);
    assert_int_equal(roster_estimates_add(e, 0, 1, 0, 1000, NULL), ROSTER_OK);
    assert_true(roster_estimates_xi(e, 0.05) == INFINITY);
    assert_int_equal(roster_estimates_add(e, 0, 0, 0, 1000, NULL), ROSTER_OK);
    assert_true(fabs(roster_estimates_xi(e, 0.05) - sqrt(4 * log(40) / 1000)) < 1e-15);
    roster_estimates_free(e);
}

/* Clopper and Pearson by hand: 8 of 10 at tail .025 is [.4439, .9748]; nothing of n leaves 1 - tail^(1/n). */
static void exact_xi_of_few_counts(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(1, 1, 2);
    assert_true(roster_estimates_xi_exact(e, 0.05) == INFINITY);
    assert_int_equal(roster_estimates_add(e, 0, 0, 0, 8, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 0, 0, 1, 2, NULL), ROSTER_OK);
    assert_true(fabs(roster_estimates_xi_exact(e, 0.05) - (0.8 - 0.44390453769235845822)) < 1e-13);
    roster_estimates_free(e);
    e = new_estimates(2, 1, 3);
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(roster_estimates_add(e, k, 0, 2, 100, NULL), ROSTER_OK);
    assert_true(fabs(roster_estimates_xi_exact(e, 0.12) - (1 - pow(0.01, 0.01))) < 1e-13);
    roster_estimates_free(e);
}

/* The smaller of Clopper and Pearson's and Hoeffding's is always the former; many samples are no trouble. */
static void exact_xi_is_within_hoeffding(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 7, 0, ROSTER_ROLE_ESTIMATES);
    for (uint64_t samples = 10; samples < UINT64_C(10000000000000000); samples *= 10) {
        roster_estimates *e = new_estimates(N, X, V);
        roster_experts *truth = new_truth(truth_pi);
        assert_int_equal(roster_estimates_draw(e, truth, NULL, samples, &rng, NULL), ROSTER_OK);
        double least = (double)roster_estimates_min_samples(e), xi = roster_estimates_xi_exact(e, 0.01);
        double hoeffding = sqrt(log(2 * N * X * V / 0.01) / (2 * least));
        assert_true(xi < hoeffding && xi > hoeffding / 5);
        assert_true(xi < roster_estimates_xi(e, 0.01) && xi > roster_estimates_xi_exact(e, 0.1));
        roster_experts_free(truth);
        roster_estimates_free(e);
    }
}

static void draw_finds_the_truth_within_xi(void **state)
{
    (void)state;
    static const double prior[X] = {0.05, 0.95};
    const uint64_t samples = UINT64_C(1000000000000000);
    roster_estimates *e = new_estimates(N, X, V);
    roster_experts *truth = new_truth(truth_pi), *experts;
    roster_rng rng;
    roster_rng_init(&rng, 2, 0, ROSTER_ROLE_ESTIMATES);
    assert_int_equal(roster_estimates_draw(e, truth, prior, samples, &rng, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_experts(e, &experts, NULL), ROSTER_OK);
    const double xi = roster_estimates_xi(e, 1e-6);
    assert_true(xi > 1e-7 && xi < 2e-6);
    double off = 0;
    for (size_t i = 0; i < N * X * V; i++)
        off = fmax(off, fabs(roster_experts_probability(experts, i / (X * V), i / V % X, i % V) - truth_pi[i]));
    assert_true(off < xi);
    assert_true(off > xi * 1e-3); /* drawn, not copied */
    for (size_t k = 0; k < N; k++) {
        uint64_t rare = row_total(e, k, 0, V);
        assert_int_equal(rare + row_total(e, k, 1, V), samples);
        assert_true(fabs((double)rare - 0.05e15) < 5 * sqrt(1e15 * 0.05 * 0.95));
    }
    roster_experts_free(experts);
    roster_experts_free(truth);
    roster_estimates_free(e);
}

static void draws_add_to_what_is_there(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(N, X, V);
    roster_experts *truth = new_truth(truth_pi);
    roster_rng rng, same;
    roster_rng_init(&rng, 3, 0, ROSTER_ROLE_ESTIMATES);
    same = rng;
    assert_int_equal(roster_estimates_add(e, 0, 0, 0, 5, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_draw(e, truth, NULL, 0, &rng, NULL), ROSTER_OK);
    assert_int_equal(row_total(e, 0, 0, V) + row_total(e, 0, 1, V), 5);
    assert_int_equal(roster_estimates_draw(e, truth, NULL, 1000, &rng, NULL), ROSTER_OK);
    assert_int_equal(row_total(e, 0, 0, V) + row_total(e, 0, 1, V), 1005);
    assert_int_equal(row_total(e, 2, 0, V) + row_total(e, 2, 1, V), 1000);
    assert_true(labs((long)row_total(e, 2, 0, V) - 500) < 80); /* uniform over contexts, five deviations */
    roster_estimates *again = new_estimates(N, X, V);
    assert_int_equal(roster_estimates_draw(again, truth, NULL, 1000, &same, NULL), ROSTER_OK);
    for (size_t i = 0; i < N * X * V; i++) {
        size_t k = i / (X * V), x = i / V % X, v = i % V;
        assert_int_equal(roster_estimates_count(e, k, x, v), roster_estimates_count(again, k, x, v) + (i == 0 ? 5 : 0));
    }
    roster_estimates_free(again);
    roster_experts_free(truth);
    roster_estimates_free(e);
}

static void draw_leaves_the_impossible_at_zero(void **state)
{
    (void)state;
    static const double pi[N * X * V] = {0, 1, 0, 0.5, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0.2, 0.8, 0.2, 0.8, 0};
    static const double prior[X] = {0, 1};
    roster_estimates *e = new_estimates(N, X, V);
    roster_experts *truth = new_truth(pi);
    roster_rng rng;
    roster_rng_init(&rng, 4, 0, ROSTER_ROLE_ESTIMATES);
    assert_int_equal(roster_estimates_draw(e, truth, prior, UINT64_C(1) << 62, &rng, NULL), ROSTER_OK);
    assert_int_equal(roster_estimates_min_samples(e), 0);
    for (size_t k = 0; k < N; k++) {
        assert_int_equal(row_total(e, k, 0, V), 0);
        assert_int_equal(row_total(e, k, 1, V), UINT64_C(1) << 62);
        for (size_t v = 0; v < V; v++)
            assert_true((roster_estimates_count(e, k, 1, v) > 0) == (pi[(k * X + 1) * V + v] > 0));
    }
    roster_experts_free(truth);
    roster_estimates_free(e);
}

static void create_refuses(void **state)
{
    (void)state;
    static const char *const names[] = {"a", ""};
    roster_estimates *e = (roster_estimates *)&e;
    roster_error err;
    assert_refused(roster_estimates_create(&e, 2, 0, 3, NULL, &err), &err,
                   "2 experts, 0 contexts, 3 actions: there must be at least one of each");
    assert_null(e);
    assert_refused(roster_estimates_create(&e, SIZE_MAX / 2, 3, 7, NULL, &err), &err,
                   "9223372036854775807 experts x 3 contexts x 7 actions do not fit into memory");
    assert_null(e);
    assert_refused(roster_estimates_create(&e, 2, 1, 1, names, &err), &err, "names[1] is empty, must name the expert");
    assert_null(e);
    roster_estimates_free(NULL);
}

static void add_refuses(void **state)
{
    (void)state;
    roster_estimates *e = new_estimates(5, 1, 2);
    roster_error err;
    assert_refused(roster_estimates_add(e, 7, 0, 0, 1, &err), &err,
                   "expert 7 does not exist, there are 5 experts (0..4)");
    assert_refused(roster_estimates_add(e, 4, 1, 0, 1, &err), &err, "context 1 does not exist, there is 1 context (0)");
    assert_refused(roster_estimates_add(e, 4, 0, 2, 1, &err), &err,
                   "action 2 does not exist, there are 2 actions (0..1)");
    assert_int_equal(roster_estimates_add(e, 7, 0, 0, 1, NULL), ROSTER_EINVAL);
    assert_int_equal(roster_estimates_add(e, 4, 0, 1, UINT64_MAX - 5, &err), ROSTER_OK);
    assert_refused(roster_estimates_add(e, 4, 0, 0, 6, &err), &err,
                   "expert 4 has 18446744073709551610 samples in context 0, 6 more do not fit into 64 bits");
    assert_int_equal(roster_estimates_count(e, 4, 0, 0), 0);
    assert_int_equal(roster_estimates_add(e, 4, 0, 0, 5, &err), ROSTER_OK);
    assert_int_equal(row_total(e, 4, 0, 2), UINT64_MAX);
    roster_estimates_free(e);
}

static void draw_refuses_and_changes_nothing(void **state)
{
    (void)state;
    static const double short_prior[X] = {0.5, 0.4}, bad_prior[X] = {-0.5, 1.5};
    roster_estimates *e = new_estimates(N, X, V), *other = new_estimates(N, X, V + 1);
    roster_experts *truth = new_truth(truth_pi), *external, *unseen;
    roster_rng rng, before;
    roster_error err;
    assert_int_equal(roster_experts_external(&external, N, X, V, truth_pi, NULL, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_experts(e, &unseen, &err), ROSTER_OK);
    assert_int_equal(roster_estimates_add(e, 2, 1, 0, UINT64_MAX - 10, &err), ROSTER_OK);
    roster_rng_init(&rng, 5, 0, ROSTER_ROLE_ESTIMATES);
    before = rng;
    assert_refused(roster_estimates_draw(other, truth, NULL, 10, &rng, &err), &err,
                   "the truth has 3 experts x 2 contexts x 3 actions, the estimates have 3 x 2 x 4");
    assert_refused(roster_estimates_draw(e, external, NULL, 10, &rng, &err), &err,
                   "samples can be drawn only from experts that are tables");
    assert_refused(roster_estimates_draw(e, unseen, NULL, 10, &rng, &err), &err,
                   "truth: experts[0].table[0] sums to 0, must be 1");
    assert_refused(roster_estimates_draw(e, truth, short_prior, 10, &rng, &err), &err, "prior sums to 0.9, must be 1");
    assert_refused(roster_estimates_draw(e, truth, bad_prior, 10, &rng, &err), &err,
                   "prior[0] is -0.5, must be a probability");
    assert_refused(roster_estimates_draw(e, truth, NULL, (UINT64_C(1) << 62) + 1, &rng, &err), &err,
                   "samples is 4611686018427387905, must be at most 2^62");
    assert_refused(roster_estimates_draw(e, truth, NULL, 11, &rng, &err), &err,
                   "expert 2 has 18446744073709551605 samples in context 1, 11 more do not fit into 64 bits");
    for (size_t i = 0; i < N * X * V; i++) {
        uint64_t expected = i == (2 * X + 1) * V ? UINT64_MAX - 10 : 0;
        assert_int_equal(roster_estimates_count(e, i / (X * V), i / V % X, i % V), expected);
    }
    assert_int_equal(roster_rng_u64(&rng), roster_rng_u64(&before));
    roster_experts_free(unseen);
    roster_experts_free(external);
    roster_experts_free(truth);
    roster_estimates_free(other);
    roster_estimates_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_become_frequencies),
        cmocka_unit_test(a_stream_of_records_adds_up),
        cmocka_unit_test(min_samples_is_over_experts_and_contexts),
        cmocka_unit_test(xi_of_the_paper),
        cmocka_unit_test(xi_is_infinite_while_a_row_is_empty),
        cmocka_unit_test(exact_xi_of_few_counts),
        cmocka_unit_test(exact_xi_is_within_hoeffding),
        cmocka_unit_test(draw_finds_the_truth_within_xi),
        cmocka_unit_test(draws_add_to_what_is_there),
        cmocka_unit_test(draw_leaves_the_impossible_at_zero),
        cmocka_unit_test(create_refuses),
        cmocka_unit_test(add_refuses),
        cmocka_unit_test(draw_refuses_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
