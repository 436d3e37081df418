/*
 * common_json.c: JSON written piece by piece, straight into a stream.
 *
 * A value is preceded by a comma unless it is the first behind a bracket, and by its key where it has one. Reals have
 * 17 significant digits, the fewest with which every double is read back as itself, and always a point or an exponent,
 * so that readers which tell whole numbers from others see one type.
 *
 * Check: tests/cli/trace.t, and tools/check-trace reads it with Python's json.
 */
#include "common_json.h"

#include <math.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void begin(common_json *self, const char *key)
{
    if (self->follow)
        fputc(',', self->out);
    if (key != NULL) {
        put_text(self->out, key);
        fputc(':', self->out);
    }
    self->follow = true;
}

void common_json_open(common_json *self, const char *key, char bracket)
{
    begin(self, key);
    fputc(bracket, self->out);
    self->follow = false;
}

void common_json_close(common_json *self, char bracket)
{
    fputc(bracket, self->out);
    self->follow = true;
}

void common_json_text(common_json *self, const char *key, const char *text)
{
    begin(self, key);
    put_text(self->out, text);
}

void common_json_count(common_json *self, const char *key, uint64_t count)
{
    begin(self, key);
    fprintf(self->out, "%llu", (unsigned long long)count);
}

void common_json_number(common_json *self, const char *key, double number)
{
    char text[40];
    if (!isfinite(number)) {
        common_json_null(self, key);
        return;
    }
    begin(self, key);
    snprintf(text, sizeof text, "%.17g", number);
    fprintf(self->out, "%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

void common_json_numbers(common_json *self, const char *key, const double *numbers, size_t n)
{
    common_json_open(self, key, '[');
    for (size_t i = 0; i < n; i++)
        common_json_number(self, NULL, numbers[i]);
    common_json_close(self, ']');
}

void common_json_truth(common_json *self, const char *key, bool truth)
{
    begin(self, key);
    fputs(truth ? "true" : "false", self->out);
}

void common_json_null(common_json *self, const char *key)
{
    begin(self, key);
    fputs("null", self->out);
}

void common_json_end(common_json *self)
{
    fputc('\n', self->out);
    self->follow = false;
}
