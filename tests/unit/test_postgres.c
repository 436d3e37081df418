/*
 * test_postgres.c: the event log in PostgreSQL: what goes in comes out, by turns; beside a server that
 * tools/scratch-postgres started.
 */
#include "support.h"

#include "store_turn.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *url;

/* On a connection of its own; the first value of the answer as a number. */
static long sql(const char *text)
{
    PGconn *link = PQconnectdb(url);
    PGresult *result = PQexec(link, text);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", text, PQresultErrorMessage(result));
    long number = PQntuples(result) > 0 ? atol(PQgetvalue(result, 0, 0)) : 0;
    PQclear(result);
    PQfinish(link);
    return number;
}

static int set_up(void **state)
{
    (void)state;
    sql("DROP TABLE IF EXISTS roster_log, roster_head, roster_snapshot");
    return 0;
}

static store *opened(store_mode mode)
{
    store *self;
    roster_error err;
    assert_ok(store_open(&self, url, mode, &err), &err);
    return self;
}

static store_row row_of(const store *self, uint64_t count, const char *bytes)
{
    return (store_row){.first = store_last(self) + 1, .count = count, .at = 7, .records = bytes, .size = strlen(bytes)};
}

static void append(store *self, uint64_t count, const char *bytes)
{
    roster_error err;
    store_row row = row_of(self, count, bytes);
    assert_ok(store_append(self, &row, &err), &err);
}

static void assert_row(store *self, uint64_t number, uint64_t first, const char *bytes)
{
    store_row row;
    roster_error err;
    bool found;
    assert_ok(store_read(self, number, &row, &found, &err), &err);
    assert_true(found);
    assert_int_equal(row.first, first);
    assert_int_equal(row.size, strlen(bytes));
    assert_memory_equal(row.records, bytes, row.size);
    assert_true(store_checksum(&row) == row.checksum);
}

static void assert_no_row(store *self, uint64_t number)
{
    store_row row;
    roster_error err;
    bool found;
    assert_ok(store_read(self, number, &row, &found, &err), &err);
    assert_false(found);
}

static void rows_come_back(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    assert_int_equal(store_last(self), 0);
    assert_no_row(self, 1);
    append(self, 2, "one two");
    append(self, 1, "three");
    store_close(self);
    self = opened(STORE_OS);
    assert_int_equal(store_last(self), 3);
    append(self, 3, "four five six");
    store *reader = opened(STORE_READ);
    for (int i = 0; i < 2; i++) { /* in order, and then from the middle of rows */
        assert_row(reader, 1 + (uint64_t)i, 1, "one two");
        assert_row(reader, 3, 3, "three");
        assert_row(reader, 4 + (uint64_t)i, 4, "four five six");
        assert_row(reader, 6, 4, "four five six");
        assert_no_row(reader, 7);
    }
    store_close(reader);
    store_close(self);
}

/* More than are read at one time. */
static void many_rows_come_back(void **state)
{
    (void)state;
    char bytes[32];
    store *self = opened(STORE_DURABLE);
    for (int i = 1; i <= 50; i++) {
        snprintf(bytes, sizeof bytes, "row %d", i);
        append(self, 1, bytes);
    }
    store *reader = opened(STORE_READ);
    for (int i = 1; i <= 50; i++) {
        snprintf(bytes, sizeof bytes, "row %d", i);
        assert_row(reader, (uint64_t)i, (uint64_t)i, bytes);
    }
    store_close(reader);
    store_close(self);
}

static void two_take_turns(void **state)
{
    (void)state;
    store *a = opened(STORE_DURABLE), *b = opened(STORE_DURABLE);
    store_turn turn;
    roster_error err;
    append(a, 1, "of a");
    store_row late = row_of(b, 1, "too late");
    assert_int_equal(store_append(b, &late, &err), STORE_EBUSY);
    assert_ok(store_turn_begin(b, 1, &turn, &err), &err);
    assert_int_equal(turn.head.last, 1);
    assert_true(turn.now > INT64_C(1500000000) * 1000000);
    assert_row(b, 1, 1, "of a"); /* and so b knows it */
    assert_no_row(b, 2);
    store_row row = row_of(b, 2, "of b");
    assert_ok(store_turn_append(b, &row, &err), &err);
    assert_row(a, 2, 2, "of b");
    append(a, 1, "of a again");
    assert_ok(store_turn_begin(b, 1, &turn, &err), &err);
    store_turn_cancel(b);
    append(a, 1, "not kept waiting");
    assert_int_equal(sql("SELECT count(*) FROM roster_log"), 4);
    assert_int_equal(sql("SELECT last FROM roster_head"), 5);
    assert_int_equal(sql("SELECT count(DISTINCT writer) FROM roster_log"), 2);
    store_close(a);
    store_close(b);
}

