/*
 * test_contract.c: what every agent of the registry keeps, whatever its algorithm and whatever kind its experts are.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, X = 4, V = 5, D = 3, ROUNDS = 600 };

/* The three kinds of experts, and events that fit them. */
typedef struct stage {
    instance world;
    roster_experts *experts;
    double features[ROUNDS][D], pi[ROUNDS][N], values[N];
    roster_event events[ROUNDS];
} stage;

static void set_stage(stage *s, roster_kind kind)
{
    roster_error err;
    roster_rng rng;
    double weights[N * V * D], row[V];
    roster_rng_init(&rng, 8, kind, 0);
    instance_random(&s->world, &rng, N, X, V, .001);
    for (size_t i = 0; i < N * V * D; i++)
        weights[i] = 6 * roster_rng_uniform(&rng) - 3;
    for (size_t t = 0; t < ROUNDS; t++)
        for (size_t f = 0; f < D; f++)
            s->features[t][f] = 2 * roster_rng_uniform(&rng) - 1;
    const roster_softmax model = {
        .experts = N, .actions = V, .features = D, .weights = weights, .sample = &s->features[0][0], .samples = 30};
    if (kind == ROSTER_TABLES)
        assert_ok(roster_experts_tables(&s->experts, N, X, V, s->world.pi, NULL, &err), &err);
    else if (kind == ROSTER_EXTERNAL)
        assert_ok(roster_experts_external(&s->experts, N, X, V, s->world.pi, NULL, &err), &err);
    else
        assert_ok(roster_experts_softmax(&s->experts, &model, &err), &err);
    for (size_t t = 0; t < ROUNDS; t++) {
        size_t k = (size_t)roster_rng_below(&rng, N);
        roster_event *event = &s->events[t];
        *event = random_event(&s->world, &rng, k, t % 2 == 0);
        for (size_t i = 0; i < N; i++) {
            if (kind == ROSTER_SOFTMAX)
                roster_experts_distribution(s->experts, i, s->features[t], row);
            s->pi[t][i] =
                kind == ROSTER_SOFTMAX ? row[event->action] : s->world.pi[(i * X + event->context) * V + event->action];
        }
        event->features = s->features[t];
        event->probabilities = s->pi[t];
    }
    for (size_t k = 0; k < N; k++)
        s->values[k] = .1 * (double)k;
}

static void strike_stage(stage *s)
{
    instance_free(&s->world);
    roster_experts_free(s->experts);
}

