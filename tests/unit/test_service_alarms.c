/*
 * test_service_alarms.c: episodes that alarms begin: told apart, told, replayed and audited.
 */
#include "service_traffic.h"

#include "service_internal.h"

#include <jansson.h>

#define WATCHED(more)                                                                                                  \
    "{\"name\":\"w\"," TRAFFIC_EXPERTS ",\"agent\":\"direct\",\"seed\":1,\"restart\":\"alarm\"" more "}"

typedef struct world {
    double day; /* share of context 0            */
    double pay; /* mean reward of action 0       */
} world;

/* Rounds of a world, each rewarded at once; when it is over, the episode. */
static uint32_t play(service *self, service_campaign *c, roster_rng *rng, int rounds, world w, int64_t *now)
{
    uint32_t episode = 0;
    for (int i = 0; i < rounds; i++, ++*now) {
        service_decision d = decided(self, c, NULL, roster_rng_uniform(rng) >= w.day, *now);
        rewarded(self, c, d.id, roster_rng_uniform(rng) < (d.action == 0 ? w.pay : 0.5), *now);
        episode = d.episode;
    }
    return episode;
}

static json_t *told(service *self, service_campaign *c)
{
    common_text text = {0};
    service_error err;
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    json_t *json = json_loads(text.data, 0, NULL);
    assert_non_null(json);
    common_text_free(&text);
    return json;
}

static const char *word(const json_t *list, size_t i, const char *key)
{
    return json_string_value(json_object_get(json_array_get(list, i), key));
}

static void assert_told(service *self, service_campaign *c)
{
    json_t *json = told(self, c), *alarms = json_object_get(json, "alarms");
    const json_t *episodes = json_object_get(json, "episodes");
    assert_string_equal(json_string_value(json_object_get(json, "restart")), "alarm");
    assert_int_equal(json_array_size(alarms), 2);
    assert_string_equal(word(alarms, 0, "what"), "contexts");
    assert_string_equal(word(alarms, 1, "what"), "rewards");
    assert_null(word(alarms, 0, "action"));
    assert_string_equal(word(alarms, 1, "action"), "action 1");
    const json_t *last = json_array_get(alarms, 1);
    assert_true(json_number_value(json_object_get(last, "before")) > json_number_value(json_object_get(last, "after")));
    assert_string_equal(word(episodes, 1, "reason"), "contexts");
    assert_string_equal(word(episodes, 2, "reason"), "rewards");
    assert_int_equal(counted(self, c).alarms[0], 1);
    assert_int_equal(counted(self, c).alarms[1], 1);
    json_decref(json);
}

static void alarms_begin_episodes(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_error err;
    service_audited audited;
    roster_rng rng;
    int64_t now = 0;
    roster_rng_init(&rng, 5, 0, 99);
    service_campaign *c = created(self, WATCHED(""), now);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.8, 0.7}, &now), 0);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.3, 0.7}, &now), 1);
    assert_done(service_commit(self, log, now, &err), &err);
    assert_done(service_snapshot(self, log, &err), &err);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.3, 0.2}, &now), 2);
    assert_done(service_commit(self, log, now, &err), &err);
    assert_told(self, c);
    assert_done(service_open(&again, log, &err), &err); /* from the snapshot, in the middle */
    assert_same_state(self, again);
    service_free(again);
    assert_done(service_audit(log, NULL, &audited, &err), &err);
    assert_true(audited.snapshots == 1);
    assert_done(service_campaign_archive(self, c, now, &err), &err);
    assert_told(self, c);
    service_free(self);
    log_end(log, &directory);
}

/* Without "restart" nothing is watched; an episode on request is no alarm. */
static void only_where_asked_for(void **state)
{
    (void)state;
    service *self = fresh();
    roster_rng rng;
    int64_t now = 0;
    uint32_t episode;
    service_error err;
    roster_rng_init(&rng, 5, 0, 99);
    service_campaign *c = created(self, "{\"name\":\"n\"," TRAFFIC_EXPERTS ",\"agent\":\"direct\",\"seed\":1}", now);
    play(self, c, &rng, 2000, (world){0.9, 0.9}, &now);
    assert_int_equal(play(self, c, &rng, 2000, (world){0.1, 0.1}, &now), 0);
    c = created(self, WATCHED(""), now);
    play(self, c, &rng, 2000, (world){0.9, 0.9}, &now);
    assert_done(service_episode(self, c, now, &episode, &err), &err);
    assert_int_equal(play(self, c, &rng, 2000, (world){0.1, 0.1}, &now), 1);
    assert_int_equal(counted(self, c).alarms[0] + counted(self, c).alarms[1], 0);
    service_free(self);
}

