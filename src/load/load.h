/*
 * load.h: simulated users of a running decision service.
 *
 * An experiment's world is played against the service by HTTP: contexts come from the world's stream, decisions from
 * the service, rewards from the world again; they are sent late, twice, out of order or never, as asked. Every answer
 * is checked: what the service says must agree with the experts' tables, with its seed and with itself.
 *
 * One thread, one epoll loop; a connection has one request under way at a time.
 */
#ifndef ROSTER_LOAD_H
#define ROSTER_LOAD_H

#include <roster.h>

enum { LOAD_CONNECTIONS_MOST = 4096, LOAD_BATCH_MOST = 10000, LOAD_TOKEN_MOST = 128, LOAD_NAME_MOST = 64 };

/* What became of the rewards, in the service's words. */
typedef enum load_status {
    LOAD_JOINED,
    LOAD_DUPLICATE,
    LOAD_LATE,
    LOAD_UNKNOWN,
    LOAD_OUT_OF_RANGE,
    LOAD_STATUSES
} load_status;

enum { LOAD_SLOTS = 1024 };

typedef struct load_figures {
    double seconds;                   /* since the first decision was asked for               */
    uint64_t decisions, repeated;     /* answered; of these, asked for again after a fault     */
    uint64_t best;                    /* by the best expert of their episode                   */
    uint64_t statuses[LOAD_STATUSES]; /* rewards answered                                     */
    uint64_t lost, unsent;            /* never sent; not sent yet when the drive was ended     */
    uint64_t requests, faults;        /* answered; connections that broke, and answers 503     */
    uint64_t episodes;                /* begun                                                */
    double regret, reward;            /* in expected values; sum of the rewards drawn          */
    uint64_t slots[LOAD_SLOTS];       /* how long requests took, see load_percentile          */
    size_t experts;
    uint64_t *plays; /* [experts]: borrowed while the drive runs, then owned by the caller */
} load_figures;

/* Milliseconds that this share of the requests stayed below, within 2%. NAN without any. */
double load_percentile(const load_figures *figures, double share);
const char *load_status_word(load_status status);

typedef struct load_options {
    const char *server;   /* http://HOST:PORT                            */
    const char *campaign; /* its name                                    */
    const char *token;    /* NULL: none                                  */
    const char *description;
    const roster_study *study;           /* its world is played, its agent is the campaign's */
    const double *context_probabilities; /* [X]: declared by the campaign; NULL: none are */
    const char *const *contexts;         /* names */
    const char *const *actions;
    double rate;                    /* decisions a second; 0: as fast as it goes  */
    size_t connections, batch;      /* requests at a time; decisions or rewards of one */
    double delay_least, delay_most; /* seconds from a decision to its reward      */
    double loss, duplicates;        /* shares of rewards                          */
    double wait;                    /* the campaign's window; 0: the service's own */
    bool unannounced;               /* ends of episodes are for the campaign's alarms to find */
    uint64_t events;                /* 0: those of the study's episodes; more: these begin again */
    /* Called some times a second; false ends the drive. */
    bool (*progress)(void *context, const load_figures *figures);
    void *context;
} load_options;

/* Plays until all is decided and rewarded, or progress says to stop. On failure *figures is what was seen until then,
   and the sentence says what the service refused or how it contradicts itself. figures->plays is to be freed. */
int load_run(const load_options *options, load_figures *figures, roster_error *err);

#endif
