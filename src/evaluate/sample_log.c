/*
 * sample_log.c: logs of (expert, context, action[, count]) in CSV.
 *
 * The header names the columns, in any order; others are ignored. A line without a count stands for one sample, a count
 * of 0 for none, which only makes its names known. A damaged line is one that the CSV reader refuses, or that has
 * another number of fields than the header, an empty or overlong name, or a count that is no whole number.
 *
 * Paper: none. Cost: a few steps per byte; memory for the names and counts, not for the lines.
 * Check: tests/cli/estimate.t.
 */
#include "sample_log.h"
#include "csv_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SHOWN damaged lines are enough to see what is wrong. Beyond 2^53 JSON readers lose the last digits of a count. */
enum { SHOWN = 10, LONGEST_NAME = 1000, COUNT = COUNTS_KINDS, COLUMNS };
#define LARGEST_COUNT (UINT64_C(1) << 53)

static const size_t absent = SIZE_MAX;

/* One file being read. */
typedef struct source {
    const cli_call *call;   /* borrowed                                         */
    const char *title;      /* borrowed: the file's name in sentences           */
    csv_reader *reader;     /* owned                                            */
    counts *counts;         /* borrowed                                         */
    log_lines *lines;       /* borrowed                                         */
    cli_progress *progress; /* borrowed                                         */
    uint64_t bytes_before;  /* of the files before this one                     */
    size_t column[COLUMNS]; /* of expert, context, action, count; or absent     */
    size_t n_fields;        /* of the header                                    */
} source;

static const char *column_name(int c)
{
    return c == COUNT ? "count" : counts_kind_names[c];
}

/* A text of the file as a sentence can show it: not too long, nothing that a terminal would obey. */
static const char *shown(const char *text, char *buf, size_t size)
{
    size_t n = 0;
    for (; text[n] != '\0' && n + 1 < size; n++)
        buf[n] = (unsigned char)text[n] < 0x20 || text[n] == 0x7f ? '?' : text[n];
    buf[n] = '\0';
    if (text[n] == '\0')
        return buf;
    for (n = size - 4; n > 0 && ((unsigned char)buf[n] & 0xc0) == 0x80;)
        n--;
    strcpy(buf + n, "...");
    return buf;
}

static void show_damaged(source *self, uint64_t line, const char *reason)
{
    self->lines->damaged++;
    if (self->lines->damaged > SHOWN)
        return;
    cli_progress_end(self->progress);
    fprintf(stderr, "%s:%" PRIu64 ": %s\n", self->title, line, reason);
}

static int refuse_header(const source *self, const csv_record *header, int c)
{
    char columns[200] = "", one[40];
    for (size_t i = 0; i < header->n; i++) {
        size_t n = strlen(columns);
        snprintf(columns + n, sizeof columns - n, "%s'%s'", i > 0 ? ", " : "",
                 shown(header->fields[i], one, sizeof one));
        if (strlen(columns) > 120 && i + 1 < header->n) {
            strcat(columns, ", ...");
            break;
        }
    }
    return cli_fail(self->call, "%s:%" PRIu64 ": no column is named '%s'; the columns are %s", self->title,
                    header->line, column_name(c), columns);
}

static int find_columns(source *self, const csv_record *header)
{
    for (int c = 0; c < COLUMNS; c++) {
        self->column[c] = absent;
        for (size_t i = 0; i < header->n; i++) {
            if (strcmp(header->fields[i], column_name(c)) != 0)
                continue;
            if (self->column[c] != absent)
                return cli_fail(self->call, "%s:%" PRIu64 ": two columns are named '%s'", self->title, header->line,
                                column_name(c));
            self->column[c] = i;
        }
        if (self->column[c] == absent && c != COUNT)
            return refuse_header(self, header, c);
    }
    self->n_fields = header->n;
    return 0;
}

