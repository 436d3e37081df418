/*
 * test_service_replay.c: a service is a fold over its log: replaying gives the state that was, from the beginning or
 * from a snapshot, after any record; and the audit agrees.
 */
#include "service_traffic.h"

#include "service_internal.h"

enum { STEPS = 6000 };

static void audited(store *log, uint64_t records)
{
    service_audited found;
    service_error err;
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.records, records);
    assert_int_equal(found.number, 0);
}

static void assert_variety(const traffic *t)
{
    for (int i = 0; i < SERVICE_STATUSES; i++)
        assert_true(t->statuses[i] > 20);
    service_counts n = counted(t->self, NULL);
    assert_int_equal(n.decisions, t->decisions);
    for (int i = 0; i < SERVICE_STATUSES; i++)
        assert_int_equal(n.rewards[i], t->statuses[i]);
    for (int how = 0; how <= SERVICE_FALLBACK; how++)
        assert_true(n.how[how] > 5);
    assert_true(n.learnt > 100 && n.defaulted > 10 && n.unlearnt > 10 && n.crowded > 10 && n.episodes > 50);
}

static void replay_equals_live(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    traffic t;
    service_error err;
    traffic_start(&t, fresh(), 1);
    for (int i = 0; i < STEPS; i++) {
        traffic_step(&t);
        if (traffic_below(&t, 30) == 0)
            assert_done(service_commit(t.self, log, t.now, &err), &err);
    }
    assert_done(service_commit(t.self, log, t.now, &err), &err);
    assert_int_equal(store_last(log), service_last(t.self));
    assert_variety(&t);
    service *again;
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(t.self, again);
    service_free(again);
    audited(log, service_last(t.self));
    service_free(t.self);
    log_end(log, &directory);
}

/* The service that goes on is every now and then one that was opened anew, with and without snapshots. */
static void restarts_change_nothing(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    traffic t, straight;
    service_error err;
    traffic_start(&t, fresh(), 2);
    traffic_start(&straight, fresh(), 2);
    for (int i = 0; i < STEPS; i++) {
        traffic_step(&t);
        traffic_step(&straight);
        if (i % 500 == 250) {
            assert_done(service_commit(t.self, log, t.now, &err), &err);
            if (i % 1000 == 250)
                assert_done(service_snapshot(t.self, log, &err), &err);
            service_free(t.self);
            assert_done(service_open(&t.self, log, &err), &err);
            assert_same_state(t.self, straight.self);
        }
    }
    assert_done(service_commit(t.self, log, t.now, &err), &err);
    assert_same_state(t.self, straight.self);
    audited(log, service_last(t.self));
    service_free(t.self);
    service_free(straight.self);
    log_end(log, &directory);
}

/* An id that is decided again while the event that had it first has expired but is not forgotten yet. */
static void repeated_ids_are_restored(void **state)
{
    enum { EVENTS = 200 }; /* a record forgets a few of them */
    (void)state;
    service *self = fresh(), *other = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ",\"reward\":{\"wait\":1,\"remember\":1}"), 0);
    service_error err;
    char id[16];
    size_t size;
    for (int i = 0; i < EVENTS; i++) {
        snprintf(id, sizeof id, "id%d", i);
        decided(self, c, id, 0, 0);
        assert_int_equal(rewarded(self, c, id, 1, 0), SERVICE_JOINED);
    }
    decided(self, c, "id150", 0, 10 * SECOND);
    assert_true(c->table.tail <= 150); /* the first one is there still */
    void *bytes = state_of(self, &size);
    assert_done(service_restore(other, bytes, size, &err), &err);
    assert_same_state(self, other);
    assert_int_equal(rewarded(other, service_campaign_at(other, 0), "id150", 1, 10 * SECOND), SERVICE_JOINED);
    free(bytes);
    service_free(self);
    service_free(other);
}

/* Wherever the log ends, the state is that of the service when it had made as many records. */
static void any_prefix_restores(void **state)
{
    (void)state;
    enum { MOST = 400 };
    traffic t;
    traffic_start(&t, fresh(), 3);
    service_bytes log = {0};
    size_t ends[MOST + 20] = {0};
    void *states[MOST + 20] = {0};
    size_t sizes[MOST + 20];
    uint64_t n = 0;
    for (uint64_t before = 0; n < MOST; before = n) {
        store_row row;
        traffic_step(&t);
        if (!service_commit_begin(t.self, t.now, &row))
            continue;
        assert_true(service_bytes_reserve(&log, row.size));
        memcpy(log.data + log.used, row.records, row.size);
        for (uint64_t i = 0; i < row.count && n < MOST + 19; i++) {
            uint32_t size;
            memcpy(&size, log.data + log.used, sizeof size);
            log.used += size + 8;
            ends[++n] = log.used;
        }
        service_commit_end(t.self, true, NULL);
        assert_int_equal(row.first, before + 1);
        states[n] = state_of(t.self, &sizes[n]);
    }
    service_free(t.self);
    for (uint64_t i = 1; i <= n; i++) {
        service *self = fresh();
        service_error err;
        store_row row = {.first = 1, .count = i, .records = log.data, .size = ends[i]};
        row.checksum = store_checksum(&row);
        self->verify = i % 2 == 0;
        assert_done(service_replay_row(self, &row, 1, &err), &err);
        size_t size;
        void *bytes = state_of(self, &size);
        if (states[i] != NULL) {
            assert_int_equal(size, sizes[i]);
            assert_memory_equal(bytes, states[i], size);
        }
        /* It works on. */
        decided(self,
                service_campaign_at(self, 0) != NULL ? service_campaign_at(self, 0)
                                                     : created(self, SPEC_CAMPAIGN("new", ""), t.now),
                "later", 0, t.now);
        free(bytes);
        free(states[i]);
        service_free(self);
    }
    free(log.data);
}

/* The last snapshot is damaged: the one before serves; both: the whole log does. */
static void damaged_snapshots_are_passed_over(void **state)
{
    (void)state;
    service *a = fresh(), *b = fresh();
    service_campaign *c = created(a, SPEC_CAMPAIGN("shop", ""), 0);
    service_error err;
    for (int i = 0; i < 50; i++)
        decided(a, c, NULL, (size_t)i % 2, i * SECOND);
    size_t size;
    unsigned char *bytes = state_of(a, &size);
    assert_done(service_restore(b, bytes, size, &err), &err);
    assert_same_state(a, b);
    service_free(b);
    for (size_t cut = 0; cut < size; cut += 7) {
        b = fresh();
        assert_int_equal(service_restore(b, bytes, cut, &err), SERVICE_DAMAGED);
        service_free(b);
    }
    free(bytes);
    service_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_equals_live),
        cmocka_unit_test(restarts_change_nothing),
        cmocka_unit_test(repeated_ids_are_restored),
        cmocka_unit_test(any_prefix_restores),
        cmocka_unit_test(damaged_snapshots_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
