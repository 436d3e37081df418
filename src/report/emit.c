/*
 * emit.c: JSON, member by member, into a stream.
 *
 * Commas, line breaks and quotes are the emitter's business, numbers come out the same on every machine. An array of
 * numbers stands on one line, an object whose members matter to a reader has a line for each.
 *
 * Paper: none.
 * Cost: one pass, no memory.
 * Check: Python's json reads back what was written (tests/unit/test_report.c writes it, tools/check-report reads it).
 */
#include "report_inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

int report_fail(roster_error *err, int code, const char *format, ...)
{
    if (err != NULL) {
        va_list list;
        va_start(list, format);
        vsnprintf(err->msg, sizeof err->msg, format, list);
        va_end(list);
        err->code = code;
    }
    return code;
}

int report_fail_memory(roster_error *err)
{
    return report_fail(err, ROSTER_ENOMEM, "out of memory");
}

static void new_line(const emit *self)
{
    fprintf(self->out, "\n%*s", (int)(2 * self->depth), "");
}

/* Bytes of the UTF-8 character at s, 0 where there is none: overlong forms, surrogates, numbers past U+10FFFF. */
static size_t character(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 4;
    if (n == 1)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool wrong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
                 (s[0] == 0xf4 && s[1] >= 0x90);
    return wrong ? 0 : n;
}

static void quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s != 0;) {
        size_t n = character(s);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s < 0x20 || *s == 0x7f || *s == '<')
            fprintf(out, "\\u%04x", *s);
        else
            fprintf(out, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", (int)n, (const char *)s);
        s += n > 0 ? n : 1;
    }
    fputc('"', out);
}

void emit_key(emit *self, const char *key)
{
    if (self->depth > 0) {
        bool lines = self->level[self->depth - 1].lines;
        if (self->level[self->depth - 1].some)
            fputs(lines ? "," : ", ", self->out);
        if (lines)
            new_line(self);
        self->level[self->depth - 1].some = true;
    }
    if (key != NULL) {
        quote(self->out, key);
        fputs(": ", self->out);
    }
}

void emit_open(emit *self, const char *key, char bracket, bool lines)
{
    emit_key(self, key);
    fputc(bracket, self->out);
    self->level[self->depth].close = bracket == '{' ? '}' : ']';
    self->level[self->depth].lines = lines;
    self->level[self->depth].some = false;
    self->depth++;
}

void emit_close(emit *self)
{
    self->depth--;
    if (self->level[self->depth].lines && self->level[self->depth].some)
        new_line(self);
    fputc(self->level[self->depth].close, self->out);
}

void emit_real(emit *self, const char *key, double value)
{
    emit_key(self, key);
    if (isfinite(value))
        fprintf(self->out, "%.*g", self->digits, value);
    else
        fputs("null", self->out);
}

void emit_count(emit *self, const char *key, uint64_t value)
{
    const char *mark = value < UINT64_C(1) << 53 ? "" : "\"";
    emit_key(self, key);
    fprintf(self->out, "%s%" PRIu64 "%s", mark, value, mark);
}

void emit_bool(emit *self, const char *key, bool value)
{
    emit_key(self, key);
    fputs(value ? "true" : "false", self->out);
}

void emit_text(emit *self, const char *key, const char *value)
{
    emit_key(self, key);
    if (value != NULL)
        quote(self->out, value);
    else
        fputs("null", self->out);
}

void emit_summary(emit *self, const roster_moments *moments, uint64_t runs)
{
    report_summary s = report_summarize(moments, runs);
    emit_real(self, "mean", s.mean);
    emit_real(self, "sd", s.sd);
    emit_real(self, "low", s.mean - s.half);
    emit_real(self, "high", s.mean + s.half);
}
