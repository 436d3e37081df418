/*
 * command_evaluate.c: `roster evaluate LOG...`: what each policy would have earned on a log.
 *
 * Paper: none. Beyond it: SPEC-2, sections 15 and 18.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"
#include "log_options.h"
#include "output_file.h"

#include <stdlib.h>
#include <string.h>

enum { POLICIES = 256 };

/* What the command line says. */
typedef struct asked {
    log_options log;
    evaluate_wishes wishes;
    const char *policies[POLICIES];
    const cli_call *call;
} asked;

static int read_range(asked *a)
{
    const char *text = cli_value(a->call, "range");
    evaluate_settings *s = &a->wishes.settings;
    char *end;
    s->low = 0;
    s->high = 1;
    if (text == NULL)
        return 0;
    s->low = strtod(text, &end);
    bool fine = end != text && *end == ',';
    const char *second = end + 1;
    s->high = fine ? strtod(second, &end) : 0;
    if (fine && end != second && *end == '\0' && s->low < s->high && s->high - s->low < 1e300)
        return 0;
    return cli_usage(a->call->command, "--range is '%s', must be LOW,HIGH with LOW below HIGH, such as 0,5", text);
}

static int read_settings(asked *a)
{
    evaluate_settings *s = &a->wishes.settings;
    int estimator, interval;
    double numbers[EVALUATE_NUMBERS];
    *s = (evaluate_settings){.whole_means = cli_value(a->call, "whole-means") != NULL};
    int code = log_options_choose(a->call, "estimator", evaluate_estimator_names, EVALUATE_DEFAULT, &estimator);
    if (code == 0)
        code = log_options_choose(a->call, "interval", evaluate_interval_names, EVALUATE_ANYTIME, &interval);
    for (int i = 0; code == 0 && i < EVALUATE_NUMBERS; i++) {
        const evaluate_limits *l = &evaluate_limits_of[i];
        numbers[i] = l->preset;
        code = cli_number(a->call, l->option, l->low, l->high, &numbers[i]);
    }
    if (code == 0)
        code = read_range(a);
    if (code != 0)
        return code;
    s->estimator = (evaluate_estimator)estimator;
    s->interval = (evaluate_interval)interval;
    evaluate_set_numbers(s, numbers);
    return 0;
}

static int read_wishes(asked *a)
{
    evaluate_wishes *w = &a->wishes;
    int code = log_options_read(&a->log, a->call);
    if (code == 0)
        code = read_settings(a);
    w->paths = a->call->args;
    w->n_paths = a->call->n_args;
    w->log = a->log.wishes;
    w->experts = cli_value(a->call, "experts");
    w->actions = cli_value(a->call, "actions");
    w->skip_bad = cli_value(a->call, "skip-bad") != NULL;
    for (const char *name; w->n_policies < POLICIES && (name = cli_value_at(a->call, "policy", w->n_policies)) != NULL;)
        a->policies[w->n_policies++] = name;
    w->policies = a->policies;
    w->on_damage = log_options_damage;
    w->on_progress = log_options_progress;
    w->context = &a->log;
    return code;
}

static void put(const cli_call *call, const evaluate *e, FILE *out)
{
    if (cli_value(call, "json") != NULL)
        evaluate_json(e, out);
    else if (cli_value(call, "csv") != NULL)
        evaluate_csv(e, out);
    else
        evaluate_table(e, out);
}

