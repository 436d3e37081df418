/*
 * grow.h: arrays that grow.
 */
#ifndef ROSTER_GROW_H
#define ROSTER_GROW_H

#include <stdbool.h>
#include <stddef.h>

bool common_grow_to(void *array, size_t *room, size_t n, size_t size);

/* Room for n elements of `size` bytes in *array, a pointer of any type to what malloc gave or to NULL, which has room
   for *room. False: there is no memory, and both are as they were. */
static inline bool common_grow(void *array, size_t *room, size_t n, size_t size)
{
    return n <= *room || common_grow_to(array, room, n, size);
}

#endif
