/*
 * test_service_store.c: engine and log together: group commit, a disk that is full, what people and programs are shown.
 */
#include "service_traffic.h"

#include <jansson.h>

static void commits_follow_each_other(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("g", ""), 0);
    store_row row, next;
    decided(self, c, NULL, 0, 1);
    assert_int_equal(service_pending(self), 2);
    assert_true(service_commit_begin(self, 5, &row));
    assert_true(row.first == 1 && row.count == 2 && row.at == 5);
    /* Requests go on while the disk works. */
    decided(self, c, NULL, 0, 6);
    assert_int_equal(service_pending(self), 3);
    assert_int_equal(row.count, 2);
    service_commit_end(self, true, NULL);
    assert_int_equal(service_pending(self), 1);
    assert_true(service_commit_begin(self, 7, &next));
    assert_true(next.first == 3 && next.count == 1);
    service_commit_end(self, true, NULL);
    assert_false(service_commit_begin(self, 8, &row));
    assert_int_equal(service_pending_bytes(self), 0);
    service_free(self);
}

/* What another process appended, applied as it comes, is the state of the service that did it. */
static void rows_of_others_are_followed(void **state)
{
    (void)state;
    service *self = fresh(), *other = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("f", ""), 0);
    service_error err;
    store_row row;
    void *own, *its;
    size_t own_size, its_size;
    uint64_t number, checksum = 0;
    for (int i = 0; i < 3; i++) {
        decided(self, c, NULL, (size_t)i % 2, 1 + i);
        assert_true(service_commit_begin(self, 5 + i, &row));
        row.before = checksum;
        checksum = row.checksum = store_checksum(&row);
        assert_done(service_follow(other, &row, &err), &err);
        assert_true(service_last(other) == service_last(self) && service_pending(other) == 0);
        service_commit_end(self, true, NULL);
    }
    assert_done(service_snapshot_take(self, &own, &own_size, &number, &err), &err);
    assert_done(service_snapshot_take(other, &its, &its_size, &number, &err), &err);
    assert_int_equal(own_size, its_size);
    assert_memory_equal(own, its, own_size);
    free(own);
    free(its);
    row.first += 2; /* a row between is missing */
    assert_int_equal(service_follow(other, &row, &err), SERVICE_DAMAGED);
    decided(self, c, NULL, 0, 9);
    assert_int_equal(service_follow(self, &row, &err), SERVICE_BUSY);
    service_free(other);
    service_free(self);
}

static void full_disks_stop_requests(void **state)
{
    (void)state;
    log_directory directory;
    log_make(&directory);
    store *log = log_open(&directory, STORE_DURABLE);
    service *self = fresh(), *again;
    service_campaign *c = created(self, SPEC_CAMPAIGN("full", ""), 0);
    service_error err;
    service_decision d;
    service_status status;
    common_text text = {0};
    service_request q = {.number = 0};
    size_t items;
    uint64_t records, committed;
    uint32_t episode;
    bool is_new;
    service_campaign *other;
    assert_done(service_commit(self, log, 1, &err), &err);
    committed = service_last(self);
    store_limit(log, 4096);
    for (int i = 0; i < 2000; i++)
        decided(self, c, NULL, 0, 2);
    assert_int_equal(service_commit(self, log, 3, &err), SERVICE_STORE);
    assert_non_null(strstr(err.msg, "cannot grow: the disk is full"));
    assert_true(service_failed(self));
    assert_int_equal(service_pending(self), 2000);
    /* Nothing more is accepted, by any function. */
    assert_int_equal(service_decide(self, c, &q, 4, &d, &err), SERVICE_STORE);
    assert_non_null(strstr(err.msg, "the log cannot be written, so nothing is accepted: "));
    assert_int_equal(service_reward(self, c, "1", 1, 1, 4, &status, &err), SERVICE_STORE);
    assert_int_equal(service_decide_json(self, c, "{}", 2, 4, &text, &items, &err), SERVICE_STORE);
    assert_int_equal(service_reward_json(self, c, "{}", 2, 4, &text, &items, &status, &err), SERVICE_STORE);
    assert_int_equal(service_episode(self, c, 4, &episode, &err), SERVICE_STORE);
    assert_int_equal(service_control_json(self, c, "{}", 2, 4, &err), SERVICE_STORE);
    assert_int_equal(service_campaign_create(self, "{}", 2, 4, &other, &is_new, &err), SERVICE_STORE);
    assert_int_equal(service_campaign_archive(self, c, 4, &err), SERVICE_STORE);
    assert_int_equal(service_roster_create(self, "{}", 2, 4, &is_new, &err), SERVICE_STORE);
    assert_int_equal(service_tick(self, 4, &records, &err), SERVICE_STORE);
    assert_int_equal(service_snapshot(self, log, &err), SERVICE_STORE);
    assert_int_equal(service_last(self), committed + 2000);
    /* It can be looked at, and what was written before can be read. */
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_done(service_open(&again, log, &err), &err);
    assert_int_equal(service_last(again), committed);
    service_free(again);
    /* There is room again: the same records go in, once. */
    store_limit(log, 0);
    assert_done(service_commit(self, log, 5, &err), &err);
    assert_false(service_failed(self));
    assert_int_equal(store_last(log), committed + 2000);
    decided(self, c, NULL, 0, 6);
    assert_done(service_commit(self, log, 6, &err), &err);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    service_free(again);
    service_free(self);
    common_text_free(&text);
    log_end(log, &directory);
}