/* Whoever rests in its turn loses it, and finds out that nothing was written. */
static void a_turn_ends_by_itself(void **state)
{
    (void)state;
    store *a = opened(STORE_DURABLE), *b = opened(STORE_DURABLE);
    store_turn turn;
    roster_error err;
    bool has;
    assert_ok(store_turn_begin(a, 1, &turn, &err), &err);
    append(b, 1, "of b"); /* waits until a's turn is ended by the database */
    store_row row = row_of(a, 1, "of a");
    row.checksum = store_checksum(&row);
    assert_int_equal(store_turn_append(a, &row, &err), STORE_EIO);
    assert_ok(store_turn_begin(a, 1, &turn, &err), &err);
    assert_ok(store_turn_has(a, &row, &has, &err), &err);
    assert_false(has);
    store_turn_cancel(a);
    assert_row(a, 1, 1, "of b");
    row = row_of(a, 1, "of a, later");
    row.before = store_ends(a).checksum;
    row.checksum = store_checksum(&row);
    append(a, 1, "of a, later");
    assert_ok(store_turn_begin(a, 1, &turn, &err), &err);
    assert_ok(store_turn_has(a, &row, &has, &err), &err);
    assert_true(has);
    store_close(a);
    store_close(b);
}

/* The head is part of the statement, so that not even a lock that does not hold lets two rows follow one. */
static void a_head_that_moved_is_noticed(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    store_turn turn;
    roster_error err;
    append(self, 1, "one");
    store *other = opened(STORE_DURABLE);
    append(other, 1, "two");
    assert_ok(store_turn_begin(self, 1, &turn, &err), &err);
    store_row row = row_of(self, 1, "also two");
    assert_int_equal(store_turn_append(self, &row, &err), STORE_EBUSY);
    assert_int_equal(sql("SELECT count(*) FROM roster_log"), 2);
    assert_int_equal(sql("SELECT last FROM roster_head"), 2);
    store_close(other);
    store_close(self);
}

static void a_connection_that_is_lost_is_made_again(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    append(self, 1, "one");
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND application_name = 'roster'");
    store_row row = row_of(self, 1, "two");
    assert_int_equal(store_append(self, &row, &err), STORE_EIO);
    assert_ok(store_append(self, &row, &err), &err);
    assert_row(self, 2, 2, "two");
    store_close(self);
}

static void snapshots_come_back(void **state)
{
    (void)state;
    enum { SIZE = 2500000 }; /* three parts */
    store *self = opened(STORE_DURABLE);
    char *large = malloc(SIZE);
    roster_error err;
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    assert_non_null(large);
    for (size_t i = 0; i < SIZE; i++)
        large[i] = (char)(i * 7 + i / 1000);
    assert_ok(store_snapshot_get(self, 9, &number, &bytes, &size, &found, &err), &err);
    assert_false(found);
    for (int i = 0; i < 4; i++)
        append(self, 1, "x");
    assert_ok(store_snapshot_put(self, 1, "first", 5, &err), &err);
    assert_ok(store_snapshot_put(self, 2, "second", 6, &err), &err);
    assert_ok(store_snapshot_put(self, 4, large, SIZE, &err), &err);
    assert_ok(store_snapshot_get(self, 9, &number, &bytes, &size, &found, &err), &err);
    assert_true(found && number == 4 && size == SIZE && memcmp(bytes, large, SIZE) == 0);
    free(bytes);
    assert_ok(store_snapshot_get(self, 3, &number, &bytes, &size, &found, &err), &err);
    assert_true(found && number == 2 && size == 6 && memcmp(bytes, "second", 6) == 0);
    free(bytes);
    assert_int_equal(sql("SELECT count(*) FROM roster_snapshot WHERE number = 1"), 0);
    sql("UPDATE roster_snapshot SET bytes = 'secone' WHERE number = 2 AND part = 1");
    sql("DELETE FROM roster_snapshot WHERE number = 4 AND part = 2");
    assert_ok(store_snapshot_get(self, 9, &number, &bytes, &size, &found, &err), &err);
    assert_false(found);
    free(large);
    store_close(self);
}

