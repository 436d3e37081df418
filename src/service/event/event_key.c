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
 * Paper: none.
 * Cost: about 30 ns.
 * Check: tests/unit/test_service_parts.c: ids_are_hashed.
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

static service_key hash_id(uint64_t draws, const void *id, size_t size)
{
    uint64_t hash[2];
    siphash_bytes(draws, ~draws, id, size, hash);
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
    siphash_bytes(seed, ~seed, stream, strlen(stream), hash);
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
    unsigned char both[sizeof event + SERVICE_ID_MOST];
    service_code code = check_id("reward_id", name, size, err);
    if (code != SERVICE_OK)
        return code;
    byte_order_put(both, event.a, 8);
    byte_order_put(both + 8, event.b, 8);
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
