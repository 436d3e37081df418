/*
 * store_postgres.c: the event log in a PostgreSQL database: tables, rows.
 *
 *   roster_log(log, first, count, at, writer, records, checksum, mac)    a row per turn
 *   roster_head(log, last, checksum, version)                            where the log ends: one row, locked by turns
 *   roster_snapshot(log, number, part, bytes)                            store_postgres_snapshots.c
 *
 * Paper: none.
 *
 * The statements are such as other databases that speak PostgreSQL's protocol have, too: no notifications, advisory
 * locks, sequences, triggers, COPY, and nothing that is kept in a session.
 *
 * Cost: reading in order is a round trip per 16 rows.
 * Check: tests/unit/test_postgres.c.
 */
#include "store_postgres.h"

#include "store_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { VERSION = 1, TRIES = 5 };

/* ---- rows ---- */

void store_rows_keep(store *self, PGresult *rows)
{
    PQclear(self->server->rows);
    self->server->rows = rows;
}

static void rest(store *self)
{
    store_rows_keep(self, NULL);
}

/* Rows from the one that holds the record on. */
static int fetch(store *self, uint64_t number, roster_error *err)
{
    PGresult *rows;
    store_statement s = {.sql = "SELECT " STORE_COLUMNS " FROM roster_log WHERE log = " STORE_LOG
                                " AND first >= (SELECT coalesce(max(first), 0) FROM roster_log WHERE log = " STORE_LOG
                                " AND first <= $1) ORDER BY first LIMIT 16"};
    store_put_number(&s, (int64_t)number);
    int code = store_link_ask(self, &s, &rows, err);
    store_rows_keep(self, rows);
    return code;
}

/* The i-th of the rows that were fetched. */
static void lend(const PGresult *rows, int i, store_row *row)
{
    *row = (store_row){.first = (uint64_t)store_number_at(rows, i, 0),
                       .count = (uint64_t)store_number_at(rows, i, 1),
                       .at = store_number_at(rows, i, 2),
                       .records = PQgetvalue(rows, i, 3),
                       .size = (size_t)PQgetlength(rows, i, 3),
                       .checksum = (uint64_t)store_number_at(rows, i, 4),
                       .mac = PQgetlength(rows, i, 5) == STORE_HASH ? (unsigned char *)PQgetvalue(rows, i, 5) : NULL};
}

/* The first of the fetched rows that ends with the record or after it; false: there is none. */
static bool find(const store *self, uint64_t number, store_row *row)
{
    const PGresult *rows = self->server->rows;
    for (int i = 0, n = rows != NULL ? PQntuples(rows) : 0; i < n; i++) {
        lend(rows, i, row);
        if (row->first + row->count > number)
            return true;
    }
    *row = (store_row){0};
    return false;
}

static int find_before(store *self, store_row *row, roster_error *err)
{
    PGresult *found;
    store_statement s = {.sql = "SELECT checksum FROM roster_log WHERE log = " STORE_LOG
                                " AND first < $1 ORDER BY first DESC LIMIT 1"};
    if (row->first == 1)
        return ROSTER_OK;
    bool follows = self->mode != STORE_READ && row->first == self->last + 1;
    if (follows || (row->first == self->read_end && self->read_end != 0)) {
        row->before = follows ? self->checksum : self->read_checksum;
        return ROSTER_OK;
    }
    store_put_number(&s, (int64_t)row->first);
    int code = store_link_ask(self, &s, &found, err);
    if (code == ROSTER_OK && PQntuples(found) == 1)
        row->before = (uint64_t)store_number_at(found, 0, 0);
    PQclear(found);
    return code;
}

/* What the next MAC is linked to. */
static void follow_macs(store *self, const store_row *row)
{
    store_head head = {.records = self->last};
    if (row->mac != NULL) {
        memcpy(self->link, row->mac, STORE_HASH);
        self->signed_rows = true;
    } else if (self->key != NULL) {
        memcpy(head.hash, self->link, STORE_HASH);
        store_head_add(&head, row);
        memcpy(self->link, head.hash, STORE_HASH);
    }
}

int store_follow(store *self, const store_row *row, roster_error *err)
{
    if (store_checksum(row) != row->checksum || row->count == 0 || (self->signed_rows && row->mac == NULL))
        return common_fail(err, ROSTER_EDAMAGED,
                           "%.200s: the row of records %llu to %llu does not follow what was before it", self->path,
                           (unsigned long long)row->first, (unsigned long long)(row->first + row->count - 1));
    follow_macs(self, row);
    self->last = row->first + row->count - 1;
    self->checksum = row->checksum;
    return ROSTER_OK;
}

