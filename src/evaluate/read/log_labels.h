/*
 * log_labels.h: labels of a log, numbered as they come.
 */
#ifndef ROSTER_LOG_LABELS_H
#define ROSTER_LOG_LABELS_H

#include "arena.h"
#include "name_table.h"

enum { LOG_NONE = 0x7fffffff, LOG_LABEL_LONGEST = 1000, LOG_RECENT = 1024 };

/* Starts as {0}. */
typedef struct log_labels {
    name_table table;
    common_arena arena;
    struct {
        uint64_t bytes; /* of a label of up to 8, 0: none */
        uint32_t number;
    } recent[LOG_RECENT]; /* found without hashing, as most are */
} log_labels;

void log_labels_free(log_labels *self);
/* The label's number, a new one if it was not seen; LOG_NONE: out of memory. */
uint32_t log_labels_add(log_labels *self, const char *text, size_t size);
/* LOG_NONE: it was not seen. */
uint32_t log_labels_find(const log_labels *self, const char *text, size_t size);
static inline size_t log_labels_count(const log_labels *self)
{
    return self->table.n;
}
static inline const char *log_labels_name(const log_labels *self, uint32_t number)
{
    return self->table.names[number];
}

#endif
