/*
 * command_run.c: all runs of an experiment on all cores, then the table and the files.
 */
#include "cli.h"
#include "experiment.h"
#include "report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* What the options say. */
typedef struct wishes {
    experiment_changes changes;
    uint64_t seed, threads, shard, shards;
    bool quick;
    const char *out;
} wishes;

/* One experiment under way. */
typedef struct job {
    cli_progress bar;
    uint64_t before; /* rounds of the cases that are done */
} job;

static bool tell(void *context, uint64_t rounds)
{
    job *j = context;
    cli_progress_show(&j->bar, j->before + rounds);
    return !interrupted;
}

static uint64_t thread_time(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint64_t)n : 1;
}

/* "2/5": part 2 of 5, counted from 1. */
static int read_shard(const cli_call *call, wishes *w)
{
    const char *text = cli_value(call, "shard");
    unsigned long long part, parts;
    char rest;
    w->shards = 1;
    if (text == NULL)
        return 0;
    if (sscanf(text, "%llu/%llu%c", &part, &parts, &rest) != 2 || part < 1 || part > parts || parts > 1000000)
        return cli_fail(call, "--shard is '%s', must be PART/PARTS such as 1/4", text), 2;
    w->shard = part - 1;
    w->shards = parts;
    return 0;
}

static int read_wishes(const cli_call *call, wishes *w)
{
    *w = (wishes){.threads = cores(), .out = cli_value(call, "out"), .quick = cli_value(call, "quick") != NULL};
    int code = cli_count(call, "runs", 1, 1000000000, &w->changes.runs);
    if (code == 0)
        code = cli_count(call, "rounds", 1, UINT64_C(1000000000000), &w->changes.rounds);
    if (code == 0)
        code = cli_count(call, "seed", 0, UINT64_MAX, &w->seed);
    if (code == 0)
        code = cli_count(call, "threads", 1, 1024, &w->threads);
    if (code == 0)
        code = read_shard(call, w);
    w->changes.seed = cli_value(call, "seed") != NULL ? &w->seed : NULL;
    w->changes.agents = cli_value(call, "agents");
    return code;
}

/* Runs of this shard. */
static uint64_t runs_of(const experiment *e, const wishes *w)
{
    return e->runs > w->shard ? (e->runs - w->shard + w->shards - 1) / w->shards : 0;
}

static uint64_t rounds_of(const experiment *e, const experiment_case *c, const wishes *w)
{
    uint64_t rounds = 0;
    for (size_t i = 0; i < c->n_episodes; i++)
        rounds += c->episodes[i].rounds;
    return rounds * runs_of(e, w) * e->n_agents;
}

static int run_case(const experiment *e, const experiment_case *c, const wishes *w, job *j, roster_results **out,
                    roster_error *err)
{
    roster_contest contest = {.studies = c->studies,
                              .agents = e->n_agents,
                              .first = w->shard,
                              .runs = e->runs - w->shard,
                              .step = w->shards,
                              .threads = w->threads,
                              .progress = tell,
                              .clock = thread_time,
                              .context = j};
    if (runs_of(e, w) == 0 || interrupted) /* nothing for this shard, or no time left: results without runs */
        return roster_results_create(&contest, out, err);
    return roster_contest_run(&contest, out, err);
}

static int run_cases(const experiment *e, const wishes *w, roster_results **results, roster_error *err)
{
    job j = {.before = 0};
    uint64_t total = 0;
    int code = ROSTER_OK;
    for (size_t i = 0; i < e->n_cases; i++)
        total += rounds_of(e, &e->cases[i], w);
    cli_progress_start(&j.bar, e->name, total);
    for (size_t i = 0; i < e->n_cases && code == ROSTER_OK; i++) {
        code = run_case(e, &e->cases[i], w, &j, &results[i], err);
        j.before += rounds_of(e, &e->cases[i], w);
    }
    cli_progress_end(&j.bar);
    return code;
}

static uint64_t runs_done(const experiment *e, roster_results *const *results)
{
    uint64_t runs = 0;
    for (size_t i = 0; i < e->n_cases; i++)
        runs += results[i]->runs;
    return runs;
}

