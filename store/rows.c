/*
 * rows.c: rows and snapshots of an open log: written, read.
 *
 * Paper: none.
 * Cost: as store_sqlite.c says; reading in order is one lookup per row.
 * Check: tests/test_store.c: rows_come_back, snapshots_come_back.
 */
#include "store_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(roster_error *err, const char *format, uint64_t a, uint64_t b)
{
    if (err != NULL) {
        err->code = ROSTER_EINVAL;
        snprintf(err->msg, sizeof err->msg, format, (unsigned long long)a, (unsigned long long)b);
    }
    return ROSTER_EINVAL;
}

/* Steps a statement that gives nothing. */
static int finish(store *self, sqlite3_stmt *statement, roster_error *err)
{
    int why = sqlite3_step(statement);
    int code = why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code;
}

int store_append(store *self, const store_row *given, roster_error *err)
{
    store_row row = *given;
    row.before = self->checksum;
    row.checksum = store_checksum(&row);
    if (self->mode == STORE_READ)
        return refuse(err, "a log opened for reading cannot be written%.0llu%.0llu", 0, 0);
    if (row.first != self->last + 1 || row.count == 0)
        return refuse(err, "the row begins with record %llu, must begin with %llu", row.first, self->last + 1);
    sqlite3_stmt *insert = self->statements[STORE_INSERT];
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)row.first);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)row.count);
    sqlite3_bind_int64(insert, 3, row.at);
    sqlite3_bind_blob64(insert, 4, row.size > 0 ? row.records : "", row.size, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 5, (sqlite3_int64)row.checksum);
    int code = finish(self, insert, err);
    if (code != ROSTER_OK)
        return code;
    self->last += row.count;
    self->checksum = row.checksum;
    self->rows++;
    return ROSTER_OK;
}

/* The row a lookup gives; the statement stays open, since the bytes are borrowed from it. */
static int look_up(store *self, int which, uint64_t number, store_row *row, bool *found, roster_error *err)
{
    sqlite3_stmt *statement = self->statements[which];
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
    int why = sqlite3_step(statement);
    *found = why == SQLITE_ROW;
    if (why != SQLITE_ROW && why != SQLITE_DONE)
        return store_fail(self, why, err);
    if (!*found)
        return ROSTER_OK;
    row->first = (uint64_t)sqlite3_column_int64(statement, 0);
    row->count = (uint64_t)sqlite3_column_int64(statement, 1);
    row->at = sqlite3_column_int64(statement, 2);
    row->records = sqlite3_column_blob(statement, 3);
    row->size = (size_t)sqlite3_column_bytes(statement, 3);
    row->checksum = (uint64_t)sqlite3_column_int64(statement, 4);
    return row->records != NULL || row->size == 0 ? ROSTER_OK : store_fail(self, SQLITE_NOMEM, err);
}

static int find_before(store *self, store_row *row, roster_error *err)
{
    if (row->first == self->read_end && self->read_end != 0) {
        row->before = self->read_checksum;
        return ROSTER_OK;
    }
    sqlite3_stmt *statement = self->statements[STORE_BEFORE];
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)row->first);
    int why = sqlite3_step(statement);
    row->before = why == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(statement, 0) : 0;
    int code = why == SQLITE_ROW || why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_reset(statement);
    return code;
}

int store_read(store *self, uint64_t number, store_row *row, bool *found, roster_error *err)
{
    sqlite3_reset(self->statements[STORE_AT]);
    sqlite3_reset(self->statements[STORE_AFTER]);
    *row = (store_row){0};
    int code = look_up(self, STORE_AT, number, row, found, err);
    if (code == ROSTER_OK && (!*found || number - row->first >= row->count)) {
        sqlite3_reset(self->statements[STORE_AT]);
        code = look_up(self, STORE_AFTER, number, row, found, err);
    }
    if (code == ROSTER_OK && *found)
        code = find_before(self, row, err);
    if (code == ROSTER_OK && *found) {
        self->read_end = row->first + row->count;
        self->read_checksum = row->checksum;
    }
    return code;
}

int store_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err)
{
    if (self->mode == STORE_READ)
        return refuse(err, "a log opened for reading cannot be written%.0llu%.0llu", 0, 0);
    if (number > self->last)
        return refuse(err, "the snapshot is of record %llu, but the log ends with %llu", number, self->last);
    sqlite3_stmt *insert = self->statements[STORE_SNAPSHOT], *thin = self->statements[STORE_THIN];
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)number);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)store_hash(number, bytes, size));
    sqlite3_bind_blob64(insert, 3, bytes, size, SQLITE_STATIC);
    int code = finish(self, insert, err);
    if (code != ROSTER_OK)
        return code;
    sqlite3_bind_int64(thin, 1, (sqlite3_int64)number);
    return finish(self, thin, err);
}

/* A copy of the statement's state if it is whole. */
static int take(store *self, sqlite3_stmt *statement, uint64_t number, void **bytes, size_t *size, roster_error *err)
{
    const void *state = sqlite3_column_blob(statement, 2);
    *size = (size_t)sqlite3_column_bytes(statement, 2);
    if (state == NULL || store_hash(number, state, *size) != (uint64_t)sqlite3_column_int64(statement, 1))
        return ROSTER_OK;
    *bytes = malloc(*size);
    if (*bytes == NULL)
        return store_fail(self, SQLITE_NOMEM, err);
    memcpy(*bytes, state, *size);
    return ROSTER_OK;
}

int store_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                       roster_error *err)
{
    sqlite3_stmt *statement = self->statements[STORE_LATEST];
    int code = ROSTER_OK, why = SQLITE_ROW;
    *bytes = NULL;
    *number = most + 1;
    while (code == ROSTER_OK && *bytes == NULL && why == SQLITE_ROW && *number > 0) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)(*number - 1));
        why = sqlite3_step(statement);
        if (why == SQLITE_ROW) {
            *number = (uint64_t)sqlite3_column_int64(statement, 0);
            code = take(self, statement, *number, bytes, size, err);
        } else if (why != SQLITE_DONE && (why & 0xff) != SQLITE_CORRUPT) {
            code = store_fail(self, why, err);
        }
        sqlite3_reset(statement);
    }
    *found = *bytes != NULL;
    return code;
}
