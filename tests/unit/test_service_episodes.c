/*
 * test_service_episodes.c: episodes, controls, and rosters that are estimated from samples.
 */
#include "service_support.h"

#define AT(s) ((int64_t)((s)*1e6))

static void rounds_end_episodes(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("e", ",\"episodes\":{\"rounds\":3},\"reward\":{\"wait\":100}"), 0);
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(decided(self, c, NULL, 0, AT(i)).episode, i / 3);
    /* Rewards go to the episode of their decision, whose agent waits for them. */
    assert_int_equal(rewarded(self, c, "#1", 1, AT(20)), SERVICE_JOINED);
    common_text text = {0};
    service_error err;
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, "{\"number\":0,\"reason\":\"first\",\"context_probabilities\":\"uniform\","
                                      "\"at\":\"1970-01-01T00:00:00.000000Z\",\"decisions\":3,\"learnt\":1,"
                                      "\"reward\":1,\"agent\":true}"));
    assert_non_null(strstr(text.data, "\"rounds\":0,\"evidence_rounds\":0,\"level\":0.95,\"experts\""));
    rewarded(self, c, "#2", 0, AT(20));
    rewarded(self, c, "#3", 0, AT(20));
    common_text_clear(&text);
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, "\"decisions\":3,\"learnt\":3,\"reward\":1,\"agent\":false}"));
    common_text_free(&text);
    service_free(self);
}

static void calls_and_schedules_start_episodes(void **state)
{
    (void)state;
    const int64_t day = AT(86400), monday = 4 * day; /* 1970-01-05 */
    service *self = fresh();
    service_campaign *c = created(self,
                                  SPEC_CAMPAIGN("e", ",\"episodes\":{\"schedule\":[{\"at\":\"03:00\",\"days\":"
                                                     "[\"mon\",\"fri\"]},{\"at\":\"12:00:30\"}]}"),
                                  monday);
    service_error err;
    uint64_t records;
    uint32_t episode;
    assert_int_equal(service_next(self), monday + AT(3 * 3600));
    assert_done(service_tick(self, monday + AT(3 * 3600) - 1, &records, &err), &err);
    assert_int_equal(records, 0);
    assert_done(service_tick(self, monday + AT(3 * 3600), &records, &err), &err);
    assert_int_equal(records, 1);
    assert_int_equal(service_next(self), monday + AT(12 * 3600 + 30));
    assert_int_equal(decided(self, c, NULL, 0, monday + day).episode, 2);
    assert_int_equal(service_next(self), monday + day + AT(3600)); /* its window */
    assert_int_equal(rewarded(self, c, "#1", 1, monday + day), SERVICE_JOINED);
    assert_int_equal(service_next(self), monday + day + AT(12 * 3600 + 30));
    assert_done(service_episode(self, c, monday + day + 5, &episode, &err), &err);
    assert_int_equal(episode, 3);
    /* Tuesday's noon, then Friday's night. */
    assert_done(service_tick(self, monday + 3 * day + AT(13 * 3600), &records, &err), &err);
    assert_int_equal(service_next(self), monday + 4 * day + AT(3 * 3600));
    service_free(self);
}

static void frequencies_become_the_prior(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("p", ",\"context_probabilities\":\"seen\""), 0);
    service_campaign *declared = created(self, SPEC_CAMPAIGN("q", ",\"context_probabilities\":[0.3,0.7]"), 0);
    common_text text = {0};
    service_error err;
    uint32_t episode;
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, ",\"context_probabilities\":\"uniform\",\"controls\""));
    for (int i = 0; i < 10; i++)
        decided(self, c, NULL, i < 3, i);
    assert_done(service_episode(self, c, 10, &episode, &err), &err);
    common_text_clear(&text);
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, ",\"context_probabilities\":\"seen\",\"controls\""));
    common_text_clear(&text);
    assert_done(service_campaign_json(self, declared, &text, &err), &err);
    assert_non_null(strstr(text.data, ",\"context_probabilities\":\"declared\",\"controls\""));
    common_text_free(&text);
    service_free(self);
}

