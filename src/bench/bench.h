/*
 * bench.h: what `roster bench` measures, before it is shown as text or as JSON.
 *
 * Machines are noisy, so whatever is compared takes turns in one process, several times, each ratio is of neighbours in
 * time, and what is shown is the median with the least and the largest.
 */
#ifndef ROSTER_CLI_BENCH_H
#define ROSTER_CLI_BENCH_H

#include "cli.h"
#include "experiment.h"

#include <stdio.h>

enum {
    BENCH_MOST = 16,    /* agents, repeats, numbers of experts                */
    BENCH_EARLY = 10000 /* growth compares the last fifth with rounds 1e4 to 2e4 */
};

/* Several measurements of one thing. */
typedef struct bench_spread {
    double median, least, largest;
} bench_spread;

/* Sorts the values. */
bench_spread bench_spread_of(double *values, size_t n);
/* By a clock that never goes back. */
uint64_t bench_nanoseconds(void);
/* Of this thread's own work: stands still while others have the processor. */
uint64_t bench_work(void);

/* The experiment under measurement, and how long to measure. */
typedef struct bench_plan {
    const experiment *file;
    const experiment_case *instance;
    uint64_t rounds; /* of the first episode          */
    size_t repeats;
    double seconds;         /* that a measurement of many experts or of threads takes, about */
    uint64_t expert_rounds; /* with many experts             */
} bench_plan;

/* One agent on the experiment: a whole round, its ratio to the floor, late rounds in units of early ones. */
typedef struct bench_agent {
    const char *label; /* borrowed */
    bench_spread ns, ratio, growth;
} bench_agent;

typedef struct bench_rounds {
    bench_spread floor;
    bench_agent agents[BENCH_MOST];
} bench_rounds;

int bench_measure_rounds(const bench_plan *plan, bench_rounds *out, roster_error *err);

/* ns per round of rounds from+1..to. */
typedef struct bench_point {
    uint64_t from, to;
    double ns[BENCH_MOST]; /* of every agent */
} bench_point;

enum { BENCH_POINTS = 32 };
typedef struct bench_curve {
    size_t n;
    bench_point points[BENCH_POINTS];
} bench_curve;

int bench_measure_curve(const bench_plan *plan, bench_curve *out, roster_error *err);

/* Nanoseconds of single calls: choose + learn. */
typedef struct bench_calls {
    uint64_t calls;
    double median, p99, p999, p9999;
    double clock; /* of which looking at the clock is this much */
} bench_calls;

enum { BENCH_CALL_EXPERTS = 32 };
int bench_measure_calls(const bench_plan *plan, bench_calls *out, roster_error *err);

/* Nanoseconds of an event, of everything that learns events, on random experts. */
enum { BENCH_EVENT_ROWS = 4, BENCH_LEARNERS = 5 };
extern const char *const bench_learners[BENCH_LEARNERS];
typedef struct bench_events {
    uint64_t experts, events;
    double ns[BENCH_LEARNERS]; /* of agents choose + learn; NAN: not measured */
} bench_events;

/* BENCH_EVENT_ROWS of them. */
int bench_measure_events(const bench_plan *plan, bench_events *out, roster_error *err);

/* Random experts and rewards: 10 contexts, 10 actions, no probability below .01. */
enum { BENCH_SIDE = 10 };
typedef struct bench_instance {
    roster_experts *experts; /* owned */
    roster_world *world;     /* owned */
} bench_instance;

int bench_instance_init(bench_instance *self, size_t n, roster_error *err);
void bench_instance_fini(bench_instance *self);

/* d-ucb on n random experts, in a process of its own. */
typedef struct bench_many {
    uint64_t experts, rounds, runs;
    double setup;   /* seconds of work: tables, world, and an agent's first round */
    double ns;      /* per round, of the whole simulation; median of runs   */
    double seconds; /* of a run, the same                                   */
    double ratio;   /* of ns to that of the first number of experts         */
    double peak;    /* bytes of memory                                      */
} bench_many;

int bench_measure_many(const bench_plan *plan, bench_many *many, size_t n, roster_error *err);

/* The same runs on one and on two threads. */
typedef struct bench_threads {
    uint64_t runs;
    bench_spread one, two; /* seconds */
    bench_spread speedup;
} bench_threads;

int bench_measure_threads(const bench_plan *plan, bench_threads *out, roster_error *err);

/* Everything; NULL: not asked for. */
typedef struct bench_results {
    const bench_plan *plan;
    const bench_rounds *rounds;
    const bench_calls *calls;
    const bench_events *events; /* [BENCH_EVENT_ROWS] */
    const bench_curve *curve;
    const bench_many *many;
    size_t n_many;
    const bench_threads *threads;
} bench_results;

void bench_print_text(const bench_results *r);
void bench_print_json(const bench_results *r);

#endif
