/*
 * log_options.c: options about logs, read for `roster evaluate`, `roster tally` and `roster sql`.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "log_options.h"

#include "nearest.h"
#include "same_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 10 };

/* "a,b,c" into names; an exit code. */
static int split(log_options *self, const char *option, int which, size_t *n)
{
    const char *text = cli_value(self->call, option);
    *n = 0;
    if (text == NULL)
        return 0;
    self->lists[which] = strdup(text);
    if (self->lists[which] == NULL)
        return cli_fail(self->call, "out of memory");
    for (char *at = self->lists[which]; at != NULL && *n < LOG_OPTION_NAMES; (*n)++) {
        char *comma = strchr(at, ',');
        self->names[which][*n] = at;
        if (comma != NULL)
            *comma++ = '\0';
        if (*at == '\0')
            return cli_usage(self->call->command, "--%s is '%s', must be names separated by commas", option, text);
        at = comma;
    }
    return 0;
}

int log_options_choose(const cli_call *call, const char *option, const char *const *words, int none, int *out)
{
    const char *text = cli_value(call, option);
    *out = none;
    if (text == NULL)
        return 0;
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return 0;
        }
    const char *near = common_nearest_of(text, words);
    if (near != NULL)
        return cli_usage(call->command, "--%s is '%s', did you mean '%s'?", option, text, near);
    return cli_usage(call->command, "--%s is '%s'; `roster %s --help` lists what it can be", option, text,
                     call->command->name);
}

static int check_files(const cli_call *call)
{
    bool standard = false;
    for (size_t i = 0; i < call->n_args; i++) {
        if (strcmp(call->args[i], "-") == 0 && standard)
            return cli_usage(call->command, "standard input (-) is given twice, but can be read only once");
        standard = standard || strcmp(call->args[i], "-") == 0;
    }
    return 0;
}

/* Devices and pipes are written to, not replaced. */
static bool is_replaced(const char *path)
{
    struct stat there;
    return path != NULL && (stat(path, &there) != 0 || S_ISREG(there.st_mode));
}

static int check_output(const cli_call *call, const char *option)
{
    static const char *const others[] = {"experts", "actions"};
    const char *path = cli_value(call, option);
    bool read = false;
    if (!is_replaced(path))
        return 0;
    for (size_t i = 0; i < call->n_args; i++)
        read = read || common_same_file(path, strcmp(call->args[i], "-") == 0 ? "/dev/stdin" : call->args[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        read = read || (cli_value(call, others[i]) != NULL && common_same_file(path, cli_value(call, others[i])));
    if (read)
        return cli_usage(call->command, "--%s %s would replace a file that is read; name another file", option, path);
    return 0;
}

/* Nothing that is written may take the place of what is read, or of what else is written. */
static int check_outputs(const cli_call *call)
{
    const char *out = cli_value(call, "out"), *report = cli_value(call, "report");
    int code = check_output(call, "out");
    if (code == 0)
        code = check_output(call, "report");
    if (code == 0 && is_replaced(out) && is_replaced(report) && common_same_file(out, report))
        code = cli_usage(call->command, "--out and --report are both %s; name two files", report);
    return code;
}

int log_options_read(log_options *self, const cli_call *call)
{
    int format;
    *self = (log_options){.call = call};
    for (int role = 0; role < LOG_NAMED; role++)
        self->wishes.columns[role] = cli_value(call, log_role_names[role]);
    int code = log_options_choose(call, "format", log_format_names, -1, &format);
    self->wishes.format = code == 0 && format >= 0 ? log_format_names[format] : NULL;
    if (code == 0)
        code = split(self, "context", 0, &self->wishes.n_contexts);
    if (code == 0)
        code = split(self, "features", 1, &self->wishes.n_features);
    self->wishes.contexts = self->names[0];
    self->wishes.features = self->names[1];
    if (code == 0)
        code = check_files(call);
    return code == 0 ? check_outputs(call) : code;
}

void log_options_free(log_options *self)
{
    free(self->lists[0]);
    free(self->lists[1]);
}

void log_options_begin(log_options *self)
{
    cli_progress_start(&self->progress, "reading", cli_total_size(self->call));
}

void log_options_progress(void *context, uint64_t bytes)
{
    cli_progress_show(&((log_options *)context)->progress, bytes);
}

void log_options_damage(void *context, const char *title, uint64_t line, const char *reason)
{
    log_options *self = context;
    if (self->shown++ >= SHOWN)
        return;
    cli_progress_end(&self->progress);
    fprintf(stderr, "%s:%" PRIu64 ": %s\n", title, line, reason);
}

void log_options_end(log_options *self)
{
    cli_progress_end(&self->progress);
}
