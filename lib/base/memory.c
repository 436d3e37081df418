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

/* *array, a pointer of any type, is moved to where it has room for `count` elements. */
static int move_array(void *array, size_t count, size_t size)
{
    void *old;
    memcpy(&old, array, sizeof old);
    void *moved = count <= SIZE_MAX / size ? realloc(old, count * size) : NULL;
    if (moved == NULL)
        return ROSTER_ENOMEM;
    memcpy(array, &moved, sizeof moved);
    return ROSTER_OK;
}

int roster_grow(void *array, size_t *capacity, size_t used, size_t more, size_t size)
{
    if (more <= *capacity - used)
        return ROSTER_OK;
    if (more > SIZE_MAX - used)
        return ROSTER_ENOMEM;
    size_t need = used + more, room = *capacity < 8 ? 8 : *capacity;
    while (room < need)
        room = room > SIZE_MAX / 2 ? need : room * 2;
    int code = move_array(array, room, size);
    *capacity = code == ROSTER_OK ? room : *capacity;
    return code;
}

int roster_extend(void *array, size_t from, size_t to, size_t size)
{
    if (move_array(array, to, size) != ROSTER_OK)
        return ROSTER_ENOMEM;
    unsigned char *start;
    memcpy(&start, array, sizeof start);
    memset(start + from * size, 0, (to - from) * size);
    return ROSTER_OK;
}

void *roster_copy(const void *from, size_t count, size_t size)
{
    void *copy = roster_alloc(count, size);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}
