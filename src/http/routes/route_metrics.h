/*
 * route_metrics.h: what the server counts and measures of itself.
 */
#ifndef ROSTER_HTTP_ROUTE_METRICS_H
#define ROSTER_HTTP_ROUTE_METRICS_H

#include <stdint.h>

enum { SERVER_BUCKETS = 12, SERVER_STATUS_CLASSES = 6, SERVER_ROUTES_MOST = 32 };

typedef struct server_histogram {
    uint64_t buckets[SERVER_BUCKETS + 1]; /* the last: beyond all */
    double sum;
} server_histogram;

typedef struct server_measures {
    uint64_t requests[SERVER_ROUTES_MOST + 1][SERVER_STATUS_CLASSES]; /* by route (last: none) and status / 100 */
    server_histogram seconds[SERVER_ROUTES_MOST + 1];
    uint64_t items[2]; /* of decide and reward calls */
    server_histogram commit;
    uint64_t commits, commit_records, commit_failures, snapshots, snapshot_failures;
    uint64_t dropped, retention_failures; /* records */
    /* Of a log that others append to, too: turns taken; records of others; rows whose COMMIT was not answered and that
       were in the log all the same; engines made anew; records that were acknowledged and are not in the database. */
    uint64_t turns, followed, commits_found, rebuilds, records_lost;
    uint64_t connections, streams; /* open ones */
    uint64_t body_bytes;           /* held for requests */
    uint64_t unsent_bytes;         /* held for clients that do not take their answers */
    uint64_t limited;              /* requests beyond the rate of their token */
} server_measures;

void server_measure(server_histogram *self, double seconds);

#endif
