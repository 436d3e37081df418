/*
 * test_clipped.c: the parts of the running estimator one by one: tally, error term, batches, what is kept.
 */
#include "estimator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void tally_does_not_drift(void **state)
{
    (void)state;
    roster_tally tally = {0};
    double plain = 0;
    assert_int_equal(roster_tally_init(&tally, 1, 1), ROSTER_OK);
    assert_int_equal(roster_tally_reserve(&tally, 1), ROSTER_OK);
    assert_int_equal(roster_tally_open(&tally, 0), 0);
    for (int i = 0; i < 10000000; i++) {
        roster_tally_add(&tally, 0, 1, .1);
        plain += .1;
    }
    assert_int_equal(tally.cells[0].n, 10000000);
    assert_close(roster_tally_mass(&tally, 0), 1e6, 1e-15);
    assert_true(fabs(plain - 1e6) > 1e-5); /* what a plain sum would have made of it */
    roster_tally_fini(&tally);
}

/* e_i by its definition, at a level. */
static double definition(const roster_experts *e, const roster_error_bounds *known, size_t i, double level)
{
    roster_ratio bounds = roster_ratio_bounds(known);
    double largest = 0, *m = malloc(e->n * sizeof *m);
    for (size_t j = 0; j < e->n; j++) {
        roster_divergence_lower_column(e, known, j, m);
        for (size_t cell = 0; cell < e->x * e->v; cell++) {
            double pi_i = e->pi[cell * e->n + i], pi_j = e->pi[cell * e->n + j];
            if (pi_j == 0)
                continue;
            double hi = roster_ratio_high(&bounds, pi_i / pi_j), lo = roster_ratio_low(&bounds, pi_i / pi_j);
            largest = fmax(largest, hi <= 2 * level * m[i] ? hi - lo : hi);
        }
    }
    free(m);
    return largest;
}

static void bias_equals_definition(void **state)
{
    (void)state;
    roster_rng rng;
    size_t steps = 0;
    roster_rng_init(&rng, 1, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        instance in;
        roster_bias bias = {0};
        instance_random(&in, &rng, random_size(&rng, 1, 12), random_size(&rng, 1, 5), random_size(&rng, 1, 6), 1e-4);
        double p_V = .05, xi = p_V * roster_rng_uniform(&rng);
        roster_error_bounds known = {.xi = trial % 4 == 0 ? 0 : xi, .p_V = p_V, .p_X = .5 / (double)in.x};
        assert_int_equal(roster_bias_init(&bias, in.experts, &known), ROSTER_OK);
        for (size_t i = 0; i < in.n; i++) {
            steps += bias.start[i + 1] - bias.start[i] > 1;
            for (double level = -3; level < 30; level += .37)
                assert_close(roster_bias_at(&bias, i, level), definition(in.experts, &known, i, level), 1e-9);
            assert_close(roster_bias_at(&bias, i, INFINITY), bias.least[i], 1e-15);
        }
        roster_bias_fini(&bias);
        instance_free(&in);
    }
    assert_true(steps > 40); /* so many experts had more than one step to get right */
}

static roster_clipped *estimator(const instance *in, double C)
{
    roster_clipped *c = calloc(1, sizeof *c);
    estimator_init(c, &(roster_estimator_problem){.experts = in->experts, .p = in->p, .C = C});
    return c;
}

static void drop(roster_clipped *c)
{
    estimator_fini(c);
    free(c);
}

static roster_sample cell_of(const instance *in, size_t k, size_t cell, uint64_t n, double s)
{
    return (roster_sample){.k = k, .cell = cell, .pi = in->experts->pi + cell * in->n, .n = n, .s = s};
}

