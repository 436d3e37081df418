/*
 * drive.h: simulated users of a running decision service.
 *
 * An experiment's world is played against the service by HTTP: contexts come from the world's stream, decisions from
 * the service, rewards from the world again; they are sent late, twice, out of order or never, as asked. Every answer
 * is checked: what the service says must agree with the experts' tables, with its seed and with itself.
 *
 * One thread, one epoll loop; a connection has one request under way at a time.
 */
#ifndef ROSTER_DRIVE_H
#define ROSTER_DRIVE_H

#include <roster.h>

enum { DRIVE_CONNECTIONS_MOST = 4096, DRIVE_BATCH_MOST = 10000, DRIVE_TOKEN_MOST = 128, DRIVE_NAME_MOST = 64 };

/* What became of the rewards, in the service's words. */
typedef enum drive_status {
    DRIVE_JOINED,
    DRIVE_DUPLICATE,
    DRIVE_LATE,
    DRIVE_UNKNOWN,
    DRIVE_OUT_OF_RANGE,
    DRIVE_STATUSES
} drive_status;

enum { DRIVE_SLOTS = 1024 };

typedef struct drive_figures {
    double seconds;                    /* since the first decision was asked for               */
    uint64_t decisions, repeated;      /* answered; of these, asked for again after a fault     */
    uint64_t best;                     /* by the best expert of their episode                   */
    uint64_t statuses[DRIVE_STATUSES]; /* rewards answered                                     */
    uint64_t lost, unsent;             /* never sent; not sent yet when the drive was ended     */
    uint64_t requests, faults;         /* answered; connections that broke, and answers 503     */
    uint64_t episodes;                 /* begun                                                */
    double regret, reward;             /* in expected values; sum of the rewards drawn          */
    uint64_t slots[DRIVE_SLOTS];       /* how long requests took, see drive_percentile          */
    size_t experts;
    uint64_t *plays; /* [experts]: borrowed while the drive runs, then owned by the caller */
} drive_figures;

/* Milliseconds that this share of the requests stayed below, within 2%. NAN without any. */
double drive_percentile(const drive_figures *figures, double share);
const char *drive_status_word(drive_status status);

typedef struct drive_options {
    const char *server;   /* http://HOST:PORT                            */
    const char *campaign; /* its name                                    */
    const char *token;    /* NULL: none                                  */
    const char *description;
    const roster_study *study;           /* whose world is played, and whose agent the campaign gets */
    const double *context_probabilities; /* [X]: declared by the campaign                */
    const char *const *contexts;         /* names */
    const char *const *actions;
    double rate;                    /* decisions a second; 0: as fast as it goes  */
    size_t connections, batch;      /* requests at a time; decisions or rewards of one */
    double delay_least, delay_most; /* seconds from a decision to its reward      */
    double loss, duplicates;        /* shares of rewards                          */
    double wait;                    /* the campaign's window; 0: the service's own */
    uint64_t events;                /* 0: those of the study's episodes; more: these begin again */
    /* Called some times a second; false ends the drive. */
    bool (*progress)(void *context, const drive_figures *figures);
    void *context;
} drive_options;

/* Plays until all is decided and rewarded, or progress says to stop. On failure *figures is what was seen until then,
   and the sentence says what the service refused or how it contradicts itself. figures->plays is to be freed. */
int drive_run(const drive_options *options, drive_figures *figures, roster_error *err);

#endif
