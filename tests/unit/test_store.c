/*
 * test_store.c: the event log on disk: what goes in comes out, whatever is changed is noticed, and a disk that is full,
 * read-only or damaged is said to be so and leaves earlier rows readable.
 */
#include "store_support.h"

#include <fcntl.h>

static void rows_come_back(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    store_row row;
    roster_error err;
    bool found;
    assert_int_equal(store_last(self), 0);
    assert_ok(store_read(self, 1, &row, &found, &err), &err);
    assert_false(found);
    assert_ok(append(self, 2, "one two", &err), &err);
    assert_ok(append(self, 1, "three", &err), &err);
    store_close(self);
    self = opened(STORE_OS);
    assert_int_equal(store_last(self), 3);
    assert_ok(append(self, 3, "four five six", &err), &err);
    uint64_t before = 0;
    for (uint64_t number = 1, rows = 0; number <= 6; number = row.first + row.count, rows++) {
        static const char *const expected[] = {"one two", "three", "four five six"};
        assert_ok(store_read(self, number, &row, &found, &err), &err);
        assert_true(found);
        assert_int_equal(row.first, number);
        assert_int_equal(row.size, strlen(expected[rows]));
        assert_memory_equal(row.records, expected[rows], row.size);
        assert_true(row.before == before);
        assert_true(store_checksum(&row) == row.checksum);
        before = row.checksum;
    }
    assert_ok(store_read(self, 5, &row, &found, &err), &err);
    assert_int_equal(row.first, 4);
    assert_true(store_checksum(&row) == row.checksum);
    store_close(self);
}

