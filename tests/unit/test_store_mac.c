/*
 * test_store_mac.c: the head of a log and the MACs of its rows: nothing can be changed, moved or taken away without the
 * key, and a log may begin without one.
 */
#include "store_support.h"

#include "common_hash.h"

#include <sqlite3.h>

static const store_key KEY = {.bytes = "a key of at least thirty-two bytes", .size = 34};
static const store_key OTHER = {.bytes = "another key of thirty-two bytes or so", .size = 37};

static store *opened_with(const store_key *key)
{
    store *self;
    roster_error err;
    store_options options = {.mode = STORE_DURABLE, .key = key};
    assert_ok(store_open_with(&self, directory, &options, &err), &err);
    return self;
}

/* Rows "row 1", .. after those that are there. */
static void write_rows(const store_key *key, int n)
{
    store *self = opened_with(key);
    roster_error err;
    for (int i = 0; i < n; i++) {
        char bytes[32];
        snprintf(bytes, sizeof bytes, "row %llu", (unsigned long long)store_last(self) + 1);
        assert_ok(append(self, 1, bytes, &err), &err);
    }
    store_close(self);
}

/* All rows, as the audit reads them. */
static int check(const store_key *key, store_head *head, uint64_t *signed_rows, roster_error *err)
{
    store *self = opened(STORE_READ);
    store_macs macs = {.key = key};
    store_row row;
    bool found = true;
    int code = ROSTER_OK;
    *head = (store_head){0};
    while (code == ROSTER_OK && found) {
        assert_ok(store_read(self, head->records + 1, &row, &found, err), err);
        if (found)
            code = store_macs_add(&macs, head, &row, err);
        if (found)
            store_head_add(head, &row);
    }
    *signed_rows = macs.rows;
    store_close(self);
    return code;
}

