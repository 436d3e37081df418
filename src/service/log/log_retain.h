/*
 * log_retain.h: how long a campaign's records are kept.
 */
#ifndef ROSTER_SERVICE_RETAIN_H
#define ROSTER_SERVICE_RETAIN_H

#include "json_node.h"

enum { SERVICE_MARKS = 32 };

/* What is kept of a campaign's records; both 0: all of them. */
typedef struct service_retain {
    int64_t time;                             /* microseconds */
    uint64_t events;                          /* decisions    */
    uint64_t decisions, marks[SERVICE_MARKS]; /* since it was set: how many, and the records of some */
} service_retain;

int service_retain_read(service_retain *self, const common_node *at, roster_error *err);
/* One more decision. */
void service_retain_count(service_retain *self, uint64_t record);

/* ---- log_erase.c ---- */

enum { SERVICE_ASKED = 1024 }; /* erasures that are remembered, so that asking again is fine */

/* Hashes of erased ids that only this process can make; no part of the state. */
typedef struct service_asked {
    uint64_t marks[SERVICE_ASKED];
    size_t n;
} service_asked;

#endif
