/*
 * test_report.c: what report/ writes: statistics, results.json, curves.csv, the table, the page.
 */
#include "report_study.h"

#include <math.h>

#define HOSTILE "a\\\"b\\\\c, </script><b>\\n'\303\274\360\237\230\200'"

static const char *const hostile =
    TOY("{\"agent\": \"d-ucb\", \"support\": \"shared\", \"label\": \"" HOSTILE "\"}, {\"agent\": \"oracle\"}",
        "\"runs\": 4");
static const char *const sweep =
    "{\"name\": \"many\", \"experts\": {\"random\": {\"count\": 2, \"floor\": 0.01}}, "
    "\"contexts\": [\"X1\", \"X2\"], \"actions\": [\"A1\", \"A2\", \"A3\"], \"episodes\": [{\"rounds\": 50, "
    "\"context_probabilities\": [0.5, 0.5], \"reward_means\": [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]]}], \"agents\": "
    "[{\"agent\": \"d-ucb\"}], \"runs\": 3, \"seed\": 1, \"sweep\": {\"path\": \"experts.random.count\", \"values\": "
    "[2, "
    "4, 8, 70], \"label\": \"experts\"}}";

static void quantiles_of_t(void **state)
{
    static const double known[][3] = {
        {.975, 1, 12.7062047361747},   {.975, 2, 4.30265272974946},   {.975, 4, 2.77644510519779},
        {.975, 9, 2.26215716279821},   {.95, 10, 1.81246112281168},   {.975, 30, 2.04227245630124},
        {.975, 299, 1.96792966906533}, {.975, 1e6, 1.95996635681411}, {.5, 7, 0},
        {.6, 3, .276670662332692}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(report_t_quantile(known[i][0], known[i][1]) - known[i][2]) > 2e-11 * known[i][2] + 1e-15)
            fail_msg("t(%g, %g) = %.15g", known[i][0], known[i][1], report_t_quantile(known[i][0], known[i][1]));
}

static void intervals_of_known_numbers(void **state)
{
    (void)state;
    /* 1, 2, 4, 9: sum 16, squares 102, in units of 2^-40 */
    roster_moments m = {{UINT64_C(16) << 40, 0}, {UINT64_C(102) << 40, 0}};
    report_summary s = report_summarize(&m, 4);
    assert_close(s.mean, 4, 1e-15);
    assert_close(s.sd, 3.559026084010437, 1e-14);
    assert_close(s.half, 3.18244630528371 * 3.559026084010437 / 2, 1e-11);
}

static void lines_of_known_points(void **state)
{
    (void)state;
    const double x[] = {1, 2, 4, 5}, exact[] = {5, 8, 14, 17}, rough[] = {1, 4, 2, 5}, flat[] = {3, 3, 3, 3};
    report_fit fit = report_fit_line(x, exact, 4);
    assert_close(fit.slope, 3, 1e-14);
    assert_close(fit.intercept, 2, 1e-14);
    assert_close(fit.r2, 1, 1e-14);
    fit = report_fit_line(x, rough, 4);
    assert_close(fit.slope, .6, 1e-14);
    assert_close(fit.r2, .36, 1e-13);
    assert_close(report_fit_line(x, flat, 4).r2, 1, 1e-15);
}

static void json_says_what_the_toy_is(void **state)
{
    (void)state;
    done d;
    run_all(&d, toy, 0);
    char *text = written(report_json, &d.report);
    json_t *file = parsed(text), *first = json_array_get(json_object_get(file, "cases"), 0);
    json_t *episode = json_array_get(json_object_get(first, "episodes"), 0), *ucb = agent_of(file, 1);
    assert_string_equal(json_string_value(json_object_get(file, "version")), roster_version());
    assert_string_equal(json_string_value(json_object_get(episode, "best_expert_name")), "one");
    assert_close(real_of(episode, "best_value"), .74, 1e-14);
    assert_close(real_of(episode, "smallest_gap"), .48, 1e-14);
    assert_string_equal(json_string_value(json_object_get(json_object_get(agent_of(file, 0), "settings"), "support")),
                        "shared");
    report_summary s = report_summarize(&d.results[0]->total[1], 10);
    json_t *regret = json_object_get(ucb, "regret");
    assert_true(real_of(regret, "mean") == s.mean && real_of(regret, "sd") == s.sd);
    assert_true(real_of(regret, "low") == s.mean - s.half && real_of(regret, "high") == s.mean + s.half);
    assert_null(strstr(text, "roster run"));
    assert_null(strstr(text, "nano"));
    json_decref(file);
    free(text);
    fini(&d);
}

