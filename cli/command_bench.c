/*
 * command_bench.c: `roster bench [FILE]`: what a simulated round costs, as ratios to the bare world's cost.
 *
 * Machines are noisy, so nothing is compared between runs of the program: floor and agents take turns in one process,
 * several times, each ratio is of neighbours in time, and what is shown is the median with the least and the largest.
 *
 *   round     the first episode in full, through roster_simulate on one thread; ratio to the floor (bench/floor.c)
 *   growth    ns per round of the last fifth of the episode, divided by those of rounds 1e4 to 2e4
 *   call      choose + learn through the public interface on 32 random experts: median and 99.9th percentile
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "cli.h"
#include "experiment.h"
#include "floor.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, CALLS = 200000, EARLY = 10000, CALL_EXPERTS = 32, CALL_SIDE = 10 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Several measurements of one thing. */
typedef struct spread {
    double median, least, largest;
} spread;

static spread spread_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return (spread){values[n / 2], values[0], values[n - 1]};
}

typedef struct result {
    const char *label;
    spread ns, ratio, growth;
} result;

typedef struct bench {
    const cli_call *call;
    const experiment *file;
    const experiment_case *instance;
    floor_world *floor;
    uint64_t rounds;
    size_t repeats;
    double floor_ns[MOST], ns[MOST][MOST], growth[MOST][MOST]; /* [agent][repeat] */
    double sum;                                                /* of rewards: so that the floor is played */
} bench;

/* Nanoseconds of the first `rounds` rounds of the first episode. */
static double time_agent(const bench *b, size_t a, uint64_t rounds, uint64_t run, roster_error *err)
{
    roster_episode episode = {.world = b->instance->episodes[0].world, .rounds = rounds};
    roster_study study = b->instance->studies[a];
    roster_outcome outcome;
    study.episodes = &episode;
    study.n_episodes = 1;
    double started = cli_seconds();
    int code = roster_simulate(&study, run, NULL, NULL, &outcome, NULL, err);
    return code == ROSTER_OK ? (cli_seconds() - started) * 1e9 : NAN;
}

static int measure_agent(bench *b, size_t a, size_t repeat, roster_error *err)
{
    uint64_t all = b->rounds, most = all - all / 5;
    double whole = time_agent(b, a, all, repeat, err), part = time_agent(b, a, most, repeat, err);
    double twice = time_agent(b, a, 2 * EARLY, repeat, err), once = time_agent(b, a, EARLY, repeat, err);
    if (isnan(whole + part + twice + once))
        return err->code;
    b->ns[a][repeat] = whole / (double)all;
    b->growth[a][repeat] = (whole - part) / (double)(all - most) / ((twice - once) / EARLY);
    return ROSTER_OK;
}

static int measure(bench *b, roster_error *err)
{
    cli_progress bar;
    int code = ROSTER_OK;
    cli_progress_start(&bar, "measuring", b->repeats * b->file->n_agents);
    for (size_t i = 0; i < b->repeats && code == ROSTER_OK; i++) {
        double started = cli_seconds();
        b->sum += floor_run(b->floor, b->file->seed, i, b->rounds);
        b->floor_ns[i] = (cli_seconds() - started) * 1e9 / (double)b->rounds;
        for (size_t a = 0; a < b->file->n_agents && code == ROSTER_OK; a++) {
            code = measure_agent(b, a, i, err);
            cli_progress_show(&bar, i * b->file->n_agents + a + 1);
        }
    }
    cli_progress_end(&bar);
    return code;
}

static result result_of(bench *b, size_t a)
{
    result r = {.label = b->instance->agents[a].label};
    double ratio[MOST];
    for (size_t i = 0; i < b->repeats; i++)
        ratio[i] = b->ns[a][i] / b->floor_ns[i];
    r.ratio = spread_of(ratio, b->repeats);
    r.ns = spread_of(b->ns[a], b->repeats);
    r.growth = spread_of(b->growth[a], b->repeats);
    return r;
}

/* Nanoseconds of each of CALLS choose + learn on random experts; the clock's own are in them. */
static int time_calls(double *times, roster_error *err)
{
    enum { X = CALL_SIDE, V = CALL_SIDE };
    double pi[CALL_EXPERTS * X * V], means[X * V];
    roster_rng rng;
    roster_experts *experts = NULL;
    roster_world *world = NULL;
    roster_agent *agent = NULL;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_INSTANCE);
    for (size_t row = 0; row < CALL_EXPERTS * X; row++)
        roster_rng_dirichlet(&rng, V, 1, .01, pi + row * V);
    for (size_t i = 0; i < X * V; i++)
        means[i] = roster_rng_uniform(&rng);
    int code = roster_experts_tables(&experts, CALL_EXPERTS, X, V, pi, NULL, err);
    if (code == ROSTER_OK)
        code = roster_world_create(&world, experts, NULL, means, err);
    if (code == ROSTER_OK)
        code = roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = experts}, NULL, 1, 0, err);
    if (code == ROSTER_OK)
        code = roster_agent_reserve(agent, CALLS, err);
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_WORLD);
    for (uint64_t t = 1; t <= CALLS && code == ROSTER_OK; t++) {
        roster_event event;
        double started = cli_seconds();
        size_t k = roster_agent_choose(agent);
        double between = cli_seconds();
        roster_world_round(world, &rng, t, k, &event);
        double again = cli_seconds();
        code = roster_agent_learn(agent, &event, err);
        times[t - 1] = (cli_seconds() - again + between - started) * 1e9;
    }
    roster_agent_free(agent);
    roster_world_free(world);
    roster_experts_free(experts);
    return code;
}

