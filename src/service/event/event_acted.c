/*
 * event_acted.c: what an expert did that was chosen here and acts elsewhere.
 *
 *   choose     an expert, by the agent                                          the event waits
 *   acted      the action, and each expert's probability of it                  the event can be learnt
 *   reward     before or after that: what comes first waits for the other
 *
 * Paper: none.
 *
 * Agents and evidence need the experts' probabilities of the action taken and nothing else, so that is what is kept and
 * logged. The audit chooses the expert again; what it did, and what the others would have done, is the caller's word.
 *
 * The same again gives the former answer. Anything else about an event that has acted is refused: what was learnt of it
 * cannot be taken back. An event whose window ends while it waits teaches nothing, also where there is a default.
 *
 * Where the campaign lists no actions, 64 bits of a hash of the name stand for it in the table, in the places of action
 * and context; the name is in the record.
 *
 * Cost: that of finding the event and, where its reward is there, of learning.
 * Check: tests/unit/test_service_elsewhere.c.
 */
#include "service_internal.h"

#include "siphash.h"
#include "utf8.h"

#include <float.h>

/* The action as it stands in the table. */
typedef struct mark {
    uint32_t action, context;
} mark;

static mark mark_of(const service_campaign *c, uint32_t action, const char *label, size_t size)
{
    uint64_t hash[2];
    if (!c->open)
        return (mark){action, 0};
    siphash_bytes(c->draws, ~c->draws, label, size, hash);
    return (mark){(uint32_t)hash[0], (uint32_t)(hash[0] >> 32)};
}

/* Where the number of its acted record is; 0 where it was decided in one step. */
static double *record_of(const service_campaign *c, const service_event *event)
{
    return &service_table_numbers(&c->table, event)[c->n];
}

uint64_t service_event_record(const service_campaign *c, const service_event *event)
{
    double acted = c->kind == ROSTER_EXTERNAL ? *record_of(c, event) : 0;
    return acted > 0 ? (uint64_t)acted : event->decision;
}

bool service_is_action(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return size > 0 && size <= SERVICE_ID_MOST && utf8_is_valid(text, size);
}

service_code service_find_action(const service_campaign *c, const char *name, size_t size, service_record *r,
                                 service_error *err)
{
    if (c->open) {
        r->label = name;
        r->label_size = size;
        if (service_is_action(name, size))
            return SERVICE_OK;
        return service_fail(err, SERVICE_INVALID,
                            "action has %zu bytes, must have 1 to %d bytes of UTF-8 without control characters", size,
                            SERVICE_ID_MOST);
    }
    size_t a = name_table_find(&c->actions.table, name, size);
    if (a == SIZE_MAX)
        return service_fail(err, SERVICE_INVALID, "action is \"%.*s\", which campaign %s does not list",
                            (int)(size < 60 ? size : 60), name, c->name);
    r->action = (uint32_t)a;
    return SERVICE_OK;
}

void service_event_mark(const service_campaign *c, service_event *event, const service_record *r)
{
    mark action = mark_of(c, r->action, r->label, r->label_size);
    event->action = action.action;
    event->context = c->open ? action.context : r->context;
}

service_code service_check_numbers(const service_campaign *c, const double *pi, size_t n, service_error *err)
{
    if (pi == NULL || n != c->n)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "probabilities has %zu numbers, must have %zu: each expert's probability of the action", n,
                            c->n);
    for (size_t k = 0; k < n; k++)
        if (!(pi[k] == 0 || (pi[k] >= DBL_MIN && pi[k] <= 1)))
            return service_fail(err, SERVICE_NOT_DISTRIBUTION, "probabilities[%zu] is %g, must be a probability", k,
                                pi[k]);
    return SERVICE_OK;
}

/* The same of an expert that took the action. */
static service_code check_numbers(const service_campaign *c, const double *pi, size_t n, size_t chosen,
                                  service_error *err)
{
    service_code code = service_check_numbers(c, pi, n, err);
    if (code == SERVICE_OK && pi[chosen] == 0)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "probabilities[%zu] is 0, but expert %.60s was chosen and took the action", chosen,
                            c->experts_names.table.names[chosen]);
    return code;
}

