/*
 * csv_reader.c: a reader of CSV that trusts nothing.
 *
 * RFC 4180: fields are separated by commas (or another byte); a field in double quotes may hold commas, line ends and,
 * doubled, quotes.
 * Lines end with LF or CR LF, the last one may lack it. A byte order mark at the start and empty lines are passed over.
 * Spaces belong to the field. Refused, with a reason: a quote inside of a field that is not quoted, anything but a
 * comma or a line end behind a closing quote, a quote never closed, a carriage return that ends no line, a NUL byte,
 * what is no UTF-8, and a record of more than CSV_LONGEST bytes.
 *
 * A damaged record costs one line of the file, not more: reading goes on in the line after its first, even where a
 * stray quote seemed to swallow what follows. For this a record is first looked at in the window, then copied out of
 * it. A line of plain bytes (ASCII without quotes and controls), which most are, is taken apart where it stands.
 *
 *   window   [at, filled): bytes read and not yet used up. Refilled when fewer than CSV_LONGEST + 3 are left, which is
 *            a longest record, its line end and one byte to see that there is more.
 *
 * Paper: none. Cost: a few steps per byte; memory 11 CSV_LONGEST bytes, whatever the file.
 * Check: tests/unit/test_csv_reader.c: csv_*, tests/fuzz/fuzz_csv.c.
 */
#include "csv_reader.h"

#include "utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKAHEAD = CSV_LONGEST + 3, WINDOW = 2 * LOOKAHEAD };

struct csv_reader {
    csv_source source;
    void *stream; /* borrowed                                          */
    char separator;
    size_t at, filled;          /* the window                                        */
    bool ended, started;        /* the stream is used up; the byte order mark was looked for */
    uint64_t line;              /* of window[at]                                     */
    uint64_t bytes;             /* of the stream before window[at]                   */
    const char **fields;        /* owned: LOOKAHEAD + 2                              */
    unsigned char special[256]; /* whether a byte ends a run of plain ones    */
    char window[WINDOW];
    char text[LOOKAHEAD + 1]; /* the fields, each with the NUL that stands for the comma behind it */
};

static size_t read_stream(void *stream, char *to, size_t size)
{
    return fread(to, 1, size, stream);
}

csv_reader *csv_create(FILE *stream)
{
    return csv_create_from(read_stream, stream, ',');
}

csv_reader *csv_create_from(csv_source source, void *stream, char separator)
{
    csv_reader *self = malloc(sizeof *self);
    if (self == NULL)
        return NULL;
    self->source = source;
    self->stream = stream;
    self->separator = separator;
    for (int c = 0; c < 256; c++)
        self->special[c] = c == separator || c == '"' || (c < ' ' && c != '\t') || c >= 0x80;
    self->at = self->filled = 0;
    self->ended = self->started = false;
    self->line = 1;
    self->bytes = 0;
    self->fields = malloc((LOOKAHEAD + 2) * sizeof *self->fields);
    if (self->fields == NULL) {
        free(self);
        return NULL;
    }
    return self;
}

void csv_free(csv_reader *self)
{
    if (self == NULL)
        return;
    free(self->fields);
    free(self);
}

uint64_t csv_bytes(const csv_reader *self)
{
    return self->bytes;
}

static bool fill(csv_reader *self)
{
    if (self->ended || self->filled - self->at >= LOOKAHEAD)
        return true;
    memmove(self->window, self->window + self->at, self->filled - self->at);
    self->filled -= self->at;
    self->at = 0;
    self->filled += self->source(self->stream, self->window + self->filled, WINDOW - self->filled);
    self->ended = self->filled < WINDOW;
    return !self->ended || self->source != read_stream || !ferror((FILE *)self->stream);
}

/* Use up to `to`, counting line ends. */
static void advance(csv_reader *self, size_t to)
{
    self->bytes += to - self->at;
    for (; self->at < to; self->at++)
        self->line += self->window[self->at] == '\n';
}

/* Use up the rest of the line, however long. */
static bool skip_line(csv_reader *self)
{
    for (;;) {
        const char *end = memchr(self->window + self->at, '\n', self->filled - self->at);
        advance(self, end != NULL ? (size_t)(end - self->window) + 1 : self->filled);
        if (end != NULL || (self->ended && self->at == self->filled))
            return true;
        if (!fill(self))
            return false;
    }
}

/* A record being taken out of the window. */
typedef struct scan {
    const char *from, *end; /* what there is of the window, CSV_LONGEST bytes and a line end at most */
    const char *at;
    char separator;
    char *out;          /* where the next letter goes            */
    const char *reason; /* NULL while all is well                */
} scan;

