/*
 * service_traffic.h: random traffic for the decision service: campaigns of all kinds, rewards that are delayed, lost,
 * duplicated, out of order and out of range, episodes, controls, samples, time. The same seed is the same traffic.
 */
#ifndef ROSTER_SERVICE_TRAFFIC_H
#define ROSTER_SERVICE_TRAFFIC_H

#include "service_elsewhere.h"
#include "service_support.h"

#define TRAFFIC_EXPERTS                                                                                                \
    "\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"name\":\"p\",\"table\":[[0.9,0.1],[0.5,0.5]]},"          \
    "{\"name\":\"q\",\"table\":[[0.2,0.8],[0.3,0.7]]},{\"table\":[[0.6,0.4],[0.15,0.85]]}]"

static const char *const traffic_campaigns[] = {
    "{\"name\":\"arrival\"," TRAFFIC_EXPERTS ",\"agent\":\"d-ucb\",\"seed\":1,\"reward\":{\"wait\":20}}",
    "{\"name\":\"close\"," TRAFFIC_EXPERTS ",\"agent\":{\"agent\":\"d-ucb\",\"C\":0.3},\"seed\":2,\"reward\":"
    "{\"wait\":10,\"default\":-1,\"range\":[-1,3]},\"context_probabilities\":\"seen\",\"episodes\":{\"rounds\":40}}",
    "{\"name\":\"sum\"," TRAFFIC_EXPERTS ",\"agent\":\"ucb\",\"seed\":3,\"reward\":{\"wait\":8,\"combine\":\"sum\","
    "\"remember\":1},\"context_probabilities\":[0.25,0.75],\"episodes\":{\"schedule\":[{\"at\":\"00:01\"},"
    "{\"at\":\"00:03:20\"}]}}",
    "{\"name\":\"few\"," TRAFFIC_EXPERTS ",\"agent\":\"d-ucb-lite\",\"seed\":4,\"reward\":{\"combine\":\"max\","
    "\"default\":0,\"events_most\":12}}",
    "{\"name\":\"model\",\"kind\":\"softmax\",\"actions\":[\"u\",\"v\",\"w\"],\"features\":2,\"floor\":0.02,"
    "\"experts\":["
    "{\"weights\":[[1,0],[0,1],[0,0]]},{\"weights\":[[0,0],[0,0],[1,1]],\"bias\":[0.5,0,0]}],\"sample\":[[0,1],[1,0],"
    "[0.5,-1]],\"agent\":\"d-ucb\",\"seed\":5,\"reward\":{\"wait\":15}}",
    "{\"name\":\"outside\",\"kind\":\"external\"," TRAFFIC_EXPERTS ",\"agent\":\"d-ucb\",\"seed\":6,\"reward\":"
    "{\"wait\":15,\"default\":0.5}}",
    "{\"name\":\"logged\",\"roster\":\"old\",\"agent\":{\"agent\":\"ed-ucb\",\"p_V\":0.05,\"p_X\":0.2,\"xi\":0.02},"
    "\"seed\":9,\"fallback\":\"p\",\"reward\":{\"wait\":15}}",
    "{\"name\":\"steps\",\"kind\":\"external\",\"experts\":[\"p\",{\"name\":\"q\"},\"r\"],\"actions\":2,\"seed\":10,"
    "\"reward\":{\"wait\":12}}",
    "{\"name\":\"open\",\"kind\":\"external\",\"experts\":[\"p\",\"q\"],\"seed\":11,\"reward\":{\"wait\":9,\"default\":"
    "0},"
    "\"episodes\":{\"rounds\":60}}",
    "{\"name\":\"watched\"," TRAFFIC_EXPERTS
    ",\"agent\":\"direct\",\"seed\":12,\"reward\":{\"wait\":9},\"mode\":\"shadow\"}"};
enum { TRAFFIC_STEPS = 7, TRAFFIC_WATCHED = 9 }; /* from this one on experts act elsewhere */
enum { TRAFFIC_CAMPAIGNS = sizeof traffic_campaigns / sizeof *traffic_campaigns, TRAFFIC_IDS = 8 };

