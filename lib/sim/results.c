/*
 * results.c: sums over runs that do not depend on the order of adding.
 *
 * Paper: none.
 *
 *   a number is kept as an integer multiple of 2^-40 in 128 bits; mean = sum / n, sd^2 = (squares - sum^2 / n) / (n -
 *   1)
 *
 * Integers add in any order to the same bits, so threads, shards and machines agree. A regret of 1e9 and its square
 * over 1e8 runs fit.
 *
 * Cost: memory agents x points x (64 bytes + 8 per expert), whatever the number of rounds and runs.
 * Check: parts add up to the whole to the bit (tests/unit/test_contest.c: parts_add_up).
 */
#include "results.h"

#include <stdlib.h>
#include <string.h>

static const double UNIT = 0x1p40;

static __int128 integer_of(roster_sum sum)
{
    return (__int128)(((unsigned __int128)(uint64_t)sum.hi << 64) | sum.lo);
}

static roster_sum sum_of(__int128 value)
{
    return (roster_sum){(uint64_t)value, (int64_t)(value >> 64)};
}

double roster_sum_value(roster_sum sum)
{
    return (double)integer_of(sum) / UNIT;
}

roster_sum roster_sum_add(roster_sum a, roster_sum b)
{
    return sum_of((__int128)((unsigned __int128)integer_of(a) + (unsigned __int128)integer_of(b)));
}

roster_sum roster_sum_of(double x)
{
    return sum_of((__int128)(x * UNIT + (x < 0 ? -.5 : .5)));
}

void roster_moments_put(roster_moments *m, double x)
{
    m->sum = roster_sum_add(m->sum, roster_sum_of(x));
    m->squares = roster_sum_add(m->squares, roster_sum_of(x * x));
}

double roster_moments_mean(const roster_moments *m, uint64_t runs)
{
    return roster_sum_value(m->sum) / (double)runs;
}

double roster_moments_sd(const roster_moments *m, uint64_t runs)
{
    double n = (double)runs, mean = roster_moments_mean(m, runs);
    double variance = runs > 1 ? (roster_sum_value(m->squares) - n * mean * mean) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

void roster_results_free(roster_results *r)
{
    if (r == NULL)
        return;
    free(r->point_episode);
    free(r->point_round);
    free(r->curve);
    free(r->total);
    free(r->paired);
    free(r->episode);
    free(r->plays);
    free(r->rounds);
    free(r->best_rounds);
    free(r->nanoseconds);
    free(r->contexts);
    free(r->rewards);
    free(r->rejected);
    free(r);
}

/* The i-th of n rounds of an episode: half of them evenly spread, half evenly in the logarithm. */
static uint64_t spread(uint64_t rounds, size_t i, size_t n)
{
    size_t half = n / 2;
    double at = i < half ? (double)rounds * (double)(i + 1) / (double)half
                         : roster_exp(roster_ln((double)rounds) * (double)(i - half) / (double)(n - half)) + .5;
    return at < (double)rounds ? (uint64_t)at : rounds;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The rounds of one episode at which curves are kept, ascending and all different, n or n + 1 at most; returns how
   many. */
static size_t grid(uint64_t rounds, size_t n, bool first, uint64_t *at)
{
    size_t count = 0, kept = 0;
    if (first)
        at[count++] = 0;
    for (size_t i = 0; i + 1 < n; i++)
        at[count++] = rounds <= n ? i + 1 : spread(rounds, i, n);
    if (n > 0)
        at[count++] = rounds;
    qsort(at, count, sizeof *at, by_size);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || at[i] != at[kept - 1])
            at[kept++] = at[i];
    return kept;
}

/* How many points episode e gets: its share, but not more than it has rounds; or, where there are more episodes than
   points, one for every so many. */
static size_t points_of(const roster_contest *contest, size_t e)
{
    size_t all = contest->points > 0 ? contest->points : 400, episodes = contest->studies[0].n_episodes;
    size_t every = (episodes - 1) / all + 1, share = all / episodes;
    uint64_t rounds = contest->studies[0].episodes[e].rounds;
    if (every > 1)
        return (e + 1) % every == 0 || e + 1 == episodes ? 1 : 0;
    return share < rounds ? share : (size_t)rounds;
}

static int place_points(roster_results *r, const roster_contest *contest)
{
    const roster_study *study = &contest->studies[0];
    size_t most = 1;
    for (size_t e = 0; e < study->n_episodes; e++)
        most = roster_plus(most, points_of(contest, e));
    r->point_episode = roster_alloc(most, sizeof *r->point_episode);
    r->point_round = roster_alloc(most, sizeof *r->point_round);
    if (r->point_episode == NULL || r->point_round == NULL)
        return ROSTER_ENOMEM;
    for (size_t e = 0; e < study->n_episodes; e++) {
        size_t n = grid(study->episodes[e].rounds, points_of(contest, e), e == 0, r->point_round + r->points);
        for (size_t i = 0; i < n; i++)
            r->point_episode[r->points++] = e;
    }
    return ROSTER_OK;
}

static int allocate_sums(roster_results *r)
{
    size_t curves = roster_times(r->agents, r->points);
    r->curve = roster_alloc(curves, sizeof *r->curve);
    r->total = roster_alloc(r->agents, sizeof *r->total);
    r->paired = roster_alloc(r->agents, sizeof *r->paired);
    r->episode = roster_alloc(roster_times(r->agents, r->episodes), sizeof *r->episode);
    r->plays = roster_alloc(roster_times(curves, r->experts), sizeof *r->plays);
    r->rounds = roster_alloc(r->agents, sizeof *r->rounds);
    r->best_rounds = roster_alloc(r->agents, sizeof *r->best_rounds);
    r->nanoseconds = roster_alloc(r->agents, sizeof *r->nanoseconds);
    r->contexts = roster_alloc(r->agents, sizeof *r->contexts);
    r->rewards = roster_alloc(r->agents, sizeof *r->rewards);
    r->rejected = roster_alloc(r->agents, sizeof *r->rejected);
    bool fits = r->curve != NULL && r->total != NULL && r->paired != NULL && r->episode != NULL && r->plays != NULL &&
                r->rounds != NULL && r->best_rounds != NULL && r->nanoseconds != NULL && r->contexts != NULL &&
                r->rewards != NULL && r->rejected != NULL;
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

int roster_contest_check(const roster_contest *c, roster_error *err)
{
    if (c->studies == NULL || c->agents == 0 || c->studies[0].experts == NULL || c->studies[0].episodes == NULL ||
        c->studies[0].n_episodes == 0)
        return roster_fail(err, ROSTER_EINVAL, "a contest needs experts, at least one agent and one episode");
    if (c->points > ROSTER_POINTS_MOST)
        return roster_fail(err, ROSTER_EINVAL, "points is %zu, must be at most %zu", c->points,
                           (size_t)ROSTER_POINTS_MOST);
    for (size_t a = 1; a < c->agents; a++)
        if (c->studies[a].experts != c->studies[0].experts || c->studies[a].episodes != c->studies[0].episodes ||
            c->studies[a].n_episodes != c->studies[0].n_episodes || c->studies[a].seed != c->studies[0].seed)
            return roster_fail(err, ROSTER_EINVAL,
                               "studies[%zu] must have the experts, episodes and seed of studies[0]", a);
    return ROSTER_OK;
}

int roster_results_create(const roster_contest *contest, roster_results **out, roster_error *err)
{
    *out = NULL;
    int code = roster_contest_check(contest, err);
    if (code != ROSTER_OK)
        return code;
    const roster_study *study = &contest->studies[0];
    roster_results *r = roster_alloc(1, sizeof *r);
    if (r == NULL)
        return roster_fail_memory(err);
    r->agents = contest->agents;
    r->episodes = study->n_episodes;
    r->experts = roster_experts_count(study->experts);
    if (place_points(r, contest) != ROSTER_OK || allocate_sums(r) != ROSTER_OK) {
        roster_results_free(r);
        return roster_fail_memory(err);
    }
    *out = r;
    return ROSTER_OK;
}

static void add_moments(roster_moments *into, const roster_moments *part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        into[i].sum = roster_sum_add(into[i].sum, part[i].sum);
        into[i].squares = roster_sum_add(into[i].squares, part[i].squares);
    }
}

static void add_counts(uint64_t *into, const uint64_t *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] += part[i];
}

