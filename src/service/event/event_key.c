/*
 * event_key.c: from an event's id to 128 bits, and from them to the numbers that select its expert and its action.
 *
 *   "#n", a number that the service gave out      (a, b) = (n, 0)
 *   an id that a client chose                     (a, b) = SipHash-2-4-128(id), top bit of b set,
 *                                                 key (draws, not draws)
 *   draws                                         the seed where the campaign's stream is "", else the first word of
 *                                                 SipHash-2-4-128(stream), key (seed, not seed)
 *   the event's block                             philox4x64(counter {a, b, 0, 0}, key {draws, ROSTER_ROLE_WORLD})
 *     word 1                                      selects the action
 *     word 3                                      selects the expert, where one is drawn
 *
 * With the stream "" a client's decimal id n has the block of "#n": round n of run 0 of a simulated world and event n
 * of a campaign with the same seed draw the same action. (Words 0 and 2 are the world's: context and reward.) Two ids
 * share 128 bits with a probability of 2^-127; they would then be one event.
 *
 * In roster 0.1 the key of a client's decimal id n was (n, 0). Such events are found by "n" as long as they are known.
 *
 * Tables place keys by SipHash-1-3 with a secret of the process: whoever knows the seed can make ids whose keys collide
 * in some bits, but not their places.
 *
 * Paper: none. SipHash: Aumasson and Bernstein (2012).
 * Cost: about 30 ns.
 * Check: the reference implementation's first output, a3817f04ba25a8e66df67214c7550293 for the key 00 01 .. 0f and no
 *        input (tests/unit/test_service_parts.c: siphash_vectors).
 */
#include "byte_order.h"
#include "service_internal.h"
#include "siphash.h"

#include <string.h>

/* A decimal number from 1 that has 64 bits, no leading zero. */
static bool is_number(const char *id, size_t size, uint64_t *n)
{
    if (size == 0 || size > 20 || id[0] == '0')
        return false;
    *n = 0;
    for (size_t i = 0; i < size; i++) {
        uint64_t digit = (uint64_t)(unsigned char)id[i] - '0';
        if (digit > 9 || *n > (UINT64_MAX - digit) / 10)
            return false;
        *n = 10 * *n + digit;
    }
    return true;
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

static service_key hash_id(uint64_t draws, const char *id, size_t size)
{
    uint64_t hash[2];
    service_siphash(draws, ~draws, id, size, hash);
    return (service_key){hash[0], hash[1] | UINT64_C(1) << 63};
}

service_code service_key_make(service_key *out, uint64_t draws, const char *id, size_t size, service_error *err)
{
    service_code code = check_id("event_id", id, size, err);
    if (code == SERVICE_OK)
        *out = hash_id(draws, id, size);
    return code;
}

uint64_t service_key_draws(uint64_t seed, const char *stream)
{
    uint64_t hash[2];
    service_siphash(seed, ~seed, stream, strlen(stream), hash);
    return stream[0] != '\0' ? hash[0] : seed;
}

/* An event of roster 0.1 that has this key. */
static service_event *find_first(const service_campaign *c, service_key key, int64_t now)
{
    service_event *event = service_event_find(c, key, now);
    return event != NULL && event->first ? event : NULL;
}

service_code service_key_find(const service_campaign *c, const char *id, size_t size, int64_t now, service_key *out,
                              service_event **event, service_error *err)
{
    service_key hash, number = {0, 0};
    service_code code = service_key_make(&hash, c->draws, id, size, err);
    if (code != SERVICE_OK)
        return code;
    bool issued = id[0] == '#', is_n = is_number(id + issued, size - issued, &number.a);
    *out = issued && is_n ? number : hash;
    *event = issued && !is_n ? NULL : service_event_find(c, *out, now);
    if (*event != NULL)
        return SERVICE_OK;
    service_key other = issued ? hash : number;
    *event = issued || is_n ? find_first(c, other, now) : NULL;
    if (*event != NULL)
        *out = other;
    else if (issued && !is_n)
        return service_fail(err, SERVICE_INVALID,
                            "event_id is %.*s, but only numbers that the service gave out begin with #",
                            (int)(size < 40 ? size : 40), id); /* not terminated */
    return SERVICE_OK;
}

service_code service_key_name(service_key *out, uint64_t draws, service_key event, const char *name, size_t size,
                              service_error *err)
{
    char both[sizeof event + SERVICE_ID_MOST];
    service_code code = check_id("reward_id", name, size, err);
    if (code != SERVICE_OK)
        return code;
    for (int i = 0; i < 8; i++) {
        both[i] = (char)(event.a >> 8 * i);
        both[8 + i] = (char)(event.b >> 8 * i);
    }
    memcpy(both + sizeof event, name, size);
    *out = hash_id(draws, both, sizeof event + size);
    return SERVICE_OK;
}

service_uniforms service_key_uniforms(service_key key, uint64_t draws)
{
    roster_rng rng;
    service_uniforms out;
    roster_rng_init(&rng, draws, key.b, ROSTER_ROLE_WORLD);
    roster_rng_seek(&rng, key.a);
    roster_rng_u64(&rng); /* the world's: it draws the context */
    out.action = roster_rng_uniform(&rng);
    roster_rng_u64(&rng); /* the world's: it draws the reward */
    out.expert = roster_rng_uniform(&rng);
    return out;
}

service_key service_key_block(const service_campaign *c, service_key key, const char *id, size_t size)
{
    uint64_t n;
    return key.b != 0 && c->draws == c->seed && is_number(id, size, &n) ? (service_key){n, 0} : key;
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
        sip_take(v, byte_order_get(bytes + i, 8));
    sip_take(v, (uint64_t)size << 56 | byte_order_get(bytes + i, size - i));
    v[2] ^= 0xee;
    sip_rounds(v, 4);
    out[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    sip_rounds(v, 4);
    out[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t service_key_place(service_key key, const uint64_t secret[2])
{
    uint64_t v[4] = {secret[0] ^ UINT64_C(0x736f6d6570736575), secret[1] ^ UINT64_C(0x646f72616e646f6d),
                     secret[0] ^ UINT64_C(0x6c7967656e657261), secret[1] ^ UINT64_C(0x7465646279746573)};
    v[3] ^= key.a;
    sip_round(v);
    v[0] ^= key.a;
    v[3] ^= key.b;
    sip_round(v);
    v[0] ^= key.b;
    v[2] ^= 0xff;
    sip_rounds(v, 3);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
