/*
 * test_service_erase.c: an event that is erased: what memory and log keep of it, and an erasure that was interrupted.
 */
#include "service_support.h"

#include "service_internal.h"

#include <signal.h>
#include <sys/wait.h>

#define RULES ",\"reward\":{\"wait\":10,\"remember\":10,\"combine\":\"sum\"}"

/* Ten events of a campaign, rewarded by name; the first ones are forgotten or remembered, the last is open. */
static service_campaign *fill(service *self, store *log)
{
    service_error err;
    service_status status;
    bool clipped;
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", RULES), SECOND);
    for (int i = 0; i < 10; i++) {
        char id[24];
        snprintf(id, sizeof id, "user-%d", i);
        decided(self, c, id, (size_t)i % 2, (5 * i + 1) * SECOND);
        assert_done(service_reward_once(self, c, id, strlen(id), "first", 5, 0.5, (5 * i + 1) * SECOND, &status,
                                        &clipped, &err),
                    &err);
        assert_done(service_commit(self, log, 50 * SECOND, &err), &err);
    }
    return c;
}

static service_erase *opened(service *self, service_campaign *c, const char *id)
{
    char body[64];
    service_erase *e;
    service_error err;
    snprintf(body, sizeof body, "{\"event_id\":\"%s\"}", id);
    assert_done(service_erase_open(self, c, body, strlen(body), 50 * SECOND, &e, &err), &err);
    return e;
}

/* Up to the record in the log, and a snapshot after it. */
static void say(service *self, store *log, service_erase *e, size_t records)
{
    service_error err;
    assert_done(service_erase_find(e, log, &err), &err);
    assert_int_equal(service_erase_count(e), records);
    assert_done(service_erase_say(self, e, 50 * SECOND, &err), &err);
    assert_done(service_commit(self, log, 50 * SECOND, &err), &err);
    assert_done(service_snapshot(self, log, &err), &err);
}

/* The rows that something was erased from. */
static uint64_t audit_any(const log_directory *directory)
{
    store *log = log_open(directory, STORE_READ);
    service_audited found;
    service_error err;
    assert_done(service_audit(log, NULL, &found, &err), &err);
    store_close(log);
    return found.erased;
}

static void audit(const log_directory *directory, uint64_t erased)
{
    assert_int_equal(audit_any(directory), erased);
}

static void memory_and_log(void **state)
{
    (void)state;
    log_directory directory;
    roster_error err;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_campaign *c = fill(self, log);
    service_counts before = counted(self, c);
    static const char *const ids[] = {"user-0", "user-7", "user-6"}; /* forgotten, remembered, remembered */
    for (size_t i = 0; i < 3; i++) {
        service_erase *e = opened(self, c, ids[i]);
        say(self, log, e, 2);
        service *replayed;
        service_error wrong;
        assert_done(service_open(&replayed, log, &wrong), &wrong);
        assert_same_state(self, replayed);
        service_free(replayed);
        assert_ok(service_erase_make(e, directory.path, service_last(self), &err), &err);
        service_erase_close(e);
        audit(&directory, i + 1);
        service_key key;
        service_event *event;
        assert_done(service_key_find(c, ids[i], 6, 50 * SECOND, &key, &event, NULL), NULL);
        assert_null(event);
        assert_false(service_was_forgotten(c, key));
    }
    assert_int_equal(counted(self, c).decisions, before.decisions);
    assert_true(decided(self, c, "user-1", 1, 50 * SECOND).forgotten);
    assert_false(decided(self, c, "user-0", 1, 50 * SECOND).forgotten);
    service_error wrong;
    assert_done(service_commit(self, log, 50 * SECOND, &wrong), &wrong);
    assert_done(service_open(&again, log, &wrong), &wrong);
    assert_same_state(self, again);
    service_free(again);
    service_free(self);
    log_end(log, &directory);
}

