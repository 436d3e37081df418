/*
 * test_experts.c: expert sets of all kinds (lib/expert/experts.c, names.c, softmax.c): what is refused and with which
 * sentence, what is kept, and how actions are drawn.
 */
#include "support.h"

#include "expert.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 100000 };

/* Spoils one number of SPEC's table: the sentence, as tables and as external experts. */
static void refuse_number(size_t at, double number, const char *sentence)
{
    double pi[18];
    roster_experts *e = (roster_experts *)pi;
    roster_error err;
    memcpy(pi, spec_pi, sizeof pi);
    pi[at] = number;
    assert_refused(roster_experts_tables(&e, 3, 2, 3, pi, NULL, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(e);
    assert_refused(roster_experts_external(&e, 3, 2, 3, pi, NULL, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(e);
    assert_int_equal(roster_experts_tables(&e, 3, 2, 3, pi, NULL, NULL), ROSTER_EINVAL);
}

static void refuse_shape(size_t n, size_t x, size_t v, int code, const char *sentence)
{
    roster_experts *e;
    roster_error err;
    assert_refused(roster_experts_tables(&e, n, x, v, spec_pi, NULL, &err), &err, code, sentence);
    assert_null(e);
}

static void tables_refused(void **state)
{
    (void)state;
    roster_experts *e;
    roster_error err;
    refuse_number(0, NAN, "experts[0].table[0][0] is nan, must be a probability");
    refuse_number(7, -0.25, "experts[1].table[0][1] is -0.25, must be a probability");
    refuse_number(17, 1.5, "experts[2].table[1][2] is 1.5, must be a probability");
    refuse_number(5, INFINITY, "experts[0].table[1][2] is inf, must be a probability");
    refuse_number(10, 1e-310, "experts[1].table[1][1] is 1e-310, must be 0 or at least 2.22507e-308");
    refuse_number(9, 0.3, "experts[1].table[1] sums to 0.9, must be 1");
    refuse_number(14, 0.9 + 1e-8, "experts[2].table[0] sums to 1.00000001, must be 1");
    assert_refused(roster_experts_tables(&e, 3, 2, 3, NULL, NULL, &err), &err, ROSTER_EINVAL,
                   "the experts' table is missing");
    assert_null(e);
    refuse_shape(0, 2, 3, ROSTER_EINVAL, "0 experts, 2 contexts, 3 actions: there must be at least one of each");
    refuse_shape(3, 0, 3, ROSTER_EINVAL, "3 experts, 0 contexts, 3 actions: there must be at least one of each");
    refuse_shape(3, 2, 0, ROSTER_EINVAL, "3 experts, 2 contexts, 0 actions: there must be at least one of each");
    refuse_shape(SIZE_MAX, 2, 1, ROSTER_EINVAL,
                 "18446744073709551615 experts x 2 contexts x 1 actions do not fit into memory");
    refuse_shape((size_t)1 << 32, (size_t)1 << 31, 2, ROSTER_EINVAL, /* 2^64 numbers: 0 bytes in 64 bits */
                 "4294967296 experts x 2147483648 contexts x 2 actions do not fit into memory");
    refuse_shape(2, (size_t)1 << 30, (size_t)1 << 31, ROSTER_EINVAL,
                 "2 experts x 1073741824 contexts x 2147483648 actions do not fit into memory");
    refuse_shape(2, (size_t)1 << 58, 2, ROSTER_ENOMEM, "out of memory"); /* fits into a size_t, not into a machine */
    refuse_shape((size_t)1 << 60, 1, 1, ROSTER_ENOMEM, "out of memory"); /* not even its names */
}

static void tables_accepted_at_the_edge(void **state)
{
    (void)state;
    const double rows[] = {1 + 5e-10, 0, 0.5, 0.5 - 9e-10, DBL_MIN, 1};
    roster_experts *e;
    roster_error err;
    assert_ok(roster_experts_tables(&e, 3, 1, 2, rows, NULL, &err), &err);
    for (size_t k = 0; k < 3; k++)
        for (size_t v = 0; v < 2; v++) /* used as given */
            assert_true(roster_experts_probability(e, k, 0, v) == rows[k * 2 + v]);
    roster_experts_free(e);
    roster_experts_free(NULL);
}

static void names_default_and_given(void **state)
{
    (void)state;
    char own[] = "newest";
    const char *const names[] = {own, "zwölf € \"quoted\"", "newest"};
    const char *const missing[] = {"a", NULL, "c"}, *const empty[] = {"a", "b", ""};
    roster_experts *e = spec_experts();
    roster_error err;
    assert_string_equal(roster_experts_name(e, 0), "expert 1");
    assert_string_equal(roster_experts_name(e, 2), "expert 3");
    roster_experts_free(e);
    assert_ok(roster_experts_tables(&e, 3, 2, 3, spec_pi, names, &err), &err);
    own[0] = 'x'; /* they are copies */
    assert_string_equal(roster_experts_name(e, 0), "newest");
    assert_string_equal(roster_experts_name(e, 1), "zwölf € \"quoted\"");
    assert_string_equal(roster_experts_name(e, 2), "newest");
    roster_experts_free(e);
    assert_refused(roster_experts_tables(&e, 3, 2, 3, spec_pi, missing, &err), &err, ROSTER_EINVAL,
                   "names[1] is empty, must name the expert");
    assert_null(e);
    assert_refused(roster_experts_tables(&e, 3, 2, 3, spec_pi, empty, &err), &err, ROSTER_EINVAL,
                   "names[2] is empty, must name the expert");
    assert_null(e);
}

static void many_default_names(void **state)
{
    (void)state;
    enum { MANY = 12345 };
    roster_names names;
    roster_error err;
    char expected[32];
    assert_ok(roster_names_init(&names, MANY, NULL, &err), &err);
    for (size_t k = 0; k < MANY; k++) {
        snprintf(expected, sizeof expected, "expert %zu", k + 1);
        assert_string_equal(roster_names_get(&names, k), expected);
    }
    roster_names_fini(&names);
    roster_names_fini(&names); /* twice is once */
}

static void accessors_and_layout(void **state)
{
    (void)state;
    roster_experts *e = spec_experts();
    assert_int_equal(roster_experts_kind(e), ROSTER_TABLES);
    assert_int_equal(roster_experts_count(e), 3);
    assert_int_equal(roster_experts_contexts(e), 2);
    assert_int_equal(roster_experts_actions(e), 3);
    assert_int_equal(roster_experts_features(e), 0);
    for (size_t x = 0; x < 2; x++)
        for (size_t v = 0; v < 3; v++)
            for (size_t k = 0; k < 3; k++) {
                assert_true(roster_experts_probability(e, k, x, v) == spec_pi[(k * 2 + x) * 3 + v]);
                assert_true(e->pi[(x * 3 + v) * 3 + k] == spec_pi[(k * 2 + x) * 3 + v]);
                assert_ptr_equal(roster_experts_across(e, x, v), e->pi + (x * 3 + v) * 3);
            }
    roster_experts_free(e);
}

static void floor_is_the_smallest(void **state)
{
    (void)state;
    const double ones[] = {1, 1};
    roster_experts *spec = spec_experts(), *toy, *sure;
    roster_error err;
    assert_ok(roster_experts_tables(&toy, 2, 2, 3, toy_pi, NULL, &err), &err);
    assert_ok(roster_experts_tables(&sure, 2, 1, 1, ones, NULL, &err), &err);
    assert_true(roster_experts_floor(spec) == 0.05);
    assert_true(roster_experts_floor(toy) == 0);
    assert_true(roster_experts_floor(sure) == 1);
    roster_experts_free(spec);
    roster_experts_free(toy);
    roster_experts_free(sure);
}

static void external_experts(void **state)
{
    (void)state;
    const char *const names[] = {"a", "b", "c"};
    roster_experts *e;
    roster_error err;
    assert_ok(roster_experts_external(&e, 3, 2, 3, spec_pi, names, &err), &err);
    assert_int_equal(roster_experts_kind(e), ROSTER_EXTERNAL);
    assert_int_equal(roster_experts_contexts(e), 2);
    assert_int_equal(roster_experts_features(e), 0);
    assert_string_equal(roster_experts_name(e, 1), "b");
    assert_true(roster_experts_probability(e, 2, 1, 0) == 0.3);
    roster_experts_free(e);
}

static void draw_at_the_borders(void **state)
{
    (void)state;
    const double pi[] = {0, 0.25, 0, 0.5, 0.25, 0};
    assert_int_equal(roster_experts_draw(pi, 6, 0), 1); /* not 0, though u < nothing is below it */
    assert_int_equal(roster_experts_draw(pi, 6, nextafter(0.25, 0)), 1);
    assert_int_equal(roster_experts_draw(pi, 6, 0.25), 3);
    assert_int_equal(roster_experts_draw(pi, 6, 0.75), 4);
    assert_int_equal(roster_experts_draw(pi, 6, 1 - 0x1p-53), 4);
    const double tenths[] = {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 0}; /* their sum is 1 - 2^-53 */
    double sum = 0;
    for (int v = 0; v < 11; v++)
        sum += tenths[v];
    assert_true(sum == 1 - 0x1p-53);
    assert_int_equal(roster_experts_draw(tenths, 11, 1 - 0x1p-53), 9); /* past the sum: the last that can be */
    const double sure[] = {1};
    assert_int_equal(roster_experts_draw(sure, 1, 0.999), 0);
}

static void draw_frequencies(void **state)
{
    (void)state;
    const double pi[] = {0.1, 0, 0.6, 0.3};
    size_t count[4] = {0};
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, ROSTER_ROLE_WORLD);
    for (int i = 0; i < DRAWS; i++)
        count[roster_experts_draw(pi, 4, roster_rng_uniform(&rng))]++;
    assert_int_equal(count[1], 0);
    for (size_t v = 0; v < 4; v++) /* five standard deviations */
        assert_true(fabs((double)count[v] - DRAWS * pi[v]) <= 5 * sqrt(DRAWS * pi[v] * (1 - pi[v])));
}

/* Two experts, three actions, two features, three sampled contexts. */
static const double weights[12] = {0.5, -1, 2, 0.25, 0, 1, -3, 0.1, 0.7, 0.7, 1, -2},
                    bias[6] = {0.1, -0.2, 0, 1, 0, -1};
static const double sample[6] = {0, 0, 1, -1, 0.3, 2.5};
static const roster_softmax model = {.experts = 2,
                                     .actions = 3,
                                     .features = 2,
                                     .weights = weights,
                                     .bias = bias,
                                     .floor = 0.01,
                                     .sample = sample,
                                     .samples = 3};

static roster_experts *softmax(roster_softmax m)
{
    roster_experts *e;
    roster_error err;
    assert_ok(roster_experts_softmax(&e, &m, &err), &err);
    return e;
}

/* Directly by the formula, with libm in long doubles. */
static double expected_softmax(const roster_softmax *m, size_t k, const double *f, size_t v)
{
    long double mine = 0, total = 0;
    for (size_t a = 0; a < m->actions; a++) {
        long double s = m->bias != NULL ? m->bias[k * m->actions + a] : 0;
        for (size_t i = 0; i < m->features; i++)
            s += (long double)m->weights[(k * m->actions + a) * m->features + i] * f[i];
        total += expl(s);
        mine = a == v ? expl(s) : mine;
    }
    return (double)(m->floor + (1 - (long double)m->actions * m->floor) * mine / total);
}

static void assert_softmax(const roster_softmax *m)
{
    roster_experts *e = softmax(*m);
    double row[3], across[2];
    assert_int_equal(roster_experts_kind(e), ROSTER_SOFTMAX);
    assert_int_equal(roster_experts_contexts(e), 3);
    assert_int_equal(roster_experts_features(e), 2);
    for (size_t x = 0; x < 3; x++)
        for (size_t v = 0; v < 3; v++) {
            roster_experts_across_at(e, sample + 2 * x, v, row, across);
            for (size_t k = 0; k < 2; k++) {
                double p = roster_experts_probability(e, k, x, v);
                assert_close(p, expected_softmax(m, k, sample + 2 * x, v), 1e-12);
                roster_experts_distribution(e, k, sample + 2 * x, row);
                assert_true(row[v] == p && across[k] == p); /* events and divergences see the same bits */
                assert_true(p >= m->floor);
            }
        }
    roster_experts_free(e);
}

static void softmax_values(void **state)
{
    (void)state;
    const double zeros[12] = {0};
    roster_softmax m = model;
    assert_softmax(&m);
    m.bias = NULL;
    assert_softmax(&m);
    m.floor = 0;
    assert_softmax(&m);
    m.floor = 1.0 / 3; /* the whole row */
    assert_softmax(&m);
    m.floor = 0;
    m.weights = zeros;
    roster_experts *e = softmax(m);
    for (size_t i = 0; i < 18; i++)
        assert_close(e->pi[i], 1.0 / 3, 1e-15);
    roster_experts_free(e);
}

static void softmax_extremes(void **state)
{
    (void)state;
    const double steep[12] = {1e100, 0, 0, 0, -1e100, 0, 0, 1, 0, 710, 0, 720};
    const double ends[6] = {1e100, 0, 0, -1, -1e100, 1e100};
    double row[3];
    roster_softmax m = model;
    m.weights = steep;
    m.bias = NULL;
    m.sample = ends;
    m.floor = 0;
    roster_experts *e = softmax(m);
    roster_experts_distribution(e, 0, ends, row); /* scores 1e200, 0, -1e200 */
    assert_true(row[0] == 1 && row[1] == 0 && row[2] == 0);
    roster_experts_distribution(e, 0, ends + 4, row);
    assert_true(row[0] == 0 && row[1] == 0 && row[2] == 1);
    roster_experts_distribution(e, 1, ends + 2, row); /* scores -1, -710, -720: exp gives subnormal numbers */
    assert_true(row[0] == 1 && row[1] == 0 && row[2] == 0);
    for (size_t i = 0; i < 18; i++)
        assert_true(e->pi[i] == 0 || (e->pi[i] >= DBL_MIN && e->pi[i] <= 1));
    roster_experts_free(e);
    m.floor = 0.02;
    e = softmax(m);
    assert_true(roster_experts_floor(e) == 0.02);
    roster_experts_distribution(e, 0, ends, row);
    assert_close(row[0], 0.96, 1e-15);
    roster_experts_free(e);
}

static void refuse_softmax(const roster_softmax *m, const char *sentence)
{
    roster_experts *e;
    roster_error err;
    assert_refused(roster_experts_softmax(&e, m, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(e);
}

static void softmax_numbers_refused(void **state)
{
    (void)state;
    const double bad_weights[12] = {[11] = NAN}, bad_bias[6] = {[5] = -INFINITY}, bad_sample[6] = {[3] = 2e100};
    roster_softmax bad[6] = {model, model, model, model, model, model};
    bad[0].weights = bad_weights;
    bad[1].bias = bad_bias;
    bad[2].sample = bad_sample;
    bad[3].floor = -0.01;
    bad[4].floor = 0.34;
    bad[5].floor = NAN;
    refuse_softmax(&bad[0], "weights[11] is nan, must be a number of at most 1e100 in size");
    refuse_softmax(&bad[1], "bias[5] is -inf, must be a number of at most 1e100 in size");
    refuse_softmax(&bad[2], "sample[3] is 2e+100, must be a number of at most 1e100 in size");
    refuse_softmax(&bad[3], "floor is -0.01, must be between 0 and 1/3");
    refuse_softmax(&bad[4], "floor is 0.34, must be between 0 and 1/3");
    refuse_softmax(&bad[5], "floor is nan, must be between 0 and 1/3");
}

/* What does not exist gives nothing. */
static void numbers_beyond_the_shape(void **state)
{
    (void)state;
    const double pi[] = {.25, .75, .5, .5};
    roster_error err;
    roster_experts *e;
    double m[2];
    assert_ok(roster_experts_tables(&e, 2, 1, 2, pi, NULL, &err), &err);
    assert_string_equal(roster_experts_name(e, 2), "");
    assert_string_equal(roster_experts_name(e, SIZE_MAX), "");
    assert_true(roster_experts_probability(e, 2, 0, 0) == 0);
    assert_true(roster_experts_probability(e, 0, SIZE_MAX, 0) == 0);
    assert_true(roster_experts_probability(e, 0, 0, SIZE_MAX) == 0);
    roster_divergence_column(e, NULL, false, SIZE_MAX, m);
    assert_true(m[0] == INFINITY && m[1] == INFINITY);
    roster_divergence_lower_column(e, &(roster_error_bounds){.01, .1, 1}, 2, m);
    assert_true(m[0] == INFINITY && m[1] == INFINITY);
    roster_experts_free(e);
}

/* Experts that are only known by what events will say of them. */
static void no_reference(void **state)
{
    (void)state;
    const double features[] = {.5, -1};
    roster_softmax without = model;
    roster_experts *e, *reference;
    roster_error err;
    double m[3], row[3], expected[3];
    assert_ok(roster_experts_external(&e, 3, 0, 3, NULL, NULL, &err), &err);
    assert_int_equal(roster_experts_contexts(e), 0);
    assert_true(roster_experts_floor(e) == 0);
    assert_true(roster_experts_probability(e, 0, 0, 0) == 0);
    roster_divergence_column(e, NULL, false, 0, m);
    assert_true(m[0] == INFINITY && m[2] == INFINITY);
    roster_experts_free(e);
    assert_refused(roster_experts_tables(&e, 3, 0, 3, NULL, NULL, &err), &err, ROSTER_EINVAL,
                   "the experts' table is missing");
    assert_refused(roster_experts_external(&e, 0, 0, 3, NULL, NULL, &err), &err, ROSTER_EINVAL,
                   "0 experts, 1 contexts, 3 actions: there must be at least one of each");
    without.sample = NULL;
    without.samples = 0;
    assert_ok(roster_experts_softmax(&e, &without, &err), &err);
    assert_ok(roster_experts_softmax(&reference, &model, &err), &err);
    roster_experts_distribution(e, 1, features, row);
    roster_experts_distribution(reference, 1, features, expected);
    assert_memory_equal(row, expected, sizeof row);
    roster_experts_free(e);
    roster_experts_free(reference);
}

static void softmax_shapes_refused(void **state)
{
    (void)state;
    const char *const names[] = {"a", ""};
    roster_softmax bad[11];
    for (size_t i = 0; i < 11; i++)
        bad[i] = model;
    bad[0].features = 0;
    bad[1].weights = NULL;
    bad[2].sample = NULL;
    for (size_t i = 0; i < 2; i++)
        refuse_softmax(&bad[i], "softmax experts need features and weights");
    refuse_softmax(&bad[2], "the sample of 3 contexts is missing");
    bad[3].experts = 0;
    bad[3].samples = 0;
    refuse_softmax(&bad[3], "0 experts, 1 contexts, 3 actions: there must be at least one of each");
    bad[4].experts = 0;
    bad[5].actions = 0;
    bad[6].names = names;
    bad[7].features = SIZE_MAX / 16;
    bad[8].experts = (size_t)1 << 61;
    bad[9].samples = (size_t)1 << 62;
    bad[10].experts = 0; /* refused before the sample is read */
    bad[10].samples = (size_t)1 << 40;
    refuse_softmax(&bad[4], "0 experts, 3 contexts, 3 actions: there must be at least one of each");
    refuse_softmax(&bad[5], "2 experts, 3 contexts, 0 actions: there must be at least one of each");
    refuse_softmax(&bad[6], "names[1] is empty, must name the expert");
    refuse_softmax(&bad[7], "2 experts x 3 actions x 1152921504606846975 features do not fit into memory");
    refuse_softmax(&bad[8], "2305843009213693952 experts x 3 actions x 2 features do not fit into memory");
    refuse_softmax(&bad[9], "2 experts x 3 actions x 2 features do not fit into memory");
    refuse_softmax(&bad[10], "0 experts, 1099511627776 contexts, 3 actions: there must be at least one of each");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_refused),           cmocka_unit_test(tables_accepted_at_the_edge),
        cmocka_unit_test(names_default_and_given),  cmocka_unit_test(many_default_names),
        cmocka_unit_test(accessors_and_layout),     cmocka_unit_test(floor_is_the_smallest),
        cmocka_unit_test(external_experts),         cmocka_unit_test(no_reference),
        cmocka_unit_test(draw_at_the_borders),      cmocka_unit_test(draw_frequencies),
        cmocka_unit_test(softmax_values),           cmocka_unit_test(softmax_extremes),
        cmocka_unit_test(softmax_numbers_refused),  cmocka_unit_test(softmax_shapes_refused),
        cmocka_unit_test(numbers_beyond_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
