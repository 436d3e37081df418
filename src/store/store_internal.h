/*
 * store_internal.h: what the files of store/ share: the open database.
 */
#ifndef ROSTER_STORE_INTERNAL_H
#define ROSTER_STORE_INTERNAL_H

#include "store.h"

#include "byte_order.h"
#include "common_error.h"
#include "common_hash.h"

#include <sqlite3.h>

enum { STORE_INSERT, STORE_AT, STORE_AFTER, STORE_BEFORE, STORE_STATEMENTS };
enum { STORE_VERSION = 2 }; /* of the tables; 1 has no MACs, and is made 2 when it is first written to */

/* What names of files begin with, before the number of a record. */
#define STORE_SNAPSHOT "snapshot-"
#define STORE_BASE "base-"

enum { STORE_WAIT = 10000 }; /* milliseconds that a change of old rows waits for readers */

/* What a kind of store does behind the functions of store.h, which say what each is for. Never called with NULL. */
typedef struct store_type {
    int (*append)(store *self, const store_row *row, roster_error *err);
    int (*read)(store *self, uint64_t number, store_row *row, bool *found, roster_error *err);
    void (*rest)(store *self);
    int (*snapshot_put)(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err);
    int (*snapshot_write)(const store *self, store_end at, const void *bytes, size_t size, roster_error *err);
    int (*snapshot_get)(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                        roster_error *err);
    void (*snapshot_clean)(const store *self);
    void (*cut_read)(store *self);
    int (*whole)(const store *self, roster_error *err);
    int (*check)(store *self, roster_error *err);
    void (*state_get)(store *self, store_state *out);
    void (*limit)(store *self, uint64_t bytes);
    void (*forked)(store *self);
    void (*close)(store *self);
} store_type;

extern const store_type store_sqlite, store_postgres;

int store_sqlite_open(store **out, const char *directory, const store_options *options, roster_error *err);
int store_postgres_open(store **out, const char *url, const store_options *options, roster_error *err);

typedef struct store_server store_server; /* store_postgres.h: a connection to PostgreSQL */

struct store {
    const store_type *type;
    store_server *server;   /* owned; of PostgreSQL alone, and of SQLite what is said of files, db and statements */
    char *directory, *path; /* owned; path: of the database */
    store_mode mode;
    sqlite3 *db;                                /* owned */
    sqlite3_file *file;                         /* of db, borrowed; NULL in a child made by fork */
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* owned */
    sqlite3_int64 version;                      /* of the tables                                */
    int lock;                                   /* file that is held while writing; -1: none    */
    int mark;                                   /* the high-water mark; -1: it cannot be written */
    bool sync_due;                              /* the journal was copied: the mark is to be synchronised */
    uint64_t last, checksum;                    /* of the last row: its last record, checksum   */
    uint64_t known;                             /* as mark and snapshots said when it was opened: the last record */
    uint64_t lost;                              /* records that were given up then              */
    bool other;                                 /* the log is not the one that the mark was written for */
    bool baseless;                              /* records are missing, and the rest cannot be started from */
    uint64_t rows;                              /* appended by this store                       */
    uint64_t read_end, read_checksum;           /* of the row read last: one past its records   */
    store_key *key;                             /* owned; NULL: rows get no MAC                 */
    unsigned char link[STORE_HASH];             /* what the next MAC is linked to               */
    bool signed_rows;                           /* the last row has a MAC                       */
    store_cut cut;                              /* where the log begins                         */
};

/* store_files.c: DIRECTORY/NAME, for the caller to free; NULL: no memory. */
char *store_join(const char *directory, const char *name);
/* What the file system refused at that path. */
int store_fail_file(const char *path, int why, roster_error *err);
/* Of PATH with the ending; 0: it is not there. */
uint64_t store_bytes_of(const char *path, const char *ending);
/* The log's files are on disk as far as they were written, also where rows are not synchronised one by one. */
bool store_synchronise(const store *self);
bool store_synchronise_directory(const store *self);
/* One file, the path with the ending; one that is not there is fine. */
bool store_synchronise_file(const char *path, const char *ending);
/* Renames a file of the directory, if it is there. */
int store_rename(const store *self, const char *from, const char *to, roster_error *err);

/* Behind the functions of the same names in store.h, for SQLite. */
int store_sqlite_append(store *self, const store_row *row, roster_error *err);
int store_sqlite_read(store *self, uint64_t number, store_row *row, bool *found, roster_error *err);
void store_sqlite_rest(store *self);
int store_sqlite_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err);
int store_sqlite_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err);
int store_sqlite_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                              roster_error *err);
void store_sqlite_snapshot_clean(const store *self);
void store_sqlite_cut_read(store *self);
int store_sqlite_whole(const store *self, roster_error *err);
void store_sqlite_forked(store *self);

