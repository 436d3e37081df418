/*
 * test_extremes.c: the corners: no NaN ever, no infinity where something is known, and the literal form agrees.
 */
#include "support.h"

#include "literal.h"

#include <float.h>
#include <math.h>

enum { MOST = 8 };

/* What a corner is made of. */
typedef struct corner {
    const char *agent;
    size_t n, x, v;
    const double *pi, *p;
    roster_setting settings[8];
    double reward; /* of every round; -1: 0/1 at random */
    bool shared, empirical;
    roster_error_bounds bounds;
} corner;

static void check_numbers(const double *u, size_t n, size_t t)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(u[i]))
            fail_msg("round %zu: the index of expert %zu is %g", t, i, u[i]);
}

/* 300 rounds of experts in turn or as chosen; returns the last index in u. */
static void visit(const corner *c, double *u)
{
    roster_error err;
    roster_experts *e;
    roster_agent *agent;
    roster_literal literal;
    roster_rng rng;
    assert_ok(roster_experts_tables(&e, c->n, c->x, c->v, c->pi, NULL, &err), &err);
    assert_ok(roster_agent_create(&agent, c->agent, &(roster_problem){e, c->p, NULL}, c->settings, 1, 0, &err), &err);
    roster_estimator_problem known = {
        .experts = e, .p = c->p, .shared = c->shared, .empirical = c->empirical, .bounds = c->bounds};
    known.C = roster_agent_setting(agent, "C");
    assert_int_equal(roster_literal_init(&literal, &known, 300), ROSTER_OK);
    roster_rng_init(&rng, 6, 0, 0);
    for (size_t t = 1; t <= 300; t++) {
        size_t k = t % 2 == 0 ? t / 2 % c->n : roster_agent_choose(agent),
               x = roster_experts_draw(c->p, c->x, roster_rng_uniform(&rng));
        roster_event event = {.expert = k, .context = x};
        event.action = roster_experts_draw(c->pi + (k * c->x + x) * c->v, c->v, roster_rng_uniform(&rng));
        event.reward = c->reward >= 0 ? c->reward : (double)roster_rng_below(&rng, 2);
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        roster_sample sample = {.k = k, .pi = roster_experts_across(e, x, event.action), .n = 1, .s = event.reward};
        roster_literal_add(&literal, &sample);
        roster_agent_index(agent, u);
        check_numbers(u, c->n, t);
        for (size_t i = 0; i < c->n; i++)
            assert_true(close_enough(u[i], roster_literal_index(&literal, i, t)));
    }
    roster_literal_fini(&literal);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static const double one_context[] = {1};

static void one_expert(void **state)
{
    (void)state;
    double u[MOST];
    visit(
        &(corner){
            .agent = "d-ucb", .n = 1, .x = 1, .v = 2, .pi = (const double[]){.3, .7}, .p = one_context, .reward = -1},
        u);
}

static void one_action(void **state)
{
    (void)state;
    double u[MOST];
    visit(
        &(corner){
            .agent = "d-ucb", .n = 3, .x = 1, .v = 1, .pi = (const double[]){1, 1, 1}, .p = one_context, .reward = -1},
        u);
    assert_true(u[0] == u[1] && u[1] == u[2]);
}

/* They tie to the bit, and the first of them is played. */
static void identical_experts(void **state)
{
    (void)state;
    const double pi[] = {.6, .3, .1, .2, .2, .6, .6, .3, .1};
    roster_error err;
    roster_experts *e;
    roster_agent *agent;
    roster_rng rng;
    double u[3];
    size_t firsts = 0;
    assert_ok(roster_experts_tables(&e, 3, 1, 3, pi, NULL, &err), &err);
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err);
    roster_rng_init(&rng, 6, 0, 0);
    for (size_t t = 0; t < 5000; t++) {
        size_t k = t % 3, v = roster_experts_draw(pi + 3 * k, 3, roster_rng_uniform(&rng));
        double y = v == 0 ? 1 : roster_rng_uniform(&rng) * .1;
        assert_ok(roster_agent_learn(agent, &(roster_event){.expert = k, .action = v, .reward = y}, &err), &err);
        roster_agent_index(agent, u);
        assert_true(u[0] == u[2]);
        assert_true(roster_agent_choose(agent) != 2);
        firsts += roster_agent_choose(agent) == 0;
    }
    assert_true(firsts > 4000);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void tiny_probabilities(void **state)
{
    (void)state;
    double u[MOST];
    const double tiny[] = {1e-300, 1, .5, .5, 1, 1e-300}, least[] = {DBL_MIN, 1, .5, .5, 1, DBL_MIN};
    visit(&(corner){.agent = "d-ucb", .n = 3, .x = 1, .v = 2, .pi = tiny, .p = one_context, .reward = -1}, u);
    visit(&(corner){.agent = "d-ucb", .n = 3, .x = 1, .v = 2, .pi = least, .p = one_context, .reward = 1}, u);
    const double rare[] = {1 - 1e-300, 1e-300}, both[] = {.5, .5, .9, .1, .1, .9, 1e-7, 1 - 1e-7};
    visit(&(corner){.agent = "d-ucb", .n = 2, .x = 2, .v = 2, .pi = both, .p = rare, .reward = -1}, u);
}

/* An action that the expert which took it hardly ever takes: ratios of 1e7 and of 1e300. */
static void huge_ratios(void **state)
{
    (void)state;
    const double small[] = {1e-7, 1e-300};
    for (size_t i = 0; i < 2; i++) {
        const double pi[] = {small[i], 1 - small[i], .9, .1};
        roster_error err;
        roster_experts *e;
        roster_agent *agent;
        double u[2];
        assert_ok(roster_experts_tables(&e, 2, 1, 2, pi, NULL, &err), &err);
        assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err);
        for (size_t t = 1; t <= 1000; t++) {
            roster_event event = {.expert = t % 2, .action = t % 3 == 0, .reward = 1};
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            roster_agent_index(agent, u);
            check_numbers(u, 2, t);
        }
        roster_agent_free(agent);
        roster_experts_free(e);
    }
}

