/*
 * test_experts_change.c: experts come and go, and every agent of the registry knows what it would know had they always
 * been there.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 3, N = 6, X = 4, V = 5, D = 3, ROUNDS = 600, CHANGES = 3 };

/* The lists follow each other; the events are those of a campaign in which experts act while they are there, and the
   rewards of one that has gone still come. */
typedef struct stage {
    roster_kind kind;
    instance world;
    double weights[N * V * D], features[ROUNDS][D], pi[ROUNDS][N], values[N];
    roster_event events[ROUNDS];
    roster_experts *lists[CHANGES];
} stage;

static const size_t begins[CHANGES + 1] = {0, 200, 437, ROUNDS};
static const size_t acting[CHANGES][4] = {{0, 1, 2, 2}, {0, 1, 2, 3}, {2, 3, 4, 5}};
static const size_t first_gone[] = {1}, next_gone[] = {0};

/* Experts first..first+n-1 by themselves. */
static roster_experts *some(const stage *s, size_t first, size_t n)
{
    roster_experts *out;
    roster_error err;
    const roster_softmax model = {.experts = n,
                                  .actions = V,
                                  .features = D,
                                  .weights = s->weights + first * V * D,
                                  .floor = .01,
                                  .sample = &s->features[0][0],
                                  .samples = 20};
    if (s->kind == ROSTER_SOFTMAX)
        assert_ok(roster_experts_softmax(&out, &model, &err), &err);
    else if (s->kind == ROSTER_EXTERNAL)
        assert_ok(roster_experts_external(&out, n, X, V, s->world.pi + first * X * V, NULL, &err), &err);
    else
        assert_ok(roster_experts_tables(&out, n, X, V, s->world.pi + first * X * V, NULL, &err), &err);
    return out;
}

static roster_experts *changed(const roster_experts *from, roster_experts *add, const size_t *gone, size_t n)
{
    roster_experts *out;
    roster_error err;
    assert_ok(roster_experts_change(&out, from, add, gone, n, &err), &err);
    roster_experts_free(add);
    return out;
}

/* What every expert does there; 0 of those that have not come yet. */
static void fill_probabilities(stage *s, size_t t, size_t there)
{
    double row[V];
    for (size_t i = 0; i < N; i++) {
        if (s->kind == ROSTER_SOFTMAX)
            roster_experts_distribution(s->lists[CHANGES - 1], i, s->features[t], row);
        const roster_event *event = &s->events[t];
        double pi =
            s->kind == ROSTER_SOFTMAX ? row[event->action] : s->world.pi[(i * X + event->context) * V + event->action];
        s->pi[t][i] = i < there ? pi : 0;
    }
}

static void set_stage(stage *s, roster_kind kind)
{
    roster_rng rng;
    roster_rng_init(&rng, 5, kind, 0);
    s->kind = kind;
    instance_random(&s->world, &rng, N, X, V, .02);
    for (size_t i = 0; i < N * V * D; i++)
        s->weights[i] = 4 * roster_rng_uniform(&rng) - 2;
    for (size_t t = 0; t < ROUNDS * D; t++)
        s->features[t / D][t % D] = 2 * roster_rng_uniform(&rng) - 1;
    s->lists[0] = some(s, 0, FIRST);
    s->lists[1] = changed(s->lists[0], some(s, FIRST, 1), first_gone, 1);
    s->lists[2] = changed(s->lists[1], some(s, FIRST + 1, 2), next_gone, 1);
    for (size_t j = 0; j < CHANGES; j++)
        for (size_t t = begins[j]; t < begins[j + 1]; t++) {
            size_t k = acting[j][roster_rng_below(&rng, 4)];
            s->events[t] = random_event(&s->world, &rng, k, t % 2 == 0);
            if (kind == ROSTER_SOFTMAX)
                s->events[t].propensity = 0;
            s->events[t].features = s->features[t];
            s->events[t].probabilities = s->pi[t];
            fill_probabilities(s, t, roster_experts_count(s->lists[j]));
        }
    for (size_t k = 0; k < N; k++)
        s->values[k] = k == 0 ? .9 : .1 * (double)k;
}

static void strike_stage(stage *s)
{
    for (size_t j = 0; j < CHANGES; j++)
        roster_experts_free(s->lists[j]);
    instance_free(&s->world);
}

