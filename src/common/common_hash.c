/*
 * common_hash.c: FNV-1a, h = (h ^ byte) p for every byte.
 *
 * Paper: none. Cost: a multiplication per byte.
 * Check: "foobar" gives 85944171f73967e8 (tests/unit/test_common.c: hashes_and_bytes).
 */
#include "common_hash.h"

uint64_t common_hash_fnv(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * UINT64_C(0x100000001b3);
    return h;
}
