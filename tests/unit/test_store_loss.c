/*
 * test_store_loss.c: a log that lost records is not taken for a shorter one, whatever happened to its files; what is
 * left of them stays as it is until the loss is accepted by its size.
 */
#include "store_support.h"

#include <fcntl.h>
#include <sqlite3.h>

enum { RECORDS = 5 };

/* Five records, with a snapshot after the fourth where wanted; stopped cleanly, or killed, the journal still there. */
static void write_log(store_mode mode, bool snapshot, bool killed)
{
    store *self = opened(mode);
    roster_error err;
    for (int i = 1; i <= RECORDS; i++)
        assert_ok(append(self, 1, "record", &err), &err);
    if (snapshot)
        assert_ok(store_snapshot_put(self, 4, "state", 5, &err), &err);
    if (killed) {
        static const char *const names[] = {"roster.db", "roster.db-wal", "high-water"};
        for (size_t i = 0; i < 3; i++)
            copy(names[i], i == 0 ? "a" : i == 1 ? "b" : "c");
        store_close(self);
        forget("roster.db-shm");
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(rename(path_to(i == 0 ? "a" : i == 1 ? "b" : "c"), path_to(names[i])), 0);
        return;
    }
    store_close(self);
}

static void empty_database(void **state)
{
    (void)state;
    write_log(STORE_DURABLE, true, false);
    assert_int_equal(truncate(path_to("roster.db"), 0), 0);
    assert_missing(0, RECORDS);
    assert_true(there("snapshot-00000000000000000004"));
    assert_accepted(0, RECORDS);
    assert_false(there("snapshot-00000000000000000004"));
    assert_true(there("lost-snapshot-00000000000000000004"));
    assert_true(there("lost-high-water-5"));
}

static void deleted_database(void **state)
{
    (void)state;
    write_log(STORE_DURABLE, false, false);
    forget("roster.db");
    assert_missing(0, RECORDS);
    assert_false(there("roster.db"));
    assert_accepted(0, RECORDS);
}

/* SQLite would remove the journal of an empty database, and with it all that is left. */
static void empty_database_with_journal(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    struct stat journal, after;
    write_log(STORE_DURABLE, false, true);
    assert_int_equal(truncate(path_to("roster.db"), 0), 0);
    assert_int_equal(stat(path_to("roster.db-wal"), &journal), 0);
    assert_missing(0, RECORDS);
    forget("high-water"); /* as 0.1 left it */
    assert_int_equal(store_open(&self, directory, STORE_DURABLE, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "is empty or missing, but its journal is there"));
    assert_int_equal(stat(path_to("roster.db-wal"), &after), 0);
    assert_int_equal(after.st_size, journal.st_size);
}

static void lost_journal(void **state)
{
    (void)state;
    write_log(STORE_DURABLE, false, true);
    forget("roster.db-wal");
    assert_missing(0, RECORDS);
    assert_accepted(0, RECORDS);
}

/* A frame in the middle is damaged: SQLite takes it for the end. */
static void damaged_journal(void **state)
{
    (void)state;
    struct stat journal, after;
    write_log(STORE_DURABLE, false, true);
    assert_int_equal(stat(path_to("roster.db-wal"), &journal), 0);
    int file = open(path_to("roster.db-wal"), O_RDWR);
    off_t at = journal.st_size - 4096 - 24 - 4096; /* in the frame before the last */
    assert_int_equal(pwrite(file, "damage", 6, at), 6);
    close(file);
    assert_missing(RECORDS - 2, RECORDS);
    assert_int_equal(stat(path_to("roster.db-wal"), &after), 0);
    assert_int_equal(after.st_size, journal.st_size);
    assert_accepted(RECORDS - 2, RECORDS);
    assert_true(there("lost-roster.db-wal-5"));
}

static void truncated_database(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    struct stat whole;
    static char much[20000];
    memset(much, 'm', sizeof much - 1);
    self = opened(STORE_DURABLE);
    for (int i = 0; i < 20; i++)
        assert_ok(append(self, 1, much, &err), &err);
    store_close(self);
    assert_int_equal(stat(path_to("roster.db"), &whole), 0);
    assert_int_equal(truncate(path_to("roster.db"), whole.st_size / 2 / 4096 * 4096), 0);
    assert_int_equal(store_open(&self, directory, STORE_DURABLE, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "restore a backup"));
}

