/*
 * learn_loop.c: the plain C loop that python/bench.py measures the Python package against.
 *
 * Reads from standard input, in the machine's own form: N, X, V, n (uint64), the tables pi[N][X][V] (double), then n
 * times expert, context, action, reward as columns (int64, int64, int64, double). Learns them with d-ucb, one call
 * each, as a program in C would, and prints nanoseconds of its own work per round (the best of several passes) and the
 * expert chosen at the end.
 */
#include <inttypes.h>
#include <roster.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PASSES = 12 };

static void *read_numbers(size_t n, size_t size)
{
    void *data = calloc(n, size);
    if (data == NULL || fread(data, size, n, stdin) != n)
        exit((fputs("learn_loop: standard input is too short\n", stderr), 1));
    return data;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static roster_event *read_events(size_t n)
{
    roster_event *events = calloc(n, sizeof *events);
    int64_t *k = read_numbers(n, sizeof *k), *x = read_numbers(n, sizeof *x), *v = read_numbers(n, sizeof *v);
    double *y = read_numbers(n, sizeof *y);
    for (size_t i = 0; i < n; i++)
        events[i] =
            (roster_event){.expert = (size_t)k[i], .context = (size_t)x[i], .action = (size_t)v[i], .reward = y[i]};
    free(k);
    free(x);
    free(v);
    free(y);
    return events;
}

int main(void)
{
    roster_error err = {0, ""};
    roster_experts *experts;
    roster_agent *agent;
    uint64_t *shape = read_numbers(4, sizeof *shape);
    double *pi = read_numbers(shape[0] * shape[1] * shape[2], sizeof *pi), best = 1e18;
    roster_event *events = read_events(shape[3]);
    if (roster_experts_tables(&experts, shape[0], shape[1], shape[2], pi, NULL, &err) != ROSTER_OK ||
        roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = experts}, NULL, 1, 0, &err) != ROSTER_OK)
        return fprintf(stderr, "learn_loop: %s\n", err.msg), 1;
    for (int pass = 0; pass < PASSES; pass++) {
        roster_agent_reset(agent, 0);
        double start = now();
        for (size_t i = 0; i < shape[3]; i++)
            if (roster_agent_learn(agent, &events[i], &err) != ROSTER_OK)
                return fprintf(stderr, "learn_loop: %s\n", err.msg), 1;
        double spent = now() - start;
        best = spent < best ? spent : best;
    }
    printf("%.2f %zu\n", best / (double)shape[3], roster_agent_choose(agent));
    roster_agent_free(agent);
    roster_experts_free(experts);
    free(events);
    free(pi);
    free(shape);
    return 0;
}