typedef struct traffic {
    service *self;
    roster_rng rng;
    int64_t now;
    char ids[TRAFFIC_CAMPAIGNS][TRAFFIC_IDS][24]; /* of the last decisions */
    uint64_t statuses[SERVICE_STATUSES], decisions, refused;
} traffic;

static inline uint64_t traffic_below(traffic *t, uint64_t n)
{
    return roster_rng_below(&t->rng, n);
}

static inline void traffic_start(traffic *t, service *self, uint64_t seed)
{
    static const char roster[] =
        "{\"name\":\"old\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"name\":\"p\"},"
        "{\"name\":\"q\"}]}";
    service_error err;
    bool is_new;
    uint64_t added;
    static const char samples[] = "[{\"expert\":\"p\",\"context\":\"x\",\"action\":0,\"count\":30},"
                                  "{\"expert\":\"p\",\"context\":\"y\",\"action\":1}]";
    *t = (traffic){.self = self, .now = SECOND};
    roster_rng_init(&t->rng, seed, 0, 99);
    assert_done(service_roster_create(self, roster, strlen(roster), t->now, &is_new, &err), &err);
    assert_done(service_roster_samples(self, "old", 3, samples, strlen(samples), t->now, &added, &err), &err);
    for (size_t i = 0; i < TRAFFIC_CAMPAIGNS; i++)
        created(self, traffic_campaigns[i], t->now);
}

static inline void traffic_keep(traffic *t, size_t i, const service_decision *d)
{
    t->decisions += !d->repeated;
    if (strlen(d->id) < 24)
        strcpy(t->ids[i][traffic_below(t, TRAFFIC_IDS)], d->id);
}

static inline void traffic_decide(traffic *t, size_t i)
{
    service_campaign *c = service_campaign_at(t->self, i);
    double numbers[6] = {0.25, 0.75, 0.5, 0.5, 1, 0};
    char id[24];
    service_request q = {.number = traffic_below(t, 2)};
    service_decision d;
    service_error err;
    if (i == 4) {
        numbers[0] = roster_rng_uniform(&t->rng);
        q.features = numbers;
        q.n_features = 2;
    }
    if (i == 5) {
        q.probabilities = numbers;
        q.n_experts = 3;
        q.n_actions = 2;
    }
    uint64_t kind = traffic_below(t, 4);
    snprintf(id, sizeof id, "id-%llu", (unsigned long long)traffic_below(t, 1000));
    if (kind == 0) {
        q.id = id;
        q.id_size = strlen(id);
    }
    if (service_decide(t->self, c, &q, t->now, &d, &err) != SERVICE_OK) {
        t->refused++;
        assert_true(err.code == SERVICE_CONFLICT || err.code == SERVICE_CANNOT_SAY);
        return;
    }
    traffic_keep(t, i, &d);
}

/* Chooses an expert, or tells what one did: some twice, some late, some otherwise, some never. */
static inline void traffic_elsewhere(traffic *t, size_t i)
{
    service_campaign *c = service_campaign_at(t->self, i);
    const char *id = t->ids[i][traffic_below(t, TRAFFIC_IDS)];
    double pi[3] = {0.5, 0.25, 1}, propensity;
    char own[24];
    bool open = i > TRAFFIC_STEPS, repeated, chooses = id[0] == '\0' || traffic_below(t, 2) == 0;
    service_deed deed = {id, strlen(id), "action 2", 8, pi, open ? 2 : 3};
    service_decision d;
    service_error err;
    snprintf(own, sizeof own, "id-%llu", (unsigned long long)traffic_below(t, 1000));
    pi[traffic_below(t, 3)] = traffic_below(t, 8) == 0 ? 0.125 : 0.5;
    service_code code =
        chooses ? service_choose_only(t->self, c, traffic_below(t, 4) == 0 ? own : NULL, strlen(own), t->now, &d, &err)
                : service_acted(t->self, c, &deed, t->now, &propensity, &repeated, &err);
    if (chooses)
        assert_done(code, &err);
    if (chooses)
        traffic_keep(t, i, &d);
    else
        assert_true(code == SERVICE_OK || err.code == SERVICE_CONFLICT || err.code == SERVICE_OVER);
    t->refused += code != SERVICE_OK;
}

