/*
 * inside.h: what the files of this room share.
 */
#ifndef ROSTER_DRIVE_INSIDE_H
#define ROSTER_DRIVE_INSIDE_H

#include "drive.h"

#include <jansson.h>

/* ---- text that grows (text.c) ---- */

/* Start with {0}. Once memory is out `failed` is set and nothing more is added. */
typedef struct drive_text {
    char *data; /* owned, NUL-terminated when not NULL */
    size_t used, room;
    bool failed;
} drive_text;

bool drive_text_reserve(drive_text *self, size_t more);
void drive_put(drive_text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void drive_text_free(drive_text *self);

int drive_fail(roster_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
double drive_now(void); /* seconds by a clock that never goes back */

/* ---- a connection (http.c, connection.c) ---- */

/* Where the service is. */
typedef struct drive_place {
    char host[256], port[8];
    char name[272]; /* for the Host header */
    const char *token;
    struct addrinfo *addresses; /* owned */
} drive_place;

int drive_place_init(drive_place *self, const char *url, const char *token, roster_error *err);
void drive_place_fini(drive_place *self);

/* One decision or reward on its way. */
typedef struct drive_item {
    uint64_t event;
    uint32_t episode, context;
    double luck;    /* draws the reward            */
    double reward;  /* once it is drawn            */
    double due;     /* when the reward is to be sent */
    double decided; /* when the decision was first asked for: the window begins no earlier */
    bool again;     /* it was sent before          */
} drive_item;

typedef enum drive_task { DRIVE_IDLE, DRIVE_DECIDE, DRIVE_REWARD, DRIVE_EPISODE } drive_task;

typedef struct drive_connection {
    int socket; /* -1: not connected */
    drive_task task;
    drive_text out, in;
    size_t sent;
    size_t head, length; /* of the answer: bytes before its body (0: not known yet), bytes of the body */
    int status;
    bool closing;        /* the service closes the connection behind this answer */
    bool tried;          /* the request may have been answered once already      */
    double began, asked; /* first sent; last sent                                */
    double retry;        /* when to try again; 0: not waiting                    */
    size_t n_items;
    drive_item *items; /* owned */
} drive_connection;

/* What came of looking at a connection. */
typedef enum drive_look { DRIVE_WAITS, DRIVE_ANSWERED, DRIVE_BROKEN, DRIVE_NONSENSE } drive_look;

/* The request's head and body into out. */
void drive_request(drive_connection *c, const drive_place *place, const char *method, const char *path,
                   const drive_text *body);
/* Connects if need be, without blocking afterwards; false: errno says why not. */
bool drive_connect(drive_connection *c, const drive_place *place);
void drive_close(drive_connection *c);
/* Sends as much as it can; false: the connection is broken. */
bool drive_send(drive_connection *c);
/* Sends what is left and reads what is there. DRIVE_NONSENSE: what came is no HTTP answer that can be understood. */
drive_look drive_exchange(drive_connection *c);
bool drive_wants_to_send(const drive_connection *c);
/* One request and its answer, waiting. The answer's JSON is for the caller to free. */
int drive_ask(drive_connection *c, const drive_place *place, const char *method, const char *path,
              const drive_text *body, json_t **answer, roster_error *err);
/* The sentence of an answer that refuses. */
int drive_refused(const drive_connection *c, const char *what, roster_error *err);

/* ---- rewards that wait (queue.c) ---- */

/* A heap: the one that is due first is on top. */
typedef struct drive_queue {
    drive_item *items; /* owned */
    size_t used, room;
} drive_queue;

bool drive_queue_add(drive_queue *self, const drive_item *item);
drive_item drive_queue_take(drive_queue *self);

/* ---- the world (users.c) ---- */

typedef struct drive_users {
    const drive_options *options;
    size_t n, x, v;
    double *pi;            /* owned, [n][x][v]: what the campaign's experts do */
    double *values, *gaps; /* owned, [n] of the episode under way              */
    roster_rng actions;    /* the service draws them from here                 */
    roster_rng stream, fate;
    uint64_t event;         /* the last one made */
    uint32_t episode;       /* of it, from 0     */
    uint64_t round, rounds; /* of the episode */
} drive_users;

int drive_users_init(drive_users *self, const drive_options *options, const roster_experts *known, roster_error *err);
void drive_users_fini(drive_users *self);
/* The next user comes. False: the episode is over, drive_users_turn begins the next one. */
bool drive_users_next(drive_users *self, drive_item *item);
void drive_users_turn(drive_users *self);
/* The rounds until `event` are over already. */
void drive_users_skip(drive_users *self, uint64_t event);
/* What expert k's action earns: into item->reward. */
void drive_users_earn(const drive_users *self, drive_item *item, size_t v);
/* Which action the service must take, by seed and event, when expert k decides. */
size_t drive_users_action(const drive_users *self, const drive_item *item, size_t k);
/* Whether the reward is lost, is sent twice, and after how many seconds it is sent. */
typedef struct drive_fate {
    bool lost, twice;
    double delay, again;
} drive_fate;
drive_fate drive_users_fate(const drive_users *self, uint64_t event);

/* ---- names (names.c) ---- */

/* From names to numbers. */
typedef struct drive_names {
    struct drive_named {
        const char *name; /* borrowed */
        size_t number;
    } * list; /* owned, in order */
    size_t n;
} drive_names;

bool drive_names_init(drive_names *self, size_t n);
void drive_names_sort(drive_names *self);
/* n: there is none. */
size_t drive_names_find(const drive_names *self, const char *name);

/* ---- the drive ---- */

typedef struct drive {
    const drive_options *options;
    drive_figures *figures;
    drive_place place;
    drive_users users;
    drive_names experts, actions;
    roster_experts *estimates; /* owned; NULL: the campaign knows the experts */
    drive_queue queue;
    drive_connection *connections; /* owned */
    size_t deciding;               /* requests for decisions under way */
    int poll;
    double started;
    uint64_t first, last;                /* events */
    uint64_t before[DRIVE_STATUSES + 1]; /* the service's counters before: rewards by status, decisions */
    bool turning;                        /* the episode is over                       */
    double heard;                        /* when the last answer came                 */
} drive;

/* Creates the campaign, or finds it (campaign.c). */
int drive_begin(drive *self, roster_error *err);
/* The service's counters must be what it told. */
int drive_compare(drive *self, roster_error *err);
/* What an answer says (answers.c). */
int drive_take_decisions(drive *self, drive_connection *c, roster_error *err);
int drive_take_rewards(drive *self, drive_connection *c, roster_error *err);
/* The loop (play.c). */
int drive_play(drive *self, roster_error *err);
void drive_note_latency(drive_figures *figures, double seconds);
/* What an empirical agent is given in the place of the experts (estimates.c). */
int drive_estimate(const roster_study *study, roster_experts **out, roster_error *err);

#endif
