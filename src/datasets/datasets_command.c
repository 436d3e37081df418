/*
 * datasets_command.c: `roster-datasets cifar10|movielens --dir DIR -o DIR`: the paper's data sets, from raw files to
 * instances.
 *
 * The files of the result are opened before anything is computed: minutes of work must not end at a folder that cannot
 * be written.
 *
 * Paper: Section 5 (experiments), how its instances come about.
 * Cost: cifar10 minutes, movielens about one, on two cores.
 * Check: tests/cli/datasets.t, tools/check-data.
 */
#include "cli.h"
#include "datasets.h"
#include "output_file.h"

#include <string.h>

/* What the command line says, for either data set. */
typedef struct wishes {
    const char *dir, *out;
    uint64_t seed, threads;
    uint64_t patches, keep;            /* of cifar10   */
    uint64_t movies, rank, iterations; /* of movielens */
    double tolerance;
} wishes;

/* A bar per step. */
static void show(void *user, const char *what, uint64_t done, uint64_t total)
{
    cli_progress *bar = user;
    if (bar->what == NULL || strcmp(bar->what, what) != 0) {
        cli_progress_end(bar);
        cli_progress_start(bar, what, total);
    }
    cli_progress_show(bar, done);
}

static int make_cifar10(const wishes *w, const data_watch *watch, output_folder *files, roster_error *err)
{
    cifar10_options options = {.folder = w->dir,
                               .seed = w->seed,
                               .patches = (size_t)w->patches,
                               .kept = (size_t)w->keep,
                               .threads = (unsigned)w->threads,
                               .watch = *watch};
    cifar10 *set;
    int code = cifar10_create(&set, &options, err);
    if (code != ROSTER_OK)
        return code;
    cifar10_write_roster(set, files->files[0].stream);
    cifar10_write_predictions(set, files->files[1].stream);
    cifar10_write_accuracy(set, files->files[2].stream);
    cifar10_write_summary(set, stdout);
    cifar10_free(set);
    return ROSTER_OK;
}

static int make_movielens(const wishes *w, const data_watch *watch, output_folder *files, roster_error *err)
{
    movielens_options options = {.folder = w->dir,
                                 .seed = w->seed,
                                 .movies = (size_t)w->movies,
                                 .quantiles = MOVIELENS_QUANTILES,
                                 .rank = (size_t)w->rank,
                                 .tolerance = w->tolerance,
                                 .iterations = (size_t)w->iterations,
                                 .threads = (unsigned)w->threads,
                                 .watch = *watch};
    movielens *set;
    int code = movielens_create(&set, &options, err);
    if (code != ROSTER_OK)
        return code;
    movielens_write_rewards(set, files->files[0].stream);
    movielens_write_summary(set, files->files[1].stream);
    movielens_write_summary(set, stdout);
    movielens_free(set);
    return ROSTER_OK;
}

/* A data set, the files that are made of it, and the options that are its own. */
typedef struct data_set {
    const char *name;
    int (*make)(const wishes *w, const data_watch *watch, output_folder *files, roster_error *err);
    const char *files[OUTPUT_FOLDER_FILES + 1];
    const char *options[5];
} data_set;

static const data_set sets[] = {
    {"cifar10", make_cifar10, {"roster.json", "predictions.csv", "accuracy.json"}, {"patches", "keep"}},
    {"movielens", make_movielens, {"rewards.json", "summary.txt"}, {"movies", "rank", "tolerance", "iterations"}},
};
enum { SETS = sizeof sets / sizeof *sets };

