/*
 * log_tally.h: a log as sums over equal events, from which the same values follow.
 */
#ifndef ROSTER_LOG_TALLY_H
#define ROSTER_LOG_TALLY_H

#include "log.h"

#include <stdio.h>

/* Reads the log to its end; groups in the order in which they come. *groups: how many. */
typedef struct log_tally log_tally;
int log_tally_read(log_tally **out, log_reader *log, roster_error *err);
void log_tally_free(log_tally *self);
size_t log_tally_groups(const log_tally *self);
double log_tally_events(const log_tally *self);
/* The smallest and the largest reward; of a tally's lines, the means of theirs. */
void log_tally_reward_range(const log_tally *self, double *least, double *most);
void log_tally_write(const log_tally *self, FILE *out);
/* The rows of a campaign's "warm_start": drop rates and policies, of which it knows nothing, are left out. */
void log_tally_write_json(const log_tally *self, FILE *out);

/* ---- the same inside of a database (log_sql.c) ---- */

extern const char *const log_sql_engines[]; /* ends with NULL */

typedef struct log_sql {
    int engine; /* place in log_sql_engines */
    const char *table;
    const log_wishes *columns;
} log_sql;

/* The query whose result, written as CSV with a header, is the tally. */
void log_sql_write(const log_sql *self, FILE *out);

#endif
