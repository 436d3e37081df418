/*
 * common_hash.c: two hashes without a key.
 *
 *   words    h = (h ^ word) K, h ^= h >> 32      for every 8 bytes, little endian, the last ones filled up with zeros,
 *                                                then for the size
 *   FNV-1a   h = (h ^ byte) p                    for every byte
 *
 * Of words: for a given h a step is a bijection of the word, and for a given word one of h: two texts of equal length
 * that differ in one word have different hashes, always. It protects against accidents, not against forgery.
 *
 * Paper: none. Cost: of words about 3 bytes per nanosecond, of FNV a multiplication per byte.
 * Check: of FNV "foobar" gives 85944171f73967e8 (tests/unit/test_common.c: hashes_and_bytes); of words
 *        tests/unit/test_store.c: every_bit_counts.
 */
#include "common_hash.h"

#include "byte_order.h"

uint64_t common_hash_words(uint64_t h, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
        h = common_hash_step(h, byte_order_get(bytes + i, 8));
    if (i < size)
        h = common_hash_step(h, byte_order_get(bytes + i, size - i));
    return common_hash_step(h, size);
}

uint64_t common_hash_fnv(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}