static void change(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_to("roster.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Somebody changes a row and puts every checksum right, as anyone can. */
static void forge(uint64_t number, const char *bytes)
{
    sqlite3 *db;
    sqlite3_stmt *set;
    uint64_t before = 0;
    store *self = opened(STORE_READ);
    assert_int_equal(sqlite3_open(path_to("roster.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "UPDATE log SET records = ?2, checksum = ?3 WHERE first = ?1", -1, &set, NULL),
        SQLITE_OK);
    for (uint64_t i = 1; i <= store_last(self); i++) {
        store_row row;
        roster_error err;
        bool found;
        assert_ok(store_read(self, i, &row, &found, &err), &err);
        char copy[64];
        size_t size = i == number ? strlen(bytes) : row.size;
        memcpy(copy, i == number ? bytes : row.records, size);
        store_row forged = {.first = i, .count = 1, .at = row.at, .records = copy, .size = size, .before = before};
        before = store_checksum(&forged);
        sqlite3_bind_int64(set, 1, (sqlite3_int64)i);
        sqlite3_bind_blob(set, 2, copy, (int)size, SQLITE_STATIC);
        sqlite3_bind_int64(set, 3, (sqlite3_int64)before);
        assert_int_equal(sqlite3_step(set), SQLITE_DONE);
        sqlite3_reset(set);
    }
    sqlite3_finalize(set);
    sqlite3_close(db);
    store_close(self);
}

/* python3: h = sha256(bytes(32) + struct.pack('<QQq', 1, 1, 7) + sha256(b'row 1').digest()), again for row 2. */
static void the_head_is_what_anyone_computes(void **state)
{
    (void)state;
    static const char expected[] = "bad3c3eec9f7461109cbb682297b45463633fb7befcb5ed7b841f0c4cd4ba369";
    store_head head;
    uint64_t rows;
    roster_error err;
    char hex[2 * STORE_HASH + 1];
    write_rows(NULL, 2);
    assert_ok(check(NULL, &head, &rows, &err), &err);
    assert_int_equal(head.records, 2);
    assert_int_equal(rows, 0);
    for (size_t i = 0; i < STORE_HASH; i++)
        sprintf(hex + 2 * i, "%02x", head.hash[i]);
    assert_string_equal(hex, expected);
}

/* python3: hmac(KEY, b'H' + bytes(32) + struct.pack('<QQq', 1, 1, 7) + sha256(b'row 1').digest(), 'sha256') */
static void the_mac_is_what_the_key_computes(void **state)
{
    (void)state;
    static const char expected[] = "5abe02076ca39ed2d2b6f4f8578db70bcec95b296fff748d4b92a101aba1a088";
    roster_error err;
    store_row row;
    bool found;
    char hex[2 * STORE_HASH + 1];
    write_rows(&KEY, 1);
    store *self = opened(STORE_READ);
    assert_ok(store_read(self, 1, &row, &found, &err), &err);
    for (size_t i = 0; i < STORE_HASH; i++)
        sprintf(hex + 2 * i, "%02x", row.mac[i]);
    assert_string_equal(hex, expected);
    store_close(self);
}

static void forged_rows_are_found(void **state)
{
    (void)state;
    store_head head;
    uint64_t rows;
    roster_error err;
    write_rows(NULL, 2); /* began without a key */
    write_rows(&KEY, 2);
    write_rows(&KEY, 2);
    assert_ok(check(&KEY, &head, &rows, &err), &err);
    assert_int_equal(rows, 4);
    assert_ok(check(NULL, &head, &rows, &err), &err);
    for (uint64_t number = 1; number <= 6; number++) {
        char original[16];
        snprintf(original, sizeof original, "row %llu", (unsigned long long)number);
        forge(number, "raw 9");
        assert_ok(check(NULL, &head, &rows, &err), &err);
        assert_int_equal(check(&KEY, &head, &rows, &err), ROSTER_EDAMAGED);
        assert_non_null(strstr(err.msg, "its MAC does not fit"));
        forge(number, original);
        assert_ok(check(&KEY, &head, &rows, &err), &err);
    }
    change("UPDATE log SET mac = NULL WHERE first = 5");
    assert_int_equal(check(&KEY, &head, &rows, &err), ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, "its MAC is missing"));
    change("UPDATE log SET mac = NULL WHERE first < 5");
    assert_int_equal(check(&KEY, &head, &rows, &err), ROSTER_EDAMAGED);
}

/* A signed log is continued with its key alone. */
static void keys_are_asked_for(void **state)
{
    (void)state;
    store *self;
    roster_error err;
    char sentence[200];
    for (int rows = 1; rows <= 2; rows++) {
        write_rows(&KEY, 1);
        snprintf(sentence, sizeof sentence, "%s is signed with a key: give it with --key FILE", path_to("roster.db"));
        assert_refused(store_open(&self, directory, STORE_DURABLE, &err), &err, ROSTER_EINVAL, sentence);
        store_options options = {.mode = STORE_DURABLE, .key = &OTHER};
        assert_int_equal(store_open_with(&self, directory, &options, &err), ROSTER_EDAMAGED);
        assert_non_null(strstr(err.msg, "the key is another"));
    }
}

static void key_files(void **state)
{
    (void)state;
    static store_key key;
    roster_error err;
    char sentence[300];
    for (size_t size = 31; size <= 4097; size += size == 32 ? 4064 : 1) {
        FILE *file = fopen(path_to("key"), "wb");
        for (size_t i = 0; i < size; i++)
            fputc((int)(i % 251), file);
        fclose(file);
        int code = store_key_read(&key, path_to("key"), &err);
        assert_int_equal(code, size >= 32 && size <= 4096 ? ROSTER_OK : ROSTER_EINVAL);
        assert_int_equal(key.size, code == ROSTER_OK ? size : 0);
    }
    snprintf(sentence, sizeof sentence, "the key file %s must have 32 to 4096 bytes", path_to("key"));
    assert_string_equal(err.msg, sentence);
    assert_int_equal(store_key_read(&key, path_to("none"), &err), ROSTER_EINVAL);
}

enum { SNAPSHOT_HEAD = 32, SNAPSHOT_BYTES = 5 };

/* Rewrites the snapshot after record 2: without its MAC, or with other bytes and everything right but the MAC. */
static void forge_snapshot(bool without_mac)
{
    unsigned char bytes[SNAPSHOT_HEAD + STORE_HASH + SNAPSHOT_BYTES];
    const char *path = path_to("snapshot-00000000000000000002");
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
    unsigned char *content = bytes + SNAPSHOT_HEAD + STORE_HASH;
    uint64_t checksum = 0;
    content[0] = 'S';
    for (int i = 7; i >= 0; i--)
        checksum = checksum << 8 | bytes[16 + i];
    for (int i = 0; i < 8; i++)
        bytes[24 + i] = (unsigned char)(common_hash_words(checksum, content, SNAPSHOT_BYTES) >> 8 * i);
    memcpy(bytes, without_mac ? "ROSTERSS" : "ROSTERSM", 8);
    file = fopen(path, "wb");
    fwrite(bytes, 1, without_mac ? SNAPSHOT_HEAD : SNAPSHOT_HEAD + STORE_HASH, file);
    fwrite(content, 1, SNAPSHOT_BYTES, file);
    fclose(file);
}

/* What a start with that key would begin with, '-': nothing. */
static char loaded_with(const store_key *key)
{
    store *self = opened_with(key);
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    roster_error err;
    assert_ok(store_snapshot_get(self, UINT64_MAX, &number, &bytes, &size, &found, &err), &err);
    char first = found ? *(const char *)bytes : '-';
    free(bytes);
    store_close(self);
    return first;
}

static void put_snapshot(const store_key *key)
{
    store *self = opened_with(key);
    roster_error err;
    assert_ok(store_snapshot_put(self, 2, "state", SNAPSHOT_BYTES, &err), &err);
    store_close(self);
}

static void forged_snapshots_are_passed_over(void **state)
{
    (void)state;
    write_rows(&KEY, 2);
    for (int without_mac = 0; without_mac < 2; without_mac++) {
        put_snapshot(&KEY);
        assert_int_equal(loaded_with(&KEY), 's');
        forge_snapshot(without_mac);
        assert_int_equal(loaded_with(&KEY), '-');
    }
}

/* A log that is not signed yet is taken as it is, and from then on its snapshots must be. */
static void the_first_key_takes_what_is_there(void **state)
{
    (void)state;
    write_rows(NULL, 2);
    put_snapshot(NULL);
    assert_int_equal(loaded_with(&KEY), 's');
    write_rows(&KEY, 1);
    assert_int_equal(loaded_with(&KEY), '-');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_head_is_what_anyone_computes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_mac_is_what_the_key_computes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forged_rows_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_are_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(key_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forged_snapshots_are_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_key_takes_what_is_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
