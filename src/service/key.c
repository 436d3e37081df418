/*
 * key.c: from an event's id to 128 bits, and from them to the number that selects its action.
 *
 *   a decimal number n, 1 <= n < 2^63, no leading zero      (a, b) = (n, 0)
 *   any other id                                            (a, b) = SipHash-2-4-128(id), top bit of b set,
 *                                                           key (seed, not seed)
 *   u = word 1 of the block philox4x64(counter {a, b, 0, 0}, key {seed, ROSTER_ROLE_WORLD}), as a number in [0, 1)
 *
 * So round n of run 0 of a simulated world and event n of a campaign with the same seed draw the same action. Two ids
 * share 128 bits with a probability of 2^-127; they would then be one event.
 *
 * Paper: none. SipHash: Aumasson and Bernstein (2012).
 * Cost: about 30 ns.
 * Check: the reference implementation's first output, a3817f04ba25a8e66df67214c7550293 for the key 00 01 .. 0f and no
 *        input (tests/unit/test_service_key.c: siphash_vectors).
 */
#include "engine.h"
#include "siphash.h"

#include <string.h>

static bool is_number(const char *id, size_t size, uint64_t *n)
{
    if (size == 0 || size > 19 || id[0] == '0')
        return false;
    *n = 0;
    for (size_t i = 0; i < size; i++) {
        if (id[i] < '0' || id[i] > '9')
            return false;
        *n = 10 * *n + (uint64_t)(id[i] - '0');
    }
    return *n <= INT64_MAX;
}

static service_code check_id(const char *what, const char *id, size_t size, service_error *err)
{
    if (size == 0 || size > SERVICE_ID_MOST)
        return service_fail(err, SERVICE_INVALID, "%s has %zu bytes, must have 1 to %d", what, size, SERVICE_ID_MOST);
    for (size_t i = 0; i < size; i++)
        if (id[i] <= ' ' || id[i] > '~')
            return service_fail(err, SERVICE_INVALID, "%s has byte %d at %zu, must be printable ASCII, no space", what,
                                (unsigned char)id[i], i);
    return SERVICE_OK;
}

service_code service_key_make(service_key *out, uint64_t seed, const char *id, size_t size, service_error *err)
{
    service_code code = check_id("event_id", id, size, err);
    if (code != SERVICE_OK)
        return code;
    if (is_number(id, size, &out->a)) {
        out->b = 0;
        return SERVICE_OK;
    }
    uint64_t hash[2];
    service_siphash(seed, ~seed, id, size, hash);
    *out = (service_key){hash[0], hash[1] | UINT64_C(1) << 63};
    return SERVICE_OK;
}

service_code service_key_name(service_key *out, uint64_t seed, service_key event, const char *name, size_t size,
                              service_error *err)
{
    char both[sizeof event + SERVICE_ID_MOST];
    uint64_t hash[2];
    service_code code = check_id("reward_id", name, size, err);
    if (code != SERVICE_OK)
        return code;
    for (int i = 0; i < 8; i++) {
        both[i] = (char)(event.a >> 8 * i);
        both[8 + i] = (char)(event.b >> 8 * i);
    }
    memcpy(both + sizeof event, name, size);
    service_siphash(seed, ~seed, both, sizeof event + size, hash);
    *out = (service_key){hash[0], hash[1] | UINT64_C(1) << 63};
    return SERVICE_OK;
}

double service_key_uniform(service_key key, uint64_t seed)
{
    roster_rng rng;
    roster_rng_init(&rng, seed, key.b, ROSTER_ROLE_WORLD);
    roster_rng_seek(&rng, key.a);
    roster_rng_u64(&rng); /* the world's: it draws the context */
    return roster_rng_uniform(&rng);
}

static uint64_t rotl(uint64_t x, int b)
{
    return x << b | x >> (64 - b);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotl(v[1], 13) ^ v[0];
    v[0] = rotl(v[0], 32);
    v[2] += v[3];
    v[3] = rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotl(v[1], 17) ^ v[2];
    v[2] = rotl(v[2], 32);
}

static void sip_rounds(uint64_t v[4], int n)
{
    for (int i = 0; i < n; i++)
        sip_round(v);
}

static uint64_t word_at(const unsigned char *bytes, size_t n)
{
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static void sip_take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_rounds(v, 2);
    v[0] ^= word;
}

void service_siphash(uint64_t k0, uint64_t k1, const void *data, size_t size, uint64_t out[2])
{
    const unsigned char *bytes = data;
    uint64_t v[4] = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                     k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
        sip_take(v, word_at(bytes + i, 8));
    sip_take(v, (uint64_t)size << 56 | word_at(bytes + i, size - i));
    v[2] ^= 0xee;
    sip_rounds(v, 4);
    out[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    sip_rounds(v, 4);
    out[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}
