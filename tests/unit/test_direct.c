/*
 * test_direct.c: the agent `direct` against the check values of SPEC-2 and, at every round on random instances, against
 * its literal form.
 *
 * Usage: test_direct [instances rounds]. Every index within 1e-9, every choice identical (ties within 1e-12 aside).
 */
#include "direct_duel.h"

#include <stdlib.h>
#include <string.h>

static size_t instances = 40, rounds = 300;

static void check_index(const double *p, const roster_setting *settings, size_t times, const double expected[3])
{
    double u[3];
    roster_experts *e = spec_experts();
    roster_agent *agent = after_spec_rounds(e, p, settings, times);
    roster_agent_index(agent, u);
    for (size_t i = 0; i < 3; i++)
        assert_close(u[i], expected[i], 1e-13);
    assert_int_equal(roster_agent_choose(agent), roster_largest(expected, 3));
    roster_agent_free(agent);
    roster_experts_free(e);
}

static const roster_setting ones[] = {{"kappa", 1, NULL}, {"eta", 1, NULL}, {NULL, 0, NULL}};
static const roster_setting learnt[] = {{"contexts", 0, "learnt"}, {NULL, 0, NULL}};
static const double u_declared[3] = {1.15544416232976, 1.06336480401413, 0.392886321941165};
static const double u_learnt[3] = {1.15293976411264, 1.06174332856168, 0.390970140404919};
static const double u_ones[3] = {1.81172402741247, 1.75588862788603, 1.01172402741247};
static const double u_later[3] = {0.849293506491188, 1.01135141268834, 0.432288533500558};