static void rows_out_of_order_are_refused(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    store_row row = {.first = 2, .count = 1, .records = "x", .size = 1};
    assert_refused(store_append(self, &row, &err), &err, ROSTER_EINVAL,
                   "the row begins with record 2, must begin with 1");
    assert_refused(store_snapshot_put(self, 1, "x", 1, &err), &err, ROSTER_EINVAL,
                   "the snapshot is of a record that is not in the log");
    store *reader = opened(STORE_READ);
    assert_refused(append(reader, 1, "x", &err), &err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    store_close(reader);
    store_close(self);
}

static void snapshots_come_back(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    for (int i = 0; i < 5; i++)
        assert_ok(append(self, 1, "x", &err), &err);
    assert_ok(store_snapshot_get(self, 5, &number, &bytes, &size, &found, &err), &err);
    assert_false(found);
    assert_null(bytes);
    assert_ok(store_snapshot_put(self, 2, "two", 3, &err), &err);
    assert_ok(store_snapshot_put(self, 3, "three", 5, &err), &err);
    assert_ok(store_snapshot_put(self, 5, "five", 4, &err), &err);
    static const struct {
        uint64_t most, number;
    } asked[] = {{9, 5}, {5, 5}, {4, 3}, {2, 0}};
    for (size_t i = 0; i < 4; i++) {
        assert_ok(store_snapshot_get(self, asked[i].most, &number, &bytes, &size, &found, &err), &err);
        assert_int_equal(found, asked[i].number > 0);
        if (found)
            assert_int_equal(number, asked[i].number);
        free(bytes);
    }
    store_close(self);
}

/* The log that was put in place has as many records, but not the same. */
static void snapshots_of_another_log_are_passed_over(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    assert_ok(append(self, 1, "x", &err), &err);
    assert_ok(store_snapshot_put(self, 1, "state", 5, &err), &err);
    store_close(self);
    const char *name = "snapshot-00000000000000000001";
    assert_int_equal(rename(path_to(name), path_to("kept")), 0);
    forget("roster.db");
    forget("high-water");
    self = opened(STORE_DURABLE);
    assert_ok(append(self, 1, "y", &err), &err);
    assert_int_equal(rename(path_to("kept"), path_to(name)), 0);
    assert_ok(store_snapshot_get(self, 1, &number, &bytes, &size, &found, &err), &err);
    assert_false(found);
    store_close(self);
}

/* A snapshot with any bit changed, or cut short, is passed over for the one before. */
static void damaged_snapshots_are_passed_over(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    char path[128];
    assert_ok(append(self, 2, "x", &err), &err);
    assert_ok(store_snapshot_put(self, 1, "before", 6, &err), &err);
    assert_ok(store_snapshot_put(self, 2, "state", 5, &err), &err);
    snprintf(path, sizeof path, "%s/snapshot-%020d", directory, 2);
    for (int bit = 0; bit < 8 * 37; bit++) {
        unsigned char byte;
        int file = open(path, O_RDWR);
        assert_int_equal(pread(file, &byte, 1, bit / 8), 1);
        byte = (unsigned char)(byte ^ 1 << bit % 8);
        assert_int_equal(pwrite(file, &byte, 1, bit / 8), 1);
        assert_ok(store_snapshot_get(self, 2, &number, &bytes, &size, &found, &err), &err);
        assert_true(found);
        assert_int_equal(number, 1);
        assert_memory_equal(bytes, "before", 6);
        free(bytes);
        byte = (unsigned char)(byte ^ 1 << bit % 8);
        assert_int_equal(pwrite(file, &byte, 1, bit / 8), 1);
        close(file);
    }
    for (off_t cut = 0; cut < 37; cut++) {
        assert_int_equal(truncate(path, 36 - cut), 0);
        assert_ok(store_snapshot_get(self, 2, &number, &bytes, &size, &found, &err), &err);
        assert_int_equal(number, 1);
        free(bytes);
    }
    store_close(self);
}

static void every_bit_counts(void **state)
{
    (void)state;
    char bytes[41];
    memset(bytes, 'x', sizeof bytes);
    store_row row = {.first = 3, .count = 2, .at = 5, .records = bytes, .size = sizeof bytes, .before = 9};
    uint64_t right = store_checksum(&row);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        assert_true(store_checksum(&row) != right);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    row.first ^= 1;
    assert_true(store_checksum(&row) != right);
    row.first ^= 1;
    row.at ^= 1 << 20;
    assert_true(store_checksum(&row) != right);
    row.at ^= 1 << 20;
    row.before ^= 1;
    assert_true(store_checksum(&row) != right);
    row.before ^= 1;
    row.size--;
    assert_true(store_checksum(&row) != right);
}

static void one_process_writes(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE), *second;
    roster_error err;
    char sentence[200];
    snprintf(sentence, sizeof sentence, "%s is in use: another process writes to it", directory);
    assert_refused(store_open(&second, directory, STORE_OS, &err), &err, STORE_EBUSY, sentence);
    assert_null(second);
    assert_ok(append(self, 1, "x", &err), &err);
    second = opened(STORE_READ);
    assert_int_equal(store_last(second), 1);
    store_close(second);
    store_close(self);
}

static long number_in_lock(void)
{
    long number = 0;
    FILE *file = fopen(path_to("lock"), "r");
    assert_non_null(file);
    if (fscanf(file, "%ld", &number) != 1)
        number = 0;
    fclose(file);
    return number;
}

/* The number stands in the file while the lock is held, and no longer. */
static void the_lock_names_its_holder(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE), *second;
    assert_int_equal(number_in_lock(), getpid());
    assert_int_equal(store_open(&second, directory, STORE_DURABLE, NULL), STORE_EBUSY);
    assert_int_equal(number_in_lock(), getpid());
    store_close(self);
    assert_int_equal(number_in_lock(), 0);
}

/* The log is not for every user of the machine; what an operator has set up stays. */
static void a_new_folder_is_its_owners(void **state)
{
    (void)state;
    struct stat what;
    roster_error err;
    for (int there = 0; there < 2; there++) {
        store *self;
        assert_ok(store_open(&self, path_to("new"), STORE_DURABLE, &err), &err);
        store_close(self);
        assert_int_equal(stat(path_to("new"), &what), 0);
        assert_int_equal(what.st_mode & 0777, there ? 0750 : 0700);
        assert_int_equal(chmod(path_to("new"), 0750), 0);
    }
    folder_remove(path_to("new"));
}