static int read_row(store *self, uint64_t number, store_row *row, bool *found, roster_error *err)
{
    int code = ROSTER_OK;
    *found = find(self, number, row);
    bool ends = self->server->in_turn && number > self->server->end;
    if (!(*found && row->first <= number) && !ends) {
        code = fetch(self, number, err);
        *found = code == ROSTER_OK && find(self, number, row);
    }
    if (!*found)
        return code;
    code = find_before(self, row, err);
    self->read_end = row->first + row->count;
    self->read_checksum = row->checksum;
    if (code == ROSTER_OK && self->mode != STORE_READ && row->first == self->last + 1)
        code = store_follow(self, row, err);
    return code;
}

static int append(store *self, const store_row *row, roster_error *err)
{
    store_turn turn;
    if (self->mode == STORE_READ)
        return common_fail(err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    int code = store_turn_begin(self, 1, &turn, err);
    if (code != ROSTER_OK)
        return code;
    if (turn.head.last != self->last || turn.head.checksum != self->checksum) {
        store_turn_cancel(self);
        return common_fail(err, STORE_EBUSY, "%.200s is in use: another process writes to it", self->path);
    }
    return store_turn_append(self, row, err);
}

/* ---- tables ---- */

static bool was(const store *self, const char *state)
{
    return strcmp(self->server->state, state) == 0;
}

/* One after the other: not every database has all of them in one transaction. Where another process makes them at the
   same time, one of the two may be refused, and looks again. */
static int create_tables(store *self, roster_error *err)
{
    static const char *const tables[] = {
        "CREATE TABLE IF NOT EXISTS roster_log(log bigint NOT NULL, first bigint NOT NULL, count bigint NOT NULL,"
        " at bigint NOT NULL, writer text NOT NULL, records bytea NOT NULL, checksum bigint NOT NULL, mac bytea,"
        " PRIMARY KEY (log, first))",
        "CREATE TABLE IF NOT EXISTS roster_snapshot(log bigint NOT NULL, number bigint NOT NULL, part bigint NOT NULL,"
        " bytes bytea NOT NULL, PRIMARY KEY (log, number, part))",
        "CREATE TABLE IF NOT EXISTS roster_head(log bigint NOT NULL, last bigint NOT NULL, checksum bigint NOT NULL,"
        " version bigint NOT NULL, PRIMARY KEY (log))",
        "INSERT INTO roster_head(log, last, checksum, version) VALUES(" STORE_LOG ", 0, 0, 1) ON CONFLICT DO NOTHING",
    };
    int code = ROSTER_OK;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && code == ROSTER_OK; i++)
        for (int try = 0; try < TRIES; try++) {
            code = store_link_run(self, &(store_statement){.sql = tables[i]}, 1, NULL, err);
            if (code == ROSTER_OK ||
                !(was(self, "23505") || was(self, "42P07") || was(self, "42710") || was(self, STORE_UNORDERED)))
                break;
        }
    return code;
}

/* Where the log ends; *version 0: there is none. */
static int read_head(store *self, int64_t *version, roster_error *err)
{
    PGresult *found;
    store_statement s = {.sql = "SELECT last, checksum, version FROM roster_head WHERE log = " STORE_LOG};
    *version = 0;
    int code = store_link_ask(self, &s, &found, err);
    if (code != ROSTER_OK)
        return was(self, "42P01") ? ROSTER_OK : code;
    if (PQntuples(found) == 1) {
        self->last = (uint64_t)store_number_at(found, 0, 0);
        self->checksum = (uint64_t)store_number_at(found, 0, 1);
        *version = store_number_at(found, 0, 2);
    }
    PQclear(found);
    return ROSTER_OK;
}

static int find_tables(store *self, roster_error *err)
{
    int64_t version;
    int code = read_head(self, &version, err);
    if (code == ROSTER_OK && version == 0 && self->mode != STORE_READ) {
        code = create_tables(self, err);
        if (code == ROSTER_OK)
            code = read_head(self, &version, err);
    }
    if (code != ROSTER_OK)
        return code;
    if (version == 0)
        return common_fail(err, STORE_EIO, "%.200s has no log: is it the --store of a server?", self->path);
    if (version != VERSION)
        return common_fail(err, ROSTER_EDAMAGED, "%.200s has tables of version %lld, must be %d: use a newer roster",
                           self->path, (long long)version, VERSION);
    self->version = version;
    return ROSTER_OK;
}

/* That what is committed survives the machine, as far as the database can say. */
static int check_durable(store *self, roster_error *err)
{
    PGresult *found;
    store_statement s = {.sql = "SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')"
                                " AND setting = 'off' ORDER BY name"};
    if (self->mode != STORE_DURABLE)
        return ROSTER_OK;
    int code = store_link_ask(self, &s, &found, err);
    if (code == ROSTER_OK && PQntuples(found) > 0)
        code = common_fail(err, ROSTER_EINVAL,
                           "%.160s has %.40s off, so that what it commits may be lost: set it on, or give "
                           "--durability os",
                           self->path, PQgetvalue(found, 0, 0));
    PQclear(found);
    return code;
}

/* ---- the whole ---- */

