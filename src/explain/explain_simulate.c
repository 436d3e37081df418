/*
 * explain_simulate.c: what happens to the file's agents, found out by playing them a few hundred times.
 *
 *   settled   of a run and an episode of T rounds: the least n such that for every m from n to 0.9 T the best experts
 *             play more than 95% of rounds m+1..2m (of m+1..T where 2m is beyond the end); INFINITY: there is none.
 *             Ties are all best. m runs over some 1000 rounds, half of them evenly spread, half evenly in the
 *             logarithm, and 2m is the next of these.
 *   lost      mu* - mu_k summed over the rounds of an episode
 *   median    the middle one of the runs
 *   high      the r-th smallest of n runs, r the least with P(Bin(n, .95) < r) >= .95: with that confidence at least
 *             95% of all runs are not above it. Of fewer than 59 runs it is the largest, with confidence 1 - .95^n.
 *
 * The runs have the file's seed, but other numbers than those of `roster run`: what is said is a forecast, not a copy.
 * Each run is a contest of its own, so nothing depends on the number of threads.
 *
 * Paper: none.
 * Cost: that of the runs, spread over the threads; 2 numbers per run, agent and episode.
 * Check: tests/unit/test_explain.c: a fresh set of runs is within what was said as often as was said.
 */
#include "explain_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const uint64_t FIRST_RUN = UINT64_C(1) << 32;
enum { POINTS = 1000, POINTS_LEAST = 100, THREADS_MOST = 1024 };
static const double CELLS = 4e6;         /* points times experts that a worker keeps at most, about */
static const double ROUNDS_BUDGET = 1e7; /* beyond that fewer runs are played                      */
static const double OTHERS = 0.05;       /* share of the rounds that the others may have           */
static const double LAST = 0.9;          /* a tenth of the episode must be left to be judged by    */

/* What the workers share, under the mutex. */
typedef struct crew {
    explanation *self;
    const explain_wishes *wishes;
    size_t agent;
    pthread_mutex_t mutex;
    uint64_t next, rounds;  /* the run to be taken; rounds played by all */
    double *settled, *lost; /* owned by the caller: [episodes][runs]    */
    double *total;          /* the same: [runs]                         */
    int code;
    roster_error err;
} crew;

/* One contest under way on one thread. */
typedef struct worker {
    crew *crew;
    uint64_t told; /* rounds of the contest that the crew has heard of */
} worker;

static bool hear(void *context, uint64_t rounds)
{
    worker *w = context;
    crew *c = w->crew;
    pthread_mutex_lock(&c->mutex);
    c->rounds += rounds - w->told;
    w->told = rounds;
    if (c->wishes->progress != NULL)
        c->wishes->progress(c->wishes->context, c->rounds);
    pthread_mutex_unlock(&c->mutex);
    return true;
}

static size_t points_of(const explanation *self)
{
    size_t most = (size_t)(CELLS / (double)self->n);
    size_t points = POINTS * self->chosen->n_episodes;
    points = points < most ? points : most;
    return points > POINTS_LEAST ? points : POINTS_LEAST;
}

/* Rounds played up to a point of the results, by all experts and by those that are not among the best. */
typedef struct played {
    double all, others;
} played;

/* Of the points first..last-1, which are those of an episode; sums[0] is before the first. Returns how many sums. */
static size_t add_up(const explain_episode *episode, const roster_results *r, size_t first, size_t last, played *sums)
{
    sums[0] = (played){0, 0};
    for (size_t point = first; point < last; point++) {
        played *sum = &sums[point - first + 1];
        *sum = sum[-1];
        for (size_t k = 0; k < r->experts; k++) {
            double plays = (double)r->plays[point * r->experts + k];
            sum->all += plays;
            sum->others += episode->gaps[k] > COMMON_ZERO_GAP ? plays : 0;
        }
    }
    return last - first + 1;
}

/* Back from the end: the window of m ends at the first sum that has twice its rounds. */
static double find_settled(const played *sums, size_t n)
{
    double settled = INFINITY, T = sums[n - 1].all;
    for (size_t m = n - 1, end = n - 1; m > 0 && sums[m].all > 0; m--) {
        while (end > m && sums[end - 1].all >= 2 * sums[m].all)
            end--;
        if (sums[m].all > LAST * T)
            continue;
        double window = sums[end].all - sums[m].all, others = sums[end].others - sums[m].others;
        if (window > 0 && !(others < OTHERS * window))
            return settled;
        settled = sums[m].all;
    }
    return settled;
}

static void keep_run(crew *c, uint64_t run, const roster_results *r, played *sums)
{
    size_t point = 0;
    for (size_t e = 0; e < r->episodes; e++) {
        size_t first = point;
        while (point < r->points && r->point_episode[point] == e)
            point++;
        size_t at = e * (size_t)c->self->runs + (size_t)run, n = add_up(&c->self->episodes[e], r, first, point, sums);
        c->settled[at] = find_settled(sums, n);
        c->lost[at] = roster_sum_value(r->episode[e].sum);
    }
    c->total[run] = roster_sum_value(r->total[0].sum);
}

static int play_run(crew *c, uint64_t run, roster_error *err)
{
    worker w = {c, 0};
    roster_results *results;
    roster_contest contest = {.studies = &c->self->chosen->studies[c->agent],
                              .agents = 1,
                              .first = FIRST_RUN + run,
                              .runs = 1,
                              .threads = 1,
                              .points = points_of(c->self),
                              .progress = hear,
                              .context = &w};
    int code = roster_contest_run(&contest, &results, err);
    played *sums = code == ROSTER_OK ? calloc(results->points + 1, sizeof *sums) : NULL;
    if (code == ROSTER_OK && sums == NULL)
        code = common_fail_memory(err);
    if (code == ROSTER_OK)
        keep_run(c, run, results, sums);
    free(sums);
    roster_results_free(results);
    return code;
}

