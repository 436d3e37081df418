/*
 * test_service_drafts.c: campaigns prepared apart and admitted later, archived in pieces, and within limits.
 */
#include "service_support.h"

#include "service_internal.h"

static service_campaign *make(service *self, const char *text)
{
    service_campaign *c;
    service_error err;
    bool created;
    assert_done(service_campaign_create(self, text, strlen(text), SECOND, &c, &created, &err), &err);
    return c;
}

static uint64_t decide(service *self, service_campaign *c, size_t n, int64_t now)
{
    uint64_t done = 0;
    for (size_t i = 0; i < n; i++) {
        service_decision d;
        service_error err;
        service_request q = {.number = i % 2};
        done += service_decide(self, c, &q, now, &d, &err) == SERVICE_OK;
    }
    return done;
}

/* Between prepare and admit anything may happen: the name is decided when it is admitted. */
static void names_are_decided_last(void **state)
{
    (void)state;
    static const char text[] = SPEC_CAMPAIGN("shop", ""),
                      other[] = SPEC_CAMPAIGN("shop", ",\"episodes\":{\"rounds\":9}");
    service *self = fresh();
    service_draft *first, *second, *third;
    service_campaign *a, *b;
    service_error err;
    bool created, again;
    assert_done(service_draft_open(self, &first, &err), &err);
    assert_done(service_draft_open(self, &second, &err), &err);
    assert_done(service_draft_open(self, &third, &err), &err);
    assert_done(service_campaign_prepare(first, text, sizeof text - 1, SECOND, &err), &err);
    assert_done(service_campaign_prepare(second, text, sizeof text - 1, SECOND, &err), &err);
    assert_done(service_campaign_prepare(third, other, sizeof other - 1, SECOND, &err), &err);
    assert_int_equal(service_last(self), 0);
    assert_done(service_campaign_admit(self, first, 2 * SECOND, &a, &created, &again, &err), &err);
    assert_true(created && !again);
    assert_done(service_campaign_admit(self, second, 3 * SECOND, &b, &created, &again, &err), &err);
    assert_true(!created && a == b);
    assert_not(service_campaign_admit(self, third, 3 * SECOND, &b, &created, &again, &err), &err, SERVICE_EXISTS,
               "campaign shop exists with another description");
    assert_int_equal(service_last(self), 1);
    service_draft_close(self, first);
    service_draft_close(self, second);
    service_draft_close(self, third);
    service_free(self);
}

/* A campaign that was prepared is the campaign that its record makes. */
static void admitted_is_replayed(void **state)
{
    (void)state;
    static const char roster[] = ESTIMATED_ROSTER, text[] = ESTIMATED_CAMPAIGN, samples[] = ESTIMATED_SAMPLES;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_error err;
    service_draft *draft;
    service_campaign *c;
    bool created, again;
    uint64_t added;
    size_t size, other_size;
    void *bytes, *other;
    uint64_t number;
    assert_done(service_roster_create(self, roster, sizeof roster - 1, SECOND, &created, &err), &err);
    assert_done(service_draft_open(self, &draft, &err), &err);
    for (int tries = 0;; tries++) {
        assert_done(service_campaign_prepare(draft, text, sizeof text - 1, SECOND, &err), &err);
        /* Samples that come in all the time do not hold it up for ever. */
        assert_done(service_roster_samples(self, "r", 1, samples, sizeof samples - 1, SECOND, &added, &err), &err);
        assert_done(service_campaign_admit(self, draft, 2 * SECOND, &c, &created, &again, &err), &err);
        if (!again)
            break;
        assert_true(tries < 3);
    }
    service_draft_close(self, draft);
    assert_true(created);
    assert_int_equal(decide(self, c, 10, 3 * SECOND), 5); /* there is one context */
    assert_done(service_commit(self, log, 3 * SECOND, &err), &err);
    assert_done(service_snapshot_take(self, &bytes, &size, &number, &err), &err);
    service_free(self);
    assert_done(service_open(&self, log, &err), &err);
    assert_done(service_snapshot_take(self, &other, &other_size, &number, &err), &err);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
    service_free(self);
    log_end(log, &directory);
}

/* An archived campaign keeps its figures and gives back its memory and its name, also when there is more to close than
   one tick may. */
