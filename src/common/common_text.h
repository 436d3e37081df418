/*
 * common_text.h: text that grows. Once memory is out `failed` is set and nothing more is added, so that a caller asks
 * once, at the end.
 */
#ifndef ROSTER_COMMON_TEXT_H
#define ROSTER_COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. */
typedef struct common_text {
    char *data; /* owned, NUL-terminated when not NULL */
    size_t used, room;
    bool failed;
} common_text;

void common_text_free(common_text *self);
/* Empties it; what was allocated stays. */
void common_text_clear(common_text *self);
/* Room for `more` bytes and a NUL behind what is used; false: out of memory. */
bool common_text_reserve(common_text *self, size_t more);

void common_put(common_text *self, const char *bytes, size_t size);
void common_put_text(common_text *self, const char *text);
void common_put_format(common_text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON string, in quotes. */
void common_put_string(common_text *self, const char *text);
void common_put_count(common_text *self, uint64_t count);
/* A JSON number that reads back as the same double, short where it is a short decimal; null where it is not finite. */
void common_put_number(common_text *self, double number);
/* Microseconds since 1970 as "2026-01-31T23:59:59.000000Z", in quotes. */
void common_put_time(common_text *self, int64_t at);

#endif
