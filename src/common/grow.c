/*
 * grow.c: arrays that grow.
 *
 * Room at least doubles, so that adding an element costs O(1) on average; a first allocation has FIRST bytes, so that
 * the first few do not allocate again and again.
 *
 * Paper: none. Cost: the common case is a comparison, in the caller.
 * Check: tests/unit/test_common.c: arrays_grow.
 */
#include "grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 256 };

bool common_grow_to(void *array, size_t *room, size_t n, size_t size)
{
    size_t more = n <= SIZE_MAX - *room ? n + *room : n;
    more = more < FIRST / size ? FIRST / size : more;
    if (more > SIZE_MAX / size)
        return false;
    void *now;
    memcpy(&now, array, sizeof now); /* a pointer of another type may not be read as one to void */
    now = realloc(now, more * size);
    if (now == NULL)
        return false;
    memcpy(array, &now, sizeof now);
    *room = more;
    return true;
}
