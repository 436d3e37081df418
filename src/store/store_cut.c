/*
 * store_cut.c: a log that lost its beginning on purpose: old rows are dropped once their effect is in a snapshot.
 *
 *   base(record, checksum, snapshot, signed_rows, head, link, erased)     one row: where log and audit begin now
 *   DIR/base-NUMBER                                                       the state that stands for what is gone
 *
 * Paper: none.
 *
 * The row of `base` is written in one transaction, and from then on rows up to there are not read any more; they are
 * deleted afterwards in pieces, so that the writer does not wait for long, and what a crash leaves of them is deleted
 * with the next cut. Checksum, head and MAC of the last dropped row are kept, so that the chain of the rows that are
 * left can still be checked. The base is a hard link to a snapshot, made before. What is deleted is overwritten with
 * zeros.
 *
 * The last row is never dropped.
 *
 * Cost: of finding a cut, that of reading and hashing what is dropped; of making it, of rewriting its pages.
 * Check: tests/unit/test_store_cut.c, tests/http/retention.py.
 */
#include "store_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECE = 500, /* rows deleted in one transaction */
    TRIES = 500,
    PAUSE = 20000000 /* nanoseconds between tries */
};

void store_sqlite_cut_read(store *self)
{
    sqlite3_stmt *statement = NULL;
    static const char sql[] = "SELECT record, checksum, snapshot, signed_rows, head, link, erased FROM base";
    self->cut = (store_cut){0};
    if (sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_bytes(statement, 4) == STORE_HASH && sqlite3_column_bytes(statement, 5) == STORE_HASH) {
        store_cut *to = &self->cut;
        to->record = (uint64_t)sqlite3_column_int64(statement, 0);
        to->checksum = (uint64_t)sqlite3_column_int64(statement, 1);
        to->snapshot = (uint64_t)sqlite3_column_int64(statement, 2);
        to->signed_rows = (uint64_t)sqlite3_column_int64(statement, 3);
        to->erased = (uint64_t)sqlite3_column_int64(statement, 6);
        memcpy(to->head, sqlite3_column_blob(statement, 4), STORE_HASH);
        memcpy(to->link, sqlite3_column_blob(statement, 5), STORE_HASH);
    }
    sqlite3_finalize(statement);
}

/* The cut after one more row. */
static void advance(store_cut *self, const store_row *row)
{
    store_head head = {.records = self->record};
    memcpy(head.hash, self->head, STORE_HASH);
    store_head_add(&head, row);
    memcpy(self->head, head.hash, STORE_HASH);
    self->record = head.records;
    self->checksum = row->checksum;
    if (row->mac != NULL) {
        memcpy(self->link, row->mac, STORE_HASH);
        self->signed_rows++;
    }
}

int store_cut_find(store *self, uint64_t most, uint64_t snapshot, store_cut *out, roster_error *err)
{
    store_row row;
    bool found;
    store_cut_read(self);
    store_cut next = self->cut;
    next.snapshot = snapshot;
    *out = next;
    int code = store_read(self, next.record + 1, &row, &found, err);
    while (code == ROSTER_OK && found && row.first + row.count - 1 <= most) {
        advance(&next, &row);
        code = store_read(self, next.record + 1, &row, &found, err);
        if (code == ROSTER_OK && found)
            *out = next; /* it is not the last */
    }
    store_rest(self);
    return code;
}

void store_base_clean(const store *self, uint64_t one, uint64_t two)
{
    DIR *directory = opendir(self->directory);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        bool is = strncmp(entry->d_name, STORE_BASE, sizeof STORE_BASE - 1) == 0;
        uint64_t number = is ? strtoull(entry->d_name + sizeof STORE_BASE - 1, NULL, 10) : 0;
        char *path = is && number != one && number != two ? store_join(self->directory, entry->d_name) : NULL;
        if (path != NULL)
            unlink(path);
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
}

int store_cut_keep(store *self, uint64_t snapshot, roster_error *err)
{
    char *from = store_snapshot_path(self, STORE_SNAPSHOT, snapshot),
         *to = store_snapshot_path(self, STORE_BASE, snapshot);
    int code = from != NULL && to != NULL ? ROSTER_OK : common_fail_memory(err);
    store_cut_read(self);
    if (code == ROSTER_OK && snapshot != self->cut.snapshot)
        unlink(to); /* of a log that was here before */
    if (code == ROSTER_OK && link(from, to) != 0 && errno != EEXIST)
        code = store_fail_file(to, errno, err);
    /* Rows go for good, so that the base has to be on the disk whatever the mode. */
    if (code == ROSTER_OK && !(store_synchronise_file(to, "") && store_synchronise_directory(self)))
        code = store_fail_file(to, errno, err);
    store_base_clean(self, snapshot, self->cut.snapshot);
    free(from);
    free(to);
    return code;
}

