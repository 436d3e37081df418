/*
 * common_hash.h: hashes that find and compare, none that withstands an attacker.
 */
#ifndef ROSTER_COMMON_HASH_H
#define ROSTER_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A step of common_hash_words. */
static inline uint64_t common_hash_step(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
    return h ^ h >> 32;
}

/* A change of any one 8-byte word always changes the result. Starts with any h; continue with what it returned. */
uint64_t common_hash_words(uint64_t h, const void *bytes, size_t size);
/* FNV-1a with 64 bits. */
uint64_t common_hash_fnv(const void *bytes, size_t size);

#endif
