/*
 * contest.c: several agents meet the same worlds, many times, on several threads.
 *
 * Paper: none.
 *
 * Workers take run numbers from a counter. Within a run all agents play one after the other, which makes differences
 * between them paired. A run is added to its worker's results only when it is whole; the workers' results are added at
 * the end. Since adding is exact (results.c) nothing depends on which worker did which run.
 *
 * Cost: that of the runs; one mutex per run and per 2^14 rounds.
 * Check: one thread and four give the same bits (tests/unit/test_contest.c: threads_do_not_matter).
 */
#include "results.h"
#include "stretch.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS_BETWEEN_NEWS = 1 << 14, THREADS_MOST = 1024 };

/* What the workers share, under the mutex. */
typedef struct contest_state {
    const roster_contest *contest;
    pthread_mutex_t mutex;
    uint64_t runs;   /* to be taken                       */
    uint64_t next;   /* run to be taken, counted from 0   */
    uint64_t rounds; /* played by all                     */
    bool stopped;
    int code; /* of the first failure */
    roster_error err;
} contest_state;

typedef struct worker {
    contest_state *shared;
    roster_results *mine;  /* owned: runs completed      */
    roster_results *fresh; /* owned: the run under way   */
    double *by_episode;    /* owned, [episodes]          */
    size_t agent;          /* the one that plays now     */
    size_t point;          /* the next to be reached     */
    double regret;         /* so far                     */
    uint64_t unreported;   /* rounds                     */
    bool whole;            /* the run was not stopped    */
} worker;

/* Tells how far we are; false: stop. */
static bool report(contest_state *h, uint64_t rounds)
{
    pthread_mutex_lock(&h->mutex);
    h->rounds += rounds;
    if (!h->stopped && h->contest->progress != NULL)
        h->stopped = !h->contest->progress(h->contest->context, h->rounds);
    bool go_on = !h->stopped;
    pthread_mutex_unlock(&h->mutex);
    return go_on;
}

/* The curve up to (and with) round t of an episode is what regret was. */
static void reach(worker *w, size_t episode, uint64_t t, double regret)
{
    roster_results *r = w->fresh;
    while (w->point < r->points && (r->point_episode[w->point] < episode ||
                                    (r->point_episode[w->point] == episode && r->point_round[w->point] <= t)))
        roster_moments_put(&r->curve[w->agent * r->points + w->point++], regret);
}

/* Up to the next point of the curve, and until there is news. */
static uint64_t until(void *context, size_t episode, uint64_t t)
{
    worker *w = context;
    const roster_results *r = w->fresh;
    if (t == 0) /* what is left of an episode that ended early, and the round before the first */
        reach(w, episode, 0, w->regret);
    uint64_t news = t + ROUNDS_BETWEEN_NEWS - w->unreported;
    bool ahead = w->point < r->points && r->point_episode[w->point] == episode;
    return ahead && r->point_round[w->point] < news ? r->point_round[w->point] : news;
}

static bool played(void *context, size_t episode, uint64_t t, size_t k, uint64_t n, double regret)
{
    worker *w = context;
    roster_results *r = w->fresh;
    if (t == n) /* also of agents that do not ask until when */
        reach(w, episode, 0, w->regret);
    size_t point = w->point < r->points ? w->point : r->points - 1;
    r->plays[(w->agent * r->points + point) * r->experts + k] += n;
    w->regret = regret;
    if (w->point < r->points && r->point_episode[w->point] == episode && r->point_round[w->point] == t)
        reach(w, episode, t, regret);
    w->unreported += n;
    if (w->unreported < ROUNDS_BETWEEN_NEWS)
        return true;
    w->whole = report(w->shared, w->unreported);
    w->unreported = 0;
    return w->whole;
}

static uint64_t time_of(const roster_contest *contest)
{
    return contest->clock != NULL ? contest->clock(contest->context) : 0;
}

static int play_agent(worker *w, uint64_t number, double *final, roster_error *err)
{
    const roster_contest *contest = w->shared->contest;
    roster_results *r = w->fresh;
    roster_outcome outcome;
    w->point = 0;
    w->regret = 0;
    uint64_t started = time_of(contest);
    const roster_watch watch = {until, played, w};
    int code = roster_simulate_stretches(&contest->studies[w->agent], number, &watch, &outcome, w->by_episode, err);
    if (code != ROSTER_OK || !w->whole)
        return code;
    r->nanoseconds[w->agent] = time_of(contest) - started;
    reach(w, r->episodes, 0, outcome.regret);
    *final = outcome.regret;
    roster_moments_put(&r->total[w->agent], outcome.regret);
    for (size_t e = 0; e < r->episodes; e++)
        roster_moments_put(&r->episode[w->agent * r->episodes + e], w->by_episode[e]);
    r->rounds[w->agent] = outcome.rounds;
    r->best_rounds[w->agent] = outcome.best_rounds;
    r->contexts[w->agent] = outcome.contexts;
    r->rewards[w->agent] = outcome.rewards;
    r->rejected[w->agent] = outcome.rejected;
    return ROSTER_OK;
}

