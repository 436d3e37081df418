/*
 * name_table.h: from a name to its number.
 */
#ifndef ROSTER_NAME_TABLE_H
#define ROSTER_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. */
typedef struct name_table {
    const char **names; /* owned, [n]; each borrowed: they are there as long as the table */
    size_t n, room;
    uint32_t *slots; /* owned, [n_slots]: number + 1 of the name that stands there, 0: free */
    size_t n_slots;  /* a power of 2, at least 2 n */
    uint64_t key[2]; /* of the hash: names that were chosen to collide do not */
} name_table;

void name_table_free(name_table *self);
/* Room for n names; false: out of memory, and nothing has changed. */
bool name_table_reserve(name_table *self, size_t n);
/* The name gets the number self->n, and is what its equals stand for from now on; false: out of memory. */
bool name_table_add(name_table *self, const char *name);
/* The number of the name with these bytes, SIZE_MAX where there is none. */
size_t name_table_find(const name_table *self, const char *name, size_t size);

#endif