static void print_text(bench *b, const double *calls)
{
    spread floor = spread_of(b->floor_ns, b->repeats);
    printf("%s: ns per simulated round, %llu rounds, median of %zu (least - largest)\n\n", b->file->name,
           (unsigned long long)b->rounds, b->repeats);
    printf("%-16s %8s %22s %24s\n", "", "ns", "ratio to the floor", "growth");
    printf("%-16s %8.1f\n", "floor", floor.median);
    for (size_t a = 0; a < b->file->n_agents; a++) {
        result r = result_of(b, a);
        printf("%-16.16s %8.1f %8.2f (%.2f - %.2f) %10.2f (%.2f - %.2f)\n", r.label, r.ns.median, r.ratio.median,
               r.ratio.least, r.ratio.largest, r.growth.median, r.growth.least, r.growth.largest);
    }
    printf("\nchoose + learn, d-ucb on %d experts, two looks at the clock included: median %.0f ns, 99.9%% below %.0f "
           "ns\n",
           CALL_EXPERTS, calls[CALLS / 2], calls[CALLS / 1000 * 999]);
}

static void write_spread(cli_json *json, const char *key, const spread *s)
{
    cli_json_open(json, key, '{');
    cli_json_number(json, "median", s->median);
    cli_json_number(json, "least", s->least);
    cli_json_number(json, "largest", s->largest);
    cli_json_close(json, '}');
}

static void print_json(bench *b, const double *calls)
{
    cli_json json = {.out = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", b->file->name);
    cli_json_count(&json, "rounds", b->rounds);
    cli_json_count(&json, "repeats", b->repeats);
    cli_json_open(&json, "agents", '[');
    for (size_t a = 0; a < b->file->n_agents; a++) {
        result r = result_of(b, a);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "label", r.label);
        write_spread(&json, "ns", &r.ns);
        write_spread(&json, "ratio", &r.ratio);
        write_spread(&json, "growth", &r.growth);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    spread floor = spread_of(b->floor_ns, b->repeats);
    write_spread(&json, "floor_ns", &floor);
    cli_json_open(&json, "call_ns", '{');
    cli_json_number(&json, "median", calls[CALLS / 2]);
    cli_json_number(&json, "p99.9", calls[CALLS / 1000 * 999]);
    cli_json_close(&json, '}');
    cli_json_close(&json, '}');
    cli_json_end(&json);
}

/* Everything measured, then printed. */
static int bench_file(bench *b, roster_error *err)
{
    double *calls = calloc(CALLS, sizeof *calls);
    if (calls == NULL)
        return cli_fail(b->call, "out of memory");
    int code = floor_create(&b->floor, b->instance->experts, b->instance->episodes[0].world,
                            b->instance->probabilities[0], 0, err);
    if (code == ROSTER_OK)
        code = measure(b, err);
    if (code == ROSTER_OK)
        code = time_calls(calls, err);
    qsort(calls, CALLS, sizeof *calls, by_size);
    if (code == ROSTER_OK && cli_value(b->call, "json") != NULL)
        print_json(b, calls);
    else if (code == ROSTER_OK)
        print_text(b, calls);
    free(calls);
    return code == ROSTER_OK ? 0 : cli_fail(b->call, "%s", err->msg);
}

static int run(const cli_call *call)
{
    const char *path = call->n_args > 0 ? call->args[0] : "experiments/cifar10.json";
    experiment *file = NULL;
    roster_error err;
    uint64_t repeats = 7, rounds = 0;
    int code = cli_count(call, "repeats", 1, MOST, &repeats);
    if (code == 0)
        code = cli_count(call, "rounds", 5 * EARLY, 1000000000, &rounds);
    if (code != 0)
        return code;
    if (experiment_read(&file, path, NULL, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        code = cli_fail(call, "out of memory");
    else if (file->n_agents > MOST)
        code = cli_fail(call, "%s has %zu agents, must have at most %d", path, file->n_agents, MOST);
    if (code == 0) {
        *b = (bench){.call = call, .file = file, .instance = &file->cases[0], .repeats = (size_t)repeats};
        b->rounds = rounds > 0 ? rounds : file->cases[0].episodes[0].rounds;
        code =
            b->rounds >= 5 * EARLY
                ? bench_file(b, &err)
                : cli_fail(call, "%s: the first episode has %llu rounds, must have at least %d; --rounds says how many",
                           path, (unsigned long long)b->rounds, 5 * EARLY);
        floor_free(b->floor);
    }
    free(b);
    experiment_free(file);
    return code;
}

static const cli_option options[] = {
    {.name = "rounds", .argument = "T", .help = "Rounds, in place of those of the first episode; at least 50000."},
    {.name = "repeats", .argument = "N", .help = "How often everything is measured; 7 by default."},
    {.name = "json", .help = "All figures as JSON."},
    {.name = NULL},
};

const cli_command command_bench = {
    .name = "bench",
    .arguments = "[FILE]",
    .summary = "measure what a simulated round costs",
    .description = "Plays the first episode of an experiment (experiments/cifar10.json if none is named) with each of "
                   "its agents, and "
                   "beside them the floor: the bare world without an agent, written as fast as can be. What counts is "
                   "the ratio of "
                   "the two, measured in turns, because machines are noisy. growth is what a late round costs in units "
                   "of an early "
                   "one.\n\n"
                   "Also measures choose + learn through the public interface, call by call.",
    .examples = "roster bench  # on the paper's CIFAR-10 instance\n"
                "roster bench mine.json --repeats 3 --json  # as JSON",
    .least = 0,
    .most = 1,
    .options = options,
    .run = run,
};