static bool take_run(crew *c, uint64_t *run)
{
    pthread_mutex_lock(&c->mutex);
    bool there_is = c->code == ROSTER_OK && c->next < c->self->runs;
    *run = c->next;
    c->next += there_is;
    pthread_mutex_unlock(&c->mutex);
    return there_is;
}

static void *work(void *context)
{
    crew *c = context;
    uint64_t run;
    while (take_run(c, &run)) {
        roster_error err;
        int code = play_run(c, run, &err);
        if (code == ROSTER_OK)
            continue;
        pthread_mutex_lock(&c->mutex);
        if (c->code == ROSTER_OK)
            c->err = err;
        c->code = code;
        pthread_mutex_unlock(&c->mutex);
    }
    return NULL;
}

/* One worker here, the others on threads of their own. Fewer threads than wanted are no failure. */
static void run_crew(crew *c)
{
    pthread_t threads[THREADS_MOST];
    size_t wanted = c->wishes->threads < THREADS_MOST ? c->wishes->threads : THREADS_MOST, started = 0;
    wanted = wanted < c->self->runs ? wanted : (size_t)c->self->runs;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, work, c) == 0)
        started++;
    work(c);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

uint64_t explain_rank(uint64_t runs, double *confidence)
{
    double n = (double)runs, f = pow(EXPLAIN_SHARE, n), below = 0;
    uint64_t above = 0; /* runs that may lie above the bound */
    while (above < runs && below + f <= 1 - EXPLAIN_CONFIDENCE) {
        below += f;
        f *= (n - (double)above) / (double)(above + 1) * (1 - EXPLAIN_SHARE) / EXPLAIN_SHARE;
        above++;
    }
    *confidence = above > 0 ? 1 - below : 1 - f;
    return above > 0 ? runs - above + 1 : runs;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Leaves the numbers sorted. */
static explain_spread spread_of(double *numbers, uint64_t runs)
{
    double confidence;
    qsort(numbers, (size_t)runs, sizeof *numbers, ascending);
    return (explain_spread){numbers[(runs - 1) / 2], numbers[explain_rank(runs, &confidence) - 1]};
}

static int simulate_agent(crew *c, explain_agent *agent)
{
    explanation *self = c->self;
    size_t episodes = self->chosen->n_episodes;
    c->next = 0;
    c->code = ROSTER_OK;
    run_crew(c);
    if (c->code != ROSTER_OK)
        return c->code;
    for (size_t e = 0; e < episodes; e++) {
        agent->settled[e] = spread_of(c->settled + e * self->runs, self->runs);
        agent->lost[e] = spread_of(c->lost + e * self->runs, self->runs);
    }
    agent->total = spread_of(c->total, self->runs);
    return ROSTER_OK;
}

static int simulate_all(crew *c, roster_error *err)
{
    explanation *self = c->self;
    for (c->agent = 0; c->agent < self->file->n_agents; c->agent++) {
        explain_agent *agent = &self->agents[c->agent];
        agent->label = self->chosen->agents[c->agent].label;
        agent->settled = calloc(self->chosen->n_episodes, sizeof *agent->settled);
        agent->lost = calloc(self->chosen->n_episodes, sizeof *agent->lost);
        if (agent->settled == NULL || agent->lost == NULL)
            return common_fail_memory(err);
        if (simulate_agent(c, agent) != ROSTER_OK)
            return common_fail(err, c->code, "agent '%.60s': %.380s", agent->label, c->err.msg);
    }
    return ROSTER_OK;
}

uint64_t explain_rounds_per_run(const experiment *file, const experiment_case *chosen)
{
    uint64_t rounds = 0;
    for (size_t e = 0; e < chosen->n_episodes; e++)
        rounds += chosen->episodes[e].rounds;
    return rounds * file->n_agents;
}

uint64_t explain_runs(const experiment *file, const experiment_case *chosen)
{
    double runs = ROUNDS_BUDGET / (double)explain_rounds_per_run(file, chosen);
    return runs >= EXPLAIN_RUNS_MOST    ? EXPLAIN_RUNS_MOST
           : runs <= EXPLAIN_RUNS_LEAST ? EXPLAIN_RUNS_LEAST
                                        : (uint64_t)runs;
}

int explain_simulate(explanation *self, const explain_wishes *wishes, roster_error *err)
{
    size_t episodes = self->chosen->n_episodes;
    crew c = {.self = self, .wishes = wishes};
    self->runs = wishes->runs > 0 ? wishes->runs : explain_runs(self->file, self->chosen);
    explain_rank(self->runs, &self->confidence);
    self->agents = calloc(self->file->n_agents, sizeof *self->agents);
    c.settled = calloc(episodes * self->runs, sizeof *c.settled);
    c.lost = calloc(episodes * self->runs, sizeof *c.lost);
    c.total = calloc(self->runs, sizeof *c.total);
    bool fits = self->agents != NULL && c.settled != NULL && c.lost != NULL && c.total != NULL;
    int code = fits && pthread_mutex_init(&c.mutex, NULL) == 0 ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK) {
        code = simulate_all(&c, err);
        pthread_mutex_destroy(&c.mutex);
    }
    free(c.settled);
    free(c.lost);
    free(c.total);
    return code;
}
