/*
 * bench_rounds.c: what a simulated round of an experiment's first episode costs.
 *
 *   round    the whole episode through roster_simulate on one thread; ratio to the floor (bench/floor.c)
 *   growth   ns per round of the last fifth of the episode, divided by those of rounds 1e4 to 2e4
 *   curve    ns per round of rounds 1e3 to 2e3, 2e3 to 4e3, ... up to the end
 *
 * A stretch of rounds is timed within a run, as differences of whole runs would drown it in noise: a contest tells
 * every 2^14 rounds how far it is, and at its end. An episode played before moves these times to where the stretch
 * begins.
 *
 * Times are of this thread's own work.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"
#include "bench_floor.h"

#include <math.h>
#include <stdlib.h>

enum { NEWS = 1 << 14, LATE_RUNS = 4, CURVE_FROM = 1000, CURVE_ROUNDS = 400000, CURVE_RUNS = 100 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_spread bench_spread_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return (bench_spread){values[n / 2], values[0], values[n - 1]};
}

/* Rounds first..last, and how long they took; summed over runs. */
typedef struct stretch {
    uint64_t from; /* counted over all episodes of a run */
    uint64_t first, last, began, ended;
    double rounds, ns;
} stretch;

static bool news(void *context, uint64_t rounds)
{
    stretch *s = context;
    uint64_t now = bench_work();
    if (rounds >= s->from && s->first == 0) {
        s->first = rounds;
        s->began = now;
    }
    s->last = rounds;
    s->ended = now;
    return true;
}

/* Adds rounds from+1..to of one run of agent a. */
static int time_stretch(const bench_plan *plan, size_t a, uint64_t from, uint64_t to, uint64_t run, stretch *sum,
                        roster_error *err)
{
    roster_study study = plan->instance->studies[a];
    bool online = study.sampling == ROSTER_ONLINE; /* needs its rounds in the first episode */
    uint64_t before = online ? 0 : (NEWS - from % NEWS) % NEWS;
    const roster_world *world = plan->instance->episodes[0].world;
    roster_episode episodes[2] = {{.world = world, .rounds = before}, {.world = world, .rounds = to}};
    roster_results *results = NULL;
    stretch s = {.from = before + from};
    study.episodes = before > 0 ? episodes : episodes + 1;
    study.n_episodes = before > 0 ? 2 : 1;
    roster_contest contest = {
        .studies = &study, .agents = 1, .first = run, .runs = 1, .points = 1, .progress = news, .context = &s};
    int code = roster_contest_run(&contest, &results, err);
    roster_results_free(results);
    sum->rounds += (double)(s.last - s.first);
    sum->ns += (double)(s.ended - s.began);
    return code;
}

/* Late and early rounds in turns, about as many of these as of those. */
static int measure_growth(const bench_plan *plan, size_t a, size_t repeat, double *growth, roster_error *err)
{
    uint64_t fifth = plan->rounds / 5, runs = fifth / BENCH_EARLY;
    stretch late = {.rounds = 0}, early = {.rounds = 0};
    int code = ROSTER_OK;
    for (uint64_t i = LATE_RUNS * repeat; i < LATE_RUNS * (repeat + 1) && code == ROSTER_OK; i++) {
        code = time_stretch(plan, a, plan->rounds - fifth, plan->rounds, i, &late, err);
        for (uint64_t j = i * runs; j < (i + 1) * runs && code == ROSTER_OK; j++)
            code = time_stretch(plan, a, BENCH_EARLY, 2 * BENCH_EARLY, j, &early, err);
    }
    *growth = late.ns / late.rounds / (early.ns / early.rounds);
    return code;
}

/* Nanoseconds per round of the whole episode. */
static int measure_episode(const bench_plan *plan, size_t a, uint64_t run, double *ns, roster_error *err)
{
    roster_episode episode = {.world = plan->instance->episodes[0].world, .rounds = plan->rounds};
    roster_study study = plan->instance->studies[a];
    roster_outcome outcome;
    study.episodes = &episode;
    study.n_episodes = 1;
    uint64_t began = bench_work();
    int code = roster_simulate(&study, run, NULL, NULL, &outcome, NULL, err);
    *ns = (double)(bench_work() - began) / (double)plan->rounds;
    return code;
}

