/*
 * test_service_set_back.c: time set back after a clock that was ahead: windows last as long as they would have, and
 * the log replays and passes the audit.
 */
#include "service_traffic.h"

#define DAY (86400 * SECOND)

static void tick(service *self, int64_t now)
{
    uint64_t records;
    service_error err;
    assert_done(service_tick(self, now, &records, &err), &err);
}

static void windows_move_along(void **state)
{
    (void)state;
    const int64_t start = 1000 * DAY, wait = 30 * DAY;
    service *self = fresh();
    service_error err;
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("shop", ",\"reward\":{\"wait\":2592000,\"default\":0}"), start - SECOND);
    decided(self, c, "right", 0, start);
    decided(self, c, "ahead", 0, start + 10 * DAY + 10 * SECOND);
    decided(self, c, "last", 0, start + 10 * DAY + 30 * SECOND);
    assert_true(service_now(self) == start + 10 * DAY + 30 * SECOND);
    assert_done(service_set_back(self, start + 60 * SECOND, &err), &err);
    assert_true(service_now(self) == start + 60 * SECOND);
    /* They were decided 0, 20 s before the last record, that is, now: 60, 40. */
    tick(self, start + wait - 1);
    assert_int_equal(counted(self, c).open, 3);
    tick(self, start + wait);
    assert_int_equal(counted(self, c).open, 2);
    assert_int_equal(rewarded(self, c, "ahead", 1, start + 40 * SECOND + wait - 1), SERVICE_JOINED);
    tick(self, start + 60 * SECOND + wait - 1);
    assert_int_equal(counted(self, c).open, 1);
    tick(self, start + 60 * SECOND + wait);
    assert_int_equal(counted(self, c).open, 0);
    service_free(self);
}

/* Windows end in the order of decisions, also where moving would change it. */
static void order_stays(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ",\"reward\":{\"wait\":1000,\"default\":0}"), 0);
    decided(self, c, "first", 0, 500 * SECOND);
    decided(self, c, "second", 0, 700 * SECOND);
    decided(self, c, "third", 0, 1400 * SECOND);
    assert_done(service_set_back(self, 600 * SECOND, &err), &err); /* by 800 s: the second would be before the first */
    tick(self, 1499 * SECOND);
    assert_int_equal(counted(self, c).open, 3);
    tick(self, 1500 * SECOND);
    assert_int_equal(counted(self, c).open, 1);
    tick(self, 1600 * SECOND);
    assert_int_equal(counted(self, c).open, 0);
    service_free(self);
}

static void refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    created(self, SPEC_CAMPAIGN("shop", ""), 5 * SECOND);
    for (int64_t to = 5; to <= 6; to++)
        assert_not(service_set_back(self, to * SECOND, &err), &err, SERVICE_INVALID,
                   "the last record is not in the future: there is nothing to set back");
    assert_int_equal(service_last(self), 1);
    service_free(self);
}

/* With all kinds of campaigns and traffic, before and after, from a snapshot and from the beginning. */
static void replay_and_audit_agree(void **state)
{
    (void)state;
    log_directory directory;
    traffic t;
    service *again;
    service_error err;
    service_audited found;
    store *log = log_begin(&directory);
    traffic_start(&t, fresh(), 8);
    for (int i = 0; i < 3000; i++) {
        traffic_step(&t);
        if (i == 1000) {
            t.now += 10 * DAY;
            traffic_step(&t);
        }
        if (i == 1300) {
            t.now -= 10 * DAY - 5 * SECOND;
            assert_done(service_set_back(t.self, t.now, &err), &err);
        }
        if (i % 20 == 0)
            assert_done(service_commit(t.self, log, t.now, &err), &err);
        if (i == 1200 || i == 1400) {
            assert_done(service_commit(t.self, log, t.now, &err), &err);
            assert_done(service_snapshot(t.self, log, &err), &err);
        }
    }
    assert_done(service_commit(t.self, log, t.now, &err), &err);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(t.self, again);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.records, service_last(t.self));
    assert_int_equal(found.snapshots, 2);
    service_free(again);
    service_free(t.self);
    log_end(log, &directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_move_along),
        cmocka_unit_test(order_stays),
        cmocka_unit_test(refused),
        cmocka_unit_test(replay_and_audit_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