/* The results of a part, read from what was written of it. */
/* An experiment that comes out of a results.json writes the same results.json. */
/* The file with the first `from` replaced by `to` is refused with "PATH" and this sentence. */
static void one_run_has_no_interval(void **state)
{
    (void)state;
    done d;
    run_all(&d, toy, 1);
    char *text = written(report_json, &d.report), *csv = written(report_csv, &d.report);
    json_t *file = parsed(text), *regret = json_object_get(agent_of(file, 1), "regret");
    assert_true(json_is_number(json_object_get(regret, "mean")));
    assert_true(json_is_null(json_object_get(regret, "sd")));
    assert_true(json_is_null(json_object_get(regret, "low")));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_non_null(strstr(csv, "\n,d-ucb,1,0,0,0,,1\n"));
    json_decref(file);
    free(csv);
    free(text);
    fini(&d);
}

static void no_run_is_no_number(void **state)
{
    (void)state;
    done d;
    roster_error err;
    run_all(&d, toy, 0);
    roster_results *empty, *kept = d.results[0];
    roster_contest contest = contest_of(d.experiment, 0, 0, 1);
    assert_ok(roster_results_create(&contest, &empty, &err), &err);
    d.results[0] = empty;
    d.report.stopped = true;
    char *text = written(report_json, &d.report), *page = written(report_page_data, &d.report);
    char *table = written(report_table, &d.report);
    json_t *file = parsed(text), *data = parsed(page);
    assert_true(json_is_null(json_object_get(json_object_get(agent_of(file, 0), "regret"), "mean")));
    assert_non_null(strstr(table, "toy: stopped after 0 of 10 runs, seed 1\n"));
    assert_null(strstr(table, "nan"));
    json_decref(file);
    json_decref(data);
    free(text);
    free(page);
    free(table);
    roster_results_free(empty);
    d.results[0] = kept;
    fini(&d);
}

static size_t times(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        n++;
    return n;
}

static void hostile_labels_stay_text(void **state)
{
    (void)state;
    done d, tame;
    run_all(&d, hostile, 0);
    run_all(&tame, toy, 1);
    const char *label = d.experiment->cases[0].agents[0].label;
    assert_non_null(strstr(label, "</script>"));
    char *text = written(report_json, &d.report), *csv = written(report_csv, &d.report);
    char *page = written(report_html, &d.report), *tame_page = written(report_html, &tame.report);
    json_t *file = parsed(text);
    assert_string_equal(json_string_value(json_object_get(agent_of(file, 0), "label")), label);
    assert_int_equal(times(page, "</script"), times(tame_page, "</script"));
    assert_int_equal(times(page, "<b>"), times(tame_page, "<b>"));
    assert_non_null(strstr(csv, "\n,\"a\"\"b\\c, </script><b>\n'\303\274\360\237\230\200'\",1,0,0,"));
    json_decref(file);
    free(text);
    free(csv);
    free(page);
    free(tame_page);
    fini(&d);
    fini(&tame);
}

static void what_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    done d;
    run_all(&d, toy, 1);
    d.report.command = "a\377b\300\257c\355\240\200d\364\220\200\200e\360\237\230\200\303";
    char *page = written(report_page_data, &d.report);
    json_t *data = parsed(page);
    const char *r = "\357\277\275";
    char expected[100];
    sprintf(expected, "a%sb%s%sc%s%s%sd%s%s%s%se\360\237\230\200%s", r, r, r, r, r, r, r, r, r, r, r);
    assert_string_equal(json_string_value(json_object_get(data, "command")), expected);
    json_decref(data);
    free(page);
    fini(&d);
}

static void page_holds_the_data(void **state)
{
    (void)state;
    static const char start[] = "<script type=\"application/json\" id=\"data\">";
    done d;
    run_all(&d, toy, 0);
    char *page = written(report_html, &d.report), *data = strstr(page, start);
    assert_non_null(strstr(page, "<title>toy"));
    assert_null(strstr(page, "{{data}}"));
    assert_null(strstr(page, "sourceMappingURL"));
    assert_non_null(data);
    data += strlen(start);
    *strstr(data, "</script>") = 0;
    json_t *file = parsed(data), *first = json_array_get(json_object_get(file, "cases"), 0);
    json_t *episode = json_array_get(json_object_get(first, "episodes"), 1);
    json_t *row = json_array_get(json_object_get(episode, "divergence"), 0);
    assert_string_equal(json_string_value(json_object_get(file, "command")), "roster run toy.json --seed 1");
    assert_close(json_number_value(json_array_get(row, 0)), 1, 1e-12);
    assert_true(json_is_null(json_array_get(row, 1))); /* infinite */
    assert_int_equal(json_integer_value(json_object_get(episode, "start")), 300);
    assert_int_equal(json_array_size(json_object_get(agent_of(file, 0), "mean")), d.results[0]->points);
    assert_int_equal(json_array_size(json_object_get(agent_of(file, 0), "shares")), 2);
    json_decref(file);
    free(page);
    fini(&d);
}