/* What is kept of an event that has acted is what is told again. */
static bool is_same(const service_campaign *c, const service_event *event, mark action, const double *pi)
{
    const double *kept = service_table_numbers(&c->table, event);
    for (size_t k = 0; k < c->n; k++)
        if (kept[k] != pi[k])
            return false;
    return event->action == action.action && event->context == action.context;
}

bool service_event_did(const service_campaign *c, const service_event *event, const char *action, size_t size)
{
    size_t a = c->open ? 0 : name_table_find(&c->actions.table, action, size);
    mark is = mark_of(c, (uint32_t)a, action, size);
    return event->action == is.action && event->context == is.context;
}

static service_code is_over(const service_deed *q, service_error *err)
{
    return service_fail(err, SERVICE_OVER, "the time to wait for event %.*s is over: nothing changed", (int)q->id_size,
                        q->id);
}

static service_code not_known(const service_campaign *c, service_key key, const service_deed *q, service_error *err)
{
    if (service_was_forgotten(c, key))
        return is_over(q, err);
    return service_fail(err, SERVICE_NO_EVENT, "campaign %s knows no event %.*s: choose first", c->name,
                        (int)q->id_size, q->id);
}

/* The event, its action, and that the probabilities fit its expert. */
static service_code find_event(const service_campaign *c, const service_deed *q, service_record *r,
                               service_event **event, service_error *err)
{
    service_code code = service_key_find(c, q->id, q->id_size, r->at, &r->key, event, err);
    if (code == SERVICE_OK && *event == NULL)
        code = not_known(c, r->key, q, err);
    if (code == SERVICE_OK)
        code = service_find_action(c, q->action, q->action_size, r, err);
    if (code == SERVICE_OK && (*event)->how == SERVICE_OBSERVED)
        code = service_fail(err, SERVICE_CONFLICT, "event_id %.*s was observed, not chosen", (int)q->id_size, q->id);
    return code == SERVICE_OK ? check_numbers(c, q->probabilities, q->n, (*event)->expert, err) : code;
}

static service_code admit(const service_campaign *c, const service_deed *q, const service_record *r,
                          const service_event *event, bool *repeated, service_error *err)
{
    *repeated = false;
    if (event->waits && !event->settled && event->at + c->rules.wait > r->at)
        return SERVICE_OK;
    if (event->waits)
        return is_over(q, err);
    *repeated = is_same(c, event, mark_of(c, r->action, r->label, r->label_size), q->probabilities);
    if (*repeated)
        return SERVICE_OK;
    return service_fail(err, SERVICE_CONFLICT, "event_id %.*s acted before, with another action or other probabilities",
                        (int)q->id_size, q->id);
}

service_code service_acted(service *self, service_campaign *c, const service_deed *q, int64_t now, double *propensity,
                           bool *repeated, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_ACTED, .campaign = c->number, .raw = NAN, .reward = NAN};
    service_event *event = NULL;
    service_code code = service_ready(self, c, err);
    r.at = service_clock(self, now);
    if (code == SERVICE_OK && c->kind != ROSTER_EXTERNAL)
        code = service_fail(err, SERVICE_INVALID, "campaign %s evaluates its experts itself: use decide", c->name);
    if (code == SERVICE_OK)
        code = find_event(c, q, &r, &event, err);
    if (code == SERVICE_OK)
        code = admit(c, q, &r, event, repeated, err);
    if (code != SERVICE_OK)
        return code;
    *propensity = q->probabilities[event->expert];
    if (*repeated)
        return SERVICE_OK;
    bool settles = event->rewarded && !c->rules.at_close;
    r.text = q->id;
    r.text_size = q->id_size;
    r.decision = event->decision;
    r.expert = event->expert;
    r.propensity = *propensity;
    r.numbers = q->probabilities;
    r.n = q->n;
    r.raw = settles ? event->raw : NAN;
    r.reward = settles ? service_taught(c, event, event->raw) : NAN;
    r.flag = (uint8_t)(isnan(r.reward) ? 0 : 1);
    code = service_do(self, &r, err);
    service_error later; /* what fails for lack of memory is done next time */
    if (code == SERVICE_OK)
        service_close_due(self, c, r.at, &later);
    return code;
}