static void check_values(void **state)
{
    (void)state;
    const double mu[3] = {1.03434739180435, 0.948865191833244, 0.30515821286237};
    check_index(spec_p, NULL, 1, u_declared);
    check_index(NULL, NULL, 1, u_learnt);
    check_index(spec_p, learnt, 1, u_learnt);
    check_index(spec_p, ones, 1, u_ones);
    check_index(spec_p, NULL, 40, u_later);
    roster_experts *e = spec_experts();
    roster_agent *agent = after_spec_rounds(e, spec_p, NULL, 1);
    roster_insight insight;
    for (size_t i = 0; i < 3; i++) {
        roster_agent_insight(agent, i, &insight);
        assert_close(insight.estimate, mu[i], 1e-13);
        assert_close(insight.estimate + insight.width, u_declared[i], 1e-13);
        assert_true(insight.samples > 0 && isnan(insight.clipped));
    }
    assert_true(roster_agent_setting(agent, "kappa") == 6);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void literal_direct(roster_direct_literal *self, const roster_experts *e, const double *p, double kappa,
                           double eta, size_t times)
{
    roster_direct_problem problem = {e, p, kappa, eta, 0};
    assert_int_equal(roster_direct_literal_init(self, &problem, FIVE * times), ROSTER_OK);
    for (size_t t = 0; t < FIVE * times; t++) {
        const roster_event *event = &spec_rounds[t % FIVE];
        roster_direct_literal_add(self, event->expert, event->context * 3 + event->action, event->reward);
    }
    roster_direct_literal_look(self);
}

/* The literal form has the check values too, and those of D alone, which the agent does not show. */
static void literal_check_values(void **state)
{
    (void)state;
    const double mu[3] = {0.676857142857143, 0.632571428571429, 0.454};
    const double alone[3] = {0.719875022382272, 0.675462970438935, 0.506750264787718};
    roster_direct_literal literal;
    roster_experts *e = spec_experts();
    for (size_t i = 0; i < 3; i++) {
        literal_direct(&literal, e, spec_p, 6, 1. / 16, 1);
        assert_close((double)literal.experts[i].u, u_declared[i], 1e-13);
        assert_close((double)literal.experts[i].mu, mu[i], 1e-13);
        assert_close((double)literal.ln_e, -1.08150682076517, 1e-13);
        literal.alone = true;
        roster_direct_literal_look(&literal);
        assert_close((double)literal.experts[i].u, alone[i], 1e-13);
        roster_direct_literal_fini(&literal);
        literal_direct(&literal, e, NULL, 6, 1. / 16, 1);
        assert_close((double)literal.experts[i].u, u_learnt[i], 1e-13);
        roster_direct_literal_fini(&literal);
        literal_direct(&literal, e, spec_p, 1, 1, 1);
        assert_close((double)literal.experts[i].u, u_ones[i], 1e-13);
        roster_direct_literal_fini(&literal);
        literal_direct(&literal, e, spec_p, 6, 1. / 16, 40);
        assert_close((double)literal.experts[i].u, u_later[i], 1e-13);
        roster_direct_literal_fini(&literal);
    }
    roster_experts_free(e);
}

static void context_test_check_values(void **state)
{
    (void)state;
    roster_context_test test, merged;
    uint64_t n[2] = {0, 0};
    roster_context_test_init(&test, spec_p, 2);
    roster_context_test_init(&merged, spec_p, 2);
    for (uint64_t t = 0; t < 5000; t++) {
        size_t x = spec_rounds[t % FIVE].context;
        roster_context_test_learn(&test, x, n[x]++, t);
        if (t == 4)
            assert_close(roster_context_test_ln(&test), -1.08150682076517, 1e-13);
        roster_context_test_set(&merged, n, t + 1);
        assert_close(roster_context_test_ln(&merged), roster_context_test_ln(&test), 1e-10);
    }
    assert_false(test.rejected || merged.rejected);
}

/* A context declared impossible is enough; so are many that come more often than declared. */
static void context_test_rejects(void **state)
{
    (void)state;
    const double never[2] = {0, 1}, seldom[2] = {.01, .99};
    roster_context_test test;
    uint64_t n[2] = {0, 0};
    roster_context_test_init(&test, never, 2);
    roster_context_test_learn(&test, 1, 0, 0);
    assert_false(test.rejected);
    roster_context_test_learn(&test, 0, 0, 1);
    assert_true(test.rejected);
    roster_context_test_reset(&test);
    assert_false(test.rejected);
    roster_context_test_init(&test, seldom, 2);
    uint64_t t = 0;
    for (; !test.rejected; t++)
        roster_context_test_learn(&test, t % 2, n[t % 2]++, t);
    assert_in_range(t, 4, 12);
    roster_context_test_reset(&test);
    roster_context_test_set(&test, n, t);
    assert_true(test.rejected);
}

/* m, z and residuals from the rewards one by one. */
static void cells_by_definition(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    for (size_t n = 0; n <= 40; n++) {
        double y[40], mean = 0, spread = 0, residual = 0, m0 = roster_rng_uniform(&rng);
        roster_pool_cell cell = {0};
        for (size_t i = 0; i < n; i++) {
            y[i] = n % 2 == 0 ? .1 : roster_rng_uniform(&rng);
            cell.n++;
            roster_add(&cell.s, &cell.s_lo, y[i]);
            roster_add(&cell.q, &cell.q_lo, y[i] * y[i]);
            mean += y[i] / (double)n;
        }
        roster_pool_terms terms = roster_pool_look(&cell, m0);
        roster_pool_rest rest = roster_pool_look_on(&cell, m0);
        assert_close(terms.m, (cell.s + m0) / ((double)n + 1), 1e-14);
        for (size_t i = 0; i < n; i++) {
            spread += (y[i] - mean) * (y[i] - mean);
            residual += (y[i] - terms.m) * (y[i] - terms.m) * ((double)n + 1) / (double)n;
        }
        assert_close(terms.z, (spread + .25) / ((double)n + 1), 1e-13);
        assert_true(fabs(rest.residual - residual) <= 1e-13);
        assert_true(fabs(rest.above - (n > 0 ? mean - m0 : 0)) <= 1e-13);
        assert_true(terms.thin == (n < 3));
    }
}

static void equals_literal(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 12, 0, 0);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, &rng, i);
        play_duel(&d, &rng, rounds);
    }
    print_message("# corrected %zu, not %zu, held by their own plays %zu, p rejected in %zu\n", corrected, plain, held,
                  rejected);
    assert_true(corrected > 100 && plain > 100 && held > 100 && rejected > 0);
}

/* However samples are split among agents and in whatever order these are merged, what comes out is alike. */
static void merges_are_alike(void **state)
{
    (void)state;
    enum { PARTS = 4, EVENTS = 700 };
    roster_error err;
    roster_rng rng;
    roster_rng_init(&rng, 9, 0, 0);
    for (size_t number = 0; number < 8; number++) {
        duel d;
        double u[2][64];
        roster_agent *parts[2][PARTS];
        start_duel(&d, &rng, number);
        roster_experts *counted = estimate(&d.world, &rng, 10);
        roster_problem problem = {number % 2 == 0 ? d.world.experts : counted, d.declared, NULL};
        for (size_t i = 0; i < 2 * PARTS; i++)
            assert_ok(roster_agent_create(&parts[i / PARTS][i % PARTS], "direct", &problem, d.settings, 1, 0, &err),
                      &err);
        for (size_t t = 0; t < EVENTS; t++) {
            roster_event event = random_event(&d.world, &rng, (size_t)roster_rng_below(&rng, d.world.n), d.continuous);
            assert_ok(roster_agent_learn(parts[0][t % 2], &event, &err), &err);
            assert_ok(roster_agent_learn(parts[1][roster_rng_below(&rng, PARTS)], &event, &err), &err);
        }
        for (size_t set = 0; set < 2; set++) {
            for (size_t i = PARTS - 1; i > 0; i--)
                assert_ok(roster_agent_merge(parts[set][i - 1], parts[set][i], &err), &err);
            assert_int_equal(roster_agent_rounds(parts[set][0]), EVENTS);
            roster_agent_index(parts[set][0], u[set]);
        }
        for (size_t i = 0; i < d.world.n; i++)
            assert_close(u[0][i], u[1][i], 1e-9);
        for (size_t i = 0; i < 2 * PARTS; i++)
            roster_agent_free(parts[i / PARTS][i % PARTS]);
        roster_experts_free(counted);
        instance_free(&d.world);
    }
}