/* Beside newer snapshots, as of 0.1, which had no mark, and beside a mark. */
static void older_backup(void **state)
{
    (void)state;
    roster_error err;
    store *self = opened(STORE_DURABLE);
    assert_ok(append(self, 2, "backup", &err), &err);
    store_close(self);
    copy("roster.db", "backup");
    self = opened(STORE_DURABLE);
    assert_ok(append(self, 3, "later", &err), &err);
    assert_ok(store_snapshot_put(self, 4, "state", 5, &err), &err);
    store_close(self);
    copy("backup", "roster.db");
    assert_missing(2, 5);
    forget("high-water");
    assert_missing(2, 4);
    /* alone it is a log like any other */
    forget("snapshot-00000000000000000004");
    self = opened(STORE_DURABLE);
    assert_int_equal(store_last(self), 2);
    store_close(self);
}

/* As long as the one that was written, but not the same. */
static void another_log(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    write_log(STORE_DURABLE, false, false);
    assert_int_equal(rename(path_to("high-water"), path_to("kept")), 0);
    forget("roster.db");
    self = opened(STORE_DURABLE);
    for (int i = 0; i < RECORDS + 1; i++)
        assert_ok(append(self, 1, "other", &err), &err);
    store_close(self);
    assert_int_equal(rename(path_to("kept"), path_to("high-water")), 0);
    store_options options = {.mode = STORE_DURABLE, .accept_loss = 1};
    assert_int_equal(store_open_with(&self, directory, &options, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "is not the log that was written here"));
    self = opened(STORE_READ);
    assert_int_equal(store_whole(self, &err), ROSTER_EDAMAGED);
    store_close(self);
}

/* Rows that may be lost with the machine are not marked before they are on disk. */
static void rows_of_the_system(void **state)
{
    (void)state;
    write_log(STORE_OS, false, true);
    forget("roster.db-wal");
    store *self = opened(STORE_DURABLE);
    assert_int_equal(store_last(self), 0);
    store_close(self);
    forget("roster.db");
    forget("high-water");
    write_log(STORE_OS, false, false);
    assert_int_equal(truncate(path_to("roster.db"), 0), 0);
    assert_missing(0, RECORDS);
}

/* A file that is no snapshot says nothing, nor does a mark that is not whole; what was left half written goes. */
static void junk_is_no_loss(void **state)
{
    (void)state;
    roster_error err;
    write_log(STORE_DURABLE, true, false);
    copy("lock", "snapshot-00000000000000000099");
    copy("lock", "snapshot.half-1");
    assert_int_equal(truncate(path_to("high-water"), 11), 0);
    store *self = opened(STORE_DURABLE);
    assert_int_equal(store_last(self), RECORDS);
    assert_ok(append(self, 1, "more", &err), &err);
    store_close(self);
    assert_false(there("snapshot.half-1"));
    assert_int_equal(truncate(path_to("roster.db"), 0), 0);
    assert_missing(0, RECORDS + 1);
}

static void a_mark_that_cannot_be_written_stops_nothing(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_to("high-water"), 0777), 0);
    write_log(STORE_DURABLE, false, false);
    store *self = opened(STORE_DURABLE);
    assert_int_equal(store_last(self), RECORDS);
    store_close(self);
}

/* A log of version 0.1 is read as it is, and continued as one of now. */
static void first_version(void **state)
{
    (void)state;
    sqlite3 *db;
    roster_error err;
    store_row row;
    bool found;
    write_log(STORE_DURABLE, true, false);
    forget("high-water");
    assert_int_equal(sqlite3_open(path_to("roster.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "ALTER TABLE log DROP COLUMN mac; ALTER TABLE log DROP COLUMN digest; PRAGMA user_version = 1",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    store *self = opened(STORE_READ);
    assert_int_equal(store_last(self), RECORDS);
    assert_ok(store_whole(self, &err), &err);
    store_close(self);
    self = opened(STORE_DURABLE);
    assert_ok(append(self, 1, "new", &err), &err);
    for (uint64_t i = 1; i <= RECORDS + 1; i++) {
        assert_ok(store_read(self, i, &row, &found, &err), &err);
        assert_true(found && row.first == i && row.mac == NULL && store_checksum(&row) == row.checksum);
    }
    store_close(self);
    self = opened(STORE_READ);
    assert_int_equal(store_last(self), RECORDS + 1);
    store_close(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(empty_database, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deleted_database, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_database_with_journal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lost_journal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_journal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(truncated_database, set_up, tear_down),
        cmocka_unit_test_setup_teardown(older_backup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_log, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_the_system, set_up, tear_down),
        cmocka_unit_test_setup_teardown(junk_is_no_loss, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mark_that_cannot_be_written_stops_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(first_version, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
