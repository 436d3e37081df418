/*
 * test_store_cut.c: a log whose beginning was dropped: what is lost of it afterwards is told and accepted as of any
 * other, and where the rest is of no use without what is gone, nothing is changed.
 */
#include "store_support.h"

#include <sqlite3.h>

#include <unistd.h>

int __real_fsync(int file);
int __wrap_fsync(int file);

static unsigned synchronised_bases;

int __wrap_fsync(int file)
{
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    synchronised_bases += strstr(name, "/base-") != NULL;
    return __real_fsync(file);
}

static void more(store *self, int records)
{
    roster_error err;
    for (int i = 0; i < records; i++)
        assert_ok(append(self, 1, "record", &err), &err);
}

/* A snapshot of that record, and a cut after another one which has it as its base. */
static void cut_after(store *self, uint64_t record, uint64_t snapshot, const char *state)
{
    roster_error err;
    store_cut cut;
    assert_ok(store_snapshot_put(self, snapshot, state, strlen(state), &err), &err);
    store *reader = opened(STORE_READ);
    assert_ok(store_cut_keep(reader, snapshot, &err), &err);
    assert_ok(store_cut_find(reader, record, snapshot, &cut, &err), &err);
    store_close(reader);
    assert_int_equal(cut.record, record);
    assert_ok(store_cut_make(directory, &cut, &err), &err);
}

/* Six records, those up to `record` dropped. */
static void write_cut(uint64_t record, uint64_t snapshot)
{
    store *self = opened(STORE_DURABLE);
    more(self, 6);
    cut_after(self, record, snapshot, "state");
    store_close(self);
}

