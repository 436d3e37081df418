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

/* A word as a number in [0, 1): a multiple of 2^-53. */
static inline double roster_unit(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

#endif
