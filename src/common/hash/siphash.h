/*
 * siphash.h: hashes that withstand whoever does not know the key.
 */
#ifndef ROSTER_SIPHASH_H
#define ROSTER_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-2-4 with 128 bits of output. */
void siphash_bytes(uint64_t k0, uint64_t k1, const void *data, size_t size, uint64_t out[2]);
/* SipHash-1-3 of two words, but for the word with the length, which is the same for all. */
uint64_t siphash_pair(const uint64_t key[2], uint64_t a, uint64_t b);

#endif
