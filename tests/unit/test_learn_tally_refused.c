/*
 * test_learn_tally_refused.c: agents that must see events one by one, and rows that make no sense: each with its
 * sentence, and the agent is as it was.
 */
#include "tally_stage.h"

/* Every agent of the registry learns a tally, or refuses it with one sentence and is as it was. */
static void learns_or_refuses(void **state)
{
    (void)state;
    roster_error err;
    stage *s = malloc(sizeof *s);
    set_stage(s, 6, EVENTS);
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_stand_in(roster_agent_info_at(i)->name, s->world.experts);
        roster_agent *a = create(s, info->name), *b = create(s, info->name);
        learn(a, s, 0, 40);
        learn(b, s, 0, 40);
        int code = roster_agent_learn_tally(a, s->rows, s->n, .5, &err);
        if (can(info)) {
            assert_ok(code, &err);
            assert_int_equal(roster_agent_rounds(a), 40 + EVENTS / 2);
        } else {
            assert_int_equal(code, ROSTER_EINVAL);
            assert_non_null(strstr(err.msg, " must see events one by one and cannot learn a tally; these can: "));
            assert_memory_equal(err.msg, info->name, strlen(info->name));
            assert_same(a, b);
        }
        roster_agent_free(a);
        roster_agent_free(b);
    }
    instance_free(&s->world);
    free(s);
}

/* The same where contexts are not finite: there only those that look at experts and rewards alone learn it. */
static void learns_or_refuses_elsewhere(void **state)
{
    (void)state;
    roster_error err;
    roster_experts *experts;
    stage *s = malloc(sizeof *s);
    set_stage(s, 6, EVENTS);
    assert_ok(roster_experts_external(&experts, N, X, V, s->world.pi, NULL, &err), &err);
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_stand_in(roster_agent_info_at(i)->name, experts);
        if (info->finite)
            continue;
        roster_agent *a = create_on(s, info->name, experts, 1), *b = create_on(s, info->name, experts, 1);
        bool learns = can(info) && a->type->blind;
        assert_int_equal(roster_agent_learn_tally(a, s->rows, s->n, 1, &err), learns ? ROSTER_OK : ROSTER_EINVAL);
        assert_int_equal(roster_agent_rounds(a), learns ? EVENTS : 0);
        if (!learns)
            assert_same(a, b);
        roster_agent_free(a);
        roster_agent_free(b);
    }
    roster_experts_free(experts);
    instance_free(&s->world);
    free(s);
}

