/*
 * test_service_audit.c: the audit derives everything anew: one changed bit anywhere in the log is found and named, also
 * where somebody put the checksums right.
 */
#include "service_traffic.h"

#include "service_internal.h"

#include <sqlite3.h>

/* A log of some traffic, in a directory of its own. */
static void make_log(log_directory *directory, int steps, bool snapshot)
{
    traffic t;
    service_error err;
    log_make(directory);
    store *log = log_open(directory, STORE_OS);
    traffic_start(&t, fresh(), 5);
    for (int i = 0; i < steps; i++) {
        traffic_step(&t);
        if (i % 5 == 4)
            assert_done(service_commit(t.self, log, t.now, &err), &err);
        if (snapshot && i == steps / 2) {
            assert_done(service_commit(t.self, log, t.now, &err), &err);
            assert_done(service_snapshot(t.self, log, &err), &err);
        }
    }
    assert_done(service_commit(t.self, log, t.now, &err), &err);
    service_free(t.self);
    store_close(log);
}

static sqlite3 *raw(const log_directory *directory)
{
    char path[128];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/roster.db", directory->path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static void change(sqlite3 *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* What the audit says of the log as it is. */
static service_code audit(const log_directory *directory, service_audited *found, service_error *err)
{
    store *log = log_open(directory, STORE_READ);
    service_code code = service_audit(log, NULL, found, err);
    store_close(log);
    return code;
}

/* Every 11th bit of the records, one at a time. */
static void every_bit_is_named(void **state)
{
    (void)state;
    log_directory directory;
    make_log(&directory, 60, false);
    store *log = log_open(&directory, STORE_READ);
    sqlite3 *db = raw(&directory);
    sqlite3_stmt *set;
    service_audited found;
    service_error err;
    uint64_t last = store_last(log);
    size_t tried = 0;
    assert_int_equal(sqlite3_prepare_v2(db, "UPDATE log SET records = ?2 WHERE first = ?1", -1, &set, NULL), SQLITE_OK);
    change(db, "PRAGMA synchronous = OFF");
    for (uint64_t next = 1; next <= last;) {
        store_row row;
        roster_error wrong;
        bool there;
        assert_ok(store_read(log, next, &row, &there, &wrong), &wrong);
        size_t size = row.size;
        uint64_t first = row.first, count = row.count;
        unsigned char *bytes = malloc(size);
        memcpy(bytes, row.records, size);
        for (size_t bit = first % 11; bit<8 * size; bit += size> 2000 ? 997 : 59) {
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
            sqlite3_bind_int64(set, 1, (sqlite3_int64)first);
            sqlite3_bind_blob(set, 2, bytes, (int)size, SQLITE_STATIC);
            assert_int_equal(sqlite3_step(set), SQLITE_DONE);
            sqlite3_reset(set);
            assert_int_equal(service_audit(log, NULL, &found, &err), SERVICE_DAMAGED);
            assert_in_range(found.number, first, first + count - 1);
            char number[32];
            snprintf(number, sizeof number, "record %llu", (unsigned long long)found.number);
            assert_non_null(strstr(err.msg, number));
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
            tried++;
        }
        sqlite3_bind_int64(set, 1, (sqlite3_int64)first);
        sqlite3_bind_blob(set, 2, bytes, (int)size, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(set), SQLITE_DONE);
        sqlite3_reset(set);
        free(bytes);
        next = first + count;
    }
    assert_true(tried > 300);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.records, last);
    sqlite3_finalize(set);
    sqlite3_close(db);
    log_end(log, &directory);
}

