/*
 * test_store_erase.c: rows that get other content: piece by piece, with the base before them, so that the writer can go
 * on meanwhile and an erasure that was interrupted can be made once more.
 */
#include "store_support.h"

#include <sqlite3.h>

enum { ROWS = 5, OLD = 1600000, NEW = 1500000, A_PIECE = 2 /* rows in one transaction */ };

typedef struct watcher {
    sqlite3 *db; /* sees only what is committed */
    int calls, fail_at;
    sqlite3_int64 done[ROWS], base[ROWS], erased[ROWS]; /* at each call */
} watcher;

static sqlite3_int64 asked(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    sqlite3_int64 number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static void *filled(size_t size)
{
    void *bytes = malloc(size);
    assert_non_null(bytes);
    return memset(bytes, 'n', size);
}

static int rewrite(void *context, const store_row *row, void **bytes, size_t *size, roster_error *err)
{
    watcher *self = context;
    int call = self->calls++;
    assert_int_equal(row->size, OLD);
    self->done[call] = asked(self->db, "SELECT count(*) FROM log WHERE digest IS NOT NULL");
    self->base[call] = asked(self->db, "SELECT snapshot FROM base");
    self->erased[call] = asked(self->db, "SELECT erased FROM base");
    if (call == self->fail_at) {
        *err = (roster_error){.code = ROSTER_ENOMEM};
        return ROSTER_ENOMEM;
    }
    *bytes = filled(*size = NEW);
    return ROSTER_OK;
}

/* Five large rows and a small one, which says that they are erased, and a snapshot after it. */
static store *begun(store_rewrite rows[ROWS])
{
    roster_error err;
    store *self = opened(STORE_DURABLE);
    char *old = filled(OLD), *new = filled(NEW);
    for (uint64_t i = 0; i < ROWS; i++) {
        store_row row = {.first = i + 1, .count = 1, .at = 7, .records = old, .size = OLD};
        assert_ok(store_append(self, &row, &err), &err);
        rows[i].first = i + 1;
        store_digest(new, NEW, rows[i].digest);
    }
    free(old);
    free(new);
    assert_ok(append(self, 1, "erase", &err), &err);
    assert_ok(store_snapshot_put(self, ROWS + 1, "state", 5, &err), &err);
    return self;
}

static void in_pieces(void **state)
{
    (void)state;
    roster_error err;
    store_rewrite rows[ROWS];
    store *self = begun(rows);
    watcher w = {.fail_at = -1};
    const store_erasure what = {
        .record = ROWS + 1, .snapshot = ROWS + 1, .rows = rows, .n = ROWS, .rewrite = rewrite, .context = &w};
    assert_int_equal(sqlite3_open(path_to("roster.db"), &w.db), SQLITE_OK);
    assert_ok(store_erase(directory, &what, &err), &err);
    assert_int_equal(w.calls, ROWS);
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(w.done[i], i / A_PIECE * A_PIECE);
        assert_int_equal(w.base[i], ROWS + 1);
        assert_int_equal(w.erased[i], 0);
    }
    assert_int_equal(asked(w.db, "SELECT count(*) FROM log WHERE digest IS NOT NULL"), ROWS);
    assert_int_equal(asked(w.db, "SELECT erased FROM base"), ROWS + 1);
    assert_ok(append(self, 1, "after it", &err), &err);
    sqlite3_close(w.db);
    store_close(self);
}

/* What was done stays, and is not done again. */
static void interrupted(void **state)
{
    (void)state;
    roster_error err;
    store_rewrite rows[ROWS];
    store *self = begun(rows);
    watcher w = {.fail_at = 3};
    const store_erasure what = {
        .record = ROWS + 1, .snapshot = ROWS + 1, .rows = rows, .n = ROWS, .rewrite = rewrite, .context = &w};
    assert_int_equal(sqlite3_open(path_to("roster.db"), &w.db), SQLITE_OK);
    assert_int_equal(store_erase(directory, &what, &err), ROSTER_ENOMEM);
    assert_int_equal(asked(w.db, "SELECT count(*) FROM log WHERE digest IS NOT NULL"), A_PIECE);
    assert_int_equal(asked(w.db, "SELECT snapshot FROM base"), ROWS + 1);
    assert_int_equal(asked(w.db, "SELECT erased FROM base"), 0);
    w.calls = 0;
    w.fail_at = -1;
    assert_ok(store_erase(directory, &what, &err), &err);
    assert_int_equal(w.calls, ROWS - A_PIECE);
    assert_int_equal(asked(w.db, "SELECT count(*) FROM log WHERE digest IS NOT NULL"), ROWS);
    assert_int_equal(asked(w.db, "SELECT erased FROM base"), ROWS + 1);
    sqlite3_close(w.db);
    store_close(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(in_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interrupted, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
