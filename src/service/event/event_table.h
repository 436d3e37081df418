/*
 * event_table.h: event ids as keys, and the tables of events and of keys.
 */
#ifndef ROSTER_SERVICE_TABLE_H
#define ROSTER_SERVICE_TABLE_H

#include "service.h"
#include "siphash.h"

/* ---- event_key.c: event ids ---- */

/* 128 bits that stand for an id: (n, 0) for a number n that the service gave out, else a hash with the top bit of b
   set. */
typedef struct service_key {
    uint64_t a, b;
} service_key;

/* In b of a key that was erased; a and the lower bits tell such keys apart. */
#define SERVICE_ERASED (UINT64_C(1) << 62)
static inline bool service_key_is_erased(service_key key)
{
    return key.b >> 62 == 1;
}

/* What the campaign's ids and random numbers are keyed by. */
uint64_t service_key_draws(uint64_t seed, const char *stream);
/* Of an id that a client chose. */
service_code service_key_make(service_key *out, uint64_t draws, const char *id, size_t size, service_error *err);
static inline bool service_key_equal(service_key x, service_key y)
{
    return x.a == y.a && x.b == y.b;
}
/* The 128 bits of a reward with a name: of an event's key and the name together. */
service_code service_key_name(service_key *out, uint64_t draws, service_key event, const char *name, size_t size,
                              service_error *err);
/* The uniform numbers that select an event's expert and action. */
typedef struct service_uniforms {
    double expert, action;
} service_uniforms;
service_uniforms service_key_uniforms(service_key block, uint64_t draws);
/* Where tables place a key. With a secret of the process: whoever knows the seed can make ids whose keys collide in
   some bits, but not their places. */
static inline uint64_t service_key_place(service_key key, const uint64_t secret[2])
{
    return siphash_pair(secret, key.a, key.b);
}

/* ---- event_table.c: the events of a campaign that are open or remembered ---- */

typedef struct service_event {
    service_key key;
    uint64_t decision; /* number of its record */
    int64_t at;
    double propensity, raw; /* raw: rewards so far, combined; NAN: none */
    uint32_t expert, action, context, episode;
    uint8_t how;
    uint8_t settled; /* it was learnt, or its window ended: nothing more can come of it */
    uint8_t rewarded;
    uint8_t first; /* decided by roster 0.1 */
    uint8_t waits; /* its expert was chosen; what it did is not known yet */
} service_event;

typedef struct service_segment service_segment;

/* In the order of decisions: [tail, head) settled for certain, [head, end) open or not; numbers count from 0 ever. */
typedef struct service_table {
    unsigned char **chunks; /* owned, [n_chunks]: 16 events each, an event followed by its numbers: features; or each
                               expert's probability of the action, and which record says what a chosen expert did  */
    unsigned char *spare;   /* owned: a chunk that waits to be used again; NULL: none                               */
    service_segment **segments; /* owned, [2^depth]: the index by key; the same one several times                  */
    size_t n_chunks, width;     /* width: numbers of an event                                                      */
    unsigned depth;
    uint32_t due;   /* hash of the key whose segment may be more than half full */
    uint64_t bytes; /* of memory that chunks and segments take                   */
    uint64_t tail, head, end;
    uint64_t secret[2]; /* of service_key_place */
} service_table;

void service_table_free(service_table *self);
service_event *service_table_at(const service_table *self, uint64_t i);
double *service_table_numbers(const service_table *self, const service_event *event);
service_event *service_table_find(const service_table *self, service_key key);
/* Where it is, counted from the oldest; UINT64_MAX: nowhere. */
uint64_t service_table_place(const service_table *self, service_key key);
/* Event number i gets a key by which it is not found. */
void service_table_rename(service_table *self, uint64_t i, service_key key);
/* Room for one more. */
bool service_table_reserve(service_table *self);
/* One more at the end; there is room. */
service_event *service_table_push(service_table *self, service_key key);
/* Forgets the oldest, which must be before head. */
void service_table_drop(service_table *self);

/* ---- event_forgotten.c: ids that were decided and are no longer known ---- */

enum { SERVICE_FORGOTTEN = 65536 }; /* at least so many of the last ones are kept, at most twice as many */

/* A set of keys in the order in which they came. */
typedef struct service_keys {
    service_key *keys; /* owned, [room]                                                        */
    uint32_t *slots;   /* owned, [2 room]: place in keys + 1, 0: free; by key, linear probing   */
    size_t n, room;
} service_keys;

typedef struct service_forgotten {
    service_keys young, old; /* when the young are SERVICE_FORGOTTEN they become the old, and the old go */
    uint64_t secret[2];
} service_forgotten;

void service_forgotten_free(service_forgotten *self);
/* Room for n more. */
bool service_forgotten_reserve(service_forgotten *self, uint64_t n);
/* One more; there is room. */
void service_forgotten_add(service_forgotten *self, service_key key);
/* Of memory. */
uint64_t service_forgotten_bytes(const service_forgotten *self);
bool service_forgotten_has(const service_forgotten *self, service_key key);
/* Where the key is in the set; UINT64_MAX: nowhere. */
uint64_t service_keys_place(const service_keys *self, const uint64_t secret[2], service_key key);
/* Another key in its place, which is not in the set. */
void service_keys_replace(service_keys *self, const uint64_t secret[2], size_t place, service_key key);

#endif
