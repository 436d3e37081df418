/*
 * log_codec.h: fields of records and snapshots, each described once, by a function that both writes and reads it.
 *
 * Little endian, whatever the machine's order. The names are short, since log_record.c and log_snapshot.c, which alone
 * include this, consist of little else.
 */
#ifndef ROSTER_SERVICE_LOG_CODEC_H
#define ROSTER_SERVICE_LOG_CODEC_H

#include "byte_order.h"
#include "log_record.h"

#include <string.h>

/* Writes where `out` is there, else reads. After a failure all further steps do nothing. */
typedef struct codec {
    service_bytes *out;
    const unsigned char *in, *end;
    bool failed, memory; /* memory: for lack of it */
    uint64_t version;    /* of a snapshot */
} codec;

static inline bool writes(const codec *c)
{
    return c->out != NULL;
}

/* Fails where fewer than n bytes are left to read. */
static inline bool claim(codec *c, size_t n)
{
    c->failed |= (size_t)(c->end - c->in) < n;
    return !c->failed;
}

static inline void bytes(codec *c, void *at, size_t n)
{
    if (c->failed || n == 0)
        return;
    if (writes(c) && c->out->room - c->out->used < n && !service_bytes_reserve(c->out, n)) {
        c->failed = c->memory = true;
    } else if (writes(c)) {
        memcpy(c->out->data + c->out->used, at, n);
        c->out->used += n;
    } else if (claim(c, n)) {
        memcpy(at, c->in, n);
        c->in += n;
    }
}

/* The lowest n bytes; what cannot be read stays as it was. */
static inline void word(codec *c, uint64_t *x, size_t n)
{
    unsigned char b[8];
    byte_order_put(b, *x, n);
    bytes(c, b, n);
    if (!writes(c) && !c->failed)
        *x = byte_order_get(b, n);
}

static inline void u8(codec *c, uint8_t *x)
{
    bytes(c, x, 1);
}

static inline void u32(codec *c, uint32_t *x)
{
    uint64_t w = *x;
    word(c, &w, 4);
    *x = (uint32_t)w;
}

static inline void u64(codec *c, uint64_t *x)
{
    word(c, x, 8);
}

static inline void i64(codec *c, int64_t *x)
{
    uint64_t w = (uint64_t)*x;
    word(c, &w, 8);
    *x = (int64_t)w;
}

static inline void f64(codec *c, double *x)
{
    uint64_t w;
    memcpy(&w, x, sizeof w);
    word(c, &w, 8);
    memcpy(x, &w, sizeof w);
}

/* A text of that size, borrowed where it is read. */
static inline void text_of(codec *c, const char **at, size_t size)
{
    if (writes(c)) {
        bytes(c, (void *)(uintptr_t)*at, size);
    } else if (!c->failed && claim(c, size)) {
        *at = (const char *)c->in;
        c->in += size;
    }
}

#endif
