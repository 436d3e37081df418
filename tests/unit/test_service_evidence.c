/*
 * test_service_evidence.c: what a campaign says about its experts is what the library's evidence says after the same
 * events.
 */
#include "service_traffic.h"

#include "service_internal.h"

#include <jansson.h>

#define TABLES                                                                                                         \
    {                                                                                                                  \
        0.7, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2, 0.5, 0.3, 0.3, 0.3, 0.4, 0.1, 0.1, 0.8, 0.5, 0.25, 0.25                     \
    }

/* The evidence beside the service's: the same experts as SPEC_CAMPAIGN has. */
typedef struct beside {
    roster_experts *experts;
    roster_evidence *evidence;
} beside;

static void beside_make(beside *self, double level)
{
    static const double pi[] = TABLES;
    roster_error err;
    assert_ok(roster_experts_tables(&self->experts, 3, 2, 3, pi, NULL, &err), &err);
    assert_ok(roster_evidence_create(&self->evidence, self->experts, level, &err), &err);
}

static void beside_learn(beside *self, const service_decision *d, size_t context, double reward)
{
    roster_error err;
    roster_event event = {.expert = d->expert, .context = context, .action = d->action, .reward = reward};
    assert_ok(roster_evidence_learn(self->evidence, &event, &err), &err);
}

static void beside_free(beside *self)
{
    roster_evidence_free(self->evidence);
    roster_experts_free(self->experts);
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

static double number(const json_t *json, const char *key)
{
    return json_number_value(json_object_get(json, key));
}

static void assert_same_figures(service *self, service_campaign *c, const beside *other)
{
    json_t *json = told(self, c);
    assert_int_equal(number(json, "evidence_rounds"), roster_evidence_rounds(other->evidence));
    for (size_t k = 0; k < 3; k++) {
        const json_t *expert = json_array_get(json_object_get(json, "experts"), k);
        roster_finding found;
        roster_evidence_find(other->evidence, k, &found);
        assert_close(number(expert, "value"), found.value.value, 1e-12);
        assert_close(number(expert, "low"), found.value.low, 1e-12);
        assert_close(number(expert, "high"), found.value.high, 1e-12);
        assert_int_equal(json_is_true(json_object_get(expert, "excluded")), found.excluded);
        if (found.excluded)
            assert_close(number(expert, "worse_by"), found.worse, 1e-12);
    }
    assert_int_equal(json_is_true(json_object_get(json, "known")), roster_evidence_known(other->evidence));
    json_decref(json);
}

/* Whoever chose: the agent, a pin, caps. */
static void learns_what_the_agent_learns(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("e", ""), 0);
    service_error err;
    beside other;
    static const char *const controls[] = {"{\"pin\":\"e1\"}", "{\"pin\":null,\"cap\":{\"e0\":0.4,\"e1\":0.4}}",
                                           "{\"cap\":{\"e0\":null,\"e1\":null}}", "{\"learning\":false}",
                                           "{\"learning\":true}"};
    beside_make(&other, 0.95);
    for (int i = 0; i < 3000; i++) {
        size_t context = (size_t)i % 2;
        if (i % 500 == 250 && i / 500 < 5)
            assert_done(service_control_json(self, c, controls[i / 500], strlen(controls[i / 500]), i, &err), &err);
        bool learns = !c->paused;
        service_decision d = decided(self, c, NULL, context, i);
        double reward = d.action == context;
        rewarded(self, c, d.id, reward, i);
        if (learns)
            beside_learn(&other, &d, context, reward);
        if (i % 271 == 0)
            assert_same_figures(self, c, &other);
    }
    assert_same_figures(self, c, &other);
    assert_true(roster_evidence_known(other.evidence));
    beside_free(&other);
    service_free(self);
}

/* A default is the reward of a decision without one; a level is the campaign's own. */
static void defaults_are_rewards(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("d", ",\"level\":0.8,\"reward\":{\"wait\":1,\"default\":0,\"range\":[0,2]}"), 0);
    beside other;
    uint64_t records;
    service_error err;
    beside_make(&other, 0.8);
    for (int i = 0; i < 400; i++) {
        service_decision d = decided(self, c, NULL, (size_t)i % 2, i * SECOND);
        if (i % 3 == 0)
            rewarded(self, c, d.id, 2, i * SECOND);
        assert_done(service_tick(self, (i + 1) * SECOND, &records, &err), &err);
        beside_learn(&other, &d, (size_t)i % 2, i % 3 == 0);
    }
    assert_same_figures(self, c, &other);
    json_t *json = told(self, c);
    assert_close(number(json, "level"), 0.8, 1e-15);
    json_decref(json);
    beside_free(&other);
    service_free(self);
}