/* The other columns, and rows that go. */
static void columns_are_guarded(void **state)
{
    (void)state;
    static const struct {
        const char *do_it, *undo;
    } changes[] = {
        {"UPDATE log SET at = at + 1 WHERE first > 20", "UPDATE log SET at = at - 1 WHERE first > 20"},
        {"UPDATE log SET checksum = checksum + 1 WHERE first > 20",
         "UPDATE log SET checksum = checksum - 1 WHERE first > 20"},
        {"UPDATE log SET count = count + 1 WHERE first > 20", "UPDATE log SET count = count - 1 WHERE first > 20"},
        {"UPDATE log SET count = count - 1 WHERE first = 1", "UPDATE log SET count = count + 1 WHERE first = 1"},
        {"UPDATE log SET first = first + 1000 WHERE first > 20",
         "UPDATE log SET first = first - 1000 WHERE first > 1000"},
        {"CREATE TABLE kept AS SELECT * FROM log; DELETE FROM log WHERE first IN (SELECT first FROM log WHERE first > "
         "1 LIMIT 1)",
         "INSERT OR IGNORE INTO log SELECT * FROM kept; DROP TABLE kept"}};
    log_directory directory;
    make_log(&directory, 60, false);
    service_audited found;
    service_error err;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *db = raw(&directory);
        change(db, changes[i].do_it);
        assert_int_equal(audit(&directory, &found, &err), SERVICE_DAMAGED);
        change(db, changes[i].undo);
        assert_done(audit(&directory, &found, &err), &err);
        sqlite3_close(db);
    }
    log_remove(&directory);
}

/* Somebody who knows the format writes another action, or reward, and puts all checksums right. */
static void forgeries_are_found(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    store_row row;
    for (int i = 0; i < 20; i++) {
        char id[16];
        snprintf(id, sizeof id, i % 2 ? "x%d" : "%d", i + 1);
        decided(self, c, id, (size_t)i % 2, i);
        rewarded(self, c, id, i % 3 / 2.0, i);
    }
    assert_true(service_commit_begin(self, 0, &row));
    static const char *const fields[] = {"expert", "action", "propensity", "how", "episode",
                                         "status", "reward", "decision",   "at"};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        service_bytes forged = {0};
        service_parts parts = {0};
        service *other = fresh();
        service_error err;
        size_t used = 0;
        bool done = false;
        for (uint64_t i = 0; i < row.count; i++) {
            service_record r;
            assert_done(service_record_decode(row.records, row.size, &used, &parts, &r, &err), &err);
            bool decide = r.kind == SERVICE_RECORD_DECIDE, reward = r.kind == SERVICE_RECORD_REWARD;
            if (i > 10 && !done && (f < 5 ? decide : f < 8 ? reward : decide || reward)) {
                r.expert = f == 0 ? (r.expert + 1) % 3 : r.expert;
                r.action = f == 1 ? (r.action + 1) % 3 : r.action;
                r.propensity = f == 2 ? r.propensity * (1 + 1e-15) : r.propensity;
                r.how = f == 3 ? SERVICE_PINNED : r.how;
                r.episode += f == 4;
                r.status = f == 5 ? SERVICE_LATE : r.status;
                r.reward = f == 6 ? r.reward + 0.25 : r.reward;
                r.decision += f == 7;
                r.at = f == 8 ? 0 : r.at;
                done = true;
            }
            assert_true(service_bytes_reserve(&forged, service_record_room(&r)));
            service_record_encode(&r, &forged);
        }
        store_row copy = {.first = 1, .count = row.count, .records = forged.data, .size = forged.used};
        copy.checksum = store_checksum(&copy);
        other->verify = true;
        assert_int_equal(service_replay_row(other, &copy, 1, &err), SERVICE_DAMAGED);
        assert_string_equal(other->field, fields[f]);
        assert_non_null(strstr(err.msg, "campaign shop, event "));
        service_free(other);
        service_parts_free(&parts);
        free(forged.data);
    }
    service_free(self);
}

