/*
 * test_evaluate_coverage.c: how often intervals of `roster evaluate` ever miss, on simulated logs that are looked at
 * again and again (src/evaluate/value/).
 *
 * 300 logs of 2,000 events in each of three worlds: actions drawn uniformly and rewards of 5%; actions drawn by a
 * policy that adapts to the rewards; rewards between 0 and 1 in two contexts, logged with very unequal probabilities.
 * The interval valid at any time is looked at after every event, those for one look every 100 events.
 */
#include "support.h"

#include "evaluate.h"
#include "value_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOGS = 300, EVENTS = 2000, V = 4, LOOK = 100, RESAMPLES = 100 };

/* A world: with what probability an action is taken, and what it earns. */
typedef struct world {
    const char *name;
    bool adapts;
    size_t contexts;
    double p[2][V], mean[2][V];
    bool continuous;
    double least; /* propensity */
} world;

static const world worlds[] = {
    {"uniform, 5%", false, 1, {{.25, .25, .25, .25}}, {{.05, .04, .06, .02}}, false, .25},
    {"adaptive", true, 1, {{0}}, {{.3, .5, .2, .4}}, false, .05},
    {"unequal", false, 2, {{.7, .1, .1, .1}, {.02, .08, .3, .6}}, {{.2, .4, .6, .3}, {.5, .1, .3, .2}}, true, .02},
};

/* What has been drawn of a log. */
typedef struct history {
    double w[EVENTS], r[EVENTS];
    double n[V], sum[V];
} history;

static void propensities(const world *w, const history *h, size_t x, double p[V])
{
    size_t best = 0;
    for (size_t v = 1; v < V; v++)
        if ((h->sum[v] + 1) / (h->n[v] + 2) > (h->sum[best] + 1) / (h->n[best] + 2))
            best = v;
    for (size_t v = 0; v < V; v++)
        p[v] = w->adapts ? (v == best ? .85 : .05) : w->p[x][v];
}

/* always:0 earns this. */
static double value_of(const world *w)
{
    double sum = 0;
    for (size_t x = 0; x < w->contexts; x++)
        sum += w->mean[x][0] / (double)w->contexts;
    return sum;
}

static void draw(const world *w, roster_rng *rng, history *h, size_t t, log_event *e)
{
    double p[V];
    size_t x = (size_t)roster_rng_below(rng, w->contexts);
    propensities(w, h, x, p);
    size_t v = roster_experts_draw(p, V, roster_rng_uniform(rng));
    double u = roster_rng_uniform(rng), m = w->mean[x][v];
    double r = !w->continuous ? u < m : m <= 0.5 ? 2 * m * u : 1 - 2 * (1 - m) * u;
    *e = (log_event){.context = (uint32_t)x,
                     .action = (uint32_t)v,
                     .expert = LOG_NONE,
                     .segment = LOG_NONE,
                     .propensity = p[v],
                     .reward = r,
                     .squares = r * r,
                     .count = 1};
    h->w[t] = v == 0 ? 1 / p[v] : 0;
    h->r[t] = r;
    h->n[v]++;
    h->sum[v] += r;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Percentiles of resampled means of w r. */
static bool bootstrap_misses(const history *h, size_t n, double value, roster_rng *rng)
{
    double means[RESAMPLES];
    for (int b = 0; b < RESAMPLES; b++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            size_t k = (size_t)roster_rng_below(rng, n);
            sum += h->w[k] * h->r[k];
        }
        means[b] = sum / (double)n;
    }
    qsort(means, RESAMPLES, sizeof *means, compare);
    return value < means[RESAMPLES / 40] || value > means[RESAMPLES - 1 - RESAMPLES / 40];
}

static bool misses(const roster_interval *at, double value)
{
    return at->low > value || at->high < value;
}

/* Policies of a log of which only the header is there. */
static policies *make_policies(log_reader **log)
{
    char path[] = "test_coverage_XXXXXX";
    static const char *paths[1];
    roster_error err;
    policies *list;
    log_wishes none = {0};
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "action,propensity,reward\n", 25), 25);
    close(file);
    paths[0] = path;
    assert_ok(log_open(log, paths, 1, &none, &err), &err);
    unlink(path);
    assert_ok(policies_create(&list, *log, NULL, "4", &err), &err);
    assert_ok(policies_add(list, "always:0", &err), &err);
    return list;
}

typedef struct figures {
    int missed[3]; /* anytime, gaussian, bootstrap */
    double width[2];
} figures;

static void run_log(const world *w, policies *list, uint64_t number, figures *f)
{
    evaluate_settings s = {
        .estimator = EVALUATE_IPS, .delta = .05, .high = 1, .level = 10, .least_propensity = w->least};
    evaluation *anytime = evaluation_create(list, &s);
    s.interval = EVALUATE_GAUSSIAN;
    evaluation *gaussian = evaluation_create(list, &s);
    history *h = calloc(1, sizeof *h);
    assert_true(anytime != NULL && gaussian != NULL && h != NULL);
    roster_rng rng, other;
    roster_interval at = {0}, apart;
    bool missed[3] = {false, false, false};
    double value = value_of(w);
    roster_rng_init(&rng, 11, number, 0);
    roster_rng_init(&other, 12, number, 0);
    for (size_t t = 0; t < EVENTS; t++) {
        log_event e;
        policy_view view;
        char reason[100];
        draw(w, &rng, h, t, &e);
        assert_true(policies_view(list, &e, &view, reason, sizeof reason));
        assert_true(evaluation_add(anytime, &e, &view) && evaluation_add(gaussian, &e, &view));
        value_intervals(anytime, 0, EVALUATE_IPS, &at, &apart);
        missed[0] = missed[0] || misses(&at, value);
        if ((t + 1) % LOOK != 0)
            continue;
        roster_interval now;
        value_intervals(gaussian, 0, EVALUATE_IPS, &now, &apart);
        missed[1] = missed[1] || misses(&now, value);
        missed[2] = missed[2] || bootstrap_misses(h, t + 1, value, &other);
        f->width[1] += t + 1 == EVENTS ? now.high - now.low : 0;
    }
    f->width[0] += at.high - at.low;
    for (int k = 0; k < 3; k++)
        f->missed[k] += missed[k];
    evaluation_free(anytime);
    evaluation_free(gaussian);
    free(h);
}

static void anytime_intervals_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        figures f = {.width = {0}};
        log_reader *log;
        policies *list = make_policies(&log);
        for (uint64_t number = 0; number < LOGS; number++)
            run_log(&worlds[i], list, number, &f);
        print_message(
            "%s: ever missed in %% of %d logs: anytime %.1f, gaussian %.1f, bootstrap %.1f; width at the end: "
            "anytime %.4f, gaussian %.4f\n",
            worlds[i].name, LOGS, 100.0 * f.missed[0] / LOGS, 100.0 * f.missed[1] / LOGS, 100.0 * f.missed[2] / LOGS,
            f.width[0] / LOGS, f.width[1] / LOGS);
        assert_true(f.missed[0] <= LOGS * 5 / 100);
        assert_true(f.missed[1] > LOGS * 5 / 100); /* else the worlds are too easy to tell the two apart */
        policies_free(list);
        log_close(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anytime_intervals_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
