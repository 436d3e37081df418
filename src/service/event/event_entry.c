/*
 * event_entry.c: decide and reward as JSON in, JSON out.
 *
 * Paper: none.
 *
 * A body is read as a whole before anything is done. Items of a list are then taken in order; one that is refused says
 * so in its place, and the others go on.
 *
 * Cost: scanning, deciding, and 120 letters of answer per item.
 * Check: tests/unit/test_service_parts.c: bodies_are_answered.
 */
#include "service_internal.h"

#include <string.h>

static service_code check_item(const service_campaign *c, const service_item *item, service_error *err)
{
    bool tables = c->kind == ROSTER_TABLES, numbers = item->numbers != SIZE_MAX;
    if (tables && !item->has_context && !numbers && c->x > 1)
        return service_fail(err, SERVICE_INVALID, "'context' is missing: campaign %s decides by context", c->name);
    if (!tables && item->has_context)
        return service_fail(err, SERVICE_INVALID, "'context' is given, but campaign %s decides by %s", c->name,
                            c->kind == ROSTER_SOFTMAX ? "features" : "probabilities");
    return SERVICE_OK;
}

static void put_decision(common_text *out, const service_campaign *c, const service_decision *d)
{
    common_put(out, "{\"event_id\":", 12);
    common_put_string(out, d->id);
    common_put(out, ",\"episode\":", 11);
    common_put_count(out, d->episode);
    common_put(out, ",\"expert\":", 10);
    common_put_text(out, c->experts_names.quoted[d->expert]);
    common_put(out, ",\"action\":", 10);
    common_put_text(out, c->actions.quoted[d->action]);
    common_put(out, ",\"propensity\":", 14);
    common_put_number(out, d->propensity);
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

static service_code decide_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                common_text *out, service_error *err)
{
    service_decision d;
    service_code code = check_item(c, item, err);
    if (code == SERVICE_OK)
        code = service_decide(self, c, &item->request, now, &d, err);
    if (code == SERVICE_OK)
        put_decision(out, c, &d);
    return code;
}

static void put_status(common_text *out, const char *id, size_t size, service_status status, bool clipped)
{
    static const char *const words[SERVICE_STATUSES] = {
        [SERVICE_DUPLICATE] = "the event's reward was counted before: nothing changed",
        [SERVICE_LATE] = "the time to wait for the event's reward is over",
        [SERVICE_UNKNOWN] = "the service knows no event with this event_id",
        [SERVICE_OUT_OF_RANGE] = "the reward is not in the campaign's range"};
    common_put_text(out, "{\"event_id\":\"");
    for (size_t i = 0; i < size; i++) {
        if (id[i] == '"' || id[i] == '\\')
            common_put(out, "\\", 1);
        common_put(out, id + i, 1);
    }
    common_put_text(out, "\",\"status\":\"");
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

/* One item, or all of a list with what is wrong in its place. */
static service_code do_items(service *self, service_campaign *c, bool rewards, int64_t now, common_text *out,
                             service_status *status, service_error *err)
{
    const service_scan *s = self->scan;
    service_code code = SERVICE_OK;
    if (s->list)
        common_put(out, "[", 1);
    for (size_t i = 0; i < s->n; i++) {
        if (i > 0)
            common_put(out, ",", 1);
        code = rewards ? reward_item(self, c, &s->items[i], now, out, status, err)
                       : decide_item(self, c, &s->items[i], now, out, err);
        if (code != SERVICE_OK && s->list)
            service_put_refusal(out, service_code_word(err->code), err->msg);
    }
    if (s->list)
        common_put(out, "]", 1);
    return s->list ? SERVICE_OK : code;
}

service_code service_decide_json(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_error *err)
{
    service_status status;
    service_error local;
    err = err != NULL ? err : &local;
    *items = 0;
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK)
        code = service_scan_decide(self->scan, body, size, err);
    if (code != SERVICE_OK)
        return code;
    *items = self->scan->n;
    return do_items(self, c, false, now, out, &status, err);
}

service_code service_reward_json(service *self, service_campaign *c, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_status *status, service_error *err)
{
    service_error local;
    err = err != NULL ? err : &local;
    *items = 0;
    *status = SERVICE_JOINED;
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK)
        code = service_scan_reward(self->scan, body, size, err);
    if (code != SERVICE_OK)
        return code;
    *items = self->scan->n;
    return do_items(self, c, true, now, out, status, err);
}
