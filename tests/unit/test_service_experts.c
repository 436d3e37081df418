/*
 * test_service_experts.c: experts come to a campaign and retire from it while it runs: nothing learnt is lost, the log
 * and snapshots say it again, the audit derives it, and what is wrong is refused.
 */
#include "service_support.h"

#include <jansson.h>
#include <math.h>

enum { CHANGES = 10, ROUNDS = 60, LATE = 25, EVENTS = (CHANGES + 1) * ROUNDS, X = 2, V = 3 };

/* All that happened, for a fresh agent to learn. */
typedef struct diary {
    roster_event events[EVENTS];
    char ids[EVENTS][24];
    size_t decided, learnt;
    double tables[CHANGES + 3][X * V];
    roster_experts *list;
} diary;

static const double first[3][X * V] = {{.7, .2, .1, .1, .6, .3}, {.2, .5, .3, .3, .3, .4}, {.1, .1, .8, .5, .25, .25}};

static void diary_begin(diary *d)
{
    roster_error err;
    *d = (diary){.decided = 0};
    memcpy(d->tables, first, sizeof first);
    assert_ok(roster_experts_tables(&d->list, 3, X, V, &first[0][0], NULL, &err), &err);
}

/* Decides, and tells the reward of what was decided LATE decisions before. */
static void play(service *self, service_campaign *c, diary *d, roster_rng *rng, int64_t *now)
{
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t context = (size_t)roster_rng_below(rng, X);
        *now += SECOND / 10;
        service_decision made = decided(self, c, NULL, context, *now);
        roster_event *event = &d->events[d->decided];
        *event = (roster_event){.expert = made.expert, .context = context, .action = made.action};
        event->reward = roster_rng_uniform(rng) < .2 + .2 * (double)made.action ? 1 : 0;
        strcpy(d->ids[d->decided++], made.id);
        assert_false(roster_experts_retired(d->list, made.expert));
        if (d->decided <= LATE)
            continue;
        assert_int_equal(rewarded(self, c, d->ids[d->learnt], d->events[d->learnt].reward, *now), SERVICE_JOINED);
        d->learnt++;
    }
}

static void describe(diary *d, roster_rng *rng, size_t k, char *text, size_t size)
{
    double *t = d->tables[k];
    for (size_t x = 0; x < X; x++)
        random_distribution(rng, V, .05, t + x * V);
    snprintf(text, size, "{\"name\":\"new %zu\",\"table\":[[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g]]}", k, t[0], t[1],
             t[2], t[3], t[4], t[5]);
}

/* By turns one comes, one is replaced, one retires: always the one that is there longest. */
static void change(service *self, service_campaign *c, diary *d, roster_rng *rng, size_t turn, int64_t now)
{
    static const char *const known[] = {"e0", "e1", "e2"};
    char text[400], name[32] = "";
    service_error err;
    roster_error wrong;
    roster_experts *add = NULL, *longer;
    size_t n = roster_experts_count(d->list), gone = 0;
    bool comes = turn % 3 != 2, goes = turn % 3 != 0;
    while (roster_experts_retired(d->list, gone))
        gone++;
    if (goes && gone < 3)
        snprintf(name, sizeof name, "%s", known[gone]);
    else if (goes)
        snprintf(name, sizeof name, "new %zu", gone);
    if (comes)
        describe(d, rng, n, text, sizeof text);
    assert_done(
        service_expert_change(self, c, name, strlen(name), comes ? text : NULL, comes ? strlen(text) : 0, now, &err),
        &err);
    if (comes)
        assert_ok(roster_experts_tables(&add, 1, X, V, d->tables[n], NULL, &wrong), &wrong);
    assert_ok(roster_experts_change(&longer, d->list, add, &gone, goes, &wrong), &wrong);
    roster_experts_free(add);
    roster_experts_free(d->list);
    d->list = longer;
}

static json_t *told(service *self, service_campaign *c)
{
    common_text out = {0};
    service_error err;
    json_error_t wrong;
    assert_done(service_campaign_json(self, c, &out, &err), &err);
    json_t *json = json_loadb(out.data, out.used, 0, &wrong);
    assert_non_null(json);
    common_text_free(&out);
    return json;
}

static double number(json_t *campaign, size_t k, const char *key)
{
    json_t *value = json_object_get(json_array_get(json_object_get(campaign, "experts"), k), key);
    assert_non_null(value);
    return json_is_null(value) ? NAN : json_number_value(value);
}

