/*
 * command_estimate.c: `roster estimate LOG.csv... -o ROSTER.json`: experts from logs of what they did.
 *
 * Paper: none. Section 6 (bootstrapping) is where estimates are used; the library counts and computes xi.
 * Cost: a few steps per byte of the logs; memory for names and counts.
 * Check: tests/cli/estimate.t.
 */
#include "sample_log.h"
#include "common_json.h"
#include "output_file.h"
#include "roster_file.h"
#include "cli_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Cells with too little data that are listed. */
enum { LISTED = 20 };

typedef struct wishes {
    const char *out;
    double floor, delta;
    uint64_t min_count;
} wishes;

/* A log must not be replaced by what is made of it. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_files(const cli_call *call, const char *out)
{
    bool standard = false;
    for (size_t i = 0; i < call->n_args; i++) {
        if (is_same_file(call->args[i], out))
            return cli_usage(call->command, "--out is %s, which is one of the logs", out);
        if (strcmp(call->args[i], "-") == 0 && standard)
            return cli_usage(call->command, "standard input (-) is given twice, but can be read only once");
        standard = standard || strcmp(call->args[i], "-") == 0;
    }
    return 0;
}

static int read_wishes(const cli_call *call, wishes *w)
{
    *w = (wishes){.out = cli_value(call, "out"), .floor = 0, .delta = 0.01, .min_count = 100};
    int code = cli_number(call, "p-floor", 1e-12, 1, &w->floor);
    if (code == 0)
        code = cli_number(call, "delta", 1e-300, 1, &w->delta);
    if (code == 0)
        code = cli_count(call, "min-count", 1, INT64_MAX, &w->min_count);
    if (code == 0 && w->out == NULL)
        code = cli_usage(call->command, "--out FILE is required");
    return code == 0 ? check_files(call, w->out) : code;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static int check_lines(const cli_call *call, const counts *seen, const log_lines *lines)
{
    if (lines->damaged > 0 && cli_value(call, "skip-bad") == NULL)
        return cli_fail(call,
                        "%" PRIu64 " of %" PRIu64 " line%s %s damaged%s, nothing was written; --skip-bad leaves %s out",
                        lines->damaged, lines->all, plural(lines->all), lines->damaged == 1 ? "is" : "are",
                        lines->damaged > 10 ? " (the first 10 are shown)" : "", lines->damaged == 1 ? "it" : "them");
    if (counts_total(seen) == 0)
        return cli_fail(call, "there are no samples in %s, nothing was written",
                        call->n_args > 1 ? "these logs" : call->args[0]);
    return 0;
}

static int check_floor(const cli_call *call, const wishes *w, size_t V)
{
    if (w->floor * (double)V <= 1)
        return 0;
    return cli_fail(call, "--p-floor is %g, must be at most 1/%zu = %g: there are %zu actions", w->floor, V,
                    1 / (double)V, V);
}

static int write_file(const cli_call *call, const wishes *w, const roster_file *roster)
{
    output_file file;
    roster_error err;
    int code = output_file_open(&file, w->out, &err);
    if (code == ROSTER_OK) {
        roster_file_write(roster, file.stream);
        code = output_file_commit(&file, &err);
    }
    return code == ROSTER_OK ? 0 : cli_fail(call, "%s", err.msg);
}

/* Cells with fewer than min_count samples; the first LISTED are printed. Returns how many have none. */
static uint64_t list_cells(const roster_file *roster, uint64_t min_count, bool print, uint64_t *few)
{
    common_json json = {.out = stdout};
    size_t N = counts_size(roster->counts, COUNTS_EXPERT), X = counts_size(roster->counts, COUNTS_CONTEXT);
    uint64_t none = 0;
    *few = 0;
    for (size_t k = 0; k < N; k++)
        for (size_t x = 0; x < X; x++) {
            uint64_t samples = roster_file_samples(roster, k, x);
            none += samples == 0;
            *few += samples < min_count;
            if (samples >= min_count || *few > LISTED || !print)
                continue;
            fputs("  expert ", stdout);
            common_json_text(&json, NULL, counts_name(roster->counts, COUNTS_EXPERT, k));
            fputs(", context ", stdout);
            common_json_text(&json, NULL, counts_name(roster->counts, COUNTS_CONTEXT, x));
            printf(": %" PRIu64 "\n", samples);
        }
    return none;
}

static void print_cells(const roster_file *roster, const wishes *w)
{
    uint64_t few, none = list_cells(roster, w->min_count, false, &few);
    if (few == 0)
        printf("every expert has at least %" PRIu64 " sample%s in every context\n", w->min_count, plural(w->min_count));
    else
        printf("fewer than %" PRIu64 " sample%s:\n", w->min_count, plural(w->min_count));
    if (few > 0)
        list_cells(roster, w->min_count, true, &few);
    if (few > LISTED)
        printf("  and %" PRIu64 " more\n", few - LISTED);
    if (none > 0 && roster->floor == 0)
        printf("rows without samples are null; experiments refuse them, --p-floor makes them uniform\n");
    else if (none > 0)
        printf("rows without samples are uniform\n");
}

/* How far off the frequencies may be, and which agent can live with that: ed-ucb needs a lower bound of every
   probability that lies above xi, and no such bound is plausible where an action was seen less often than that. */