static void archived_in_pieces(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    common_text before = {0}, after = {0};
    uint64_t records;
    service_campaign *c = make(self, SPEC_CAMPAIGN("shop", ""));
    assert_int_equal(decide(self, c, 20000, 2 * SECOND), 20000);
    uint64_t bytes = service_campaign_bytes(c);
    service_pace(self, 1000);
    assert_done(service_campaign_archive(self, c, 3 * SECOND, &err), &err);
    assert_true(service_campaign_archived(c));
    assert_in_range(c->counts.open, 1, 19999);
    assert_int_equal(service_campaign_count_live(self), 0);
    service_campaign *next = make(self, SPEC_CAMPAIGN("shop", ",\"reward\":{\"wait\":9}"));
    assert_true(next != c && service_campaign_find(self, "shop", 4) == next);
    service_request q = {.number = 0};
    service_decision d;
    assert_int_equal(service_decide(self, c, &q, 3 * SECOND, &d, &err), SERVICE_ARCHIVED);
    for (int ticks = 0; !c->freed; ticks++) {
        assert_true(ticks < 100);
        service_pace(self, 1000);
        assert_done(service_tick(self, 4 * SECOND, &records, &err), &err);
        assert_true(records < 10);
    }
    assert_int_equal(c->counts.open, 0);
    assert_int_equal(c->counts.unlearnt, 20000);
    assert_int_equal(c->counts.crowded, 0);
    assert_true(service_campaign_bytes(c) < bytes / 10);
    service_pace(self, UINT64_MAX);
    assert_done(service_campaign_archive(self, next, 5 * SECOND, &err), &err);
    assert_true(service_campaign_find(self, "shop", 4) == next); /* the last one of that name */
    assert_done(service_campaign_json(self, c, &before, &err), &err);
    assert_non_null(strstr(before.data, "\"decisions\":20000"));
    void *state_bytes;
    size_t size;
    uint64_t number;
    assert_done(service_snapshot_take(self, &state_bytes, &size, &number, &err), &err);
    service *other = fresh();
    assert_done(service_restore(other, state_bytes, size, &err), &err);
    assert_int_equal(service_campaign_count_live(other), 0);
    assert_done(service_campaign_json(other, service_campaign_at(other, 0), &after, &err), &err);
    assert_string_equal(before.data, after.data);
    free(state_bytes);
    common_text_free(&before);
    common_text_free(&after);
    service_free(other);
    service_free(self);
}

/* Windows that end by the thousand are closed at the pace that was set; a reward of one that is over is late anyway. */
static void archived_however_slow(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    uint64_t records;
    service_campaign *c = make(self, SPEC_CAMPAIGN("shop", ""));
    assert_int_equal(decide(self, c, 100, SECOND), 100);
    service_pace(self, 1);
    assert_done(service_campaign_archive(self, c, SECOND, &err), &err);
    assert_true(service_campaign_archived(c));
    assert_in_range(c->counts.open, 1, 99);
    service_pace(self, UINT64_MAX);
    assert_done(service_tick(self, 2 * SECOND, &records, &err), &err);
    assert_true(c->freed && c->counts.open == 0);
    service_free(self);
}

static void windows_close_at_a_pace(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_status status;
    service_campaign *c = make(self, SPEC_CAMPAIGN("shop", ",\"reward\":{\"wait\":1}"));
    assert_int_equal(decide(self, c, 10000, SECOND), 10000);
    service_pace(self, 88);
    assert_int_equal(decide(self, c, 50, 9 * SECOND), 50);
    assert_in_range(c->counts.open, 10050 - 110, 10050 - 90); /* of 880 ns each */
    assert_done(service_reward(self, c, "#9999", 5, 1, 9 * SECOND, &status, &err), &err);
    assert_int_not_equal(status, SERVICE_JOINED);
    service_free(self);
}

/* An episode that is due by rounds, while the oldest of many has more open events than the pace allows to close:
   nothing is refused or closed, it begins when ticks have made way. */
