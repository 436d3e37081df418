/*
 * command_tally.c: `roster tally LOG... -o T.csv`: a log as sums over equal events.
 *
 * Paper: none.
 * Check: tests/cli/tally.t.
 */
#include "log_options.h"
#include "log_tally.h"
#include "output_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int write_out(const cli_call *call, const log_tally *tally)
{
    const char *path = cli_value(call, "out");
    output_file file;
    roster_error err;
    if (output_file_open(&file, path, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcmp(dot, ".json") == 0)
        log_tally_write_json(tally, file.stream);
    else
        log_tally_write(tally, file.stream);
    if (output_file_commit(&file, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    printf("%.0f events in %zu groups\nwrote %s\n", log_tally_events(tally), log_tally_groups(tally), path);
    return 0;
}

static int check_lines(const cli_call *call, const log_reader *log, const log_tally *tally)
{
    if (log_damaged(log) > 0 && cli_value(call, "skip-bad") == NULL)
        return cli_fail(call,
                        "damaged lines: %" PRIu64 " of %" PRIu64 ", nothing was written; --skip-bad leaves them out",
                        log_damaged(log), log_lines(log));
    if (log_tally_groups(tally) == 0)
        return cli_fail(call, "there are no events in the log, nothing was written");
    return 0;
}

static int make(log_options *o)
{
    log_reader *log = NULL;
    log_tally *tally = NULL;
    roster_error err;
    log_options_begin(o);
    int code = log_open(&log, o->call->args, o->call->n_args, &o->wishes, &err);
    if (code == ROSTER_OK) {
        log_on_damage(log, log_options_damage, o);
        code = log_tally_read(&tally, log, &err);
    }
    log_options_end(o);
    if (code != ROSTER_OK)
        code = cli_fail(o->call, "%s", err.msg);
    else if ((code = check_lines(o->call, log, tally)) == 0)
        code = write_out(o->call, tally);
    log_tally_free(tally);
    log_close(log);
    return code;
}

static int run(const cli_call *call)
{
    log_options o;
    if (cli_value(call, "out") == NULL)
        return cli_usage(call->command, "--out FILE is required");
    int code = log_options_read(&o, call);
    if (code == 0)
        code = make(&o);
    log_options_free(&o);
    return code;
}

static const cli_option options[] = {
    {.name = "out",
     .argument = "FILE",
     .help = "The tally to write, as CSV; FILE.json: as rows of a warm start. Required."},
    LOG_OPTIONS_COLUMNS,
    {.name = "format",
     .argument = "csv|tsv|obd|jsonl|dsjson|vw|roster",
     .help = "The format of the log. Default: recognised."},
    {.name = "skip-bad", .help = "Leave damaged lines out instead of refusing the log."},
    {.name = NULL},
};

const cli_command command_tally = {
    .name = "tally",
    .arguments = "LOG...",
    .summary = "sum a log up into a small file that gives the same values",
    .description =
        "Counts the events that agree in context, action, expert, propensity and columns of policies, and writes a "
        "line "
        "for each such group: how many events, the sum of their rewards, and of the squares of these. `roster "
        "evaluate` "
        "takes the tally in the place of the log: values and intervals for one look are the same. Intervals valid at "
        "any "
        "time need the order of the events, so they need the log itself. `roster sql` prints the query that makes the "
        "same tally inside of a database. Agents can start with a tally: \"warm_start\" of experiments and campaigns.",
    .examples = "roster tally day-*.csv.gz --context device -o tally.csv  # a month of logs in one small file\n"
                "roster evaluate tally.csv --policy uniform  # the same values\n"
                "roster tally day-*.csv.gz --context device -o rows.json  # for \"warm_start\" of a campaign",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