/* Drops what comes before a snapshot that is taken now, up to that record. */
static void drop(service *self, store *log, const log_directory *directory, uint64_t most)
{
    service_error wrong;
    roster_error err;
    store_cut cut;
    assert_done(service_snapshot(self, log, &wrong), &wrong);
    uint64_t snapshot = service_last(self);
    store *reader = log_open(directory, STORE_READ);
    assert_ok(store_cut_keep(reader, snapshot, &err), &err);
    assert_ok(store_cut_find(reader, most, snapshot, &cut, &err), &err);
    store_close(reader);
    assert_done(service_drop(self, &cut, 50 * SECOND, &wrong), &wrong);
    assert_done(service_commit(self, log, 50 * SECOND, &wrong), &wrong);
    assert_ok(store_cut_make(directory->path, &cut, &err), &err);
}

/* An erasure moves the base past the record that says what was dropped: it counts all the same. */
static void after_a_drop(void **state)
{
    (void)state;
    log_directory directory;
    roster_error err;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_campaign *c = fill(self, log);
    drop(self, log, &directory, 6);
    audit(&directory, 0);
    service_erase *e = opened(self, c, "user-7");
    say(self, log, e, 2);
    assert_ok(service_erase_make(e, directory.path, service_last(self), &err), &err);
    service_erase_close(e);
    store_cut_read(log);
    assert_true(store_cut_of(log)->record > 0);
    assert_true(store_cut_of(log)->snapshot >= service_erased(self));
    audit(&directory, 1);
    service_free(self);
    log_end(log, &directory);
}

/* Said, and never made: the log is whole, and it can be made later by the record alone. */
static void interrupted(void **state)
{
    (void)state;
    log_directory directory;
    service_error wrong;
    roster_error err;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_campaign *c = fill(self, log);
    service_erase *e = opened(self, c, "user-7");
    say(self, log, e, 2);
    service_erase_close(e);
    audit(&directory, 0);
    store_cut_read(log);
    assert_int_not_equal(service_erased(self), store_cut_of(log)->erased);
    assert_done(service_erase_load(log, service_erased(self), &e, &wrong), &wrong);
    store_rest(log);
    for (int twice = 0; twice < 2; twice++)
        assert_ok(service_erase_make(e, directory.path, service_last(self), &err), &err);
    service_erase_close(e);
    audit(&directory, 1);
    store_cut_read(log);
    assert_int_equal(service_erased(self), store_cut_of(log)->erased);
    service_free(self);
    log_end(log, &directory);
}

/* Said, never made, and dropped with all that it is about: there is nothing to do but to note it. */
static void dropped(void **state)
{
    (void)state;
    log_directory directory;
    service_error wrong;
    roster_error err;
    store_cut cut;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_campaign *c = fill(self, log);
    service_erase *e = opened(self, c, "user-7");
    say(self, log, e, 2);
    service_erase_close(e);
    uint64_t snapshot = service_last(self);
    decided(self, c, "later", 0, 50 * SECOND);
    assert_done(service_commit(self, log, 50 * SECOND, &wrong), &wrong);
    store *reader = log_open(&directory, STORE_READ); /* as old as a job's may be */
    assert_ok(store_cut_keep(log, snapshot, &err), &err);
    assert_ok(store_cut_find(log, snapshot, snapshot, &cut, &err), &err);
    assert_int_equal(cut.record, service_erased(self));
    assert_done(service_drop(self, &cut, 50 * SECOND, &wrong), &wrong);
    assert_done(service_commit(self, log, 50 * SECOND, &wrong), &wrong);
    assert_ok(store_cut_make(directory.path, &cut, &err), &err);
    assert_done(service_erase_load(reader, service_erased(self), &e, &wrong), &wrong);
    store_close(reader);
    assert_int_equal(service_erase_count(e), 0);
    assert_done(service_snapshot(self, log, &wrong), &wrong);
    assert_ok(service_erase_make(e, directory.path, service_last(self), &err), &err);
    service_erase_close(e);
    audit(&directory, 0);
    store_cut_read(log);
    assert_int_equal(service_erased(self), store_cut_of(log)->erased);
    service_free(self);
    log_end(log, &directory);
}

enum { LARGE_ROWS = 12, PER_ROW = 12000 };

