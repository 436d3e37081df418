/*
 * sample_log.h: logs of what experts did, as CSV, summed up into counts.
 */
#ifndef ROSTER_SAMPLE_LOG_H
#define ROSTER_SAMPLE_LOG_H

#include "cli.h"
#include "counts.h"

typedef struct log_lines {
    uint64_t all, damaged; /* without headers and empty lines */
} log_lines;

/* Reads all files of the call ("-": standard input). The first damaged lines are shown on stderr, all are counted and
   left out. An exit code; where it is not 0 a sentence was printed. */
int log_read(const cli_call *call, counts *into, log_lines *lines);

#endif
