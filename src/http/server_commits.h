/*
 * server_commits.h: how records become durable: in a log that is this server's alone, or in one that others append to,
 * too; and what follows from the second.
 */
#ifndef ROSTER_SERVER_COMMITS_H
#define ROSTER_SERVER_COMMITS_H

#include "http_internal.h"

/* ---- how records become durable: server_commit.c alone, server_turns.c with others ---- */

struct server_commits {
    int (*start)(server *self, roster_error *err);
    /* Makes the rest durable and ends the thread. */
    void (*stop)(server *self);
    /* The request is to be answered when all that is pending now is durable. */
    void (*wait)(server *self, server_request *q);
    /* Commits what is pending, and answers those whose commit is done. */
    void (*step)(server *self, int64_t now);
    /* When step has something to do next though nothing happened, by server_clock. */
    int64_t (*next)(const server *self);
    /* Every 50 ms. */
    void (*tick)(server *self);
    /* Asks for the state of the log, for self->state. */
    void (*check)(server *self);
};

extern const server_commits server_commits_alone, server_commits_by_turns;

/* Whether the log is open: the engine can be asked. */
static inline bool server_is_open(const server *self)
{
    return self->committer != NULL || self->turns != NULL;
}

/* Answers all of them, which wait for the same commit. */
void server_answer_all(server *self, server_request *q, bool failed);
/* Says so where that the log can be written is new, or that it cannot. */
void server_say_store(server *self, bool was_failed, bool ok, const roster_error *wrong);

/* ---- server_turns.c: a log that others append to, too ---- */

/* Whether requests that change something are to be queued until there is a turn. */
bool server_turns_queues(const server *self);
/* Whether a turn has as many records as it should. */
bool server_turns_is_full(const server *self);
/* A job is done in a turn, if there is none now: its `done` is called then. False: go on. */
bool server_turns_defer(server *self, server_job *job);
/* The database's clock. */
int64_t server_turns_time(const server *self);
/* Seconds since this server knew where the log ends. */
double server_turns_lag(const server *self);
/* The last record of the engine that is durable, and the checksum of its row. */
store_end server_log_end(const server *self);

/* ---- server_engines.c ---- */

/* Another engine, which is the server's then; what waited for the old one is refused. */
void server_replace_engine(server *self, service *engine);
/* Frees former ones that nothing points into any more. */
void server_free_retired(server *self);
void server_free_engines(server *self);
/* Refuses episodes that wait for others; and lists that are not done. */
void server_episodes_refuse(server *self);
void server_lists_refuse(server *self);

#endif
