/*
 * log_input.h: the bytes of a log: a file or standard input, plain or compressed by gzip, zstd or xz.
 */
#ifndef ROSTER_LOG_INPUT_H
#define ROSTER_LOG_INPUT_H

#include <roster.h>

typedef struct log_input log_input;

/* "-" is standard input. The sentence on failure names the file. */
int log_input_open(log_input **out, const char *path, roster_error *err);
void log_input_close(log_input *self);
/* The file's name in sentences. */
const char *log_input_title(const log_input *self);
/* Up to `size` bytes, uncompressed; fewer where the log ends or cannot be read on. A csv_source. */
size_t log_input_read(void *self, char *to, size_t size);
/* Why it cannot be read on, "cannot be read: No such file or directory"; NULL: it can, or has ended. */
const char *log_input_fault(const log_input *self);
/* The first bytes, which are read again later. */
const char *log_input_head(log_input *self, size_t *size);
/* Bytes of the file that are read, compressed as they are. */
uint64_t log_input_bytes(const log_input *self);

#endif
