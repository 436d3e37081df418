/*
 * store_sqlite.c: the event log in one SQLite file, DIR/roster.db.
 *
 *   log(first, count, at, records, checksum, mac, digest)     a row per commit; mac is NULL without a key, digest
 *                                                             where nothing in the row was erased
 *
 * Paper: none.
 *
 * The journal is a write-ahead log: readers never wait for the writer, and a commit is one write and one fsync of it
 * (synchronous = FULL; with STORE_OS only checkpoints are synchronised). What is damaged of a journal SQLite takes for
 * its end, and writes over it: nothing is written, and no journal copied and removed, before the log was compared with
 * its high-water mark.
 *
 * Cost: per row one fsync and about 1.1 times its bytes, twice (journal, then file).
 * Check: tests/unit/test_store.c.
 */
#include "store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { APPLICATION = 0x726f7374, CHECKPOINT_PAGES = 4000 };

/* What the database refused, as a code and a sentence an operator can act upon. */
int store_fail(const store *self, int why, roster_error *err)
{
    const char *path = self->path, *words = self->db != NULL ? sqlite3_errmsg(self->db) : sqlite3_errstr(why);
    switch (why & 0xff) {
    case SQLITE_NOMEM:
        return common_fail_memory(err);
    case SQLITE_FULL:
        return common_fail(err, STORE_EFULL, "%.200s cannot grow: %.160s; make room, earlier data can still be read",
                           path, "the disk is full");
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return common_fail(err, STORE_EREADONLY, "%.200s cannot be written: %.160s", path, words);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return common_fail(err, STORE_EBUSY, "%.200s is in use by another process: %.160s", path, words);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return common_fail(err, ROSTER_EDAMAGED, "%.200s is damaged: %.160s; restore a backup", path, words);
    default:
        return common_fail(err, STORE_EIO, "%.200s cannot be used: %.160s", path, words);
    }
}

int store_run(store *self, const char *sql, roster_error *err)
{
    int why = sqlite3_exec(self->db, sql, NULL, NULL, NULL);
    return why == SQLITE_OK ? ROSTER_OK : store_fail(self, why, err);
}

/* The one number that a statement gives. */
static int ask(store *self, const char *sql, sqlite3_int64 *out, roster_error *err)
{
    sqlite3_stmt *statement = NULL;
    int why = sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL);
    if (why == SQLITE_OK)
        why = sqlite3_step(statement);
    *out = why == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    int code = why == SQLITE_ROW || why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_finalize(statement);
    return code;
}

/* The journal is copied into the database as SQLite would do it by itself; the mark is then synchronised too. */
static int copy_journal(void *context, sqlite3 *db, const char *name, int pages)
{
    store *self = context;
    if (pages < CHECKPOINT_PAGES)
        return SQLITE_OK;
    sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    self->sync_due = true;
    return SQLITE_OK;
}

