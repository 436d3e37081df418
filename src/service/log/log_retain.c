/*
 * log_retain.c: how long a campaign's records are kept, and records that are dropped.
 *
 *   "retain": {"days": d}      records are kept for d days
 *   "retain": {"events": n}    those of the last n decisions, and a sixteenth more, are kept
 *
 * A campaign without it keeps everything, and with it all records of the log from its first on; an archived one holds
 * nothing back. The decision of an open event is always kept. What may be dropped is dropped only when its effect is in
 * a snapshot; a drop record says up to where, and what the head of the log was there, so that the cut can be checked.
 *
 *   marks      the record of every stride-th decision, stride = n / 16 + 1, for as long as it can be asked for
 *
 * Paper: none.
 * Check: tests/http/retention.py.
 */
#include "service_internal.h"

#include <string.h>

int service_retain_read(service_retain *self, const common_node *at, roster_error *err)
{
    static const char *const known[] = {"days", "events", NULL};
    common_node days = common_key(at, "days"), events = common_key(at, "events");
    double length = 0;
    *self = (service_retain){0};
    if (at->json == NULL || json_is_null(at->json))
        return ROSTER_OK;
    int code = common_object(at, err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, err);
    if (code == ROSTER_OK && (days.json != NULL) == (events.json != NULL))
        code = common_fail_at(at, err, "must have either days or events");
    if (code == ROSTER_OK && events.json != NULL)
        return common_count(&events, 1, INT64_C(1) << 50, &self->events, err);
    if (code == ROSTER_OK)
        code = common_number_in(&days, 1e-6, 36500, &length, err);
    self->time = (int64_t)(length * 86400 * (double)SERVICE_MICRO);
    return code;
}

static uint64_t stride(const service_retain *self)
{
    return self->events / 16 + 1;
}

void service_retain_count(service_retain *self, uint64_t record)
{
    if (self->events == 0)
        return;
    if (self->decisions % stride(self) == 0)
        self->marks[self->decisions / stride(self) % SERVICE_MARKS] = record;
    self->decisions++;
}

/* The first record that the campaign keeps for the number of its events; 0: all; UINT64_MAX: none. */
static uint64_t first_kept(const service_campaign *c)
{
    const service_retain *self = &c->retain;
    if (self->decisions > self->events)
        return self->marks[(self->decisions - self->events) / stride(self) % SERVICE_MARKS];
    if (c->counts.decisions > self->decisions)
        return 0; /* there are some from before it was set, of which no record is marked */
    return self->decisions > 0 ? self->marks[0] : UINT64_MAX;
}

uint64_t service_retained(const service *self, int64_t now, int64_t *since)
{
    uint64_t first = UINT64_MAX;
    bool any = false;
    *since = INT64_MAX;
    for (size_t i = 0; i < self->n_campaigns; i++) {
        const service_campaign *c = self->campaigns[i];
        const service_retain *r = &c->retain;
        uint64_t kept = r->events > 0 ? first_kept(c) : UINT64_MAX;
        if (!c->freed && c->table.head < c->table.end) {
            uint64_t open = service_table_at(&c->table, c->table.head)->decision;
            first = open < first ? open : first;
        }
        if (c->archived)
            continue;
        if (r->events == 0 && r->time == 0)
            return 0;
        any = true;
        first = kept < first ? kept : first;
        if (r->time > 0)
            *since = now - r->time < *since ? now - r->time : *since;
    }
    return any ? first : 0;
}

uint64_t service_dropped(const service *self)
{
    return self->dropped;
}

service_code service_apply_drop(service *self, service_record *r, service_error *err)
{
    if (r->decision < self->dropped || r->decision >= r->number || r->text_size != STORE_HASH)
        return service_differs(self, "dropped", err, "is %llu, must be below its own and not below %llu",
                               (unsigned long long)r->decision, (unsigned long long)self->dropped);
    self->dropped = r->decision;
    return SERVICE_OK;
}

service_code service_drop(service *self, const store_cut *cut, int64_t now, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_DROP,
                        .at = service_clock(self, now),
                        .decision = cut->record,
                        .text = (const char *)cut->head,
                        .text_size = STORE_HASH};
    service_code code = service_ready(self, NULL, err);
    return code == SERVICE_OK ? service_do(self, &r, err) : code;
}