/* Rewards in rows of more than a megabyte, of nobody but for one in each of them. */
static void fill_large(service *self, store *log, service_campaign *c)
{
    service_error err;
    for (int i = 0; i < LARGE_ROWS; i++) {
        for (int j = 0; j < PER_ROW; j++) {
            char id[160];
            snprintf(id, sizeof id, "nobody-%d-%d-%0100d", i, j, 0);
            rewarded(self, c, j == PER_ROW / 2 ? "user-7" : id, 1, 50 * SECOND);
        }
        assert_done(service_commit(self, log, 50 * SECOND, &err), &err);
    }
}

static size_t rewritten(store *log)
{
    store_row row = {0};
    roster_error err;
    bool found = true;
    size_t n = 0;
    for (uint64_t next = 1; found; next = row.first + row.count) {
        assert_ok(store_read(log, next, &row, &found, &err), &err);
        n += found && row.digest != NULL;
    }
    store_rest(log);
    return n;
}

/* Goes on with the erasure of that record, in a process of its own. */
static void make_in_child(const log_directory *directory, uint64_t record, uint64_t snapshot)
{
    store *log = log_open(directory, STORE_READ);
    service_erase *e;
    service_error err;
    if (service_erase_load(log, record, &e, &err) != SERVICE_OK)
        _exit(1);
    store_rest(log);
    _exit(service_erase_make(e, directory->path, snapshot, NULL) == ROSTER_OK ? 0 : 2);
}

/* Which is killed when so many rows are rewritten. */
static void kill_after(const log_directory *directory, uint64_t record, uint64_t snapshot, size_t rows)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        make_in_child(directory, record, snapshot);
    store *log = log_open(directory, STORE_READ);
    bool ended = false;
    while (!ended && rewritten(log) < rows) {
        ended = waitpid(child, &status, WNOHANG) == child;
        if (rows == 1)
            audit_any(directory); /* at any moment */
    }
    store_close(log);
    if (!ended) {
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

/* With some rows rewritten and others not, the log is whole and can be started from. */
static void check_start(const log_directory *directory, service *self)
{
    store *log = log_open(directory, STORE_OS);
    service *again;
    service_error err;
    audit_any(directory);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    service_free(again);
    store_close(log);
}

static void killed(void **state)
{
    (void)state;
    log_directory directory;
    service_error wrong;
    roster_error err;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_campaign *c = fill(self, log);
    fill_large(self, log, c);
    service_erase *e = opened(self, c, "user-7");
    say(self, log, e, 2 + LARGE_ROWS);
    service_erase_close(e);
    store_close(log); /* a child must not have it open too */
    for (size_t rows = 1; rows <= LARGE_ROWS; rows += 4) {
        kill_after(&directory, service_erased(self), service_last(self), rows);
        check_start(&directory, self);
    }
    log = log_open(&directory, STORE_OS);
    assert_done(service_erase_load(log, service_erased(self), &e, &wrong), &wrong);
    store_rest(log);
    assert_ok(service_erase_make(e, directory.path, service_last(self), &err), &err);
    service_erase_close(e);
    audit(&directory, 1 + LARGE_ROWS);
    service_free(self);
    log_end(log, &directory);
}

static void open_events_are_refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", RULES), SECOND);
    service_erase *e;
    service_error err;
    decided(self, c, "user", 0, SECOND);
    static const char body[] = "{\"event_id\":\"user\"}";
    assert_not(service_erase_open(self, c, body, strlen(body), SECOND, &e, &err), &err, SERVICE_OPEN,
               "event user is open: send its reward, or wait until its window ends, and erase it then");
    assert_null(e);
    static const char *const wrong[] = {
        "", "{}", "[]", "{\"event_id\":1}", "{\"event_id\":\"\"}", "{\"event_id\":\"a\",\"b\":1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_not_equal(service_erase_open(self, c, wrong[i], strlen(wrong[i]), SECOND, &e, &err), SERVICE_OK);
        assert_null(e);
    }
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_log), cmocka_unit_test(after_a_drop), cmocka_unit_test(interrupted),
        cmocka_unit_test(dropped),        cmocka_unit_test(killed),       cmocka_unit_test(open_events_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
