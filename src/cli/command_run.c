/*
 * command_run.c: all runs of an experiment on all cores, then the table and the files.
 */
#include "cli.h"
#include "report_files.h"
#include "output_file.h"
#include "experiment.h"
#include "report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    *w = (wishes){.out = cli_value(call, "out"), .quick = cli_value(call, "quick") != NULL};
    int code = cli_count(call, "runs", 1, 1000000000, &w->changes.runs);
    if (code == 0)
        code = cli_count(call, "rounds", 1, UINT64_C(1000000000000), &w->changes.rounds);
    if (code == 0)
        code = cli_count(call, "seed", 0, UINT64_MAX, &w->seed);
    if (code == 0)
        code = cli_threads(call, &w->threads);
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

/* One file of the command line. */
typedef struct task {
    const char *path;
    experiment *experiment; /* owned */
    char folder[4096];
    roster_results **results; /* owned, [n_cases] */
} task;

static int show(const cli_call *call, const task *t, const wishes *w)
{
    roster_error err;
    const experiment *e = t->experiment;
    report r = {.experiment = e, .results = t->results, .command = call->line, .shard = w->shard, .shards = w->shards};
    uint64_t done = runs_done(e, t->results), wanted = runs_of(e, w) * e->n_cases;
    r.stopped = done < wanted;
    if (r.stopped && done == 0) {
        printf("%s: stopped before any run was done; nothing was written\n", e->name);
        return 130;
    }
    /* The files first: the reader of the table may have gone. */
    if (cli_write_reports(&r, t->folder, &err) != ROSTER_OK || report_table(&r, stdout, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (r.stopped)
        printf("\nstopped: %llu of %llu runs were done; the figures are of these\n", (unsigned long long)done,
               (unsigned long long)wanted);
    printf("\nwrote %s/results.json, curves.csv and report.html\n", t->folder);
    return r.stopped ? 130 : 0;
}

/* Whether the files can be written is found out before the work, not after it. */
static int check_folder(const char *folder, roster_error *err)
{
    const char *const names[] = {"results.json", "curves.csv", "report.html"};
    int code = ROSTER_OK;
    for (size_t i = 0; i < 3 && code == ROSTER_OK; i++) {
        output_file file;
        char path[4096 + 16];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        code = output_file_open(&file, path, err);
        if (code == ROSTER_OK)
            output_file_abandon(&file);
    }
    return code;
}

/* A tenth of the runs, at least 4. */
static uint64_t few(uint64_t runs)
{
    return runs > 40 ? runs / 10 : runs > 4 ? 4 : runs;
}

static int read_task(const cli_call *call, const char *path, wishes *w, task *t)
{
    roster_error err;
    experiment_changes changes = w->changes;
    t->path = path;
    int code = experiment_read(&t->experiment, path, &changes, &err);
    if (code == ROSTER_OK && w->quick && changes.runs == 0) {
        changes.runs = few(t->experiment->runs);
        experiment_free(t->experiment);
        code = experiment_read(&t->experiment, path, &changes, &err);
    }
    if (code != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    snprintf(t->folder, sizeof t->folder, call->n_args > 1 || w->out == NULL ? "%s/%s" : "%s",
             w->out != NULL ? w->out : "results", t->experiment->name);
    t->results = calloc(t->experiment->n_cases, sizeof *t->results);
    return t->results != NULL ? 0 : cli_fail(call, "out of memory");
}

/* All files are read, and all folders tried, before anything is run. */
static int read_all(const cli_call *call, wishes *w, task *tasks)
{
    roster_error err;
    int code = 0;
    for (size_t i = 0; i < call->n_args && code == 0; i++) {
        code = read_task(call, call->args[i], w, &tasks[i]);
        for (size_t j = 0; j < i && code == 0; j++)
            if (strcmp(tasks[i].folder, tasks[j].folder) == 0)
                code = cli_fail(call, "%s and %s are both named '%s': one would replace the other's results",
                                tasks[j].path, tasks[i].path, tasks[i].experiment->name);
    }
    for (size_t i = 0; i < call->n_args && code == 0; i++)
        if (check_folder(tasks[i].folder, &err) != ROSTER_OK)
            code = cli_fail(call, "%s", err.msg);
    return code;
}

static int run_task(const cli_call *call, const wishes *w, task *t)
{
    roster_error err;
    if (run_cases(t->experiment, w, t->results, &err) != ROSTER_OK)
        return cli_fail(call, "%s: %s", t->path, err.msg);
    return show(call, t, w);
}

static void drop(task *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; tasks[i].results != NULL && c < tasks[i].experiment->n_cases; c++)
            roster_results_free(tasks[i].results[c]);
        free(tasks[i].results);
        experiment_free(tasks[i].experiment);
    }
    free(tasks);
}

/* Of several experiments: what they took together. */
static void show_cost(size_t n, uint64_t threads, double seconds)
{
    char text[32];
    printf("\n%zu experiments took %s on %llu thread%s, and at most %.0f MB of memory\n", n,
           cli_duration(seconds, text, sizeof text), (unsigned long long)threads, threads == 1 ? "" : "s",
           cli_peak_memory() / 1e6);
}

static int run(const cli_call *call)
{
    wishes w;
    double began = cli_seconds();
    int code = read_wishes(call, &w);
    task *tasks = calloc(call->n_args, sizeof *tasks);
    if (tasks == NULL)
        return cli_fail(call, "out of memory");
    if (code == 0)
        code = read_all(call, &w, tasks);
    if (code == 0)
        cli_on_interrupt(interrupt); /* a first Ctrl-C ends the runs under way, a second the program */
    for (size_t i = 0; i < call->n_args && code == 0; i++)
        code = run_task(call, &w, &tasks[i]);
    if (code == 0 && call->n_args > 1)
        show_cost(call->n_args, w.threads, cli_seconds() - began);
    drop(tasks, call->n_args);
    return code;
}

static const cli_option options[] = {
    {.name = "runs", .argument = "N", .help = "Number of runs. Default: that of the file."},
    {.name = "rounds", .argument = "T", .help = "Rounds of every episode. Default: those of the file."},
    {.name = "seed", .argument = "S", .help = "Seed of all random numbers. Default: that of the file."},
    {.name = "threads",
     .argument = "N",
     .help = "Number of threads; the results do not depend on it. Default: all cores."},
    {.name = "agents", .argument = "NAMES", .help = "Only these agents, by label or name, separated by commas."},
    {.name = "out", .argument = "DIR", .help = "Folder for the files. Default: results/NAME."},
    {.name = "quick", .help = "A tenth of the runs, at least 4, for a first look."},
    {.name = "shard", .argument = "I/N", .help = "Only part I of N of the runs; `roster merge` adds the parts."},
    {.name = NULL},
};

const cli_command command_run = {
    .name = "run",
    .arguments = "FILE...",
    .summary = "run experiments and write their reports",
    .description =
        "Runs every agent of an experiment file on the same worlds, as many times as the file says, on all cores. "
        "Then prints a table of final regrets and writes results.json, curves.csv and report.html, a page for the "
        "browser. Several files are run one after the other; the last line then gives the total time and the most "
        "memory used.\n\n"
        "The same file and seed give the same results, whatever the number of threads. Ctrl-C stops the command and "
        "reports the runs that are done.\n\n"
        "A study too large for one machine is divided into shards: each machine runs its part, and `roster merge` "
        "adds the parts into the same files as one whole run.",
    .examples = "roster run experiments/quickstart.json  # table, and results/quickstart/report.html\n"
                "roster run experiments/unbounded-1.json --quick  # a first look\n"
                "roster run experiments/lite.json --shard 1/4 --out part-1  # a quarter of the runs",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