/* What the campaign tells is what a fresh agent knows that has learnt the same events with the final experts. */
static void assert_as_fresh(service *self, service_campaign *c, const diary *d, const char *agent)
{
    roster_agent *fresh_one;
    roster_error err;
    roster_insight seen;
    double u[CHANGES + 3];
    assert_ok(roster_agent_create(&fresh_one, agent, &(roster_problem){.experts = d->list}, NULL, 1, 1, &err), &err);
    for (size_t t = 0; t < d->learnt; t++)
        assert_ok(roster_agent_learn(fresh_one, &d->events[t], &err), &err);
    json_t *json = told(self, c);
    roster_agent_index(fresh_one, u);
    for (size_t k = 0; k < roster_experts_count(d->list); k++) {
        roster_agent_insight(fresh_one, k, &seen);
        bool gone = roster_experts_retired(d->list, k);
        assert_close(number(json, k, "estimate"), seen.estimate, 1e-9);
        assert_true(gone ? isnan(number(json, k, "index")) : close_enough(number(json, k, "index"), u[k]));
        json_t *expert = json_array_get(json_object_get(json, "experts"), k);
        assert_int_equal(json_is_true(json_object_get(expert, "retired")), gone);
    }
    json_decref(json);
    roster_agent_free(fresh_one);
}

static service_campaign *reopened(service **self, store *log)
{
    service_error err;
    service_free(*self);
    assert_done(service_open(self, log, &err), &err);
    return service_campaign_at(*self, 0);
}

/* Ten changes under traffic, with snapshots and starts in between, for agents that share rewards. */
static void ten_changes(const char *agent, bool snapshots)
{
    log_directory directory;
    store *log = log_begin(&directory);
    diary *d = malloc(sizeof *d);
    roster_rng rng;
    service_error err;
    service *self = fresh();
    char text[900];
    int64_t now = SECOND;
    service_audited audited;
    snprintf(text, sizeof text, "%.*s\"agent\":\"%s\",\"seed\":7}",
             (int)(strstr(SPEC_CAMPAIGN("c", ""), "\"agent\"") - SPEC_CAMPAIGN("c", "")), SPEC_CAMPAIGN("c", ""),
             agent);
    roster_rng_init(&rng, 31, snapshots, 0);
    diary_begin(d);
    service_campaign *c = created(self, text, now);
    for (size_t turn = 0; turn <= CHANGES; turn++) {
        play(self, c, d, &rng, &now);
        if (turn < CHANGES)
            change(self, c, d, &rng, turn, now);
        assert_as_fresh(self, c, d, agent);
        assert_done(service_commit(self, log, now, &err), &err);
        if (snapshots && turn % 2 == 0)
            assert_done(service_snapshot(self, log, &err), &err);
        if (turn % 3 == 1)
            c = reopened(&self, log);
    }
    service *again;
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    assert_int_equal(counted(self, c).decisions, EVENTS);
    assert_int_equal(counted(self, c).learnt, EVENTS - LATE);
    assert_done(service_audit(log, NULL, &audited, &err), &err);
    service_free(again);
    service_free(self);
    roster_experts_free(d->list);
    free(d);
    log_end(log, &directory);
}

static void ten_changes_direct(void **state)
{
    (void)state;
    ten_changes("direct", true);
    ten_changes("direct", false);
}

static void ten_changes_others(void **state)
{
    (void)state;
    ten_changes("d-ucb", true);
    ten_changes("mixture", true);
}

/* Archived campaigns keep what is told of all experts, through a snapshot too. */
static void archived_tell(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    diary *d = malloc(sizeof *d);
    roster_rng rng;
    service_error err;
    int64_t now = SECOND;
    service *self = fresh();
    roster_rng_init(&rng, 32, 0, 0);
    diary_begin(d);
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ""), now);
    play(self, c, d, &rng, &now);
    change(self, c, d, &rng, 1, now);
    play(self, c, d, &rng, &now);
    assert_done(service_campaign_archive(self, c, now, &err), &err);
    assert_done(service_commit(self, log, now, &err), &err);
    assert_done(service_snapshot(self, log, &err), &err);
    json_t *before = told(self, c);
    c = reopened(&self, log);
    json_t *after = told(self, c);
    assert_true(json_equal(before, after));
    assert_int_equal(json_array_size(json_object_get(after, "experts")), 4);
    assert_true(json_is_true(json_object_get(json_array_get(json_object_get(after, "experts"), 0), "retired")));
    json_decref(before);
    json_decref(after);
    service_free(self);
    roster_experts_free(d->list);
    free(d);
    log_end(log, &directory);
}

