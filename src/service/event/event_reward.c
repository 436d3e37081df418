/*
 * event_reward.c: rewards that come, and what becomes of them.
 *
 *   unknown        no such event, or too long ago to be remembered
 *   late           the window is over (of events the service numbered: also when they are forgotten)
 *   duplicate      it has its reward already, where the first one counts; a reward of that name, where they add up
 *   out-of-range   not in the campaign's range; the event stays open
 *   joined         all else
 *
 * Paper: none.
 * Cost: that of finding the event and of learning.
 * Check: tests/unit/test_service_rewards.c.
 */
#include "service_internal.h"

static service_status classify(const service_campaign *c, service_key key, service_key name, double raw, int64_t now,
                               const service_event *e)
{
    const service_rules *rules = &c->rules;
    if (e == NULL)
        return key.b == 0 && key.a <= c->issued ? SERVICE_LATE : SERVICE_UNKNOWN;
    if (e->rewarded && rules->combine == SERVICE_COMBINE_FIRST)
        return SERVICE_DUPLICATE;
    if (e->settled || e->at + rules->wait <= now)
        return SERVICE_LATE;
    if (name.b != 0 && service_table_find(&c->joined, name) != NULL)
        return SERVICE_DUPLICATE;
    return raw >= rules->low && raw <= rules->high ? SERVICE_JOINED : SERVICE_OUT_OF_RANGE;
}

double service_taught(const service_campaign *c, const service_event *event, double raw)
{
    const service_episode_state *e = service_episode_find(c, event->episode);
    bool learns = !c->rules.at_close && !c->paused && e != NULL && e->agent != NULL && service_teaches(event);
    return learns ? service_rules_map(&c->rules, raw) : NAN;
}

/* What a joined reward teaches now. One that comes before its event has acted waits for that (event_acted.c). */
static double taught(const service_campaign *c, const service_event *event, double raw)
{
    return event->waits ? NAN : service_taught(c, event, raw);
}

/* All rewards of the event together. */
static double combined(const service_campaign *c, const service_event *event, double raw)
{
    if (!event->rewarded)
        return raw;
    return c->rules.combine == SERVICE_COMBINE_SUM ? event->raw + raw : fmax(event->raw, raw);
}

static bool is_clipped(const service_campaign *c, double raw)
{
    return raw < c->rules.low || raw > c->rules.high;
}

service_code service_reward(service *self, service_campaign *c, const char *id, size_t id_size, double reward,
                            int64_t now, service_status *status, service_error *err)
{
    return service_reward_once(self, c, id, id_size, NULL, 0, reward, now, status, NULL, err);
}

service_code service_reward_once(service *self, service_campaign *c, const char *id, size_t id_size, const char *name,
                                 size_t name_size, double reward, int64_t now, service_status *status, bool *clipped,
                                 service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_REWARD, .campaign = c->number, .raw = reward, .reward = NAN};
    service_event *event = NULL;
    service_code code = service_ready(self, c, err);
    r.at = service_clock(self, now);
    if (code == SERVICE_OK)
        code = service_key_find(c, id, id_size, r.at, &r.key, &event, err);
    if (code == SERVICE_OK && name != NULL)
        code = service_key_name(&r.name, c->draws, r.key, name, name_size, err);
    if (code == SERVICE_OK && !(fabs(reward) <= 1e300))
        code = service_fail(err, SERVICE_INVALID, "reward is %g, must be a number", reward);
    if (code != SERVICE_OK)
        return code;
    *status = classify(c, r.key, r.name, reward, r.at, event);
    bool beyond = *status == SERVICE_JOINED && is_clipped(c, combined(c, event, reward));
    r.status = (uint8_t)*status;
    r.text = id;
    r.text_size = id_size;
    r.decision = event != NULL ? service_event_record(c, event) : 0;
    if (*status == SERVICE_JOINED)
        r.reward = taught(c, event, reward);
    r.flag = (uint8_t)(isnan(r.reward) ? 0 : 1);
    code = service_do(self, &r, err);
    if (code != SERVICE_OK)
        return code;
    if (clipped != NULL)
        *clipped = beyond;
    service_error later; /* what fails for lack of memory is done next time */
    service_close_due(self, c, r.at, &later);
    return SERVICE_OK;
}

static service_code verify(service *self, const service_campaign *c, const service_record *r, service_error *err)
{
    const service_event *event = service_event_find(c, r->key, r->at);
    service_key key = r->key;
    service_code code = r->key.b != 0 ? service_key_make(&key, c->draws, r->text, r->text_size, err) : SERVICE_OK;
    if (code != SERVICE_OK || !service_key_equal(key, r->key))
        return service_differs(self, "event_id", err, "does not fit its hash");
    service_status status = classify(c, r->key, r->name, r->raw, r->at, event);
    if (status != (service_status)r->status)
        return service_differs(self, "status", err, "is %s, must be %s", service_status_word((service_status)r->status),
                               service_status_word(status));
    uint64_t decision = event != NULL ? service_event_record(c, event) : 0;
    if (r->decision != decision)
        return service_differs(self, "decision", err, "is %llu, must be %llu", (unsigned long long)r->decision,
                               (unsigned long long)decision);
    double teaches = status == SERVICE_JOINED ? taught(c, event, r->raw) : NAN;
    if (teaches != r->reward && !(isnan(teaches) && isnan(r->reward)))
        return service_differs(self, "reward", err, "is %.17g, must be %.17g", r->reward, teaches);
    return SERVICE_OK;
}

static service_code join(service *self, service_campaign *c, const service_record *r, service_error *err)
{
    service_event *event = service_event_find(c, r->key, r->at);
    bool named = r->name.b != 0 && c->rules.combine != SERVICE_COMBINE_FIRST;
    if (event == NULL || event->settled)
        return service_differs(self, "event_id", err, "is of no open event");
    if (named && service_table_find(&c->joined, r->name) != NULL)
        return service_differs(self, "status", err, "is joined, but a reward of that name was joined before");
    if (named && !service_table_reserve(&c->joined))
        return service_no_memory(err);
    while (named && c->joined.end - c->joined.tail >= c->rules.events_most)
        service_table_drop(&c->joined);
    service_code code = SERVICE_OK;
    if (!c->rules.at_close && !event->waits) {
        uint8_t before = event->rewarded;
        event->rewarded = 1;
        code = service_settle(c, event, r->reward, err);
        event->rewarded = before;
    }
    if (code != SERVICE_OK)
        return code;
    event->raw = combined(c, event, r->raw);
    event->rewarded = 1;
    c->counts.clipped += is_clipped(c, event->raw);
    if (named)
        service_table_push(&c->joined, r->name)->at = r->at;
    return SERVICE_OK;
}

service_code service_apply_reward(service *self, service_campaign *c, service_record *r, service_error *err)
{
    if (r->status >= SERVICE_STATUSES)
        return service_differs(self, "status", err, "is %u, must be below %d", r->status, SERVICE_STATUSES);
    service_code code = self->verify ? verify(self, c, r, err) : SERVICE_OK;
    if (code == SERVICE_OK && r->status == SERVICE_JOINED)
        code = join(self, c, r, err);
    if (code != SERVICE_OK)
        return code;
    c->counts.rewards[r->status]++;
    service_advance(c);
    service_forget(c, r->at);
    if (c->n_episodes > 1)
        service_episode_sweep(c);
    return SERVICE_OK;
}