/* n samples at once are n samples. */
static void batches_equal_singles(void **state)
{
    (void)state;
    roster_rng rng;
    instance in;
    roster_rng_init(&rng, 2, 0, 0);
    instance_random(&in, &rng, 5, 3, 4, 1e-3);
    roster_clipped *batches = estimator(&in, .5), *singles = estimator(&in, .5);
    for (int round = 0; round < 200; round++) {
        uint64_t n = 1 + roster_rng_below(&rng, 5), ones = roster_rng_below(&rng, n + 1);
        size_t k = (size_t)roster_rng_below(&rng, 5), cell = (size_t)roster_rng_below(&rng, 12);
        roster_sample batch = cell_of(&in, k, cell, n, (double)ones);
        assert_int_equal(roster_clipped_absorb(batches, &batch), ROSTER_OK);
        for (uint64_t i = 0; i < n; i++) {
            roster_sample one = cell_of(&in, k, cell, 1, i < ones);
            assert_int_equal(roster_clipped_absorb(singles, &one), ROSTER_OK);
        }
        for (size_t i = 0; i < 5; i++)
            assert_true(close_enough(roster_clipped_index(batches, i), roster_clipped_index(singles, i)));
    }
    assert_int_equal(batches->tally.t, singles->tally.t);
    drop(batches);
    drop(singles);
    instance_free(&in);
}

/* With C = 0.02 a sample whose threshold is below ln(1/C) is never kept, nor one that earned nothing. */
static void only_movable_samples_are_kept(void **state)
{
    (void)state;
    const double pi[] = {.5, .5, .5, .5}, even[] = {.5, .5}, far[] = {.5, 1e-9};
    roster_error err;
    roster_experts *e;
    roster_clipped c;
    assert_ok(roster_experts_external(&e, 2, 1, 2, pi, NULL, &err), &err);
    estimator_init(&c, &(roster_estimator_problem){.experts = e, .C = .02});
    roster_sample calm = {.k = 0, .cell = ROSTER_NO_CELL, .pi = even, .n = 1, .s = 1};
    roster_sample wild = {.k = 1, .cell = ROSTER_NO_CELL, .pi = far, .n = 1, .s = 1};
    roster_sample poor = wild;
    poor.s = 0;
    for (int i = 0; i < 100; i++)
        assert_int_equal(roster_clipped_absorb(&c, &calm), ROSTER_OK);
    assert_int_equal(roster_clipped_absorb(&c, &poor), ROSTER_OK);
    assert_int_equal(c.tally.count, 0);
    assert_int_equal(roster_clipped_absorb(&c, &wild), ROSTER_OK);
    assert_int_equal(c.tally.count, 1);
    assert_int_equal(c.heaps[0].in + c.heaps[0].out, 1); /* a ratio of 5e8 to expert 0 ... */
    assert_int_equal(c.heaps[1].in + c.heaps[1].out, 0); /* ... and of 1 to the one that acted */
    assert_int_equal(c.tally.plays[1], 2);
    estimator_fini(&c);
    roster_experts_free(e);
}

/* Columns of divergences come one by one, as experts are played. */
static void columns_come_when_played(void **state)
{
    (void)state;
    roster_rng rng;
    instance in;
    roster_rng_init(&rng, 3, 0, 0);
    instance_random(&in, &rng, 50, 2, 3, .01);
    roster_clipped *c = estimator(&in, .02);
    for (size_t k = 10; k < 13; k++) {
        roster_sample sample = cell_of(&in, k, 0, 1, 1);
        assert_int_equal(roster_clipped_absorb(c, &sample), ROSTER_OK);
    }
    for (size_t k = 0; k < 50; k++)
        assert_int_equal(c->prepared->inverse_m[k] != NULL, k >= 10 && k < 13);
    assert_int_equal(c->tally.count, 3 * 6);
    drop(c);
    instance_free(&in);
}

/* A hundred thousand experts, of which few are played: a column each, not the whole table. */
static void hundred_thousand_experts(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    roster_rng rng;
    instance in;
    roster_error err;
    roster_agent *agent;
    roster_rng_init(&rng, 4, 0, 0);
    instance_random(&in, &rng, MANY, 2, 2, .1);
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = in.experts}, NULL, 1, 0, &err), &err);
    for (int t = 0; t < 20; t++) {
        roster_event event = random_event(&in, &rng, roster_agent_choose(agent), false);
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
    }
    assert_in_range(roster_agent_choose(agent), 0, MANY - 1);
    roster_agent_free(agent);
    instance_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tally_does_not_drift),     cmocka_unit_test(bias_equals_definition),
        cmocka_unit_test(batches_equal_singles),    cmocka_unit_test(only_movable_samples_are_kept),
        cmocka_unit_test(columns_come_when_played), cmocka_unit_test(hundred_thousand_experts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