/* Experts of which many are the same, or nearly: they differ from one of the first three by 0 to 1e-4. */
static void make_crowd(instance *in, roster_rng *rng, size_t n)
{
    roster_error err;
    instance_random(in, rng, n, 3, 4, .02);
    for (size_t k = 3; k < n; k++) {
        double shift = k % 5 == 0 ? 0 : pow(10, -4 - (double)(k % 11));
        for (size_t row = 0; row < in->x && k % 7 != 0; row++) {
            double *pi = in->pi + (k * in->x + row) * in->v;
            memcpy(pi, in->pi + (k % 3 * in->x + row) * in->v, in->v * sizeof *pi);
            pi[k % in->v] += shift / 2;
            pi[(k + 1) % in->v] -= shift / 2;
        }
    }
    roster_experts_free(in->experts);
    assert_ok(roster_experts_tables(&in->experts, n, in->x, in->v, in->pi, NULL, &err), &err);
}

/* The leader is found without most of the indices, and is the one that all of them say. */
static void assert_leads(const roster_agent *agent, double *u, size_t n)
{
    roster_agent_index(agent, u);
    assert_int_equal(roster_agent_choose(agent), roster_leader(u, n));
}

static void many_experts_equal_literal(void **state)
{
    (void)state;
    enum { N = 1003, ROUNDS = 700 };
    roster_rng rng;
    roster_rng_init(&rng, 31, 0, 0);
    for (size_t number = 0; number < 4; number++) {
        double u[N], kappa = number == 3 ? 1e-3 : 2 * N;
        const roster_setting settings[] = {
            {"contexts", 0, number % 2 == 0 ? "declared" : "learnt"}, {"kappa", kappa, NULL}, {NULL, 0, NULL}};
        roster_error err;
        instance in;
        roster_agent *agent;
        roster_direct_literal literal;
        make_crowd(&in, &rng, N);
        roster_direct_problem problem = {in.experts, number % 2 == 0 ? in.p : NULL, kappa, 1. / 16, 0};
        roster_problem given = {in.experts, in.p, NULL};
        assert_ok(roster_agent_create(&agent, "direct", &given, settings, 1, 0, &err), &err);
        assert_int_equal(roster_direct_literal_init(&literal, &problem, ROUNDS), ROSTER_OK);
        for (size_t t = 0; t < ROUNDS; t++) {
            size_t k = t % 3 == 0 ? (size_t)roster_rng_below(&rng, N) : roster_agent_choose(agent);
            roster_event event = random_event(&in, &rng, k, number < 2);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            roster_direct_literal_add(&literal, k, event.context * in.v + event.action, event.reward);
            assert_leads(agent, u, N);
            if (t % 50 > 2)
                continue;
            roster_direct_literal_look(&literal);
            for (size_t i = 0; i < N; i++)
                assert_close(u[i], (double)literal.experts[i].u, 1e-9);
        }
        roster_direct_literal_fini(&literal);
        roster_agent_free(agent);
        instance_free(&in);
    }
}

static void features_refused(void **state)
{
    (void)state;
    roster_error err;
    roster_agent *agent;
    roster_experts *e;
    const double pi[4] = {.5, .5, .1, .9};
    assert_ok(roster_experts_external(&e, 2, 1, 2, pi, NULL, &err), &err);
    assert_refused(roster_agent_create(&agent, "direct", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err,
                   ROSTER_EINVAL, "direct needs experts that are tables: contexts must be numbered");
    roster_experts_free(e);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_values),
        cmocka_unit_test(literal_check_values),
        cmocka_unit_test(cells_by_definition),
        cmocka_unit_test(context_test_check_values),
        cmocka_unit_test(context_test_rejects),
        cmocka_unit_test(equals_literal),
        cmocka_unit_test(merges_are_alike),
        cmocka_unit_test(features_refused),
        cmocka_unit_test(many_experts_equal_literal),
    };
    if (argc > 2) {
        instances = strtoul(argv[1], NULL, 10);
        rounds = strtoul(argv[2], NULL, 10);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
