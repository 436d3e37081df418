/*
 * test_log_memory.c: a log in memory gives the events of the same log in a file (src/evaluate/read/log_memory.c).
 */
#include "support.h"

#include "evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 6 };

static const double propensity[ROWS] = {0.5, 0.25, 0.25, 0.5, 0.125, 1}, reward[ROWS] = {1, 0, 0.5, 1, 0, 0.25};
static const int64_t hour[ROWS] = {INT64_MIN, -7, 0, 10, 123456789, INT64_MAX};
static const int32_t action[ROWS] = {0, 1, 2, 0, 1, 2};
static const uint64_t starts[] = {0, 4, 10, 15};
static const log_array columns[] = {
    {.name = "action", .codes = action, .texts = "red\0green\0blue", .starts = starts},
    {.name = "hour", .wholes = hour},
    {.name = "propensity", .numbers = propensity},
    {.name = "reward", .numbers = reward},
};
static const log_table table = {columns, sizeof columns / sizeof *columns, ROWS};

static void write_csv(char *path)
{
    static const char *const names[] = {"red", "green", "blue"};
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs("action,hour,propensity,reward\n", out);
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "%s,%" PRId64 ",%.17g,%.17g\n", names[action[i]], hour[i], propensity[i], reward[i]);
    assert_int_equal(fclose(out), 0);
}

static void expect_same(const log_event *a, const log_event *b)
{
    assert_int_equal(a->action, b->action);
    assert_int_equal(a->context, b->context);
    assert_int_equal(a->segment, b->segment);
    assert_true(a->propensity == b->propensity && a->reward == b->reward && a->squares == b->squares);
    assert_string_equal(a->time, b->time);
    assert_string_equal(a->id, b->id);
}

/* The hour is a label, a time, an id and a segment at once. */
static void events_are_those_of_a_file(void **state)
{
    char path[] = "test_log_memory_XXXXXX";
    const char *paths[] = {path}, *contexts[] = {"hour", "action"};
    log_wishes in_file = {.contexts = contexts, .n_contexts = 2}, in_memory;
    log_reader *one, *two;
    log_event a, b;
    roster_error err;
    (void)state;
    write_csv(path);
    in_file.columns[LOG_TIME] = in_file.columns[LOG_ID] = in_file.columns[LOG_BY] = "hour";
    in_memory = in_file;
    in_memory.table = &table;
    assert_ok(log_open(&one, paths, 1, &in_file, &err), &err);
    assert_ok(log_open(&two, NULL, 0, &in_memory, &err), &err);
    for (uint64_t i = 0; i < ROWS; i++) {
        assert_int_equal(log_next(one, &a, &err), 1);
        assert_int_equal(log_next(two, &b, &err), 1);
        assert_int_equal(b.line, i);
        expect_same(&a, &b);
        assert_string_equal(log_labels_name(log_contexts(one), a.context),
                            log_labels_name(log_contexts(two), b.context));
    }
    assert_int_equal(log_next(two, &b, &err), 0);
    assert_int_equal(log_lines(two), ROWS);
    assert_string_equal(log_format_name(two), "table");
    log_close(one);
    log_close(two);
    unlink(path);
}

static void note(void *context, const char *title, uint64_t line, const char *reason)
{
    snprintf(context, 200, "%s %" PRIu64 " %s", title, line, reason);
}

/* The sentence about the first row of a log whose column "reward" is this one. */
static void expect_damage(log_array wrong, const char *sentence)
{
    log_array list[] = {columns[0], wrong};
    log_table damaged = {list, 2, 1};
    log_wishes wishes = {.table = &damaged};
    log_reader *log;
    log_event e;
    roster_error err;
    char said[200] = "";
    assert_ok(log_open(&log, NULL, 0, &wishes, &err), &err);
    log_on_damage(log, note, said);
    assert_int_equal(log_next(log, &e, &err), 0);
    assert_string_equal(said, sentence);
    assert_int_equal(log_damaged(log), 1);
    log_close(log);
}

static void damaged_rows(void **state)
{
    static const double missing = NAN, infinite = INFINITY;
    static const int32_t none = -1, word = 0;
    (void)state;
    expect_damage((log_array){.name = "reward", .numbers = &missing},
                  "the log 0 'reward' is missing (nan), must be a number");
    expect_damage((log_array){.name = "reward", .numbers = &infinite},
                  "the log 0 'reward' is infinite, must be a number");
    expect_damage((log_array){.name = "reward", .codes = &none, .texts = "", .starts = starts},
                  "the log 0 the reward is '', must be a number");
    expect_damage((log_array){.name = "reward", .codes = &word, .texts = "red", .starts = starts},
                  "the log 0 the reward is 'red', must be a number");
}

static void columns_are_needed(void **state)
{
    log_table one = {columns, 1, ROWS};
    log_wishes wishes = {.table = &one};
    log_reader *log;
    roster_error err;
    (void)state;
    assert_int_equal(log_open(&log, NULL, 0, &wishes, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "the log: no column looks like the reward: --reward NAME says which it is; the "
                                 "columns are 'action'");
}

/* Experts and actions in memory; a number as a label where it is no whole one. */
static void experts_in_memory(void **state)
{
    static const char *const contexts[] = {"0.5", "0.25", "0.125", "1"}, *const actions[] = {"red", "green", "blue"};
    static const char *const uniform[] = {"uniform"}, *const context[] = {"propensity"};
    double pi[12];
    roster_experts *experts;
    roster_error err;
    evaluate *e;
    (void)state;
    for (int i = 0; i < 12; i++)
        pi[i] = 1.0 / 3;
    assert_ok(roster_experts_tables(&experts, 1, 4, 3, pi, (const char *const[]){"even"}, &err), &err);
    roster_tables tables = {.experts = experts, .contexts = contexts, .actions = actions};
    evaluate_wishes w = {.log = {.table = &table, .contexts = context, .n_contexts = 1},
                         .tables = &tables,
                         .labels = actions,
                         .n_labels = 3,
                         .policies = uniform,
                         .n_policies = 1,
                         .experts_too = true,
                         .settings = {.estimator = EVALUATE_DEFAULT, .delta = 0.05, .high = 1, .level = 10}};
    assert_ok(evaluate_run(&e, &w, &err), &err);
    assert_int_equal(e->n_policies, 2);
    assert_string_equal(e->whole.policies[0].name, "even");
    assert_string_equal(e->whole.policies[1].name, "uniform");
    assert_true(e->whole.policies[0].r.value == e->whole.policies[1].r.value);
    evaluate_free(e);
    w.log.n_contexts = 0;
    assert_int_equal(evaluate_run(&e, &w, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "the experts have 4 contexts, but no column is the context: --context NAME says which "
                                 "it is");
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_those_of_a_file),
        cmocka_unit_test(damaged_rows),
        cmocka_unit_test(columns_are_needed),
        cmocka_unit_test(experts_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
