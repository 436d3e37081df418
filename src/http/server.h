/*
 * server.h: the decision service over HTTP/1.1: the engine of service.h, a log of store.h, and an event loop.
 *
 * One thread owns connections and engine. What it could have to wait for is done by others: one makes what is pending
 * durable, one transaction for all that came meanwhile (group commit); a few read the log or write snapshots; one
 * writes stderr. Requests that only read are answered at once.
 */
#ifndef ROSTER_SERVER_H
#define ROSTER_SERVER_H

#include <service.h>

typedef enum server_level { SERVER_LOG_ERRORS, SERVER_LOG_INFO, SERVER_LOG_REQUESTS } server_level;

typedef struct server_options {
    const char *data;   /* directory of the log                                                        */
    const char *listen; /* ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH, commas between; port 0: any that is free */
    const char *tokens; /* file of tokens, NULL: none, and then on loopback only                      */
    const char *hosts;  /* names by which browsers reach the server besides loopback, commas between; NULL: none */
    store_mode mode;
    const store_key *key;           /* that rows are signed with; NULL: none                                   */
    uint64_t accept_loss;           /* records that may be missing at the log's end, exactly; 0: none          */
    uint64_t snapshot_every;        /* records between snapshots                                               */
    const char *export_before_drop; /* folder for what retention drops; NULL: nowhere                   */
    service_limits limits;          /* of campaigns                                                            */
    server_level log;
    double drain;                 /* seconds to go on serving, not ready, after SIGTERM or SIGINT */
    const char *const *campaigns; /* [n_campaigns]: files of campaigns to create where they are not there yet */
    size_t n_campaigns;
} server_options;

/* Serves until SIGTERM or SIGINT, then answers what it accepted, writes a snapshot and returns; SIGHUP reads the tokens
   again. Says on stdout where it listens once it is ready, and on stderr, one JSON object per line, what happens. */
int server_run(const server_options *options, roster_error *err);

/* The document of /openapi.json, made from the table of routes; owned by the caller, NULL: out of memory. */
char *server_openapi(void);

#endif
