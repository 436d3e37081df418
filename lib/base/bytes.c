/*
 * bytes.c: numbers to and from little-endian bytes, and the checksum over them.
 *
 * Paper: none.
 *
 * Written byte by byte, so the result is the same whatever the machine's own order. A reader never reads past its
 * end: it gives zeros and remembers, so that a parser can check once at its end.
 *
 * Check: the hash of "roster" is pinned in tests/unit/test_bytes.c: hash_known_values.
 */
#include "base.h"

#include <string.h>

void roster_put_bytes(roster_writer *w, const void *bytes, size_t n)
{
    if (w->data != NULL && n > 0 && w->used <= w->size && n <= w->size - w->used)
        memcpy(w->data + w->used, bytes, n);
    w->used += n;
}

static void encode(unsigned char out[8], uint64_t value)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(value >> (8 * i));
}

void roster_put_u64(roster_writer *w, uint64_t value)
{
    unsigned char bytes[8];
    encode(bytes, value);
    roster_put_bytes(w, bytes, sizeof bytes);
}

void roster_put_double(roster_writer *w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    roster_put_u64(w, bits);
}

void roster_put_doubles(roster_writer *w, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        roster_put_double(w, values[i]);
}

const unsigned char *roster_get_bytes(roster_reader *r, size_t n)
{
    if (r->failed || n > r->size - r->used) {
        r->failed = true;
        return NULL;
    }
    const unsigned char *at = r->data + r->used;
    r->used += n;
    return at;
}

uint64_t roster_get_u64(roster_reader *r)
{
    const unsigned char *at = roster_get_bytes(r, 8);
    uint64_t value = 0;
    for (int i = 7; at != NULL && i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

double roster_get_double(roster_reader *r)
{
    uint64_t bits = roster_get_u64(r);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void roster_get_doubles(roster_reader *r, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = roster_get_double(r);
}

size_t roster_get_count(roster_reader *r, size_t each)
{
    uint64_t count = roster_get_u64(r);
    if (!r->failed && count <= (r->size - r->used) / each)
        return (size_t)count;
    r->failed = true;
    return 0;
}

uint64_t roster_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    /* FNV alone leaves its last byte's influence in the low bits. */
    return hash ^ hash >> 29;
}

uint64_t roster_hash_doubles(uint64_t hash, const double *values, size_t n)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        encode(bytes, bits);
        hash = roster_hash(hash, bytes, sizeof bytes);
    }
    return hash;
}
