/*
 * event_entry.c: decide, reward, choose, acted and observed as JSON in, JSON out.
 *
 * Paper: none.
 *
 * A body is read as a whole before anything is done. Items of a list are then taken in order; one that is refused says
 * so in its place, and the others go on. A list may be done in slices: what was read is not kept meanwhile, so that a
 * list that waits takes no memory; the items of the next slice are read again, from the byte where it stopped.
 *
 * Cost: scanning, deciding, and 120 letters of answer per item.
 * Check: tests/unit/test_service_parts.c: bodies_are_answered; tests/unit/test_service_lists.c.
 */
#include "service_internal.h"

#include <string.h>

static service_code check_item(const service_campaign *c, const service_item *item, service_error *err)
{
    bool tables = c->kind == ROSTER_TABLES, numbers = item->numbers != SIZE_MAX;
    if (c->kind != ROSTER_EXTERNAL && (item->has_actions || (item->has_probabilities && !numbers)))
        return service_fail(err, SERVICE_INVALID,
                            "campaign %s evaluates its experts itself: leave actions and probabilities out", c->name);
    if (tables && !item->has_context && !numbers && c->x > 1)
        return service_fail(err, SERVICE_INVALID, "'context' is missing: campaign %s decides by context", c->name);
    if (!tables && item->has_context)
        return service_fail(err, SERVICE_INVALID, "'context' is given, but campaign %s decides by %s", c->name,
                            c->kind == ROSTER_SOFTMAX ? "features" : "probabilities");
    return SERVICE_OK;
}

void service_put_chosen(common_text *out, const service_campaign *c, const service_decision *d)
{
    common_put(out, "{\"event_id\":", 12);
    common_put_string(out, d->id);
    common_put(out, ",\"episode\":", 11);
    common_put_count(out, d->episode);
    common_put(out, ",\"expert\":", 10);
    common_put_text(out, c->experts_names.quoted[d->expert]);
}

void service_put_how(common_text *out, const service_decision *d)
{
    if (d->how != SERVICE_AGENT) {
        common_put(out, ",\"how\":", 7);
        common_put_string(out, service_how_word(d->how));
    }
    if (d->repeated)
        common_put(out, ",\"repeated\":true", 16);
    else if (d->forgotten)
        common_put_text(out, ",\"repeated\":\"forgotten\"");
    common_put(out, "}", 1);
}

static void put_decision(common_text *out, const service_campaign *c, const service_decision *d)
{
    service_put_chosen(out, c, d);
    common_put(out, ",\"action\":", 10);
    common_put_text(out, c->actions.quoted[d->action]);
    common_put(out, ",\"propensity\":", 14);
    common_put_number(out, d->propensity);
    service_put_how(out, d);
}

static service_code decide_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                common_text *out, service_error *err)
{
    service_decision d;
    bool matrix = item->numbers != SIZE_MAX && !item->has_actions && !c->open;
    service_code code = check_item(c, item, err);
    if (code == SERVICE_OK)
        code = service_ready(self, c, err); /* it may have been archived since the list began */
    if (code == SERVICE_OK && c->kind == ROSTER_EXTERNAL && item->has_probabilities && !matrix)
        return service_menu_item(self, c, item, now, out, err);
    if (code == SERVICE_OK)
        code = service_decide(self, c, &item->request, now, &d, err);
    if (code == SERVICE_OK)
        put_decision(out, c, &d);
    return code;
}

void service_put_id(common_text *out, const char *id, size_t size)
{
    common_put_text(out, "{\"event_id\":\"");
    for (size_t i = 0; i < size; i++) {
        if (id[i] == '"' || id[i] == '\\')
            common_put(out, "\\", 1);
        common_put(out, id + i, 1);
    }
    common_put_text(out, "\"");
}

static void put_status(common_text *out, const char *id, size_t size, service_status status, bool clipped)
{
    static const char *const words[SERVICE_STATUSES] = {
        [SERVICE_DUPLICATE] = "the event's reward was counted before: nothing changed",
        [SERVICE_LATE] = "the time to wait for the event's reward is over",
        [SERVICE_UNKNOWN] = "the service knows no event with this event_id",
        [SERVICE_OUT_OF_RANGE] = "the reward is not in the campaign's range"};
    service_put_id(out, id, size);
    common_put_text(out, ",\"status\":\"");
    common_put_text(out, service_status_word(status));
    common_put_text(out, clipped ? "\",\"clipped\":true" : "\"");
    if (words[status] != NULL) {
        common_put_text(out, ",\"message\":");
        common_put_string(out, words[status]);
    }
    common_put_text(out, "}");
}

