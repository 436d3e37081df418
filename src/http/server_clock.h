/*
 * server_clock.h: the time that campaigns follow. Pure: the wall clock and a clock that never jumps are arguments, all
 * in microseconds.
 */
#ifndef ROSTER_HTTP_CLOCK_H
#define ROSTER_HTTP_CLOCK_H

#include <stdint.h>

typedef struct server_time {
    int64_t base, since;    /* service time, and the steady clock's, when the wall clock was last compared           */
    int64_t behind;         /* what was missing to the wall clock then; negative: service time was ahead             */
    int64_t wall, compared; /* the wall clock and the steady one at that comparison                                  */
    uint64_t steps;         /* of the wall clock, so far                                                             */
} server_time;

/* Service time begins with the wall clock, or with the log's last time where that is later. */
void server_time_start(server_time *self, int64_t wall, int64_t steady, int64_t last);
/* Service time: since 1970, by the steady clock. Never goes back. */
int64_t server_time_now(const server_time *self, int64_t steady);
/* Compares, about once a second: a difference is taken over from now on, slowly. Returns by how much the wall clock was
   stepped since the last time, 0 where it ran as it should. */
int64_t server_time_compare(server_time *self, int64_t wall, int64_t steady);
/* Service time less the wall clock, as of the last comparison. */
int64_t server_time_offset(const server_time *self, int64_t steady);
/* Takes a difference over at once, if the wall clock is ahead. Returns by how much service time went on. */
int64_t server_time_adopt(server_time *self, int64_t wall, int64_t steady);

#endif
