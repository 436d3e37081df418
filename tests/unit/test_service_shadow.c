/*
 * test_service_shadow.c: campaigns that decide nothing and watch: what the experts would have earned, by the library
 * directly; who would have been chosen; going live and back; the log.
 */
#include "campaign_shadow.h"
#include "service_elsewhere.h"
#include "service_support.h"

#define WATCHING SPEC_CAMPAIGN("shop", ",\"mode\":\"shadow\"")
#define ELSEWHERE                                                                                                      \
    "{\"name\":\"ads\",\"kind\":\"external\",\"experts\":[\"old\",\"new\"],\"mode\":\"shadow\",\"seed\":3}"

static const double tables[3][2][3] = {
    {{.7, .2, .1}, {.1, .6, .3}}, {{.2, .5, .3}, {.3, .3, .4}}, {{.1, .1, .8}, {.5, .25, .25}}};
static const char *const actions[] = {"a", "b", "c"};

static service_seen observed(service *self, service_campaign *c, const service_sight *q, int64_t now)
{
    service_seen seen;
    service_error err;
    assert_done(service_observe(self, c, q, now, &seen, &err), &err);
    return seen;
}

static service_sight sight(const char *id, size_t context, size_t action, double propensity, uint32_t expert)
{
    return (service_sight){.request = {.id = id, .id_size = strlen(id), .number = context},
                           .action = actions[action],
                           .action_size = 1,
                           .propensity = propensity,
                           .expert = expert};
}

static json_t *told(service *self, service_campaign *c)
{
    common_text out = {0};
    service_error err;
    assert_done(service_campaign_json(self, c, &out, &err), &err);
    json_t *json = json_loadb(out.data, out.used, 0, NULL);
    assert_non_null(json);
    common_text_free(&out);
    return json;
}

static double number(const json_t *at, const char *key)
{
    return json_number_value(json_object_get(at, key));
}

/* 400 observations of a production that is none of the experts; the values are those of the library's evidence on the
   experts and production, with production's propensity. */
static void watch(service *self, service_campaign *c, roster_evidence *evidence, int from)
{
    static const double production[3] = {.25, .25, .5};
    roster_error err;
    for (int i = from; i < from + 400; i++) {
        char id[16];
        size_t x = (size_t)i % 2, v = (size_t)(i * 7 % 4) % 3;
        double reward = v == 2 ? 0.75 : 0.25, pi[4];
        service_sight q = sight(id, x, v, production[v], UINT32_MAX);
        snprintf(id, sizeof id, "e%d", i);
        q.request.id_size = strlen(id);
        assert_true(observed(self, c, &q, i).usable);
        assert_int_equal(rewarded(self, c, id, reward, i), SERVICE_JOINED);
        for (size_t k = 0; k < 3; k++)
            pi[k] = tables[k][x][v];
        pi[3] = production[v];
        roster_event event = {.expert = 3, .reward = reward, .propensity = pi[3], .probabilities = pi};
        assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
    }
}

static void assert_values(service *self, service_campaign *c, const roster_evidence *evidence)
{
    json_t *json = told(self, c), *shadow = json_object_get(json, "shadow");
    for (size_t k = 0; k < 4; k++) {
        roster_finding found;
        const json_t *at =
            k < 3 ? json_array_get(json_object_get(shadow, "experts"), k) : json_object_get(shadow, "production");
        roster_evidence_find(evidence, k, &found);
        assert_true(number(at, "value") == found.value.value && number(at, "low") == found.value.low &&
                    number(at, "high") == found.value.high);
    }
    json_decref(json);
}

static void values_are_the_evidence(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, WATCHING, 0);
    roster_experts *experts;
    roster_evidence *evidence;
    roster_error wrong;
    service_error err;
    assert_ok(roster_experts_external(&experts, 4, 0, 1, NULL, NULL, &wrong), &wrong);
    assert_ok(roster_evidence_create(&evidence, experts, 0.95, &wrong), &wrong);
    watch(self, c, evidence, 0);
    assert_values(self, c, evidence);
    /* Live and back: nothing that was watched is lost. */
    assert_done(service_control_json(self, c, "{\"mode\":\"live\"}", 15, 500, &err), &err);
    decided(self, c, "own", 0, 500);
    assert_values(self, c, evidence);
    assert_done(service_control_json(self, c, "{\"mode\":\"shadow\"}", 17, 600, &err), &err);
    watch(self, c, evidence, 700);
    assert_values(self, c, evidence);
    json_t *json = told(self, c), *shadow = json_object_get(json, "shadow"), *list = json_object_get(shadow, "experts");
    double chosen = 0;
    for (size_t k = 0; k < 3; k++)
        chosen += number(json_array_get(list, k), "would_choose");
    assert_true(chosen == 800 && number(shadow, "observed") == 800 && number(shadow, "rounds") == 800);
    /* The third action pays, which e2 takes most often: it is what would have been chosen. */
    assert_true(number(json_array_get(list, 2), "would_choose") > 600);
    json_decref(json);
    roster_evidence_free(evidence);
    roster_experts_free(experts);
    service_free(self);
}