/* ---- the record ---- */

static bool same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static service_code check_record(service *self, const service_campaign *c, const service_record *r,
                                 const service_event *event, service_error *err)
{
    service_error wrong;
    if (event == NULL || !event->waits || event->settled)
        return service_differs(self, "event_id", err, "is of no event that waits for what its expert did");
    if (r->decision != event->decision)
        return service_differs(self, "decision", err, "is %llu, must be %llu", (unsigned long long)r->decision,
                               (unsigned long long)event->decision);
    if (r->expert != event->expert)
        return service_differs(self, "expert", err, "is %u, must be %u", r->expert, event->expert);
    if (c->open ? r->action != 0 || !service_is_action(r->label, r->label_size)
                : r->action >= c->v || r->label_size > 0)
        return service_differs(self, "action", err, "is none of the campaign's");
    if (check_numbers(c, r->numbers, r->n, r->expert, &wrong) != SERVICE_OK)
        return service_differs(self, "probabilities", err, "are wrong: %.160s", wrong.msg);
    if (r->propensity != r->numbers[r->expert])
        return service_differs(self, "propensity", err, "is %.17g, must be %.17g", r->propensity,
                               r->numbers[r->expert]);
    return SERVICE_OK;
}

static service_code verify(service *self, const service_campaign *c, const service_record *r,
                           const service_event *event, service_error *err)
{
    bool settles = event->rewarded && !c->rules.at_close;
    double raw = settles ? event->raw : NAN, reward = settles ? service_taught(c, event, raw) : NAN;
    service_key key = r->key;
    service_code code = r->key.b != 0 ? service_key_make(&key, c->draws, r->text, r->text_size, err) : SERVICE_OK;
    if (code != SERVICE_OK || !service_key_equal(key, r->key))
        return service_differs(self, "event_id", err, "does not fit its hash");
    if (event->at + c->rules.wait <= r->at)
        return service_differs(self, "at", err, "is after the window of decision %llu ended",
                               (unsigned long long)r->decision);
    if (!same(r->raw, raw) || !same(r->reward, reward))
        return service_differs(self, "reward", err, "is %.17g, must be %.17g", r->reward, reward);
    return SERVICE_OK;
}

/* The event as it is afterwards; `to` false: as it was before. */
static void set(service_campaign *c, service_event *event, const service_record *r, bool to)
{
    mark action = to ? mark_of(c, r->action, r->label, r->label_size) : (mark){0, 0};
    double *kept = service_table_numbers(&c->table, event);
    event->waits = !to;
    *record_of(c, event) = to ? (double)r->number : 0;
    event->action = action.action;
    event->context = action.context;
    event->propensity = to ? r->propensity : 0;
    for (size_t k = 0; k < c->n; k++)
        kept[k] = to ? r->numbers[k] : 0;
}

service_code service_apply_acted(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_event *event = service_event_find(c, r->key, r->at);
    service_code code = check_record(self, c, r, event, err);
    if (code == SERVICE_OK && self->verify)
        code = verify(self, c, r, event, err);
    if (code != SERVICE_OK)
        return code;
    set(c, event, r, true);
    if (event->rewarded && !c->rules.at_close)
        code = service_settle(c, event, r->reward, err);
    if (code != SERVICE_OK) {
        set(c, event, r, false);
        return code;
    }
    service_advance(c);
    service_forget(c, r->at);
    if (c->n_episodes > 1)
        service_episode_sweep(c);
    return SERVICE_OK;
}