static void csv_has_a_line_per_point(void **state)
{
    (void)state;
    done d;
    run_all(&d, toy, 0);
    char *csv = written(report_csv, &d.report), last[200];
    const roster_results *r = d.results[0];
    const roster_moments *end = &r->curve[2 * r->points - 1];
    assert_int_equal(times(csv, "\n"), 1 + 2 * r->points);
    assert_int_equal(strncmp(csv, "case,agent,episode,round,t,mean,sd,runs\n", 40), 0);
    sprintf(last, "\n,ucb,2,200,500,%.17g,%.17g,10\n", roster_moments_mean(end, 10), roster_moments_sd(end, 10));
    assert_string_equal(csv + strlen(csv) - strlen(last), last);
    free(csv);
    fini(&d);
}

/* Ten runs with this mean and standard deviation, whole multiples of 2^-40. */
static roster_moments ten_runs(int64_t mean, uint64_t sd)
{
    uint64_t squares = (uint64_t)(10 * mean * mean) + 9 * sd * sd;
    return (roster_moments){{(uint64_t)(10 * mean) << 40, (10 * mean) >> 24},
                            {squares << 40, (int64_t)(squares >> 24)}};
}

/* R = 1234/100; var of y - R x = 20^2 - 2 R cov + R^2 20^2 with cov = (20^2 + 20^2 - 2^2)/2 = 398: its sd is 226.909, a
   hundredth of that times t_{.975, 9} / sqrt(10) is 1.623. */
static void table_is_aligned(void **state)
{
    (void)state;
    static const char expected[] =
        "toy: 10 runs, seed 1\n"
        "agent  regret   95%    sd  vs first  95%   ratio    95%   best  ns/round\n"
        "d-ucb   100.0 \302\26114.3  20.0         -    -       -      -  25.0%         -\n"
        "ucb    1234.0 \302\26114.3  20.0     -12.0 \302\2611.4  12.340 \302\2611.623  50.0%        40\n"
        "\n"
        "regret by episode\n"
        "agent    1     2\n"
        "d-ucb  7.0  -3.0\n"
        "ucb    7.0  -3.0\n";
    done d;
    run_all(&d, toy, 0);
    roster_results *r = d.results[0];
    for (size_t a = 0; a < 2; a++) {
        r->total[a] = ten_runs(a == 0 ? 100 : 1234, 20);
        r->paired[a] = ten_runs(-12, 2);
        r->episode[2 * a] = ten_runs(7, 1);
        r->episode[2 * a + 1] = ten_runs(-3, 1);
        r->best_rounds[a] = 1250 * (a + 1);
        r->nanoseconds[a] = 5000 * 40 * a;
    }
    char *table = written(report_table, &d.report);
    assert_string_equal(table, expected);
    free(table);
    fini(&d);
}

static void sweeps_are_fitted(void **state)
{
    (void)state;
    done d, single;
    run_all(&d, sweep, 0);
    run_all(&single, toy, 1);
    assert_true(report_has_growth(&d.report));
    assert_false(report_has_growth(&single.report));
    const double counts[] = {2, 4, 8, 70};
    for (size_t c = 0; c < 4; c++) /* regret 5 + 2 ln N, to 2^-40 */
        d.results[c]->total[0].sum = (roster_sum){(uint64_t)(3 * (5 + 2 * log(counts[c])) * 0x1p40), 0};
    report_growth fit;
    roster_error err;
    assert_ok(report_grow(&d.report, 0, &fit, &err), &err);
    assert_close(fit.logarithmic.slope, 2, 1e-9);
    assert_close(fit.logarithmic.intercept, 5, 1e-9);
    assert_close(fit.logarithmic.r2, 1, 1e-9);
    assert_true(fit.linear.r2 < .99);
    char *table = written(report_table, &d.report), *page = written(report_page_data, &d.report);
    json_t *data = parsed(page), *last = json_array_get(json_object_get(data, "cases"), 3);
    assert_non_null(strstr(table, "\nexperts  agent  regret "));
    assert_non_null(strstr(table, " 5 +2 ln N  1.0000 "));
    assert_int_equal(json_array_size(json_object_get(data, "growth")), 1);
    assert_int_equal(json_array_size(json_object_get(last, "shown")), 8);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(last, "episodes"), 0), "divergence")));
    json_decref(data);
    free(page);
    free(table);
    fini(&d);
    fini(&single);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_t),           cmocka_unit_test(intervals_of_known_numbers),
        cmocka_unit_test(lines_of_known_points),    cmocka_unit_test(json_says_what_the_toy_is),
        cmocka_unit_test(one_run_has_no_interval),  cmocka_unit_test(no_run_is_no_number),
        cmocka_unit_test(hostile_labels_stay_text), cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(page_holds_the_data),      cmocka_unit_test(csv_has_a_line_per_point),
        cmocka_unit_test(table_is_aligned),         cmocka_unit_test(sweeps_are_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
