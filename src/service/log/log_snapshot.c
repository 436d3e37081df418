/*
 * log_snapshot.c: the whole state as bytes, and back.
 *
 *   "ROSTERSV" | version | last record | time | rosters | campaigns, each with its description, episodes and events
 *
 * Paper: none.
 *
 * What there is to a state is said once, in functions that both write and read. Descriptions are kept as text and read
 * again; agents are the library's own snapshots. Equal states are equal bytes: nothing that depends on the way to the
 * state, such as how large tables have grown, is kept. The store guards the bytes by a checksum.
 *
 * Cost: linear in the state: about 80 bytes per event that is open or remembered.
 * Check: tests/unit/test_service_replay.c: restarts_change_nothing, any_prefix_restores.
 */
#include "log_snapshot.h"

#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'V'};
enum { VERSION = 4, FIRST = 2 }; /* that are written, and can be read */
enum { EVENT = 88 };             /* bytes of an event, about */

/* A description; what is read is borrowed. */
static void text(codec *c, const char **at, size_t *size)
{
    uint64_t n = *at != NULL ? strlen(*at) : 0;
    u64(c, &n);
    *size = (size_t)n;
    text_of(c, at, *size);
}

/* Those of earlier forms have none. */
static void alarms(codec *c, service_campaign *k)
{
    if (c->version < 3)
        return;
    u64s(c, k->counts.alarms, 2);
    for (size_t i = 0; i < SERVICE_ALARMS_KEPT && !c->failed; i++)
        service_snapshot_alarm(c, &k->alarms[i]);
}

static void counts(codec *c, service_counts *x)
{
    u64(c, &x->decisions);
    u64s(c, x->how, SERVICE_FALLBACK + 1);
    u64s(c, x->rewards, SERVICE_STATUSES);
    u64(c, &x->learnt);
    u64(c, &x->defaulted);
    u64(c, &x->unlearnt);
    u64(c, &x->crowded);
    u64(c, &x->clipped);
    u64(c, &x->forgotten);
    u64(c, &x->episodes);
    u64(c, &x->open);
    f64(c, &x->reward);
    if (c->version > 3) {
        u64(c, &x->unacted);
        u64(c, &x->observed);
    }
}

static void past(codec *c, service_past *p)
{
    wide(c, &p->number);
    u8(c, &p->reason);
    u8(c, &p->prior);
    i64(c, &p->at);
    u64(c, &p->decisions);
    u64(c, &p->learnt);
    f64(c, &p->reward);
}

static void pasts(codec *c, service_campaign *k)
{
    for (size_t i = 0; i < SERVICE_EPISODES_KEPT && !c->failed; i++)
        past(c, &k->past[i]);
}

static void event(codec *c, service_campaign *k, service_event *e)
{
    u64(c, &e->decision);
    i64(c, &e->at);
    f64(c, &e->propensity);
    f64(c, &e->raw);
    wide(c, &e->expert);
    wide(c, &e->action);
    wide(c, &e->context);
    wide(c, &e->episode);
    u8(c, &e->how);
    u8(c, &e->settled);
    u8(c, &e->rewarded);
    u8(c, &e->first);
    if (c->version > 3)
        u8(c, &e->waits);
    f64s(c, service_table_numbers(&k->table, e), k->table.width - (c->version < 4 && k->kind == ROSTER_EXTERNAL));
    bool seen = e->how == SERVICE_OBSERVED;
    bool right = (seen ? service_observed_fits(k, e) : e->expert < k->n) && (k->open || e->action < k->v) &&
                 (k->kind != ROSTER_TABLES || e->context < k->x) &&
                 (e->settled || service_episode_find(k, e->episode) != NULL);
    right = right && (!seen || e->settled || service_episode_find(k, e->episode)->shadow != NULL);
    c->failed |= !right;
    if (!writes(c) && !c->failed && !e->settled && !seen)
        service_episode_find(k, e->episode)->waiting[e->expert]++;
}

static void table(codec *c, service_campaign *k)
{
    service_table *t = &k->table;
    uint64_t tail = t->tail, head = t->head, end = t->end;
    u64(c, &tail);
    u64(c, &head);
    u64(c, &end);
    c->failed |= !(tail <= head && head <= end);
    if (!writes(c))
        t->tail = t->head = t->end = tail;
    else if (!c->failed && !service_bytes_reserve(c->out, (size_t)(end - tail) * (EVENT + 8 * t->width)))
        c->failed = c->memory = true; /* at once: growing step by step would copy it all several times */
    for (uint64_t i = tail; i < end && !c->failed; i++) {
        service_key key = writes(c) ? service_table_at(t, i)->key : (service_key){0, 0};
        u64(c, &key.a);
        u64(c, &key.b);
        if (writes(c)) {
            event(c, k, service_table_at(t, i));
        } else if (!c->failed) {
            const service_event *before = service_table_find(t, key);
            bool twice = before != NULL && !before->settled; /* an expired event may have the key still */
            c->failed = twice || !service_table_reserve(t);
            c->memory |= c->failed && !twice;
            if (!c->failed)
                event(c, k, service_table_push(t, key));
        }
    }
    if (!writes(c) && !c->failed)
        t->head = head;
}

