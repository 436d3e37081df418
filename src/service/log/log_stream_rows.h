/*
 * log_stream_rows.h: rows of the log in memory, as log_stream.c looks at them.
 */
#ifndef ROSTER_SERVICE_STREAM_ROWS_H
#define ROSTER_SERVICE_STREAM_ROWS_H

#include "service_internal.h"

/* A copy of a row, and where its records begin. */
typedef struct service_page {
    unsigned char *bytes; /* owned */
    size_t *starts;       /* owned, [count] */
    uint64_t from;        /* numbers from here to `first` are in no row */
    uint64_t first, count;
    size_t size;
    uint64_t used; /* when it was last found */
} service_page;

/* A record of which a part was streamed, so many of its closings; record 0: there is none. */
typedef struct service_inside {
    uint64_t record;
    size_t done;
} service_inside;

service_inside *service_rows_inside(service_rows *self);

/* The page of the row that holds the record, or the first after it; NULL: it is not there, *past_end says whether the
   log ended before it. `current`: it is the one being streamed, which stays until another is. */
const service_page *service_rows_find(service_rows *self, uint64_t number, bool current, bool *past_end);

#endif