static void another_state_is_refused(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    append(self, 1, "x");
    assert_ok(store_snapshot_put(self, 1, "state", 5, &err), &err);
    assert_ok(store_snapshot_put(self, 1, "state", 5, &err), &err);
    assert_int_equal(store_snapshot_put(self, 1, "other", 5, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "is not the one that another process stored"));
    assert_int_equal(store_snapshot_put(self, 2, "none", 4, &err), ROSTER_EINVAL);
    store_close(self);
}

static void signed_rows_need_their_key(void **state)
{
    (void)state;
    store_key key = {.size = STORE_KEY_LEAST}, other = {.size = STORE_KEY_LEAST, .bytes = {1}};
    store_options with = {.mode = STORE_DURABLE, .key = &key}, wrong = {.mode = STORE_DURABLE, .key = &other};
    store *a, *b, *self;
    roster_error err;
    store_row row;
    store_head head = {0};
    store_macs macs = {.key = &key};
    bool found = true;
    self = opened(STORE_DURABLE);
    append(self, 1, "not signed");
    assert_ok(store_open_with(&a, url, &with, &err), &err);
    assert_ok(store_open_with(&b, url, &with, &err), &err);
    append(self, 1, "not signed either");
    assert_row(a, 2, 2, "not signed either");
    append(a, 1, "first that is");
    assert_row(b, 2, 2, "not signed either");
    assert_row(b, 3, 3, "first that is");
    append(b, 1, "second");
    store_close(a);
    store_close(b);
    store_close(self);
    assert_int_equal(store_open(&self, url, STORE_DURABLE, &err), ROSTER_EINVAL);
    assert_int_equal(store_open_with(&self, url, &wrong, &err), ROSTER_EDAMAGED);
    self = opened(STORE_READ);
    for (uint64_t number = 1; found; number++) {
        assert_ok(store_read(self, number, &row, &found, &err), &err);
        if (found) {
            assert_ok(store_macs_add(&macs, &head, &row, &err), &err);
            store_head_add(&head, &row);
        }
    }
    assert_int_equal(macs.rows, 2);
    assert_int_equal(head.records, 4);
    store_close(self);
}

static void what_cannot_be_is_said(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    assert_int_equal(store_open(&self, url, STORE_READ, &err), STORE_EIO);
    assert_non_null(strstr(err.msg, "has no log: is it the --store of a server?"));
    assert_int_equal(store_open(&self, "postgresql://u:secret@/x?host=/nowhere", STORE_READ, &err), STORE_EIO);
    assert_null(strstr(err.msg, "secret"));
    assert_int_equal(store_open(&self, "postgresql://x?nonsense=1", STORE_READ, &err), ROSTER_EINVAL);
    self = opened(STORE_DURABLE);
    append(self, 1, "x");
    store_close(self);
    sql("UPDATE roster_head SET last = 2");
    assert_int_equal(store_open(&self, url, STORE_DURABLE, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "roster_head says that the log ends with record 2"));
    sql("UPDATE roster_head SET version = 9");
    assert_int_equal(store_open(&self, url, STORE_READ, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "version 9"));
}

static void what_is_not_durable_is_refused(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    sql("ALTER ROLE roster SET synchronous_commit = off");
    assert_int_equal(store_open(&self, url, STORE_DURABLE, &err), ROSTER_EINVAL);
    assert_non_null(strstr(err.msg, "synchronous_commit off"));
    self = opened(STORE_OS);
    store_close(self);
    sql("ALTER ROLE roster RESET synchronous_commit");
}

int main(void)
{
    url = getenv("ROSTER_POSTGRES");
    if (url == NULL)
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rows_come_back, set_up),
        cmocka_unit_test_setup(many_rows_come_back, set_up),
        cmocka_unit_test_setup(two_take_turns, set_up),
        cmocka_unit_test_setup(a_turn_ends_by_itself, set_up),
        cmocka_unit_test_setup(a_head_that_moved_is_noticed, set_up),
        cmocka_unit_test_setup(a_connection_that_is_lost_is_made_again, set_up),
        cmocka_unit_test_setup(snapshots_come_back, set_up),
        cmocka_unit_test_setup(another_state_is_refused, set_up),
        cmocka_unit_test_setup(signed_rows_need_their_key, set_up),
        cmocka_unit_test_setup(what_cannot_be_is_said, set_up),
        cmocka_unit_test_setup(what_is_not_durable_is_refused, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