/* store_sqlite.c: what the database refused, as a code and a sentence. */
int store_fail(const store *self, int why, roster_error *err);
/* Runs statements that give nothing. */
int store_run(store *self, const char *sql, roster_error *err);

/* From now on with that connection, which is the store's then. */
int store_reconnect(store *self, sqlite3 *db, roster_error *err);

/* store_lock.c: makes the directory where it is missing, and holds it for this process. */
int store_lock(store *self, const char *directory, roster_error *err);
void store_unlock(store *self);

/* store_high_water.c: the mark that is there and what snapshots say, before the database is opened. */
void store_mark_read(store *self, store_end *mark);
/* Whether the row at the mark is the one that was written, and, where records are missing, whether the rest can be
   started from; sets self->other and self->baseless. */
int store_mark_compare(store *self, store_end mark, roster_error *err);
/* Refuses a log that is missing records, or accepts the loss. */
int store_mark_enforce(store *self, uint64_t accepted, roster_error *err);
/* Notes where the log ends. Never fails: a mark that is behind is no loss. */
void store_mark_write(store *self);
void store_mark_sync(const store *self);

/* store_mac.c: prepares for signing: the key is copied, and checked against the last row. */
int store_sign_with(store *self, const store_key *key, roster_error *err);
/* The MAC of a row that is to be appended. */
void store_sign(const store *self, const store_row *row, unsigned char mac[STORE_HASH]);
/* NULL is fine: none. */
int store_key_copy(store *self, const store_key *key, roster_error *err);
void store_key_free(store *self);

/* The MAC of a snapshot: of its head and of what follows. */
void store_sign_snapshot(const store *self, const unsigned char *head, size_t size, const void *bytes, size_t n,
                         unsigned char mac[STORE_HASH]);
bool store_same_mac(const unsigned char a[STORE_HASH], const unsigned char b[STORE_HASH]);

/* store_cut.c: a log that is opened beside the one that writes, in its process: the database lets them take turns. */
int store_open_beside(store **out, const char *directory, roster_error *err);
/* Copies the journal into the database and empties it, so that nothing of old rows stays in the files. The writer must
   not wait for readers: it is tried again and again for ten seconds instead. */
int store_cut_journal(store *self, roster_error *err);
/* Writes where log and audit begin. */
int store_base_write(store *self, const store_cut *cut, roster_error *err);
/* Removes the bases of all but these two records. */
void store_base_clean(const store *self, uint64_t one, uint64_t two);

/* store_snapshots.c: what a snapshot begins with, in a file or in a table. */
enum { STORE_SNAPSHOT_HEAD = 32, STORE_SNAPSHOTS_KEPT = 2 };
typedef struct store_snapshot_start {
    unsigned char bytes[STORE_SNAPSHOT_HEAD + STORE_HASH];
    size_t size; /* with the MAC or without */
} store_snapshot_start;

/* Of the state after the record of `at`; signed where there is a key. */
void store_snapshot_begin(const store *self, store_end at, const void *bytes, size_t size, store_snapshot_start *out);
/* False: it is none of a snapshot. */
bool store_snapshot_parse(store_snapshot_start *self, const void *bytes, size_t size);
/* Whether the rest is whole, of this record of this log, and may be trusted. */
bool store_snapshot_fits(const store *self, const store_snapshot_start *head, store_end at, const void *bytes,
                         size_t size);
/* The checksum of the row that holds the record; *found is false where there is none. */
int store_row_of(store *log, uint64_t number, uint64_t *checksum, bool *found, roster_error *err);
/* store_snapshots.c: removes those of records before that one. */
void store_snapshot_remove(const store *self, uint64_t before);
/* Signs the base where it is not, before the first row is. */
int store_base_sign(store *self, roster_error *err);
/* store_snapshots.c: DIR/PREFIX and the number, for the caller to free; NULL: no memory. */
char *store_snapshot_path(const store *self, const char *prefix, uint64_t number);
/* store_snapshots.c: the number of the newest snapshot up to `most`; false: there is none. */
bool store_snapshot_find(const store *self, uint64_t most, uint64_t *number);
/* The newest one whose file begins as a snapshot does; 0: none. */
uint64_t store_snapshot_newest(const store *self);
/* Renames snapshots and bases of records after `last` to lost-NAME. */
int store_snapshot_set_aside(const store *self, uint64_t last, roster_error *err);

#endif
