/*
 * load_internal.h: what the files of load/ share.
 */
#ifndef ROSTER_LOAD_INTERNAL_H
#define ROSTER_LOAD_INTERNAL_H

#include "load.h"

#include "cli.h"
#include "common_error.h"
#include "common_text.h"

#include <jansson.h>

/* ---- a connection (load_http.c, load_ask.c) ---- */

/* Where the service is. */
typedef struct load_place {
    char host[256], port[8];
    char name[272]; /* for the Host header */
    const char *token;
    struct addrinfo *addresses; /* owned */
} load_place;

int load_place_init(load_place *self, const char *url, const char *token, roster_error *err);
void load_place_fini(load_place *self);

/* One decision or reward on its way. */
typedef struct load_item {
    uint64_t event;
    uint32_t episode, context;
    double luck;    /* draws the reward            */
    double reward;  /* once it is drawn            */
    double due;     /* when the reward is to be sent */
    double decided; /* when the decision was first asked for: the window begins no earlier */
    bool again;     /* it was sent before          */
} load_item;

typedef enum load_task { LOAD_IDLE, LOAD_DECIDE, LOAD_REWARD, LOAD_EPISODE } load_task;

typedef struct load_connection {
    int socket; /* -1: not connected */
    load_task task;
    common_text out, in;
    size_t sent;
    size_t head, length; /* of the answer: bytes before its body (0: not known yet), bytes of the body */
    size_t chunk;        /* where the next chunk begins; 0: the body comes in one piece               */
    int status;
    bool closing;        /* the service closes the connection behind this answer */
    bool tried;          /* the request may have been answered once already      */
    double began, asked; /* first sent; last sent                                */
    double retry;        /* when to try again; 0: not waiting                    */
    size_t n_items;
    load_item *items; /* owned */
} load_connection;

/* What came of an exchange on a connection. */
typedef enum load_outcome { LOAD_WAITS, LOAD_ANSWERED, LOAD_BROKEN, LOAD_NONSENSE } load_outcome;

/* The request's head and body into out. */
void load_request(load_connection *c, const load_place *place, const char *method, const char *path,
                  const common_text *body);
/* Connects if need be, without blocking afterwards; false: errno says why not. */
bool load_connect(load_connection *c, const load_place *place);
void load_close(load_connection *c);
/* Sends as much as it can; false: the connection is broken. */
bool load_send(load_connection *c);
/* Sends what is left and reads what is there. LOAD_NONSENSE: what came is no HTTP answer that can be understood. */
load_outcome load_exchange(load_connection *c);
bool load_wants_to_send(const load_connection *c);
/* One request and its answer, waiting. The answer's JSON is for the caller to free. */
int load_ask(load_connection *c, const load_place *place, const char *method, const char *path, const common_text *body,
             json_t **answer, roster_error *err);
/* The sentence of an answer that refuses. */
int load_refused(const load_connection *c, const char *what, roster_error *err);

/* ---- rewards that wait (load_queue.c) ---- */

/* A heap: the one that is due first is on top. */
typedef struct load_queue {
    load_item *items; /* owned */
    size_t used, room;
} load_queue;

bool load_queue_add(load_queue *self, const load_item *item);
load_item load_queue_take(load_queue *self);

/* ---- the world (load_users.c) ---- */

typedef struct load_users {
    const load_options *options;
    size_t n, x, v;
    double *pi;            /* owned, [n][x][v]: what the campaign's experts do */
    double *values, *gaps; /* owned, [n] of the episode under way              */
    roster_rng actions;    /* the service draws them from here                 */
    roster_rng stream, fate;
    uint64_t event;         /* the last one made */
    uint32_t episode;       /* of it, from 0     */
    uint64_t round, rounds; /* of the episode */
} load_users;

int load_users_init(load_users *self, const load_options *options, const roster_experts *known, roster_error *err);
void load_users_fini(load_users *self);
/* The next user comes. False: the episode is over, load_users_turn begins the next one. */
bool load_users_next(load_users *self, load_item *item);
void load_users_turn(load_users *self);
/* The rounds until `event` are over already. */
void load_users_skip(load_users *self, uint64_t event);
/* What expert k's action earns: into item->reward. */
void load_users_earn(const load_users *self, load_item *item, size_t v);
/* Which action the service must take, by seed and event, when expert k decides. */
size_t load_users_action(const load_users *self, const load_item *item, size_t k);
/* Whether the reward is lost, is sent twice, and after how many seconds it is sent. */
typedef struct load_fate {
    bool lost, twice;
    double delay, again;
} load_fate;
load_fate load_users_fate(const load_users *self, uint64_t event);

/* ---- names (load_names.c) ---- */

/* From names to numbers. */
typedef struct load_names {
    struct load_named {
        const char *name; /* borrowed */
        size_t number;
    } * list; /* owned, in order */
    size_t n;
} load_names;

bool load_names_init(load_names *self, size_t n);
void load_names_sort(load_names *self);
/* n: there is none. */
size_t load_names_find(const load_names *self, const char *name);

/* ---- the play ---- */

typedef struct load {
    const load_options *options;
    load_figures *figures;
    load_place place;
    load_users users;
    load_names experts, actions;
    roster_experts *estimates; /* owned; NULL: the campaign knows the experts */
    load_queue queue;
    load_connection *connections; /* owned */
    size_t deciding;              /* requests for decisions under way */
    int poll;
    double started;
    uint64_t first, last;               /* events */
    uint64_t before[LOAD_STATUSES + 1]; /* the service's counters before: rewards by status, decisions */
    bool turning;                       /* the episode is over                       */
    double heard;                       /* when the last answer came                 */
} load;

/* Creates the campaign, or finds it (load_campaign.c). */
int load_begin(load *self, roster_error *err);
/* The service's counters must be what it told. */
int load_compare(load *self, roster_error *err);
/* What an answer says (load_answers.c). */
int load_take_decisions(load *self, load_connection *c, roster_error *err);
int load_take_rewards(load *self, load_connection *c, roster_error *err);
/* The loop (load_play.c). */
int load_play(load *self, roster_error *err);
void load_note_latency(load_figures *figures, double seconds);
/* What an empirical agent is given in the place of the experts (load_estimates.c). */
int load_estimate(const roster_study *study, roster_experts **out, roster_error *err);

#endif
