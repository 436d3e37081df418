/*
 * log_set_back.c: time set back: a log that was written by a clock which was ahead goes on with the right time.
 *
 *   shift = time of the last record - new time
 *   an event after the new time began shift earlier; one before it, when it did; and none before the one ahead of it
 *
 * Paper: none.
 *
 * Windows last as long as they would have: of an event that was decided a minute ago by the wrong clock, all but a
 * minute is left. Events that were decided while the clock was right keep their time.
 *
 * Cost: one pass over the events that are open or remembered.
 * Check: tests/unit/test_service_set_back.c: windows_move_along.
 */
#include "service_internal.h"

int64_t service_now(const service *self)
{
    return self->now;
}

static void move_table(service_table *t, int64_t to, int64_t shift)
{
    int64_t before = INT64_MIN;
    for (uint64_t i = t->tail; i < t->end; i++) {
        service_event *event = service_table_at(t, i);
        event->at = event->at > to ? event->at - shift : event->at;
        event->at = event->at < before ? before : event->at;
        before = event->at;
    }
}

service_code service_apply_clock(service *self, service_record *r, service_error *err)
{
    if (r->shift <= 0 || r->at < 0 || self->now - r->at != r->shift)
        return service_differs(self, "shift", err, "is %lld, must be %lld", (long long)r->shift,
                               (long long)(self->now - r->at));
    for (size_t i = 0; i < self->n_campaigns; i++) {
        service_campaign *c = self->campaigns[i];
        if (c->freed)
            continue;
        move_table(&c->table, r->at, r->shift);
        move_table(&c->joined, r->at, r->shift);
        for (size_t e = 0; e < c->n_episodes; e++)
            c->episodes[e].at = c->episodes[e].at > r->at ? r->at : c->episodes[e].at;
        c->next = service_rules_next(&c->rules, r->at);
    }
    return SERVICE_OK;
}

service_code service_set_back(service *self, int64_t to, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_CLOCK, .at = to < 0 ? 0 : to};
    service_code code = service_ready(self, NULL, err);
    if (code != SERVICE_OK)
        return code;
    r.shift = self->now - r.at;
    if (r.shift <= 0)
        return service_fail(err, SERVICE_INVALID, "the last record is not in the future: there is nothing to set back");
    return service_do(self, &r, err);
}