/* The last row with another reward, in which all is as it must be but the MAC. */
static void forge_last(const log_directory *directory)
{
    store *log = log_open(directory, STORE_READ);
    sqlite3 *db = raw(directory);
    sqlite3_stmt *set;
    store_row row;
    service_record r;
    service_error err;
    roster_error wrong;
    service_parts parts = {0};
    service_bytes forged = {0};
    bool found;
    size_t used = 0;
    assert_ok(store_read(log, store_last(log), &row, &found, &wrong), &wrong);
    assert_done(service_record_decode(row.records, row.size, &used, &parts, &r, &err), &err);
    assert_int_equal(r.kind, SERVICE_RECORD_REWARD);
    r.raw = r.reward = 1;
    assert_true(service_bytes_reserve(&forged, service_record_room(&r)));
    service_record_encode(&r, &forged);
    row.records = forged.data;
    row.size = forged.used;
    assert_int_equal(
        sqlite3_prepare_v2(db, "UPDATE log SET records = ?2, checksum = ?3 WHERE first = ?1", -1, &set, NULL),
        SQLITE_OK);
    sqlite3_bind_int64(set, 1, (sqlite3_int64)row.first);
    sqlite3_bind_blob(set, 2, forged.data, (int)forged.used, SQLITE_STATIC);
    sqlite3_bind_int64(set, 3, (sqlite3_int64)store_checksum(&row));
    assert_int_equal(sqlite3_step(set), SQLITE_DONE);
    sqlite3_finalize(set);
    sqlite3_close(db);
    store_close(log);
    free(forged.data);
    service_parts_free(&parts);
    char path[128];
    snprintf(path, sizeof path, "%s/high-water", directory->path);
    assert_int_equal(unlink(path), 0);
}

/* Who can write the file can also make a reward fit: only what he has not tells, a key or a head that was kept. */
static void changed_rewards_are_found(void **state)
{
    (void)state;
    static const store_key key = {.bytes = "a key of at least thirty-two bytes", .size = 34};
    log_directory directory;
    roster_error wrong;
    service_error err;
    service_audited found;
    store *log;
    log_make(&directory);
    store_options options = {.mode = STORE_OS, .key = &key};
    assert_ok(store_open_with(&log, directory.path, &options, &wrong), &wrong);
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    decided(self, c, "a", 0, 1);
    assert_done(service_commit(self, log, 1, &err), &err);
    rewarded(self, c, "a", 0, 2);
    assert_done(service_commit(self, log, 2, &err), &err);
    service_free(self);
    store_close(log);

    service_auditing with_key = {.key = &key};
    log = log_open(&directory, STORE_READ);
    assert_done(service_audit(log, &with_key, &found, &err), &err);
    assert_int_equal(found.signed_rows, 2);
    store_close(log);
    store_head head = found.head;
    service_auditing with_head = {.expect = &head};
    forge_last(&directory);
    log = log_open(&directory, STORE_READ);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(service_audit(log, &with_key, &found, &err), SERVICE_DAMAGED);
    assert_string_equal(found.field, "mac");
    assert_int_equal(service_audit(log, &with_head, &found, &err), SERVICE_DAMAGED);
    assert_string_equal(found.field, "head");
    log_end(log, &directory);
}

/* A snapshot that is whole but not what the log says. */
static void wrong_snapshots_are_found(void **state)
{
    (void)state;
    log_directory directory;
    make_log(&directory, 200, true);
    service_audited found;
    service_error err;
    assert_done(audit(&directory, &found, &err), &err);
    assert_int_equal(found.snapshots, 1);
    store *log = log_open(&directory, STORE_OS);
    uint64_t number;
    void *content;
    size_t size;
    bool there;
    roster_error wrong;
    assert_ok(store_snapshot_get(log, store_last(log), &number, &content, &size, &there, &wrong), &wrong);
    unsigned char *bytes = content;
    bytes[size - 20] ^= 1;
    assert_ok(store_snapshot_put(log, number, bytes, size, &wrong), &wrong);
    free(bytes);
    store_close(log);
    assert_int_equal(audit(&directory, &found, &err), SERVICE_DAMAGED);
    assert_int_equal(found.number, number);
    assert_string_equal(found.field, "snapshot");
    log_remove(&directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_is_named),        cmocka_unit_test(columns_are_guarded),
        cmocka_unit_test(forgeries_are_found),       cmocka_unit_test(changed_rewards_are_found),
        cmocka_unit_test(wrong_snapshots_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
