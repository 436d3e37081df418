/*
 * test_service_alloc.c: every allocation of the engine is made to fail in turn. The request then says so, nothing has
 * changed, and it succeeds when it is made again; nothing leaks (the sanitizers and valgrind watch).
 *
 * Linked with --wrap=malloc, --wrap=calloc and --wrap=realloc.
 */
#include "failing_memory.h"
#include "service_traffic.h"

#include "service_internal.h"

#include <jansson.h>

/* What is tried: SERVICE_OK or SERVICE_MEMORY. */
typedef service_code (*attempt)(service *self, service_error *err);

/* With the n-th allocation failing until none does; the state is the same before and after each failure. */
static void fail_each(service *self, attempt try_it)
{
    for (size_t n = 1;; n++) {
        service_error err;
        size_t before_size, after_size;
        uint64_t last = service_last(self);
        void *before = state_of(self, &before_size);
        asked = 0;
        fail_at = n;
        service_code code = try_it(self, &err);
        fail_at = 0;
        bool failed = asked >= n;
        if (!failed || code == SERVICE_OK) {
            assert_done(code, &err);
            free(before);
            if (!failed)
                return;
            continue;
        }
        assert_int_equal(code, SERVICE_MEMORY);
        assert_string_equal(err.msg, "out of memory");
        void *after = state_of(self, &after_size);
        assert_int_equal(service_last(self), last);
        assert_int_equal(before_size, after_size);
        assert_memory_equal(before, after, before_size);
        free(before);
        free(after);
    }
}

static int64_t now = SECOND;

static service_code create_next(service *self, service_error *err)
{
    service_campaign *c;
    bool is_new;
    const char *text = traffic_campaigns[service_campaign_count(self)];
    return service_campaign_create(self, text, strlen(text), now, &c, &is_new, err);
}

static service_code create_warm(service *self, service_error *err)
{
    static const char warm[] =
        "{\"name\":\"warm\"," TRAFFIC_EXPERTS ",\"agent\":\"d-ucb\",\"seed\":1,\"warm_start\":{\"discount\":0.5,"
        "\"rows\":[{\"expert\":\"q\",\"context\":0,\"action\":1,\"count\":30,\"reward_sum\":12},{\"expert\":\"q\","
        "\"context\":1,\"action\":0,\"count\":9,\"reward_sum\":3,\"reward_squares\":2}]}}";
    service_campaign *c;
    bool is_new;
    return service_campaign_create(self, warm, strlen(warm), now, &c, &is_new, err);
}

static service_code create_roster(service *self, service_error *err)
{
    static const char roster[] =
        "{\"name\":\"old\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"name\":\"p\"},"
        "{\"name\":\"q\"}]}";
    bool is_new;
    return service_roster_create(self, roster, strlen(roster), now, &is_new, err);
}

static service_code add_samples(service *self, service_error *err)
{
    uint64_t added;
    static const char samples[] = "[{\"expert\":\"p\",\"context\":\"x\",\"action\":0,\"count\":30}]";
    return service_roster_samples(self, "old", 3, samples, strlen(samples), now, &added, err);
}

static service_code start_episode(service *self, service_error *err)
{
    uint32_t episode;
    return service_episode(self, service_campaign_at(self, 6), now, &episode, err);
}

static service_code set_controls(service *self, service_error *err)
{
    static const char json[] = "{\"pin\":\"q\",\"cap\":{\"p\":0.5},\"learning\":true}";
    return service_control_json(self, service_campaign_at(self, 0), json, strlen(json), now, err);
}

/* Another expert comes, or a new version of it. */
static service_code change_experts(service *self, service_error *err)
{
    service_campaign *c = service_campaign_at(self, 1);
    static unsigned version;
    char name[24], text[120];
    snprintf(name, sizeof name, "v%u", version);
    snprintf(text, sizeof text, "{\"name\":\"v%u\",\"table\":[[0.3,0.7],[0.6,0.4]]}", version + 1);
    service_code code =
        service_expert_change(self, c, name, version > 0 ? strlen(name) : 0, text, strlen(text), now, err);
    version += code == SERVICE_OK;
    return code;
}

