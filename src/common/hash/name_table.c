/*
 * name_table.c: from a name to its number: a hash table of numbers with linear probing, at most half full.
 *
 * Names are added only, so that no slot is ever freed. Names may come from outside: the hash has a key of its own in
 * every table, so that nobody can choose names that all go to one slot.
 *
 * Paper: none. Cost: one hash and as a rule one comparison to find a name; O(1) on average to add one.
 * Check: tests/unit/test_common.c: names_are_found.
 */
#include "name_table.h"

#include "grow.h"
#include "siphash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void name_table_free(name_table *self)
{
    free(self->names);
    free(self->slots);
    *self = (name_table){0};
}

/* Where the name is, or the free slot where it would be. */
static size_t probe(const name_table *self, const char *name, size_t size)
{
    uint64_t hash[2];
    siphash_bytes(self->key[0], self->key[1], name, size, hash);
    size_t i = (size_t)hash[0] & (self->n_slots - 1);
    while (self->slots[i] != 0) {
        const char *other = self->names[self->slots[i] - 1];
        if (strncmp(other, name, size) == 0 && other[size] == '\0')
            break;
        i = (i + 1) & (self->n_slots - 1);
    }
    return i;
}

bool name_table_reserve(name_table *self, size_t n)
{
    size_t n_slots = self->n_slots > 0 ? self->n_slots : 4;
    while (n_slots / 2 < n)
        n_slots *= 2;
    if (n_slots == self->n_slots)
        return true;
    if (!common_grow(&self->names, &self->room, n_slots / 2, sizeof *self->names))
        return false;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    if (self->n_slots == 0 && getentropy(self->key, sizeof self->key) != 0)
        self->key[0] = (uint64_t)(uintptr_t)slots; /* a kernel without random numbers: the address differs too */
    free(self->slots);
    self->slots = slots;
    self->n_slots = n_slots;
    for (size_t i = 0; i < self->n; i++)
        slots[probe(self, self->names[i], strlen(self->names[i]))] = (uint32_t)i + 1;
    return true;
}

bool name_table_add(name_table *self, const char *name)
{
    if (!name_table_reserve(self, self->n + 1))
        return false;
    self->names[self->n++] = name;
    self->slots[probe(self, name, strlen(name))] = (uint32_t)self->n;
    return true;
}

size_t name_table_find(const name_table *self, const char *name, size_t size)
{
    if (self->n == 0 || memchr(name, '\0', size) != NULL)
        return SIZE_MAX;
    uint32_t found = self->slots[probe(self, name, size)];
    return found != 0 ? found - 1 : SIZE_MAX;
}
