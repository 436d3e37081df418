/*
 * test_service_start.c: a log of ten million events is opened in less than five seconds of a processor, and its audit
 * agrees.
 */
#include "service_support.h"

#include <time.h>

enum { EVENTS = 5000000 }; /* each a decision and a reward */

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void ten_million_events(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_campaign *c = created(self, SPEC_CAMPAIGN("much", ",\"reward\":{\"wait\":10}"), 0);
    service_error err;
    for (int64_t i = 1; i <= EVENTS; i++) {
        service_decision d = decided(self, c, NULL, (size_t)i % 2, 10 * i);
        rewarded(self, c, d.id, i % 3 == 0, 10 * i);
        if (i % 5000 == 0)
            assert_done(service_commit(self, log, 10 * i, &err), &err);
        if (i % 5000 == 0 && service_snapshot_due(self))
            assert_done(service_snapshot(self, log, &err), &err);
    }
    double start = processor_seconds();
    assert_done(service_open(&again, log, &err), &err);
    double took = processor_seconds() - start; /* others may use the machine */
    print_message("opened in %.2f s of a processor\n", took);
    assert_true(took < 5);
    assert_int_equal(service_last(again), 2 * EVENTS + 1);
    assert_same_state(self, again);
    service_free(self);
    service_free(again);
    service_audited found;
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.decisions, EVENTS);
    assert_int_equal(found.snapshots, 2);
    log_end(log, &directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_million_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