static int write_report(const cli_call *call, const evaluate *e)
{
    const char *path = cli_value(call, "report");
    output_file file;
    roster_error err;
    if (path == NULL)
        return 0;
    if (output_file_open(&file, path, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    evaluate_html(e, file.stream);
    return output_file_commit(&file, &err) == ROSTER_OK ? 0 : cli_fail(call, "%s", err.msg);
}

static int write_out(const cli_call *call, const evaluate *e)
{
    const char *path = cli_value(call, "out");
    output_file file;
    roster_error err;
    if (path == NULL) {
        put(call, e, stdout);
        return 0;
    }
    if (output_file_open(&file, path, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    put(call, e, file.stream);
    return output_file_commit(&file, &err) == ROSTER_OK ? 0 : cli_fail(call, "%s", err.msg);
}

static int run(const cli_call *call)
{
    asked a = {.call = call};
    evaluate *e = NULL;
    roster_error err;
    int code = read_wishes(&a);
    if (code == 0) {
        log_options_begin(&a.log);
        int failed = evaluate_run(&e, &a.wishes, &err);
        log_options_end(&a.log);
        code = failed == ROSTER_OK ? write_report(call, e) : cli_fail(call, "%s", err.msg);
        if (code == 0)
            code = write_out(call, e);
    }
    evaluate_free(e);
    log_options_free(&a.log);
    return code;
}

static const cli_option options[] = {
    {.name = "policy",
     .argument = "POLICY...",
     .help =
         "A policy to evaluate; may be given several times. uniform: every action alike; always:ACTION; greedy: per "
         "context the best action by the events before; logged: what was served; an expert of --experts; a column "
         "of the log (see above). Default: all experts and columns, else uniform."},
    {.name = "experts", .argument = "FILE", .help = "A roster file whose experts are policies."},
    {.name = "actions",
     .argument = "N|FILE",
     .help = "The actions there are: a number N for 0 to N-1, or a file with one per line. Default: those of the "
             "roster and those seen."},
    LOG_OPTIONS_COLUMNS,
    {.name = "features",
     .argument = "COLUMN,..",
     .help = "Columns of numbers from which propensities are fitted by a logistic model, where the log has none."},
    {.name = "time", .argument = "COLUMN", .help = "The column of the time, checked to be in order."},
    {.name = "id", .argument = "COLUMN", .help = "The column of the event's id, checked for duplicates."},
    {.name = "by", .argument = "COLUMN", .help = "Also evaluate the events of each value of this column."},
    {.name = "format",
     .argument = "csv|tsv|obd|jsonl|dsjson|vw|roster",
     .help = "The format of the log. Default: recognised."},
    {.name = "range",
     .argument = "LOW,HIGH",
     .help = "The rewards that are possible; intervals rest on it. Default: 0,1."},
    {.name = "estimator",
     .argument = "ips|snips|clipped|dm|dr|switch-dr|dros",
     .help = "How values are estimated. Default: dr with cross-fitted means of each context and action, or snips for "
             "policies known by a column of probabilities."},
    {.name = "interval",
     .argument = "anytime|gaussian|clopper-pearson|cressie-read",
     .help = "Which interval. anytime holds whenever you look and however the log was gathered; the others hold for "
             "one look, in the limit of many events. Default: anytime; of a tally gaussian."},
    {.name = "confidence", .argument = "P", .help = "Level of every interval. Default: 0.95."},
    {.name = "level",
     .argument = "W",
     .help = "The weight from which on clipped, switch-dr and dros act. Default: 10."},
    {.name = "clip",
     .argument = "W",
     .help = "In anytime intervals let no event weigh more than W, towards caution at both ends. Default: as it is."},
    {.name = "least-propensity",
     .argument = "P",
     .help = "The smallest propensity that was possible; anytime intervals rest on it. Default: the smallest that was "
             "seen until then."},
    {.name = "whole-means", .help = "Means of the whole log in dr, dm alike; not cross-fitted."},
    {.name = "skip-bad", .help = "Leave damaged lines out instead of refusing the log."},
    {.name = "json", .help = "Print JSON."},
    {.name = "csv", .help = "Print CSV."},
    {.name = "out", .argument = "FILE", .help = "Write to FILE instead of standard output."},
    {.name = "report",
     .argument = "FILE",
     .help = "Also write a page with the values over time, by segment, and the weights: --report report.html."},
    {.name = NULL},
};

const cli_command command_evaluate = {
    .name = "evaluate",
    .arguments = "LOG...",
    .summary = "say what each policy would have earned on a log",
    .description =
        "Reads logs of what was served and says for each policy what it would have earned, with an interval that "
        "holds, how that compares with what was served, and whether the log can answer at all. One pass; memory does "
        "not depend on the length of the log.\n\n"
        "Several files are one log; - is standard input; gzip, zstd and xz are recognised. CSV and TSV have a first "
        "line that names the columns; which is what is guessed from common names and shown. Columns pi_NAME and a_NAME "
        "are policies: the probability that NAME gives to the action taken, and the action that NAME would take. "
        "Without "
        "propensities they are those of the expert of --experts who acted, else fitted by frequencies.\n\n"
        "Damaged lines are shown, and the log is refused unless --skip-bad leaves them out.",
    .examples = "roster evaluate log.csv --policy uniform --policy always:3  # two simple policies\n"
                "roster evaluate log.csv.gz --experts roster.json --context device,hour  # experts of a roster\n"
                "zcat day-*.gz | roster evaluate - --actions 34 --json  # a log of any size",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
