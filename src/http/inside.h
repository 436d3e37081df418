/*
 * inside.h: what the files of server/ share.
 */
#ifndef ROSTER_SERVER_INSIDE_H
#define ROSTER_SERVER_INSIDE_H

#include "server.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- limits ---------------------------------------------------------------------------------------------- */

enum {
    SERVER_BODY_MOST = 16 << 20,    /* bytes of a request's body                                       */
    SERVER_BODIES_MOST = 256 << 20, /* of all bodies at one time                                       */
    SERVER_URI_MOST = 1024,         /* bytes of a path                                                 */
    SERVER_HEADERS_MOST = 16 << 10, /* bytes of memory of a connection: its headers must fit           */
    SERVER_CONNECTIONS_MOST = 4096,
    SERVER_IDLE_SECONDS = 30,    /* a connection on which nothing moves is closed                   */
    SERVER_REQUEST_SECONDS = 60, /* so is one that has no whole request for so long                 */
    SERVER_GRACE_SECONDS = 1,    /* for requests on their way when the server stops */
    SERVER_DRAIN_SECONDS = 10,   /* at most, for answers on theirs                 */
    SERVER_STREAMS_MOST = 64     /* events being streamed at one time                               */
};

/* ---- tokens.c ---------------------------------------------------------------------------------------------- */

typedef enum server_role { SERVER_PUBLIC, SERVER_CLIENT, SERVER_ADMIN } server_role;

enum { SERVER_TOKENS_MOST = 64, SERVER_TOKEN_LEAST = 16, SERVER_TOKEN_MOST = 128 };

typedef struct server_tokens {
    size_t n;
    server_role roles[SERVER_TOKENS_MOST];
    unsigned char words[SERVER_TOKENS_MOST][SERVER_TOKEN_MOST]; /* the rest of each is zero */
} server_tokens;

int server_tokens_read(server_tokens *self, const char *path, roster_error *err);
/* What the token allows, SERVER_PUBLIC where it is none of them. Takes the same time whatever is right about it. */
server_role server_tokens_role(const server_tokens *self, const char *token);

/* ---- metrics.c ------------------------------------------------------------------------------------------- */

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
    uint64_t connections, streams; /* open ones */
    uint64_t body_bytes;           /* held for requests */
} server_measures;

void server_measure(server_histogram *self, double seconds);

/* ---- the server ------------------------------------------------------------------------------------------- */

typedef struct server_request server_request;
typedef struct server_connection server_connection;

typedef struct server {
    const server_options *options;
    server_tokens tokens;
    struct MHD_Daemon *daemon;
    char address[80]; /* as it listens            */
    int socket;       /* that listens; -1: none, or the daemon's */
    bool loopback;    /* on loopback only         */
    char *openapi;    /* owned                    */
    int64_t started;  /* microseconds since 1970  */

    pthread_mutex_t lock; /* of all that follows */
    service *engine;
    store *log;              /* of the commit thread alone                             */
    store *reader;           /* of the HTTP thread alone                               */
    store_state state;       /* of the log, as the commit thread last saw it           */
    server_request *waiting; /* until what they changed is durable                                */
    size_t n_waiting;
    int64_t waiting_since; /* the first of them, by server_clock                                 */
    size_t active;         /* connections that lately waited: how many may join one transaction  */
    size_t active_now;     /* those counted in the present period                                */
    uint32_t period;       /* its number                                                         */
    bool sleeps;           /* the commit thread waits to be woken                                */
    bool stopping;         /* asked to end: no request starts any more                           */
    pthread_cond_t wake;
    pthread_t committer;
    server_measures measures;

    pthread_mutex_t roll; /* of the list of connections */
    server_connection *connections;

    atomic_bool draining; /* answers close their connections                     */
    atomic_uint running;  /* requests begun and not yet answered to the last byte */
} server;

/* ---- requests: http.c -------------------------------------------------------------------------------------- */

typedef struct server_route server_route;

struct server_request {
    server *server;
    struct MHD_Connection *connection;
    const server_route *route; /* NULL: none */
    const char *name;          /* the path's parameter, name_size bytes of path */
    size_t name_size;
    char path[SERVER_URI_MOST + 1];
    char *body;
    size_t used, room, seen; /* bytes kept, allocated, received */
    bool refused;            /* answered already: what follows of the body is dropped */
    bool waits;              /* for the commit thread */
    bool failed;             /* what it changed could not be made durable */
    int64_t begun;           /* by server_clock */
    server_request *next;    /* in server.waiting */

    /* the answer */
    unsigned status;
    const char *type;              /* NULL: application/json */
    service_text text;             /* its body */
    struct MHD_Response *response; /* or all of it */
    const char *header, *value;    /* one more header; value is copied at once, or of static storage */
    char room_for_value[128];
};

