/*
 * test_service_kill.c: a process that serves is killed at any moment, again and again: whatever was committed is there,
 * and the log is whole.
 */
#include "service_traffic.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* Serves until it is killed; after each commit it tells the number of the last record. */
static void serve(const log_directory *directory, int told, uint64_t seed)
{
    traffic t = {.now = SECOND};
    store *log;
    service_error err;
    if (store_open(&log, directory->path, STORE_DURABLE, NULL) != ROSTER_OK)
        _exit(2);
    service *self;
    if (service_open(&self, log, &err) != SERVICE_OK)
        _exit(3);
    if (service_last(self) == 0) {
        traffic_start(&t, self, seed);
    } else {
        t.self = self;
        t.now = (int64_t)service_last(self) * 100000;
        roster_rng_init(&t.rng, seed, 0, 99);
    }
    for (uint64_t i = 1;; i++) {
        traffic_step(&t);
        if (traffic_below(&t, 4) != 0)
            continue;
        if (service_commit(self, log, t.now, &err) != SERVICE_OK)
            _exit(4);
        uint64_t last = service_last(self);
        if (write(told, &last, sizeof last) != sizeof last)
            _exit(5);
        if (i % 50 == 0 && service_snapshot(self, log, &err) != SERVICE_OK)
            _exit(6);
    }
}

/* One life; the number of the last record that it told. */
static uint64_t live(const log_directory *directory, uint64_t seed, long microseconds)
{
    int ends[2];
    uint64_t last = 0, told;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        serve(directory, ends[1], seed);
    }
    close(ends[1]);
    /* It has begun when it tells something. */
    assert_int_equal(read(ends[0], &last, sizeof last), sizeof last);
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (read(ends[0], &told, sizeof told) == sizeof told)
        last = told;
    close(ends[0]);
    return last;
}

static void nothing_is_lost(void **state)
{
    (void)state;
    log_directory directory;
    roster_rng rng;
    uint64_t before = 0;
    log_make(&directory);
    roster_rng_init(&rng, 12, 0, 9);
    for (uint64_t life = 0; life < 25; life++) {
        uint64_t told = live(&directory, 100 + life, (long)roster_rng_below(&rng, 15000));
        store *log = log_open(&directory, STORE_DURABLE);
        service *self;
        service_error err;
        service_audited found;
        assert_true(told > before && store_last(log) >= told);
        assert_done(service_open(&self, log, &err), &err);
        assert_int_equal(service_last(self), store_last(log));
        assert_done(service_audit(log, NULL, &found, &err), &err);
        assert_int_equal(found.records, store_last(log));
        service_counts n = counted(self, NULL);
        assert_int_equal(n.decisions, found.decisions);
        before = store_last(log);
        service_free(self);
        store_close(log);
    }
    log_remove(&directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
