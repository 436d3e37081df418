/*
 * http_internal.h: what the files of http/ share.
 *
 * One thread, the loop, owns everything here: it accepts, reads, parses, runs the engine and sends. Others only do what
 * could make it wait: a thread that commits (server_commit.c), threads for jobs (server_jobs.c), one that writes the
 * log (server_log.c).
 */
#ifndef ROSTER_HTTP_INTERNAL_H
#define ROSTER_HTTP_INTERNAL_H

#include "common_error.h"
#include "http_parse.h"
#include "route_metrics.h"
#include "route_tokens.h"
#include "server.h"
#include "server_clock.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- limits ---- */

enum {
    SERVER_BODY_MOST = 16 << 20,    /* bytes of a request's body                                       */
    SERVER_BODIES_MOST = 256 << 20, /* of all bodies at one time                                       */
    SERVER_BODY_LIGHT = 64 << 10,   /* requests with larger ones run one per turn of the loop         */
    SERVER_LISTS_MOST = 8,          /* of these, begun but not done                                    */
    SERVER_BODY_SMALL = 4 << 10,    /* a body that is taken in though these are full                   */
    SERVER_UNSENT_MOST = 256 << 20, /* of all answers that clients have not taken yet                  */
    SERVER_URI_MOST = 1024,         /* bytes of a path                                                 */
    SERVER_CONNECTIONS_MOST = 4096,
    SERVER_IDLE_SECONDS = 30,    /* a connection on which nothing moves is closed                   */
    SERVER_REQUEST_SECONDS = 60, /* so is one that has no whole request for so long                 */
    SERVER_LINGER_SECONDS = 2,   /* for the rest of a request that was refused before its end       */
    SERVER_GRACE_SECONDS = 1,    /* for requests on their way when the server stops */
    SERVER_FINISH_SECONDS = 10,  /* at most, for answers on theirs                 */
    SERVER_STREAMS_MOST = 64,    /* answers with events at one time                                 */
    SERVER_READ_MOST = 64 << 10, /* bytes taken from a connection at one time                       */
    SERVER_LINES_MOST = 10000,   /* lines of events in one answer                                   */
    SERVER_LISTENERS_MOST = 16,
    SERVER_ID_MOST = 64 /* letters of a request's id */
};

/* ---- the server ---- */

typedef struct server_request server_request;
typedef struct server_connection server_connection;
typedef struct server_committer server_committer;
typedef struct server_job server_job;
typedef struct server_jobs server_jobs;
typedef struct server_snapshot server_snapshot;
typedef struct server_retention server_retention;
typedef struct server_erase server_erase;
typedef struct server_episode server_episode;
typedef struct server_turns server_turns;
typedef struct server_retired server_retired;
typedef struct server_commits server_commits;

/* What epoll tells about. */
typedef enum server_source { SERVER_LISTENER, SERVER_CONNECTION, SERVER_WAKE } server_source;

typedef struct server_listener {
    server_source source;
    int socket;        /* -1: closed */
    char address[128]; /* as it listens: "127.0.0.1:7700", "unix:PATH" */
    bool loopback;     /* so that only names of loopback are answered  */
    bool local;        /* a socket of the file system                  */
} server_listener;

/* Where the server is in its life. */
typedef enum server_phase {
    SERVER_STARTING, /* the log is being opened: only health is answered  */
    SERVER_SERVING,
    SERVER_DRAINING,  /* asked to stop; still serving, but not ready       */
    SERVER_FINISHING, /* no new connections; answers close theirs          */
    SERVER_ENDED
} server_phase;

