/*
 * csv_writer.h: fields of CSV (RFC 4180).
 */
#ifndef ROSTER_CSV_WRITER_H
#define ROSTER_CSV_WRITER_H

#include <stdio.h>

/* The text as one field, in quotes where it needs them. */
void csv_put_field(FILE *out, const char *text);

#endif
