/*
 * log_unpack.c: one step of decompression. Several compressed files one behind the other are one stream, as the tools
 * gzip, zstd and xz have it.
 *
 * Paper: none. Cost: that of the libraries; memory up to 128 MiB for zstd and xz, theirs.
 * Check: tests/unit/test_log_input.c: packed_*.
 */
#include "log_unpack.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define XZ_MEMORY ((uint64_t)128 << 20)

struct log_unpacker {
    log_packing packing;
    bool begun; /* inside of a compressed file */
    z_stream gzip;
    ZSTD_DStream *zstd; /* owned */
    lzma_stream xz;
};

log_packing log_packing_of(const unsigned char *bytes, size_t size)
{
    if (size >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0)
        return LOG_GZIP;
    if (size >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0)
        return LOG_ZSTD;
    if (size >= 6 && memcmp(bytes,
                            "\xfd"
                            "7zXZ",
                            6) == 0)
        return LOG_XZ;
    return LOG_PLAIN;
}

log_unpacker *log_unpacker_create(log_packing packing)
{
    log_unpacker *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->packing = packing;
    bool made = false;
    if (packing == LOG_GZIP) {
        made = inflateInit2(&self->gzip, 15 + 16) == Z_OK;
    } else if (packing == LOG_ZSTD) {
        self->zstd = ZSTD_createDStream();
        made = self->zstd != NULL;
    } else {
        self->xz = (lzma_stream)LZMA_STREAM_INIT;
        made = lzma_stream_decoder(&self->xz, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
    }
    if (made)
        return self;
    free(self);
    return NULL;
}

void log_unpacker_free(log_unpacker *self)
{
    if (self == NULL)
        return;
    if (self->packing == LOG_GZIP)
        inflateEnd(&self->gzip);
    else if (self->packing == LOG_ZSTD)
        ZSTD_freeDStream(self->zstd);
    else
        lzma_end(&self->xz);
    free(self);
}

static log_step step_gzip(log_unpacker *self, const unsigned char *from, size_t n, char *to, size_t size)
{
    z_stream *z = &self->gzip;
    z->next_in = (unsigned char *)(uintptr_t)from;
    z->avail_in = (unsigned)n;
    z->next_out = (unsigned char *)to;
    z->avail_out = (unsigned)size;
    int code = n > 0 || self->begun ? inflate(z, Z_NO_FLUSH) : Z_STREAM_END;
    log_step s = {.used = n - z->avail_in, .given = size - z->avail_out};
    s.damaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
    self->begun = code != Z_STREAM_END;
    s.whole = !self->begun;
    if (code == Z_STREAM_END && n > 0)
        inflateReset(z);
    return s;
}

static log_step step_zstd(log_unpacker *self, const unsigned char *from, size_t n, char *to, size_t size)
{
    ZSTD_inBuffer in = {from, n, 0};
    ZSTD_outBuffer out = {to, size, 0};
    size_t left = n > 0 || self->begun ? ZSTD_decompressStream(self->zstd, &out, &in) : 0;
    self->begun = left != 0;
    return (log_step){.used = in.pos, .given = out.pos, .whole = left == 0, .damaged = ZSTD_isError(left) != 0};
}

static log_step step_xz(log_unpacker *self, const unsigned char *from, size_t n, bool last, char *to, size_t size)
{
    lzma_stream *z = &self->xz;
    z->next_in = from;
    z->avail_in = n;
    z->next_out = (unsigned char *)to;
    z->avail_out = size;
    lzma_ret code = lzma_code(z, last ? LZMA_FINISH : LZMA_RUN);
    return (log_step){.used = n - z->avail_in,
                      .given = size - z->avail_out,
                      .whole = code == LZMA_STREAM_END,
                      .damaged = code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR};
}

log_step log_unpack(log_unpacker *self, const unsigned char *from, size_t n, bool last, char *to, size_t size)
{
    if (self->packing == LOG_GZIP)
        return step_gzip(self, from, n, to, size);
    if (self->packing == LOG_ZSTD)
        return step_zstd(self, from, n, to, size);
    return step_xz(self, from, n, last, to, size);
}
