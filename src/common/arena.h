/*
 * arena.h: memory that is freed together.
 */
#ifndef ROSTER_ARENA_H
#define ROSTER_ARENA_H

#include <stddef.h>

/* Starts as {0}. */
typedef struct common_arena {
    struct common_block *last; /* owned, with all before it */
} common_arena;

/* count zeroed elements, NULL if they cannot be had; count 0 gives a valid pointer. */
void *common_arena_take(common_arena *self, size_t count, size_t size);
/* Copies; NULL: out of memory. Bytes get a NUL behind them. */
const char *common_arena_bytes(common_arena *self, const char *bytes, size_t size);
const char *common_arena_text(common_arena *self, const char *text);
void common_arena_free(common_arena *self);

#endif
