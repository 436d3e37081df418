/*
 * event_observed.c: what production did, told to a campaign in mode shadow.
 *
 *   context      as for decide; of experts that the caller evaluates, each one's probability of the action
 *   q            the probability with which production took the action; or the expert that served, which says it;
 *                neither: the observation is stored and counted, and teaches nothing
 *
 * Paper: none.
 *
 * The record says which expert would have been chosen; the audit chooses again. In the table, which has one number for
 * the expert of an event, an observation has two of 16 bits: who would have been chosen above, who served below.
 *
 * Cost: O(N).
 * Check: tests/unit/test_service_shadow.c.
 */
#include "campaign_shadow.h"

#include <string.h>

enum { NOBODY = 0xffff };

_Static_assert((int)SERVICE_SHADOW_EXPERTS < (int)NOBODY, "experts have 16 bits here");

static uint32_t both(uint32_t would, uint32_t served)
{
    return would << 16 | (served == UINT32_MAX ? NOBODY : served);
}

static uint32_t served_of(const service_event *event)
{
    return (event->expert & NOBODY) == NOBODY ? UINT32_MAX : event->expert & NOBODY;
}

bool service_observed_fits(const service_campaign *c, const service_event *event)
{
    return event->expert >> 16 < c->n && (served_of(event) < c->n || served_of(event) == UINT32_MAX);
}

/* The probability with which expert k takes the action there. */
static double probability(const service_campaign *c, const service_episode_state *e, uint32_t k, uint32_t context,
                          uint32_t action, const double *numbers)
{
    if (c->kind == ROSTER_EXTERNAL)
        return numbers[k];
    if (c->kind == ROSTER_TABLES)
        return roster_experts_probability(e->experts, k, context, action);
    roster_experts_distribution(e->experts, k, numbers, c->scratch);
    return c->scratch[action];
}

static size_t numbers_of(const service_campaign *c)
{
    return c->kind == ROSTER_SOFTMAX ? c->d : c->kind == ROSTER_EXTERNAL ? c->n : 0;
}

/* ---- the request ---- */

static service_code check_mode(const service_campaign *c, service_error *err)
{
    if (c->shadow)
        return SERVICE_OK;
    return service_fail(err, SERVICE_CANNOT_SAY,
                        "campaign %s is live: it decides itself; set its mode to shadow to watch what others do",
                        c->name);
}

static service_code check_context(const service_campaign *c, const service_sight *q, service_record *r,
                                  service_error *err)
{
    service_choice choice = {0};
    service_code code = SERVICE_OK;
    if (c->kind != ROSTER_EXTERNAL && q->probabilities != NULL)
        return service_fail(err, SERVICE_INVALID, "campaign %s evaluates its experts itself: give \"%s\" instead",
                            c->name, c->kind == ROSTER_TABLES ? "context" : "features");
    if (c->kind == ROSTER_EXTERNAL)
        code = service_check_numbers(c, q->probabilities, q->n, err);
    else
        code = service_check_context(c, &q->request, &choice, err);
    r->context = choice.context;
    r->numbers = c->kind == ROSTER_EXTERNAL ? q->probabilities : choice.numbers;
    r->n = numbers_of(c);
    return code;
}

/* With what probability production took the action; 0: nobody knows. */
static service_code find_propensity(const service_campaign *c, const service_sight *q, service_record *r,
                                    service_error *err)
{
    if (q->propensity != 0 && q->expert != UINT32_MAX)
        return service_fail(err, SERVICE_INVALID,
                            "both expert and propensity are given: give the expert that served, which says it, or the "
                            "propensity");
    if (!(q->propensity >= 0 && q->propensity <= 1))
        return service_fail(err, SERVICE_NOT_DISTRIBUTION, "propensity is %g, must be a probability above 0",
                            q->propensity);
    r->served = q->expert;
    r->propensity = q->propensity;
    if (q->expert == UINT32_MAX)
        return SERVICE_OK;
    r->propensity = probability(c, service_present(c), q->expert, r->context, r->action, r->numbers);
    if (r->propensity > 0)
        return SERVICE_OK;
    return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                        "expert %.60s never takes that action there, so it did not serve",
                        c->experts_names.table.names[q->expert]);
}

static bool is_same(const service_campaign *c, const service_event *event, const service_record *r)
{
    service_event other = {0};
    const double *kept = service_table_numbers(&c->table, event);
    service_event_mark(c, &other, r);
    for (size_t i = 0; i < r->n; i++)
        if (kept[i] != r->numbers[i])
            return false;
    return event->how == SERVICE_OBSERVED && event->action == other.action && event->context == other.context &&
           served_of(event) == r->served && event->propensity == r->propensity;
}

static void answer(const service_event *event, const service_record *r, service_seen *out)
{
    memcpy(out->id, r->text, r->text_size);
    out->id[r->text_size] = '\0';
    out->episode = event->episode;
    out->would = event->expert >> 16;
    out->usable = event->propensity > 0;
}

static service_code observe_new(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_code code = service_limits_decide(self, c, err);
    if (code != SERVICE_OK)
        return code;
    r->episode = service_present(c)->number;
    r->expert = service_watch_choice(service_present(c)->shadow, c);
    r->how = SERVICE_OBSERVED;
    r->flag = service_was_forgotten(c, r->key);
    return service_do(self, r, err);
}

