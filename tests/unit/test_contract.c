/*
 * test_contract.c: what every agent of the registry keeps, whatever its algorithm and whatever kind its experts are.
 */
#include "support.h"

#include "lazy.h"

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
    const roster_setting offered[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    roster_setting settings[SETTINGS];
    roster_error err;
    roster_agent *agent;
    roster_problem problem = {.experts = s->experts, .values = s->values};
    assert_ok(roster_agent_create(&agent, info->name, &problem, settings_taken(info, offered, settings), 3, run, &err),
              &err);
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
            if (kinds[kind] == ROSTER_TABLES || !roster_agent_info_at(i)->finite)
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
        /* Some put off part of the work until later; merging makes up for it, also with one that knows nothing. */
        assert_int_equal(roster_agent_merge(whole, b, &err) == ROSTER_OK, info->additive);
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
            snprintf(sentence, sizeof sentence, "two %s agents cannot be merged: their states cannot be added",
                     info->name);
            assert_refused(code, &err, ROSTER_EINVAL, sentence);
            assert_int_equal(roster_agent_rounds(a), cut);
        }
        roster_agent_free(whole);
        roster_agent_free(a);
        roster_agent_free(b);
    }
}

/* Every index within 1e-9, the same choice and as many rounds. */
static void assert_alike(const roster_agent *a, const roster_agent *b)
{
    double u[N], w[N];
    roster_insight one, other;
    roster_agent_index(a, u);
    roster_agent_index(b, w);
    for (size_t i = 0; i < N; i++) {
        assert_true(close_enough(u[i], w[i]));
        roster_agent_insight(a, i, &one);
        roster_agent_insight(b, i, &other);
        assert_true(isnan(one.samples) ? isnan(other.samples) : close_enough(one.samples, other.samples));
        assert_true(isnan(one.estimate) ? isnan(other.estimate) : close_enough(one.estimate, other.estimate));
    }
    assert_int_equal(roster_agent_choose(a), roster_agent_choose(b));
    assert_int_equal(roster_agent_rounds(a), roster_agent_rounds(b));
}

/* Events from..to-1 by the lazy interface, in batches of what one expert did in a row; they need not be certified. A
   second certificate says the same as the first, and what it says is what choose says. */
static void learn_lazily(roster_agent *agent, roster_agent *plain, const stage *s, size_t from, size_t to)
{
    roster_error err;
    roster_lazy *lazy;
    roster_batch batch;
    double gain[X * V], again[X * V], loss[X * V] = {0}, lost[X * V] = {0};
    for (size_t c = 0; c < X * V; c++)
        gain[c] = again[c] = 1;
    assert_int_equal(roster_batch_init(&batch, X * V), ROSTER_OK);
    assert_ok(roster_lazy_create(&lazy, agent, &err), &err);
    for (size_t t = from; t < to; t++) {
        const roster_event *e = &s->events[t];
        roster_certificate one = {.gain = gain, .loss = loss}, two = {.gain = again, .loss = lost};
        roster_batch_add(&batch, e->expert, e->context * V + e->action, e->reward);
        learn(plain, s, t, t + 1);
        if (t + 1 < to && s->events[t + 1].expert == e->expert && batch.n < roster_lazy_most(lazy))
            continue;
        assert_ok(roster_lazy_learn(lazy, &batch, &err), &err);
        roster_batch_clear(&batch);
        roster_lazy_certify(lazy, &one);
        roster_lazy_certify(lazy, &two);
        assert_int_equal(one.k, roster_agent_choose(plain));
        assert_true(one.k == two.k && one.rounds == two.rounds && one.slack == two.slack && one.cost == two.cost);
        assert_memory_equal(gain, again, sizeof gain);
        assert_memory_equal(loss, lost, sizeof loss);
    }
    assert_int_equal(roster_agent_rounds(agent), from);
    assert_ok(roster_lazy_finish(lazy, agent, &err), &err);
    roster_batch_fini(&batch);
}

