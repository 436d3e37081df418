/*
 * store_inside.h: what the files of store/ share: the open database.
 */
#ifndef ROSTER_STORE_INSIDE_H
#define ROSTER_STORE_INSIDE_H

#include "store.h"

#include <sqlite3.h>

enum { STORE_INSERT, STORE_AT, STORE_AFTER, STORE_BEFORE, STORE_STATEMENTS };

struct store {
    char *directory, *path; /* owned; path: of the database */
    store_mode mode;
    sqlite3 *db;                                /* owned */
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* owned */
    int lock;                                   /* file that is held while writing; -1: none    */
    uint64_t last, checksum;                    /* of the last row: its last record, checksum   */
    uint64_t rows;                              /* appended by this store                       */
    uint64_t read_end, read_checksum;           /* of the row read last: one past its records   */
};

/* A sentence with two words in it. Returns the code. */
int store_say(roster_error *err, int code, const char *format, const char *a, const char *b);
/* DIRECTORY/NAME, for the caller to free; NULL: no memory. */
char *store_join(const char *directory, const char *name);
/* What the database refused, as a code and a sentence. */
int store_fail(const store *self, int why, roster_error *err);
/* snapshots.c: the number of the newest snapshot up to `most`; false: there is none. */
bool store_snapshot_find(const store *self, uint64_t most, uint64_t *number);

#endif
