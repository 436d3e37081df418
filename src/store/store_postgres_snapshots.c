/*
 * store_postgres_snapshots.c: snapshots in a table, in parts.
 *
 *   part 0: what a file would begin with (store_snapshots.c)      parts 1, 2, ..: the rest, a megabyte each
 *
 * Paper: none.
 *
 * Part 0 is written last, so that a snapshot is whole or not there. Several processes have the same state after the
 * same record, and equal states are equal bytes: whoever comes second compares instead of writing.
 *
 * Cost: a transaction per megabyte.
 * Check: tests/unit/test_postgres.c: snapshots_come_back, another_state_is_refused.
 */
#include "store_postgres.h"

#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 20 };

int store_postgres_snapshot_find(store *self, uint64_t most, uint64_t *number, roster_error *err)
{
    PGresult *found;
    store_statement s = {.sql = "SELECT number FROM roster_snapshot WHERE log = " STORE_LOG
                                " AND part = 0 AND number <= $1 ORDER BY number DESC LIMIT 1"};
    *number = 0;
    store_put_number(&s, most < INT64_MAX ? (int64_t)most : INT64_MAX);
    int code = store_link_ask(self, &s, &found, err);
    if (code == ROSTER_OK && PQntuples(found) == 1)
        *number = (uint64_t)store_number_at(found, 0, 0);
    PQclear(found);
    return code;
}

/* A part, NULL where it is not there; for the caller to clear. */
static int get_part(store *self, uint64_t number, uint64_t part, PGresult **out, roster_error *err)
{
    store_statement s = {.sql = "SELECT bytes FROM roster_snapshot WHERE log = " STORE_LOG
                                " AND number = $1 AND part = $2"};
    store_put_number(&s, (int64_t)number);
    store_put_number(&s, (int64_t)part);
    int code = store_link_ask(self, &s, out, err);
    if (code == ROSTER_OK && PQntuples(*out) == 0) {
        PQclear(*out);
        *out = NULL;
    }
    return code;
}

static int put_part(store *self, uint64_t number, uint64_t part, const void *bytes, size_t size, roster_error *err)
{
    store_statement s = {.sql = "INSERT INTO roster_snapshot(log, number, part, bytes) VALUES(" STORE_LOG
                                ", $1, $2, $3) ON CONFLICT DO NOTHING"};
    store_put_number(&s, (int64_t)number);
    store_put_number(&s, (int64_t)part);
    store_put_bytes(&s, bytes, size);
    return store_link_run(self, &s, 1, NULL, err);
}

/* Those before the two newest, and what is left of others that were never whole. */
static int remove_old(store *self, uint64_t newest, roster_error *err)
{
    uint64_t kept = newest;
    store_statement s = {.sql = "DELETE FROM roster_snapshot WHERE log = " STORE_LOG " AND number < $1"};
    int code = ROSTER_OK;
    for (int i = 1; i < STORE_SNAPSHOTS_KEPT && kept > 0 && code == ROSTER_OK; i++)
        code = store_postgres_snapshot_find(self, kept - 1, &kept, err);
    store_put_number(&s, (int64_t)kept);
    return code == ROSTER_OK ? store_link_run(self, &s, 1, NULL, err) : code;
}

/* Whether a snapshot of that record is there; it must be the same then. */
static int compare(store *self, store_end at, const store_snapshot_start *head, bool *is_there, roster_error *err)
{
    PGresult *found = NULL;
    int code = get_part(self, at.last, 0, &found, err);
    *is_there = found != NULL;
    /* Number, checksum and hash: one may be signed and the other not. */
    if (found != NULL && (PQgetlength(found, 0, 0) < STORE_SNAPSHOT_HEAD ||
                          memcmp(PQgetvalue(found, 0, 0) + 8, head->bytes + 8, STORE_SNAPSHOT_HEAD - 8) != 0))
        code = common_fail(err, ROSTER_EDAMAGED,
                           "%.160s: the state after record %llu is not the one that another process stored", self->path,
                           (unsigned long long)at.last);
    PQclear(found);
    return code;
}

