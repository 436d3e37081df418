/*
 * event_settle.c: what becomes of events: windows that end, rewards that are learnt, events that are forgotten.
 *
 * Paper: none.
 *
 *   an event is open            until it is settled: learnt on arrival, or at the end of its window (at + wait)
 *   a settled event is known    until at + wait + remember, so that late and duplicate rewards can be told
 *
 * Windows end in the order of decisions. A close record names the events it settles and what was learnt of each.
 *
 * A record forgets at most 16 events, so that none takes long after a pause; until an event is forgotten, its time says
 * that it is not known any more.
 *
 * Cost: O(N) per event, that of learning; about (250 + 10 N) nanoseconds and 200 N for the evidence, which is what the
 *       pace counts.
 * Check: tests/unit/test_service_rewards.c.
 */
#include "service_internal.h"

enum { FORGET_MOST = 16 };

service_event *service_event_find(const service_campaign *c, service_key key, int64_t now)
{
    service_event *event = service_table_find(&c->table, key);
    bool known = event != NULL && (!event->settled || event->at + c->rules.wait + c->rules.remember > now);
    return known ? event : NULL;
}

bool service_was_forgotten(const service_campaign *c, service_key key)
{
    if (key.b == 0)
        return key.a <= c->issued;
    return service_forgotten_has(&c->forgotten, key) || service_table_find(&c->table, key) != NULL;
}

/* The oldest event, which is settled, is no longer known. */
static void forget_oldest(service_campaign *c)
{
    service_key key = service_table_at(&c->table, c->table.tail)->key;
    if (key.b != 0 && !service_key_is_erased(key))
        service_forgotten_add(&c->forgotten, key);
    service_table_drop(&c->table);
}

void service_forget_down_to(service_campaign *c, uint64_t most)
{
    const service_table *t = &c->table;
    while (t->end - t->tail > most && t->tail < t->head)
        forget_oldest(c);
}

void service_forget(service_campaign *c, int64_t at)
{
    service_table *t = &c->table;
    int64_t kept = c->rules.wait + c->rules.remember;
    for (int i = 0; i < FORGET_MOST && t->tail < t->head && service_table_at(t, t->tail)->at + kept <= at; i++)
        forget_oldest(c);
    t = &c->joined;
    for (int i = 0; i < FORGET_MOST && t->tail < t->end && service_table_at(t, t->tail)->at + c->rules.wait <= at; i++)
        service_table_drop(t);
}

void service_advance(service_campaign *c)
{
    while (c->table.head < c->table.end && service_table_at(&c->table, c->table.head)->settled)
        c->table.head++;
}

service_code service_learn(service_campaign *c, service_episode_state *e, const service_event *event, uint32_t expert,
                           double reward, service_error *err)
{
    const double *numbers = service_table_numbers(&c->table, event);
    roster_error wrong;
    roster_event sample = {.expert = expert,
                           .context = c->open ? 0 : event->context,
                           .action = c->open ? 0 : event->action,
                           .reward = reward,
                           .propensity = c->kind == ROSTER_SOFTMAX ? 0 : event->propensity,
                           .features = numbers,
                           .probabilities = numbers};
    int code = service_evidence_prepare(c, e, expert, &wrong);
    if (code == ROSTER_OK)
        code = roster_agent_learn(e->agent, &sample, &wrong);
    if (code == ROSTER_OK)
        code = service_evidence_learn(c, e, &sample, &wrong);
    if (code != ROSTER_OK)
        return service_pass(&wrong, SERVICE_DAMAGED, err);
    e->learnt++;
    service_episode_weigh(e);
    e->reward += reward;
    return SERVICE_OK;
}

service_code service_settle(service_campaign *c, service_event *event, double reward, service_error *err)
{
    service_episode_state *e = service_episode_find(c, event->episode);
    if (e == NULL || (!isnan(reward) && e->agent == NULL))
        return service_fail(err, SERVICE_DAMAGED, "episode %u has no agent that could learn", event->episode);
    if (!isnan(reward)) {
        service_code code = event->how == SERVICE_OBSERVED ? service_learn_observed(c, e, event, reward, err)
                                                           : service_learn(c, e, event, event->expert, reward, err);
        if (code != SERVICE_OK)
            return code;
        c->counts.learnt++;
        c->counts.reward += reward;
        c->counts.defaulted += !event->rewarded;
    } else {
        c->counts.unlearnt++;
        c->counts.unacted += event->waits;
    }
    event->settled = 1;
    c->counts.open--;
    e->open--;
    if (event->how != SERVICE_OBSERVED)
        e->waiting[event->expert]--;
    return SERVICE_OK;
}

