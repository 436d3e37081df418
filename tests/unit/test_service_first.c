/*
 * test_service_first.c: a data directory that roster 0.1 wrote opens, goes on and passes the audit.
 *
 * golden/roster-0.1.tar.gz was made by that program over HTTP, and killed: nine campaigns of all kinds with open
 * windows, caps, a pin, sums, named rewards, episodes, samples, ids by number and by name, and a snapshot 132 records
 * before the end. golden/roster-base-2.tar.gz was made by a later program whose snapshots, of version 2, had no
 * evidence: a campaign of which 300 decisions were made and all but the last records dropped.
 */
#include "service_support.h"

typedef struct opened {
    char folder[64], path[96];
    store *log;
    service *self;
    int64_t now;
} opened;

static void reopen(opened *o)
{
    roster_error wrong;
    service_error err;
    assert_ok(store_open(&o->log, o->path, STORE_OS, &wrong), &wrong);
    assert_done(service_open(&o->self, o->log, &err), &err);
}

static void unpack(opened *o, const char *name)
{
    char command[400];
    strcpy(o->folder, "first_XXXXXX");
    assert_non_null(mkdtemp(o->folder));
    snprintf(command, sizeof command, "tar -xzf %s/%s.tar.gz -C %s", GOLDEN, name, o->folder);
    assert_int_equal(system(command), 0);
    snprintf(o->path, sizeof o->path, "%s/%s", o->folder, name);
    o->now = INT64_C(1794843000) * SECOND;
    reopen(o);
}

static void close_both(opened *o)
{
    service_free(o->self);
    store_close(o->log);
}

static void throw_away(const opened *o)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", o->folder);
    assert_int_equal(system(command), 0);
}

static void assert_audited(opened *o, uint64_t records)
{
    service_audited audited;
    service_error err;
    assert_done(service_audit(o->log, NULL, &audited, &err), &err);
    assert_int_equal(audited.records, records);
}

static service_campaign *campaign(const opened *o, const char *name)
{
    service_campaign *c = service_campaign_find(o->self, name, strlen(name));
    assert_non_null(c);
    return c;
}

static void opens_and_audits(void **state)
{
    (void)state;
    opened o;
    unpack(&o, "roster-0.1");
    assert_int_equal(service_last(o.self), 697);
    assert_int_equal(service_campaign_count(o.self), 9);
    assert_int_equal(counted(o.self, NULL).decisions, 364);
    assert_int_equal(counted(o.self, campaign(&o, "outside")).open, 34);
    assert_audited(&o, 697);
    close_both(&o);
    throw_away(&o);
}

/* Events of 0.1 are found by what they were called then; numbers that are given out now go on behind them. */
static void old_ids_live_on(void **state)
{
    (void)state;
    opened o;
    unpack(&o, "roster-0.1");
    service_campaign *c = campaign(&o, "outside");
    assert_int_equal(rewarded(o.self, c, "996954", 1, o.now), SERVICE_JOINED);
    assert_int_equal(rewarded(o.self, c, "996954", 1, o.now), SERVICE_DUPLICATE);
    assert_int_equal(rewarded(o.self, c, "#996953", 1, o.now), SERVICE_JOINED);
    assert_int_equal(rewarded(o.self, c, "order-121943", 1, o.now), SERVICE_JOINED);
    c = campaign(&o, "even");
    assert_string_equal(decided(o.self, c, NULL, 0, o.now).id, "#648901");
    assert_int_equal(rewarded(o.self, c, "648901", 1, o.now), SERVICE_UNKNOWN);
    assert_int_equal(rewarded(o.self, c, "#648901", 1, o.now), SERVICE_JOINED);
    assert_true(decided(o.self, c, "648900", 1, o.now).repeated);
    close_both(&o);
    throw_away(&o);
}

/* Traffic of all campaigns after 0.1's, and what becomes of it. */
static void go_on(opened *o, int rounds)
{
    static const char *const names[] = {"capped", "even", "shared", "sums", "short", "few", "logged"};
    for (int i = 0; i < rounds; i++) {
        service_campaign *c = campaign(o, names[i % 7]);
        o->now += SECOND / 5;
        service_decision d = decided(o->self, c, NULL, (size_t)i / 7 % 2, o->now);
        if (i % 3 > 0)
            assert_int_equal(rewarded(o->self, c, d.id, 0.5, o->now), SERVICE_JOINED);
    }
}

static void goes_on(void **state)
{
    (void)state;
    opened o;
    service_error err;
    unpack(&o, "roster-0.1");
    go_on(&o, 300);
    assert_done(service_commit(o.self, o.log, o.now, &err), &err);
    assert_done(service_snapshot(o.self, o.log, &err), &err);
    go_on(&o, 100);
    assert_done(service_commit(o.self, o.log, o.now, &err), &err);
    uint64_t last = service_last(o.self);
    assert_true(last > 697 + 400);
    size_t size, again;
    void *bytes = state_of(o.self, &size);
    close_both(&o);
    reopen(&o);
    void *restored = state_of(o.self, &again);
    assert_int_equal(again, size);
    assert_memory_equal(restored, bytes, size);
    assert_audited(&o, last);
    free(bytes);
    free(restored);
    close_both(&o);
    throw_away(&o);
}

/* What was learnt before the base is known to the agent alone; evidence begins there, also for the audit. */
static void evidence_begins_at_a_base(void **state)
{
    (void)state;
    opened o;
    common_text text = {0};
    service_error err;
    unpack(&o, "roster-base-2");
    service_campaign *c = campaign(&o, "kept");
    assert_int_equal(counted(o.self, c).learnt, 257);
    assert_done(service_campaign_json(o.self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, "\"rounds\":257,\"evidence_rounds\":205,"));
    for (int i = 0; i < 50; i++) {
        service_decision d = decided(o.self, c, NULL, 0, o.now);
        rewarded(o.self, c, d.id, d.action == 0, o.now);
    }
    common_text_clear(&text);
    assert_done(service_campaign_json(o.self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, "\"rounds\":307,\"evidence_rounds\":255,"));
    assert_done(service_commit(o.self, o.log, o.now, &err), &err);
    assert_done(service_snapshot(o.self, o.log, &err), &err);
    service *before = o.self;
    store_close(o.log);
    reopen(&o);
    assert_same_state(before, o.self);
    service_free(before);
    service_audited audited;
    assert_done(service_audit(o.log, NULL, &audited, &err), &err);
    assert_true(audited.snapshots > 0);
    common_text_free(&text);
    close_both(&o);
    throw_away(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_and_audits),
        cmocka_unit_test(old_ids_live_on),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(evidence_begins_at_a_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
