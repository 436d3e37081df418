/*
 * test_evaluation_gaps.c: logs that lack something: events that were dropped, actions that were never possible
 * (src/evaluate/value/).
 */
#include "evaluate_support.h"

/* Every event but the header gets a rate at which such events were dropped. */
static char *with_drops(const char *text, double (*rate)(double reward))
{
    char *out = malloc(200 * EVENTS), *to = out;
    assert_non_null(out);
    for (const char *at = text, *end; *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        bool header = at == text;
        const char *reward = end;
        while (reward[-1] != ',')
            reward--;
        to += sprintf(to, "%.*s,", (int)(end - at), at);
        to += header ? sprintf(to, "pdrop\n") : sprintf(to, "%.17g\n", rate(strtod(reward, NULL)));
    }
    return out;
}

static double nine_in_ten(double reward)
{
    (void)reward;
    return 0.9;
}

static double of_small_rewards(double reward)
{
    return reward < 0.5 ? 0.75 : 0;
}

/* A log of which nine in ten events were dropped, whichever, says what the others say and no more. */
static void drops_alike_change_nothing(void **state)
{
    static const char *const names[] = {"uniform", "always:2"};
    (void)state;
    line *lines = calloc(EVENTS, sizeof *lines);
    char *text = malloc(100 * EVENTS);
    assert_true(lines != NULL && text != NULL);
    draw(lines, text);
    char *dropped = with_drops(text, nine_in_ten);
    for (int k = 0; k < EVALUATE_ESTIMATORS * EVALUATE_INTERVALS; k++) {
        evaluate_settings s = plain;
        s.estimator = (evaluate_estimator)(k / EVALUATE_INTERVALS);
        s.interval = (evaluate_interval)(k % EVALUATE_INTERVALS);
        s.level = 3;
        evaluate *all = evaluate_text(text, &s, names, 2), *kept = evaluate_text(dropped, &s, names, 2);
        NEAR(kept->whole.events, 10.0 * EVENTS, 1e-9);
        NEAR(kept->whole.served.low, all->whole.served.low, 1e-9);
        for (size_t i = 0; i < 2; i++) {
            const evaluate_result *a = &all->whole.policies[i].r, *b = &kept->whole.policies[i].r;
            NEAR(b->value, a->value, 1e-9);
            NEAR(b->interval.low, a->interval.low, 1e-9);
            NEAR(b->interval.high, a->interval.high, 1e-9);
            NEAR(b->difference.low, a->difference.low, 1e-9);
            NEAR(b->difference.high, a->difference.high, 1e-9);
            NEAR(b->effective, a->effective, 1e-9);
            NEAR(b->mean_weight, a->mean_weight, 1e-9);
            NEAR(b->clipped_share, a->clipped_share, 1e-9);
        }
        evaluate_free(all);
        evaluate_free(kept);
    }
    free(dropped);
    free(text);
    free(lines);
}

/* Where rewards decide how many are dropped, each counts for those like it, and no interval is valid at any time. */
static void drops_by_reward_are_weighed(void **state)
{
    static const char *const names[] = {"always:2"};
    (void)state;
    line *lines = calloc(EVENTS, sizeof *lines);
    char *text = malloc(100 * EVENTS);
    assert_true(lines != NULL && text != NULL);
    draw(lines, text);
    char *dropped = with_drops(text, of_small_rewards);
    evaluate_settings s = plain;
    s.estimator = EVALUATE_IPS;
    evaluate *e = evaluate_text(dropped, &s, names, 1);
    double n = 0, sum = 0, weights = 0, squares = 0;
    for (int i = 0; i < EVENTS; i++) {
        double each = 1 / (1 - of_small_rewards(lines[i].r)), w = lines[i].a == 2 ? each / lines[i].p : 0;
        n += each;
        sum += w * lines[i].r;
        weights += w;
        squares += w * w;
    }
    const evaluate_result *r = &e->whole.policies[0].r;
    NEAR(r->value, sum / n, 1e-9);
    NEAR(r->effective, weights * weights / squares, 1e-9);
    assert_int_equal(e->settings.interval, EVALUATE_GAUSSIAN);
    assert_true(e->drop_varies && !e->rewards_watched && r->interval.low < r->value && r->value < r->interval.high);
    const evaluate_point *points;
    assert_int_equal(evaluation_points(e->whole.evaluation, 0, &points), 0);
    evaluate_free(e);
    free(dropped);
    free(text);
    free(lines);
}

/* In context y, half of the log, the logger never takes a: there it may earn anything. */
static void impossible_actions_widen_intervals(void **state)
{
    static const char *const names[] = {"always:a", "uniform", "always:b"};
    char *text = malloc(40 * 801), *to = text;
    (void)state;
    assert_non_null(text);
    to += sprintf(to, "context,action,propensity,reward\n");
    for (int i = 0; i < 800; i++)
        to += i % 2 == 0 ? sprintf(to, "y,b,1,%d\n", i % 3 == 0) : sprintf(to, "x,%c,.5,1\n", "ab"[i / 2 % 2]);
    for (int interval = 0; interval < EVALUATE_INTERVALS; interval++) {
        evaluate_settings s = plain;
        s.interval = (evaluate_interval)interval;
        evaluate *e = evaluate_text(text, &s, names, 3);
        const evaluate_policy *p = e->whole.policies;
        NEAR(p[0].r.impossible, 0.5, 1e-12);
        NEAR(p[1].r.impossible, 0.25, 1e-12);
        assert_true(p[2].r.impossible == 0 && p[2].n_warnings == 0);
        /* always:a earns 1 in x, and from 0 to 1 in y. */
        assert_true(p[0].r.interval.low <= 0.5 && p[0].r.interval.high >= 1);
        assert_true(p[0].r.interval.high - p[0].r.interval.low >= 0.5 && strstr(p[0].warnings[0], "50%") != NULL);
        evaluate_free(e);
    }
    free(text);
}