static int read_header(source *self)
{
    csv_record header;
    switch (csv_next(self->reader, &header)) {
    case CSV_RECORD:
        return find_columns(self, &header);
    case CSV_DAMAGED:
        return cli_fail(self->call, "%s:%" PRIu64 ": the header %s", self->title, header.line, header.reason);
    case CSV_END:
        return cli_fail(self->call, "%s is empty, must begin with a line that names the columns: expert,context,action",
                        self->title);
    default:
        return cli_fail(self->call, "%s cannot be read: %s", self->title, strerror(errno));
    }
}

static bool read_count(const char *text, uint64_t *count)
{
    errno = 0;
    *count = strtoull(text, NULL, 10);
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && errno == 0 && *count <= LARGEST_COUNT;
}

/* What is wrong with a record's fields, into reason; false: nothing. */
static bool is_damaged(const source *self, const csv_record *r, uint64_t *count, char *reason, size_t size)
{
    char text[40];
    if (r->n != self->n_fields) {
        snprintf(reason, size, "has %zu field%s, the header has %zu", r->n, r->n == 1 ? "" : "s", self->n_fields);
        return true;
    }
    for (int c = 0; c < COUNTS_KINDS; c++) {
        size_t length = strlen(r->fields[self->column[c]]);
        if (length > 0 && length <= LONGEST_NAME)
            continue;
        snprintf(reason, size, length == 0 ? "the %s has no name" : "the name of the %s is longer than %d bytes",
                 column_name(c), LONGEST_NAME);
        return true;
    }
    *count = 1;
    if (self->column[COUNT] == absent || read_count(r->fields[self->column[COUNT]], count))
        return false;
    snprintf(reason, size, "the count is '%s', must be a whole number from 0 to 2^53",
             shown(r->fields[self->column[COUNT]], text, sizeof text));
    return true;
}

/* One line; an exit code that is not 0 ends the reading. */
static int take(source *self, const csv_record *r)
{
    char reason[160];
    uint64_t count;
    roster_error err;
    if (is_damaged(self, r, &count, reason, sizeof reason)) {
        show_damaged(self, r->line, reason);
        return 0;
    }
    const char *const *f = r->fields;
    const char *const names[COUNTS_KINDS] = {f[self->column[0]], f[self->column[1]], f[self->column[2]]};
    if (counts_add(self->counts, names, count, &err) == ROSTER_OK)
        return 0;
    cli_progress_end(self->progress);
    return cli_fail(self->call, "%s:%" PRIu64 ": %s", self->title, r->line, err.msg);
}

static int read_lines(source *self)
{
    csv_record r;
    int code = 0;
    for (csv_status status; code == 0 && (status = csv_next(self->reader, &r)) != CSV_END;) {
        if (status == CSV_FAILED)
            return cli_fail(self->call, "%s cannot be read: %s", self->title, strerror(errno));
        self->lines->all++;
        if (status == CSV_DAMAGED)
            show_damaged(self, r.line, r.reason);
        else
            code = take(self, &r);
        if (self->lines->all % 1024 == 0)
            cli_progress_show(self->progress, self->bytes_before + csv_bytes(self->reader));
    }
    return code;
}

static int read_stream(source *self, FILE *stream)
{
    self->reader = csv_create(stream);
    if (self->reader == NULL)
        return cli_fail(self->call, "out of memory");
    int code = read_header(self);
    if (code == 0)
        code = read_lines(self);
    self->bytes_before += csv_bytes(self->reader);
    csv_free(self->reader);
    return code;
}

static int read_file(source *self, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    self->title = standard ? "standard input" : path;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (stream == NULL)
        return cli_fail(self->call, "%s cannot be read: %s", self->title, strerror(errno));
    int code = read_stream(self, stream);
    if (!standard)
        fclose(stream);
    return code;
}

int log_read(const cli_call *call, counts *into, log_lines *lines)
{
    cli_progress progress;
    *lines = (log_lines){0, 0};
    source s = {.call = call, .counts = into, .lines = lines, .progress = &progress};
    int code = 0;
    cli_progress_start(&progress, "reading", cli_total_size(call));
    for (size_t i = 0; i < call->n_args && code == 0; i++)
        code = read_file(&s, call->args[i]);
    cli_progress_end(&progress);
    return code;
}