static int show(const cli_call *call, const experiment *e, roster_results **results, const wishes *w,
                const char *folder)
{
    roster_error err;
    report r = {
        .experiment = e, .results = results, .stopped = interrupted != 0, .shard = w->shard, .shards = w->shards};
    r.command = call->line;
    if (report_table(&r, stdout, &err) != ROSTER_OK || cli_write_reports(&r, folder, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (interrupted)
        printf("\nstopped: %llu of %llu runs were done, and the figures are theirs\n",
               (unsigned long long)runs_done(e, results), (unsigned long long)(runs_of(e, w) * e->n_cases));
    printf("\nwrote %s/results.json, curves.csv and report.html\n", folder);
    return 0;
}

/* Whether the files can be written is found out before the work, not after it. */
static int check_folder(const char *folder, roster_error *err)
{
    cli_file file;
    char path[4096 + 16];
    snprintf(path, sizeof path, "%s/results.json", folder);
    int code = cli_file_open(&file, path, err);
    if (code == ROSTER_OK)
        cli_file_abandon(&file);
    return code;
}

static void drop(roster_results **results, size_t n)
{
    for (size_t i = 0; results != NULL && i < n; i++)
        roster_results_free(results[i]);
    free(results);
}

static int run_file(const cli_call *call, const char *path, wishes w)
{
    roster_error err;
    experiment *e;
    char folder[4096];
    if (experiment_read(&e, path, &w.changes, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (w.quick && w.changes.runs == 0) {
        w.changes.runs = e->runs > 40 ? e->runs / 10 : e->runs > 4 ? 4 : e->runs;
        experiment_free(e);
        if (experiment_read(&e, path, &w.changes, &err) != ROSTER_OK)
            return cli_fail(call, "%s", err.msg);
    }
    snprintf(folder, sizeof folder, call->n_args > 1 || w.out == NULL ? "%s/%s" : "%s",
             w.out != NULL ? w.out : "results", e->name);
    roster_results **results = calloc(e->n_cases, sizeof *results);
    if (results == NULL)
        snprintf(err.msg, sizeof err.msg, "out of memory");
    int code = results != NULL ? check_folder(folder, &err) : ROSTER_ENOMEM;
    if (code == ROSTER_OK)
        code = run_cases(e, &w, results, &err);
    code = code == ROSTER_OK ? show(call, e, results, &w, folder) : cli_fail(call, "%s", err.msg);
    drop(results, e->n_cases);
    experiment_free(e);
    return code;
}

static int run(const cli_call *call)
{
    wishes w;
    int code = read_wishes(call, &w);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (size_t i = 0; i < call->n_args && code == 0 && !interrupted; i++)
        code = run_file(call, call->args[i], w);
    return code != 0 ? code : interrupted ? 130 : 0;
}

static const cli_option options[] = {
    {.name = "runs", .argument = "N", .help = "Number of runs, in place of the file's."},
    {.name = "rounds", .argument = "T", .help = "Rounds of every episode, in place of the file's."},
    {.name = "seed", .argument = "S", .help = "Seed, in place of the file's."},
    {.name = "threads", .argument = "N", .help = "Threads; all cores by default. The results do not depend on it."},
    {.name = "agents", .argument = "NAMES", .help = "Only these agents, by label or name, separated by commas."},
    {.name = "out", .argument = "DIR", .help = "Folder for the files; results/NAME by default."},
    {.name = "quick", .help = "A tenth of the runs, for a first look."},
    {.name = "shard", .argument = "I/N", .help = "Only part I of N of the runs; `roster merge` adds the parts."},
    {.name = NULL},
};

const cli_command command_run = {
    .name = "run",
    .arguments = "FILE...",
    .summary = "run experiments and write their reports",
    .description =
        "Runs every agent of an experiment file on the same worlds, as many times as the file says, on all cores. "
        "Then prints a table of final regrets and writes results.json, curves.csv and report.html, a page to "
        "look at.\n\n"
        "The same file and seed give the same results, whatever the number of threads. Ctrl-C ends the runs under "
        "way and reports those that were done.\n\n"
        "A study too large for one machine is cut into shards: each machine runs its part, and `roster merge` "
        "adds the parts into the same files as one whole run.",
    .examples = "roster run experiments/quickstart.json  # table, and results/quickstart/report.html\n"
                "roster run experiments/unbounded-1.json --quick  # a first look\n"
                "roster run experiments/lite.json --shard 1/4 --out part-1  # a quarter of the runs",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