static void who_served(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, WATCHING, 0);
    service_sight q = sight("a", 0, 1, 0, 1), blind = sight("b", 0, 1, 0, UINT32_MAX);
    assert_true(observed(self, c, &q, 0).usable);
    assert_false(observed(self, c, &blind, 0).usable);
    assert_int_equal(rewarded(self, c, "a", 1, 0), SERVICE_JOINED);
    assert_int_equal(rewarded(self, c, "b", 1, 0), SERVICE_JOINED);
    service_counts n = counted(self, c);
    assert_int_equal(n.observed, 2);
    assert_int_equal(n.decisions, 0);
    assert_int_equal(n.learnt, 1);
    assert_int_equal(n.unlearnt, 1);
    assert_int_equal(n.open, 0);
    /* The campaign's own agent has learnt it too. */
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 1);
    service_seen again = observed(self, c, &q, 0);
    assert_true(again.repeated && again.usable);
    service_free(self);
}

static void refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_seen seen;
    service_decision d;
    service_campaign *c = created(self, WATCHING, 0), *live = created(self, SPEC_CAMPAIGN("live", ""), 0);
    service_sight q = sight("x", 0, 1, 0.5, UINT32_MAX), other = sight("x", 0, 1, 0.25, UINT32_MAX);
    observed(self, c, &q, 0);
    frozen f = frozen_state(self);
    assert_not(service_observe(self, live, &q, 0, &seen, &err), &err, SERVICE_CANNOT_SAY,
               "campaign live is live: it decides itself; set its mode to shadow to watch what others do");
    assert_not(service_decide(self, c, &(service_request){.number = 0}, 0, &d, &err), &err, SERVICE_CANNOT_SAY,
               "campaign shop is in mode shadow and decides nothing: tell observed what was done, or set its mode to "
               "live");
    assert_not(service_decide(self, c, &other.request, 0, &d, &err), &err, SERVICE_CONFLICT,
               "event_id x was observed before, not decided");
    assert_not(service_observe(self, c, &other, 0, &seen, &err), &err, SERVICE_CONFLICT,
               "event_id x was observed or decided otherwise before");
    other = sight("y", 0, 1, 0.5, 1);
    assert_not(service_observe(self, c, &other, 0, &seen, &err), &err, SERVICE_INVALID,
               "both expert and propensity are given: give the expert that served, which says it, or the propensity");
    other = sight("y", 0, 1, 1.5, UINT32_MAX);
    assert_not(service_observe(self, c, &other, 0, &seen, &err), &err, SERVICE_NOT_DISTRIBUTION,
               "propensity is 1.5, must be a probability above 0");
    other = sight("y", 0, 1, NAN, UINT32_MAX);
    assert_int_equal(service_observe(self, c, &other, 0, &seen, &err), SERVICE_NOT_DISTRIBUTION);
    other = sight("y", 5, 1, 0.5, UINT32_MAX);
    assert_int_equal(service_observe(self, c, &other, 0, &seen, &err), SERVICE_UNKNOWN_CONTEXT);
    other = sight("#1", 0, 1, 0.5, UINT32_MAX);
    assert_not(service_observe(self, c, &other, 0, &seen, &err), &err, SERVICE_INVALID,
               "event_id is a number of the service: choose one of your own");
    assert_not(service_control_json(self, c, "{\"mode\":\"off\"}", 14, 0, &err), &err, SERVICE_INVALID,
               "controls: mode is \"off\", must be \"live\" or \"shadow\"");
    assert_frozen(self, &f);
    service_free(self);
}

