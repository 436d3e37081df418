/*
 * test_report_read.c: results.json read back: to the bit, parts that make a whole, and damage that is named.
 */
#include "report_study.h"

static void assert_same_results(const roster_results *a, const roster_results *b)
{
    size_t points = a->agents * a->points;
    assert_int_equal(a->runs, b->runs);
    assert_memory_equal(a->curve, b->curve, points * sizeof *a->curve);
    assert_memory_equal(a->total, b->total, a->agents * sizeof *a->total);
    assert_memory_equal(a->paired, b->paired, a->agents * sizeof *a->paired);
    assert_memory_equal(a->episode, b->episode, a->agents * a->episodes * sizeof *a->episode);
    assert_memory_equal(a->plays, b->plays, points * a->experts * sizeof *a->plays);
    assert_memory_equal(a->rounds, b->rounds, a->agents * sizeof *a->rounds);
    assert_memory_equal(a->best_rounds, b->best_rounds, a->agents * sizeof *a->best_rounds);
}

static roster_results *reread(const done *part)
{
    roster_error err;
    roster_results *out;
    uint64_t shard, shards;
    char *text = written(report_json, &part->report), *path = saved(text);
    roster_contest contest = contest_of(part->experiment, 0, 0, 1);
    assert_ok(roster_results_create(&contest, &out, &err), &err);
    assert_ok(report_read(path, part->experiment, &out, &shard, &shards, &err), &err);
    assert_int_equal(shard, part->report.shard);
    assert_int_equal(shards, part->report.shards);
    forget(path);
    free(text);
    return out;
}

static void sums_survive_the_file(void **state)
{
    (void)state;
    done d;
    run_all(&d, toy, 0);
    d.results[0]->total[0].sum = (roster_sum){UINT64_MAX, INT64_MIN};
    d.results[0]->total[1].squares = (roster_sum){UINT64_C(0x8000000000000001), INT64_MAX};
    d.results[0]->paired[1].sum = (roster_sum){UINT64_MAX, -1};
    d.results[0]->rounds[1] = UINT64_MAX;
    roster_results *back = reread(&d);
    assert_same_results(back, d.results[0]);
    roster_results_free(back);
    fini(&d);
}

static void assert_same_text(int (*write)(const report *, FILE *, roster_error *), const report *a, const report *b)
{
    char *first = written(write, a), *second = written(write, b);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void halves_give_the_bytes_of_the_whole(void **state)
{
    (void)state;
    const uint64_t seed = UINT64_MAX - 4;
    experiment_changes changes = {.runs = 7, .rounds = 90, .seed = &seed};
    roster_error err;
    done whole, part[2];
    run_part(&whole, toy, &changes, 0, 1);
    roster_results *sum = NULL;
    for (size_t i = 0; i < 2; i++) {
        run_part(&part[i], toy, &changes, i, 2);
        roster_results *read = reread(&part[i]);
        if (sum == NULL) {
            sum = read;
            continue;
        }
        assert_ok(roster_results_add(sum, read, &err), &err);
        roster_results_free(read);
    }
    report merged = {part[0].experiment, &sum, "roster merge", false, 0, 1};
    assert_same_text(report_json, &merged, &whole.report);
    assert_same_text(report_csv, &merged, &whole.report);
    roster_results_free(sum);
    fini(&whole);
    fini(&part[0]);
    fini(&part[1]);
}

static void experiment_survives_the_file(void **state)
{
    (void)state;
    const uint64_t seed = 12;
    experiment_changes changes = {.runs = 2, .seed = &seed, .agents = "ucb"};
    roster_error err;
    experiment *again;
    done d;
    run_part(&d, toy, &changes, 0, 1);
    char *text = written(report_json, &d.report), *path = saved(text);
    assert_ok(report_read_experiment(path, &again, &err), &err);
    report same = d.report;
    same.experiment = again;
    assert_same_text(report_json, &same, &d.report);
    experiment_free(again);
    forget(path);
    free(text);
    fini(&d);
}

static void assert_damage(const done *d, const char *text, const char *from, const char *to, const char *sentence)
{
    roster_error err;
    roster_results *out;
    uint64_t shard, shards;
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *damaged = malloc(strlen(text) + strlen(to) + 1), expected[600];
    sprintf(damaged, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    char *path = saved(damaged);
    snprintf(expected, sizeof expected, "%s%s", path, sentence);
    roster_contest contest = contest_of(d->experiment, 0, 0, 1);
    assert_ok(roster_results_create(&contest, &out, &err), &err);
    int code = report_read(path, d->experiment, &out, &shard, &shards, &err);
    assert_refused(code, &err, ROSTER_EDAMAGED, expected);
    roster_results_free(out);
    forget(path);
    free(damaged);
}

static void damage_is_named(void **state)
{
    (void)state;
    static const char another[] = ": experiment is another: parts must come from the same file and the same options";
    done d;
    run_all(&d, toy, 0);
    char *text = written(report_json, &d.report);
    assert_damage(&d, text, "roster results 1", "roster results 9",
                  ": format must be \"roster results 1\": this is not a results.json");
    assert_damage(&d, text, "\"rounds\":300", "\"rounds\":301", another);
    assert_damage(&d, text, "\"seed\": null", "\"seed\": 4", another);
    assert_damage(&d, text, "\"agents\": null", "\"agents\": \"ucb\"", another);
    assert_damage(&d, text, "\"index\": 0", "\"index\": 1", ": shard must have an index below its count");
    assert_damage(&d, text, "\"cases\": [", "\"cases\": [[], ",
                  ": cases has another length than this experiment gives it");
    assert_damage(&d, text, "\"runs\": 10,\n      \"experts\"", "\"runs\": -1,\n      \"experts\"",
                  ": cases[0].runs must be a whole number, at least 0");
    assert_damage(&d, text, "\"round\": [0, ", "\"round\": [1, ",
                  ": cases[0].round has other points than this experiment");
    assert_damage(&d, text, "\"best_rounds\"", "\"best\"",
                  ": cases[0].agents[0].best_rounds must be a whole number, at least 0");
    assert_damage(&d, text, "\"sum\": \"0", "\"sum\": \"x",
                  ": cases[0].agents[0].regret must be 32 hexadecimal digits");
    assert_damage(&d, text, "\"sum\": [\"0", "\"sum\": [\"",
                  ": cases[0].agents[0].curve.sum must be 32 hexadecimal digits");
    assert_damage(&d, text, "[0, 0],", "[0],", ": cases[0].agents[0].curve.plays must have a number for each expert");
    assert_damage(&d, text, "\"curve\"", "\"curves\"", ": cases[0].agents[0].curve is missing or of another kind");
    assert_damage(&d, text, "\"format\":", "\"format\"", ":2:29: ':' expected near '\"roster results 1\"'");
    free(text);
    fini(&d);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    done d;
    roster_error err;
    uint64_t shard, shards;
    run_all(&d, toy, 1);
    int code = report_read("no/such.json", d.experiment, d.results, &shard, &shards, &err);
    assert_refused(code, &err, ROSTER_EINVAL, "no/such.json cannot be read: No such file or directory");
    fini(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_survive_the_file),        cmocka_unit_test(halves_give_the_bytes_of_the_whole),
        cmocka_unit_test(experiment_survives_the_file), cmocka_unit_test(damage_is_named),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