/* Probabilities that the caller passes can be far from what the reference contexts suggest: ratios of 1e40 beside
   ratios of 1. They are clipped from the second round on and must leave nothing behind. */
static void outliers_leave_nothing_behind(void **state)
{
    (void)state;
    const double outliers[][2] = {{1e-40, 1e-20}, {1e-20, 1e-40}, {1e-300, 1e-9}, {1e-25, 1e-9}, {3e-308, 3e-308}};
    const char *const agents[] = {"d-ucb", "d-ucb-lite"};
    const double pi[] = {.5, .5, .5, .5};
    for (size_t a = 0; a < 2; a++)
        for (size_t o = 0; o < sizeof outliers / sizeof *outliers; o++) {
            roster_error err;
            roster_experts *e;
            roster_agent *agent, *fresh;
            double u[2], merged[2];
            assert_ok(roster_experts_external(&e, 2, 1, 2, pi, NULL, &err), &err);
            assert_ok(roster_agent_create(&agent, agents[a], &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err);
            assert_ok(roster_agent_create(&fresh, agents[a], &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err);
            for (size_t t = 0; t < 4000; t++) {
                const double even[] = {.5, .5}, odd[] = {outliers[o][t % 2], 1};
                bool out = t < 2 || t == 50;
                roster_event event = {.expert = out ? 0 : t % 2, .reward = .3, .probabilities = out ? odd : even};
                assert_ok(roster_agent_learn(agent, &event, &err), &err);
            }
            roster_agent_index(agent, u);
            /* U_1 = .3 (t - 3) / t + 3/2 eps, expert 0 keeps its three samples: ratio 1 */
            if (a == 0)
                assert_close(u[0] - u[1], .3 * 3 / 4000, 1e-9);
            assert_true(u[1] > .29 && u[1] < .31);
            if (roster_agent_merge(fresh, agent, NULL) == ROSTER_OK) {
                roster_agent_index(fresh, merged);
                assert_true(close_enough(merged[0], u[0]) && close_enough(merged[1], u[1]));
            }
            roster_agent_free(agent);
            roster_agent_free(fresh);
            roster_experts_free(e);
        }
}

/* C of the theory is so large that the level starts below zero: every sample is clipped. */
static void theory_clips_all_at_first(void **state)
{
    (void)state;
    double u[MOST];
    const corner c = {.agent = "d-ucb",
                      .n = 3,
                      .x = 2,
                      .v = 3,
                      .pi = spec_pi,
                      .p = spec_p,
                      .reward = 1,
                      .settings = {{"C", 0, "theory"}, {"gamma", .1, NULL}}};
    roster_error err;
    roster_experts *e = spec_experts();
    roster_agent *agent;
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){e, spec_p, NULL}, c.settings, 1, 0, &err), &err);
    double C = roster_agent_setting(agent, "C"), largest = 0, m[3];
    for (size_t k = 0; k < 3; k++) {
        roster_divergence_column(e, spec_p, false, k, m);
        for (size_t i = 0; i < 3; i++)
            largest = fmax(largest, m[i]);
    }
    assert_close(C, 16 * largest / .1, 1e-12);
    for (size_t t = 0; t < 5; t++)
        assert_ok(roster_agent_learn(agent, &spec_rounds[t], &err), &err);
    roster_agent_index(agent, u);
    for (size_t i = 0; i < 3; i++) /* nothing but width: the estimates are 0 and the width at most 3 C */
        assert_true(u[i] > 1 && u[i] <= 3 * C);
    roster_agent_free(agent);
    roster_experts_free(e);
    visit(&c, u);
}

static void constant_rewards(void **state)
{
    (void)state;
    double u[MOST];
    corner c = {.agent = "d-ucb", .n = 3, .x = 2, .v = 3, .pi = spec_pi, .p = spec_p, .reward = 0};
    visit(&c, u);
    for (size_t i = 0; i < 3; i++)
        assert_true(u[i] > 0 && u[i] <= .06); /* width alone */
    c.reward = 1;
    visit(&c, u);
}