/* Events of two actions of three, with the probabilities of all. */
static char *lose_third(int events)
{
    char *text = malloc(200 * (size_t)events), *to = text;
    assert_non_null(text);
    for (int i = 0; i < events; i++) {
        int a = i % 8 >= 5;
        to += sprintf(to,
                      "{\"_label_cost\": %d, \"_label_probability\": %g, \"_label_Action\": %d, \"_labelIndex\": %d, "
                      "\"a\": [1, 2, 3], \"p\": [0.5, 0.3, 0.2]}\n",
                      a - 1, a == 0 ? .5 : .3, a + 1, a);
    }
    return text;
}

/* Whether the part that was never logged may earn anything, and the value lies in its interval. */
static void assert_widened(const evaluate_policy *p, double share)
{
    const evaluate_result *r = &p->r;
    NEAR(r->impossible, share, 1e-9);
    assert_true(r->interval.high - r->interval.low >= share - 1e-9);
    assert_true(isnan(r->value) || (r->interval.low <= r->value && r->value <= r->interval.high));
    assert_true(r->difference.low < 0 && r->difference.high > 0 && strstr(p->verdict, "than what was served") == NULL);
}

/* All probabilities are known, and the events of one action are missing. */
static void lost_actions_widen_intervals(void **state)
{
    static const char *const names[] = {"always:3", "uniform", "always:1"};
    (void)state;
    char *text = lose_third(800);
    for (int k = 0; k < EVALUATE_INTERVALS + 1; k++) {
        evaluate_settings s = plain;
        s.interval = k < EVALUATE_INTERVALS ? (evaluate_interval)k : EVALUATE_ANYTIME;
        s.clip = k < EVALUATE_INTERVALS ? 0 : 20;
        evaluate *e = evaluate_text(text, &s, names, 3);
        const evaluate_policy *got = e->whole.policies;
        assert_widened(&got[0], 1);
        assert_widened(&got[1], 1 / 3.0);
        assert_true(got[2].r.impossible == 0 && got[2].r.widening == 0);
        evaluate_free(e);
    }
    free(text);
}

/* Of 200 contexts only one shows c. None came often enough to tell by itself that c is missing; together they did. */
static void lost_actions_of_rare_contexts(void **state)
{
    static const char *const names[] = {"always:c"};
    char *text = malloc(40 * 801), *to = text;
    (void)state;
    assert_non_null(text);
    to += sprintf(to, "context,action,propensity,reward\nx0,c,.2,1\n");
    for (int i = 1; i < 800; i++)
        to += sprintf(to, "x%d,%s,%d\n", i % 200, i / 200 % 2 == 0 ? "a,.5" : "b,.3", i % 3 == 0);
    for (int interval = 0; interval < EVALUATE_INTERVALS; interval++) {
        evaluate_settings s = plain;
        s.interval = (evaluate_interval)interval;
        evaluate *e = evaluate_text(text, &s, names, 1);
        assert_true(e->whole.policies[0].r.lacking == 0);
        assert_widened(&e->whole.policies[0], 199 / 200.0);
        assert_non_null(strstr(e->whole.policies[0].verdict, "no verdict"));
        evaluate_free(e);
    }
    free(text);
}

/* Three actions drawn alike in as many contexts as events, rewards of one half whatever is done. */
static void draw_sparse(char *to, uint64_t seed)
{
    enum { MANY = 600 };
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, 0);
    to += sprintf(to, "context,action,propensity,reward\n");
    for (int i = 0; i < MANY; i++) {
        int x = (int)roster_rng_below(&rng, MANY), a = (int)roster_rng_below(&rng, 3);
        to += sprintf(to, "%d,%d,.33333333333333333,%d\n", x, a, roster_rng_uniform(&rng) < 0.5);
    }
}

/* Cells of one event, which vary from log to log as if they were many, do not make intervals too narrow. */
static void sparse_cells_do_not_look_sure(void **state)
{
    enum { LOGS = 200 };
    static const char *const names[] = {"always:1"};
    char *text = malloc(40 * 601);
    int value = 0, difference = 0;
    (void)state;
    assert_non_null(text);
    for (uint64_t seed = 0; seed < LOGS; seed++) {
        evaluate_settings s = plain;
        s.interval = EVALUATE_GAUSSIAN;
        draw_sparse(text, seed);
        evaluate *e = evaluate_text(text, &s, names, 1);
        const evaluate_result *r = &e->whole.policies[0].r;
        value += r->interval.low > 0.5 || r->interval.high < 0.5;
        difference += r->difference.low > 0 || r->difference.high < 0;
        evaluate_free(e);
    }
    assert_true(value <= LOGS / 10 && difference <= LOGS / 10);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_alike_change_nothing),         cmocka_unit_test(drops_by_reward_are_weighed),
        cmocka_unit_test(impossible_actions_widen_intervals), cmocka_unit_test(lost_actions_widen_intervals),
        cmocka_unit_test(lost_actions_of_rare_contexts),      cmocka_unit_test(sparse_cells_do_not_look_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