static service_code reward_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                common_text *out, service_status *status, service_error *err)
{
    const service_request *q = &item->request;
    bool clipped = false;
    if (q->id == NULL || !item->has_reward)
        return service_fail(err, SERVICE_INVALID, "'%s' is missing: a reward needs both event_id and reward",
                            q->id == NULL ? "event_id" : "reward");
    service_code code = service_reward_once(self, c, q->id, q->id_size, item->reward_id, item->reward_id_size,
                                            item->reward, now, status, &clipped, err);
    if (code == SERVICE_OK)
        put_status(out, q->id, q->id_size, *status, clipped);
    return code;
}

/* ---- bodies ---- */

enum { AT_ONCE = 64 }; /* items that are read again when a list goes on */

typedef struct entry {
    service *self;
    service_campaign *campaign;
    service_call call;
    int64_t now;
    service_slice *slice;
    common_text *out;
    size_t *items;
    service_status *status; /* of the last reward */
    service_error *err;
} entry;

static service_code do_item(const entry *e, const service_item *item)
{
    ++*e->items;
    switch (e->call) {
    case SERVICE_CALL_REWARD:
        return reward_item(e->self, e->campaign, item, e->now, e->out, e->status, e->err);
    case SERVICE_CALL_CHOOSE:
        return service_choose_item(e->self, e->campaign, item, e->now, e->out, e->err);
    case SERVICE_CALL_OBSERVED:
        return service_observed_item(e->self, e->campaign, item, e->now, e->out, e->err);
    case SERVICE_CALL_ACTED:
        return service_acted_item(e->self, e->campaign, item, e->now, e->out, e->err);
    default:
        return decide_item(e->self, e->campaign, item, e->now, e->out, e->err);
    }
}

/* Items after which a slice is asked whether it is over: where they take less than that takes, not after each. */
static size_t between_looks(const service_campaign *c)
{
    return 1 + 128 / (c->n + c->v + c->d);
}

/* The items that were read from a list, with what is wrong in its place; true: the slice ends before the last. */
static bool do_items(const entry *e)
{
    const service_scan *s = e->self->scan;
    service_slice *slice = e->slice;
    size_t every = between_looks(e->campaign);
    for (size_t i = 0; i < s->n; i++) {
        bool last = i + 1 == s->n && !s->more;
        if (do_item(e, &s->items[i]) != SERVICE_OK)
            service_put_refusal(e->out, service_code_word(e->err->code), e->err->msg);
        common_put(e->out, last ? "]" : ",", 1);
        slice->at = last ? 0 : (size_t)((i + 1 < s->n ? s->items[i + 1].from : s->at) - s->start);
        if (!last && slice->is_over != NULL && i % every == every - 1 && slice->is_over(slice->context))
            return true;
    }
    return false;
}

/* One item, or a list from its begin. */
static service_code do_body(const entry *e, const char *body, size_t size)
{
    service_scan *s = e->self->scan;
    service_code code = service_ready(e->self, e->campaign, e->err);
    if (code == SERVICE_OK)
        code = service_scan_call(s, e->call, body, size, e->err);
    if (code != SERVICE_OK || !s->list)
        return code != SERVICE_OK ? code : do_item(e, &s->items[0]);
    common_put_text(e->out, s->n > 0 ? "[" : "[]");
    do_items(e);
    return SERVICE_OK;
}

static service_code do_slice(const entry *e, const char *body, size_t size)
{
    service_slice *slice = e->slice;
    service_code code = SERVICE_OK;
    bool over = false;
    *e->items = 0;
    if (slice->at == 0)
        return do_body(e, body, size);
    while (code == SERVICE_OK && slice->at > 0 && !over) {
        code = service_scan_on(e->self->scan, e->call, body, size, slice->at, AT_ONCE, e->err);
        over = code == SERVICE_OK && do_items(e);
    }
    return code;
}

service_code service_call_slice(service *self, service_campaign *c, service_call call, const char *body, size_t size,
                                int64_t now, service_slice *slice, common_text *out, size_t *items, service_error *err)
{
    service_status status;
    entry e = {self, c, call, now, slice, out, items, &status, err};
    return do_slice(&e, body, size);
}

service_code service_decide_slice(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                  service_slice *slice, common_text *out, size_t *items, service_error *err)
{
    return service_call_slice(self, c, SERVICE_CALL_DECIDE, body, size, now, slice, out, items, err);
}

service_code service_reward_slice(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                  service_slice *slice, common_text *out, size_t *items, service_status *status,
                                  service_error *err)
{
    entry e = {self, c, SERVICE_CALL_REWARD, now, slice, out, items, status, err};
    *status = SERVICE_JOINED;
    return do_slice(&e, body, size);
}

service_code service_decide_json(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_error *err)
{
    service_slice all = {0};
    service_error local;
    return service_decide_slice(self, c, body, size, now, &all, out, items, err != NULL ? err : &local);
}

service_code service_reward_json(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_status *status, service_error *err)
{
    service_slice all = {0};
    service_error local;
    return service_reward_slice(self, c, body, size, now, &all, out, items, status, err != NULL ? err : &local);
}
