/*
 * log_labels.c: labels and their numbers.
 *
 * Paper: none. Cost: O(1) per label; memory for those that differ.
 * Check: tests/unit/test_log_input.c: labels_are_numbered.
 */
#include "log_labels.h"

#include <string.h>

void log_labels_free(log_labels *self)
{
    name_table_free(&self->table);
    common_arena_free(&self->arena);
}

uint32_t log_labels_find(const log_labels *self, const char *text, size_t size)
{
    size_t found = name_table_find(&self->table, text, size);
    return found == SIZE_MAX ? LOG_NONE : (uint32_t)found;
}

static uint32_t find_or_add(log_labels *self, const char *text, size_t size)
{
    uint32_t found = log_labels_find(self, text, size);
    if (found != LOG_NONE)
        return found;
    const char *copy = self->table.n < LOG_NONE ? common_arena_bytes(&self->arena, text, size) : NULL;
    return copy != NULL && name_table_add(&self->table, copy) ? (uint32_t)self->table.n - 1 : LOG_NONE;
}

uint32_t log_labels_add(log_labels *self, const char *text, size_t size)
{
    uint64_t bytes = 0;
    if (size == 0 || size > sizeof bytes)
        return find_or_add(self, text, size);
    memcpy(&bytes, text, size);
    uint64_t h = bytes * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(h >> 32) % LOG_RECENT;
    if (self->recent[at].bytes == bytes)
        return self->recent[at].number;
    uint32_t number = find_or_add(self, text, size);
    if (number != LOG_NONE) {
        self->recent[at].bytes = bytes;
        self->recent[at].number = number;
    }
    return number;
}
