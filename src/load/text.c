/*
 * text.c: text that grows, sentences, the clock.
 *
 * Paper: none.
 */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

bool drive_text_reserve(drive_text *self, size_t more)
{
    if (!self->failed && self->used + more + 1 > self->room) {
        size_t room = 2 * self->room + more + 256;
        char *data = realloc(self->data, room);
        self->failed = data == NULL;
        self->data = data != NULL ? data : self->data;
        self->room = data != NULL ? room : self->room;
    }
    return !self->failed;
}

void drive_put(drive_text *self, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && drive_text_reserve(self, (size_t)n)) {
        vsnprintf(self->data + self->used, (size_t)n + 1, format, again);
        self->used += (size_t)n;
    }
    va_end(again);
}

void drive_text_free(drive_text *self)
{
    free(self->data);
    *self = (drive_text){0};
}

int drive_fail(roster_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    err->code = ROSTER_EINVAL;
    vsnprintf(err->msg, sizeof err->msg, format, args);
    va_end(args);
    return ROSTER_EINVAL;
}

double drive_now(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
