/*
 * store_rows.c: rows of an open log: written, read.
 *
 * Paper: none.
 * Cost: as store_sqlite.c says; reading in order is one lookup per row.
 * Check: tests/unit/test_store.c: rows_come_back.
 */
#include "store_internal.h"

#include <string.h>

/* Steps a statement that gives nothing. */
static int finish(store *self, sqlite3_stmt *statement, roster_error *err)
{
    int why = sqlite3_step(statement);
    int code = why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code;
}

/* The row is in the log. */
static void written(store *self, const store_row *row, const unsigned char mac[STORE_HASH])
{
    self->last += row->count;
    self->checksum = row->checksum;
    self->rows++;
    if (self->key != NULL) {
        memcpy(self->link, mac, STORE_HASH);
        self->signed_rows = true;
    }
    if (self->mode == STORE_DURABLE || (self->sync_due && store_synchronise(self)))
        store_mark_write(self);
    if (self->sync_due)
        store_mark_sync(self);
    self->sync_due = false;
}

int store_sqlite_append(store *self, const store_row *given, roster_error *err)
{
    unsigned char mac[STORE_HASH] = {0};
    store_row row = *given;
    row.before = self->checksum;
    row.checksum = store_checksum(&row);
    if (self->mode == STORE_READ)
        return common_fail(err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    if (row.first != self->last + 1 || row.count == 0)
        return common_fail(err, ROSTER_EINVAL, "the row begins with record %llu, must begin with %llu",
                           (unsigned long long)row.first, (unsigned long long)(self->last + 1));
    store_rest(self); /* what was read must not be older than what is written */
    sqlite3_stmt *insert = self->statements[STORE_INSERT];
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)row.first);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)row.count);
    sqlite3_bind_int64(insert, 3, row.at);
    sqlite3_bind_blob64(insert, 4, row.size > 0 ? row.records : "", row.size, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 5, (sqlite3_int64)row.checksum);
    if (self->key != NULL) {
        store_sign(self, &row, mac);
        sqlite3_bind_blob(insert, 6, mac, sizeof mac, SQLITE_STATIC);
    }
    int code = finish(self, insert, err);
    if (code == ROSTER_OK)
        written(self, &row, mac);
    return code;
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
    row->mac = sqlite3_column_bytes(statement, 5) == STORE_HASH ? sqlite3_column_blob(statement, 5) : NULL;
    row->digest = sqlite3_column_bytes(statement, 6) == STORE_HASH ? sqlite3_column_blob(statement, 6) : NULL;
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
    if (why == SQLITE_DONE && row->first > 1 && row->first != self->cut.record + 1)
        store_cut_read(self); /* somebody made a cut since */
    if (why == SQLITE_DONE && row->first == self->cut.record + 1)
        row->before = self->cut.checksum;
    return code;
}

void store_sqlite_rest(store *self)
{
    sqlite3_reset(self->statements[STORE_AT]);
    sqlite3_reset(self->statements[STORE_AFTER]);
}

int store_sqlite_read(store *self, uint64_t number, store_row *row, bool *found, roster_error *err)
{
    store_rest(self);
    *row = (store_row){0};
    number = number > self->cut.record ? number : self->cut.record + 1;
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
