/*
 * test_evaluation.c: what policies would have earned, against values computed elsewhere and event by event
 * (src/evaluate/).
 */
#include "evaluate_support.h"

#include "propensity_model.h"
#include "value_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void two_lines(void **state)
{
    (void)state;
    evaluate_settings s = plain;
    s.high = 2;
    evaluate *e = evaluate_text("action,propensity,count,reward_sum,reward_squares,pi_b\n"
                                "x,.2,1,1,1,.3\ny,.2,2,4,8,.1\n",
                                &s, NULL, 0);
    const evaluate_result *r = &e->whole.policies[0].r;
    NEAR(r->estimates[EVALUATE_SNIPS], 1.4, 1e-12);
    NEAR(r->estimates[EVALUATE_IPS], 7.0 / 6, 1e-12);
    assert_int_equal(e->settings.interval, EVALUATE_GAUSSIAN);
    evaluate_free(e);
}

/* The mean reward of a cell without the i-th event (i < 0: with all). */
static double mean_without(const line *l, int x, int a, int i)
{
    double n = 0, s = 0, all = 0, sum = 0;
    for (int j = 0; j < EVENTS; j++) {
        bool in = j != i, here = in && l[j].x == x && l[j].a == a;
        n += here;
        s += here ? l[j].r : 0;
        all += in;
        sum += in ? l[j].r : 0;
    }
    return n > 0 ? s / n : sum / all;
}

static double shape_of(evaluate_estimator e, double w, double level)
{
    if (e == EVALUATE_CLIPPED)
        return fmin(w, level);
    if (e == EVALUATE_SWITCH)
        return w <= level ? w : 0;
    return e == EVALUATE_DROS ? level * w / (w * w + level) : w;
}

static double literal(const line *l, evaluate_estimator e, double level, double (*pi)(int, int), bool whole)
{
    double sum = 0, weights = 0;
    bool corrected = e == EVALUATE_DR || e == EVALUATE_SWITCH || e == EVALUATE_DROS;
    for (int i = 0; i < EVENTS; i++) {
        double w = shape_of(e, pi(l[i].x, l[i].a) / l[i].p, level), E = 0;
        int left_out = corrected && !whole ? i : -1;
        for (int a = 0; a < V; a++)
            E += pi(l[i].x, a) * mean_without(l, l[i].x, a, left_out);
        weights += w;
        if (e == EVALUATE_DM)
            sum += E;
        else
            sum += corrected ? E + w * (l[i].r - mean_without(l, l[i].x, l[i].a, left_out)) : w * l[i].r;
    }
    return e == EVALUATE_SNIPS ? sum / weights : sum / EVENTS;
}

static double uniformly(int x, int a)
{
    (void)x;
    (void)a;
    return 1.0 / V;
}

static double always_two(int x, int a)
{
    (void)x;
    return a == 2;
}

static void literal_estimates(void **state)
{
    static const char *const names[] = {"uniform", "always:2"};
    double (*const pi[])(int, int) = {uniformly, always_two};
    (void)state;
    line *lines = calloc(EVENTS, sizeof *lines);
    char *text = malloc(100 * EVENTS);
    assert_true(lines != NULL && text != NULL);
    draw(lines, text);
    for (int e = 0; e < 2 * EVALUATE_ESTIMATORS; e++) {
        evaluate_settings s = plain;
        s.estimator = (evaluate_estimator)(e / 2);
        s.whole_means = e % 2;
        s.level = 3;
        evaluate *got = evaluate_text(text, &s, names, 2);
        for (size_t i = 0; i < 2; i++) {
            double expected = literal(lines, s.estimator, s.level, pi[i], s.whole_means);
            NEAR(got->whole.policies[i].r.value, expected, 1e-9);
            assert_true(got->whole.policies[i].r.interval.low <= expected + 1e-12);
        }
        evaluate_free(got);
    }
    free(text);
    free(lines);
}

/* Term of the i-th event without itself in the cell means. */
static double literal_term(const line *l, int i, evaluate_estimator e, double level, double (*pi)(int, int))
{
    double w = shape_of(e, pi(l[i].x, l[i].a) / l[i].p, level), E = 0;
    for (int a = 0; a < V; a++)
        E += pi(l[i].x, a) * mean_without(l, l[i].x, a, a == l[i].a ? i : -1);
    return E + w * (l[i].r - mean_without(l, l[i].x, l[i].a, i));
}

static void check_widths(const line *l, const evaluate_settings *s, double (*pi)(int, int), const evaluate_result *r)
{
    double sum[2] = {0}, squares[2] = {0};
    for (int i = 0; i < EVENTS; i++) {
        double own = literal_term(l, i, s->estimator, s->level, pi), term[2] = {own, own - l[i].r};
        for (int k = 0; k < 2; k++) {
            sum[k] += term[k];
            squares[k] += term[k] * term[k];
        }
    }
    const roster_interval *at[2] = {&r->interval, &r->difference};
    for (int k = 0; k < 2; k++) {
        double se = sqrt((squares[k] - sum[k] * sum[k] / EVENTS) / (EVENTS - 1) / EVENTS);
        NEAR(at[k]->high - at[k]->low, 2 * 1.959963984540054 * se, 1e-9);
    }
}

