/*
 * log_csv.c: logs as CSV or TSV whose first line names the columns. Open Bandit's files are such.
 *
 * Paper: none. Cost: a few steps per byte and field.
 * Check: tests/cli/evaluate.t; values of Open Bandit's sample in tests/unit/test_evaluation.c: obd_*.
 */
#include "read_internal.h"

#include <string.h>

static const char *line_end(const char *head, size_t size)
{
    const char *end = memchr(head, '\n', size);
    return end != NULL ? end : head + size;
}

static bool has_name(const char *head, size_t size, const char *name)
{
    const char *end = line_end(head, size);
    for (size_t n = strlen(name); head + n <= end; head++)
        if (memcmp(head, name, n) == 0)
            return true;
    return false;
}

static size_t count(const char *head, size_t size, char c)
{
    size_t n = 0;
    for (const char *end = line_end(head, size); head < end; head++)
        n += *head == c;
    return n;
}

static bool fits_tsv(const char *head, size_t size)
{
    return count(head, size, '\t') > count(head, size, ',');
}

static bool fits_obd(const char *head, size_t size)
{
    return has_name(head, size, "item_id") && has_name(head, size, "propensity_score") &&
           has_name(head, size, "click") && !fits_tsv(head, size);
}

static bool fits_csv(const char *head, size_t size)
{
    return count(head, size, ',') > 0 && !has_name(head, size, "|");
}

static int read_header(log_reader *self, roster_error *err)
{
    const char *title = log_input_title(self->input);
    csv_record header;
    switch (csv_next(self->csv, &header)) {
    case CSV_RECORD:
        return self->planned ? log_find_again(self, header.fields, header.n, err)
                             : log_plan(self, header.fields, header.n, err);
    case CSV_DAMAGED:
        return common_fail(err, ROSTER_EINVAL, "%s:1: the header %s", title, header.reason);
    default:
        return common_fail(err, ROSTER_EINVAL, "%s is empty, must begin with a line that names the columns", title);
    }
}

static int begin_separated(log_reader *self, char separator, roster_error *err)
{
    csv_free(self->csv);
    self->csv = csv_create_from(log_input_read, self->input, separator);
    return self->csv != NULL ? read_header(self, err) : common_fail_memory(err);
}

static int begin_csv(log_reader *self, roster_error *err)
{
    return begin_separated(self, ',', err);
}

static int begin_tsv(log_reader *self, roster_error *err)
{
    return begin_separated(self, '\t', err);
}

static log_status take_record(log_reader *self, const csv_record *r, log_event *event)
{
    if (r->n != self->n_fields)
        return log_damage_at(self, "has %zu field%s, the header has %zu", r->n, r->n == 1 ? "" : "s", self->n_fields);
    log_status status = LOG_EVENT;
    log_event_begin(self, event);
    event->line = r->line;
    for (size_t i = 0; status == LOG_EVENT && i < self->n_slots; i++) {
        size_t column = self->slots[i].column;
        status = log_take_text(self, &self->slots[i], r->fields[column], csv_length(r, column), event);
    }
    return status == LOG_EVENT ? log_event_end(self, event) : status;
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    csv_record r;
    (void)err;
    csv_status status = csv_next(self->csv, &r);
    self->line_number = r.line;
    if (status == CSV_DAMAGED)
        return log_damage_at(self, "%s", r.reason);
    return status == CSV_RECORD ? take_record(self, &r, event) : status == CSV_END ? LOG_END : LOG_FAILED;
}

const log_format log_csv = {"csv", fits_csv, begin_csv, next};
const log_format log_tsv = {"tsv", fits_tsv, begin_tsv, next};
const log_format log_obd = {"obd", fits_obd, begin_csv, next};
