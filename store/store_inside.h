/*
 * store_inside.h: what the files of store/ share: the open database.
 */
#ifndef ROSTER_STORE_INSIDE_H
#define ROSTER_STORE_INSIDE_H

#include "store.h"

#include <sqlite3.h>

enum { STORE_INSERT, STORE_AT, STORE_AFTER, STORE_BEFORE, STORE_SNAPSHOT, STORE_THIN, STORE_LATEST, STORE_STATEMENTS };

struct store {
    char *path; /* owned: of the database */
    store_mode mode;
    sqlite3 *db;                                /* owned */
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* owned */
    int lock;                                   /* file that is held while writing; -1: none    */
    uint64_t last, checksum;                    /* of the last row: its last record, checksum   */
    uint64_t rows;                              /* appended by this store                       */
    uint64_t read_end, read_checksum;           /* of the row read last: one past its records   */
};

/* What the database refused, as a code and a sentence. */
int store_fail(const store *self, int why, roster_error *err);

#endif