static int play_run(worker *w, uint64_t number, roster_error *err)
{
    double first = 0, final = 0;
    int code = ROSTER_OK;
    roster_results_clear(w->fresh);
    w->whole = true;
    for (w->agent = 0; w->agent < w->fresh->agents && code == ROSTER_OK && w->whole; w->agent++) {
        code = play_agent(w, number, &final, err);
        first = w->agent == 0 ? final : first;
        roster_moments_put(&w->fresh->paired[w->agent], final - first);
    }
    w->fresh->runs = 1;
    return code == ROSTER_OK && w->whole ? roster_results_add(w->mine, w->fresh, err) : code;
}

/* The next run's number; false: there is none, or all is over. */
static bool take_run(contest_state *h, uint64_t *number)
{
    const roster_contest *c = h->contest;
    uint64_t step = c->step > 0 ? c->step : 1;
    pthread_mutex_lock(&h->mutex);
    bool there_is = !h->stopped && h->code == ROSTER_OK && h->next < h->runs;
    *number = c->first + h->next * step;
    h->next += there_is;
    pthread_mutex_unlock(&h->mutex);
    return there_is;
}

static void *work(void *context)
{
    worker *w = context;
    uint64_t number;
    while (take_run(w->shared, &number)) {
        roster_error err;
        int code = play_run(w, number, &err);
        if (code == ROSTER_OK)
            continue;
        pthread_mutex_lock(&w->shared->mutex);
        if (w->shared->code == ROSTER_OK)
            w->shared->err = err;
        w->shared->code = code;
        pthread_mutex_unlock(&w->shared->mutex);
    }
    report(w->shared, w->unreported);
    return NULL;
}

static int open_worker(worker *w, contest_state *h, roster_error *err)
{
    w->shared = h;
    w->by_episode = roster_alloc(h->contest->studies[0].n_episodes, sizeof *w->by_episode);
    if (w->by_episode == NULL)
        return roster_fail_memory(err);
    int code = roster_results_create(h->contest, &w->mine, err);
    return code == ROSTER_OK ? roster_results_create(h->contest, &w->fresh, err) : code;
}

/* Runs the workers: one here, the others on threads of their own. Fewer threads than wanted are no failure. */
static void run_workers(worker *workers, size_t n)
{
    pthread_t *threads = n > 1 ? roster_alloc(n, sizeof *threads) : NULL;
    size_t started = 1;
    while (threads != NULL && started < n && pthread_create(&threads[started], NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static int run_contest(contest_state *h, worker *workers, size_t n, roster_results **out, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < n && code == ROSTER_OK; i++)
        code = open_worker(&workers[i], h, err);
    if (code != ROSTER_OK)
        return code;
    run_workers(workers, n);
    if (h->code != ROSTER_OK) {
        if (err != NULL)
            *err = h->err;
        return h->code;
    }
    for (size_t i = 1; i < n; i++)
        roster_results_add(workers[0].mine, workers[i].mine, NULL);
    *out = workers[0].mine;
    workers[0].mine = NULL;
    return ROSTER_OK;
}

/* As many as wanted, but not more than there are runs. */
static size_t count_workers(const roster_contest *contest, uint64_t runs)
{
    size_t most = contest->threads < THREADS_MOST ? contest->threads : THREADS_MOST;
    most = most < runs ? most : (size_t)runs;
    return most > 0 ? most : 1;
}

int roster_contest_run(const roster_contest *contest, roster_results **out, roster_error *err)
{
    contest_state h = {.contest = contest};
    *out = NULL;
    int code = roster_contest_check(contest, err);
    if (code == ROSTER_OK && contest->runs == 0)
        code = roster_fail(err, ROSTER_EINVAL, "a contest needs at least one run");
    if (code != ROSTER_OK)
        return code;
    h.runs = (contest->runs - 1) / (contest->step > 0 ? contest->step : 1) + 1;
    size_t n = count_workers(contest, h.runs);
    worker *workers = roster_alloc(n, sizeof *workers);
    if (workers == NULL || pthread_mutex_init(&h.mutex, NULL) != 0) {
        free(workers);
        return roster_fail_memory(err);
    }
    code = run_contest(&h, workers, n, out, err);
    for (size_t i = 0; i < n; i++) {
        roster_results_free(workers[i].mine);
        roster_results_free(workers[i].fresh);
        free(workers[i].by_episode);
    }
    pthread_mutex_destroy(&h.mutex);
    free(workers);
    return code;
}