/* The same events in contexts that come four times each: most cells have one event, many none. */
static void scatter(line *lines, char *text)
{
    text += sprintf(text, "context,action,propensity,reward\n");
    for (int i = 0; i < EVENTS; i++) {
        lines[i].x = i % (EVENTS / 4);
        text += sprintf(text, "%d,%d,%.17g,%.17g\n", lines[i].x, lines[i].a, lines[i].p, lines[i].r);
    }
}

/* Standard errors against the literal variance of terms without the event itself, whatever means the value takes. */
static void intervals_gaussian(void **state)
{
    static const char *const names[] = {"uniform", "always:2"};
    static const evaluate_estimator corrected[] = {EVALUATE_DR, EVALUATE_SWITCH, EVALUATE_DROS};
    double (*const pi[])(int, int) = {uniformly, always_two};
    (void)state;
    line *lines = calloc(EVENTS, sizeof *lines);
    char *text = malloc(100 * EVENTS);
    assert_true(lines != NULL && text != NULL);
    draw(lines, text);
    for (int e = 0; e < 12; e++) {
        evaluate_settings s = plain;
        if (e == 6)
            scatter(lines, text);
        s.estimator = corrected[e % 6 / 2];
        s.interval = EVALUATE_GAUSSIAN;
        s.whole_means = e % 2;
        s.level = 3;
        evaluate *got = evaluate_text(text, &s, names, 2);
        for (size_t i = 0; i < 2; i++)
            check_widths(lines, &s, pi[i], &got->whole.policies[i].r);
        evaluate_free(got);
    }
    free(text);
    free(lines);
}

/* No clicks: not [0, 0]. */
static void intervals_without_rewards(void **state)
{
    static const char *const names[] = {"always:a"};
    (void)state;
    for (int interval = 0; interval < EVALUATE_INTERVALS; interval++) {
        evaluate_settings s = plain;
        s.interval = (evaluate_interval)interval;
        evaluate *e = evaluate_text("action,propensity,reward\na,.5,0\nb,.5,0\na,.5,0\na,.5,0\n", &s, names, 1);
        const evaluate_result *r = &e->whole.policies[0].r;
        assert_true(r->interval.low == 0 && r->interval.high > 0.3);
        assert_true(r->interval.low <= r->interval.high && r->difference.low <= r->difference.high);
        evaluate_free(e);
    }
}

/* Greedy takes what earned most before, and never knows the event itself. */
static void greedy_learns_from_before(void **state)
{
    static const char *const names[] = {"greedy"};
    (void)state;
    evaluate *e = evaluate_text("context,action,propensity,reward\nx,b,.5,0\nx,a,.5,1\nx,a,.5,1\nx,a,.5,0\nx,b,.5,1\n",
                                &plain, names, 1);
    /* It takes b, the first label, in events 1 and 2, then a: in the 2nd and 5th it differs from what was taken. */
    NEAR(e->whole.policies[0].r.mean_weight, (2 + 0 + 2 + 2 + 0) / 5.0, 1e-12);
    NEAR(e->whole.policies[0].r.estimates[EVALUATE_IPS], 2 / 5.0, 1e-12);
    evaluate_free(e);
}

/* Actions drawn by a logistic model of one feature in two. */
static void model_learns_propensities(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    propensity_model *m = propensity_model_create(2);
    double off = 0;
    int n = 20000;
    for (int i = 0; i < n; i++) {
        double f[2] = {100 * roster_rng_uniform(&rng), roster_rng_uniform(&rng)};
        double p = 1 / (1 + exp(-(f[0] - 40) / 20));
        uint32_t action = roster_rng_uniform(&rng) < p;
        double told = propensity_model_next(m, f, action, 2);
        assert_true(told > 0 && told < 1);
        off += i >= n / 2 ? fabs(told - (action ? p : 1 - p)) : 0;
    }
    assert_true(off / (n / 2.0) < 0.03);
    propensity_model_free(m);
}

static void cells_are_found_again(void **state)
{
    (void)state;
    cells c = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(cells_add(&c, i % 7, i), i);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(cells_find(&c, i % 7, i), i);
    assert_true(cells_find(&c, 8, 1) == CELLS_END && cells_find(&c, 1, 1000) == CELLS_END);
    size_t n = 0;
    for (uint32_t at = c.contexts[3].first; at != CELLS_END; at = c.list[at].next)
        n += c.list[at].context == 3;
    assert_int_equal(n, 143);
    cells_free(&c);
}