/* All that is measured of rounds, [agent][repeat]. */
typedef struct figures {
    double floor[BENCH_MOST], ns[BENCH_MOST][BENCH_MOST], ratio[BENCH_MOST][BENCH_MOST], growth[BENCH_MOST][BENCH_MOST];
    double rewards; /* of the floor: so that it is played */
} figures;

static int measure_repeat(const bench_plan *plan, const floor_world *floor, size_t i, figures *f, cli_progress *bar,
                          roster_error *err)
{
    int code = ROSTER_OK;
    size_t agents = plan->file->n_agents;
    uint64_t began = bench_work();
    f->rewards += floor_run(floor, plan->file->seed, i, plan->rounds);
    f->floor[i] = (double)(bench_work() - began) / (double)plan->rounds;
    for (size_t a = 0; a < agents && code == ROSTER_OK; a++) {
        code = measure_episode(plan, a, i, &f->ns[a][i], err);
        f->ratio[a][i] = f->ns[a][i] / f->floor[i];
    }
    for (size_t a = 0; a < agents && code == ROSTER_OK; a++) {
        code = measure_growth(plan, a, i, &f->growth[a][i], err);
        cli_progress_show(bar, i * agents + a + 1);
    }
    return code;
}

static void conclude(const bench_plan *plan, figures *f, bench_rounds *out)
{
    size_t n = plan->repeats;
    out->floor = bench_spread_of(f->floor, n);
    for (size_t a = 0; a < plan->file->n_agents; a++)
        out->agents[a] = (bench_agent){.label = plan->instance->agents[a].label,
                                       .ns = bench_spread_of(f->ns[a], n),
                                       .ratio = bench_spread_of(f->ratio[a], n),
                                       .growth = bench_spread_of(f->growth[a], n)};
}

int bench_measure_rounds(const bench_plan *plan, bench_rounds *out, roster_error *err)
{
    cli_progress bar;
    floor_world *floor;
    figures f = {.rewards = 0};
    int code = floor_create(&floor, plan->instance->experts, plan->instance->episodes[0].world,
                            plan->instance->probabilities[0], 0, err);
    cli_progress_start(&bar, "rounds", plan->repeats * plan->file->n_agents);
    for (size_t i = 0; i < plan->repeats && code == ROSTER_OK; i++)
        code = measure_repeat(plan, floor, i, &f, &bar, err);
    cli_progress_end(&bar);
    floor_free(floor);
    if (code == ROSTER_OK)
        conclude(plan, &f, out);
    return code;
}

/* The agents in turns, run by run. */
static int measure_point(const bench_plan *plan, bench_point *point, roster_error *err)
{
    uint64_t runs = CURVE_ROUNDS / point->from;
    stretch sums[BENCH_MOST] = {{.rounds = 0}};
    int code = ROSTER_OK;
    runs = runs > CURVE_RUNS ? CURVE_RUNS : runs < LATE_RUNS ? LATE_RUNS : runs;
    for (uint64_t run = 0; run < runs; run++)
        for (size_t a = 0; a < plan->file->n_agents && code == ROSTER_OK; a++)
            code = time_stretch(plan, a, point->from, point->to, run, &sums[a], err);
    for (size_t a = 0; a < plan->file->n_agents; a++)
        point->ns[a] = sums[a].ns / sums[a].rounds;
    return code;
}

int bench_measure_curve(const bench_plan *plan, bench_curve *out, roster_error *err)
{
    cli_progress bar;
    int code = ROSTER_OK;
    out->n = 0;
    cli_progress_start(&bar, "curve", (uint64_t)log2((double)plan->rounds / CURVE_FROM) + 1);
    for (uint64_t from = CURVE_FROM; from < plan->rounds && out->n < BENCH_POINTS && code == ROSTER_OK; from *= 2) {
        bench_point *point = &out->points[out->n++];
        *point = (bench_point){.from = from, .to = 2 * from < plan->rounds ? 2 * from : plan->rounds};
        code = measure_point(plan, point, err);
        cli_progress_show(&bar, out->n);
    }
    cli_progress_end(&bar);
    return code;
}