static const data_set *find(const char *name)
{
    for (size_t i = 0; i < SETS; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

/* An option of the other data set would go unheeded. */
static int check_options(const cli_call *call, const data_set *set)
{
    for (size_t i = 0; i < SETS; i++)
        for (const char *const *o = sets[i].options; *o != NULL && &sets[i] != set; o++)
            if (cli_value(call, *o) != NULL)
                return cli_usage(call->command, "--%s is for %s, not for %s", *o, sets[i].name, set->name);
    return 0;
}

static int read_wishes(const cli_call *call, const data_set *set, wishes *w)
{
    *w = (wishes){.dir = cli_value(call, "dir"),
                  .out = cli_value(call, "out"),
                  .seed = 1,
                  .patches = CIFAR10_PATCHES,
                  .keep = CIFAR10_KEPT,
                  .movies = MOVIELENS_MOVIES,
                  .rank = MOVIELENS_RANK,
                  .iterations = MOVIELENS_ITERATIONS,
                  .tolerance = MOVIELENS_TOLERANCE};
    int code = check_options(call, set);
    if (code == 0 && w->dir == NULL)
        code = cli_usage(call->command, "--dir DIR is required: the folder with the raw files");
    if (code == 0 && w->out == NULL)
        code = cli_usage(call->command, "--out DIR is required: the folder for the instance");
    if (code == 0)
        code = cli_count(call, "seed", 0, UINT64_MAX, &w->seed);
    if (code == 0)
        code = cli_threads(call, &w->threads);
    if (code == 0)
        code = cli_count(call, "patches", 1, 10000, &w->patches);
    if (code == 0)
        code = cli_count(call, "keep", 1, 10000, &w->keep);
    if (code == 0)
        code = cli_count(call, "movies", 1, 1000000, &w->movies);
    if (code == 0)
        code = cli_count(call, "rank", 1, 1000, &w->rank);
    if (code == 0)
        code = cli_count(call, "iterations", 1, 100000, &w->iterations);
    return code == 0 ? cli_number(call, "tolerance", 1e-12, 1, &w->tolerance) : code;
}

static int make(const cli_call *call, const data_set *set, const wishes *w)
{
    output_folder files;
    roster_error err;
    cli_progress bar = {.what = NULL};
    data_watch watch = {show, &bar};
    double started = cli_seconds();
    size_t n = 0;
    while (set->files[n] != NULL)
        n++;
    if (output_folder_open(&files, w->out, set->files, n, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    int code = set->make(w, &watch, &files, &err);
    cli_progress_end(&bar);
    if (code == ROSTER_OK)
        code = output_folder_commit(&files, &err);
    else
        output_folder_abandon(&files);
    if (code != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    printf("\n%.0f s; wrote", cli_seconds() - started);
    for (size_t i = 0; i < n; i++)
        printf(" %s/%s", w->out, set->files[i]);
    putchar('\n');
    return 0;
}

static int run(const cli_call *call)
{
    const data_set *set = find(call->args[0]);
    wishes w;
    if (set == NULL)
        return cli_usage(call->command, "unknown data set '%s', must be cifar10 or movielens", call->args[0]);
    int code = read_wishes(call, set, &w);
    return code == 0 ? make(call, set, &w) : code;
}

static const cli_option options[] = {
    {.name = "dir", .argument = "DIR", .help = "Folder with the raw files. Required."},
    {.name = "out", .argument = "DIR", .help = "Folder for the instance. Required."},
    {.name = "seed", .argument = "S", .help = "Seed of all random numbers. Default: 1."},
    {.name = "threads",
     .argument = "N",
     .help = "Number of threads; the result does not depend on it. Default: all cores."},
    {.name = "patches", .argument = "K", .help = "cifar10: patches that features are made of. Default: 400."},
    {.name = "keep", .argument = "N", .help = "cifar10: test images of each class that are kept. Default: 100."},
    {.name = "movies", .argument = "N", .help = "movielens: movies that are kept. Default: 618."},
    {.name = "rank", .argument = "R", .help = "movielens: largest rank of the completed matrix. Default: 200."},
    {.name = "tolerance",
     .argument = "X",
     .help = "movielens: relative change at which the completion ends. Default: 0.0001."},
    {.name = "iterations", .argument = "N", .help = "movielens: at most this many steps. Default: 1000."},
    {.name = NULL},
};

extern const cli_command command_datasets;
const cli_command command_datasets = {
    .name = "datasets",
    .alone = true,
    .arguments = "cifar10|movielens",
    .summary = "make the paper's instances from the raw data sets",
    .description =
        "The experiments cifar10, precision and movielens come with their instances. This program makes them again, or "
        "others with another seed, from the files that their authors offer. docs/data-sets.md says where to get "
        "these.\n\n"
        "cifar10 trains five image classifiers, each on nine of the ten classes, and writes roster.json (the five as "
        "experts), predictions.csv (their answer to every image that was kept) and accuracy.json (accuracies and "
        "confusion matrices). It takes some minutes.\n\n"
        "movielens completes the matrix of ratings and writes rewards.json, what a movie of each genre earns with "
        "users of each age, and summary.txt. Neither file names a user or a movie.\n\n"
        "The same files and seed give the same instance, whatever the number of threads.",
    .examples = "roster-datasets cifar10 --dir cifar-10-batches-bin -o my/cifar10  # five classifiers\n"
                "roster-datasets movielens --dir ml-1m -o my/movielens  # completed ratings",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