/* Starts the thread that takes requests from the socket, which is then its own. NULL: it could not. */
struct MHD_Daemon *server_daemon(server *self, int socket, unsigned connections);

/* Microseconds since 1970; and by a clock that never goes back. */
int64_t server_now(void);
int64_t server_clock(void);

/* {"error": ..} as the answer. */
void server_refuse(server_request *q, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for what the engine refused. */
void server_refuse_engine(server_request *q, const service_error *err);
/* An argument of the query as a whole number; false: it is none, and that is the answer. */
bool server_query_count(server_request *q, const char *key, uint64_t most, uint64_t *out);

/* ---- connections.c -------------------------------------------------------------------------------------------- */

/* A connection. */
struct server_connection {
    int socket;
    _Atomic int64_t since; /* its last answer ended, or it began, by server_clock; 0: a request is worked on */
    uint32_t period;       /* in which it last waited for a commit */
    server_connection *before, *after;
};

/* NULL: not known. */
server_connection *server_connection_of(struct MHD_Connection *connection);
/* Called when a connection begins and when it ends. */
void server_connected(void *context, struct MHD_Connection *connection, void **socket_context,
                      enum MHD_ConnectionNotificationCode code);
/* Closes connections that for so many seconds had no whole request. */
void server_sweep(server *self, int seconds);

/* ---- listen.c ------------------------------------------------------------------------------------------------ */

/* A listening socket as the options say; self->address and self->loopback say what became of it. -1: err says why. */
int server_listen(server *self, roster_error *err);
/* How many connections there can be with the files that this process may open. */
unsigned server_connections(void);
/* Whether a Host header names this server: loopback, or one of the names of the options. */
bool server_knows_host(const server *self, const char *host);

/* ---- routes.c ----------------------------------------------------------------------------------------------- */

struct server_route {
    const char *method, *path; /* "/v1/campaigns/{campaign}" */
    server_role role;
    bool changes; /* its answer waits until what it did is durable */
    /* With the lock held; fills the answer. */
    void (*run)(server *self, server_request *q);
    const char *id, *summary;
    const char *request;  /* schema of the body, NULL: none    */
    const char *answer;   /* schema of the answer, or a type   */
    const char *statuses; /* "200 400 404": all that it gives besides those of any route */
    const char *query;    /* parameters, "name:text" with | between; NULL: none */
};

extern const server_route server_routes[];
extern const size_t server_n_routes;

/* Finds the route of q->path; where there is none, the answer is 404 or 405. */
void server_find_route(server_request *q, const char *method);

/* ---- guard.c ------------------------------------------------------------------------------------------------- */

/* Whether the request may be made at all: host, origin, token, kind of content. Else the answer says why not. */
bool server_guard(server *self, server_request *q);

/* ---- handlers ------------------------------------------------------------------------------------------------ */

void server_get_campaigns(server *self, server_request *q);
void server_post_campaign(server *self, server_request *q);
void server_get_campaign(server *self, server_request *q);
void server_delete_campaign(server *self, server_request *q);
void server_post_decide(server *self, server_request *q);
void server_post_reward(server *self, server_request *q);
void server_post_episode(server *self, server_request *q);
void server_post_controls(server *self, server_request *q);
void server_get_rosters(server *self, server_request *q);
void server_post_roster(server *self, server_request *q);
void server_get_roster(server *self, server_request *q);
void server_post_samples(server *self, server_request *q);
void server_get_campaign_events(server *self, server_request *q);
void server_get_events(server *self, server_request *q);
void server_get_metrics(server *self, server_request *q);
void server_get_campaign_metrics(server *self, server_request *q);
void server_get_state(server *self, server_request *q);
void server_get_health(server *self, server_request *q);
void server_get_ready(server *self, server_request *q);
void server_get_openapi(server *self, server_request *q);
void server_get_page(server *self, server_request *q);

/* ---- commit.c ------------------------------------------------------------------------------------------------- */

int server_commit_start(server *self, roster_error *err);
/* Makes the rest durable, writes a snapshot, ends the thread. */
void server_commit_stop(server *self);
/* With the lock held: the request is to be answered when all that is pending now is durable. */
void server_commit_wait(server *self, server_request *q);

/* ---- log.c ----------------------------------------------------------------------------------------------------- */

/* One JSON object on a line of stderr: time, level, event, and pairs (key, text), ended by NULL; the text behind a key
   that begins with # is a number. */
void server_log(const server *self, server_level level, const char *event, ...) __attribute__((sentinel));

/* ---- embedded files ---------------------------------------------------------------------------------------------- */

extern const unsigned char server_page[], server_schemas[];
extern const size_t server_page_size, server_schemas_size;
extern const char server_page_policy[];

#endif