static void assert_refusal(service *self, service_campaign *c, const char *gone, const char *text, service_code code,
                           const char *sentence)
{
    service_error err;
    frozen before = frozen_state(self);
    assert_not(
        service_expert_change(self, c, gone, strlen(gone), text, text != NULL ? strlen(text) : 0, 2 * SECOND, &err),
        &err, code, sentence);
    assert_frozen(self, &before);
}

#define EXPERT(name) "{\"name\":\"" name "\",\"table\":[[0.2,0.3,0.5],[0.1,0.1,0.8]]}"

static void changes_refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ",\"fallback\":\"e2\""), SECOND);
    static const char controls[] = "{\"pin\":\"e1\",\"cap\":{\"e0\":0.5,\"e1\":0.5}}";
    assert_refusal(self, c, "nobody", NULL, SERVICE_NO_EXPERT, "campaign c has no expert nobody");
    assert_refusal(self, c, "e2", NULL, SERVICE_INVALID,
                   "expert e2 is the fallback: set another one, or none, by controls first");
    assert_refusal(self, c, "", EXPERT("e1"), SERVICE_INVALID,
                   "expert.name is \"e1\", which campaign c has or had: give another name, since the log calls experts "
                   "by their names");
    assert_refusal(self, c, "", "{\"table\":[[1,0,0],[1,0,0]]}", SERVICE_INVALID,
                   "expert.name is missing: an expert that comes later needs a name");
    assert_refusal(self, c, "", "{\"name\":\"n\",\"table\":[[0.5,0.1,0.1],[0,0,1]]}", SERVICE_INVALID,
                   "campaign: experts[0].table[0] sums to 0.7, must be 1");
    assert_refusal(self, c, "", "{\"name\":\"n\",\"table\":[[1,0,0],[1,0,0]]}", SERVICE_INVALID,
                   "experts[3] (n) never plays action 1 in context 0, but experts[0] (e0) does, so their divergence is "
                   "infinite: give every action a small probability, or set support to \"shared\"");
    assert_done(service_control_json(self, c, controls, strlen(controls), SECOND, &err), &err);
    assert_refusal(self, c, "e1", NULL, SERVICE_INVALID,
                   "expert e1 is pinned: set another one, or none, by controls first");
    static const char free_all[] = "{\"pin\":null,\"fallback\":null,\"cap\":{\"e2\":0.4}}";
    assert_done(service_control_json(self, c, free_all, strlen(free_all), SECOND, &err), &err);
    assert_refusal(self, c, "e0", NULL, SERVICE_INVALID,
                   "the caps of the other experts leave 0.1 of the traffic without an expert: raise them first");
    static const char uncapped[] = "{\"cap\":{\"e0\":null,\"e1\":null,\"e2\":null}}";
    assert_done(service_control_json(self, c, uncapped, strlen(uncapped), SECOND, &err), &err);
    assert_done(service_expert_change(self, c, "e0", 2, NULL, 0, SECOND, &err), &err);
    assert_refusal(self, c, "e0", NULL, SERVICE_INVALID, "expert e0 has retired already");
    assert_done(service_expert_change(self, c, "e1", 2, NULL, 0, SECOND, &err), &err);
    assert_refusal(self, c, "e2", NULL, SERVICE_INVALID, "expert e2 is the last one: add another one first");
    static const char pins[] = "{\"pin\":\"e0\"}", caps[] = "{\"cap\":{\"e0\":0.5}}";
    assert_not(service_control_json(self, c, pins, strlen(pins), 2 * SECOND, &err), &err, SERVICE_INVALID,
               "controls: pin is \"e0\", which has retired");
    assert_not(service_control_json(self, c, caps, strlen(caps), 2 * SECOND, &err), &err, SERVICE_INVALID,
               "controls: cap has \"e0\", which has retired");
    service_free(self);
}

/* Under caps nobody that has retired decides either, and caps of the others hold. */
static void caps_and_episodes(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    uint32_t episode;
    size_t plays[4] = {0};
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ",\"reward\":{\"default\":0.5,\"wait\":2}"), SECOND);
    static const char caps[] = "{\"cap\":{\"e0\":0.6,\"e1\":0.3}}";
    assert_done(service_control_json(self, c, caps, strlen(caps), SECOND, &err), &err);
    assert_done(service_expert_change(self, c, "e1", 2, EXPERT("new"), strlen(EXPERT("new")), SECOND, &err), &err);
    for (size_t t = 0; t < 400; t++) {
        if (t == 200)
            assert_done(service_episode(self, c, SECOND, &episode, &err), &err);
        plays[decided(self, c, NULL, t % 2, SECOND + (int64_t)t).expert]++;
    }
    assert_int_equal(plays[1], 0);
    assert_true(plays[0] < 290);
    assert_true(plays[3] > 0);
    service_free(self);
}