static service_code decide_and_reward(service *self, service_error *err)
{
    static int round;
    service_campaign *c = service_campaign_at(self, 0);
    service_request q = {.number = (size_t)round % 2};
    service_decision d;
    service_status status;
    uint64_t last = service_last(self);
    service_code code = service_decide(self, c, &q, now, &d, err);
    if (code != SERVICE_OK)
        return code;
    round++;
    /* The decision stands; its reward is tried until it goes in. */
    fail_at = fail_at > 0 && asked < fail_at ? fail_at : 0;
    code = service_reward(self, c, d.id, strlen(d.id), 1, now, &status, err);
    if (code == SERVICE_MEMORY) {
        assert_int_equal(service_last(self), last + 1);
        fail_at = 0;
        code = service_reward(self, c, d.id, strlen(d.id), 1, now, &status, err);
        assert_int_equal(status, SERVICE_JOINED);
    }
    return code;
}

static service_code decide_features(service *self, service_error *err)
{
    static const double features[] = {0.5, 1};
    service_decision d;
    service_request q = {.features = features, .n_features = 2};
    return service_decide(self, service_campaign_at(self, 4), &q, now, &d, err);
}

/* Ids of its own, which are forgotten, and an episode every 40 decisions. */
static service_code decide_named(service *self, service_error *err)
{
    static int round;
    char id[24];
    service_decision d;
    service_request q = {.id = id, .number = (size_t)round % 2};
    snprintf(id, sizeof id, "id-%d", round);
    q.id_size = strlen(id);
    service_code code = service_decide(self, service_campaign_at(self, 1), &q, now, &d, err);
    round += code == SERVICE_OK;
    return code;
}

static void requests_without_memory(void **state)
{
    (void)state;
    json_set_alloc_funcs(__real_malloc, free); /* of its own lack of memory it may say other things */
    service *self = fresh();
    fail_each(self, create_roster);
    for (size_t i = 0; i < TRAFFIC_CAMPAIGNS; i++)
        while (service_campaign_count(self) == i)
            fail_each(self, create_next);
    fail_each(self, create_warm);
    fail_each(self, add_samples);
    fail_each(self, start_episode);
    fail_each(self, set_controls);
    fail_each(self, change_experts);
    fail_each(self, change_experts);
    for (int i = 0; i < 100; i++) {
        fail_each(self, decide_and_reward);
        fail_each(self, decide_features);
        fail_each(self, decide_named);
        now += SECOND;
        uint64_t records;
        service_error err;
        assert_done(service_tick(self, now, &records, &err), &err); /* windows that end are not a request's matter */
    }
    service_free(self);
}

static void snapshots_without_memory(void **state)
{
    (void)state;
    traffic t;
    service_error err;
    traffic_start(&t, fresh(), 8);
    for (int i = 0; i < 300; i++)
        traffic_step(&t);
    size_t size;
    void *bytes = state_of(t.self, &size);
    for (size_t n = 1;; n++) {
        service *self = fresh();
        asked = 0;
        fail_at = n;
        service_code code = service_restore(self, bytes, size, &err);
        fail_at = 0;
        if (code == SERVICE_OK)
            assert_same_state(self, t.self);
        else
            assert_true(code == SERVICE_MEMORY || code == SERVICE_DAMAGED);
        service_free(self);
        if (asked < n)
            break;
        n += n > 300 ? 12 : 0;
    }
    for (size_t n = 1;; n++) {
        void *copy;
        uint64_t number;
        asked = 0;
        fail_at = n;
        service_code code = service_snapshot_take(t.self, &copy, &size, &number, &err);
        fail_at = 0;
        if (code == SERVICE_OK)
            free(copy);
        if (asked < n)
            break;
        assert_int_equal(code, SERVICE_MEMORY);
    }
    free(bytes);
    service_free(t.self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_without_memory),
        cmocka_unit_test(snapshots_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
