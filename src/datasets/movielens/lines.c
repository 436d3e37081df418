/*
 * lines.c: the lines of a text file, plain or packed by xz, one at a time.
 *
 * A line ends with LF or CR LF; the last one may end with the file. Bytes are taken as they are, but for NUL, which is
 * no text. Whatever the file holds, memory stays at two buffers and what xz needs, at most 256 MiB.
 *
 * Paper: none. Cost: one pass.
 * Check: tests/unit/test_movielens_refused.c: packed_equals_plain, damaged_files_are_refused, lines_are_checked.
 */
#include "lines.h"

#include "datasets_internal.h"

#include <errno.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };
static const uint64_t MOST_MEMORY = (uint64_t)256 << 20;

struct lines {
    FILE *file;       /* borrowed */
    const char *name; /* borrowed */
    size_t number;
    size_t at, filled; /* of bytes */
    bool packed, ended;
    lzma_stream unpacker;
    char text[LINES_LONGEST + 1];
    char bytes[BUFFER];       /* plain */
    uint8_t received[BUFFER]; /* packed */
};

int lines_create(lines **out, FILE *file, const char *name, bool packed, roster_error *err)
{
    lines *self = calloc(1, sizeof *self);
    if (self == NULL)
        return common_fail_memory(err);
    self->file = file;
    self->name = name;
    self->packed = packed;
    if (packed && lzma_stream_decoder(&self->unpacker, MOST_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
        free(self);
        return common_fail_memory(err);
    }
    *out = self;
    return ROSTER_OK;
}

void lines_free(lines *self)
{
    if (self == NULL)
        return;
    lzma_end(&self->unpacker);
    free(self);
}

size_t lines_number(const lines *self)
{
    return self->number;
}

int lines_fail(const lines *self, roster_error *err, const char *format, ...)
{
    char sentence[sizeof err->msg];
    va_list args;
    va_start(args, format);
    common_vformat(sentence, sizeof sentence, format, args);
    va_end(args);
    return common_fail(err, ROSTER_EINVAL, "%.300s:%zu: %s", self->name, self->number, sentence);
}

static int receive(lines *self, void *bytes, size_t *n, roster_error *err)
{
    *n = fread(bytes, 1, BUFFER, self->file);
    if (ferror(self->file))
        return common_fail(err, ROSTER_EINVAL, "%.300s: cannot be read (%s)", self->name, strerror(errno));
    return ROSTER_OK;
}

static int fail_unpacking(const lines *self, lzma_ret code, roster_error *err)
{
    if (code == LZMA_MEM_ERROR)
        return common_fail_memory(err);
    if (code == LZMA_MEMLIMIT_ERROR)
        return common_fail(err, ROSTER_EINVAL, "%s: needs more than 256 MiB of memory to unpack", self->name);
    return common_fail(err, ROSTER_EINVAL, "%s: is not an xz file, or is damaged", self->name);
}

/* Fills the plain buffer with at least one byte, or notes the end. */
static int unpack(lines *self, roster_error *err)
{
    lzma_stream *s = &self->unpacker;
    s->next_out = (uint8_t *)self->bytes;
    s->avail_out = BUFFER;
    while (s->avail_out == BUFFER && !self->ended) {
        if (s->avail_in == 0) {
            int code = receive(self, self->received, &s->avail_in, err);
            if (code != ROSTER_OK)
                return code;
            s->next_in = self->received;
        }
        lzma_ret code = lzma_code(s, s->avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
        if (code != LZMA_OK && code != LZMA_STREAM_END)
            return fail_unpacking(self, code, err);
        self->ended = code == LZMA_STREAM_END;
    }
    self->filled = BUFFER - s->avail_out;
    return ROSTER_OK;
}

/* The next byte in *c, or -1 at the end. */
static int next(lines *self, int *c, roster_error *err)
{
    if (self->at == self->filled) {
        self->at = self->filled = 0;
        int code = self->packed ? unpack(self, err) : receive(self, self->bytes, &self->filled, err);
        if (code != ROSTER_OK)
            return code;
    }
    *c = self->at < self->filled ? (unsigned char)self->bytes[self->at++] : -1;
    return ROSTER_OK;
}

int lines_next(lines *self, char **text, roster_error *err)
{
    size_t length = 0;
    int c, code = next(self, &c, err);
    *text = NULL;
    if (code != ROSTER_OK || c == -1)
        return code;
    self->number++;
    while (c != '\n' && c != -1) {
        if (c == '\0')
            return lines_fail(self, err, "has a NUL byte, must be text");
        if (length == LINES_LONGEST)
            return lines_fail(self, err, "is longer than %d bytes", LINES_LONGEST);
        self->text[length++] = (char)c;
        code = next(self, &c, err);
        if (code != ROSTER_OK)
            return code;
    }
    length -= length > 0 && self->text[length - 1] == '\r';
    self->text[length] = '\0';
    *text = self->text;
    return ROSTER_OK;
}
