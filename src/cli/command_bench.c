/*
 * command_bench.c: `roster bench [FILE]`: what rounds cost, as ratios to the bare world's cost where that can be.
 *
 *   bench_rounds.c    a round of the experiment beside the floor, and whether late rounds cost more than early ones
 *   bench_calls.c     a single choose + learn
 *   bench_events.c    an event of everything that learns events
 *   bench_many.c      very many experts: --experts
 *   bench_threads.c   two threads against one: --threads
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"
#include "cli_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROUNDS = 5 * BENCH_EARLY, MOST_EXPERTS = 1000000 };
static const char everything[] = "10,100,1000,10000,100000";

/* What the options say, and what came of it. */
typedef struct bench {
    const cli_call *call;
    bench_plan plan;
    bool curve, threads;
    size_t n_many;
    bench_many many[BENCH_MOST];
    bench_rounds rounds;
    bench_curve by_round;
    bench_calls calls;
    bench_events events[BENCH_EVENT_ROWS];
    bench_threads on_threads;
} bench;

/* "10,100,1000" */
static int read_many(const cli_call *call, const char *list, bench *b)
{
    const char *at = list;
    while (at != NULL) {
        char *end;
        uint64_t n = strtoull(at, &end, 10);
        bool is_number = *at >= '0' && *at <= '9' && (*end == ',' || *end == '\0');
        if (!is_number || n < 2 || n > MOST_EXPERTS)
            return cli_usage(
                call->command,
                "--experts is '%s', must be whole numbers from 2 to %d separated by commas, such as 10,100", list,
                MOST_EXPERTS);
        if (b->n_many == BENCH_MOST)
            return cli_usage(call->command, "--experts has more than %d numbers", BENCH_MOST);
        b->many[b->n_many++].experts = n;
        at = *end == ',' ? end + 1 : NULL;
    }
    return 0;
}

static int read_options(const cli_call *call, bench *b)
{
    bool all = cli_value(call, "all") != NULL;
    const char *experts = cli_value(call, "experts");
    uint64_t repeats = 7;
    b->plan.seconds = 3;
    b->plan.expert_rounds = 1000000;
    b->curve = all || cli_value(call, "curve") != NULL;
    b->threads = all || cli_value(call, "threads") != NULL;
    int code = cli_count(call, "repeats", 1, BENCH_MOST, &repeats);
    if (code == 0)
        code = cli_count(call, "rounds", LEAST_ROUNDS, 1000000000, &b->plan.rounds);
    if (code == 0)
        code = cli_count(call, "expert-rounds", 1, 1000000000, &b->plan.expert_rounds);
    if (code == 0)
        code = cli_number(call, "seconds", 0, 3600, &b->plan.seconds);
    if (code == 0)
        code = read_many(call, experts == NULL && all ? everything : experts, b);
    b->plan.repeats = (size_t)repeats;
    return code;
}

/* Few agents, and rounds enough to tell early from late. */
static int check_file(bench *b)
{
    const experiment *file = b->plan.file;
    b->plan.instance = &file->cases[0];
    if (b->plan.rounds == 0)
        b->plan.rounds = file->cases[0].episodes[0].rounds;
    if (file->n_agents > BENCH_MOST)
        return cli_fail(b->call, "%s has %zu agents, must have at most %d", file->path, file->n_agents, BENCH_MOST);
    if (b->plan.rounds < LEAST_ROUNDS)
        return cli_fail(b->call,
                        "%s: the first episode has %" PRIu64 " rounds, must have at least %d; --rounds says how many",
                        file->path, b->plan.rounds, LEAST_ROUNDS);
    return 0;
}

