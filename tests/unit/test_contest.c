/*
 * test_contest.c: many runs: what threads, parts and stopping do to the results, which is nothing.
 */
#include "support.h"

#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, AGENTS = 3, RUNS = 13 };

typedef struct match {
    instance in;
    roster_world *worlds[2];
    roster_episode episodes[2];
    roster_study studies[AGENTS];
    roster_contest contest;
} match;

static void match_init(match *m, uint64_t rounds, uint64_t min_rounds)
{
    static const char *const names[AGENTS] = {"d-ucb", "ucb", "uniform"};
    roster_error err;
    roster_rng rng;
    memset(m, 0, sizeof *m);
    roster_rng_init(&rng, 5, 0, 0);
    instance_random(&m->in, &rng, N, 3, 3, .05);
    for (size_t e = 0; e < 2; e++) {
        assert_ok(roster_world_create(&m->worlds[e], m->in.experts, e == 0 ? m->in.p : NULL, m->in.means, &err), &err);
        m->episodes[e] = (roster_episode){.world = m->worlds[e], .rounds = rounds, .min_rounds = min_rounds};
    }
    for (size_t a = 0; a < AGENTS; a++)
        m->studies[a] = (roster_study){
            .experts = m->in.experts, .episodes = m->episodes, .n_episodes = 2, .agent = names[a], .seed = 3};
    m->contest = (roster_contest){.studies = m->studies, .agents = AGENTS, .runs = RUNS, .points = 60};
}

static void match_fini(match *m)
{
    roster_world_free(m->worlds[0]);
    roster_world_free(m->worlds[1]);
    instance_free(&m->in);
}

static roster_results *run(const roster_contest *contest)
{
    roster_error err;
    roster_results *results;
    assert_ok(roster_contest_run(contest, &results, &err), &err);
    return results;
}

static void assert_same(const roster_results *a, const roster_results *b)
{
    assert_int_equal(a->runs, b->runs);
    assert_int_equal(a->points, b->points);
    assert_memory_equal(a->point_round, b->point_round, a->points * sizeof *a->point_round);
    assert_memory_equal(a->curve, b->curve, a->agents * a->points * sizeof *a->curve);
    assert_memory_equal(a->total, b->total, a->agents * sizeof *a->total);
    assert_memory_equal(a->paired, b->paired, a->agents * sizeof *a->paired);
    assert_memory_equal(a->episode, b->episode, a->agents * a->episodes * sizeof *a->episode);
    assert_memory_equal(a->plays, b->plays, a->agents * a->points * a->experts * sizeof *a->plays);
    assert_memory_equal(a->rounds, b->rounds, a->agents * sizeof *a->rounds);
    assert_memory_equal(a->best_rounds, b->best_rounds, a->agents * sizeof *a->best_rounds);
}

/* Every figure against runs made one by one. */
static void results_are_those_of_single_runs(void **state)
{
    (void)state;
    match m;
    match_init(&m, 500, 0);
    roster_results *r = run(&m.contest);
    assert_int_equal(r->runs, RUNS);
    for (size_t a = 0; a < AGENTS; a++) {
        double sum = 0, squares = 0, difference = 0, second = 0;
        uint64_t best = 0;
        for (uint64_t i = 0; i < RUNS; i++) {
            roster_error err;
            roster_outcome outcome, base;
            double by_episode[2];
            assert_ok(roster_simulate(&m.studies[a], i, NULL, NULL, &outcome, by_episode, &err), &err);
            assert_ok(roster_simulate(&m.studies[0], i, NULL, NULL, &base, NULL, &err), &err);
            sum += outcome.regret;
            squares += outcome.regret * outcome.regret;
            difference += outcome.regret - base.regret;
            second += by_episode[1];
            best += outcome.best_rounds;
        }
        assert_close(roster_moments_mean(&r->total[a], RUNS), sum / RUNS, 1e-10);
        assert_close(roster_moments_sd(&r->total[a], RUNS), sqrt((squares - sum * sum / RUNS) / (RUNS - 1)), 1e-6);
        assert_true(fabs(roster_moments_mean(&r->paired[a], RUNS) - difference / RUNS) < 1e-9);
        assert_close(roster_moments_mean(&r->episode[a * 2 + 1], RUNS), second / RUNS, 1e-10);
        assert_close(roster_moments_mean(&r->curve[a * r->points + r->points - 1], RUNS), sum / RUNS, 1e-10);
        assert_int_equal(r->best_rounds[a], best);
        assert_int_equal(r->rounds[a], RUNS * 1000);
    }
    roster_results_free(r);
    match_fini(&m);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    match m;
    match_init(&m, 300, 20);
    roster_results *one = run(&m.contest);
    for (size_t threads = 2; threads <= 16; threads *= 2) {
        m.contest.threads = threads;
        roster_results *many = run(&m.contest);
        assert_same(one, many);
        roster_results_free(many);
    }
    roster_results_free(one);
    match_fini(&m);
}

