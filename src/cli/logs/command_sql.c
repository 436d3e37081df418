/*
 * command_sql.c: `roster sql --engine E --table T`: the query that makes a tally inside of a database.
 *
 * Paper: none.
 * Check: tests/cli/tally.t.
 */
#include "log_options.h"
#include "log_tally.h"

static int check(const cli_call *call, const log_wishes *w)
{
    if (cli_value(call, "table") == NULL)
        return cli_usage(call->command, "--table NAME is required");
    if (cli_value(call, "engine") == NULL)
        return cli_usage(call->command, "--engine postgresql, duckdb, spark or clickhouse is required");
    if (w->columns[LOG_ACTION] == NULL)
        return cli_usage(call->command, "--action COLUMN is required");
    if ((w->columns[LOG_REWARD] == NULL) == (w->columns[LOG_COST] == NULL))
        return cli_usage(call->command, "one of --reward COLUMN and --cost COLUMN is required");
    return 0;
}

static int run(const cli_call *call)
{
    log_options o;
    log_sql sql = {.table = cli_value(call, "table"), .columns = &o.wishes};
    int code = log_options_read(&o, call);
    if (code == 0)
        code = log_options_choose(call, "engine", log_sql_engines, 0, &sql.engine);
    if (code == 0)
        code = check(call, &o.wishes);
    if (code == 0)
        log_sql_write(&sql, stdout);
    log_options_free(&o);
    return code;
}

static const cli_option options[] = {
    {.name = "engine", .argument = "postgresql|duckdb|spark|clickhouse", .help = "Which database. Required."},
    {.name = "table", .argument = "NAME", .help = "The table that holds the log, schema.table too. Required."},
    LOG_OPTIONS_COLUMNS,
    {.name = NULL},
};

const cli_command command_sql = {
    .name = "sql",
    .arguments = "",
    .summary = "print the query that sums a log up inside of a database",
    .description =
        "Prints the GROUP BY that makes the tally of `roster tally` where the log already is. Write its result "
        "as CSV with a header and hand it to `roster evaluate`.",
    .examples =
        "psql --csv -c \"$(roster sql --engine postgresql --table log --action item --reward click --propensity p)\" "
        ">tally.csv  # PostgreSQL makes the tally\n"
        "roster evaluate tally.csv --policy uniform  # and roster evaluates it",
    .least = 0,
    .most = 0,
    .options = options,
    .run = run,
};