static void add_alarms(roster_alarm_counts *into, const roster_alarm_counts *part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        into[i].raised += part[i].raised;
        into[i].wrong += part[i].wrong;
        into[i].delay += part[i].delay;
    }
}

int roster_results_add(roster_results *into, const roster_results *part, roster_error *err)
{
    bool same = into->agents == part->agents && into->episodes == part->episodes && into->experts == part->experts &&
                into->points == part->points &&
                memcmp(into->point_episode, part->point_episode, into->points * sizeof *into->point_episode) == 0 &&
                memcmp(into->point_round, part->point_round, into->points * sizeof *into->point_round) == 0;
    if (!same)
        return roster_fail(err, ROSTER_EINVAL,
                           "the results to add are of another shape: agents, episodes, experts or points");
    into->runs += part->runs;
    add_moments(into->curve, part->curve, into->agents * into->points);
    add_moments(into->total, part->total, into->agents);
    add_moments(into->paired, part->paired, into->agents);
    add_moments(into->episode, part->episode, into->agents * into->episodes);
    add_counts(into->plays, part->plays, into->agents * into->points * into->experts);
    add_counts(into->rounds, part->rounds, into->agents);
    add_counts(into->best_rounds, part->best_rounds, into->agents);
    add_counts(into->nanoseconds, part->nanoseconds, into->agents);
    add_alarms(into->contexts, part->contexts, into->agents);
    add_alarms(into->rewards, part->rewards, into->agents);
    add_counts(into->rejected, part->rejected, into->agents);
    return ROSTER_OK;
}

void roster_results_clear(roster_results *r)
{
    r->runs = 0;
    memset(r->curve, 0, r->agents * r->points * sizeof *r->curve);
    memset(r->total, 0, r->agents * sizeof *r->total);
    memset(r->paired, 0, r->agents * sizeof *r->paired);
    memset(r->episode, 0, r->agents * r->episodes * sizeof *r->episode);
    memset(r->plays, 0, r->agents * r->points * r->experts * sizeof *r->plays);
    memset(r->rounds, 0, r->agents * sizeof *r->rounds);
    memset(r->best_rounds, 0, r->agents * sizeof *r->best_rounds);
    memset(r->nanoseconds, 0, r->agents * sizeof *r->nanoseconds);
    memset(r->contexts, 0, r->agents * sizeof *r->contexts);
    memset(r->rewards, 0, r->agents * sizeof *r->rewards);
    memset(r->rejected, 0, r->agents * sizeof *r->rejected);
}