static void parts_add_up(void **state)
{
    (void)state;
    match m;
    roster_error err;
    match_init(&m, 300, 0);
    roster_results *whole = run(&m.contest), *sum;
    assert_ok(roster_results_create(&m.contest, &sum, &err), &err);
    m.contest.step = 3;
    for (uint64_t shard = 3; shard-- > 0;) {
        roster_contest part = m.contest;
        part.first = shard;
        part.runs = RUNS - shard;
        roster_results *r = run(&part);
        assert_ok(roster_results_add(sum, r, &err), &err);
        roster_results_free(r);
    }
    assert_same(whole, sum);
    m.contest.points = 20;
    roster_results *other = run(&m.contest);
    assert_refused(roster_results_add(sum, other, &err), &err, ROSTER_EINVAL,
                   "the results to add are of another shape: agents, episodes, experts or points");
    roster_results_free(other);
    roster_results_free(whole);
    roster_results_free(sum);
    match_fini(&m);
}

/* Points rise within episodes and end with them; plays count every round once. */
static void curves_are_complete(void **state)
{
    (void)state;
    const uint64_t lengths[] = {1, 2, 7, 60, 100000};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        match m;
        match_init(&m, lengths[l], 0);
        m.contest.runs = 2;
        roster_results *r = run(&m.contest);
        assert_true(r->points <= 70 && r->point_round[0] == 0 && r->point_round[r->points - 1] == lengths[l]);
        for (size_t p = 1; p < r->points; p++) {
            bool next = r->point_episode[p] == r->point_episode[p - 1] + 1;
            assert_true(next ? r->point_round[p - 1] == lengths[l] : r->point_round[p] > r->point_round[p - 1]);
        }
        for (size_t a = 0; a < AGENTS; a++) {
            uint64_t plays = 0;
            for (size_t i = 0; i < r->points * N; i++)
                plays += r->plays[a * r->points * N + i];
            assert_int_equal(plays, 2 * 2 * lengths[l]);
            for (size_t p = 1; p < r->points; p++)
                assert_true(roster_moments_mean(&r->curve[a * r->points + p], 2) >=
                            roster_moments_mean(&r->curve[a * r->points + p - 1], 2));
        }
        roster_results_free(r);
        match_fini(&m);
    }
}

static bool stop_after(void *context, uint64_t rounds)
{
    uint64_t *seen = context;
    *seen = rounds;
    return rounds < 2500000;
}

/* Whole runs only, and they are the same runs. */
static void a_stopped_contest_keeps_whole_runs(void **state)
{
    (void)state;
    match m;
    uint64_t seen = 0;
    match_init(&m, 200000, 0);
    m.contest.progress = stop_after;
    m.contest.context = &seen;
    m.contest.threads = 2;
    roster_results *r = run(&m.contest);
    assert_true(r->runs >= 1 && r->runs < RUNS);
    assert_true(seen >= 2500000);
    for (size_t a = 0; a < AGENTS; a++)
        assert_int_equal(r->rounds[a], r->runs * 400000);
    roster_results_free(r);
    match_fini(&m);
}

static uint64_t ticks(void *context)
{
    (void)context;
    static uint64_t t;
    return t += 7;
}

