/*
 * command_merge.c: parts of a study, run on several machines, added up to the whole.
 */
#include "cli.h"
#include "report_files.h"
#include "experiment.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* The parts taken in so far. */
typedef struct heap {
    const cli_call *call;
    experiment *experiment;
    roster_results **sum, **part; /* [n_cases] */
    uint64_t shards;
    const char **from; /* [shards]: the folder each came from, NULL: not yet */
} heap;

static void path_of(const char *folder, char *path, size_t size)
{
    snprintf(path, size, "%s/results.json", folder);
}

static roster_contest contest_of(const experiment *e, size_t i)
{
    return (roster_contest){.studies = e->cases[i].studies, .agents = e->n_agents, .runs = e->runs};
}

static int create_all(const experiment *e, roster_results **results, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < e->n_cases && code == ROSTER_OK; i++) {
        roster_contest contest = contest_of(e, i);
        code = roster_results_create(&contest, &results[i], err);
    }
    return code;
}

static void free_all(roster_results **results, size_t n)
{
    for (size_t i = 0; results != NULL && i < n; i++)
        roster_results_free(results[i]);
    free(results);
}

/* A folder's shard goes into its place; the first one says how many there are. */
static int place(heap *h, const char *folder, uint64_t shard, uint64_t shards)
{
    if (h->from == NULL) {
        h->shards = shards;
        h->from = calloc(shards, sizeof *h->from);
        if (h->from == NULL)
            return cli_fail(h->call, "out of memory");
    }
    if (shards != h->shards)
        return cli_fail(h->call, "%s is a part of %llu, the others are parts of %llu", folder,
                        (unsigned long long)shards, (unsigned long long)h->shards);
    if (h->from[shard] != NULL)
        return cli_fail(h->call, "%s and %s are the same part, %llu of %llu", h->from[shard], folder,
                        (unsigned long long)shard + 1, (unsigned long long)shards);
    h->from[shard] = folder;
    return 0;
}

/* Reads a folder's part and adds it. */
static int add_part(heap *h, const char *folder, uint64_t *shard, uint64_t *shards, roster_error *err)
{
    char path[4096];
    path_of(folder, path, sizeof path);
    int code = create_all(h->experiment, h->part, err);
    if (code == ROSTER_OK)
        code = report_read(path, h->experiment, h->part, shard, shards, err);
    for (size_t i = 0; i < h->experiment->n_cases && code == ROSTER_OK; i++)
        code = roster_results_add(h->sum[i], h->part[i], err);
    return code;
}

static int take(heap *h, const char *folder)
{
    roster_error err;
    uint64_t shard, shards;
    h->part = calloc(h->experiment->n_cases, sizeof *h->part);
    if (h->part == NULL)
        return cli_fail(h->call, "out of memory");
    int code = add_part(h, folder, &shard, &shards, &err);
    free_all(h->part, h->experiment->n_cases);
    h->part = NULL;
    return code == ROSTER_OK ? place(h, folder, shard, shards) : cli_fail(h->call, "%s", err.msg);
}

static int check_complete(const heap *h)
{
    for (uint64_t i = 0; i < h->shards; i++)
        if (h->from[i] == NULL)
            return cli_fail(h->call, "part %llu of %llu is missing", (unsigned long long)i + 1,
                            (unsigned long long)h->shards);
    return 0;
}

static uint64_t runs_done(const heap *h)
{
    uint64_t runs = 0;
    for (size_t i = 0; i < h->experiment->n_cases; i++)
        runs += h->sum[i]->runs;
    return runs;
}

static int finish(const heap *h)
{
    roster_error err;
    const char *out = cli_value(h->call, "out");
    uint64_t wanted = h->experiment->runs * h->experiment->n_cases;
    report r = {.experiment = h->experiment, .results = h->sum, .command = h->call->line, .shards = 1};
    r.stopped = runs_done(h) < wanted;
    out = out != NULL ? out : "results/merged";
    if (cli_write_reports(&r, out, &err) != ROSTER_OK || report_table(&r, stdout, &err) != ROSTER_OK)
        return cli_fail(h->call, "%s", err.msg);
    if (r.stopped)
        printf("\nstopped: %llu of %llu runs were done; the figures are of these\n", (unsigned long long)runs_done(h),
               (unsigned long long)wanted);
    printf("\nwrote %s/results.json, curves.csv and report.html\n", out);
    return 0;
}

static int merge_into(heap *h)
{
    roster_error err;
    h->sum = calloc(h->experiment->n_cases, sizeof *h->sum);
    if (h->sum == NULL)
        return cli_fail(h->call, "out of memory");
    if (create_all(h->experiment, h->sum, &err) != ROSTER_OK)
        return cli_fail(h->call, "%s", err.msg);
    int code = 0;
    for (size_t i = 0; i < h->call->n_args && code == 0; i++)
        code = take(h, h->call->args[i]);
    if (code == 0)
        code = check_complete(h);
    return code == 0 ? finish(h) : code;
}

static int run(const cli_call *call)
{
    heap h = {.call = call};
    char path[4096];
    roster_error err;
    path_of(call->args[0], path, sizeof path);
    if (report_read_experiment(path, &h.experiment, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    int code = merge_into(&h);
    free_all(h.sum, h.experiment->n_cases);
    free(h.from);
    experiment_free(h.experiment);
    return code;
}

static const cli_option options[] = {
    {.name = "out", .argument = "DIR", .help = "Folder for the files. Default: results/merged."},
    {.name = NULL},
};

const cli_command command_merge = {
    .name = "merge",
    .arguments = "DIR...",
    .summary = "add the parts of a study that was run in shards",
    .description =
        "Takes the folders that `roster run --shard` wrote, one for each part, and writes what one whole run would "
        "have written: results.json and curves.csv are the same byte for byte.\n\n"
        "All parts must come from the same experiment with the same options, and none may be missing or given twice.",
    .examples = "roster merge part-1 part-2 part-3 --out whole  # three machines' parts",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
