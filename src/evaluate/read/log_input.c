/*
 * log_input.c: a file of bytes, decompressed as it is read.
 *
 *   raw    bytes of the file; where it is compressed they go through the unpacker
 *   head   the first bytes that came out, kept until they are read, so that the format can be recognised
 *
 * Paper: none. Cost: one copy of what is plain; memory for both buffers, whatever the file.
 * Check: tests/unit/test_log_input.c: input_*, packed_*.
 */
#include "log_input.h"

#include "common_error.h"
#include "log_unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAW = 1 << 17, HEAD = 1 << 16, ZLIB_MOST = 1 << 30 };

struct log_input {
    FILE *stream; /* owned, but for standard input */
    const char *title;
    log_unpacker *unpacker; /* owned; NULL: plain */
    bool ended, whole;      /* the file; what was compressed has ended where it may */
    char fault[200];
    uint64_t bytes;
    size_t raw_at, raw_filled, head_at, head_filled;
    unsigned char raw[RAW];
    char head[HEAD];
};

static void fill_raw(log_input *self)
{
    if (self->raw_at < self->raw_filled || self->ended)
        return;
    self->raw_at = 0;
    self->raw_filled = fread(self->raw, 1, RAW, self->stream);
    self->bytes += self->raw_filled;
    self->ended = self->raw_filled < RAW;
    if (ferror(self->stream))
        snprintf(self->fault, sizeof self->fault, "cannot be read: %s", strerror(errno));
}

static size_t take_plain(log_input *self, char *to, size_t size)
{
    size_t n = self->raw_filled - self->raw_at;
    n = n < size ? n : size;
    memcpy(to, self->raw + self->raw_at, n);
    self->raw_at += n;
    return n;
}

/* Some bytes; 0: no more, or the fault says why. */
static size_t unpack_some(log_input *self, char *to, size_t size)
{
    for (;;) {
        fill_raw(self);
        size_t left = self->raw_filled - self->raw_at;
        if (self->fault[0] != '\0' || (left == 0 && self->whole))
            return 0;
        if (self->unpacker == NULL)
            return take_plain(self, to, size);
        log_step s = log_unpack(self->unpacker, self->raw + self->raw_at, left, self->ended, to, size);
        self->raw_at += s.used;
        self->whole = s.whole && self->ended;
        if (s.damaged)
            snprintf(self->fault, sizeof self->fault, "cannot be decompressed: it is damaged");
        else if (s.used == 0 && s.given == 0 && self->ended && !s.whole)
            snprintf(self->fault, sizeof self->fault, "cannot be decompressed: its end is missing");
        if (s.given > 0)
            return s.given;
    }
}

static size_t read_on(log_input *self, char *to, size_t size)
{
    size_t n = 0;
    while (n < size) {
        size_t room = size - n < ZLIB_MOST ? size - n : ZLIB_MOST;
        size_t more = unpack_some(self, to + n, room);
        if (more == 0)
            break;
        n += more;
    }
    return n;
}

int log_input_open(log_input **out, const char *path, roster_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    log_input *self = calloc(1, sizeof *self);
    *out = self;
    if (self == NULL)
        return common_fail_memory(err);
    self->title = standard ? "standard input" : path;
    self->stream = standard ? stdin : fopen(path, "rb");
    if (self->stream == NULL)
        snprintf(self->fault, sizeof self->fault, "cannot be read: %s", strerror(errno));
    else
        fill_raw(self);
    log_packing packing = log_packing_of(self->raw, self->raw_filled);
    self->whole = packing == LOG_PLAIN;
    if (self->fault[0] == '\0' && packing != LOG_PLAIN && (self->unpacker = log_unpacker_create(packing)) == NULL)
        snprintf(self->fault, sizeof self->fault, "cannot be decompressed: out of memory");
    if (self->fault[0] == '\0')
        self->head_filled = read_on(self, self->head, HEAD);
    if (self->fault[0] == '\0')
        return ROSTER_OK;
    int code = common_fail(err, ROSTER_EINVAL, "%s %s", self->title, self->fault);
    log_input_close(self);
    *out = NULL;
    return code;
}

void log_input_close(log_input *self)
{
    if (self == NULL)
        return;
    log_unpacker_free(self->unpacker);
    if (self->stream != NULL && self->stream != stdin)
        fclose(self->stream);
    free(self);
}

const char *log_input_title(const log_input *self)
{
    return self->title;
}

size_t log_input_read(void *input, char *to, size_t size)
{
    log_input *self = input;
    size_t n = self->head_filled - self->head_at;
    n = n < size ? n : size;
    memcpy(to, self->head + self->head_at, n);
    self->head_at += n;
    return n + read_on(self, to + n, size - n);
}

const char *log_input_fault(const log_input *self)
{
    return self->fault[0] != '\0' ? self->fault : NULL;
}

const char *log_input_head(log_input *self, size_t *size)
{
    *size = self->head_filled;
    return self->head;
}

uint64_t log_input_bytes(const log_input *self)
{
    return self->bytes;
}
