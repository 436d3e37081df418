/*
 * log_unpack.h: decompression of a stream, by the libraries of gzip, zstd and xz.
 */
#ifndef ROSTER_LOG_UNPACK_H
#define ROSTER_LOG_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum log_packing { LOG_PLAIN, LOG_GZIP, LOG_ZSTD, LOG_XZ } log_packing;

/* How what begins with these bytes is compressed. */
log_packing log_packing_of(const unsigned char *bytes, size_t size);

typedef struct log_unpacker log_unpacker;

/* What one step used up and gave. */
typedef struct log_step {
    size_t used, given;
    bool whole; /* all that began has ended: here a file may end */
    bool damaged;
} log_step;

log_unpacker *log_unpacker_create(log_packing packing); /* NULL: out of memory */
void log_unpacker_free(log_unpacker *self);
/* Some of the n bytes at `from`, into at most `size` bytes at `to`. `last`: no more follow. */
log_step log_unpack(log_unpacker *self, const unsigned char *from, size_t n, bool last, char *to, size_t size);

#endif