static void many_episodes_make_way(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("e", ",\"episodes\":{\"rounds\":1},\"reward\":{\"wait\":1000}"), 0);
    for (int i = 0; i < 300; i++)
        decided(self, c, NULL, 0, AT(i));
    service_counts n = counted(self, c);
    assert_int_equal(n.episodes, 300);
    assert_true(n.open <= 64);
    assert_int_equal(n.unlearnt, 300 - n.open);
    assert_int_equal(n.crowded, 0); /* which is about events_most */
    assert_int_equal(rewarded(self, c, "#300", 1, AT(300)), SERVICE_JOINED);
    service_free(self);
}

static void control(service *self, service_campaign *c, const char *json)
{
    service_error err;
    assert_done(service_control_json(self, c, json, strlen(json), 0, &err), &err);
}

static void controls_hold(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ""), 0);
    control(self, c, "{\"pin\":\"e1\",\"cap\":{\"e1\":0}}");
    for (int i = 0; i < 20; i++) {
        service_decision d = decided(self, c, NULL, 0, AT(i));
        assert_int_equal(d.expert, 1);
        assert_int_equal(d.how, SERVICE_PINNED);
        rewarded(self, c, d.id, 1, AT(i));
    }
    assert_int_equal(counted(self, c).learnt, 20);
    control(self, c, "{\"pin\":null,\"learning\":false}");
    service_decision d = decided(self, c, NULL, 0, AT(30));
    assert_int_not_equal(d.expert, 1);
    assert_int_equal(rewarded(self, c, d.id, 1, AT(30)), SERVICE_JOINED);
    assert_int_equal(counted(self, c).learnt, 20);
    assert_int_equal(counted(self, c).unlearnt, 1);
    /* From here on no decision goes to an expert with a larger probability, however well it does. */
    control(self, c, "{\"learning\":true,\"cap\":{\"e0\":0.5,\"e1\":null,\"e2\":0.1}}");
    uint32_t episode;
    service_error err;
    assert_done(service_episode(self, c, AT(31), &episode, &err), &err);
    uint64_t plays[3] = {0};
    for (int i = 1; i <= 400; i++) {
        d = decided(self, c, NULL, 0, AT(31 + i));
        plays[d.expert]++;
        rewarded(self, c, d.id, d.expert == 0, AT(31 + i));
    }
    assert_in_range(plays[0], 160, 240);
    assert_true(plays[2] < 60);
    assert_true(counted(self, c).how[SERVICE_CAPPED] > 100);
    service_free(self);
}

static void controls_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *sentence;
        service_code code;
    } wrong[] = {
        {"{", "controls:1:1: string or '}' expected near end of file", SERVICE_SYNTAX},
        {"[]", "controls: the document is a list, must be an object", SERVICE_INVALID},
        {"{}", "controls: the document is empty, must have one of pin, learning, fallback, cap, retain and mode",
         SERVICE_INVALID},
        {"{\"pn\":1}", "controls: unknown key 'pn'; did you mean 'pin'?", SERVICE_INVALID},
        {"{\"pin\":1}", "controls: pin is a number, must be a string", SERVICE_INVALID},
        {"{\"pin\":\"e9\"}", "controls: pin is \"e9\", which is not an expert of campaign c", SERVICE_INVALID},
        {"{\"fallback\":\"e9\"}", "controls: fallback is \"e9\", which is not an expert of campaign c",
         SERVICE_INVALID},
        {"{\"learning\":1}", "controls: learning must be true or false", SERVICE_INVALID},
        {"{\"pin\":\"e1\",\"cap\":{\"e9\":1}}", "controls: cap has \"e9\", which is not an expert of campaign c",
         SERVICE_INVALID},
        {"{\"cap\":{\"e0\":2}}", "controls: cap.e0 is 2, must be in [0, 1]", SERVICE_INVALID},
        {"{\"cap\":{\"e0\":0.2,\"e1\":0.2,\"e2\":0.2}}",
         "controls: cap leaves 0.4 of the traffic without an expert: caps must sum to 1 or more", SERVICE_INVALID},
    };
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ""), 0);
    service_error err;
    frozen before = frozen_state(self);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_not(service_control_json(self, c, wrong[i].json, strlen(wrong[i].json), 0, &err), &err, wrong[i].code,
                   wrong[i].sentence);
    assert_frozen(self, &before);
    service_free(self);
}