static void special_quantiles(void **state)
{
    (void)state;
    NEAR(special_normal_quantile(0.975), 1.959963984540054, 1e-12);
    NEAR(special_beta_quantile(0.025, 3, 8), 0.06673951117773447, 1e-9);
    NEAR(special_beta_quantile(0.5, 1, 1), 0.5, 1e-12);
    NEAR(special_f1_above(0.05, 10), 4.9646027437307145, 1e-9);
    NEAR(special_f1_above(0.05, 10000), 3.842388900868747, 1e-9);
}

/* Open Bandit's sample, where it is. */
static const char *data(const char *name, char *path, size_t size)
{
    const char *places[] = {getenv("ROSTER_DATA"), SOURCE "/data-sets", SOURCE "/../shared/data",
                            SOURCE "/../../shared/data"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%s/obd/%s", places[i] != NULL ? places[i] : "", name);
        if (places[i] != NULL && access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* The table of section 18: ips, snips, effective samples, largest and mean weight, dm, dr. */
static const struct {
    const char *log, *policy;
    double values[7];
} table[] = {
    {"random-men.csv.xz", "uniform", {.0046, .0046, 10000, 1, 1, .004588618232, .004588618232}},
    {"random-men.csv.xz", "always:0", {.0136, .01470588235, 272, 34, .9248, .01470588235, .01470588235}},
    {"bts-men.csv.xz",
     "uniform",
     {.003008626327, .003189423162, 655.7098496, 178.2531194, .9433136257, .003619023906, .002922732938}},
    {"bts-men.csv.xz",
     "always:0",
     {.01060842145, .01052464455, 63.38708480, 985.2216749, 1.007960069, .007114624506, .01055178855}},
};

static evaluate *evaluate_obd(const char *log, const char *name, const evaluate_settings *settings)
{
    char path[1000];
    const char *found = data(log, path, sizeof path);
    evaluate_wishes w = {
        .paths = &found, .n_paths = 1, .policies = &name, .n_policies = 1, .actions = "34", .settings = *settings};
    evaluate *e = NULL;
    roster_error err;
    if (found == NULL)
        return NULL;
    assert_ok(evaluate_run(&e, &w, &err), &err);
    return e;
}

static void obd_table(void **state)
{
    (void)state;
    evaluate_settings s = plain;
    s.whole_means = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        evaluate *e = evaluate_obd(table[i].log, table[i].policy, &s);
        if (e == NULL)
            skip();
        const evaluate_result *r = &e->whole.policies[0].r;
        const double got[] = {
            r->estimates[EVALUATE_IPS], r->estimates[EVALUATE_SNIPS], r->effective, r->largest, r->mean_weight,
            r->estimates[EVALUATE_DM],  r->estimates[EVALUATE_DR]};
        for (int k = 0; k < 7; k++)
            NEAR(got[k], table[i].values[k], 1e-9);
        evaluate_free(e);
    }
}

static void obd_anytime(void **state)
{
    static const double values[2][2] = {{.004500669232, .002504847930}, {.01418379594, .03134617762}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        evaluate *e = evaluate_obd(table[i].log, table[i].policy, &plain);
        if (e == NULL)
            skip();
        roster_interval at = roster_sequence_interval(&e->whole.evaluation->tracked[0].value);
        NEAR(at.value, values[i][0], 1e-9);
        NEAR(at.high - at.value, values[i][1], 1e-9);
        evaluate_free(e);
    }
}

/* As vw-estimators 0.2.2 computes them. */
static void obd_other_intervals(void **state)
{
    static const double values[][2] = {{0, 0},
                                       {0.0014917406936406025, 0.004525511960872363},
                                       {3.640796270106253e-12, 0.0695024955164943},
                                       {0.0014917846128416044, 0.12949010701901437}};
    (void)state;
    for (int interval = EVALUATE_GAUSSIAN; interval < EVALUATE_INTERVALS; interval++) {
        evaluate_settings s = plain;
        s.estimator = EVALUATE_IPS;
        s.interval = (evaluate_interval)interval;
        evaluate *e = evaluate_obd("bts-men.csv.xz", "uniform", &s);
        if (e == NULL)
            skip();
        assert_true(fabs(e->whole.policies[0].r.interval.low - values[interval][0]) < 1e-12);
        NEAR(e->whole.policies[0].r.interval.high, values[interval][1], 1e-9);
        evaluate_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_lines),
        cmocka_unit_test(literal_estimates),
        cmocka_unit_test(intervals_gaussian),
        cmocka_unit_test(intervals_without_rewards),
        cmocka_unit_test(greedy_learns_from_before),
        cmocka_unit_test(model_learns_propensities),
        cmocka_unit_test(cells_are_found_again),
        cmocka_unit_test(special_quantiles),
        cmocka_unit_test(obd_table),
        cmocka_unit_test(obd_anytime),
        cmocka_unit_test(obd_other_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
