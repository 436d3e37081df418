/*
 * bench_threads.c: how much faster runs are done on two threads than on one.
 *
 * The runs are as many as take a few seconds on one thread; one and two threads take turns.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static int play(const bench_plan *plan, uint64_t runs, size_t threads, double *seconds, roster_error *err)
{
    roster_episode episode = {.world = plan->instance->episodes[0].world, .rounds = plan->rounds};
    roster_study studies[BENCH_MOST];
    roster_results *results = NULL;
    for (size_t a = 0; a < plan->file->n_agents; a++) {
        studies[a] = plan->instance->studies[a];
        studies[a].episodes = &episode;
        studies[a].n_episodes = 1;
    }
    roster_contest contest = {.studies = studies, .agents = plan->file->n_agents, .runs = runs, .threads = threads};
    double began = cli_seconds();
    int code = roster_contest_run(&contest, &results, err);
    *seconds = cli_seconds() - began;
    roster_results_free(results);
    return code;
}

/* An even number, so that two threads have the same to do. */
static uint64_t runs_for(double seconds, double per_run)
{
    double pairs = ceil(seconds / per_run / 2);
    return pairs > 2 ? 2 * (uint64_t)pairs : 4;
}

int bench_measure_threads(const bench_plan *plan, bench_threads *out, roster_error *err)
{
    cli_progress bar;
    double once, one[BENCH_MOST], two[BENCH_MOST], speedup[BENCH_MOST];
    int code = play(plan, 1, 1, &once, err);
    if (code == ROSTER_OK) /* again, now that everything is warm */
        code = play(plan, 1, 1, &once, err);
    if (code != ROSTER_OK)
        return code;
    out->runs = runs_for(plan->seconds, once);
    cli_progress_start(&bar, "threads", plan->repeats);
    for (size_t i = 0; i < plan->repeats && code == ROSTER_OK; i++) {
        code = play(plan, out->runs, 1, &one[i], err);
        if (code == ROSTER_OK)
            code = play(plan, out->runs, 2, &two[i], err);
        speedup[i] = one[i] / two[i];
        cli_progress_show(&bar, i + 1);
    }
    cli_progress_end(&bar);
    if (code != ROSTER_OK)
        return code;
    out->speedup = bench_spread_of(speedup, plan->repeats);
    out->one = bench_spread_of(one, plan->repeats);
    out->two = bench_spread_of(two, plan->repeats);
    return ROSTER_OK;
}