static void due_episodes_wait_for_the_pace(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_decision d;
    service_request q = {.number = 0};
    uint64_t records, last;
    service_campaign *c = make(self, SPEC_CAMPAIGN("shop", ",\"episodes\":{\"rounds\":6}"));
    assert_int_equal(decide(self, c, (size_t)SERVICE_EPISODES_LIVE * 6, SECOND), (size_t)SERVICE_EPISODES_LIVE * 6);
    assert_int_equal(c->n_episodes, SERVICE_EPISODES_LIVE);
    service_pace(self, 2);
    last = service_last(self);
    assert_done(service_decide(self, c, &q, SECOND, &d, &err), &err);
    assert_int_equal(service_last(self), last + 1);
    assert_int_equal(c->counts.open, SERVICE_EPISODES_LIVE * 6 + 1);
    service_pace(self, 2);
    assert_done(service_tick(self, SECOND, &records, &err), &err);
    assert_in_range(c->episodes[0].open, 1, 5);
    service_pace(self, 2);
    uint32_t before = service_present(c)->number;
    assert_done(service_decide(self, c, &q, SECOND, &d, &err), &err);
    assert_int_equal(service_present(c)->number, before + 1);
    service_free(self);
}

static void limits_refuse(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c, *other;
    bool created;
    service_decision d;
    service_request q = {.number = 0};
    static const char second[] = SPEC_CAMPAIGN("two", ""), third[] = SPEC_CAMPAIGN("three", "");
    service_limit(self, &(service_limits){.campaigns = 2, .events = 3, .cells = 18});
    c = make(self, SPEC_CAMPAIGN("one", ""));
    make(self, second);
    assert_not(service_campaign_create(self, third, sizeof third - 1, SECOND, &other, &created, &err), &err,
               SERVICE_LIMIT,
               "campaign three cannot be created: there are already 2, which is the limit: archive some, or start the "
               "server with a larger --max-campaigns");
    assert_int_equal(decide(self, c, 5, SECOND), 3);
    assert_not(service_decide(self, c, &q, SECOND, &d, &err), &err, SERVICE_QUOTA,
               "campaign one has 3 open events, which is the limit: wait until windows end, or start the server "
               "with a larger --max-open");
    service_limit(self, &(service_limits){.cells = 17});
    assert_not(service_campaign_create(self, third, sizeof third - 1, SECOND, &other, &created, &err), &err,
               SERVICE_LIMIT,
               "campaign: experts makes tables of more than 17 numbers in all: make them smaller, or start the "
               "server with a larger --max-cells");
    service_limit(self, &(service_limits){.bytes = 100});
    assert_int_equal(service_campaign_create(self, third, sizeof third - 1, SECOND, &other, &created, &err),
                     SERVICE_LIMIT);
    assert_int_equal(service_decide(self, c, &q, SECOND, &d, &err), SERVICE_QUOTA);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_CAMPAIGNS), 1);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_CELLS), 1);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_EVENTS), 3);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_BYTES), 2);
    service_free(self);
}

/* A description with many experts; the caller frees it. */
static char *many(const char *name, size_t n)
{
    common_text text = {0};
    common_put_format(&text,
                      "{\"name\":\"%s\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"agent\":\"uniform\",\"seed\":1,"
                      "\"reward\":{\"wait\":10},\"experts\":[",
                      name);
    for (size_t i = 0; i < n; i++)
        common_put_format(&text, "%s{\"name\":\"e%zu\",\"table\":[[0.5,0.5],[0.5,0.5]]}", i > 0 ? "," : "", i);
    common_put_text(&text, "]}");
    return text.data;
}

/* In pieces it is the same text, of the moment when it was opened. */
static void told_in_pieces(void **state)
{
    (void)state;
    service *self = fresh();
    char *text = many("wide", 3000);
    service_campaign *c = make(self, text);
    service_error err;
    service_telling *telling;
    common_text whole = {0}, pieces = {0};
    assert_int_equal(decide(self, c, 10, SECOND), 10);
    assert_done(service_campaign_json(self, c, &whole, &err), &err);
    assert_done(service_telling_open(c, &telling, &err), &err);
    size_t n = 0, before = 0, largest = 0;
    for (bool more = true; more; n++) {
        more = service_telling_next(telling, &pieces);
        largest = pieces.used - before > largest ? pieces.used - before : largest;
        before = pieces.used;
        if (n == 1)
            assert_done(service_campaign_archive(self, c, 2 * SECOND, &err), &err);
    }
    service_telling_close(telling);
    assert_in_range(n, 5, 20);
    assert_true(largest < 100 << 10);
    assert_string_equal(pieces.data, whole.data);
    common_text_free(&whole);
    common_text_free(&pieces);
    free(text);
    service_free(self);
}