static void print_error(const roster_file *roster, const wishes *w)
{
    double xi = roster_estimates_xi_exact(roster->estimates, w->delta), least = roster_file_least(roster);
    char text[400];
    if (roster_estimates_min_samples(roster->estimates) == 0)
        snprintf(text, sizeof text,
                 "xi: infinite, not every expert was seen in every context; ed-ucb cannot be used: "
                 "use direct, which learns the experts while they play");
    else if (xi < least)
        snprintf(text, sizeof text,
                 "xi: %.6g (no probability is off by more, with probability %g); ed-ucb can be used if every "
                 "probability is known to be above that (the smallest frequency is %.6g), direct in any case",
                 xi, 1 - w->delta, least);
    else
        snprintf(text, sizeof text,
                 "xi: %.6g (no probability is off by more, with probability %g); ed-ucb needs every probability to be "
                 "above that, but the smallest frequency is %.6g: use direct, which learns the experts while they play",
                 xi, 1 - w->delta, least);
    cli_wrap(stdout, text, 0, 0);
}

static void print_summary(const roster_file *roster, const wishes *w, const log_lines *lines)
{
    for (int kind = 0; kind < COUNTS_KINDS; kind++) {
        size_t n = counts_size(roster->counts, (counts_kind)kind);
        printf("%zu %s%s, ", n, counts_kind_names[kind], plural(n));
    }
    printf("%" PRIu64 " sample%s\n", counts_total(roster->counts), plural(counts_total(roster->counts)));
    if (lines->damaged > 0)
        printf("damaged lines left out: %" PRIu64 " of %" PRIu64 "\n", lines->damaged, lines->all);
    printf("smallest count of an expert in a context: %" PRIu64 "\n", roster_estimates_min_samples(roster->estimates));
    print_error(roster, w);
    print_cells(roster, w);
    printf("wrote %s\n", w->out);
}

static int conclude(const cli_call *call, const wishes *w, counts *seen, const log_lines *lines)
{
    roster_error err;
    roster_estimates *estimates;
    int code = check_lines(call, seen, lines);
    if (code == 0)
        code = check_floor(call, w, counts_size(seen, COUNTS_ACTION));
    if (code != 0)
        return code;
    counts_sort(seen);
    if (counts_estimates(seen, &estimates, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    roster_file roster = {.counts = seen, .estimates = estimates, .floor = w->floor, .delta = w->delta};
    code = write_file(call, w, &roster);
    if (code == 0)
        print_summary(&roster, w, lines);
    roster_estimates_free(estimates);
    return code;
}

static int run(const cli_call *call)
{
    wishes w;
    log_lines lines;
    int code = read_wishes(call, &w);
    if (code != 0)
        return code;
    counts *seen = counts_create();
    if (seen == NULL)
        return cli_fail(call, "out of memory");
    code = log_read(call, seen, &lines);
    if (code == 0)
        code = conclude(call, &w, seen, &lines);
    counts_free(seen);
    return code;
}

static const cli_option options[] = {
    {.name = "out", .argument = "FILE", .help = "The roster file to write. Required."},
    {.name = "p-floor",
     .argument = "P",
     .help = "Give every action at least the probability P: a row becomes P + (1 - V P) times the frequencies of its V "
             "actions; a row without samples becomes uniform. Default: the frequencies themselves."},
    {.name = "delta",
     .argument = "D",
     .help = "With probability D some probability of some expert is off by more than xi. Default: 0.01."},
    {.name = "skip-bad", .help = "Leave damaged lines out instead of refusing the log."},
    {.name = "min-count",
     .argument = "N",
     .help = "List experts and contexts that have fewer than N samples together. Default: 100."},
    {.name = NULL},
};

const cli_command command_estimate = {
    .name = "estimate",
    .arguments = "LOG.csv...",
    .summary = "estimate experts from logs of their actions",
    .description =
        "Reads logs in CSV; - is standard input. The first line names the columns expert, context, action and, if "
        "there is one, count, in any order; other columns are ignored:\n\n"
        "  expert,context,action,count\n  morning team,news,banner,17\n  morning team,sport,video,4\n\n"
        "Writes a roster file with the relative frequencies, the counts behind them, and xi, the largest error "
        "that the data leave possible: Clopper and Pearson's exact interval of every probability, with --delta shared "
        "among all of them. An experiment can name the file: \"experts\": \"roster.json\". Names are "
        "sorted, numbers in them by value, so the result does not depend on the order of the lines.\n\n"
        "Damaged lines are printed, and nothing is written unless --skip-bad leaves them out. An expert never seen "
        "in a context has null there in place of its probabilities; experiments refuse that. d-ucb also needs "
        "every expert to take every action. --p-floor solves both. Without it, use direct, d-ucb with support "
        "\"shared\", or, if xi is below every probability that occurs, ed-ucb.",
    .examples = "roster estimate log.csv -o roster.json  # estimates, and which cells have too little data\n"
                "roster estimate day-*.csv --p-floor 0.01 -o roster.json  # for d-ucb\n"
                "zcat log.csv.gz | roster estimate - --skip-bad -o roster.json  # a log of any size",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