/* An episode begins with nothing known; what an archived campaign knew stays. */
static void episodes_and_archives(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("a", ""), 0);
    uint32_t episode;
    service_error err;
    for (int i = 0; i < 600; i++) {
        service_decision d = decided(self, c, NULL, 0, i);
        rewarded(self, c, d.id, d.action == 0, i);
    }
    json_t *before = told(self, c);
    assert_true(json_is_true(json_object_get(before, "known")));
    assert_true(number(before, "lost") > 0);
    assert_done(service_episode(self, c, 600, &episode, &err), &err);
    json_t *fresh_one = told(self, c);
    assert_true(json_is_null(json_object_get(fresh_one, "leader")) && json_is_null(json_object_get(fresh_one, "lost")));
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(fresh_one, "experts"), 0), "value")));
    for (int i = 0; i < 600; i++) {
        service_decision d = decided(self, c, NULL, 0, 700 + i);
        rewarded(self, c, d.id, d.action == 0, 700 + i);
    }
    json_t *live = told(self, c);
    assert_done(service_campaign_archive(self, c, 1400, &err), &err);
    json_t *archived = told(self, c);
    static const char *const kept[] = {"experts", "leader", "known", "margin", "lost", "chosen", NULL};
    for (size_t i = 0; kept[i] != NULL; i++)
        assert_true(json_equal(json_object_get(live, kept[i]), json_object_get(archived, kept[i])));
    json_decref(before);
    json_decref(fresh_one);
    json_decref(live);
    json_decref(archived);
    service_free(self);
}

/* Where the columns would take too much memory, events of further experts are passed over; with very many experts there
   is no evidence. */
static void memory_is_bounded(void **state)
{
    enum { N = 5000, COLUMNS = (64 << 20) / 64 / N };
    (void)state;
    service *self = fresh();
    char text[400];
    for (int many = 0; many < 2; many++) {
        snprintf(text, sizeof text,
                 "{\"name\":\"n%d\",\"contexts\":1,\"actions\":2,\"agent\":\"uniform\",\"seed\":1,\"experts\":"
                 "{\"random\":{\"count\":%d}}}",
                 many, many ? 3 * N : N);
        service_campaign *c = created(self, text, 0);
        for (int i = 0; i < 2 * COLUMNS; i++) {
            service_decision d = decided(self, c, NULL, 0, i);
            rewarded(self, c, d.id, 1, i);
        }
        json_t *json = told(self, c);
        assert_int_equal(number(json, "rounds"), 2 * COLUMNS);
        assert_in_range((uint64_t)number(json, "evidence_rounds"), many ? 0 : COLUMNS, many ? 0 : COLUMNS + 40);
        json_decref(json);
    }
    service_free(self);
}

/* One expert's page is slower: it earns less than its actions explain. */
static void who_acts_matters(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, "{\"name\":\"w\"," TRAFFIC_EXPERTS ",\"agent\":\"uniform\",\"seed\":1}", 0);
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, 99);
    for (int i = 0; i < 6000; i++) {
        service_decision d = decided(self, c, NULL, (size_t)i % 2, i);
        double p = d.expert == 1 && i >= 2000 ? 0.2 : 0.6;
        rewarded(self, c, d.id, roster_rng_uniform(&rng) < p, i);
        if (i != 1999)
            continue;
        json_t *json = told(self, c), *model = json_object_get(json, "model");
        assert_int_equal(json_array_size(json_object_get(model, "suspects")), 0);
        assert_non_null(strstr(json_string_value(json_object_get(model, "sentence")), "does not depend on who acts"));
        json_decref(json);
    }
    json_t *json = told(self, c), *model = json_object_get(json, "model");
    assert_string_equal(json_string_value(json_array_get(json_object_get(model, "suspects"), 0)), "q");
    assert_non_null(strstr(json_string_value(json_object_get(model, "sentence")), "whether q acts: it earns less"));
    json_decref(json);
    service_free(self);
}

/* Experts known from samples act by their tables, which are known: there is evidence, unless one was never seen. */
static void estimates_have_evidence(void **state)
{
    (void)state;
    static const char samples[] = ESTIMATED_SAMPLES, more[] = "{\"name\":\"s\",\"roster\":\"r\",\"seed\":1}";
    service *self = fresh();
    service_error err;
    bool is_new;
    uint64_t added;
    assert_done(service_roster_create(self, ESTIMATED_ROSTER, strlen(ESTIMATED_ROSTER), 0, &is_new, &err), &err);
    service_campaign *blind = created(self, "{\"name\":\"b\",\"roster\":\"r\",\"seed\":1,\"fallback\":\"p\"}", 0);
    assert_done(service_roster_samples(self, "r", 1, samples, strlen(samples), 0, &added, &err), &err);
    service_campaign *c = created(self, more, 0);
    for (int i = 0; i < 50; i++) {
        service_decision d = decided(self, c, NULL, 0, i);
        rewarded(self, c, d.id, d.action == 0, i);
    }
    json_t *json = told(self, c), *nothing = told(self, blind);
    assert_int_equal(number(json, "evidence_rounds"), 50);
    assert_string_equal(json_string_value(json_object_get(json, "chosen")), "direct");
    assert_true(json_is_number(json_object_get(json_array_get(json_object_get(json, "experts"), 1), "high")));
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(nothing, "experts"), 1), "high")));
    json_decref(json);
    json_decref(nothing);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_what_the_agent_learns),
        cmocka_unit_test(defaults_are_rewards),
        cmocka_unit_test(episodes_and_archives),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(who_acts_matters),
        cmocka_unit_test(estimates_have_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
