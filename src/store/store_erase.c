/*
 * store_erase.c: rows whose content is replaced, so that what was in them is gone.
 *
 * Paper: none.
 *
 * First the base becomes a snapshot in which nothing of the old content is left, and older ones go: from then on nobody
 * needs what the rows were. They get their new content and keep the digest of the old one, so that heads and MACs can
 * still be checked. That is done in pieces with pauses between them, so that the writer does not wait for long. Then
 * the journal is cut. Only when that is done the erasure is noted as made: one that was interrupted is made once more,
 * which changes nothing in rows that are as they should be.
 *
 * Cost: twice that of rewriting the rows, for half of the time is left to the writer.
 * Check: tests/http/erase.py, tests/unit/test_service_erase.c, tests/unit/test_store_erase.c.
 */
#include "store_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 2 << 20 }; /* bytes that are enough for one transaction */

static int update(store *self, uint64_t first, const unsigned char digest[STORE_HASH], const void *bytes, size_t size,
                  roster_error *err)
{
    static const char sql[] = "UPDATE log SET records = ?2, digest = ?3 WHERE first = ?1";
    sqlite3_stmt *statement = NULL;
    int why = sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL);
    if (why == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)first);
        sqlite3_bind_blob64(statement, 2, size > 0 ? bytes : "", size, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 3, digest, STORE_HASH, SQLITE_STATIC);
        why = sqlite3_step(statement);
    }
    int code = why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_finalize(statement);
    return code;
}

/* A row that was dropped meanwhile needs nothing, nor does one that is as it should be. Adds to *written. */
static int rewrite_row(store *self, const store_erasure *what, const store_rewrite *to, size_t *written,
                       roster_error *err)
{
    store_row row;
    bool found;
    unsigned char old[STORE_HASH], now[STORE_HASH];
    void *bytes = NULL;
    size_t size = 0;
    int code = store_read(self, to->first, &row, &found, err);
    if (code != ROSTER_OK || !found || row.first != to->first)
        return code;
    store_digest(row.records, row.size, now);
    if (memcmp(now, to->digest, STORE_HASH) == 0)
        return ROSTER_OK;
    memcpy(old, row.digest != NULL ? row.digest : now, STORE_HASH);
    code = what->rewrite(what->context, &row, &bytes, &size, err);
    store_rest(self);
    *written += size;
    if (code == ROSTER_OK) {
        store_digest(bytes, size, now);
        code = memcmp(now, to->digest, STORE_HASH) == 0
                   ? update(self, to->first, old, bytes, size, err)
                   : common_fail(err, ROSTER_EDAMAGED, "%.200s: a row is not what was to be erased", self->path);
    }
    free(bytes);
    return code;
}

/* Rows from *i on, until enough is written for one transaction. */
static int rewrite_piece(store *self, const store_erasure *what, size_t *i, roster_error *err)
{
    size_t written = 0;
    int code = store_run(self, "BEGIN IMMEDIATE", err);
    while (code == ROSTER_OK && *i < what->n && written < PIECE)
        code = rewrite_row(self, what, &what->rows[(*i)++], &written, err);
    store_rest(self);
    if (code == ROSTER_OK)
        code = store_run(self, "COMMIT", err);
    if (code != ROSTER_OK)
        sqlite3_exec(self->db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

static int64_t steady(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whoever waits for the database looks again after a time that grows with what it has waited, up to 100 ms: a pause as
   long as the piece took is always seen. */
static void pause_after(int64_t began)
{
    enum { LEAST = 10000000, MOST = 100000000 };
    int64_t took = steady() - began;
    nanosleep(&(struct timespec){.tv_nsec = took < LEAST ? LEAST : took > MOST ? MOST : (long)took}, NULL);
}

static int rewrite_all(store *self, const store_erasure *what, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < what->n && code == ROSTER_OK;) {
        int64_t began = steady();
        code = rewrite_piece(self, what, &i, err);
        if (i < what->n && code == ROSTER_OK)
            pause_after(began);
    }
    return code;
}

int store_erase(const char *directory, const store_erasure *what, roster_error *err)
{
    store *self;
    int code = store_open_beside(&self, directory, err);
    if (code != ROSTER_OK)
        return code;
    code = store_cut_keep(self, what->snapshot, err);
    store_cut base = self->cut;
    base.snapshot = what->snapshot;
    if (code == ROSTER_OK)
        code = store_base_write(self, &base, err);
    if (code == ROSTER_OK) {
        store_snapshot_remove(self, what->snapshot);
        store_base_clean(self, what->snapshot, what->snapshot);
        code = rewrite_all(self, what, err);
    }
    if (code == ROSTER_OK)
        code = store_cut_journal(self, err);
    base.erased = what->record;
    if (code == ROSTER_OK)
        code = store_base_write(self, &base, err);
    store_close(self);
    return code;
}