#define ROSTER_OLD                                                                                                     \
    "{\"name\":\"old\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"name\":\"p\"},{\"name\":\"q\"}]}"

static service_code add(service *self, const char *json, uint64_t *added, service_error *err)
{
    return service_roster_samples(self, "old", 3, json, strlen(json), 0, added, err);
}

static void rosters_are_estimated(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    bool is_new;
    uint64_t added;
    uint32_t episode;
    service_decision d;
    service_request q = {.number = 0};
    assert_done(service_roster_create(self, ROSTER_OLD, strlen(ROSTER_OLD), 0, &is_new, &err), &err);
    assert_true(is_new);
    assert_done(service_roster_create(self, ROSTER_OLD, strlen(ROSTER_OLD), 0, &is_new, &err), &err);
    assert_false(is_new);
    service_campaign *c = created(
        self,
        "{\"name\":\"l\",\"roster\":\"old\",\"seed\":1,\"agent\":{\"agent\":\"ed-ucb\",\"p_V\":0.05,\"p_X\":0.3,"
        "\"xi\":0.01}}",
        0);
    assert_int_equal(service_decide(self, c, &q, 0, &d, &err), SERVICE_CANNOT_SAY);
    assert_done(add(self,
                    "[{\"expert\":\"p\",\"context\":\"x\",\"action\":\"action 1\",\"count\":3},"
                    "{\"expert\":0,\"context\":0,\"action\":1}]",
                    &added, &err),
                &err);
    assert_int_equal(added, 4);
    control(self, c, "{\"fallback\":\"p\"}");
    assert_int_equal(service_decide(self, c, &q, 0, &d, &err), SERVICE_CANNOT_SAY); /* until an episode starts */
    assert_done(service_episode(self, c, 0, &episode, &err), &err);
    d = decided(self, c, NULL, 0, 0);
    assert_int_equal(d.expert, 0);
    assert_true(d.propensity == (d.action == 0 ? 0.75 : 0.25));
    q.number = 1; /* where nobody was ever seen */
    assert_int_equal(service_decide(self, c, &q, 0, &d, &err), SERVICE_CANNOT_SAY);
    common_text text = {0};
    assert_done(service_roster_json(self, "old", 3, &text, &err), &err);
    assert_string_equal(text.data, "{\"name\":\"old\",\"known\":\"samples\",\"samples\":4,\"contexts\":[\"x\",\"y\"],"
                                   "\"actions\":[\"action 1\",\"action 2\"],\"experts\":[\"p\",\"q\"],\"counts\":"
                                   "[[[3,1],[0,0]],[[0,0],[0,0]]]}");
    common_text_clear(&text);
    service_rosters_json(self, &text);
    assert_string_equal(text.data, "{\"rosters\":[{\"name\":\"old\",\"known\":\"samples\",\"samples\":4}]}");
    common_text_free(&text);
    service_free(self);
}

/* Uploaded estimates: ed-ucb works on the tables of the roster. */
static void rosters_are_shared(void **state)
{
    (void)state;
    static const char roster[] = "{\"name\":\"t\",\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[0.5,0.5]]},"
                                 "{\"table\":[[0.25,0.75]]}]}";
    service *self = fresh();
    service_error err;
    bool is_new;
    assert_done(service_roster_create(self, roster, strlen(roster), 0, &is_new, &err), &err);
    service_campaign *known = created(self, "{\"name\":\"a\",\"roster\":\"t\",\"seed\":1,\"agent\":\"d-ucb\"}", 0);
    service_campaign *estimated = created(self,
                                          "{\"name\":\"b\",\"roster\":\"t\",\"seed\":1,\"agent\":{\"agent\":\"ed-ucb\","
                                          "\"p_V\":0.2,\"p_X\":1,\"xi\":0.01}}",
                                          0);
    for (int i = 0; i < 100; i++) {
        service_decision a = decided(self, known, NULL, 0, i), b = decided(self, estimated, NULL, 0, i);
        rewarded(self, known, a.id, a.action, i);
        rewarded(self, estimated, b.id, b.action, i);
    }
    assert_int_equal(counted(self, NULL).learnt, 200);
    service_free(self);
}

