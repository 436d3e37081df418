/*
 * command_export.c: `roster export DIR`: the records of a log as JSON lines or as CSV.
 *
 * Paper: none.
 * Check: tests/cli/export.t, tests/http/retention.py.
 */
#include "cli.h"
#include "csv_writer.h"
#include "output_file.h"
#include "service.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 2000 };
static const char *const columns[] = {"number",  "at",     "kind",   "campaign",   "event_id",
                                      "episode", "expert", "action", "propensity", "how",
                                      "context", "reward", "status", "learnt",     "decision"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void put_csv(FILE *out, const char *line, size_t size)
{
    json_t *json = json_loadb(line, size, 0, NULL);
    for (size_t i = 0; i < COLUMNS; i++) {
        const json_t *value = json_object_get(json, columns[i]);
        fputs(i > 0 ? "," : "", out);
        if (json_is_string(value))
            csv_put_field(out, json_string_value(value));
        else if (json_is_integer(value))
            fprintf(out, "%lld", (long long)json_integer_value(value));
        else if (json_is_real(value))
            fprintf(out, "%.17g", json_real_value(value));
    }
    fputs("\n", out);
    json_decref(json);
}

typedef struct exporting {
    const service_campaign *campaign; /* NULL: all */
    uint64_t after, until;
    bool csv;
    FILE *out;
} exporting;

/* The lines, as far as they are wanted; false: the last of them was beyond. */
static bool put_lines(const exporting *e, const common_text *text)
{
    const char *line = text->data, *end = text->data + text->used;
    while (line != NULL && line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL || strtoull(line + strlen("{\"number\":"), NULL, 10) > e->until)
            return false;
        if (e->csv)
            put_csv(e->out, line, (size_t)(stop - line));
        else
            fwrite(line, 1, (size_t)(stop - line) + 1, e->out);
        line = stop + 1;
    }
    return true;
}

/* A server may drop records while they are read; an export with a hole in it would look whole. */
static service_code check_whole(store *log, uint64_t next, service_error *err)
{
    store_cut_read(log);
    uint64_t dropped = store_cut_of(log)->record;
    if (dropped <= next)
        return SERVICE_OK;
    return service_fail(err, SERVICE_STORE,
                        "records up to %" PRIu64 " were dropped while they were exported: export again, or from there "
                        "on by --after %" PRIu64,
                        dropped, dropped);
}

static service_code export_all(service *self, store *log, exporting *e, service_error *err)
{
    common_text text = {0};
    service_code code = SERVICE_OK;
    for (size_t i = 0; e->csv && i < COLUMNS; i++)
        fprintf(e->out, "%s%s", columns[i], i + 1 < COLUMNS ? "," : "\n");
    store_cut_read(log);
    uint64_t begin = store_cut_of(log)->record; /* what was dropped before is not missed */
    for (uint64_t next = e->after + 1; code == SERVICE_OK && next != e->after && e->after < e->until;) {
        next = e->after;
        common_text_clear(&text);
        code = service_events(self, log, e->campaign, next, LINES, SERVICE_LINES, &text, &e->after, err);
        if (code == SERVICE_OK)
            code = check_whole(log, next > begin ? next : begin, err);
        if (code == SERVICE_OK && !put_lines(e, &text))
            break;
    }
    common_text_free(&text);
    return code;
}

/* Never the password of a URL. */
static const char *place_of(const cli_call *call, const store *log)
{
    return store_is_url(call->args[0]) ? store_name(log) : call->args[0];
}

static int write_lines(const cli_call *call, service *self, store *log, exporting *e)
{
    service_error err;
    if (export_all(self, log, e, &err) != SERVICE_OK)
        return cli_fail(call, "%s: %s", place_of(call, log), err.msg);
    return 0;
}

static int write_out(const cli_call *call, service *self, store *log, exporting *e)
{
    const char *path = cli_value(call, "out");
    output_file file;
    roster_error err;
    if (path == NULL) {
        e->out = stdout;
        int code = write_lines(call, self, log, e);
        if (code == 0 && fflush(stdout) != 0)
            code = cli_fail(call, "standard output cannot be written: %s", strerror(errno));
        return code;
    }
    if (output_file_open(&file, path, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    e->out = file.stream;
    int code = write_lines(call, self, log, e);
    if (code != 0)
        output_file_abandon(&file);
    else if (output_file_commit(&file, &err) != ROSTER_OK)
        code = cli_fail(call, "%s", err.msg);
    return code;
}

static int export(const cli_call *call, store *log, exporting *e)
{
    const char *name = cli_value(call, "campaign");
    service *self;
    service_error err;
    if (service_open(&self, log, &err) != SERVICE_OK)
        return cli_fail(call, "%s: %s", place_of(call, log), err.msg);
    e->campaign = name != NULL ? service_campaign_find(self, name, strlen(name)) : NULL;
    int code = name != NULL && e->campaign == NULL ? cli_fail(call, "there is no campaign %s", name)
                                                   : write_out(call, self, log, e);
    service_free(self);
    return code;
}

static int run(const cli_call *call)
{
    const char *format = cli_value(call, "format");
    exporting e = {.until = UINT64_MAX, .csv = format != NULL && strcmp(format, "csv") == 0};
    store *log;
    roster_error err;
    if (format != NULL && !e.csv && strcmp(format, "jsonl") != 0) {
        cli_fail(call, "--format is '%s', must be jsonl or csv", format);
        return 2;
    }
    if (cli_count(call, "after", 0, INT64_MAX, &e.after) != 0 || cli_count(call, "until", 0, INT64_MAX, &e.until) != 0)
        return 2;
    if (e.until < e.after) {
        cli_fail(call, "--until is %" PRIu64 ", must not be below --after, which is %" PRIu64, e.until, e.after);
        return 2;
    }
    if (store_open(&log, call->args[0], STORE_READ, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    int code = export(call, log, &e);
    if (code == 0 && store_whole(log, &err) != ROSTER_OK)
        code = cli_fail(call, "%s; what is left was exported", err.msg);
    store_close(log);
    return code;
}

static const cli_option options[] = {
    {.name = "campaign",
     .argument = "NAME",
     .help = "Only the records of this campaign; of several campaigns that had this name one after another, the last. "
             "Default: all records."},
    {.name = "format",
     .argument = "jsonl|csv",
     .help = "jsonl: a JSON object per record, with all its fields. csv: the fields of decisions and rewards. "
             "Default: jsonl."},
    {.name = "after", .argument = "RECORD", .help = "Only records after this one."},
    {.name = "until", .argument = "RECORD", .help = "Only records up to this one."},
    {.name = "out",
     .argument = "FILE",
     .help = "File to write; it appears when it is complete and on disk. Default: standard output."},
    {.name = NULL},
};

const cli_command command_export = {
    .name = "export",
    .arguments = "DIR|URL",
    .summary = "write the records of the log of `roster serve`",
    .description = "Writes the records of the event log in DIR in order, one per line. A server may be running on DIR "
                   "meanwhile. A log in PostgreSQL is named by its URL, postgresql://USER@HOST/DATABASE. Records that "
                   "retention has dropped are not in the log any more; `roster serve "
                   "--export-before-drop` writes them to files first.",
    .examples = "roster export roster-data --out events.jsonl  # everything\n"
                "roster export roster-data --campaign shop --format csv  # one campaign, for a spreadsheet",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
