/*
 * common_json.c: JSON written piece by piece, straight into a stream.
 *
 * A value is preceded by a comma unless it is the first behind a bracket, and by its key where it has one. 17
 * significant digits are the fewest with which every double is read back as itself.
 *
 * Paper: none. Cost: one pass, no memory.
 * Check: tests/cli/trace.t; Python's json reads back what was written (tools/check-trace, tools/check-report).
 */
#include "common_json.h"

#include "json_escape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_text(const common_json *self, const char *text)
{
    fputc('"', self->out);
    for (json_piece piece; *text != '\0';) {
        text += json_piece_take(&piece, text, self->document);
        fwrite(piece.bytes, 1, piece.size, self->out);
    }
    fputc('"', self->out);
}

static void new_line(const common_json *self)
{
    fprintf(self->out, "\n%*s", (self->indent > 0 ? self->indent : 2) * (int)self->depth, "");
}

void common_json_key(common_json *self, const char *key)
{
    if (self->depth > 0) {
        bool lines = self->level[self->depth - 1].lines, some = self->level[self->depth - 1].some;
        if (some)
            fputs(self->document && !lines ? ", " : ",", self->out);
        if (lines && (some || !self->level[self->depth - 1].hangs))
            new_line(self);
        self->level[self->depth - 1].some = true;
    }
    if (key != NULL) {
        put_text(self, key);
        fputs(self->document ? ": " : ":", self->out);
    }
}

static void open_bracket(common_json *self, const char *key, char bracket, bool lines, bool hangs)
{
    common_json_key(self, key);
    fputc(bracket, self->out);
    self->level[self->depth].close = bracket == '{' ? '}' : ']';
    self->level[self->depth].lines = lines;
    self->level[self->depth].hangs = hangs;
    self->level[self->depth].some = false;
    self->depth++;
}

void common_json_open(common_json *self, const char *key, char bracket)
{
    open_bracket(self, key, bracket, false, false);
}

void common_json_open_lines(common_json *self, const char *key, char bracket)
{
    open_bracket(self, key, bracket, true, false);
}

void common_json_open_hanging(common_json *self, const char *key, char bracket)
{
    open_bracket(self, key, bracket, true, true);
}

void common_json_close(common_json *self)
{
    self->depth--;
    if (self->level[self->depth].lines && self->level[self->depth].some && !self->level[self->depth].hangs)
        new_line(self);
    fputc(self->level[self->depth].close, self->out);
}

void common_json_text(common_json *self, const char *key, const char *text)
{
    common_json_key(self, key);
    if (text != NULL)
        put_text(self, text);
    else
        fputs("null", self->out);
}

void common_json_count(common_json *self, const char *key, uint64_t count)
{
    const char *mark = self->document && count >= UINT64_C(1) << 53 ? "\"" : "";
    common_json_key(self, key);
    fprintf(self->out, "%s%" PRIu64 "%s", mark, count, mark);
}

void common_json_number(common_json *self, const char *key, double number)
{
    char text[40];
    common_json_key(self, key);
    snprintf(text, sizeof text, "%.*g", self->document ? self->digits : 17, number);
    if (!isfinite(number))
        fputs("null", self->out);
    else
        fprintf(self->out, "%s%s", text, self->document || strpbrk(text, ".e") != NULL ? "" : ".0");
}

void common_json_numbers(common_json *self, const char *key, const double *numbers, size_t n)
{
    common_json_open(self, key, '[');
    for (size_t i = 0; i < n; i++)
        common_json_number(self, NULL, numbers[i]);
    common_json_close(self);
}

void common_json_texts(common_json *self, const char *key, const char *const *texts, size_t n)
{
    common_json_open(self, key, '[');
    for (size_t i = 0; i < n; i++)
        common_json_text(self, NULL, texts[i]);
    common_json_close(self);
}

void common_json_truth(common_json *self, const char *key, bool truth)
{
    common_json_key(self, key);
    fputs(truth ? "true" : "false", self->out);
}

void common_json_null(common_json *self, const char *key)
{
    common_json_text(self, key, NULL);
}

void common_json_end(common_json *self)
{
    fputc('\n', self->out);
}