/* Settings under which clipping is at work. */
static roster_agent *create(const stage *s, const roster_agent_info *info, uint64_t run)
{
    const roster_setting known[] = {{"C", .5, NULL}, {NULL, 0, NULL}};
    const roster_setting estimated[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    roster_error err;
    roster_agent *agent;
    const roster_setting *settings = info->params[0] == NULL ? NULL : info->empirical ? estimated : known;
    roster_problem problem = {.experts = s->experts, .values = s->values};
    assert_ok(roster_agent_create(&agent, info->name, &problem, settings, 3, run, &err), &err);
    return agent;
}

static void learn(roster_agent *agent, const stage *s, size_t from, size_t to)
{
    roster_error err;
    for (size_t t = from; t < to; t++)
        assert_ok(roster_agent_learn(agent, &s->events[t], &err), &err);
}

static void assert_same(const roster_agent *a, const roster_agent *b)
{
    double u[N], w[N];
    roster_agent_index(a, u);
    roster_agent_index(b, w);
    assert_memory_equal(u, w, sizeof u);
    assert_int_equal(roster_agent_choose(a), roster_agent_choose(b));
    assert_int_equal(roster_agent_rounds(a), roster_agent_rounds(b));
}

typedef void (*clause)(const stage *s, const roster_agent_info *info);

/* Run a clause over every agent and every kind of experts. */
static void for_all(clause check)
{
    const roster_kind kinds[] = {ROSTER_TABLES, ROSTER_SOFTMAX, ROSTER_EXTERNAL};
    stage *s = malloc(sizeof *s);
    for (size_t kind = 0; kind < 3; kind++) {
        set_stage(s, kinds[kind]);
        for (size_t i = 0; roster_agent_info_at(i) != NULL; i++)
            check(s, roster_agent_info_at(i));
        strike_stage(s);
    }
    free(s);
}

static void equal_events_equal_agents(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    for (size_t t = 0; t < ROUNDS; t++) {
        assert_same(a, b);
        learn(a, s, t, t + 1);
        learn(b, s, t, t + 1);
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

/* choose and index are reads: they give the same again and leave learning alone. */
static void reading_changes_nothing(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    double u[N];
    for (size_t t = 0; t < ROUNDS; t++) {
        size_t k = roster_agent_choose(a);
        roster_agent_index(a, u);
        assert_int_equal(roster_agent_choose(a), k);
        assert_in_range(k, 0, N - 1);
        for (size_t i = 0; i < N; i++)
            assert_true(u[i] == u[i]);
        learn(a, s, t, t + 1);
    }
    learn(b, s, 0, ROUNDS);
    assert_same(a, b);
    roster_agent_free(a);
    roster_agent_free(b);
}

static void reset_is_fresh(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 2);
    learn(a, s, 100, 400);
    roster_agent_reset(a, 2);
    for (size_t t = 0; t < 300; t++) {
        assert_same(a, b);
        learn(a, s, t, t + 1);
        learn(b, s, t, t + 1);
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

static void reserve_changes_nothing(const stage *s, const roster_agent_info *info)
{
    roster_error err;
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    for (size_t t = 0; t < 300; t++) {
        if (t == 0 || t == 150)
            assert_ok(roster_agent_reserve(a, 100, &err), &err);
        learn(a, s, t, t + 1);
        learn(b, s, t, t + 1);
        assert_same(a, b);
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

static void live_equals_restored(const stage *s, const roster_agent_info *info)
{
    for (size_t cut = 0; cut < ROUNDS; cut += 37) {
        roster_error err;
        roster_agent *a = create(s, info, 1), *b = create(s, info, 9);
        learn(a, s, 0, cut);
        size_t size = roster_agent_save(a, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(roster_agent_save(a, bytes, size), size);
        learn(b, s, 0, 5);
        assert_ok(roster_agent_load(b, bytes, size, &err), &err);
        for (size_t t = cut; t < cut + 60 && t < ROUNDS; t++) {
            assert_same(a, b);
            learn(a, s, t, t + 1);
            learn(b, s, t, t + 1);
        }
        assert_same(a, b);
        free(bytes);
        roster_agent_free(a);
        roster_agent_free(b);
    }
}

/* Two halves merged know what the whole knows: every index within 1e-9, every choice alike. */
static void merged_equals_replayed(const stage *s, const roster_agent_info *info)
{
    for (size_t cut = 0; cut <= ROUNDS; cut += 150) {
        roster_error err;
        double u[N], w[N];
        roster_agent *whole = create(s, info, 1), *a = create(s, info, 1), *b = create(s, info, 2);
        learn(whole, s, 0, ROUNDS);
        learn(a, s, 0, cut);
        learn(b, s, cut, ROUNDS);
        int code = roster_agent_merge(a, b, &err);
        if (info->additive) {
            assert_ok(code, &err);
            roster_agent_index(whole, u);
            roster_agent_index(a, w);
            for (size_t i = 0; i < N; i++)
                assert_true(close_enough(u[i], w[i]));
            assert_int_equal(roster_agent_choose(whole), roster_agent_choose(a));
            assert_int_equal(roster_agent_rounds(a), ROUNDS);
        } else {
            char sentence[200];
            snprintf(sentence, sizeof sentence, "two %s agents cannot be merged: their state does not add up",
                     info->name);
            assert_refused(code, &err, ROSTER_EINVAL, sentence);
            assert_int_equal(roster_agent_rounds(a), cut);
        }
        roster_agent_free(whole);
        roster_agent_free(a);
        roster_agent_free(b);
    }
}

/* What an agent tells of an expert adds up to its index, unless indices are looked at now and then only. */
static void insight_adds_up(const stage *s, const roster_agent_info *info)
{
    roster_agent *agent = create(s, info, 1);
    double u[N], worth = 0;
    roster_insight insight;
    roster_agent_insight(agent, 0, &insight);
    assert_true(isnan(insight.estimate) && isnan(insight.width));
    roster_agent_insight(agent, N, &insight);
    assert_true(isnan(insight.samples));
    learn(agent, s, 0, ROUNDS);
    roster_agent_index(agent, u);
    for (size_t k = 0; k < N; k++) {
        roster_agent_insight(agent, k, &insight);
        if (isnan(insight.samples))
            continue;
        worth += insight.samples;
        assert_true(insight.estimate >= 0 && insight.width > 0);
        assert_true(insight.clipped >= 0 && insight.clipped <= 1);
        if (strstr(info->name, "-lite") == NULL)
            assert_close(insight.estimate + insight.width, u[k], 1e-12);
    }
    bool own = strstr(info->name, "d-ucb") == NULL && worth > 0;
    assert_true(!own || worth == ROUNDS);
    roster_agent_free(agent);
}

/* With nothing that waits it is choose(), but for uniform, which draws; any numbers are answered, and nothing changes. */
static void waiting_is_a_read(const stage *s, const roster_agent_info *info)
{
    static const uint64_t none[N] = {0}, some[N] = {3, 0, 1000, 1, UINT64_MAX, 7};
    static const double numbers[] = {0, .5, .999, -1, 1, 1e300, NAN};
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    double u[N], w[N];
    for (size_t t = 0; t < 100; t++) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            size_t k = roster_agent_choose_waiting(a, some, numbers[i]);
            assert_in_range(k, 0, N - 1);
            assert_int_equal(roster_agent_choose_waiting(a, some, numbers[i]), k);
            k = roster_agent_choose_waiting(a, none, numbers[i]);
            if (strcmp(info->name, "uniform") != 0)
                assert_int_equal(k, roster_agent_choose(a));
        }
        roster_agent_index_waiting(a, some, u);
        for (size_t i = 0; i < N; i++)
            assert_true(u[i] == u[i]);
        roster_agent_index_waiting(a, none, u);
        roster_agent_index(a, w);
        for (size_t i = 0; i < N; i++)
            assert_true(close_enough(u[i], w[i]));
        assert_same(a, b);
        learn(a, s, t, t + 1);
        learn(b, s, t, t + 1);
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

static void waits(void **state)
{
    (void)state;
    for_all(waiting_is_a_read);
}

static void insights(void **state)
{
    (void)state;
    for_all(insight_adds_up);
}

static void equal_agents(void **state)
{
    (void)state;
    for_all(equal_events_equal_agents);
}

static void reads(void **state)
{
    (void)state;
    for_all(reading_changes_nothing);
}

static void resets(void **state)
{
    (void)state;
    for_all(reset_is_fresh);
}

static void reserves(void **state)
{
    (void)state;
    for_all(reserve_changes_nothing);
}

static void restores(void **state)
{
    (void)state;
    for_all(live_equals_restored);
}

static void merges(void **state)
{
    (void)state;
    for_all(merged_equals_replayed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_agents), cmocka_unit_test(reads),    cmocka_unit_test(resets),
        cmocka_unit_test(reserves),     cmocka_unit_test(restores), cmocka_unit_test(merges),
        cmocka_unit_test(insights),     cmocka_unit_test(waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