/* That the last row is there, as the head says; and whether it is signed. */
static int check_end(store *self, roster_error *err)
{
    store_row row = {0};
    bool found = false;
    int code = self->last > 0 ? read_row(self, self->last, &row, &found, err) : ROSTER_OK;
    self->known = self->last;
    if (code != ROSTER_OK || self->last == 0)
        return code;
    self->other = !found || row.first + row.count - 1 != self->last || row.checksum != self->checksum;
    self->signed_rows = row.mac != NULL;
    return self->mode != STORE_READ ? self->type->whole(self, err) : ROSTER_OK;
}

static int whole(const store *self, roster_error *err)
{
    if (!self->other)
        return ROSTER_OK;
    return common_fail(err, ROSTER_EDAMAGED,
                       "%.200s: roster_head says that the log ends with record %llu, but roster_log does not: restore "
                       "a backup of both",
                       self->path, (unsigned long long)self->known);
}

static void close_log(store *self)
{
    if (self->server != NULL) {
        rest(self);
        store_link_close(self);
        free(self->server->url);
    }
    store_key_free(self);
    free(self->server);
    free(self->path);
    free(self);
}

static int make(store *self, const char *url, roster_error *err)
{
    unsigned char random[8] = {0};
    self->lock = self->mark = -1;
    self->server = calloc(1, sizeof *self->server);
    if (self->server == NULL || (self->server->url = malloc(strlen(url) + 1)) == NULL)
        return common_fail_memory(err);
    strcpy(self->server->url, url);
    self->path = store_link_name(url, err);
    if (self->path == NULL)
        return ROSTER_EINVAL;
    if (getentropy(random, sizeof random) != 0)
        return common_fail(err, STORE_EIO, "the system provides no random numbers");
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(self->server->writer + 2 * i, 3, "%02x", random[i]);
    return ROSTER_OK;
}

int store_postgres_open(store **out, const char *url, const store_options *options, roster_error *err)
{
    *out = NULL;
    store *self = calloc(1, sizeof *self);
    if (self == NULL)
        return common_fail_memory(err);
    self->type = &store_postgres;
    self->mode = options->mode;
    int code = make(self, url, err);
    if (code == ROSTER_OK && options->accept_loss > 0)
        code = common_fail(err, ROSTER_EINVAL, "--accept-loss is for a log in a folder: %.200s", self->path);
    if (code == ROSTER_OK)
        code = find_tables(self, err);
    if (code == ROSTER_OK)
        code = check_durable(self, err);
    if (code == ROSTER_OK)
        code = check_end(self, err);
    if (code == ROSTER_OK)
        code = self->mode == STORE_READ ? store_key_copy(self, options->key, err)
                                        : store_sign_with(self, options->key, err);
    if (code == ROSTER_OK)
        *out = self;
    else
        close_log(self);
    return code;
}

/* Who appended within the last minute, as far as the last records tell. */
static uint64_t count_writers(store *self)
{
    enum { RECORDS = 20000 };
    PGresult *found;
    store_statement s = {.sql = "SELECT count(DISTINCT writer) FROM roster_log WHERE log = " STORE_LOG
                                " AND first > $1 AND at > (extract(epoch FROM clock_timestamp()) - 60) * 1000000"};
    store_put_number(&s, (int64_t)self->last - RECORDS);
    int code = store_link_ask(self, &s, &found, NULL);
    uint64_t writers = code == ROSTER_OK ? (uint64_t)store_number_at(found, 0, 0) : 0;
    PQclear(found);
    return writers;
}

static void state_get(store *self, store_state *out)
{
    uint64_t snapshot = 0;
    store_postgres_snapshot_find(self, INT64_MAX, &snapshot, NULL);
    *out =
        (store_state){.records = self->last, .rows = self->rows, .snapshot = snapshot, .writers = count_writers(self)};
}

/* ---- what needs nothing here ---- */

static int check(store *self, roster_error *err)
{
    (void)self, (void)err;
    return ROSTER_OK; /* the database looks after its pages itself */
}

static void clean(const store *self)
{
    (void)self; /* what is half written goes when the next snapshot is whole */
}

static void cut_read(store *self)
{
    self->cut = (store_cut){0};
}

static void limit(store *self, uint64_t bytes)
{
    (void)self, (void)bytes; /* the database has limits of its own */
}

/* The connection is the parent's: what the child needs goes over one of its own. */
static void forked(store *self)
{
    self->server->link = NULL;
    self->server->in_turn = false;
}

const store_type store_postgres = {
    .append = append,
    .read = read_row,
    .rest = rest,
    .snapshot_put = store_postgres_snapshot_put,
    .snapshot_write = store_postgres_snapshot_write,
    .snapshot_get = store_postgres_snapshot_get,
    .snapshot_clean = clean,
    .cut_read = cut_read,
    .whole = whole,
    .check = check,
    .state_get = state_get,
    .limit = limit,
    .forked = forked,
    .close = close_log,
};
