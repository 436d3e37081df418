/*
 * learn_loop.c: the plain C loop that python/bench.py measures the Python package against, and in which
 * tools/check-instructions counts instructions.
 *
 *   learn_loop [AGENT | evidence | alarms]        default: d-ucb
 *
 * Reads from standard input, in the machine's own form: N, X, V, n (uint64), the tables pi[N][X][V] (double), then n
 * times expert, context, action, reward as columns (int64, int64, int64, double). Learns them, one call each, as a
 * program in C would, and prints nanoseconds of its own work per round (the best of several passes) and the expert
 * chosen at the end.
 */
#include <inttypes.h>
#include <roster.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* What learns: one of them. */
typedef struct learner {
    roster_agent *agent;
    roster_evidence *evidence;
    roster_alarms *alarms;
} learner;

static int create(learner *self, const char *name, const roster_experts *experts, roster_error *err)
{
    if (strcmp(name, "evidence") == 0)
        return roster_evidence_create(&self->evidence, experts, .95, err);
    if (strcmp(name, "alarms") == 0)
        return roster_alarms_create(&self->alarms, experts, 1e-3, err);
    return roster_agent_create(&self->agent, name, &(roster_problem){.experts = experts}, NULL, 1, 0, err);
}

static void reset(const learner *self)
{
    if (self->evidence != NULL)
        roster_evidence_reset(self->evidence);
    else if (self->alarms != NULL)
        roster_alarms_reset(self->alarms);
    else
        roster_agent_reset(self->agent, 0);
}

static int learn(const learner *self, const roster_event *event, roster_error *err)
{
    unsigned raised;
    if (self->evidence != NULL)
        return roster_evidence_learn(self->evidence, event, err);
    if (self->alarms != NULL)
        return roster_alarms_learn(self->alarms, event, &raised, err);
    return roster_agent_learn(self->agent, event, err);
}

static size_t chosen(const learner *self)
{
    return self->agent != NULL      ? roster_agent_choose(self->agent)
           : self->evidence != NULL ? roster_evidence_leader(self->evidence)
                                    : 0;
}

int main(int argc, char **argv)
{
    roster_error err = {0, ""};
    roster_experts *experts;
    learner self = {NULL, NULL, NULL};
    uint64_t *shape = read_numbers(4, sizeof *shape);
    double *pi = read_numbers(shape[0] * shape[1] * shape[2], sizeof *pi), best = 1e18;
    roster_event *events = read_events(shape[3]);
    if (roster_experts_tables(&experts, shape[0], shape[1], shape[2], pi, NULL, &err) != ROSTER_OK ||
        create(&self, argc > 1 ? argv[1] : "d-ucb", experts, &err) != ROSTER_OK)
        return fprintf(stderr, "learn_loop: %s\n", err.msg), 1;
    for (int pass = 0; pass < PASSES; pass++) {
        reset(&self);
        double start = now();
        for (size_t i = 0; i < shape[3]; i++)
            if (learn(&self, &events[i], &err) != ROSTER_OK)
                return fprintf(stderr, "learn_loop: %s\n", err.msg), 1;
        double spent = now() - start;
        best = spent < best ? spent : best;
    }
    printf("%.2f %zu\n", best / (double)shape[3], chosen(&self));
    roster_agent_free(self.agent);
    roster_evidence_free(self.evidence);
    roster_alarms_free(self.alarms);
    roster_experts_free(experts);
    free(events);
    free(pi);
    free(shape);
    return 0;
}
