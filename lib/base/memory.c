/*
 * memory.c: allocation with the overflow checks written once.
 *
 * All of the library's memory comes from here, through calloc and realloc, which the tests make fail in turn.
 */
#include "base.h"

#include <stdlib.h>
#include <string.h>

size_t roster_times(size_t n, size_t m)
{
    return m > 0 && n > SIZE_MAX / m ? SIZE_MAX : n * m;
}

size_t roster_plus(size_t n, size_t m)
{
    return n > SIZE_MAX - m ? SIZE_MAX : n + m;
}

void *roster_alloc(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

int roster_grow(void **array, size_t *capacity, size_t used, size_t more, size_t size)
{
    if (more <= *capacity - used)
        return ROSTER_OK;
    if (more > SIZE_MAX - used)
        return ROSTER_ENOMEM;
    size_t need = used + more, room = *capacity < 8 ? 8 : *capacity;
    while (room < need)
        room = room > SIZE_MAX / 2 ? need : room * 2;
    if (room > SIZE_MAX / size)
        return ROSTER_ENOMEM;
    void *moved = realloc(*array, room * size);
    if (moved == NULL)
        return ROSTER_ENOMEM;
    *array = moved;
    *capacity = room;
    return ROSTER_OK;
}

void *roster_copy(const void *from, size_t count, size_t size)
{
    void *copy = roster_alloc(count, size);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}