static void the_clock_is_the_callers(void **state)
{
    (void)state;
    match m;
    match_init(&m, 50, 0);
    m.contest.clock = ticks;
    roster_results *r = run(&m.contest);
    for (size_t a = 0; a < AGENTS; a++)
        assert_int_equal(r->nanoseconds[a], RUNS * 7);
    roster_results_free(r);
    match_fini(&m);
}

static void wrong_contests_refused(void **state)
{
    (void)state;
    match m;
    roster_error err;
    roster_results *r;
    match_init(&m, 50, 0);
    m.contest.runs = 0;
    assert_refused(roster_contest_run(&m.contest, &r, &err), &err, ROSTER_EINVAL, "a contest needs at least one run");
    m.contest.runs = 5;
    m.contest.points = SIZE_MAX;
    assert_refused(roster_contest_run(&m.contest, &r, &err), &err, ROSTER_EINVAL,
                   "points is 18446744073709551615, must be at most 10000000");
    assert_refused(roster_results_create(&m.contest, &r, &err), &err, ROSTER_EINVAL,
                   "points is 18446744073709551615, must be at most 10000000");
    m.contest.points = 60;
    roster_contest none = {.runs = 1};
    assert_refused(roster_results_create(&none, &r, &err), &err, ROSTER_EINVAL,
                   "a contest needs experts, at least one agent and one episode");
    m.studies[2].seed = 4;
    assert_refused(roster_contest_run(&m.contest, &r, &err), &err, ROSTER_EINVAL,
                   "studies[2] must have the experts, episodes and seed of studies[0]");
    m.studies[2].seed = 3;
    m.studies[1].agent = "nobody";
    m.contest.threads = 4;
    assert_int_equal(roster_contest_run(&m.contest, &r, &err), ROSTER_EINVAL);
    assert_true(strncmp(err.msg, "there is no agent 'nobody'", 26) == 0);
    assert_null(r);
    match_fini(&m);
}

/* Numbers at the ends of their types: results hold no more points than there are rounds, no point lies beyond the
   last round, and there are no more workers than runs. */
static void extreme_numbers(void **state)
{
    (void)state;
    match m;
    match_init(&m, 50, 0);
    m.contest.points = 10000000;
    m.contest.threads = SIZE_MAX;
    m.contest.runs = UINT64_MAX;
    m.contest.step = UINT64_C(1) << 63;
    roster_results *r = run(&m.contest);
    assert_int_equal(r->runs, 2);
    assert_int_equal(r->points, 101);
    roster_results_free(r);

    roster_error err;
    m.episodes[0].rounds = m.episodes[1].rounds = UINT64_MAX;
    m.contest.points = 1000;
    assert_ok(roster_results_create(&m.contest, &r, &err), &err);
    for (size_t i = 1; i < r->points; i++)
        assert_true(r->point_round[i] > r->point_round[i - 1] || r->point_episode[i] == r->point_episode[i - 1] + 1);
    assert_true(r->point_round[r->points - 1] == UINT64_MAX);
    roster_results_free(r);
    match_fini(&m);
}

static void sums_are_exact(void **state)
{
    (void)state;
    const double numbers[] = {1e9, -1e9, .1, 1e-12, -3.25, 12345.678, 1e18, -1e18};
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    roster_sum forward = {0, 0}, backward = {0, 0};
    for (size_t i = 0; i < 8; i++) {
        forward = roster_sum_add(forward, roster_sum_of(numbers[i]));
        backward = roster_sum_add(backward, roster_sum_of(numbers[7 - i]));
    }
    assert_memory_equal(&forward, &backward, sizeof forward);
    assert_true(fabs(roster_sum_value(forward) - (.1 + 1e-12 - 3.25 + 12345.678)) < 1e-11);
    assert_true(roster_sum_value(roster_sum_of(-.5)) == -.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_single_runs),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(curves_are_complete),
        cmocka_unit_test(a_stopped_contest_keeps_whole_runs),
        cmocka_unit_test(the_clock_is_the_callers),
        cmocka_unit_test(wrong_contests_refused),
        cmocka_unit_test(extreme_numbers),
        cmocka_unit_test(sums_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
