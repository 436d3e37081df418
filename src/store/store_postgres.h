/*
 * store_postgres.h: what the files about PostgreSQL share: a connection, and statements on it.
 *
 * Statements are sent together and answered together (libpq's pipeline mode): one round trip for all of them. They have
 * no name and leave nothing behind in the session, so that a pooler may be between.
 */
#ifndef ROSTER_STORE_POSTGRES_H
#define ROSTER_STORE_POSTGRES_H

#include "store_internal.h"

#include <libpq-fe.h>

enum {
    STORE_PARAMETERS = 12, /* of a statement, at most                            */
    STORE_FETCH = 16,      /* rows of the log that are read at one time          */
    STORE_PATIENCE = 5     /* seconds that the database may take for an answer   */
};
#define STORE_LOG "1" /* the number of the log: column `log` of all tables */
#define STORE_UNORDERED                                                                                                \
    "40001" /* SQLSTATE: the transaction does not fit into an order with others, and is to be begun again */
#define STORE_COLUMNS "first, count, at, records, checksum, mac"

struct store_server {
    char *url;       /* owned */
    PGconn *link;    /* owned; NULL: there is none, and the next statement connects */
    char state[6];   /* SQLSTATE of the last failure, "" where the connection failed */
    char writer[17]; /* who appends: random, of this store alone */
    PGresult *rows;  /* owned: the rows read last, from which store_read lends; NULL: none */
    bool in_turn;    /* the head is locked */
    uint64_t end;    /* then: the last record in the log */
};

typedef struct store_parameter {
    Oid type;
    unsigned char number[8];
    const void *bytes; /* borrowed; NULL and no number: NULL */
    size_t size;
} store_parameter;

typedef struct store_statement {
    const char *sql;
    int n;
    store_parameter parameters[STORE_PARAMETERS];
} store_statement;

void store_put_number(store_statement *self, int64_t number);
/* NULL: the database's NULL. */
void store_put_bytes(store_statement *self, const void *bytes, size_t size);
void store_put_text(store_statement *self, const char *text);

/* A whole number of the answer; 0 where it is NULL. */
int64_t store_number_at(const PGresult *rows, int row, int column);

/* Runs them in one round trip, and connects where that is needed. results [n], for the caller to clear; all NULL on
   failure, and then whatever was begun is undone: the connection is closed, or, where the SQLSTATE is STORE_UNORDERED,
   goes on without it. results may be NULL. */
int store_link_run(store *self, const store_statement *statements, size_t n, PGresult **results, roster_error *err);
/* The one of them whose statement gives rows. */
int store_link_ask(store *self, const store_statement *statement, PGresult **result, roster_error *err);
void store_link_close(store *self);
/* "postgresql://user@host:port/database", for the caller to free; NULL: no memory, or no URL, and err says which. */
char *store_link_name(const char *url, roster_error *err);

/* The row comes next after those that this store knows: it knows this one, too. ROSTER_EDAMAGED: it does not follow. */
int store_follow(store *self, const store_row *row, roster_error *err);

/* Lets go of the rows that were read, and keeps these instead, which are owned from now on. */
void store_rows_keep(store *self, PGresult *rows);

/* store_postgres_snapshots.c */
int store_postgres_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err);
int store_postgres_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err);
int store_postgres_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                                roster_error *err);
/* The number of the newest snapshot up to `most`, 0: none. */
int store_postgres_snapshot_find(store *self, uint64_t most, uint64_t *number, roster_error *err);

#endif