static int step(store *self, const char *sql, const store_cut *cut, roster_error *err)
{
    sqlite3_stmt *statement = NULL;
    int why = sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL);
    if (why == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)cut->record);
        if (sqlite3_bind_parameter_count(statement) > 2) {
            sqlite3_bind_int64(statement, 2, (sqlite3_int64)cut->checksum);
            sqlite3_bind_int64(statement, 3, (sqlite3_int64)cut->snapshot);
            sqlite3_bind_int64(statement, 4, (sqlite3_int64)cut->signed_rows);
            sqlite3_bind_blob(statement, 5, cut->head, STORE_HASH, SQLITE_STATIC);
            sqlite3_bind_blob(statement, 6, cut->link, STORE_HASH, SQLITE_STATIC);
            sqlite3_bind_int64(statement, 7, (sqlite3_int64)cut->erased);
        } else {
            sqlite3_bind_int64(statement, 2, PIECE);
        }
        why = sqlite3_step(statement);
    }
    int code = why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_finalize(statement);
    return code;
}

int store_base_write(store *self, const store_cut *cut, roster_error *err)
{
    static const char table[] = "CREATE TABLE IF NOT EXISTS base(id INTEGER PRIMARY KEY CHECK(id = 1), record INTEGER,"
                                " checksum INTEGER, snapshot INTEGER, signed_rows INTEGER, head BLOB, link BLOB,"
                                " erased INTEGER)";
    int code = store_run(self, table, err);
    if (code == ROSTER_OK)
        code = step(self, "INSERT OR REPLACE INTO base VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)", cut, err);
    return code;
}

int store_cut_journal(store *self, roster_error *err)
{
    int why = SQLITE_BUSY;
    /* What can be copied beside the writer is; the rest, while it waits, is little then. */
    sqlite3_wal_checkpoint_v2(self->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    sqlite3_busy_timeout(self->db, 0);
    for (int i = 0; i < TRIES && why == SQLITE_BUSY; i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
        why = sqlite3_wal_checkpoint_v2(self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    sqlite3_busy_timeout(self->db, STORE_WAIT);
    return why == SQLITE_OK ? ROSTER_OK : store_fail(self, why, err);
}

static int make(store *self, const store_cut *cut, roster_error *err)
{
    int code = store_base_write(self, cut, err);
    int left = 1;
    while (code == ROSTER_OK && left > 0) {
        code =
            step(self, "DELETE FROM log WHERE first IN (SELECT first FROM log WHERE first <= ?1 LIMIT ?2)", cut, err);
        left = sqlite3_changes(self->db);
    }
    /* What was deleted goes from the files too; where somebody reads all the while it goes with the next checkpoint. */
    if (code == ROSTER_OK)
        store_cut_journal(self, NULL);
    return code;
}

int store_open_beside(store **out, const char *directory, roster_error *err)
{
    store *self = NULL;
    sqlite3 *db = NULL;
    *out = NULL;
    int code = store_open(&self, directory, STORE_READ, err);
    if (code != ROSTER_OK)
        return code;
    int why = sqlite3_open_v2(self->path, &db, SQLITE_OPEN_READWRITE, NULL);
    if (why == SQLITE_OK) {
        sqlite3_busy_timeout(db, STORE_WAIT);
        why = sqlite3_exec(db, "PRAGMA secure_delete = ON", NULL, NULL, NULL);
    }
    if (why != SQLITE_OK) {
        code = store_fail(self, why, err);
        sqlite3_close(db);
        store_close(self);
        return code;
    }
    code = store_reconnect(self, db, err);
    if (code == ROSTER_OK)
        *out = self;
    else
        store_close(self);
    return code;
}

int store_cut_make(const char *directory, const store_cut *cut, roster_error *err)
{
    store *self;
    int code = store_open_beside(&self, directory, err);
    if (code != ROSTER_OK)
        return code;
    code = make(self, cut, err);
    if (code == ROSTER_OK)
        store_base_clean(self, cut->snapshot, cut->snapshot);
    store_close(self);
    return code;
}