/* Lines are JSON; numbers have no gaps; streaming in parts gives the same as at once. */
/* Events of a campaign whose reward is known by the JSON lines, and what they earned together. Where rewards are learnt
   on arrival they are in [0, 1]. One that comes before its event has acted is known when it has. */
static size_t known_rewards(const char *lines, const service_campaign *c, double *earned)
{
    size_t known = 0, number = 0;
    bool on_arrival = strstr("arrival model logged steps watched", service_campaign_name(c)) != NULL;
    bool *waits =
        calloc(strlen(lines) + 1, sizeof *waits); /* by record: it has not acted, or nobody knows how likely that was */
    for (const char *line = lines, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *json = json_loadb(line, (size_t)(end - line), 0, NULL), *closed = json_object_get(json, "closed");
        const char *name = json_string_value(json_object_get(json, "campaign"));
        const char *status = json_string_value(json_object_get(json, "status"));
        bool own = name != NULL && strcmp(name, service_campaign_name(c)) == 0;
        const char *kind = json_string_value(json_object_get(json, "kind"));
        bool acted = strcmp(kind, "acted") == 0 && json_is_number(json_object_get(json, "reward"));
        bool joined = status != NULL && strcmp(status, "joined") == 0;
        waits[++number] = strcmp(kind, "choose") == 0 || json_is_null(json_object_get(json, "propensity"));
        joined = joined && !waits[json_integer_value(json_object_get(json, "decision"))];
        if (own && on_arrival && (joined || acted)) {
            *earned += json_number_value(json_object_get(json, "reward"));
            known++;
        }
        for (size_t i = 0; own && i < json_array_size(closed); i++) {
            const json_t *one = json_array_get(closed, i), *learnt = json_object_get(one, "learnt");
            const json_t *reward = json_is_null(learnt) ? json_object_get(one, "unlearnt") : learnt;
            *earned += json_number_value(reward);
            known += reward != NULL;
        }
        json_decref(json);
    }
    free(waits);
    return known;
}

/* All lines are numbered records, and come in pieces as they come at once. */
static void assert_lines(service *self, store *log, common_text *all)
{
    service_error err;
    common_text parts = {0};
    uint64_t next = 0, number = 0, last = service_last(self);
    assert_done(service_events(self, log, NULL, 0, SIZE_MAX, SERVICE_LINES, all, &next, &err), &err);
    assert_int_equal(next, last);
    for (char *line = all->data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *json = json_loadb(line, (size_t)(end - line), 0, NULL);
        assert_non_null(json);
        assert_int_equal(json_integer_value(json_object_get(json, "number")), ++number);
        json_decref(json);
    }
    assert_int_equal(number, last);
    for (next = 0; next < last;)
        assert_done(service_events(self, log, NULL, next, 13, SERVICE_LINES, &parts, &next, &err), &err);
    assert_string_equal(parts.data, all->data);
    assert_done(service_events(self, log, NULL, last, 13, SERVICE_LINES, &parts, &next, &err), &err);
    assert_int_equal(next, last);
    common_text_free(&parts);
}

/* One labelled line per event whose reward is known, learnt or not. */
static void assert_labelled(service *self, store *log, service_campaign *c, const char *all)
{
    service_error err;
    common_text labelled = {0};
    size_t lines = 0;
    double cost = 0, earned = 0;
    for (uint64_t next = 0; next < service_last(self);)
        assert_done(service_events(self, log, c, next, 50, SERVICE_DSJSON, &labelled, &next, &err), &err);
    for (char *line = labelled.data, *end; line != NULL && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *json = json_loadb(line, (size_t)(end - line), 0, NULL), *a = json_object_get(json, "a");
        assert_non_null(json);
        assert_int_equal(json_array_size(a), json_array_size(json_object_get(json, "p")));
        assert_true(json_equal(json_array_get(a, 0), json_object_get(json, "_label_Action")));
        assert_true(json_number_value(json_object_get(json, "_label_probability")) > 0);
        cost += json_number_value(json_object_get(json, "_label_cost"));
        lines++;
        json_decref(json);
    }
    assert_int_equal(lines, known_rewards(all, c, &earned));
    assert_true(lines >= counted(self, c).learnt);
    assert_close(-cost, earned, 1e-9);
    common_text_free(&labelled);
}