static void full_disks_are_said(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    static char much[300000];
    roster_error err;
    store_state seen;
    store_row row;
    bool found;
    memset(much, 'm', sizeof much - 1);
    assert_ok(append(self, 1, "before", &err), &err);
    store_limit(self, 100000);
    assert_int_equal(append(self, 1, much, &err), STORE_EFULL);
    assert_non_null(
        strstr(err.msg, "roster.db cannot grow: the disk is full; make room, earlier data can still be read"));
    assert_int_equal(store_last(self), 1);
    assert_ok(store_read(self, 1, &row, &found, &err), &err);
    assert_memory_equal(row.records, "before", 6);
    store_limit(self, 0);
    assert_ok(append(self, 1, much, &err), &err);
    store_state_get(self, &seen);
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.rows, 2);
    assert_true(seen.bytes > 300000);
    store_close(self);
}

static void what_cannot_be_opened_is_said(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    char path[128], sentence[300];
    snprintf(path, sizeof path, "%s/roster.db", directory);
    snprintf(sentence, sizeof sentence, "%s does not exist: is %s the --data folder of a server?", path, directory);
    assert_refused(store_open(&self, directory, STORE_READ, &err), &err, STORE_EIO, sentence);
    assert_int_equal(store_open(&self, "no/such/place", STORE_DURABLE, &err), STORE_EREADONLY);
    assert_string_equal(err.msg, "no/such/place cannot be created: No such file or directory");
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 1000; i++)
        fputs("this is no database\n", file);
    fclose(file);
    snprintf(sentence, sizeof sentence, "%s is damaged: file is not a database; restore a backup", path);
    assert_refused(store_open(&self, directory, STORE_DURABLE, &err), &err, ROSTER_EDAMAGED, sentence);
    assert_null(self);
}

/* As an operator sees it who is not root: root may write everywhere. */
static void read_only_is_said(void **state)
{
    (void)state;
    const uid_t root = 0, nobody = 65534;
    bool was_root = geteuid() == root;
    store *self = opened(STORE_DURABLE);
    roster_error err;
    assert_ok(append(self, 1, "x", &err), &err);
    store_close(self);
    chmod(directory, 0555);
    if (was_root && seteuid(nobody) != 0)
        skip();
    int code = store_open(&self, directory, STORE_DURABLE, &err);
    store *reader;
    roster_error reading = {.msg = ""};
    int read = store_open(&reader, directory, STORE_READ, &reading);
    if (was_root)
        assert_int_equal(seteuid(root), 0);
    assert_int_equal(code, STORE_EREADONLY);
    assert_non_null(strstr(err.msg, " cannot be written: Permission denied"));
    assert_ok(read, &reading);
    assert_int_equal(store_last(reader), 1);
    store_close(reader);
}

/* Bytes in the middle of the file are overwritten: earlier rows can be read, the check names the damage. */
static void damaged_pages_are_said(void **state)
{
    (void)state;
    store *self = opened(STORE_DURABLE);
    static char much[100000];
    roster_error err;
    store_row row;
    bool found;
    char path[128];
    memset(much, 'm', sizeof much - 1);
    for (int i = 0; i < 20; i++)
        assert_ok(append(self, 1, i == 0 ? "first" : much, &err), &err);
    assert_ok(store_check(self, &err), &err);
    store_close(self);
    snprintf(path, sizeof path, "%s/roster.db", directory);
    int file = open(path, O_WRONLY);
    static const char zeros[4096 * 40];
    assert_int_equal(pwrite(file, zeros, sizeof zeros, 4096 * 300), sizeof zeros);
    close(file);
    self = opened(STORE_READ);
    assert_ok(store_read(self, 1, &row, &found, &err), &err);
    assert_memory_equal(row.records, "first", 5);
    bool noticed = store_check(self, &err) == ROSTER_EDAMAGED;
    for (uint64_t number = 1; number <= 20; number++)
        if (store_read(self, number, &row, &found, &err) != ROSTER_OK || !found || store_checksum(&row) != row.checksum)
            noticed = true;
    assert_true(noticed);
    store_close(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_out_of_order_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(snapshots_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(snapshots_of_another_log_are_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_snapshots_are_passed_over, set_up, tear_down),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test_setup_teardown(one_process_writes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_lock_names_its_holder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_folder_is_its_owners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(full_disks_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_opened_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(read_only_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_pages_are_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