/* Where contexts are features, an agent that shares nothing looks at expert and rewards alone. */
static void feature_contexts(void **state)
{
    (void)state;
    roster_error err;
    roster_experts *experts;
    const roster_tally_row row = {.expert = 2, .context = 999, .action = 1, .count = 10, .sum = 4, .squares = 3};
    roster_agent *agent;
    assert_ok(roster_experts_external(&experts, N, 0, V, NULL, NULL, &err), &err);
    roster_problem problem = {.experts = experts};
    assert_ok(roster_agent_create(&agent, "ucb", &problem, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_learn_tally(agent, &row, 1, 1, &err), &err);
    roster_insight seen;
    roster_agent_insight(agent, 2, &seen);
    assert_true(seen.samples == 10 && seen.estimate == .4);
    roster_agent_free(agent);
    assert_ok(roster_agent_create(&agent, "auto", &problem, NULL, 1, 0, &err), &err);
    assert_refused(roster_agent_learn_tally(agent, &row, 1, 1, &err), &err, ROSTER_EINVAL,
                   "mixture must see events one by one and cannot learn a tally; these can: " TALLY_AGENTS);
    roster_agent_free(agent);
    roster_experts_free(experts);
    double pi[N * V];
    for (size_t i = 0; i < N * V; i++)
        pi[i] = 1. / V;
    assert_ok(roster_experts_external(&experts, N, 1, V, pi, NULL, &err), &err);
    problem.experts = experts;
    assert_ok(roster_agent_create(&agent, "d-ucb", &problem, NULL, 1, 0, &err), &err);
    assert_refused(roster_agent_learn_tally(agent, &row, 1, 1, &err), &err, ROSTER_EINVAL,
                   "d-ucb learns a tally only where experts are tables: its rows number the contexts");
    roster_agent_free(agent);
    roster_experts_free(experts);
}

typedef struct wrong_row {
    roster_tally_row row;
    const char *sentence;
} wrong_row;

static const wrong_row wrong_rows[] = {
    {{5, 0, 0, 0, 1, 0, 0}, "rows[1].expert is 5, must be below 3"},
    {{0, 2, 0, 0, 1, 0, 0}, "rows[1].context is 2, must be below 2"},
    {{0, 0, 3, 0, 1, 0, 0}, "rows[1].action is 3, must be below 3"},
    {{0, 0, 0, 0, 0, 0, 0}, "rows[1].count is 0, must be in 1..2^53"},
    {{0, 0, 0, 0, UINT64_C(1) << 54, 0, 0}, "rows[1].count is 18014398509481984, must be in 1..2^53"},
    {{0, 0, 0, 0, UINT64_C(1) << 53, 0, 0}, "the rows count more events than the 2^53 that an agent can learn"},
    {{0, 0, 0, 0, 2, 2.1, 2}, "rows[1].sum is 2.1, must be in [0, count], since rewards are in [0, 1]"},
    {{0, 0, 0, 0, 2, -1, 0}, "rows[1].sum is -1, must be in [0, count], since rewards are in [0, 1]"},
    {{0, 0, 0, 0, 2, NAN, 0}, "rows[1].sum is nan, must be in [0, count], since rewards are in [0, 1]"},
    {{0, 0, 0, 0, 2, 1, .4}, "rows[1].squares is 0.4, must be from sum^2/count, which is 0.5, to sum, which is 1"},
    {{0, 0, 0, 0, 2, 1, 1.5}, "rows[1].squares is 1.5, must be from sum^2/count, which is 0.5, to sum, which is 1"},
    {{0, 0, 0, 2, 2, 1, 1}, "rows[1].propensity is 2, must be in [0, 1], 0 for unknown"},
    {{0, 0, 0, .3, 2, 1, 1}, "rows[1].propensity is 0.3, but expert 0 takes action 0 there with 0.7"},
    {{ROSTER_NO_EXPERT, 0, 0, 0, 2, 1, 1},
     "rows[1] has no expert, but d-ucb must know who acted; direct need not, where experts are tables"},
};

static void rows_refused(void **state)
{
    (void)state;
    roster_error err;
    roster_experts *experts = spec_experts();
    roster_agent *a, *b;
    roster_problem problem = {.experts = experts, .context_probabilities = spec_p};
    assert_ok(roster_agent_create(&a, "d-ucb", &problem, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&b, "d-ucb", &problem, NULL, 1, 0, &err), &err);
    for (size_t i = 0; i < sizeof wrong_rows / sizeof *wrong_rows; i++) {
        roster_tally_row rows[] = {{.count = 3, .sum = 1, .squares = 1}, wrong_rows[i].row};
        assert_refused(roster_agent_learn_tally(a, rows, 2, 1, &err), &err, ROSTER_EINVAL, wrong_rows[i].sentence);
        assert_same(a, b);
    }
    const roster_tally_row row = {.count = 3, .sum = 1, .squares = 1};
    assert_refused(roster_agent_learn_tally(a, &row, 1, 0, &err), &err, ROSTER_EINVAL,
                   "discount is 0, must be above 0 and at most 1");
    assert_refused(roster_agent_learn_tally(a, &row, 1, 1.5, &err), &err, ROSTER_EINVAL,
                   "discount is 1.5, must be above 0 and at most 1");
    assert_refused(roster_agent_learn_tally(a, &row, 1, NAN, &err), &err, ROSTER_EINVAL,
                   "discount is nan, must be above 0 and at most 1");
    assert_refused(roster_agent_learn_tally(a, NULL, 1, 1, &err), &err, ROSTER_EINVAL, "rows is missing");
    assert_ok(roster_agent_learn_tally(a, NULL, 0, 1, &err), &err);
    assert_ok(roster_agent_learn_tally(a, &row, 1, .1, &err), &err); /* which leaves none of three */
    assert_same(a, b);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_experts_free(experts);
}

static void impossible_row_refused(void **state)
{
    (void)state;
    roster_error err;
    const double pi[] = {1, 0, .5, .5};
    roster_experts *experts;
    roster_agent *agent;
    const roster_tally_row row = {.expert = 0, .action = 1, .count = 3, .sum = 1, .squares = 1};
    assert_ok(roster_experts_tables(&experts, 2, 1, 2, pi, NULL, &err), &err);
    assert_ok(roster_agent_create(&agent, "direct", &(roster_problem){.experts = experts}, NULL, 1, 0, &err), &err);
    assert_refused(roster_agent_learn_tally(agent, &row, 1, 1, &err), &err, ROSTER_EINVAL,
                   "rows[0].expert 0 never takes action 1 there, so the row is impossible");
    roster_agent_free(agent);
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_or_refuses),      cmocka_unit_test(learns_or_refuses_elsewhere),
        cmocka_unit_test(feature_contexts),       cmocka_unit_test(rows_refused),
        cmocka_unit_test(impossible_row_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