static int measure(bench *b, roster_error *err)
{
    const bench_plan *plan = &b->plan;
    int code = bench_measure_rounds(plan, &b->rounds, err);
    if (code == ROSTER_OK && b->curve)
        code = bench_measure_curve(plan, &b->by_round, err);
    if (code == ROSTER_OK)
        code = bench_measure_calls(plan, &b->calls, err);
    if (code == ROSTER_OK)
        code = bench_measure_events(plan, b->events, err);
    if (code == ROSTER_OK)
        code = bench_measure_many(plan, b->many, b->n_many, err);
    if (code == ROSTER_OK && b->threads)
        code = bench_measure_threads(plan, &b->on_threads, err);
    return code;
}

/* Everything measured, then printed. */
static int bench_file(bench *b, const char *path)
{
    roster_error err;
    experiment *file = NULL;
    if (experiment_read(&file, path, NULL, &err) != ROSTER_OK)
        return cli_fail(b->call, "%s", err.msg);
    b->plan.file = file;
    int code = check_file(b);
    if (code == 0 && measure(b, &err) != ROSTER_OK)
        code = cli_fail(b->call, "%s", err.msg);
    bench_results results = {.plan = &b->plan,
                             .rounds = &b->rounds,
                             .calls = &b->calls,
                             .events = b->events,
                             .curve = b->curve ? &b->by_round : NULL,
                             .many = b->many,
                             .n_many = b->n_many,
                             .threads = b->threads ? &b->on_threads : NULL};
    if (code == 0)
        (cli_value(b->call, "json") != NULL ? bench_print_json : bench_print_text)(&results);
    experiment_free(file);
    return code;
}

static int run(const cli_call *call)
{
    bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        return cli_fail(call, "out of memory");
    b->call = call;
    int code = read_options(call, b);
    if (code == 0)
        code = bench_file(b, call->n_args > 0 ? call->args[0] : "experiments/cifar10.json");
    free(b);
    return code;
}

static const cli_option options[] = {
    {.name = "rounds",
     .argument = "T",
     .help = "Number of rounds, at least 50000. Default: those of the first episode."},
    {.name = "repeats", .argument = "N", .help = "How many times to measure everything. Default: 7."},
    {.name = "curve", .help = "Also measure the cost of a round by its number, from 1000 on."},
    {.name = "experts",
     .argument = "LIST",
     .help = "Also measure these numbers of random experts, such as 10,100,1000."},
    {.name = "expert-rounds",
     .argument = "T",
     .help = "Rounds for --experts. Default: 1000000, a tenth of it from 100000 experts on."},
    {.name = "threads", .help = "Also compare two threads with one."},
    {.name = "seconds",
     .argument = "S",
     .help = "About how long to measure each number of experts, and each number of threads. Default: 3."},
    {.name = "all", .help = "Measure all of that, with 10 to 100000 experts."},
    {.name = "json", .help = "All figures as JSON."},
    {.name = NULL},
};

const cli_command command_bench = {
    .name = "bench",
    .arguments = "[FILE]",
    .summary = "measure what a simulated round costs",
    .description =
        "Plays the first episode of an experiment (experiments/cifar10.json if none is named) with each of its "
        "agents, and compares it with the floor: the bare world without an agent, written as fast as possible. "
        "Look at the ratio of the two; both are measured alternately and in processor time, because the load of "
        "machines varies. growth is the cost of a round of the last fifth divided by that of a round from 10000 to "
        "20000: 1 if late rounds cost as much as early ones.\n\n"
        "Then it measures each call of choose + learn through the public interface, as a server would make it, "
        "and what an event costs on average of everything that learns events: agents, evidence, alarms.\n\n"
        "--experts measures d-ucb on random experts, each number of experts in its own process, with the time to "
        "set them up and the peak of memory; ratio is to the first number. --threads runs all agents alternately "
        "on one and on two threads.",
    .examples =
        "roster bench  # on the paper's CIFAR-10 instance\n"
        "roster bench mine.json --repeats 3 --json  # as JSON\n"
        "roster bench --experts 10,1000 --expert-rounds 10000  # how the cost grows with the number of experts\n"
        "roster bench --all  # all of docs/performance.md, in some minutes",
    .least = 0,
    .most = 1,
    .options = options,
    .run = run,
};