/* Numbers beyond any record, also where one more does not fit into an integer. */
static void assert_ends(service *self, store *log)
{
    static const uint64_t beyond[] = {1000000, INT64_MAX - 20000, INT64_MAX - 1, INT64_MAX, UINT64_MAX - 1, UINT64_MAX};
    service_error err;
    common_text none = {0};
    uint64_t next;
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
        for (size_t j = 0; j < 2; j++) {
            service_campaign *c = j == 0 ? NULL : service_campaign_at(self, 0);
            assert_done(service_events(self, log, c, beyond[i], 13, SERVICE_LINES, &none, &next, &err), &err);
            assert_int_equal(none.used, 0);
            assert_true(next == beyond[i]);
        }
    assert_not(service_events(self, log, NULL, 0, 1, SERVICE_DSJSON, &none, &next, &err), &err, SERVICE_INVALID,
               "dsjson needs a campaign: name one");
    common_text_free(&none);
}

static void events_stream(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    traffic t;
    service_error err;
    common_text all = {0};
    traffic_start(&t, fresh(), 4);
    for (int i = 0; i < 1500; i++) {
        traffic_step(&t);
        if (i % 7 == 0)
            assert_done(service_commit(t.self, log, t.now, &err), &err);
    }
    assert_done(service_commit(t.self, log, t.now, &err), &err);
    assert_lines(t.self, log, &all);
    for (size_t i = 0; i < TRAFFIC_CAMPAIGNS; i++)
        assert_labelled(t.self, log, service_campaign_at(t.self, i), all.data);
    assert_ends(t.self, log);
    common_text_free(&all);
    service_free(t.self);
    log_end(log, &directory);
}

/* Rows that are larger than what is kept of them in memory: decisions in one, their rewards in another. */
static void large_rows_stream(void **state)
{
    enum { EVENTS = 60000 };
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("large", ""), 0);
    service_error err;
    common_text out = {0};
    char id[128];
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < EVENTS; i++) {
            snprintf(id, sizeof id, "%0100d-%d", 0, i);
            if (half == 0)
                decided(self, c, id, 0, 1000);
            else
                assert_int_equal(rewarded(self, c, id, 1, 2000), SERVICE_JOINED);
        }
        assert_done(service_commit(self, log, 3000, &err), &err);
    }
    for (uint64_t next = 0, before = UINT64_MAX; next != before;) {
        before = next;
        assert_done(service_events(self, log, c, next, 5000, SERVICE_DSJSON, &out, &next, &err), &err);
    }
    size_t lines = 0;
    for (size_t i = 0; i < out.used; i++)
        lines += out.data[i] == '\n';
    assert_int_equal(lines, EVENTS);
    common_text_free(&out);
    service_free(self);
    log_end(log, &directory);
}

/* A campaign in which one expert is far better: insight says so. */
static void insight_tells(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("i", ",\"reward\":{\"wait\":10}"), 0);
    common_text text = {0};
    service_error err;
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    json_t *json = json_loads(text.data, 0, NULL);
    assert_true(json_is_null(json_object_get(json, "leader")));
    assert_true(json_is_false(json_object_get(json, "known")));
    json_decref(json);
    for (int i = 0; i < 20000; i++) {
        service_decision d = decided(self, c, NULL, 0, i);
        rewarded(self, c, d.id, d.action == 0, i);
        if (i == 3) {
            common_text_clear(&text);
            assert_done(service_campaign_json(self, c, &text, &err), &err);
            json = json_loads(text.data, 0, NULL);
            assert_true(json_is_false(json_object_get(json, "known")));
            json_decref(json);
        }
    }
    common_text_clear(&text);
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    json = json_loads(text.data, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "leader")), "e0");
    assert_true(json_is_true(json_object_get(json, "known")));
    assert_true(json_number_value(json_object_get(json_object_get(json, "rounds_left"), "high")) == 0);
    assert_close(json_number_value(json_object_get(json, "margin")), 0.5, 0.1);
    assert_int_equal(json_integer_value(json_object_get(json, "rounds")), 20000);
    json_t *experts = json_object_get(json, "experts");
    assert_int_equal(json_array_size(experts), 3);
    double plays = 0;
    for (size_t k = 0; k < 3; k++) {
        json_t *e = json_array_get(experts, k);
        plays += json_number_value(json_object_get(e, "plays"));
        assert_true(json_number_value(json_object_get(e, "samples")) > 1000);
        assert_close(json_number_value(json_object_get(e, "estimate")) + json_number_value(json_object_get(e, "width")),
                     json_number_value(json_object_get(e, "index")), 1e-9);
    }
    assert_true(plays == 20000);
    json_decref(json);
    common_text_clear(&text);
    service_campaigns_json(self, &text);
    json = json_loads(text.data, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "campaigns")), 1);
    json_decref(json);
    common_text_free(&text);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commits_follow_each_other), cmocka_unit_test(rows_of_others_are_followed),
        cmocka_unit_test(full_disks_stop_requests),  cmocka_unit_test(events_stream),
        cmocka_unit_test(large_rows_stream),         cmocka_unit_test(insight_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
