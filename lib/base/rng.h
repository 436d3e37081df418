/*
 * rng.h: the blocks behind the streams of roster_rng, to have block b without those before it.
 */
#ifndef ROSTER_RNG_H
#define ROSTER_RNG_H

#include "roster.h"

#include <Random123/philox.h>

/* The four words of block b of the stream, whatever has been taken from it; the stream stays as it is. */
static inline void roster_rng_block(const roster_rng *stream, uint64_t b, uint64_t out[4])
{
    philox4x64_ctr_t counter = {{b, stream->run, 0, 0}};
    philox4x64_key_t key = {{stream->key[0], stream->key[1]}};
    philox4x64_ctr_t block = philox4x64(counter, key);
    for (int i = 0; i < 4; i++)
        out[i] = block.v[i];
}

/* What expert i draws in round t, a pure function of stream, i, t and salt: a stream of its own, by another role, from
   block 64 t on. A round has 256 numbers, of which some 10 are needed. */
static inline roster_rng roster_rng_of(const roster_rng *stream, size_t i, uint64_t t, uint64_t salt)
{
    roster_rng rng = *stream;
    rng.key[0] ^= salt;
    rng.key[1] += ROSTER_ROLES * (uint64_t)(i + 1);
    roster_rng_seek(&rng, 64 * t);
    return rng;
}

/* A word as a number in [0, 1): a multiple of 2^-53. */
static inline double roster_unit(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

#endif
