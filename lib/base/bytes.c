/*
 * bytes.c: numbers to and from little-endian bytes, and the checksum over them.
 *
 * Paper: none.
 *
 * Written byte by byte, so the result is the same whatever the machine's own order. A reader never reads past its
 * end: it gives zeros and remembers, so that a parser can check once at its end.
 *
 * Packed, a run of at least RUN zero numbers is MARK and its length: what is kept per cell is mostly zero where tables
 * are large. A number that happens to be MARK is MARK and 0.
 *
 * Check: the hash of "roster" is pinned in tests/unit/test_bytes.c: hash_known_values.
 */
#include "base.h"

#include <string.h>

static const uint64_t MARK = UINT64_C(0x7ff4726f73746572); /* as a double not a number, which nothing here is */
enum { RUN = 64 };

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

static void put_word(roster_writer *w, uint64_t value)
{
    unsigned char bytes[8];
    encode(bytes, value);
    roster_put_bytes(w, bytes, sizeof bytes);
}

static void put_run(roster_writer *w)
{
    if (w->zeros >= RUN) {
        put_word(w, MARK);
        put_word(w, w->zeros);
        w->packed = true;
        w->zeros = 0;
    }
    for (; w->zeros > 0; w->zeros--)
        put_word(w, 0);
}

void roster_put_packed(roster_writer *w, bool packs)
{
    put_run(w);
    w->packs = packs;
}

void roster_put_u64(roster_writer *w, uint64_t value)
{
    if (w->packs && value == 0) {
        w->zeros++;
        return;
    }
    put_run(w);
    put_word(w, value);
    if (w->packs && value == MARK) {
        put_word(w, 0);
        w->packed = true;
    }
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

static uint64_t get_word(roster_reader *r)
{
    const unsigned char *at = roster_get_bytes(r, 8);
    uint64_t value = 0;
    for (int i = 7; at != NULL && i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static uint64_t get_packed(roster_reader *r)
{
    r->words -= r->words > 0;
    if (r->zeros > 0) {
        r->zeros--;
        return 0;
    }
    uint64_t value = get_word(r), run = value == MARK ? get_word(r) : 0;
    if (run == 0)
        return value;
    r->zeros = run - 1;
    return 0;
}

uint64_t roster_get_u64(roster_reader *r)
{
    return r->packs ? get_packed(r) : get_word(r);
}

void roster_get_packed(roster_reader *r)
{
    roster_reader look = *r;
    uint64_t words = 0;
    while (look.used < look.size && !look.failed) {
        bool marked = get_word(&look) == MARK;
        uint64_t run = marked ? get_word(&look) : 0;
        look.failed |= run != 0 && (run < RUN || run > UINT64_MAX / 16 - words);
        words += run > 0 ? run : 1;
    }
    r->failed |= look.failed;
    r->packs = true;
    r->words = words;
}

bool roster_reader_ended(const roster_reader *r)
{
    return r->used == r->size && r->zeros == 0;
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
    uint64_t count = roster_get_u64(r), left = r->packs ? 8 * r->words : r->size - r->used;
    if (!r->failed && count <= left / each)
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
