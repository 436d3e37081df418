/*
 * event_forgotten.c: the ids that clients chose, of events that are no longer known: so that one which is decided anew
 * can be told from one that is new.
 *
 * Two sets of keys: those that were forgotten last, and those before them. When the first has SERVICE_FORGOTTEN keys it
 * becomes the second, whose keys go. Nothing is ever taken out of a set; a key that is erased is replaced.
 *
 * Paper: none.
 * Cost: 24 bytes per key, up to 3 MB per campaign; nothing is allocated while events are forgotten, but when they are
 *       decided.
 * Check: tests/unit/test_service_ids.c.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

static void free_keys(service_keys *self)
{
    free(self->keys);
    free(self->slots);
    *self = (service_keys){0};
}

void service_forgotten_free(service_forgotten *self)
{
    free_keys(&self->young);
    free_keys(&self->old);
}

/* Where the key is, or the free slot where it would be. */
static size_t probe(const service_keys *self, const uint64_t secret[2], service_key key)
{
    size_t mask = 2 * self->room - 1, i = (size_t)service_key_place(key, secret) & mask;
    while (self->slots[i] != 0 && !service_key_equal(self->keys[self->slots[i] - 1], key))
        i = (i + 1) & mask;
    return i;
}

static bool has(const service_keys *self, const uint64_t secret[2], service_key key)
{
    return self->n > 0 && self->slots[probe(self, secret, key)] != 0;
}

/* Room for `room` keys in all. */
static bool reserve(service_keys *self, const uint64_t secret[2], uint64_t room)
{
    service_keys more = {.n = self->n, .room = self->room > 0 ? self->room : FIRST_ROOM};
    while (more.room < room)
        more.room *= 2;
    if (more.room == self->room)
        return true;
    more.keys = calloc(more.room, sizeof *more.keys);
    more.slots = calloc(2 * more.room, sizeof *more.slots);
    if (more.keys == NULL || more.slots == NULL) {
        free_keys(&more);
        return false;
    }
    for (size_t i = 0; i < self->n; i++) {
        more.keys[i] = self->keys[i];
        more.slots[probe(&more, secret, self->keys[i])] = (uint32_t)i + 1;
    }
    free_keys(self);
    *self = more;
    return true;
}

bool service_forgotten_reserve(service_forgotten *self, uint64_t n)
{
    uint64_t all = self->young.n + n, most = SERVICE_FORGOTTEN;
    bool fits = reserve(&self->young, self->secret, all < most ? all : most);
    return fits && (all <= most || reserve(&self->old, self->secret, n < most ? n : most));
}

void service_forgotten_add(service_forgotten *self, service_key key)
{
    if (has(&self->young, self->secret, key))
        return;
    if (self->young.n >= SERVICE_FORGOTTEN) {
        service_keys young = self->old;
        self->old = self->young;
        self->young = young;
        self->young.n = 0;
        memset(self->young.slots, 0, 2 * self->young.room * sizeof *self->young.slots);
    }
    self->young.keys[self->young.n++] = key;
    self->young.slots[probe(&self->young, self->secret, key)] = (uint32_t)self->young.n;
}

bool service_forgotten_has(const service_forgotten *self, service_key key)
{
    return has(&self->young, self->secret, key) || has(&self->old, self->secret, key);
}

uint64_t service_forgotten_bytes(const service_forgotten *self)
{
    return (self->young.room + self->old.room) * (sizeof(service_key) + 2 * sizeof(uint32_t));
}

uint64_t service_keys_place(const service_keys *self, const uint64_t secret[2], service_key key)
{
    return has(self, secret, key) ? self->slots[probe(self, secret, key)] - 1 : UINT64_MAX;
}

void service_keys_replace(service_keys *self, const uint64_t secret[2], size_t place, service_key key)
{
    self->keys[place] = key;
    memset(self->slots, 0, 2 * self->room * sizeof *self->slots);
    for (size_t i = 0; i < self->n; i++)
        self->slots[probe(self, secret, self->keys[i])] = (uint32_t)i + 1;
}