/* The answer to a body, for the caller to free. */
static void assert_answer(service *self, service_campaign *c, const char *body, const char *expected)
{
    common_text out = {0};
    size_t items;
    service_error err;
    service_slice all = {0};
    service_code code =
        service_call_slice(self, c, SERVICE_CALL_OBSERVED, body, strlen(body), 0, &all, &out, &items, &err);
    if (code != SERVICE_OK) {
        common_text_free(&out);
        common_put_text(&out, err.msg);
    }
    common_put(&out, "", 1);
    assert_string_equal(out.data, expected);
    common_text_free(&out);
}

static void bodies(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, ELSEWHERE, 0), *shop = created(self, WATCHING, 0);
    assert_answer(
        self, c, "{\"event_id\":\"x\",\"action\":7,\"probabilities\":{\"new\":0.5,\"old\":0.25},\"propensity\":0.5}",
        "{\"event_id\":\"x\",\"status\":\"observed\",\"episode\":0,\"would_choose\":\"old\",\"usable\":true}");
    assert_answer(
        self, c, "[{\"event_id\":\"y\",\"action\":\"a\",\"actions\":[\"a\",\"b\"],\"expert\":\"old\"}]",
        "[{\"event_id\":\"y\",\"status\":\"observed\",\"episode\":0,\"would_choose\":\"old\",\"usable\":true}]");
    assert_answer(self, shop, "{\"event_id\":\"z\",\"context\":\"day\",\"action\":\"a\"}",
                  "{\"event_id\":\"z\",\"status\":\"observed\",\"episode\":0,\"would_choose\":\"e0\",\"usable\":false,"
                  "\"message\":\"it is stored and counted, but says nothing about other experts: give the propensity, "
                  "or the expert that served\"}");
    static const char *const wrong[][2] = {
        {"{\"action\":\"a\",\"actions\":[1,2]}", "'event_id' is missing: say which action was taken for which event"},
        {"{\"event_id\":\"q\",\"actions\":[1,2]}", "'action' is missing: say which action was taken for which event"},
        {"{\"event_id\":\"q\",\"action\":\"a\",\"context\":0}",
         "campaign ads has experts that run elsewhere: give probabilities or actions, no context"},
        {"{\"event_id\":\"q\",\"action\":\"a\"}",
         "give either probabilities, each expert's of the action taken, or actions, what each expert would have done"},
        {"{\"event_id\":\"q\",\"action\":\"a\",\"probabilities\":[1,1],\"propensity\":0}",
         "propensity is 0, must be above 0 and at most 1: leave it out where it is not known"},
        {"{\"event_id\":\"q\",\"action\":\"a\",\"probabilities\":[1,0],\"expert\":\"new\"}",
         "expert new never takes that action there, so it did not serve"},
        {"{\"event_id\":\"q\",\"action\":\"a\",\"probabilities\":[1,0],\"expert\":\"odd\"}",
         "expert has \"odd\", which is not an expert of campaign ads"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_answer(self, c, wrong[i][0], wrong[i][1]);
    service_free(self);
}

/* Lines and DSJSON of what was watched. */
static void assert_streamed(service *self, store *log, service_campaign *c)
{
    service_error err;
    for (int format = 0; format < 2; format++) {
        common_text out = {0};
        uint64_t next = 0;
        assert_done(service_events(self, log, c, 0, 100000, (service_format)format, &out, &next, &err), &err);
        common_put(&out, "", 1);
        if (format == SERVICE_LINES)
            assert_non_null(strstr(out.data,
                                   "\"kind\":\"observed\",\"campaign\":\"shop\",\"event_id\":\"e0\",\"episode\":0,"
                                   "\"would_choose\":\"e0\",\"expert\":\"e1\",\"action\":\"a\",\"propensity\":"
                                   "0.2,\"context\":\"day\"}"));
        else
            assert_non_null(strstr(out.data, "\"_label_probability\":0.5"));
        common_text_free(&out);
    }
}

/* Traffic of watching campaigns of all kinds, through a log, a snapshot and an audit. */
static void logged(void **state)
{
    (void)state;
    static const char softmax[] =
        "{\"name\":\"model\",\"kind\":\"softmax\",\"actions\":[\"a\",\"b\"],\"features\":2,\"floor\":0.02,\"experts\":["
        "{\"weights\":[[1,0],[0,1]]},{\"weights\":[[0,0],[1,1]]}],\"sample\":[[0,1],[1,0]],\"seed\":5,\"mode\":"
        "\"shadow\",\"reward\":{\"wait\":10,\"default\":0},\"episodes\":{\"rounds\":50}}";
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_error err;
    service_audited found;
    uint64_t records;
    uint32_t episode;
    const double features[] = {0.5, -1}, pi[] = {0.25, 1};
    service_campaign *c[] = {created(self, WATCHING, 0), created(self, ELSEWHERE, 0), created(self, softmax, 0)};
    for (int i = 0; i < 200; i++) {
        char id[16];
        service_campaign *to = c[i % 3];
        if (i % 3 == 0 && i > 90 && i <= 120)
            continue; /* the first one decides meanwhile: what others do is not told to it */
        service_sight q = sight(id, i % 3 == 0 ? (size_t)i / 3 % 2 : 0, (size_t)i % 2, i % 5 == 0 ? 0 : 0.5,
                                i % 5 == 0 && i % 2 == 0 ? 1 : UINT32_MAX);
        snprintf(id, sizeof id, "e%d", i);
        q.request.id_size = strlen(id);
        q.request.features = i % 3 == 2 ? features : NULL;
        q.request.n_features = i % 3 == 2 ? 2 : 0;
        q.probabilities = i % 3 == 1 ? pi : NULL;
        q.n = i % 3 == 1 ? 2 : 0;
        observed(self, to, &q, i * SECOND / 4);
        if (i % 4 != 0)
            rewarded(self, to, id, i % 3 / 2.0, i * SECOND / 4);
        if (i == 60)
            assert_done(service_episode(self, c[0], i * SECOND / 4, &episode, &err), &err);
        if (i == 90 || i == 121)
            assert_done(service_control_json(self, c[0], i == 90 ? "{\"mode\":\"live\"}  " : "{\"mode\":\"shadow\"}",
                                             17, i * SECOND / 4, &err),
                        &err);
        assert_done(service_commit(self, log, i * SECOND / 4, &err), &err);
        if (i % 50 == 49)
            assert_done(service_snapshot(self, log, &err), &err);
    }
    assert_done(service_tick(self, 70 * SECOND, &records, &err), &err);
    assert_done(service_commit(self, log, 70 * SECOND, &err), &err);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.records, service_last(self));
    assert_streamed(self, log, c[0]);
    service_free(again);
    service_free(self);
    log_end(log, &directory);
}