typedef struct server {
    const server_options *options;
    server_tokens tokens;
    server_listener listeners[SERVER_LISTENERS_MOST];
    size_t n_listeners;
    char *openapi;   /* owned                    */
    int64_t started; /* microseconds since 1970  */

    server_phase phase;
    int64_t phase_began;          /* by server_clock */
    atomic_uint_fast64_t opened;  /* records replayed while starting, */
    atomic_uint_fast64_t to_open; /* of so many                       */
    atomic_bool cancelled;        /* opening shall stop               */
    int code;                     /* why it ended, with error         */
    roster_error error;

    char *place;                   /* owned: of the log, for people */
    service *engine;               /* NULL while starting */
    store *log;                    /* of the commit thread */
    store_state state;             /* of the log, as the commit thread last saw it */
    const server_commits *commits; /* how records become durable */
    server_committer *committer;   /* owned; of a log that is this server's alone */
    server_turns *turns;           /* owned; of one that others append to, too */
    server_retired *retired;       /* owned: former engines */
    size_t jobs_under_way;         /* begun, and not done */
    server_jobs *jobs;
    server_snapshot *snapshot;   /* owned */
    server_retention *retention; /* owned */
    server_erase *erase;         /* owned */
    server_episode *episodes;    /* owned: to be started, in the order they were asked for */
    uint64_t let_go;             /* bytes that were freed, for server_trim.c */
    bool trims;                  /* a job gives them back                    */
    server_measures measures;
    server_time time; /* that campaigns follow   */

    int poll; /* epoll */
    int wake; /* eventfd: written by other threads and by signals */
    server_source wake_source;
    bool accepts; /* listeners are in epoll */
    unsigned connections_most;
    server_connection *connections; /* all                          */
    server_connection *again;       /* have something left to do, in the order they came */
    server_connection **again_end;
    int64_t turn_end;                   /* by server_clock: others are to be looked at then */
    server_request *large, **large_end; /* whole, with large bodies or rests of lists: one runs per turn */
    server_connection *dead;            /* are freed after this turn    */
    int64_t next_tick, next_second;     /* by server_clock              */
    int64_t quiet_since;                /* while finishing: nothing was under way; 0: something is */
    char date[40];                      /* "Mon, 16 Nov 2026 15:00:00 GMT" */
    uint64_t ids;                       /* of requests that came without */
    http_head head;                     /* of the request that begins   */
    char input[SERVER_READ_MOST + 1];
} server;

/* Microseconds since 1970, by the machine's clock, for people; and by a clock that never goes back. */
int64_t server_now(void);
int64_t server_clock(void);

/* ---- server_time.c: the time that the engine is told ---- */

/* When the log is open. */
void server_time_begin(server *self);
int64_t server_service_time(const server *self);
/* Seconds by which it is ahead of the machine's clock. */
double server_time_ahead(const server *self);
/* Compares it with the machine's clock; called once a second. */
void server_time_check(server *self);

/* ---- requests ---- */

typedef struct server_route server_route;
typedef struct server_stream server_stream;

struct server_request {
    server *server;
    server_connection *connection;
    const server_route *route; /* NULL: none */
    const char *name;          /* the path's parameter, name_size bytes of path */
    size_t name_size;
    char path[SERVER_URI_MOST + 1];
    char id[SERVER_ID_MOST + 1]; /* from X-Request-Id, or made */
    char *query;                 /* owned; NULL: none */
    const char *body;            /* NUL-terminated; borrowed while the handler runs, unless it is `owned` */
    size_t used;                 /* its bytes */
    char *owned;                 /* the body where it came in pieces, or was kept */
    size_t room;                 /* of owned */
    uint64_t seen;               /* bytes received of the body, dropped ones too */
    size_t rest;                 /* of a list: the byte where it goes on in a later turn; 0: it is done, or none */
    service *engine;             /* when it began */
    service_campaign *campaign;  /* to which it goes */
    bool refused;                /* the answer is an error: what follows of the body is dropped */
    bool waits;                  /* for a commit or a job */
    bool failed;                 /* what it changed could not be made durable */
    bool only_head;              /* HEAD: the answer has no body */
    bool old;                    /* HTTP/1.0 */
    bool keep;                   /* the connection goes on after the answer */
    bool streams;                /* counted in measures.streams */
    bool told;                   /* server_answered was called  */
    unsigned retry;              /* seconds for Retry-After, 0: none */
    int64_t begun;               /* by server_clock */
    server_request *next;        /* of those that wait for the same commit, or for their turn */

    /* the answer */
    unsigned status;
    const char *type;           /* NULL: application/json */
    common_text text;           /* its body */
    server_stream *stream;      /* or where it comes from, piece by piece; owned */
    const char *header, *value; /* one more header; value is of static storage, or room_for_value */
    char room_for_value[128];
};

typedef enum server_piece {
    SERVER_PIECE_LAST,
    SERVER_PIECE_MORE,  /* there may be more */
    SERVER_PIECE_WAITS, /* nothing yet: it calls server_stream_go_on later */
    SERVER_PIECE_WRONG  /* it cannot go on */
} server_piece;

/* An answer that comes in pieces, on the loop. */
struct server_stream {
    /* Appends the next piece to out, which may be empty. */
    server_piece (*next)(server_stream *self, common_text *out);
    void (*free)(server_stream *self);
    size_t bytes; /* of memory that it holds: counted with what waits for the client */
};

/* ---- http_answer.c ---- */

