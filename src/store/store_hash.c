/*
 * store_hash.c: the checksum of rows.
 *
 *   h = (h ^ word) K, h ^= h >> 32      for every 8 bytes, little endian, the last ones filled up with zeros
 *
 * Paper: none. For a given h a step is a bijection of the word, and for a given word one of h: two texts of equal
 * length that differ in one word have different hashes, always. It protects against accidents, not against forgery.
 *
 * Cost: about 3 bytes per nanosecond.
 * Check: tests/unit/test_store.c: every_bit_counts.
 */
#include "store_internal.h"

static uint64_t step(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
    return h ^ h >> 32;
}

uint64_t store_hash(uint64_t h, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
        h = step(h, byte_order_get(bytes + i, 8));
    if (i < size)
        h = step(h, byte_order_get(bytes + i, size - i));
    return step(h, size);
}

uint64_t store_checksum(const store_row *row)
{
    uint64_t h = step(row->before, row->first);
    h = step(h, row->count);
    h = step(h, (uint64_t)row->at);
    return store_hash(h, row->records, row->size);
}