/* Experts known by samples go with their episode, and what watches it goes on; also where there are more samples. */
static void estimates_are_watched(void **state)
{
    (void)state;
    static const char old[] = "{\"name\":\"old\",\"contexts\":2,\"actions\":2,\"experts\":[{},{}]}";
    static const char samples[] = "[{\"expert\":0,\"context\":0,\"action\":0,\"count\":30},"
                                  "{\"expert\":0,\"context\":1,\"action\":1,\"count\":30},"
                                  "{\"expert\":1,\"context\":0,\"action\":1,\"count\":30},"
                                  "{\"expert\":1,\"context\":1,\"action\":0,\"count\":30}]";
    service *self = fresh();
    service_error err;
    roster_rng rng;
    int64_t now = 0;
    bool is_new;
    uint64_t added;
    roster_rng_init(&rng, 5, 0, 99);
    assert_done(service_roster_create(self, old, strlen(old), 0, &is_new, &err), &err);
    assert_done(service_roster_samples(self, "old", 3, samples, strlen(samples), 0, &added, &err), &err);
    service_campaign *c = created(self,
                                  "{\"name\":\"w\",\"roster\":\"old\",\"agent\":\"direct\",\"seed\":1,"
                                  "\"fallback\":\"expert 1\",\"restart\":\"alarm\"}",
                                  now);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.8, 0.5}, &now), 0);
    assert_done(service_roster_samples(self, "old", 3, samples, strlen(samples), now, &added, &err), &err);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.3, 0.5}, &now), 1);
    assert_int_equal(play(self, c, &rng, 3000, (world){0.8, 0.5}, &now), 2);
    assert_int_equal(counted(self, c).alarms[0], 2);
    service_free(self);
}

/* An expert that was found to earn less is not forgotten where contexts alone change, whether the agent can go on or,
   with other frequencies of contexts, begins anew. */
static void suspects_stay(void **state)
{
    (void)state;
    static const char *const priors[] = {"", ",\"context_probabilities\":\"seen\""};
    for (size_t i = 0; i < 2; i++) {
        char json[600];
        service *self = fresh();
        roster_rng rng;
        int64_t now = 0;
        roster_rng_init(&rng, 5, 0, 99);
        (void)snprintf(json, sizeof json,
                       "{\"name\":\"w\"," TRAFFIC_EXPERTS ",\"seed\":1,\"restart\":\"alarm\","
                       "\"agent\":{\"agent\":\"direct\",\"verify\":0.3}%s}",
                       priors[i]);
        service_campaign *c = created(self, json, now);
        for (int t = 0; t < 6000 && service_present(c)->number == 0; t++, now++) {
            service_decision d = decided(self, c, NULL, roster_rng_uniform(&rng) >= (t < 4000 ? 0.8 : 0.3), now);
            rewarded(self, c, d.id, roster_rng_uniform(&rng) < (d.expert == 1 ? 0.2 : 0.8), now);
            assert_true(t != 3999 || service_present(c)->suspects == 1);
        }
        assert_int_equal(service_present(c)->reason, SERVICE_CONTEXTS);
        assert_int_equal(service_present(c)->suspects, 1);
        service_free(self);
    }
}

/* Two alarms before the next decision: the episode begins without what either says has changed. */
static void alarms_add_up(void **state)
{
    (void)state;
    enum { WAITING = 4000 };
    service *self = fresh();
    service_decision *d = calloc(WAITING, sizeof *d);
    roster_rng rng;
    int64_t now = 0;
    roster_rng_init(&rng, 5, 0, 99);
    service_campaign *c = created(self, WATCHED(""), now);
    play(self, c, &rng, 3000, (world){0.8, 0.9}, &now);
    for (int i = 0; i < WAITING; i++)
        d[i] = decided(self, c, NULL, roster_rng_uniform(&rng) >= 0.3, ++now);
    for (int i = 0; i < WAITING; i++)
        rewarded(self, c, d[i].id, roster_rng_uniform(&rng) < (d[i].action == 0 && i > 2000 ? 0.2 : 0.9), ++now);
    free(d);
    assert_int_equal(service_present(c)->alarm.changed, ROSTER_CONTEXTS_CHANGED | ROSTER_REWARDS_CHANGED);
    assert_int_equal(service_present(c)->alarm.why, SERVICE_REWARDS);
    assert_int_equal(decided(self, c, NULL, 0, ++now).episode, 1);
    assert_int_equal(counted(self, c).alarms[0] + counted(self, c).alarms[1], 1);
    service_free(self);
}

/* The audit finds an alarm that was raised by nothing, and one that was not heeded. */
static void alarms_are_audited(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c = created(self, WATCHED(""), 0);
    service_record r = {.kind = SERVICE_RECORD_EPISODE, .campaign = c->number, .episode = 1, .reason = SERVICE_REWARDS};
    assert_int_equal(service_do(self, &r, &err), SERVICE_DAMAGED);
    assert_non_null(strstr(err.msg, "reason is rewards, but what was learnt raises no such alarm"));
    service_present(c)->alarm.why = SERVICE_CONTEXTS;
    service_record d = {.kind = SERVICE_RECORD_DECIDE, .campaign = c->number, .key = {1, 0}, .propensity = 0.9};
    self->verify = true;
    assert_int_equal(service_do(self, &d, &err), SERVICE_DAMAGED);
    assert_non_null(strstr(err.msg, "episode is 0, but an alarm (contexts) ended it"));
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alarms_begin_episodes), cmocka_unit_test(only_where_asked_for),
        cmocka_unit_test(estimates_are_watched), cmocka_unit_test(suspects_stay),
        cmocka_unit_test(alarms_add_up),         cmocka_unit_test(alarms_are_audited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