static int write_parts(store *self, store_end at, const void *bytes, size_t size, roster_error *err)
{
    store_snapshot_start head;
    bool is_there;
    store_snapshot_begin(self, at, bytes, size, &head);
    int code = compare(self, at, &head, &is_there, err);
    if (code != ROSTER_OK || is_there)
        return code;
    for (size_t from = 0, part = 1; from < size && code == ROSTER_OK; from += PART, part++)
        code = put_part(self, at.last, part, (const char *)bytes + from, size - from < PART ? size - from : PART, err);
    if (code == ROSTER_OK)
        code = put_part(self, at.last, 0, head.bytes, head.size, err);
    if (code == ROSTER_OK)
        code = remove_old(self, at.last, err);
    return code;
}

/* The caller's store is const, and in a child made by fork: this one has a connection of its own. */
int store_postgres_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err)
{
    store_server server = {.url = self->server->url};
    store own = *self;
    own.server = &server;
    int code = write_parts(&own, at, bytes, size, err);
    store_link_close(&own);
    return code;
}

int store_postgres_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err)
{
    store_end at = {.last = number};
    bool found;
    if (self->mode == STORE_READ)
        return common_fail(err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    int code = store_row_of(self, number, &at.checksum, &found, err);
    if (code == ROSTER_OK && !found)
        code = common_fail(err, ROSTER_EINVAL, "the snapshot is of a record that is not in the log");
    return code == ROSTER_OK ? write_parts(self, at, bytes, size, err) : code;
}

/* All parts but the first, one behind the other. */
static int join_parts(store *self, uint64_t number, char **bytes, size_t *size, roster_error *err)
{
    PGresult *part = NULL;
    int code = ROSTER_OK;
    *bytes = NULL;
    *size = 0;
    for (uint64_t i = 1; code == ROSTER_OK; i++) {
        code = get_part(self, number, i, &part, err);
        if (part == NULL)
            break;
        size_t more = (size_t)PQgetlength(part, 0, 0);
        char *grown = realloc(*bytes, *size + more + 1);
        if (grown != NULL) {
            memcpy(grown + *size, PQgetvalue(part, 0, 0), more);
            *bytes = grown;
            *size += more;
        } else {
            code = common_fail_memory(err);
        }
        PQclear(part);
    }
    return code;
}

/* NULL and ROSTER_OK where it cannot be used. */
static int load(store *self, uint64_t number, void **out, size_t *size, roster_error *err)
{
    PGresult *first = NULL;
    store_snapshot_start head;
    store_end at = {.last = number};
    bool found = false;
    char *bytes = NULL;
    int code = get_part(self, number, 0, &first, err);
    bool is = first != NULL && store_snapshot_parse(&head, PQgetvalue(first, 0, 0), (size_t)PQgetlength(first, 0, 0));
    PQclear(first);
    if (is)
        code = join_parts(self, number, &bytes, size, err);
    if (code == ROSTER_OK && bytes != NULL)
        code = store_row_of(self, number, &at.checksum, &found, err);
    if (code != ROSTER_OK || !found || !store_snapshot_fits(self, &head, at, bytes, *size)) {
        free(bytes);
        bytes = NULL;
    }
    *out = bytes;
    return code;
}

int store_postgres_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                                roster_error *err)
{
    *bytes = NULL;
    int code = store_postgres_snapshot_find(self, most, number, err);
    while (code == ROSTER_OK && *number > 0) {
        code = load(self, *number, bytes, size, err);
        if (*bytes != NULL)
            break;
        if (code == ROSTER_OK)
            code = store_postgres_snapshot_find(self, *number - 1, number, err);
    }
    *found = *bytes != NULL;
    return code;
}
