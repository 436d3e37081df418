/*
 * failing_memory.h: allocations that can be made to fail, for executables that are linked with --wrap=malloc,
 * --wrap=calloc, --wrap=realloc or some of these (tests/meson.build). Included by one file of an executable.
 */
#ifndef ROSTER_FAILING_MEMORY_H
#define ROSTER_FAILING_MEMORY_H

#include <stddef.h>

/* Weak, since those that are not wrapped are not there. */
void *__real_malloc(size_t size) __attribute__((weak));
void *__real_calloc(size_t count, size_t size) __attribute__((weak));
void *__real_realloc(void *old, size_t size) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static size_t asked, fail_at; /* allocations so far; which one fails, 0: none */

void *__wrap_malloc(size_t size)
{
    return ++asked == fail_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return ++asked == fail_at ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++asked == fail_at ? NULL : __real_realloc(old, size);
}

#endif