/* What archived campaigns keep is limited, the same after a restart, and does not depend on the way there. */
static void archived_are_limited(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *other;
    bool created;
    char *text = many("wide", 1000), *next = many("next", 3);
    assert_int_equal(service_archived_bytes(self), 0);
    assert_int_equal(service_let_go(self), 0);
    service_campaign *c = make(self, text);
    uint64_t live = service_campaign_bytes(c);
    assert_done(service_campaign_archive(self, c, SECOND, &err), &err);
    assert_true(c->experts_names.table.slots == NULL && c->memory.last == NULL);
    uint64_t kept = service_archived_bytes(self);
    assert_in_range(kept, strlen(text) + 1000 * 100, strlen(text) + 1000 * 120);
    assert_int_equal(service_let_go(self), live);
    assert_int_equal(service_let_go(self), 0);
    service_limit(self, &(service_limits){.archived = kept});
    make(self, next);
    service_limit(self, &(service_limits){.archived = kept - 1});
    make(self, next); /* it is there */
    assert_int_equal(service_campaign_create(self, text, strlen(text), SECOND, &other, &created, &err), SERVICE_LIMIT);
    assert_non_null(strstr(err.msg, "campaign wide cannot be created: archived campaigns keep "));
    assert_non_null(strstr(err.msg, "start the server with a larger --max-archived"));
    assert_int_equal(service_refused(self, SERVICE_QUOTA_ARCHIVED), 1);
    void *bytes;
    size_t size;
    uint64_t number;
    assert_done(service_snapshot_take(self, &bytes, &size, &number, &err), &err);
    service *again = fresh();
    assert_done(service_restore(again, bytes, size, &err), &err);
    assert_int_equal(service_archived_bytes(again), kept);
    free(bytes);
    free(text);
    free(next);
    service_free(again);
    service_free(self);
}

static service_code make_roster(service *self, unsigned number, service_error *err)
{
    char text[200];
    bool created;
    snprintf(text, sizeof text, "{\"name\":\"r%u\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{},{}]}",
             number);
    return service_roster_create(self, text, strlen(text), SECOND, &created, err);
}

static void limits_refuse_rosters(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_limit(self, &(service_limits){.rosters = 2, .cells = 8});
    assert_done(make_roster(self, 0, &err), &err);
    assert_done(make_roster(self, 1, &err), &err);
    assert_done(make_roster(self, 1, &err), &err); /* it is there */
    assert_not(make_roster(self, 2, &err), &err, SERVICE_LIMIT,
               "roster r2 cannot be created: there are already 2, which is the limit: start the server with a larger "
               "--max-rosters");
    service_limit(self, &(service_limits){.cells = 7});
    assert_not(
        make_roster(self, 2, &err), &err, SERVICE_LIMIT,
        "roster: experts makes tables of more than 7 numbers in all: make them smaller, or start the server with "
        "a larger --max-cells");
    service_limit(self, &(service_limits){.bytes = 2000});
    service_code code = SERVICE_OK;
    unsigned made = 2;
    while (made < 100 && (code = make_roster(self, made, &err)) == SERVICE_OK)
        made++;
    assert_int_equal(code, SERVICE_LIMIT);
    assert_in_range(made, 2, 12);
    assert_non_null(strstr(err.msg, "bytes of memory: make it smaller, or start the server with a larger --max-bytes"));
    assert_int_equal(service_refused(self, SERVICE_QUOTA_ROSTERS), 1);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_CELLS), 1);
    assert_int_equal(service_refused(self, SERVICE_QUOTA_BYTES), 1);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_decided_last),  cmocka_unit_test(admitted_is_replayed),
        cmocka_unit_test(archived_in_pieces),      cmocka_unit_test(archived_however_slow),
        cmocka_unit_test(windows_close_at_a_pace), cmocka_unit_test(due_episodes_wait_for_the_pace),
        cmocka_unit_test(limits_refuse),           cmocka_unit_test(limits_refuse_rosters),
        cmocka_unit_test(told_in_pieces),          cmocka_unit_test(archived_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