/* Makes the tables, or makes those of version 1 what they are now. */
static int set_up(store *self, roster_error *err)
{
    static const char create[] =
        "BEGIN IMMEDIATE;"
        "CREATE TABLE IF NOT EXISTS log(first INTEGER PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL,"
        " records BLOB NOT NULL, checksum INTEGER NOT NULL, mac BLOB, digest BLOB);"
        "PRAGMA application_id = 1919906676; PRAGMA user_version = 2; COMMIT;";
    static const char upgrade[] =
        "BEGIN IMMEDIATE; ALTER TABLE log ADD COLUMN mac BLOB; ALTER TABLE log ADD COLUMN digest BLOB;"
        " PRAGMA user_version = 2; COMMIT;";
    int code = store_run(self, "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON", err);
    if (code == ROSTER_OK)
        code = store_run(
            self, self->mode == STORE_DURABLE ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", err);
    if (code == ROSTER_OK && self->version != STORE_VERSION)
        code = store_run(self, self->version == 0 ? create : upgrade, err);
    if (code != ROSTER_OK)
        return code;
    self->version = STORE_VERSION;
    sqlite3_file_control(self->db, "main", SQLITE_FCNTL_FILE_POINTER, &self->file);
    sqlite3_wal_hook(self->db, copy_journal, self);
    sqlite3_db_config(self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    return ROSTER_OK;
}

/* That it is a log of ours; an empty file is one that has yet to be set up, version 0. */
static int check_kind(store *self, roster_error *err)
{
    sqlite3_int64 application, tables;
    int code = ask(self, "PRAGMA application_id", &application, err);
    if (code == ROSTER_OK)
        code = ask(self, "PRAGMA user_version", &self->version, err);
    if (code == ROSTER_OK)
        code = ask(self, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (code != ROSTER_OK)
        return code;
    if (tables == 0 && self->mode != STORE_READ) {
        self->version = 0;
        return ROSTER_OK;
    }
    if (tables == 0 && self->known > 0)
        return store_whole(self, err);
    if (application != APPLICATION)
        return common_fail(err, ROSTER_EDAMAGED, "%.200s is not an event log of roster", self->path);
    if (self->version < 1 || self->version > STORE_VERSION)
        return common_fail(err, ROSTER_EDAMAGED, "%.200s is of another version than this program reads", self->path);
    return ROSTER_OK;
}

/* Bytes of the folder in a path, at most 200. */
static int folder_size(const char *path)
{
    const char *end = strrchr(path, '/');
    return end == NULL ? 0 : end - path < 200 ? (int)(end - path) : 200;
}

/* Opens the database of that name; alone: no memory is shared with other processes. */
static int connect(store *self, const char *name, int flags, bool alone, roster_error *err)
{
    int why = sqlite3_open_v2(name, &self->db, flags, NULL);
    if (why != SQLITE_OK && self->mode == STORE_READ && access(self->path, F_OK) != 0)
        return common_fail(err, STORE_EIO, "%.200s does not exist: is %.*s the --data folder of a server?", self->path,
                           folder_size(self->path), self->path);
    if (why != SQLITE_OK)
        return store_fail(self, why, err);
    sqlite3_busy_timeout(self->db, 5000);
    sqlite3_db_config(self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (alone && (why = sqlite3_exec(self->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL)) != SQLITE_OK)
        return store_fail(self, why, err);
    return check_kind(self, err);
}

/* A log in a directory that may not be written, where even reading would make a file: as it stands, its journal read
   into memory of this process. */
static int connect_at_rest(store *self, bool journal, roster_error *err)
{
    const char *end = journal ? "?mode=ro&vfs=unix-none" : "?immutable=1";
    char *name = malloc(3 * strlen(self->path) + strlen(end) + 6), *to = name;
    if (name == NULL)
        return common_fail_memory(err);
    to += sprintf(to, "file:");
    for (const char *from = self->path; *from != '\0'; from++)
        to += sprintf(to, strchr("%?#", *from) != NULL ? "%%%02x" : "%c", (unsigned char)*from);
    strcpy(to, end);
    sqlite3_close(self->db);
    self->db = NULL;
    int code = connect(self, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, journal, err);
    free(name);
    return code;
}

static int connect_any(store *self, roster_error *err)
{
    if (self->mode != STORE_READ)
        return connect(self, self->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, err);
    int code = connect(self, self->path, SQLITE_OPEN_READONLY, false, err);
    bool writable = access(self->directory, W_OK) == 0;
    if (self->db != NULL && (code == STORE_EREADONLY || (code == STORE_EIO && !writable)))
        return connect_at_rest(self, store_bytes_of(self->path, "-wal") > 0, err);
    return code;
}

static void finalize(store *self)
{
    for (int i = 0; i < STORE_STATEMENTS; i++) {
        sqlite3_finalize(self->statements[i]);
        self->statements[i] = NULL;
    }
}

/* Statements of tables of version 1, whose rows have no MAC and which are only read, and of version 2. */
#define SELECT_ROW(mac) "SELECT first, count, at, records, checksum, " mac " FROM log WHERE first "
#define AT "<= ?1 ORDER BY first DESC LIMIT 1"
#define AFTER "> ?1 ORDER BY first LIMIT 1"
#define BEFORE "SELECT checksum FROM log WHERE first < ?1 ORDER BY first DESC LIMIT 1"
static const char *const statements[STORE_VERSION][STORE_STATEMENTS] = {
    {[STORE_AT] = SELECT_ROW("NULL, NULL") AT, [STORE_AFTER] = SELECT_ROW("NULL, NULL") AFTER, [STORE_BEFORE] = BEFORE},
    {[STORE_INSERT] = "INSERT INTO log(first, count, at, records, checksum, mac) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
     [STORE_AT] = SELECT_ROW("mac, digest") AT,
     [STORE_AFTER] = SELECT_ROW("mac, digest") AFTER,
     [STORE_BEFORE] = BEFORE},
};

static int prepare(store *self, roster_error *err)
{
    for (int i = 0; i < STORE_STATEMENTS; i++) {
        const char *sql = statements[self->version - 1][i];
        int why = sql == NULL
                      ? SQLITE_OK
                      : sqlite3_prepare_v3(self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &self->statements[i], NULL);
        if (why != SQLITE_OK)
            return store_fail(self, why, err);
    }
    return ROSTER_OK;
}

int store_reconnect(store *self, sqlite3 *db, roster_error *err)
{
    finalize(self);
    sqlite3_close(self->db);
    self->db = db;
    return prepare(self, err);
}

/* Where the log ends. */
static int find_end(store *self, roster_error *err)
{
    sqlite3_int64 first;
    store_row row;
    bool found = false;
    store_cut_read(self);
    self->last = self->cut.record;
    self->checksum = self->cut.checksum;
    self->signed_rows = self->cut.signed_rows > 0;
    int code = ask(self, "SELECT max(first) FROM log", &first, err);
    if (code == ROSTER_OK && first > 0)
        code = store_read(self, (uint64_t)first, &row, &found, err);
    if (code == ROSTER_OK && found) {
        self->last = row.first + row.count - 1;
        self->checksum = row.checksum;
        self->signed_rows = row.mac != NULL;
    }
    return code;
}

/* SQLite removes the journal of a database that is empty: whether that may be is known before it is asked. */
static int check_empty(store *self, uint64_t accepted, roster_error *err)
{
    if (store_bytes_of(self->path, "") > 0)
        return ROSTER_OK;
    if (self->known > 0 && (self->mode == STORE_READ || accepted != self->known))
        return store_whole(self, err);
    if (self->known == 0 && store_bytes_of(self->path, "-wal") > 0)
        return common_fail(err, ROSTER_EDAMAGED,
                           "%.200s is empty or missing, but its journal is there: restore a backup, or move %.160s-wal "
                           "away to begin a new log",
                           self->path, self->path);
    return ROSTER_OK;
}

/* What is there, before anything is changed. */
static int read_log(store *self, const store_options *options, roster_error *err)
{
    store_end mark;
    store_mark_read(self, &mark);
    int code = check_empty(self, options->accept_loss, err);
    if (code == ROSTER_OK)
        code = connect_any(self, err);
    if (code != ROSTER_OK || self->version == 0)
        return code;
    code = prepare(self, err);
    if (code == ROSTER_OK)
        code = find_end(self, err);
    return code == ROSTER_OK ? store_mark_compare(self, mark, err) : code;
}

/* From here on the log may be written. */
static int begin_writing(store *self, const store_options *options, roster_error *err)
{
    int code = store_mark_enforce(self, options->accept_loss, err);
    if (code == ROSTER_OK)
        code = store_sign_with(self, options->key, err);
    finalize(self); /* the journal's kind, which a backup does not keep, cannot be changed while something is read */
    if (code == ROSTER_OK)
        code = set_up(self, err);
    if (code == ROSTER_OK)
        code = prepare(self, err);
    if (code != ROSTER_OK)
        return code;
    store_snapshot_clean(self);
    if (store_synchronise(self))
        store_mark_write(self);
    return ROSTER_OK;
}

static void discard(store *self)
{
    finalize(self);
    sqlite3_close(self->db);
    if (self->mark >= 0)
        close(self->mark);
    store_unlock(self);
    store_key_free(self);
    free(self->path);
    free(self->directory);
    free(self);
}

int store_sqlite_open(store **out, const char *directory, const store_options *options, roster_error *err)
{
    *out = NULL;
    store *self = calloc(1, sizeof *self);
    if (self == NULL)
        return common_fail_memory(err);
    self->type = &store_sqlite;
    self->mode = options->mode;
    self->lock = self->mark = -1;
    self->path = store_join(directory, "roster.db");
    self->directory = store_join(directory, ""); /* ends with a slash */
    int code = self->path != NULL && self->directory != NULL ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK && self->mode != STORE_READ)
        code = store_lock(self, directory, err);
    if (code == ROSTER_OK)
        code = read_log(self, options, err);
    if (code == ROSTER_OK)
        code = self->mode == STORE_READ ? store_key_copy(self, options->key, err) : begin_writing(self, options, err);
    if (code != ROSTER_OK) {
        discard(self);
        return code;
    }
    *out = self;
    return ROSTER_OK;
}

static void close_log(store *self)
{
    if (self->mode != STORE_READ && store_synchronise(self)) {
        store_mark_write(self);
        store_mark_sync(self);
    }
    discard(self);
}

static void limit_pages(store *self, uint64_t bytes)
{
    char sql[80];
    sqlite3_int64 size;
    if (ask(self, "PRAGMA page_size", &size, NULL) != ROSTER_OK || size <= 0)
        return;
    snprintf(sql, sizeof sql, "PRAGMA max_page_count = %llu",
             bytes > 0 ? (unsigned long long)(bytes / (uint64_t)size + 1) : 4294967294ULL);
    store_run(self, sql, NULL);
}

static int check_pages(store *self, roster_error *err)
{
    sqlite3_stmt *statement = NULL;
    char words[200] = "";
    int why = sqlite3_prepare_v2(self->db, "PRAGMA integrity_check(1)", -1, &statement, NULL);
    if (why == SQLITE_OK)
        why = sqlite3_step(statement);
    int code = why == SQLITE_ROW || why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    if (why == SQLITE_ROW && sqlite3_column_text(statement, 0) != NULL)
        snprintf(words, sizeof words, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    if (code == ROSTER_OK && strcmp(words, "ok") != 0)
        return common_fail(err, ROSTER_EDAMAGED, "%.200s is damaged: %.160s; restore a backup", self->path, words);
    return code;
}

static void get_state(store *self, store_state *out)
{
    uint64_t snapshot = 0;
    store_snapshot_find(self, UINT64_MAX, &snapshot);
    *out = (store_state){.records = self->last,
                         .rows = self->rows,
                         .bytes = store_bytes_of(self->path, "") + store_bytes_of(self->path, "-wal"),
                         .snapshot = snapshot,
                         .lost = self->lost};
}

const store_type store_sqlite = {
    .append = store_sqlite_append,
    .read = store_sqlite_read,
    .rest = store_sqlite_rest,
    .snapshot_put = store_sqlite_snapshot_put,
    .snapshot_write = store_sqlite_snapshot_write,
    .snapshot_get = store_sqlite_snapshot_get,
    .snapshot_clean = store_sqlite_snapshot_clean,
    .cut_read = store_sqlite_cut_read,
    .whole = store_sqlite_whole,
    .check = check_pages,
    .state_get = get_state,
    .limit = limit_pages,
    .forked = store_sqlite_forked,
    .close = close_log,
};