/* Tells what production did: with a propensity, with the expert that served, or with neither. */
static inline void traffic_observe(traffic *t, size_t i)
{
    static const char *const actions[] = {"action 1", "action 2"};
    char id[24];
    uint64_t kind = traffic_below(t, 3);
    service_sight q = {.request = {.id = id, .number = traffic_below(t, 2)},
                       .action = actions[traffic_below(t, 2)],
                       .action_size = 8,
                       .propensity = kind == 0 ? 0.25 : 0,
                       .expert = kind == 1 ? (uint32_t)traffic_below(t, 3) : UINT32_MAX};
    service_seen seen;
    service_error err;
    snprintf(id, sizeof id, "id-%llu", (unsigned long long)traffic_below(t, 1000));
    q.request.id_size = strlen(id);
    if (service_observe(t->self, service_campaign_at(t->self, i), &q, t->now, &seen, &err) == SERVICE_OK)
        strcpy(t->ids[i][traffic_below(t, TRAFFIC_IDS)], seen.id);
    else
        assert_true(err.code == SERVICE_CONFLICT || err.code == SERVICE_CANNOT_SAY);
}

static inline void traffic_reward(traffic *t, size_t i)
{
    service_campaign *c = service_campaign_at(t->self, i);
    const char *id = t->ids[i][traffic_below(t, TRAFFIC_IDS)];
    double reward = traffic_below(t, 10) == 0 ? 7 : roster_rng_uniform(&t->rng);
    if (id[0] == '\0' || traffic_below(t, 20) == 0)
        id = "nobody";
    char name[16];
    bool named = traffic_below(t, 2) == 0;
    service_status status;
    service_error err;
    snprintf(name, sizeof name, "n%d", (int)traffic_below(t, 3));
    assert_done(service_reward_once(t->self, c, id, strlen(id), named ? name : NULL, strlen(name), reward, t->now,
                                    &status, NULL, &err),
                &err);
    t->statuses[status]++;
}

static inline void traffic_operate(traffic *t, size_t i)
{
    static const char *const controls[] = {"{\"pin\":\"q\"}",       "{\"pin\":null}",
                                           "{\"learning\":false}",  "{\"learning\":true,\"pin\":null}",
                                           "{\"cap\":{\"p\":0.3}}", "{\"cap\":{\"p\":null},\"fallback\":\"q\"}"};
    static const char *const modes[] = {"{\"mode\":\"live\"}", "{\"mode\":\"shadow\"}"};
    service_campaign *c = service_campaign_at(t->self, i);
    service_error err;
    uint32_t episode;
    uint64_t records, added;
    const char *json = i == TRAFFIC_WATCHED ? modes[traffic_below(t, 2)] : controls[traffic_below(t, 6)];
    static const char samples[] =
        "{\"samples\":[{\"expert\":\"q\",\"context\":1,\"action\":0,\"count\":3},{\"expert\":1,"
        "\"context\":\"x\",\"action\":\"action 2\",\"count\":9}]}";
    switch (traffic_below(t, 4)) {
    case 0:
        assert_done(service_episode(t->self, c, t->now, &episode, &err), &err);
        break;
    case 1:
        assert_done(service_tick(t->self, t->now, &records, &err), &err);
        break;
    case 2:
        assert_done(service_roster_samples(t->self, "old", 3, samples, strlen(samples), t->now, &added, &err), &err);
        break;
    default:
        if (i != 4) /* it has no p and q */
            assert_done(service_control_json(t->self, c, json, strlen(json), t->now, &err), &err);
    }
}

/* One request. */
static inline void traffic_step(traffic *t)
{
    size_t i = traffic_below(t, TRAFFIC_CAMPAIGNS);
    uint64_t what = traffic_below(t, 100);
    t->now += (int64_t)traffic_below(t, 100000) - 1000; /* clocks are set back now and then */
    if (what < 50 && i == TRAFFIC_WATCHED)
        traffic_observe(t, i);
    else if (what < 50 && i >= TRAFFIC_STEPS)
        traffic_elsewhere(t, i);
    else if (what < 50)
        traffic_decide(t, i);
    else if (what < 95)
        traffic_reward(t, i);
    else
        traffic_operate(t, i);
}

#endif
