/*
 * server_turns.h: the log in a database that other servers append to as well (store_turn.h): what the loop and the
 * thread that talks to the database share.
 */
#ifndef ROSTER_SERVER_TURNS_H
#define ROSTER_SERVER_TURNS_H

#include "server_commits.h"

#include "store_turn.h"

/* What the thread is asked for. */
typedef enum turns_command {
    TURNS_NONE,
    TURNS_TAKE,    /* a turn, with the rows that others appended                      */
    TURNS_APPEND,  /* the row, which ends the turn                                    */
    TURNS_CANCEL,  /* the turn ends without                                           */
    TURNS_TAIL,    /* rows that others appended, without a turn                       */
    TURNS_RESOLVE, /* what became of the row that was to be appended                  */
    TURNS_STATE,   /* of the log, for people and metrics                              */
    TURNS_REBUILD  /* the engine anew, from what is in the database                   */
} turns_command;

typedef enum turns_outcome {
    TURNS_DONE,
    TURNS_MORE, /* rows, and there are more: no turn was taken */
    TURNS_DOWN, /* the database does not answer, or refuses    */
    TURNS_LOST  /* the log in the database is not the one that the engine was made from */
} turns_outcome;

/* Rows with bytes of their own. */
typedef struct turns_rows {
    store_row *rows; /* owned, [n]; so are their bytes and MACs */
    size_t n, room, bytes;
} turns_rows;

struct server_turns {
    server *server;
    pthread_t thread;
    pthread_mutex_t lock; /* of command, has_ended, stops */
    pthread_cond_t wake;
    turns_command command;
    bool has_ended, stops;

    /* of the thread while a command is under way, of the loop otherwise */
    turns_outcome outcome;
    roster_error wrong;
    turns_rows rows;
    store_turn turn;
    store_row row;    /* to append */
    service *rebuilt; /* owned */
    store_end end;    /* of the log, as the store knows it */
    uint64_t lost;    /* records that the engine has and the database has not */
    bool was_in;      /* the row that was resolved was in the log */
    store_state state;

    /* of the loop */
    bool busy, held;
    turns_command asked;
    bool unresolved, damaged; /* a row whose fate is not known; an engine to be made anew */
    bool has_due;             /* windows or episodes are over */
    bool wants_state;
    int64_t begun;        /* the command, by server_clock */
    int64_t retry, pause; /* after a failure: not before; how long the next pause is */
    int64_t next_tail, next_probe;
    int64_t time, time_at; /* the database's clock, and server_clock at that moment */
    int64_t known_at;      /* the log's end was last known, by server_clock */
    store_end engine_end;  /* the last record that the engine has, and is in the log; the checksum of its row */
    server_request *waiting, **waiting_end, *written;
    server_job *jobs, **jobs_end; /* that are to be done in a turn */
};

/* In the thread. */
void turns_run(server_turns *self, turns_command command);
void turns_rows_clear(turns_rows *self);

#endif