/* What an event whose window ends earned, and whether it is learnt: not where nobody knows what it did. */
static service_closing outcome(const service_campaign *c, const service_event *event)
{
    const service_episode_state *e = service_episode_find(c, event->episode);
    double raw = event->waits ? NAN : event->rewarded ? event->raw : c->rules.otherwise;
    double reward = isnan(raw) ? NAN : service_rules_map(&c->rules, raw);
    bool learnt = !isnan(reward) && !c->paused && e != NULL && e->agent != NULL && service_teaches(event);
    return (service_closing){service_event_record(c, event), reward, learnt};
}

static double learnt_of(const service_closing *closing)
{
    return closing->learnt ? closing->reward : NAN;
}

static bool same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

service_code service_apply_close(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_code code = SERVICE_OK;
    size_t done = 0;
    uint64_t i = c->table.head;
    for (; done < r->n && code == SERVICE_OK; done += code == SERVICE_OK) {
        while (i < c->table.end && service_table_at(&c->table, i)->settled)
            i++;
        service_event *event = i < c->table.end ? service_table_at(&c->table, i) : NULL;
        const service_closing *closing = &r->closings[done];
        service_closing due = event != NULL ? outcome(c, event) : (service_closing){0, NAN, 0};
        if (r->version == 1) /* which kept what was learnt alone */
            due.reward = learnt_of(&due);
        if (event == NULL || service_event_record(c, event) != closing->decision)
            code = service_differs(self, "decision", err, "%zu is %llu, which is not the next open event", done,
                                   (unsigned long long)closing->decision);
        else if (self->verify && (!same(closing->reward, due.reward) || closing->learnt != due.learnt))
            code =
                service_differs(self, "reward", err, "%zu is %.17g, must be %.17g", done, closing->reward, due.reward);
        else if (self->verify && !r->flag && event->at + c->rules.wait > r->at)
            code = service_differs(self, "at", err, "is before the window of decision %llu ends",
                                   (unsigned long long)closing->decision);
        else
            code = service_settle(c, event, learnt_of(closing), err);
    }
    r->n = done;
    c->counts.crowded += r->flag == SERVICE_CLOSE_CROWDED ? done : 0;
    service_advance(c);
    service_forget(c, r->at);
    service_forget_down_to(c, c->rules.events_most);
    service_episode_sweep(c);
    return code;
}

/* Open events from the head on, at most `most`, and only such whose window ends by `until`. */
static size_t gather(const service_campaign *c, uint64_t most, int64_t until, service_closing *closings)
{
    size_t n = 0;
    for (uint64_t i = c->table.head; i < c->table.end && n < most && n < SERVICE_CLOSE_MOST; i++) {
        const service_event *event = service_table_at(&c->table, i);
        if (event->at > until)
            break;
        if (!event->settled)
            closings[n++] = outcome(c, event);
    }
    return n;
}

/* Nanoseconds of one. */
static uint64_t cost_of_closing(const service_campaign *c)
{
    return 250 + 10 * c->n + service_evidence_cost(service_present(c), c->n);
}

uint64_t service_closable(const service *self, const service_campaign *c)
{
    uint64_t n = self->pace > 0 ? self->pace / cost_of_closing(c) + 1 : 0;
    return n < SERVICE_CLOSE_MOST ? n : SERVICE_CLOSE_MOST;
}

static service_code close_some(service *self, service_campaign *c, uint64_t most, int64_t until, service_cause why,
                               int64_t now, service_error *err)
{
    service_closing closings[SERVICE_CLOSE_MOST];
    service_record r = {.kind = SERVICE_RECORD_CLOSE, .campaign = c->number, .at = now, .flag = (uint8_t)why};
    uint64_t each = cost_of_closing(c), left = self->pace / each + 1;
    r.n = gather(c, most < left ? most : left, until, closings);
    r.closings = closings;
    if (self->pace < UINT64_MAX)
        self->pace -= r.n * each < self->pace ? r.n * each : self->pace;
    return r.n > 0 ? service_do(self, &r, err) : SERVICE_OK;
}

service_code service_close_due(service *self, service_campaign *c, int64_t now, service_error *err)
{
    service_code code = SERVICE_OK;
    int64_t until = now - c->rules.wait;
    while (code == SERVICE_OK && self->pace > 0 && c->table.head < c->table.end &&
           service_table_at(&c->table, c->table.head)->at <= until)
        code = close_some(self, c, SERVICE_CLOSE_MOST, until, SERVICE_CLOSE_DUE, now, err);
    return code;
}

service_code service_close_early(service *self, service_campaign *c, uint64_t events, service_cause why, int64_t now,
                                 service_error *err)
{
    return close_some(self, c, events, INT64_MAX, why, now, err);
}