/* {"error": ..} as the answer. */
void server_refuse(server_request *q, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for what the engine refused. */
void server_refuse_engine(server_request *q, const service_error *err);
/* One more header of the answer. */
void server_add_header(server_request *q, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An argument of the query as a whole number; false: it is none, and that is the answer. */
bool server_query_count(server_request *q, const char *key, uint64_t least, uint64_t most, uint64_t *out);
/* The first lines of the answer. */
void server_put_head(server *self, const server_request *q, common_text *out);
/* Counts the answer, and tells about it where requests are told about; once. */
void server_answered(server *self, server_request *q);

/* ---- http_connection.c ---- */

typedef enum server_state {
    SERVER_HEAD,   /* waits for a request          */
    SERVER_BODY,   /* for the rest of its body     */
    SERVER_RUNS,   /* for a commit or a job        */
    SERVER_SENDS,  /* for the client to take its answer */
    SERVER_LINGERS /* has sent its last; drops what still comes */
} server_state;

struct server_connection {
    server_source source;
    int socket; /* -1: closed */
    server *server;
    const server_listener *listener;
    char peer[64]; /* address of the client */
    server_state state;
    bool readable, writable; /* as epoll said, until it turned out otherwise */
    bool ended;              /* the client sends no more */
    bool again;              /* in server.again */
    bool chunked;            /* the body comes in chunks */
    uint64_t length;         /* of the body, where it does not */
    http_chunks chunks;
    char *in;              /* bytes not used yet: owned, NULL where there are none */
    size_t at, used, room; /* in[at..used) */
    size_t seen;           /* of these, looked at already */
    common_text out;       /* not sent yet, from `sent` on */
    size_t sent;
    size_t unsent;   /* bytes of `out` that are counted in measures.unsent_bytes */
    int64_t since;   /* the last answer ended, or the connection began, by server_clock */
    int64_t moved;   /* the last byte came or went */
    uint32_t period; /* in which it last waited for a commit */
    server_connection *before, *after, *next_again;
    server_request request; /* the last: it is large */
};

/* Takes up a connection that was accepted. */
void server_connect(server *self, const server_listener *listener, int socket, const char *peer);
/* Does all that can be done without waiting. */
void server_connection_work(server_connection *c);
/* A turn of the loop later. */
void server_connection_again(server_connection *c);
void server_disconnect(server_connection *c);
/* Ends the request, which leaves room for the next. */
void server_request_reset(server_connection *c);
/* Frees a connection that is closed and held by nobody, at the end of this turn: until then events may point to it. */
void server_bury(server_connection *c);
void server_free_dead(server *self);
/* Closes connections that take too long; now: when epoll was asked last, for what came later is not known yet. */
void server_sweep(server *self, int64_t now);
/* The connection that has waited longest for a whole head, a second at least; NULL: there is none. */
server_connection *server_longest_idle(server *self);
/* Whether a request is under way on the connection. */
bool server_is_busy(const server_connection *c, bool also_begun);

/* ---- http_request.c ---- */

/* A request from the bytes, of which `seen` were looked at before: *used of them are taken. False: there is no whole
   head yet. The connection may be gone afterwards. */
bool server_begin(server_connection *c, char *bytes, size_t size, size_t seen, size_t *used);
/* In a handler that has done a part: it is called again in a later turn, with q->rest. */
void server_run_later(server_request *q, size_t rest);
/* Runs the first of the requests with large bodies. */
void server_run_large(server *self);
/* Lets go of those that did not get their turn. */
void server_drop_large(server *self);
/* Takes *used of the bytes as body, and runs the request when it is whole. */
void server_take_body(server_connection *c, const char *bytes, size_t size, size_t *used);
/* A request that waited has its answer; changes wait for their commit first. */
void server_request_finish(server *self, server_request *q);
/* Makes the body the request's own, so that it outlives the handler. False: out of memory. */
bool server_keep_body(server_request *q);

/* ---- http_send.c ---- */

/* Sends the answer, or what the socket takes of it. */
void server_request_send(server *self, server_request *q);
/* Sends what it can of the two texts; the rest waits in c->out. False: the connection is gone. */
bool server_send_both(server_connection *c, const common_text *head, const common_text *body);
/* Goes on with what is left. False: nothing more can be done now. */
bool server_step_send(server_connection *c);
/* A stream that waited can go on. */
void server_stream_go_on(server_request *q);

/* ---- http_listen.c ---- */

/* Listening sockets as the options say. */
int server_listen(server *self, roster_error *err);
void server_unlisten(server *self);
/* Accepts what is there; stops listening for a while where there are too many connections. */
void server_accept(server *self, server_listener *listener);
/* Goes on accepting where that is possible again. */
void server_accept_again(server *self);
/* How many connections there can be with the files that this process may open. */
unsigned server_connections(void);
/* Whether a Host header names this server: loopback, or one of the names of the options. */
bool server_knows_host(const server *self, const server_listener *listener, const char *host);
/* That the names of --host could stand in a request. */
int server_check_hosts(const char *hosts, roster_error *err);

/* ---- routes.c ---- */

struct server_route {
    const char *method, *path; /* "/v1/campaigns/{campaign}" */
    server_role role;
    bool changes; /* its answer waits until what it did is durable */
    /* Fills the answer, or sets q->waits and calls server_request_finish later. */
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
/* Refuses a query with a parameter that the route does not have. */
void server_check_query(server_request *q);

/* ---- route_guard.c ---- */

/* Whether the request may be made at all: host, origin, token, kind of content, rate. Else the answer says why not. */
bool server_guard(server *self, server_request *q, const http_head *head);

/* ---- handlers ---- */

void server_get_campaigns(server *self, server_request *q);
void server_post_campaign(server *self, server_request *q);
void server_get_campaign(server *self, server_request *q);
/* The campaign as it is now, with that status. */
void server_answer_campaign(server_request *q, unsigned status, service_campaign *campaign);
/* The campaign of the path; NULL: there is none, and that is the answer. */
service_campaign *server_campaign_of(server *self, server_request *q);
void server_delete_campaign(server *self, server_request *q);
void server_post_decide(server *self, server_request *q);
void server_post_choose(server *self, server_request *q);
void server_post_acted(server *self, server_request *q);
void server_post_observed(server *self, server_request *q);
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
void server_post_clock(server *self, server_request *q);
void server_get_health(server *self, server_request *q);
void server_get_ready(server *self, server_request *q);
void server_get_openapi(server *self, server_request *q);
void server_get_page(server *self, server_request *q);

/* ---- server_snapshot.c: whether, and how, the state is put beside the log ---- */

void server_snapshot_if_due(server *self);
/* One is due, whatever came since the last; not while one is being written. */
void server_snapshot_want(server *self);
/* After a commit. */
void server_snapshot_committed(server *self);
/* At the end: nothing is pending, and the commit thread has ended. */
void server_snapshot_last(server *self);
/* One that is being made is of an engine that is replaced. */
void server_snapshot_forget(server *self);

/* ---- route_metrics.c, for route_listing.c ---- */

/* One family of the figures of campaigns, for at most `most` of them from that number on; false: there is no such one.
   */
bool server_put_campaign_metrics(const server *self, size_t family, size_t from, size_t most, common_text *out);

/* ---- server_retention.c: records that nobody retains are dropped ---- */

/* After a snapshot of the state after that record. */
void server_retention_begin(server *self, uint64_t snapshot);
/* Every second. */
void server_retention_go_on(server *self);
/* At the end, when no job runs any more. */
void server_retention_end(server *self);
bool server_retention_is_idle(const server *self);

/* ---- server_trim.c: what was freed goes back to the system ---- */

/* About so much was freed, besides what campaigns let go of. */
void server_trim_want(server *self, size_t bytes);
/* Every second. */
void server_trim_if_due(server *self);

/* ---- server_jobs.c ---- */

/* Work that would make the loop wait. */
struct server_job {
    /* In a thread of its own kind. *reader: the thread's own store to read the log with, NULL until it was opened by
       server_job_reader. */
    void (*run)(server_job *self, store **reader);
    void (*done)(server *server, server_job *self); /* then, on the loop */
    server *server;
    server_job *next;
};

/* A thread to which no signal is delivered. */
int server_thread_start(pthread_t *out, void *(*work)(void *), void *context, roster_error *err);
int server_jobs_start(server *self, roster_error *err);
/* Waits for the jobs that run; what was not begun is not run, but done is called. */
void server_jobs_stop(server *self);
void server_job_start(server *self, server_job *job);
/* On the loop: what is done. */
void server_jobs_done(server *self);
/* In a job: the thread's store. NULL: err says why. */
store *server_job_reader(server_job *self, store **reader, roster_error *err);

/* ---- http_loop.c ---- */

int server_loop_open(server *self, roster_error *err);
/* Those whose requests a job still holds are freed when it is done. */
void server_disconnect_all(server *self);
void server_loop_close(server *self);
/* Until self->phase is SERVER_ENDED. */
void server_loop(server *self);
/* From any thread: the loop looks at what other threads did. */
void server_wake(server *self);
void server_set_phase(server *self, server_phase phase);

/* ---- server_log.c ---- */

/* One JSON object on a line of stderr: time, level, event, and pairs (key, text), ended by NULL; the text behind a key
   that begins with # is a number. Never waits: lines that nobody reads are dropped and counted. */
void server_log(const server *self, server_level level, const char *event, ...) __attribute__((sentinel));
int server_log_start(roster_error *err);
/* Gives what is left a moment to be written. */
void server_log_stop(void);
uint64_t server_log_dropped(void);

/* ---- embedded files ---- */

extern const unsigned char server_page[], server_schemas[];
extern const size_t server_page_size, server_schemas_size;
extern const char server_page_policy[];

#endif