/* Saved, restored and merged, both agents know the same. */
static void assert_alike_later(roster_agent *a, roster_agent *b, const stage *s, const roster_agent_info *info)
{
    roster_error err;
    roster_agent *more = create(s, info, 5), *restored = create(s, info, 6);
    size_t size = roster_agent_save(a, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(roster_agent_save(a, bytes, size), size);
    assert_ok(roster_agent_load(restored, bytes, size, &err), &err);
    assert_alike(restored, b);
    learn(more, s, 0, 50);
    if (info->additive) {
        assert_ok(roster_agent_merge(more, a, &err), &err);
        assert_ok(roster_agent_merge(restored, more, &err), &err);
        assert_int_equal(roster_agent_rounds(restored), 2 * roster_agent_rounds(b) + 50);
    }
    free(bytes);
    roster_agent_free(more);
    roster_agent_free(restored);
}

/* Any mixture of rounds one by one and of batches by the lazy interface, with every other function in between, is the
   agent that learnt round by round; while a lazy state is at work, the agent is as it was. */
static void lazy_equals_plain(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    if (!roster_lazy_possible(a)) {
        assert_true(roster_experts_kind(s->experts) != ROSTER_TABLES || a->type->lazy == NULL);
    } else {
        for (size_t t = 0; t < ROUNDS; t += 60) {
            learn_lazily(a, b, s, t, t + 40);
            assert_alike(a, b);
            assert_alike_later(a, b, s, info);
            learn(a, s, t + 40, t + 60);
            learn(b, s, t + 40, t + 60);
            assert_alike(a, b);
        }
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

/* An agent that has gone on meanwhile does not take what was learnt from where it was. */
static void lazy_needs_its_start(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    roster_lazy *lazy;
    roster_error err;
    for (int how = 0; how < 3 && roster_lazy_possible(a); how++) {
        assert_ok(roster_lazy_create(&lazy, a, &err), &err);
        if (how == 0)
            learn(a, s, 0, 1);
        if (how == 1)
            roster_agent_reset(a, 77);
        assert_refused(roster_lazy_finish(lazy, how == 2 ? b : a, &err), &err, ROSTER_EINVAL,
                       "the agent is not where its lazy index was started");
    }
    roster_agent_free(a);
    roster_agent_free(b);
}

/* Agents that have learnt the same choose differently in different runs. */
static bool draws(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 1), *b = create(s, info, 2);
    bool differ = false;
    for (size_t t = 0; t < 100; t++) {
        differ |= roster_agent_choose(a) != roster_agent_choose(b);
        learn(a, s, t, t + 1);
        learn(b, s, t, t + 1);
    }
    roster_agent_free(a);
    roster_agent_free(b);
    return differ;
}

/* What an agent tells of an expert adds up to its index, unless that is of earlier rounds, as with `beta`. Where every
   reward informs one expert, all of them are worth as many samples as there were rounds. */
static void insight_adds_up(const stage *s, const roster_agent_info *info)
{
    roster_agent *agent = create(s, info, 1);
    double u[N], worth = 0;
    bool drawn = draws(s, info);
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
        assert_true(insight.estimate >= 0 && (insight.width > 0 || drawn)); /* a draw may lie below */
        assert_true(isnan(insight.clipped) || (insight.clipped >= 0 && insight.clipped <= 1));
        if (isnan(roster_agent_setting(agent, "beta")))
            assert_close(insight.estimate + insight.width, u[k], 1e-12);
    }
    if (agent->type->blind && worth > 0)
        assert_true(worth == ROUNDS);
    roster_agent_free(agent);
}

/* With nothing that waits it is choose(), but for agents that draw; any numbers are answered, and nothing changes. */
static void waiting_is_a_read(const stage *s, const roster_agent_info *info)
{
    static const uint64_t none[N] = {0}, some[N] = {3, 0, 1000, 1, UINT64_MAX, 7};
    static const double numbers[] = {0, .5, .999, -1, 1, 1e300, NAN};
    roster_agent *a = create(s, info, 1), *b = create(s, info, 1);
    double u[N], w[N];
    bool drawn = draws(s, info);
    for (size_t t = 0; t < 100; t++) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            size_t k = roster_agent_choose_waiting(a, some, numbers[i]);
            assert_in_range(k, 0, N - 1);
            assert_int_equal(roster_agent_choose_waiting(a, some, numbers[i]), k);
            k = roster_agent_choose_waiting(a, none, numbers[i]);
            if (!drawn)
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

static void lazy_interfaces(void **state)
{
    (void)state;
    for_all(lazy_equals_plain);
    for_all(lazy_needs_its_start);
}

static void merges(void **state)
{
    (void)state;
    for_all(merged_equals_replayed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_agents), cmocka_unit_test(reads),           cmocka_unit_test(resets),
        cmocka_unit_test(reserves),     cmocka_unit_test(restores),        cmocka_unit_test(merges),
        cmocka_unit_test(insights),     cmocka_unit_test(lazy_interfaces), cmocka_unit_test(waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
