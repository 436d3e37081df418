/*
 * log.c: several files of one format as one stream of events.
 *
 * Paper: none. Cost: that of the format's reader; memory for labels, not for lines.
 * Check: tests/cli/evaluate.t, tests/fuzz/fuzz_log.c.
 */
#include "read_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which they are tried. */
static const log_format *const formats[] = {&log_roster, &log_dsjson, &log_jsonl, &log_vw,
                                            &log_obd,    &log_tsv,    &log_csv};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *const log_format_names[] = {"csv", "tsv", "obd", "jsonl", "dsjson", "vw", "roster", NULL};

const char *log_title(const log_reader *self)
{
    return self->input != NULL ? log_input_title(self->input) : "the log";
}

static int recognise(log_reader *self, roster_error *err)
{
    size_t size;
    const char *head = log_input_head(self->input, &size);
    if (size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        head += 3;
        size -= 3;
    }
    for (size_t i = 0; i < FORMATS && self->format == NULL; i++)
        if (self->wishes.format != NULL ? strcmp(formats[i]->name, self->wishes.format) == 0
                                        : formats[i]->fits(head, size))
            self->format = formats[i];
    if (self->format != NULL)
        return ROSTER_OK;
    if (size == 0)
        return common_fail(err, ROSTER_EINVAL, "%s is empty", log_input_title(self->input));
    return common_fail(err, ROSTER_EINVAL,
                       "%s is in no format that is recognised: must be CSV or TSV with a header, JSON lines, DSJSON, "
                       "Vowpal Wabbit text, or an export of roster; --format says which",
                       log_input_title(self->input));
}

static int open_next(log_reader *self, roster_error *err)
{
    if (self->wishes.table != NULL) {
        self->format = &log_in_memory;
        return self->format->begin(self, err);
    }
    if (self->input != NULL)
        self->bytes_before += log_input_bytes(self->input);
    log_input_close(self->input);
    int code = log_input_open(&self->input, self->paths[self->at++], err);
    if (code == ROSTER_OK)
        code = recognise(self, err);
    return code == ROSTER_OK ? self->format->begin(self, err) : code;
}

int log_open(log_reader **out, const char *const *paths, size_t n, const log_wishes *wishes, roster_error *err)
{
    log_reader *self = calloc(1, sizeof *self);
    *out = NULL;
    if (self == NULL)
        return common_fail_memory(err);
    self->paths = paths;
    self->n_paths = n;
    self->wishes = *wishes;
    int code = log_check_paths(paths, n, err);
    if (code == ROSTER_OK)
        code = open_next(self, err);
    if (code == ROSTER_OK)
        *out = self;
    else
        log_close(self);
    return code;
}

void log_close(log_reader *self)
{
    if (self == NULL)
        return;
    csv_free(self->csv);
    log_input_close(self->input);
    log_pending_free(self->pending);
    log_labels_free(&self->contexts);
    log_labels_free(&self->actions);
    log_labels_free(&self->experts);
    log_labels_free(&self->segments);
    common_text_free(&self->joined);
    common_text_free(&self->line);
    common_text_free(&self->keep);
    common_arena_free(&self->arena);
    free(self->choices);
    free(self->probabilities);
    free(self);
}

void log_on_damage(log_reader *self, log_damage call, void *context)
{
    self->on_damage = call;
    self->damage_context = context;
}

static const char *fault_of(const log_reader *self)
{
    return self->input != NULL ? log_input_fault(self->input) : NULL;
}

static int fail(log_reader *self, roster_error *err)
{
    const char *fault = fault_of(self);
    if (fault != NULL)
        common_fail(err, ROSTER_EINVAL, "%s %s", log_title(self), fault);
    else if (err->code == ROSTER_OK)
        common_fail_memory(err);
    return -1;
}

static void report(log_reader *self, uint64_t line, const char *reason)
{
    self->damaged++;
    if (self->on_damage != NULL)
        self->on_damage(self->damage_context, log_title(self), line, reason);
}

const char *log_place(const log_reader *self, const log_event *event, char *text, size_t size)
{
    if (self->wishes.table != NULL)
        snprintf(text, size, "row %" PRIu64, event->line);
    else
        snprintf(text, size, "%.200s:%" PRIu64, log_title(self), event->line);
    return text;
}

void log_report(log_reader *self, const log_event *event, const char *reason)
{
    report(self, event->line, reason);
}

int log_next(log_reader *self, log_event *event, roster_error *err)
{
    err->code = ROSTER_OK;
    for (;;) {
        log_status status = self->format->next(self, event, err);
        self->lines += status != LOG_END && status != LOG_FAILED;
        if (status == LOG_EVENT)
            return 1;
        self->passed += status == LOG_PASSED;
        if (status == LOG_DAMAGED)
            report(self, self->line_number, self->reason);
        if (status == LOG_FAILED || (status == LOG_END && fault_of(self) != NULL))
            return fail(self, err);
        if (status == LOG_END && self->at == self->n_paths)
            return 0;
        if (status == LOG_END && open_next(self, err) != ROSTER_OK)
            return -1;
    }
}

const char *log_format_name(const log_reader *self)
{
    return self->tally ? "tally" : self->format->name;
}

bool log_has(const log_reader *self, log_role role)
{
    for (size_t i = 0; i < self->n_slots; i++)
        if (self->slots[i].role == role)
            return true;
    if (self->format == &log_roster && role == LOG_EXPERT)
        return true;
    return self->n_slots == 0 && role <= LOG_PROPENSITY && role != LOG_COST;
}

bool log_tells_choices(const log_reader *self)
{
    return self->format == &log_dsjson;
}

bool log_is_tally(const log_reader *self)
{
    return self->tally;
}

size_t log_columns(const log_reader *self, const log_column **columns)
{
    *columns = self->columns;
    return self->n_slots;
}

size_t log_policies(const log_reader *self, const log_policy **policies)
{
    *policies = self->policies;
    return self->n_policies;
}

log_labels *log_contexts(log_reader *self)
{
    return &self->contexts;
}

log_labels *log_actions(log_reader *self)
{
    return &self->actions;
}

log_labels *log_experts(log_reader *self)
{
    return &self->experts;
}

log_labels *log_segments(log_reader *self)
{
    return &self->segments;
}

uint64_t log_lines(const log_reader *self)
{
    return self->lines;
}

uint64_t log_damaged(const log_reader *self)
{
    return self->damaged;
}

uint64_t log_passed_over(const log_reader *self)
{
    return self->passed + log_pending_count(self->pending);
}

uint64_t log_bytes(const log_reader *self)
{
    return self->bytes_before + (self->input != NULL ? log_input_bytes(self->input) : 0);
}
