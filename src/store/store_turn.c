/*
 * store_turn.c: turns on a log in PostgreSQL: its head is locked, others wait, and rows are appended with the head.
 *
 *   BEGIN; SELECT last, checksum FROM roster_head .. FOR UPDATE; SELECT .. FROM roster_log    one round trip
 *   INSERT INTO roster_log ..; UPDATE roster_head ..; COMMIT                                  another
 *
 * Paper: none.
 *
 * Row and head are written only where the head is still the one that the row follows, in one statement each: should the
 * lock not hold, for whatever reason, both change nothing. Where the database finds that it cannot put transactions
 * into an order (40001), the turn is begun again.
 *
 * Cost: two round trips and one synchronisation of the database's journal per turn.
 * Check: tests/unit/test_postgres.c, tests/http/replicas.py.
 */
#include "store_turn.h"

#include "store_postgres.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 100 };

static int begin_once(store *self, unsigned seconds, store_turn *out, roster_error *err)
{
    char limit[80];
    enum { BEGIN, LIMIT, HEAD, ROWS, CLOCK, N };
    store_statement s[N] = {
        [BEGIN] = {.sql = "BEGIN"},
        [LIMIT] = {.sql = limit},
        [HEAD] = {.sql = "SELECT last, checksum FROM roster_head WHERE log = " STORE_LOG " FOR UPDATE"},
        [ROWS] = {.sql = "SELECT " STORE_COLUMNS " FROM roster_log WHERE log = " STORE_LOG
                         " AND first >= $1 ORDER BY first LIMIT 16"},
        [CLOCK] = {.sql = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"},
    };
    PGresult *results[N];
    snprintf(limit, sizeof limit, "SET LOCAL idle_in_transaction_session_timeout = %u", 1000 * seconds);
    store_put_number(&s[ROWS], (int64_t)self->last + 1);
    int code = store_link_run(self, s, N, results, err);
    if (code != ROSTER_OK)
        return code;
    bool has = PQntuples(results[HEAD]) == 1;
    if (has) {
        out->head.last = (uint64_t)store_number_at(results[HEAD], 0, 0);
        out->head.checksum = (uint64_t)store_number_at(results[HEAD], 0, 1);
        out->now = store_number_at(results[CLOCK], 0, 0);
        store_rows_keep(self, results[ROWS]);
        results[ROWS] = NULL;
        self->server->in_turn = true;
        self->server->end = out->head.last;
    }
    for (int i = 0; i < N; i++)
        PQclear(results[i]);
    if (has)
        return ROSTER_OK;
    store_link_close(self);
    return common_fail(err, ROSTER_EDAMAGED, "%.200s has lost the head of its log: restore a backup", self->path);
}

int store_turn_begin(store *self, unsigned seconds, store_turn *out, roster_error *err)
{
    int code = begin_once(self, seconds, out, err);
    for (int i = 1; i < TRIES && code != ROSTER_OK && strcmp(self->server->state, STORE_UNORDERED) == 0; i++)
        code = begin_once(self, seconds, out, err);
    return code;
}

void store_turn_cancel(store *self)
{
    if (!self->server->in_turn)
        return;
    self->server->in_turn = false;
    store_link_run(self, &(store_statement){.sql = "ROLLBACK"}, 1, NULL, NULL);
}

int store_turn_has(store *self, const store_row *row, bool *has, roster_error *err)
{
    PGresult *found;
    store_statement s = {.sql = "SELECT 1 FROM roster_log WHERE log = " STORE_LOG
                                " AND first = $1 AND writer = $2 AND checksum = $3"};
    store_put_number(&s, (int64_t)row->first);
    store_put_text(&s, self->server->writer);
    store_put_number(&s, (int64_t)row->checksum);
    int code = store_link_ask(self, &s, &found, err);
    *has = code == ROSTER_OK && PQntuples(found) == 1;
    PQclear(found);
    return code;
}

/* The row and the head, where the head is the one that the row follows. */
static void put_row(const store *self, const store_row *row, store_statement *insert, store_statement *update)
{
    insert->sql = "INSERT INTO roster_log(log, first, count, at, writer, records, checksum, mac)"
                  " SELECT log, $1, $2, $3, $4, $5, $6, $7 FROM roster_head WHERE log = " STORE_LOG
                  " AND last = $8 AND checksum = $9";
    store_put_number(insert, (int64_t)row->first);
    store_put_number(insert, (int64_t)row->count);
    store_put_number(insert, row->at);
    store_put_text(insert, self->server->writer);
    store_put_bytes(insert, row->size > 0 ? row->records : "", row->size);
    store_put_number(insert, (int64_t)row->checksum);
    store_put_bytes(insert, row->mac, STORE_HASH);
    store_put_number(insert, (int64_t)row->first - 1);
    store_put_number(insert, (int64_t)row->before);
    update->sql =
        "UPDATE roster_head SET last = $1, checksum = $2 WHERE log = " STORE_LOG " AND last = $3 AND checksum = $4";
    store_put_number(update, (int64_t)(row->first + row->count - 1));
    store_put_number(update, (int64_t)row->checksum);
    store_put_number(update, (int64_t)row->first - 1);
    store_put_number(update, (int64_t)row->before);
}

static int write_row(store *self, const store_row *row, roster_error *err)
{
    enum { INSERT, UPDATE, COMMIT, N };
    store_statement s[N] = {[COMMIT] = {.sql = "COMMIT"}};
    PGresult *results[N];
    put_row(self, row, &s[INSERT], &s[UPDATE]);
    self->server->in_turn = false;
    int code = store_link_run(self, s, N, results, err);
    if (code != ROSTER_OK)
        return code;
    bool hit = strcmp(PQcmdTuples(results[INSERT]), "1") == 0 && strcmp(PQcmdTuples(results[UPDATE]), "1") == 0 &&
               strcmp(PQcmdStatus(results[COMMIT]), "COMMIT") == 0;
    for (int i = 0; i < N; i++)
        PQclear(results[i]);
    return hit ? ROSTER_OK
               : common_fail(err, STORE_EBUSY, "%.200s went on without this process: record %llu is of another",
                             self->path, (unsigned long long)row->first);
}

int store_turn_append(store *self, const store_row *given, roster_error *err)
{
    unsigned char mac[STORE_HASH] = {0};
    store_row row = *given;
    row.before = self->checksum;
    row.checksum = store_checksum(&row);
    if (row.first != self->last + 1 || row.count == 0 || !self->server->in_turn) {
        store_turn_cancel(self);
        return common_fail(err, ROSTER_EINVAL, "the row begins with record %llu, must begin with %llu, in a turn",
                           (unsigned long long)row.first, (unsigned long long)(self->last + 1));
    }
    if (self->key != NULL)
        store_sign(self, &row, mac);
    row.mac = self->key != NULL ? mac : NULL;
    int code = write_row(self, &row, err);
    if (code == ROSTER_OK)
        self->rows++;
    return code == ROSTER_OK ? store_follow(self, &row, err) : code;
}