static roster_agent *create(const stage *s, const roster_agent_info *info, size_t list)
{
    const roster_setting offered[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    roster_setting settings[SETTINGS];
    roster_error err;
    roster_agent *agent;
    roster_problem problem = {.experts = s->lists[list], .values = s->values};
    assert_ok(roster_agent_create(&agent, info->name, &problem, settings_taken(info, offered, settings), 3, 1, &err),
              &err);
    return agent;
}

static void learn(roster_agent *agent, const stage *s, size_t from, size_t to)
{
    roster_error err;
    for (size_t t = from; t < to; t++)
        assert_ok(roster_agent_learn(agent, &s->events[t], &err), &err);
}

static void change(roster_agent *agent, const stage *s, size_t list)
{
    roster_error err;
    assert_ok(roster_agent_set_experts(agent, s->lists[list], s->values, &err), &err);
}

typedef void (*clause)(const stage *s, const roster_agent_info *info);

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

static bool is_any(const char *name, const char *const *names)
{
    bool any = false;
    for (size_t i = 0; names[i] != NULL; i++)
        any |= strcmp(name, names[i]) == 0;
    return any;
}

/* Those whose state is not a sum of what was learnt, but for one that keeps all of it; or in which who comes would have
   weighed what others did. */
static bool depends_on_the_way(const stage *s, const roster_agent_info *info)
{
    static const char *const keeps[] = {"optimist", NULL};
    static const char *const features[] = {"optimist", "mixture", NULL}, *const outside[] = {"optimist", NULL};
    const char *name = roster_agent_stand_in(info->name, s->lists[0])->name;
    return (!info->additive && !is_any(name, keeps)) || (s->kind == ROSTER_SOFTMAX && is_any(name, features)) ||
           (s->kind == ROSTER_EXTERNAL && is_any(name, outside));
}

static bool is_retired(const stage *s, size_t list, size_t k)
{
    return roster_experts_retired(s->lists[list], k);
}

/* Where contexts are not numbered only the experts that were there from the first are alike. */
static void assert_alike(const stage *s, size_t list, const roster_agent *a, const roster_agent *fresh)
{
    double u[N], w[N];
    const uint64_t waiting[N] = {3, 0, 1, 2, 0, 1};
    size_t n = roster_experts_count(s->lists[list]), same = s->kind == ROSTER_TABLES ? n : FIRST;
    roster_agent_index(a, u);
    roster_agent_index(fresh, w);
    for (size_t i = 0; i < same; i++)
        assert_true(close_enough(u[i], w[i]));
    assert_int_equal(roster_agent_rounds(a), roster_agent_rounds(fresh));
    if (s->kind != ROSTER_TABLES)
        return;
    assert_int_equal(roster_agent_choose(a), roster_agent_choose(fresh));
    for (double x = 0; x < 1; x += .13)
        assert_int_equal(roster_agent_choose_waiting(a, waiting, x), roster_agent_choose_waiting(fresh, waiting, x));
    for (size_t i = 0; i < n; i++) {
        roster_insight one, other;
        roster_agent_insight(a, i, &one);
        roster_agent_insight(fresh, i, &other);
        assert_true(close_enough(one.estimate, other.estimate) || (isnan(one.estimate) && isnan(other.estimate)));
    }
}

/* In every round after a change it is as a fresh agent with the present list that learnt the same events. */
static void each_as_if_always_there(const stage *s, const roster_agent_info *info)
{
    if (depends_on_the_way(s, info))
        return;
    roster_agent *a = create(s, info, 0);
    learn(a, s, 0, begins[1]);
    for (size_t j = 1; j < CHANGES; j++) {
        roster_agent *fresh = create(s, info, j);
        learn(fresh, s, 0, begins[j]);
        change(a, s, j);
        for (size_t t = begins[j]; t < begins[j + 1]; t++) {
            assert_alike(s, j, a, fresh);
            learn(a, s, t, t + 1);
            learn(fresh, s, t, t + 1);
        }
        assert_alike(s, j, a, fresh);
        roster_agent_free(fresh);
    }
    roster_agent_free(a);
}

/* Nobody that has gone is ever chosen, by any way of choosing. */
static void each_who_has_gone_never_acts(const stage *s, const roster_agent_info *info)
{
    roster_agent *a = create(s, info, 0);
    const uint64_t none[N] = {0}, waiting[N] = {1, 0, 2, 0, 3, 1};
    double p[N], u[N];
    for (size_t j = 0; j < CHANGES; j++) {
        if (j > 0)
            change(a, s, j);
        for (size_t t = begins[j]; t < begins[j + 1]; t++) {
            double sum = 0, x = (double)(t % 97) / 97;
            assert_false(is_retired(s, j, roster_agent_choose(a)));
            assert_false(is_retired(s, j, roster_agent_choose_waiting(a, none, x)));
            assert_false(is_retired(s, j, roster_agent_choose_waiting(a, waiting, x)));
            roster_agent_choice(a, p);
            roster_agent_index(a, u);
            for (size_t k = 0; k < roster_experts_count(s->lists[j]); k++) {
                sum += p[k];
                assert_true(!is_retired(s, j, k) || (p[k] == 0 && u[k] <= 0));
                assert_true(u[k] == u[k]);
            }
            assert_close(sum, 1, 1e-12);
            learn(a, s, t, t + 1);
        }
    }
    roster_agent_free(a);
}

/* A snapshot after a change goes on as the agent itself, and fits no agent with another list. */
static void each_snapshots_after_changes(const stage *s, const roster_agent_info *info)
{
    static unsigned char bytes[1 << 20], others[1 << 20];
    roster_error err;
    roster_agent *a = create(s, info, 0), *b = create(s, info, 1), *c = create(s, info, 2);
    learn(a, s, 0, begins[1]);
    change(a, s, 1);
    learn(a, s, begins[1], begins[2]);
    size_t size = roster_agent_save(a, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    assert_ok(roster_agent_load(b, bytes, size, &err), &err);
    assert_int_equal(roster_agent_load(c, bytes, size, &err), ROSTER_EDAMAGED);
    change(a, s, 2);
    change(b, s, 2);
    learn(a, s, begins[2], ROUNDS);
    learn(b, s, begins[2], ROUNDS);
    size = roster_agent_save(a, bytes, sizeof bytes);
    assert_int_equal(roster_agent_save(b, others, sizeof others), size);
    assert_memory_equal(bytes, others, size);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_agent_free(c);
}

/* Two replicas whose lists change alike are merged as two that always had the last. */
static void each_merges_after_changes(const stage *s, const roster_agent_info *info)
{
    roster_error err;
    if (!info->additive || s->kind != ROSTER_TABLES)
        return;
    roster_agent *a = create(s, info, 0), *b = create(s, info, 0), *c = create(s, info, 1), *d = create(s, info, 1);
    learn(a, s, 0, 90);
    learn(b, s, 90, begins[1]);
    learn(c, s, 0, 90);
    learn(d, s, 90, begins[1]);
    change(a, s, 1);
    change(b, s, 1);
    assert_ok(roster_agent_merge(a, b, &err), &err);
    assert_ok(roster_agent_merge(c, d, &err), &err);
    assert_alike(s, 1, a, c);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_agent_free(c);
    roster_agent_free(d);
}

/* Who has a share of the plays has it of those that are there. */
static void verify_is_kept(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_error err;
    roster_agent *a;
    double p[N];
    set_stage(s, ROSTER_TABLES);
    const roster_setting settings[] = {{"verify", .2, NULL}, {NULL, 0, NULL}};
    assert_ok(roster_agent_create(&a, "direct", &(roster_problem){.experts = s->lists[0]}, settings, 1, 1, &err), &err);
    change(a, s, 1);
    roster_agent_choice(a, p);
    for (size_t k = 0; k < 4; k++)
        assert_true(p[k] == (k == 1 ? 0 : p[k]) && (k == 1 || p[k] >= .2));
    for (double u = 0; u < 1; u += .001)
        assert_int_not_equal(roster_agent_choose_waiting(a, (const uint64_t[N]){0}, u), 1);
    roster_experts *five = changed(s->lists[1], some(s, 4, 2), NULL, 0), *six = changed(five, some(s, 5, 1), NULL, 0);
    assert_ok(roster_agent_set_experts(a, five, NULL, &err), &err);
    assert_refused(roster_agent_set_experts(a, six, NULL, &err), &err, ROSTER_EINVAL,
                   "verify is 0.2, must be at most 0.166667: each of 6 experts keeps that share");
    roster_agent_free(a);
    roster_experts_free(five);
    roster_experts_free(six);
    strike_stage(s);
    free(s);
}

static void lists_grow(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    for (roster_kind kind = ROSTER_TABLES; kind <= ROSTER_EXTERNAL; kind++) {
        set_stage(s, kind);
        roster_experts *all = some(s, 0, N);
        const roster_experts *last = s->lists[CHANGES - 1];
        assert_int_equal(roster_experts_count(last), N);
        assert_int_equal(roster_experts_active(last), N - 2);
        for (size_t k = 0; k < N; k++) {
            assert_int_equal(roster_experts_retired(last, k), k < 2);
            for (size_t c = 0; c < roster_experts_contexts(all) * V; c++)
                assert_true(roster_experts_probability(last, k, c / V, c % V) ==
                            roster_experts_probability(all, k, c / V, c % V));
        }
        assert_string_equal(roster_experts_name(last, 0), "expert 1");
        assert_false(roster_experts_retired(last, N));
        roster_experts_free(all);
        strike_stage(s);
    }
    free(s);
}

static void lists_refused(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_error err;
    roster_experts *out, *shape;
    const size_t all[] = {0, 1, 2}, twice[] = {1, 1};
    set_stage(s, ROSTER_TABLES);
    assert_refused(roster_experts_change(&out, s->lists[0], NULL, all, 3, &err), &err, ROSTER_EINVAL,
                   "the last expert cannot be retired: add another one first");
    assert_refused(roster_experts_change(&out, s->lists[0], NULL, twice, 2, &err), &err, ROSTER_EINVAL,
                   "retire[1] is 1, must be an expert that is not retired");
    assert_ok(roster_experts_tables(&shape, 1, 1, 2, (const double[]){.5, .5}, NULL, &err), &err);
    assert_refused(roster_experts_change(&out, s->lists[0], shape, NULL, 0, &err), &err, ROSTER_EINVAL,
                   "the experts that come are of another kind, or know 1 contexts, 2 actions and 0 features, must be "
                   "4, 5 and 0");
    assert_null(out);
    roster_experts_free(shape);
    strike_stage(s);
    free(s);
}

static void changes_refused(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_error err;
    set_stage(s, ROSTER_TABLES);
    roster_agent *a = create(s, roster_agent_stand_in("direct", s->lists[1]), 1);
    roster_experts *other = some(s, 1, N - 1);
    assert_refused(roster_agent_set_experts(a, s->lists[0], NULL, &err), &err, ROSTER_EINVAL,
                   "the new list has fewer experts than the 4 before: who goes keeps its place, retired "
                   "(roster_experts_change)");
    assert_refused(roster_agent_set_experts(a, other, NULL, &err), &err, ROSTER_EINVAL,
                   "experts[0] (expert 1) is not what it was: a new version is another expert, which is added as the "
                   "old one retires (roster_experts_change)");
    roster_experts_free(other);
    other = some(s, 0, N);
    assert_refused(roster_agent_set_experts(a, other, NULL, &err), &err, ROSTER_EINVAL,
                   "experts[1] (expert 2) is retired, and cannot come back: add it anew");
    roster_experts_free(other);
    roster_agent_free(a);
    strike_stage(s);
    free(s);
}

/* Alarms and the test of the model go on: what comes after a change raises and rejects as if the list had always been
   the present one. */
static void guards_go_on(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_error err;
    roster_alarms *a, *b;
    roster_model_test *m, *w;
    set_stage(s, ROSTER_TABLES);
    assert_ok(roster_alarms_create(&a, s->lists[0], .5, &err), &err);
    assert_ok(roster_alarms_create(&b, s->lists[1], .5, &err), &err);
    assert_ok(roster_model_test_create(&m, s->lists[0], .5, &err), &err);
    assert_ok(roster_model_test_create(&w, s->lists[1], .5, &err), &err);
    for (size_t t = 0; t < begins[2]; t++) {
        unsigned raised[2];
        bool rejects[2];
        if (t == begins[1]) {
            assert_ok(roster_alarms_set_experts(a, s->lists[1], &err), &err);
            assert_ok(roster_model_test_set_experts(m, s->lists[1], &err), &err);
        }
        assert_ok(roster_alarms_learn(a, &s->events[t], &raised[0], &err), &err);
        assert_ok(roster_alarms_learn(b, &s->events[t], &raised[1], &err), &err);
        assert_ok(roster_model_test_learn(m, &s->events[t], &rejects[0], &err), &err);
        assert_ok(roster_model_test_learn(w, &s->events[t], &rejects[1], &err), &err);
        assert_int_equal(raised[0], raised[1]);
    }
    for (size_t k = 0; k < 4; k++) {
        roster_verdict one, other;
        roster_model_test_verdict(m, k, &one);
        roster_model_test_verdict(w, k, &other);
        assert_close(one.evidence, other.evidence, 1e-9);
    }
    roster_alarms_free(a);
    roster_alarms_free(b);
    roster_model_test_free(m);
    roster_model_test_free(w);
    strike_stage(s);
    free(s);
}

#define OVER_ALL(name)                                                                                                 \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        for_all(each_##name);                                                                                          \
    }
OVER_ALL(as_if_always_there)
OVER_ALL(who_has_gone_never_acts)
OVER_ALL(snapshots_after_changes)
OVER_ALL(merges_after_changes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(lists_refused),
        cmocka_unit_test(changes_refused),
        cmocka_unit_test(as_if_always_there),
        cmocka_unit_test(who_has_gone_never_acts),
        cmocka_unit_test(snapshots_after_changes),
        cmocka_unit_test(merges_after_changes),
        cmocka_unit_test(verify_is_kept),
        cmocka_unit_test(guards_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