/* What a dry run says is what is told once the expert is there, and it changes nothing. */
static void dry_runs(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    diary *d = malloc(sizeof *d);
    roster_rng rng;
    int64_t now = SECOND;
    common_text out = {0};
    json_error_t wrong;
    roster_rng_init(&rng, 33, 0, 0);
    diary_begin(d);
    service_campaign *c = created(self, SPEC_CAMPAIGN("c", ""), now);
    for (size_t i = 0; i < 5; i++)
        play(self, c, d, &rng, &now);
    frozen before = frozen_state(self);
    assert_done(service_expert_try(self, c, "e0", 2, EXPERT("n"), strlen(EXPERT("n")), &out, &err), &err);
    assert_frozen(self, &before);
    json_t *tried = json_loadb(out.data, out.used, 0, &wrong);
    assert_done(service_expert_change(self, c, "e0", 2, EXPERT("n"), strlen(EXPERT("n")), now, &err), &err);
    json_t *json = told(self, c);
    static const char *const keys[] = {"value", "low", "high", "from_past"};
    for (size_t i = 0; i < 4; i++)
        assert_close(json_number_value(json_object_get(tried, keys[i])), number(json, 3, keys[i]), 1e-12);
    assert_int_equal(number(json, 3, "from_past"), d->learnt);
    assert_true(number(json, 3, "low") > 0 && number(json, 3, "high") < 1);
    json_decref(tried);
    json_decref(json);
    common_text_free(&out);
    service_free(self);
    roster_experts_free(d->list);
    free(d);
}

/* Models over features, experts of a roster, and those whose experts stay as they are. */
static void other_kinds(void **state)
{
    (void)state;
    static const char softmax[] =
        "{\"name\":\"m\",\"kind\":\"softmax\",\"actions\":[\"u\",\"v\"],\"features\":2,\"floor\":0.02,\"experts\":["
        "{\"weights\":[[1,0],[0,1]]},{\"weights\":[[0,0],[1,1]]}],\"sample\":[[0,1],[1,0]],\"agent\":\"mixture\","
        "\"seed\":5}";
    static const char roster[] = "{\"name\":\"r\",\"contexts\":[\"x\"],\"actions\":[\"a\",\"b\"],\"experts\":["
                                 "{\"name\":\"p\",\"table\":[[0.5,0.5]]},{\"name\":\"q\",\"table\":[[0.1,0.9]]}]}";
    static const char outside[] =
        "{\"name\":\"o\",\"kind\":\"external\",\"contexts\":[\"x\"],\"actions\":[\"a\",\"b\"],\"experts\":["
        "{\"name\":\"p\",\"table\":[[0.5,0.5]]}],\"agent\":\"ucb\",\"seed\":1}";
    static const char model[] = "{\"name\":\"new\",\"weights\":[[0.5,0],[0,0.5]]}",
                      table[] = "{\"name\":\"new\",\"table\":[[0.4,0.6]]}";
    service *self = fresh();
    service_error err;
    service_decision made;
    bool is_new;
    const double features[] = {.3, .7};
    service_request q = {.features = features, .n_features = 2};
    service_campaign *c = created(self, softmax, SECOND);
    assert_done(service_expert_change(self, c, "expert 1", 8, model, strlen(model), SECOND, &err), &err);
    for (size_t t = 0; t < 50; t++) {
        assert_done(service_decide(self, c, &q, SECOND, &made, &err), &err);
        assert_int_not_equal(made.expert, 0);
        rewarded(self, c, made.id, t % 2 == 0, SECOND);
    }
    assert_done(service_roster_create(self, roster, strlen(roster), SECOND, &is_new, &err), &err);
    c = created(self, "{\"name\":\"s\",\"roster\":\"r\",\"agent\":\"direct\",\"seed\":1}", SECOND);
    assert_done(service_expert_change(self, c, "p", 1, table, strlen(table), SECOND, &err), &err);
    assert_int_equal(decided(self, c, NULL, 0, SECOND).expert, 1);
    c = created(self, outside, SECOND);
    assert_not(service_expert_change(self, c, "", 0, table, strlen(table), SECOND, &err), &err, SERVICE_INVALID,
               "the experts of campaign o are evaluated by its callers, and stay as they are: create another campaign");
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_changes_direct), cmocka_unit_test(ten_changes_others), cmocka_unit_test(archived_tell),
        cmocka_unit_test(changes_refused),    cmocka_unit_test(caps_and_episodes),  cmocka_unit_test(dry_runs),
        cmocka_unit_test(other_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