static void joined(codec *c, service_table *t)
{
    uint64_t n = t->end - t->tail;
    u64(c, &n);
    for (uint64_t i = 0; i < n && !c->failed; i++) {
        service_event none = {0}, *e = writes(c) ? service_table_at(t, t->tail + i) : &none;
        u64(c, &e->key.a);
        u64(c, &e->key.b);
        i64(c, &e->at);
        if (writes(c) || c->failed)
            continue;
        bool twice = service_table_find(t, e->key) != NULL;
        c->failed = twice || !service_table_reserve(t);
        c->memory |= c->failed && !twice;
        if (!c->failed)
            service_table_push(t, e->key)->at = e->at;
    }
}

static void keys(codec *c, service_forgotten *f, const service_keys *from)
{
    uint64_t n = from->n;
    u64(c, &n);
    for (uint64_t i = 0; i < n && !c->failed; i++) {
        service_key key = writes(c) ? from->keys[i] : (service_key){0, 0};
        u64(c, &key.a);
        u64(c, &key.b);
        if (writes(c) || c->failed)
            continue;
        if (service_forgotten_reserve(f, 1))
            service_forgotten_add(f, key);
        else
            c->failed = c->memory = true;
    }
}

/* The old are read first, as they came: then the young follow them as they did. */
static void forgotten(codec *c, service_campaign *k)
{
    service_forgotten *f = &k->forgotten;
    keys(c, f, &f->old);
    keys(c, f, &f->young);
    if (!writes(c) && !c->failed && !service_forgotten_reserve(f, k->table.end - k->table.tail))
        c->failed = c->memory = true;
}

static void episodes(codec *c, service_campaign *k)
{
    uint64_t n = k->n_episodes;
    u64(c, &n);
    if (!writes(c)) {
        k->episodes = take(c, (size_t)n, sizeof *k->episodes, 8);
        k->episodes_room = c->failed ? 0 : (size_t)n;
        c->failed |= n == 0;
    }
    for (size_t i = 0; i < n && !c->failed; i++) {
        if (!writes(c))
            k->n_episodes = i + 1; /* what was read so far is freed with the campaign */
        service_snapshot_episode(c, k, &k->episodes[i], i + 1 == n);
    }
    pasts(c, k);
}

/* Of an expert, as far as the form has it. */
static void known(codec *c, service_closed *x)
{
    double *numbers[] = {&x->value, &x->low, &x->high, &x->worse};
    for (size_t j = 0; j < 4; j++) {
        if (!writes(c))
            *numbers[j] = NAN;
        if (c->version > 2)
            f64(c, numbers[j]);
    }
    if (c->version > 2)
        flag(c, &x->excluded);
    if (c->version > 3) {
        flag(c, &x->retired);
        u64(c, &x->from_past);
    }
}

/* The name of the agent that auto stood for. */
static void chosen(codec *c, service_campaign *k)
{
    const char *at = k->chosen != NULL ? k->chosen->name : NULL;
    char name[40] = "";
    size_t size;
    text(c, &at, &size);
    c->failed |= size >= sizeof name;
    if (writes(c) || c->failed)
        return;
    memcpy(name, size > 0 ? at : "", size);
    k->chosen = experiment_agent_info(name);
}

/* What is left of a campaign that was archived. */
static void figures(codec *c, service *self, service_campaign *k)
{
    pasts(c, k);
    past(c, &k->last);
    if (!writes(c))
        k->closed = take(c, k->n, sizeof *k->closed, 48);
    for (size_t i = 0; i < k->n && !c->failed; i++) {
        u64(c, &k->closed[i].plays);
        f64(c, &k->closed[i].index);
        roster_insight *x = &k->closed[i].insight;
        double *numbers[] = {&x->estimate, &x->width, &x->samples, &x->clipped};
        for (size_t j = 0; j < 4; j++)
            f64(c, numbers[j]);
        known(c, &k->closed[i]);
    }
    if (c->version > 2)
        chosen(c, k);
    if (!writes(c) && !c->failed)
        service_campaign_empty(self, k);
}

static void campaign(codec *c, service *self, service_campaign *k)
{
    bool has_caps = k->caps != NULL, freed = k->freed;
    flag(c, &k->archived);
    flag(c, &freed);
    counts(c, &k->counts);
    alarms(c, k);
    i64(c, &k->retain.time);
    u64(c, &k->retain.events);
    u64(c, &k->retain.decisions);
    u64s(c, k->retain.marks, SERVICE_MARKS);
    u64(c, &k->issued);
    i64(c, &k->next);
    wide(c, &k->pin);
    wide(c, &k->fall_back);
    flag(c, &k->paused);
    if (c->version > 3)
        flag(c, &k->shadow);
    if (!writes(c))
        self->n_live -= k->archived;
    if (freed) {
        figures(c, self, k);
        return;
    }
    flag(c, &has_caps);
    if (!writes(c) && has_caps)
        k->caps = take(c, k->n, sizeof *k->caps, 8);
    if (has_caps)
        f64s(c, k->caps, k->n);
    if (k->seen != NULL)
        u64s(c, k->seen, k->x);
    c->failed |= (k->pin >= k->n && k->pin != UINT32_MAX) || (k->fall_back >= k->n && k->fall_back != UINT32_MAX);
    episodes(c, k);
    table(c, k);
    joined(c, &k->joined);
    forgotten(c, k);
}

