/*
 * rng.c: streams of random numbers that are addressed, not stepped.
 *
 * Paper: none. The generator is Philox4x64-10 of Salmon, Moraes, Dror and Shaw: Parallel random numbers, as easy
 * as 1, 2, 3 (2011), in the implementation of Random123.
 *
 *   block b of the stream (seed, run, role) = philox4x64(counter {b, run, 0, 0}, key {seed, role})
 *   number 4b + i of the stream             = word i of block b, i = 0..3
 *   uniform                                 = floor(u64 / 2^11) 2^-53
 *   below n                                 = floor(u64 n / 2^64), drawn again while (u64 n mod 2^64) < 2^64 mod n;
 *                                             then every result has equally many u64 (Lemire 2019)
 *
 * Different (seed, run, role) are different inputs of a bijection, so no two streams share a block.
 *
 * Cost: ten rounds of two multiplications for four numbers; seeking is free.
 * Departs: nothing.
 * Check: the first four numbers of (0, 0, 0) are 16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b
 * (tests/unit/test_rng.c: known_answers).
 */
#include "rng.h"

__extension__ typedef unsigned __int128 u128;

void roster_rng_init(roster_rng *rng, uint64_t seed, uint64_t run, uint64_t role)
{
    *rng = (roster_rng){.key = {seed, role}, .run = run};
}

void roster_rng_seek(roster_rng *rng, uint64_t b)
{
    rng->block = b;
    rng->left = 0;
}

uint64_t roster_rng_u64(roster_rng *rng)
{
    if (rng->left == 0) {
        roster_rng_block(rng, rng->block++, rng->word);
        rng->left = 4;
    }
    return rng->word[4 - rng->left--];
}

double roster_rng_uniform(roster_rng *rng)
{
    return roster_unit(roster_rng_u64(rng));
}

uint64_t roster_rng_below(roster_rng *rng, uint64_t n)
{
    if (n == 0)
        return 0;
    u128 product = (u128)roster_rng_u64(rng) * n;
    /* 2^64 mod n < n: the division is needed only where the low half might be below it. */
    if ((uint64_t)product < n) {
        uint64_t surplus = (0 - n) % n;
        while ((uint64_t)product < surplus)
            product = (u128)roster_rng_u64(rng) * n;
    }
    return (uint64_t)(product >> 64);
}
