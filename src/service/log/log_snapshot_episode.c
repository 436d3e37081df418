/*
 * log_snapshot_episode.c: an episode as bytes, and back: what it started from, its agent, and what is known by it.
 *
 * Paper: none.
 *
 * Agent, evidence, model test and alarms are the library's own snapshots. A snapshot of version 2 has the agent alone.
 *
 * Check: tests/unit/test_service_replay.c: restarts_change_nothing, any_prefix_restores.
 */
#include "campaign_shadow.h"

#include <stdlib.h>

enum { PARTS = 3 }; /* from which on there is more than the agent */

void service_snapshot_alarm(codec *c, service_alarm *a)
{
    u8(c, &a->why);
    u8(c, &a->changed);
    wide(c, &a->episode);
    wide(c, &a->context);
    wide(c, &a->action);
    u64(c, &a->rounds);
    f64(c, &a->before);
    f64(c, &a->after);
    i64(c, &a->at);
    c->failed |= a->why != 0 && a->why != SERVICE_CONTEXTS && a->why != SERVICE_REWARDS;
}

/* What the library saves and loads itself. */
typedef struct part {
    size_t (*save)(const service_episode_state *e, void *buf, size_t size);
    int (*load)(service_episode_state *e, const void *buf, size_t size, roster_error *err);
} part;

static size_t save_agent(const service_episode_state *e, void *buf, size_t size)
{
    return roster_agent_save(e->agent, buf, size);
}

static int load_agent(service_episode_state *e, const void *buf, size_t size, roster_error *err)
{
    return roster_agent_load(e->agent, buf, size, err);
}

static size_t save_evidence(const service_episode_state *e, void *buf, size_t size)
{
    return roster_evidence_save(e->evidence, buf, size);
}

static int load_evidence(service_episode_state *e, const void *buf, size_t size, roster_error *err)
{
    return roster_evidence_load(e->evidence, buf, size, err);
}

static size_t save_own(const service_episode_state *e, void *buf, size_t size)
{
    return roster_evidence_save(e->own, buf, size);
}

static int load_own(service_episode_state *e, const void *buf, size_t size, roster_error *err)
{
    return roster_evidence_load(e->own, buf, size, err);
}

static size_t save_model(const service_episode_state *e, void *buf, size_t size)
{
    return roster_model_test_save(e->model, buf, size);
}

static int load_model(service_episode_state *e, const void *buf, size_t size, roster_error *err)
{
    return roster_model_test_load(e->model, buf, size, err);
}

static size_t save_watch(const service_episode_state *e, void *buf, size_t size)
{
    return roster_alarms_save(e->watch, buf, size);
}

static int load_watch(service_episode_state *e, const void *buf, size_t size, roster_error *err)
{
    return roster_alarms_load(e->watch, buf, size, err);
}

static void put_part(codec *c, const service_episode_state *e, const part *p)
{
    uint64_t n = p->save(e, NULL, 0);
    u64(c, &n);
    if (c->failed)
        return;
    if (!service_bytes_reserve(c->out, (size_t)n)) {
        c->failed = c->memory = true;
        return;
    }
    p->save(e, c->out->data + c->out->used, (size_t)n);
    c->out->used += (size_t)n;
}

static void get_part(codec *c, service_episode_state *e, const part *p)
{
    uint64_t n = 0;
    roster_error wrong;
    u64(c, &n);
    if (c->failed || !claim(c, (size_t)n))
        return;
    if (p->load(e, c->in, (size_t)n, &wrong) != ROSTER_OK) {
        c->failed = true;
        c->memory |= wrong.code == ROSTER_ENOMEM;
    }
    c->in += n;
}

static void one_part(codec *c, service_episode_state *e, bool has, const part *p)
{
    uint64_t none = 0;
    if (!has)
        u64(c, &none);
    else if (writes(c))
        put_part(c, e, p);
    else
        get_part(c, e, p);
    c->failed |= none != 0;
}

/* Agent, evidence, model test and alarms. Of an earlier form there is the agent alone: the others begin there. */
static void parts_of(codec *c, service_campaign *k, service_episode_state *e)
{
    static const part agent = {save_agent, load_agent}, evidence = {save_evidence, load_evidence},
                      own = {save_own, load_own}, model = {save_model, load_model}, watch = {save_watch, load_watch};
    one_part(c, e, e->agent != NULL, &agent);
    if (c->version < PARTS || c->failed)
        return;
    one_part(c, e, e->evidence != NULL, &evidence);
    one_part(c, e, e->own != NULL, &own);
    one_part(c, e, e->model != NULL, &model);
    one_part(c, e, e->watch != NULL, &watch);
    service_snapshot_alarm(c, &e->alarm);
    if (!writes(c))
        service_evidence_count(k, e);
}

void service_snapshot_episode(codec *c, service_campaign *k, service_episode_state *e, bool present)
{
    bool has_p = e->p != NULL, has_counts = e->counts != NULL, has_agent = e->agent != NULL;
    size_t cells = k->n * k->x * k->v;
    wide(c, &e->number);
    u8(c, &e->reason);
    u8(c, &e->prior);
    i64(c, &e->at);
    u64(c, &e->decisions);
    u64(c, &e->open);
    u64(c, &e->learnt);
    f64(c, &e->reward);
    flag(c, &has_p);
    flag(c, &has_counts);
    flag(c, &has_agent);
    if (!writes(c)) {
        bool right =
            has_p == (e->prior == SERVICE_SEEN) && has_counts == (k->roster != NULL && k->roster->experts == NULL);
        c->failed |= !right;
        e->p = has_p ? take(c, k->x, sizeof *e->p, 8) : NULL;
        e->counts = has_counts ? take(c, cells, sizeof *e->counts, 8) : NULL;
        e->plays = take(c, k->n, sizeof *e->plays, 8);
        e->waiting = take(c, k->n, sizeof *e->waiting, 0);
    }
    if (has_p)
        f64s(c, e->p, k->x);
    if (has_counts)
        u64s(c, e->counts, cells);
    u64s(c, e->plays, k->n);
    if (!writes(c) && !c->failed) {
        service_error err;
        service_code code = service_episode_make(k, e, &err);
        if (!present)
            service_alarm_end(e);
        c->failed = code != SERVICE_OK || (e->agent != NULL) != has_agent;
        c->memory |= code == SERVICE_MEMORY;
    }
    if (!c->failed)
        parts_of(c, k, e);
    if (!c->failed && c->version > 3)
        service_snapshot_watch(c, k, e->number, &e->shadow);
}

int service_episode_copy(service_campaign *k, service_episode_state *from, service_episode_state *to, roster_error *err)
{
    service_bytes bytes = {0};
    service_error wrong;
    codec out = {.out = &bytes, .version = PARTS};
    *to = (service_episode_state){.number = from->number, .prior = from->prior, .p = from->p};
    if (from->agent == NULL)
        return ROSTER_OK;
    if (service_episode_make(k, to, &wrong) != SERVICE_OK)
        return common_fail_memory(err);
    if (from->watch == NULL)
        service_alarm_end(to);
    parts_of(&out, k, from);
    codec in = {.in = bytes.data, .end = bytes.data + bytes.used, .version = PARTS, .failed = out.failed};
    if (!in.failed)
        parts_of(&in, k, to);
    free(bytes.data);
    return in.failed ? common_fail_memory(err) : ROSTER_OK;
}