service_code service_observe(service *self, service_campaign *c, const service_sight *q, int64_t now, service_seen *out,
                             service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_OBSERVED, .campaign = c->number, .at = service_clock(self, now)};
    service_event *event = NULL;
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK)
        code = check_mode(c, err);
    if (code == SERVICE_OK)
        code = service_key_find(c, q->request.id, q->request.id_size, r.at, &r.key, &event, err);
    if (code == SERVICE_OK && r.key.b == 0)
        code = service_fail(err, SERVICE_INVALID, "event_id is a number of the service: choose one of your own");
    r.text = q->request.id;
    r.text_size = q->request.id_size;
    if (code == SERVICE_OK)
        code = check_context(c, q, &r, err);
    if (code == SERVICE_OK)
        code = service_find_action(c, q->action, q->action_size, &r, err);
    if (code == SERVICE_OK)
        code = find_propensity(c, q, &r, err);
    if (code == SERVICE_OK && event != NULL && !is_same(c, event, &r))
        code = service_fail(err, SERVICE_CONFLICT, "event_id %.*s was observed or decided otherwise before",
                            (int)r.text_size, r.text);
    out->repeated = event != NULL;
    if (code == SERVICE_OK && event == NULL)
        code = observe_new(self, c, &r, err);
    if (code != SERVICE_OK)
        return code;
    answer(event != NULL ? event : service_table_at(&c->table, c->table.end - 1), &r, out);
    if (!out->repeated)
        service_tidy(self, c, r.at);
    return SERVICE_OK;
}

/* ---- the record ---- */

static service_code check_record(service *self, const service_campaign *c, const service_record *r, service_error *err)
{
    service_error wrong;
    if (!c->shadow || r->episode != service_present(c)->number)
        return service_differs(self, "episode", err, "is %u, which watches nothing", r->episode);
    if (r->expert >= c->n || (r->served >= c->n && r->served != UINT32_MAX))
        return service_differs(self, "expert", err, "is %u, must be below %zu", r->expert, c->n);
    if (c->open ? r->action != 0 || !service_is_action(r->label, r->label_size)
                : r->action >= c->v || r->label_size > 0)
        return service_differs(self, "action", err, "is none of the campaign's");
    if (r->n != numbers_of(c) || (c->kind == ROSTER_TABLES ? r->context >= c->x : r->context != 0) ||
        (c->kind == ROSTER_EXTERNAL && service_check_numbers(c, r->numbers, r->n, &wrong) != SERVICE_OK))
        return service_differs(self, "context", err, "is none of the campaign's");
    if (!(r->propensity >= 0 && r->propensity <= 1) || r->how != SERVICE_OBSERVED)
        return service_differs(self, "propensity", err, "is %g, must be a probability", r->propensity);
    if (service_event_find(c, r->key, r->at) != NULL)
        return service_differs(self, "event_id", err, "was decided before");
    return SERVICE_OK;
}

static service_code verify(service *self, const service_campaign *c, const service_record *r, service_error *err)
{
    const service_episode_state *e = service_present(c);
    uint32_t would = service_watch_choice(e->shadow, c);
    service_key key;
    service_code code = service_key_make(&key, c->draws, r->text, r->text_size, err);
    if (code != SERVICE_OK || !service_key_equal(key, r->key))
        return service_differs(self, "event_id", err, "does not fit its hash");
    if (would != r->expert)
        return service_differs(self, "expert", err, "is %u, must be %u", r->expert, would);
    if (r->flag != service_was_forgotten(c, r->key))
        return service_differs(self, "repeated", err, "is %u, must be %d", r->flag, !r->flag);
    if (r->served != UINT32_MAX && r->propensity != probability(c, e, r->served, r->context, r->action, r->numbers))
        return service_differs(self, "propensity", err, "is %.17g, which is not that of the expert", r->propensity);
    return SERVICE_OK;
}

service_code service_apply_observed(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_table *t = &c->table;
    service_code code = check_record(self, c, r, err);
    if (code == SERVICE_OK && self->verify)
        code = verify(self, c, r, err);
    if (code != SERVICE_OK)
        return code;
    if (!service_table_reserve(t) || !service_forgotten_reserve(&c->forgotten, t->end - t->tail + 1))
        return service_no_memory(err);
    service_forget(c, r->at);
    service_forget_down_to(c, c->rules.events_most - 1);
    service_event *event = service_table_push(t, r->key);
    event->decision = r->number;
    event->at = r->at;
    event->episode = r->episode;
    event->how = r->how;
    event->propensity = r->propensity;
    event->expert = both(r->expert, r->served);
    service_event_mark(c, event, r);
    for (size_t i = 0; i < r->n; i++)
        service_table_numbers(t, event)[i] = r->numbers[i];
    service_present(c)->open++;
    c->counts.open++;
    c->counts.observed++;
    c->counts.forgotten += r->flag != 0;
    service_retain_count(&c->retain, r->number);
    service_watch_count(service_present(c)->shadow, r->expert, r->propensity > 0);
    return SERVICE_OK;
}

service_code service_learn_observed(service_campaign *c, service_episode_state *e, const service_event *event,
                                    double reward, service_error *err)
{
    const double *numbers = service_table_numbers(&c->table, event);
    double *pi = service_watch_room(e->shadow);
    roster_error wrong;
    if (service_watch_prepare(e->shadow, c, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_DAMAGED, err);
    service_code code = SERVICE_OK;
    if (served_of(event) != UINT32_MAX)
        code = service_learn(c, e, event, served_of(event), reward, err);
    if (code != SERVICE_OK)
        return code;
    for (uint32_t k = 0; k < c->n; k++)
        pi[k] = probability(c, e, k, event->context, event->action, numbers);
    return service_watch_learn(e->shadow, c, event->propensity, reward, &wrong) == ROSTER_OK
               ? SERVICE_OK
               : service_pass(&wrong, SERVICE_DAMAGED, err);
}