static void lose_after(uint64_t record)
{
    sqlite3 *db;
    char sql[80];
    snprintf(sql, sizeof sql, "DELETE FROM log WHERE first > %llu", (unsigned long long)record);
    assert_int_equal(sqlite3_open(path_to("roster.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* What a start begins with. */
static void assert_state(uint64_t record, const char *state)
{
    roster_error err;
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    store *self = opened(STORE_READ);
    assert_ok(store_snapshot_get(self, UINT64_MAX, &number, &bytes, &size, &found, &err), &err);
    assert_true(found && number == record && size == strlen(state));
    assert_memory_equal(bytes, state, size);
    free(bytes);
    store_close(self);
}

/* The loss is told, but there is no number by which it would be accepted. */
static void assert_useless(uint64_t left, uint64_t known)
{
    store *self;
    roster_error err;
    assert_missing(left, known);
    store_options options = {.mode = STORE_DURABLE, .accept_loss = known - left};
    assert_int_equal(store_open_with(&self, directory, &options, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "so is the state that stands for what was dropped"));
    assert_null(strstr(err.msg, "--accept-loss"));
    assert_true(there("high-water"));
    assert_false(there("lost-high-water-6"));
}

static void the_end_is_lost(void **state)
{
    (void)state;
    write_cut(3, 4);
    lose_after(5);
    assert_missing(5, 6);
    assert_accepted(5, 6);
    assert_state(4, "state");
    forget("snapshot-00000000000000000004");
    assert_state(4, "state");
    store *self = opened(STORE_DURABLE);
    more(self, 2);
    cut_after(self, 5, 7, "later");
    store_close(self);
    assert_state(7, "later");
}

static void all_rows_are_lost(void **state)
{
    (void)state;
    write_cut(4, 4);
    lose_after(0);
    assert_missing(4, 6);
    assert_accepted(4, 6);
    assert_state(4, "state");
}

static void all_signed_rows_are_lost(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    store_row row;
    bool found;
    store_key key = {.size = STORE_KEY_LEAST};
    store_options options = {.mode = STORE_DURABLE, .key = &key, .accept_loss = 2};
    assert_ok(store_open_with(&self, directory, &options, &err), &err);
    more(self, 6);
    cut_after(self, 4, 4, "state");
    store_close(self);
    lose_after(0);
    assert_ok(store_open_with(&self, directory, &options, &err), &err);
    more(self, 1);
    assert_ok(store_read(self, 5, &row, &found, &err), &err);
    assert_true(found && store_checksum(&row) == row.checksum);
    store_macs macs = {.key = &key, .rows = store_cut_of(self)->signed_rows};
    memcpy(macs.link, store_cut_of(self)->link, STORE_HASH);
    assert_int_equal(macs.rows, 4);
    assert_ok(store_macs_add(&macs, &(store_head){0}, &row, &err), &err);
    store_close(self);
}

/* Neither rows before the base can be replayed, nor can the base be taken back. */
static void the_base_is_newer_than_the_rest(void **state)
{
    (void)state;
    write_cut(3, 5);
    lose_after(4);
    assert_useless(4, 6);
    assert_true(there("snapshot-00000000000000000005"));
    assert_true(there("base-00000000000000000005"));
    forget("snapshot-00000000000000000005");
    forget("high-water"); /* the base tells alone */
    assert_missing(4, 5);
}

/* The base of the backup went with the next cut. */
static void an_older_backup(void **state)
{
    (void)state;
    write_cut(2, 3);
    copy("roster.db", "backup");
    copy("base-00000000000000000003", "base");
    store *self = opened(STORE_DURABLE);
    more(self, 3);
    cut_after(self, 7, 8, "later");
    assert_false(there("base-00000000000000000003"));
    store_close(self);
    forget("snapshot-00000000000000000003");
    copy("backup", "roster.db");
    assert_useless(6, 9);
    assert_true(there("base-00000000000000000008"));
    copy("base", "base-00000000000000000003");
    assert_missing(6, 9);
    assert_accepted(6, 9);
    assert_state(3, "state");
    assert_false(there("base-00000000000000000008"));
    assert_true(there("lost-base-00000000000000000008"));
    assert_true(there("lost-snapshot-00000000000000000008"));
}

/* A new log in the same folder comes to a base of the same number. */
static void the_database_is_lost(void **state)
{
    (void)state;
    for (int accepted = 0; accepted < 2; accepted++) {
        write_cut(3, 5);
        assert_int_equal(truncate(path_to("roster.db"), 0), 0);
        if (accepted) {
            assert_missing(0, 6);
            assert_accepted(0, 6);
        } else {
            forget("high-water");
            forget("snapshot-00000000000000000005");
        }
        store *self = opened(STORE_DURABLE);
        more(self, 6);
        cut_after(self, 4, 5, "another");
        store_close(self);
        forget("snapshot-00000000000000000005");
        assert_state(5, "another");
        forget("roster.db");
        forget("high-water");
    }
}

/* As after a power failure, or where rows are not synchronised one by one. */
static void a_mark_that_is_behind_the_cut(void **state)
{
    (void)state;
    static const char *const marks[] = {"first", "second", "third"};
    store *self;
    roster_error err;
    for (int i = 0; i < 3; i++) {
        self = opened(STORE_DURABLE);
        more(self, 2);
        store_close(self);
        copy("high-water", marks[i]);
    }
    self = opened(STORE_DURABLE);
    cut_after(self, 4, 5, "state");
    store_close(self);
    for (int i = 0; i < 3; i++) {
        copy(marks[i], "high-water");
        self = opened(STORE_DURABLE);
        assert_ok(store_whole(self, &err), &err);
        store_close(self);
    }
}

/* The row that the mark is of was dropped from this log, and was another one. */
static void the_mark_of_another_log(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    assert_ok(append(self, 4, "other", &err), &err);
    store_close(self);
    copy("high-water", "other");
    forget("roster.db");
    forget("high-water");
    write_cut(4, 5);
    copy("other", "high-water");
    assert_int_equal(store_open(&self, directory, STORE_DURABLE, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "is not the log that was written here"));
}

/* Also where rows are not forced to disk: dropped ones are gone for good, and the base stands for them. */
static void bases_are_synchronised(void **state)
{
    (void)state;
    store *self = opened(STORE_OS);
    more(self, 6);
    synchronised_bases = 0;
    cut_after(self, 3, 5, "state");
    assert_int_equal(synchronised_bases, 1);
    store_close(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_end_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_rows_are_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_signed_rows_are_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_base_is_newer_than_the_rest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_older_backup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_database_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mark_that_is_behind_the_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_mark_of_another_log, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bases_are_synchronised, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