static void xi_close_to_floor(void **state)
{
    (void)state;
    double u[MOST];
    visit(&(corner){.agent = "ed-ucb",
                    .n = 3,
                    .x = 2,
                    .v = 3,
                    .pi = spec_pi,
                    .p = spec_p,
                    .reward = -1,
                    .empirical = true,
                    .bounds = {.xi = .05 * (1 - 1e-12), .p_V = .05, .p_X = .2},
                    .settings = {{"p_V", .05, NULL}, {"p_X", .2, NULL}, {"xi", .05 * (1 - 1e-12), NULL}}},
          u);
}

/* Nothing was ever seen of expert 1 in context 0, and the other estimates have holes. */
static void estimates_with_zero_counts(void **state)
{
    (void)state;
    const roster_setting settings[] = {{"p_V", .05, NULL}, {"p_X", .2, NULL}, {"xi", .01, NULL}, {NULL, 0, NULL}};
    roster_error err;
    roster_estimates *counts;
    roster_experts *e;
    roster_agent *agent;
    roster_literal literal;
    double u[2];
    assert_ok(roster_estimates_create(&counts, 2, 2, 2, NULL, &err), &err);
    assert_ok(roster_estimates_add(counts, 0, 0, 0, 9, &err), &err);
    assert_ok(roster_estimates_add(counts, 0, 1, 0, 5, &err), &err);
    assert_ok(roster_estimates_add(counts, 0, 1, 1, 5, &err), &err);
    assert_ok(roster_estimates_add(counts, 1, 1, 1, 3, &err), &err);
    assert_int_equal(roster_estimates_min_samples(counts), 0);
    assert_true(roster_estimates_xi(counts, .1) == INFINITY);
    assert_ok(roster_estimates_experts(counts, &e, &err), &err);
    assert_ok(roster_agent_create(&agent, "ed-ucb", &(roster_problem){.experts = e}, settings, 1, 0, &err), &err);
    roster_estimator_problem known = {
        .experts = e, .empirical = true, .bounds = {.xi = .01, .p_V = .05, .p_X = .2}, .C = .02};
    assert_int_equal(roster_literal_init(&literal, &known, 200), ROSTER_OK);
    for (size_t t = 1; t <= 200; t++) {
        roster_event event = {.expert = t % 2, .context = t / 2 % 2, .action = t / 4 % 2, .reward = t % 3 == 0};
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        roster_sample sample = {
            .k = t % 2, .pi = roster_experts_across(e, t / 2 % 2, t / 4 % 2), .n = 1, .s = t % 3 == 0};
        roster_literal_add(&literal, &sample);
        roster_agent_index(agent, u);
        check_numbers(u, 2, t);
        for (size_t i = 0; i < 2; i++)
            assert_true(close_enough(u[i], roster_literal_index(&literal, i, t)));
    }
    roster_literal_fini(&literal);
    roster_agent_free(agent);
    roster_experts_free(e);
    roster_estimates_free(counts);
}

/* After one round the width is 0 and nothing is clipped: the index is the weighted reward itself. */
static void first_round(void **state)
{
    (void)state;
    roster_error err;
    roster_experts *e = spec_experts();
    roster_agent *agent;
    double u[3];
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){e, spec_p, NULL}, NULL, 1, 0, &err), &err);
    roster_agent_index(agent, u);
    assert_true(u[0] == INFINITY && u[1] == INFINITY && u[2] == INFINITY);
    assert_in_range(roster_agent_choose(agent), 0, 2);
    assert_ok(roster_agent_learn(agent, &spec_rounds[0], &err), &err);
    roster_agent_index(agent, u);
    assert_close(u[0], 1, 1e-15);
    assert_close(u[1], .5 / .2, 1e-15);
    assert_close(u[2], .05 / .2, 1e-15);
    assert_int_equal(roster_agent_choose(agent), 1);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void shared_support(void **state)
{
    (void)state;
    const corner c = {.agent = "d-ucb",
                      .n = 2,
                      .x = 2,
                      .v = 3,
                      .pi = toy_pi,
                      .p = toy_p,
                      .reward = 1,
                      .shared = true,
                      .settings = {{"support", 0, "shared"}}};
    double u[MOST];
    visit(&c, u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_expert),
        cmocka_unit_test(one_action),
        cmocka_unit_test(identical_experts),
        cmocka_unit_test(tiny_probabilities),
        cmocka_unit_test(huge_ratios),
        cmocka_unit_test(theory_clips_all_at_first),
        cmocka_unit_test(outliers_leave_nothing_behind),
        cmocka_unit_test(constant_rewards),
        cmocka_unit_test(xi_close_to_floor),
        cmocka_unit_test(estimates_with_zero_counts),
        cmocka_unit_test(first_round),
        cmocka_unit_test(shared_support),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
