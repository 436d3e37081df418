/*
 * log_lines.c: a log line by line, of any length up to LONGEST.
 *
 * Paper: none. Cost: a copy of every byte; memory for the longest line.
 * Check: tests/cli/evaluate.t, tests/fuzz/fuzz_log.c.
 */
#include "read_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, LONGEST = 16 << 20 };

void log_lines_begin(log_reader *self)
{
    common_text_clear(&self->line);
    self->line_at = self->line_end = 0;
    self->line_ended = false;
    self->line_number = 0;
}

/* More bytes behind those that are there; false: there is no memory. */
static bool read_block(log_reader *self)
{
    common_text *t = &self->line;
    if (self->line_at > 0) {
        memmove(t->data, t->data + self->line_at, t->used - self->line_at);
        t->used -= self->line_at;
        self->line_at = 0;
    }
    if (!common_text_reserve(t, BLOCK))
        return false;
    size_t n = log_input_read(self->input, t->data + t->used, BLOCK);
    t->used += n;
    self->line_ended = n < BLOCK;
    return true;
}

/* The rest of a line that is too long. */
static log_status pass_over(log_reader *self)
{
    const char *end = NULL;
    while (end == NULL && !self->line_ended) {
        self->line_at = self->line.used;
        if (!read_block(self))
            return LOG_FAILED;
        end = memchr(self->line.data, '\n', self->line.used);
    }
    self->line_at = end != NULL ? (size_t)(end - self->line.data) + 1 : self->line.used;
    return log_damage_at(self, "is longer than %d bytes", LONGEST);
}

log_status log_line_next(log_reader *self, char **line, size_t *size)
{
    size_t seen = 0;
    char *end = NULL;
    for (;;) {
        size_t left = self->line.used - self->line_at;
        if (left > seen)
            end = memchr(self->line.data + self->line_at + seen, '\n', left - seen);
        if (end != NULL || self->line_ended)
            break;
        seen = left;
        if (!read_block(self))
            return LOG_FAILED;
        if (seen > LONGEST) {
            self->line_number++;
            return pass_over(self);
        }
    }
    if (log_input_fault(self->input) != NULL)
        return LOG_FAILED;
    if (end == NULL && self->line.used == self->line_at)
        return LOG_END;
    *line = self->line.data + self->line_at;
    *size = end != NULL ? (size_t)(end - *line) : self->line.used - self->line_at;
    self->line_at += *size + (end != NULL);
    *size -= *size > 0 && (*line)[*size - 1] == '\r';
    (*line)[*size] = '\0';
    self->line_number++;
    return LOG_EVENT;
}
