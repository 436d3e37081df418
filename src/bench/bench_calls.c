/*
 * bench_calls.c: what a single choose + learn costs through the public interface, on 32 random experts.
 *
 * Every call is timed by itself, because a server cares for the slowest. The clock is looked at twice for each of the
 * two, which costs something too: that much is measured the same way and shown, but not taken off.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

enum { CALLS = 150000 }; /* per repeat */

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t bench_nanoseconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t bench_work(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int by_time(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The clock alone, as it is looked at below; the median. */
static double time_clock(uint64_t *times, size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        uint64_t began = bench_nanoseconds(), between = bench_nanoseconds();
        uint64_t again = bench_nanoseconds(), ended = bench_nanoseconds();
        times[i] = ended - again + between - began;
    }
    qsort(times, calls, sizeof *times, by_time);
    return (double)times[calls / 2];
}

static int time_calls(const roster_world *world, roster_agent *agent, uint64_t *times, size_t calls, roster_error *err)
{
    roster_rng rng;
    int code = roster_agent_reserve(agent, calls, err);
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_WORLD);
    for (uint64_t t = 1; t <= calls && code == ROSTER_OK; t++) {
        roster_event event;
        uint64_t began = bench_nanoseconds();
        size_t k = roster_agent_choose(agent);
        uint64_t between = bench_nanoseconds();
        roster_world_round(world, &rng, t, k, &event);
        uint64_t again = bench_nanoseconds();
        code = roster_agent_learn(agent, &event, err);
        times[t - 1] = bench_nanoseconds() - again + between - began;
    }
    return code;
}

static void conclude(uint64_t *times, size_t n, bench_calls *out)
{
    qsort(times, n, sizeof *times, by_time);
    out->median = (double)times[n / 2];
    out->p99 = (double)times[n - 1 - n / 100];
    out->p999 = (double)times[n - 1 - n / 1000];
    out->p9999 = (double)times[n - 1 - n / 10000];
}

int bench_measure_calls(const bench_plan *plan, bench_calls *out, roster_error *err)
{
    size_t calls = CALLS * plan->repeats;
    bench_instance instance;
    roster_agent *agent = NULL;
    uint64_t *times = calloc(calls, sizeof *times);
    int code = bench_instance_init(&instance, BENCH_CALL_EXPERTS, err);
    if (times == NULL) {
        *err = (roster_error){.code = ROSTER_ENOMEM, .msg = "out of memory"};
        code = ROSTER_ENOMEM;
    }
    if (code == ROSTER_OK)
        code = roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = instance.experts}, NULL, 1, 0, err);
    if (code == ROSTER_OK) {
        *out = (bench_calls){.calls = calls, .clock = time_clock(times, calls)};
        code = time_calls(instance.world, agent, times, calls, err);
    }
    if (code == ROSTER_OK)
        conclude(times, calls, out);
    roster_agent_free(agent);
    bench_instance_fini(&instance);
    free(times);
    return code;
}
