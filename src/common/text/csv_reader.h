/*
 * csv_reader.h: records of a CSV file (RFC 4180), one after the other, of a file of any size in fixed memory.
 */
#ifndef ROSTER_CSV_READER_H
#define ROSTER_CSV_READER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the longest record that is read; the fuzzer sets it lower, to get there with short files. */
#ifndef CSV_LONGEST
#define CSV_LONGEST 65536
#endif

typedef enum csv_status {
    CSV_RECORD,  /* fields are there                                                            */
    CSV_DAMAGED, /* reason says why; the next record is looked for in the line after this one   */
    CSV_END,     /* no more records                                                             */
    CSV_FAILED   /* the stream could not be read; errno says why                                */
} csv_status;

typedef struct csv_reader csv_reader;

/* Up to `size` bytes of a stream into `to`; fewer: it ends there, or failed, which only the caller of csv_next can tell
   apart. */
typedef size_t (*csv_source)(void *stream, char *to, size_t size);

/* A record, valid until the next one is read. */
typedef struct csv_record {
    uint64_t line;             /* on which it begins, from 1                            */
    size_t n;                  /* fields                                                */
    const char *const *fields; /* [n + 1]: valid UTF-8 without NUL, quotes taken off; each ends with a NUL, one byte
                                  before the next begins                                */
    const char *reason;        /* of CSV_DAMAGED: "has a NUL byte", for people          */
} csv_record;

/* A reader of a stream, which is borrowed; NULL: out of memory. */
csv_reader *csv_create(FILE *stream);
/* The same of what a function gives, with another byte than a comma between fields. */
csv_reader *csv_create_from(csv_source source, void *stream, char separator);
void csv_free(csv_reader *self);
csv_status csv_next(csv_reader *self, csv_record *record);
/* Bytes of the i-th field. */
static inline size_t csv_length(const csv_record *record, size_t i)
{
    return (size_t)(record->fields[i + 1] - record->fields[i]) - 1;
}
/* Bytes used up so far. */
uint64_t csv_bytes(const csv_reader *self);

#endif