/* Rosters and campaigns are made of their texts as records make them. */
static void roster(codec *c, service *self, size_t i)
{
    const char *at = writes(c) ? self->rosters[i]->text : NULL;
    service_record r = {.kind = SERVICE_RECORD_ROSTER, .campaign = (uint32_t)i};
    service_error err;
    text(c, &at, &r.text_size);
    r.text = at;
    if (!writes(c) && !c->failed) {
        service_code code = service_apply_roster(self, &r, &err);
        c->failed = code != SERVICE_OK;
        c->memory |= code == SERVICE_MEMORY;
    }
    if (c->failed)
        return;
    u64(c, &self->rosters[i]->samples);
    u64s(c, self->rosters[i]->counts, self->rosters[i]->n * self->rosters[i]->x * self->rosters[i]->v);
}

/* The experts that came and retired since. */
static void changes(codec *c, const service *self, service_campaign *k)
{
    uint64_t n = k->n_changes;
    if (c->version < 4)
        return;
    u64(c, &n);
    for (uint64_t i = 0; i < n && !c->failed; i++) {
        service_change one = writes(c) ? k->changes[i] : (service_change){0, NULL};
        size_t size;
        service_error err;
        wide(c, &one.gone);
        text(c, &one.text, &size);
        if (writes(c) || c->failed)
            continue;
        bool right = one.gone < k->n || one.gone == UINT32_MAX;
        service_code code = right ? service_change_take(self, k, one.gone, one.text, size, &err) : SERVICE_DAMAGED;
        c->failed = code != SERVICE_OK;
        c->memory |= code == SERVICE_MEMORY;
    }
}

static void one_campaign(codec *c, service *self, size_t i)
{
    service_campaign *k = writes(c) ? self->campaigns[i] : NULL;
    const char *at = k != NULL ? k->text : NULL;
    size_t size;
    service_error err;
    text(c, &at, &size);
    if (!writes(c) && !c->failed) {
        service_code code = service_campaign_read(self, at, size, &k, &err);
        if (code == SERVICE_OK && (code = service_campaign_add(self, k, &err)) != SERVICE_OK) {
            service_campaign_free(k);
            k = NULL;
        }
        c->failed = code != SERVICE_OK;
        c->memory |= code == SERVICE_MEMORY;
    }
    if (!c->failed)
        changes(c, self, k);
    if (!c->failed)
        campaign(c, self, k);
}

static void whole(codec *c, service *self)
{
    char magic[8];
    uint64_t n_rosters = self->n_rosters, n_campaigns = self->n_campaigns;
    memcpy(magic, MAGIC, sizeof magic);
    bytes(c, magic, sizeof magic);
    c->version = VERSION;
    u64(c, &c->version);
    c->failed |= memcmp(magic, MAGIC, sizeof magic) != 0 || c->version < FIRST || c->version > VERSION;
    u64(c, &self->last);
    i64(c, &self->now);
    u64(c, &self->dropped);
    u64(c, &self->erased);
    u64(c, &n_rosters);
    for (size_t i = 0; i < n_rosters && !c->failed; i++)
        roster(c, self, i);
    u64(c, &n_campaigns);
    for (size_t i = 0; i < n_campaigns && !c->failed; i++)
        one_campaign(c, self, i);
    c->failed |= !writes(c) && c->in != c->end;
}

service_code service_snapshot_take(service *self, void **out, size_t *size, uint64_t *number, service_error *err)
{
    service_bytes to = {0};
    codec c = {.out = &to};
    whole(&c, self);
    *out = NULL;
    *size = 0;
    *number = self->last;
    if (c.failed) {
        free(to.data);
        return service_no_memory(err);
    }
    *out = to.data;
    *size = to.used;
    self->snapshot = self->last;
    return SERVICE_OK;
}

bool service_snapshot_is_current(const void *from, size_t size)
{
    return size > sizeof MAGIC && ((const unsigned char *)from)[sizeof MAGIC] == VERSION;
}

service_code service_restore(service *self, const void *from, size_t size, service_error *err)
{
    codec c = {.in = from, .end = (const unsigned char *)from + size};
    whole(&c, self);
    if (c.memory)
        return service_no_memory(err);
    return c.failed ? service_fail(err, SERVICE_DAMAGED, "the snapshot is invalid") : SERVICE_OK;
}