/* Bytes of the line end at `at`, 0: there is none. A carriage return may also be the last byte of the file. */
static size_t line_end(const char *at, const char *end)
{
    if (at == end || (*at != '\n' && *at != '\r'))
        return 0;
    if (*at == '\n' || at + 1 == end)
        return 1;
    return at[1] == '\n' ? 2 : 0;
}

static void take_quoted(scan *s)
{
    for (s->at++; s->at < s->end; s->at++) {
        if (*s->at == '"' && (s->at + 1 == s->end || s->at[1] != '"')) {
            s->at++;
            if (s->at < s->end && *s->at != s->separator && line_end(s->at, s->end) == 0)
                s->reason = "has text between a closing quote and the next comma";
            return;
        }
        s->at += *s->at == '"';
        *s->out++ = *s->at;
    }
    s->reason = "has a quote that is not closed within 65536 bytes";
}

static void take_plain(scan *s)
{
    for (; s->at < s->end && *s->at != s->separator && line_end(s->at, s->end) == 0; s->at++) {
        if (*s->at == '"')
            s->reason = "has a quote inside a field that does not begin with a quote";
        else if (*s->at == '\r')
            s->reason = "has a carriage return inside a line";
        if (s->reason != NULL)
            return;
        *s->out++ = *s->at;
    }
}

/* All fields up to the line end, which s->at is left before. Returns how many. */
static size_t take_fields(scan *s, const char **fields)
{
    size_t n = 0;
    for (bool more = true; more && s->reason == NULL;) {
        fields[n++] = s->out;
        if (s->at < s->end && *s->at == '"')
            take_quoted(s);
        else
            take_plain(s);
        *s->out++ = '\0';
        more = s->at < s->end && *s->at == s->separator;
        s->at += more;
    }
    fields[n] = s->out;
    return n;
}

/* A line of plain bytes that ends inside of the window is taken apart in place. Returns how many fields, 0: it is none,
   and what was changed is as it was. */
static size_t take_plain_line(csv_reader *self)
{
    char *from = self->window + self->at, *at = from;
    size_t left = self->filled - self->at, n = 0;
    const char *end = from + (left < LOOKAHEAD ? left : LOOKAHEAD);
    for (self->fields[0] = from;; at++) {
        while (at < end && !self->special[(unsigned char)*at])
            at++;
        if (at == end || *at != self->separator)
            break;
        self->fields[++n] = at + 1;
    }
    size_t size = (size_t)(at - from), ending = line_end(at, end);
    if (ending == 0 || at[ending - 1] != '\n' || size > CSV_LONGEST)
        return 0;
    self->fields[++n] = at + 1;
    for (size_t i = 1; i <= n; i++)
        self->window[self->fields[i] - self->window - 1] = '\0';
    self->bytes += size + ending;
    self->at += size + ending;
    self->line++;
    return n;
}

static const char *check_text(const scan *s)
{
    size_t size = (size_t)(s->at - s->from);
    if (memchr(s->from, '\0', size) != NULL)
        return "has a NUL byte";
    return utf8_is_valid(s->from, size) ? NULL : "is not UTF-8";
}

static void pass_over_mark(csv_reader *self)
{
    if (!self->started && self->filled - self->at >= 3 && memcmp(self->window + self->at, "\xef\xbb\xbf", 3) == 0)
        advance(self, self->at + 3);
    self->started = true;
}

/* Empty lines are passed over. False: the stream failed. */
static bool pass_over_empty(csv_reader *self)
{
    for (;;) {
        if (!fill(self))
            return false;
        const char *at = self->window + self->at;
        size_t left = self->filled - self->at;
        size_t empty = line_end(at, at + left);
        if (empty == 0)
            return true;
        advance(self, self->at + empty);
    }
}

csv_status csv_next(csv_reader *self, csv_record *record)
{
    if (!fill(self))
        return CSV_FAILED;
    pass_over_mark(self);
    if (!pass_over_empty(self))
        return CSV_FAILED;
    if (self->at == self->filled)
        return CSV_END;
    *record = (csv_record){.line = self->line, .fields = self->fields};
    record->n = take_plain_line(self);
    if (record->n > 0)
        return CSV_RECORD;
    const char *from = self->window + self->at;
    size_t left = self->filled - self->at, seen = left < LOOKAHEAD ? left : LOOKAHEAD;
    scan s = {.from = from, .end = from + seen, .at = from, .separator = self->separator, .out = self->text};
    record->n = take_fields(&s, self->fields);
    if (s.reason == NULL && (size_t)(s.at - from) > CSV_LONGEST)
        s.reason = "is longer than 65536 bytes";
    if (s.reason == NULL)
        s.reason = check_text(&s);
    record->reason = s.reason;
    if (s.reason != NULL)
        return skip_line(self) ? CSV_DAMAGED : CSV_FAILED;
    advance(self, self->at + (size_t)(s.at - from) + line_end(s.at, s.end));
    return CSV_RECORD;
}
