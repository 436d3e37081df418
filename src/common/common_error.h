/*
 * common_error.h: one sentence about what is wrong. Everything in src/ that formats text into a buffer does it here.
 */
#ifndef ROSTER_COMMON_ERROR_H
#define ROSTER_COMMON_ERROR_H

#include <roster.h>

#include <stdarg.h>

/* Like vsnprintf: into out (may be NULL when size is 0), cut to size; returns the length the whole text has. */
size_t common_vformat(char *out, size_t size, const char *format, va_list args);
/* Fills *err (may be NULL) and returns the code. */
int common_fail(roster_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int common_vfail(roster_error *err, int code, const char *format, va_list args);
/* "out of memory", ROSTER_ENOMEM. */
int common_fail_memory(roster_error *err);

#endif
