/*
 * bench_many.c: what a simulated round of d-ucb costs with few and with very many random experts, and what it takes
 * of time and memory to set them up.
 *
 * Every number of experts is measured in a process of its own, so that its peak of memory is its own. Times are of
 * work.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"
#include "common_error.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { X = BENCH_SIDE, V = BENCH_SIDE, FAR = 100000, WAIT = 200 };
static const double floor_pi = .01;

/* What the library copies is drawn, handed over and dropped. */
int bench_instance_init(bench_instance *self, size_t n, roster_error *err)
{
    double means[X * V], *pi = calloc(n * X * V, sizeof *pi);
    roster_rng rng;
    *self = (bench_instance){.experts = NULL};
    if (pi == NULL)
        return common_fail_memory(err);
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_INSTANCE);
    for (size_t row = 0; row < n * X; row++)
        roster_rng_dirichlet(&rng, V, 1, floor_pi, pi + row * V);
    for (size_t i = 0; i < X * V; i++)
        means[i] = roster_rng_uniform(&rng);
    int code = roster_experts_tables(&self->experts, n, X, V, pi, NULL, err);
    free(pi);
    return code == ROSTER_OK ? roster_world_create(&self->world, self->experts, NULL, means, err) : code;
}

void bench_instance_fini(bench_instance *self)
{
    roster_world_free(self->world);
    roster_experts_free(self->experts);
}

static int play(const bench_instance *instance, uint64_t rounds, uint64_t run, double *seconds, roster_error *err)
{
    const roster_setting settings[] = {{"C", .02, NULL}, {NULL, 0, NULL}};
    roster_episode episode = {.world = instance->world, .rounds = rounds};
    roster_study study = {.experts = instance->experts,
                          .episodes = &episode,
                          .n_episodes = 1,
                          .agent = "d-ucb",
                          .settings = settings,
                          .seed = 1};
    roster_outcome outcome;
    uint64_t began = bench_work();
    int code = roster_simulate(&study, run, NULL, NULL, &outcome, NULL, err);
    *seconds = (double)(bench_work() - began) * 1e-9;
    return code;
}

/* Set up once, then runs until the time is over. */
static int measure(bench_many *many, double patience, roster_error *err)
{
    bench_instance instance;
    double first = 0, spent = 0, seconds[BENCH_MOST];
    uint64_t began = bench_work();
    int code = bench_instance_init(&instance, (size_t)many->experts, err);
    if (code == ROSTER_OK)
        code = play(&instance, 1, 0, &first, err);
    many->setup = (double)(bench_work() - began) * 1e-9;
    while (code == ROSTER_OK && many->runs < BENCH_MOST && (many->runs == 0 || spent < patience)) {
        code = play(&instance, many->rounds, many->runs, &seconds[many->runs], err);
        spent += seconds[many->runs++];
    }
    if (code == ROSTER_OK)
        many->seconds = bench_spread_of(seconds, (size_t)many->runs).median;
    many->ns = many->seconds * 1e9 / (double)many->rounds;
    many->peak = cli_peak_memory();
    bench_instance_fini(&instance);
    return code;
}

/* What the process hands back. */
typedef struct answer {
    bench_many many;
    roster_error err;
} answer;

static void work(int out, const bench_many *many, double patience)
{
    answer a;
    memset(&a, 0, sizeof a);
    a.many = *many;
    measure(&a.many, patience, &a.err);
    _exit(write(out, &a, sizeof a) == (ssize_t)sizeof a ? 0 : 1);
}

/* Reads the answer, and meanwhile keeps the bar alive; false: the process died. */
static bool listen_to(int in, answer *a, cli_progress *bar, uint64_t done)
{
    size_t have = 0;
    for (;;) {
        struct pollfd ready = {.fd = in, .events = POLLIN};
        cli_progress_show(bar, done);
        if (poll(&ready, 1, WAIT) <= 0)
            continue;
        ssize_t n = read(in, (char *)a + have, sizeof *a - have);
        if (n <= 0)
            return have == sizeof *a;
        have += (size_t)n;
    }
}

static int measure_apart(const bench_plan *plan, bench_many *many, cli_progress *bar, uint64_t done, roster_error *err)
{
    int ends[2];
    answer a = {.err = {.code = ROSTER_OK}};
    fflush(stdout);
    if (pipe(ends) != 0)
        return common_fail(err, ROSTER_ENOMEM, "cannot create a pipe");
    pid_t child = fork();
    if (child == 0)
        work(ends[1], many, plan->seconds);
    close(ends[1]);
    bool heard = child > 0 && listen_to(ends[0], &a, bar, done);
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (!heard)
        return common_fail(err, ROSTER_ENOMEM, "the process that measured many experts died; is there enough memory?");
    *many = a.many;
    *err = a.err;
    return a.err.code;
}

int bench_measure_many(const bench_plan *plan, bench_many *many, size_t n, roster_error *err)
{
    cli_progress bar;
    uint64_t total = 0, done = 0;
    int code = ROSTER_OK;
    for (size_t i = 0; i < n; i++)
        total += many[i].experts;
    cli_progress_start(&bar, "many experts", total);
    for (size_t i = 0; i < n && code == ROSTER_OK; i++) {
        many[i].rounds = many[i].experts < FAR ? plan->expert_rounds : (plan->expert_rounds + 9) / 10;
        code = measure_apart(plan, &many[i], &bar, done, err);
        many[i].ratio = many[i].ns / many[0].ns;
        done += many[i].experts;
    }
    cli_progress_end(&bar);
    return code;
}