/* Another expert, propensity or mode in the log is found. */
static void forgeries(void **state)
{
    (void)state;
    static const char *const fields[] = {"expert", "propensity", "action", "context", "event_id", "episode"};
    service *self = fresh();
    service_campaign *c = created(self, WATCHING, 0);
    store_row row;
    for (int i = 0; i < 20; i++) {
        char id[16];
        service_sight q = sight(id, (size_t)i % 2, (size_t)i % 3, 0, (uint32_t)i % 3);
        snprintf(id, sizeof id, "x%d", i);
        q.request.id_size = strlen(id);
        observed(self, c, &q, i);
        rewarded(self, c, id, i % 3 / 2.0, i);
    }
    assert_true(service_commit_begin(self, 0, &row));
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        service_bytes forged = {0};
        service_parts parts = {0};
        service *other = fresh();
        service_error err;
        size_t used = 0;
        bool done = false;
        for (uint64_t i = 0; i < row.count; i++) {
            service_record r;
            assert_done(service_record_decode(row.records, row.size, &used, &parts, &r, &err), &err);
            if (i > 10 && !done && r.kind == SERVICE_RECORD_OBSERVED) {
                r.expert = f == 0 ? (r.expert + 1) % 3 : r.expert;
                r.propensity = f == 1 ? r.propensity / 2 : r.propensity;
                r.action = f == 2 ? 3 : r.action;
                r.context = f == 3 ? 2 : r.context;
                r.key.a += f == 4;
                r.episode += f == 5;
                done = true;
            }
            assert_true(service_bytes_reserve(&forged, service_record_room(&r)));
            service_record_encode(&r, &forged);
        }
        store_row copy = {.first = 1, .count = row.count, .records = forged.data, .size = forged.used};
        copy.checksum = store_checksum(&copy);
        other->verify = true;
        assert_int_equal(service_replay_row(other, &copy, 1, &err), SERVICE_DAMAGED);
        assert_string_equal(other->field, fields[f]);
        service_free(other);
        service_parts_free(&parts);
        free(forged.data);
    }
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_evidence),
        cmocka_unit_test(who_served),
        cmocka_unit_test(refused),
        cmocka_unit_test(bodies),
        cmocka_unit_test(logged),
        cmocka_unit_test(forgeries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
