/*
 * lines.h: the lines of a text file, plain or packed by xz, one at a time.
 */
#ifndef ROSTER_DATA_LINES_H
#define ROSTER_DATA_LINES_H

#include <roster.h>

#include <stdio.h>

enum { LINES_LONGEST = 1000 };

typedef struct lines lines;

/* file and name (which sentences begin with) are borrowed. */
int lines_create(lines **out, FILE *file, const char *name, bool packed, roster_error *err);
void lines_free(lines *self);
/* The next line, without its end; NULL in *text after the last. It may be written to, and lasts until the next call. */
int lines_next(lines *self, char **text, roster_error *err);
/* Of the line that was given last; the first is 1. */
size_t lines_number(const lines *self);
/* "NAME:NUMBER: " and a sentence about the line that was given last. */
int lines_fail(const lines *self, roster_error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