static void samples_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *sentence;
        service_code code;
    } wrong[] = {
        {"", "samples is empty, must hold JSON", SERVICE_SYNTAX},
        {"{}", "samples: 'samples' is missing", SERVICE_INVALID},
        {"[]", "samples: the document is an empty list, must not be empty", SERVICE_INVALID},
        {"[{\"expert\":\"p\",\"context\":\"x\",\"action\":0},{\"expert\":\"z\"}]",
         "samples: [1].expert is \"z\", which the roster does not know", SERVICE_INVALID},
        {"[{\"expert\":\"p\",\"context\":7,\"action\":0}]",
         "samples: [0].context is 7, must be a whole number from 0 to 1", SERVICE_INVALID},
        {"[{\"expert\":\"p\",\"context\":\"x\",\"action\":0,\"count\":-1}]",
         "samples: [0].count is -1, must be a whole number from 1 to 1000000000000", SERVICE_INVALID},
    };
    service *self = fresh();
    service_error err;
    bool is_new;
    uint64_t added;
    assert_done(service_roster_create(self, ROSTER_OLD, strlen(ROSTER_OLD), 0, &is_new, &err), &err);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_not(add(self, wrong[i].json, &added, &err), &err, wrong[i].code, wrong[i].sentence);
    assert_not(service_roster_samples(self, "new", 3, "[]", 2, 0, &added, &err), &err, SERVICE_NO_ROSTER,
               "there is no roster new");
    common_text text = {0};
    assert_int_equal(service_roster_json(self, "new", 3, &text, &err), SERVICE_NO_ROSTER);
    assert_int_equal(service_pending(self), 1);
    service_free(self);
}

static void rosters_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *sentence;
        service_code code;
    } wrong[] = {
        {"nothing", "roster:1:7: invalid token near 'nothing'", SERVICE_SYNTAX},
        {"{\"name\":\"a b\"}",
         "roster: name is \"a b\", must be 1 to 64 letters, digits, '.', '_' or '-', not beginning with a dot",
         SERVICE_INVALID},
        {"{\"name\":\"old\",\"contexts\":1,\"actions\":1,\"experts\":[{}]}",
         "roster old exists with another description", SERVICE_EXISTS},
        {"{\"name\":\"n\",\"contexts\":1,\"actions\":1,\"experts\":[{},{\"table\":[[1]]}]}",
         "roster: experts[1] has a table, but the first expert has none: all must have one or none", SERVICE_INVALID},
        {"{\"name\":\"n\",\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[1,1]]}]}",
         "roster: experts[0].table[0] sums to 2, must be 1", SERVICE_INVALID},
    };
    service *self = fresh();
    service_error err;
    bool is_new;
    assert_done(service_roster_create(self, ROSTER_OLD, strlen(ROSTER_OLD), 0, &is_new, &err), &err);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_not(service_roster_create(self, wrong[i].json, strlen(wrong[i].json), 0, &is_new, &err), &err,
                   wrong[i].code, wrong[i].sentence);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_end_episodes),
        cmocka_unit_test(calls_and_schedules_start_episodes),
        cmocka_unit_test(frequencies_become_the_prior),
        cmocka_unit_test(many_episodes_make_way),
        cmocka_unit_test(controls_hold),
        cmocka_unit_test(controls_refused),
        cmocka_unit_test(rosters_are_estimated),
        cmocka_unit_test(rosters_are_shared),
        cmocka_unit_test(samples_refused),
        cmocka_unit_test(rosters_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
