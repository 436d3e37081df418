/*
 * service.c: the life of a service: opened from a log, its batch handed to the store, its clock.
 *
 * Paper: none.
 * Check: tests/unit/test_service_replay.c, tests/unit/test_service_store.c.
 */
#include "service_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { TICK_MOST = 4096 }; /* campaigns that a tick looks at, with a pace */

service_code service_create(service **out, service_error *err)
{
    service *self = *out = calloc(1, sizeof *self);
    if (self != NULL) {
        self->snapshot_every = SERVICE_SNAPSHOT_RECORDS;
        self->scan = service_scan_create();
        self->pace = UINT64_MAX;
    }
    bool fits = self != NULL && self->scan != NULL;
    if (fits && getentropy(self->secret, sizeof self->secret) == 0)
        return SERVICE_OK;
    if (self != NULL)
        service_scan_free(self->scan);
    free(self);
    *out = NULL;
    return fits ? service_fail(err, SERVICE_STORE, "the system provides no random numbers") : service_no_memory(err);
}

void service_free(service *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < self->n_campaigns; i++)
        service_campaign_free(self->campaigns[i]);
    for (size_t i = 0; i < self->n_rosters; i++)
        service_roster_free(self->rosters[i]);
    free(self->campaigns);
    free(self->rosters);
    name_table_free(&self->by_name);
    free(self->batch.data);
    free(self->frozen.data);
    service_parts_free(&self->parts);
    service_scan_free(self->scan);
    service_menu_free(&self->menu);
    free(self);
}

/* Whether a snapshot stands for records that are gone. Another of an earlier form is passed over: replaying what it
   stands for gives what that form does not have. */
static bool serves(const store *log, uint64_t number, const void *bytes, size_t size)
{
    return service_snapshot_is_current(bytes, size) || number == store_cut_of(log)->snapshot;
}

/* From the newest snapshot that can be read; one that cannot is passed over for the one before. */
static service_code restore(service **self, store *log, service_error *err)
{
    uint64_t most = store_last(log), number;
    bool found = true;
    while (found) {
        void *bytes;
        size_t size;
        roster_error wrong;
        if (store_snapshot_get(log, most, &number, &bytes, &size, &found, &wrong) != ROSTER_OK)
            return service_pass(&wrong, SERVICE_STORE, err);
        if (!found)
            break;
        service_code code =
            serves(log, number, bytes, size) ? service_restore(*self, bytes, size, err) : SERVICE_DAMAGED;
        free(bytes);
        if (code == SERVICE_OK && (*self)->last == number) {
            (*self)->committed = (*self)->snapshot = number;
            return SERVICE_OK;
        }
        service_free(*self);
        *self = NULL;
        if (code == SERVICE_MEMORY || service_create(self, err) != SERVICE_OK)
            return service_no_memory(err);
        most = number - 1;
    }
    return SERVICE_OK;
}

static service_code replay(service *self, store *log, bool (*progress)(void *context, uint64_t records), void *context,
                           service_error *err)
{
    service_code code = SERVICE_OK;
    bool found = true;
    while (code == SERVICE_OK && found) {
        store_row row;
        roster_error wrong;
        if (store_read(log, self->last + 1, &row, &found, &wrong) != ROSTER_OK)
            return service_pass(&wrong, SERVICE_STORE, err);
        if (found)
            code = service_replay_row(self, &row, self->last + 1, err);
        if (code == SERVICE_OK && progress != NULL && !progress(context, self->last))
            code = service_fail(err, SERVICE_STORE, "opening was stopped");
    }
    self->committed = self->last;
    return code;
}

service_code service_open(service **out, store *log, service_error *err)
{
    return service_open_watched(out, log, NULL, NULL, err);
}

service_code service_open_watched(service **out, store *log, bool (*progress)(void *context, uint64_t records),
                                  void *context, service_error *err)
{
    service_code code = service_create(out, err);
    if (code == SERVICE_OK && log != NULL)
        code = restore(out, log, err);
    if (code == SERVICE_OK && log != NULL)
        code = replay(*out, log, progress, context, err);
    if (code != SERVICE_OK) {
        service_free(*out);
        *out = NULL;
    }
    return code;
}

service_code service_follow(service *self, const store_row *row, service_error *err)
{
    if (service_pending(self) > 0)
        return service_fail(err, SERVICE_BUSY, "what is pending must be committed first");
    service_code code = service_replay_row(self, row, self->last + 1, err);
    self->committed = self->last;
    return code;
}

uint64_t service_last(const service *self)
{
    return self->last;
}

uint64_t service_pending(const service *self)
{
    return self->last - self->committed;
}

bool service_gathers(const service *self)
{
    return service_pending(self) > self->frozen_count;
}

size_t service_pending_bytes(const service *self)
{
    return self->batch.used + self->frozen.used;
}

bool service_failed(const service *self)
{
    return self->failed;
}

bool service_commit_begin(service *self, int64_t now, store_row *row)
{
    if (self->frozen.used == 0) {
        service_bytes empty = self->frozen;
        self->frozen = self->batch;
        self->batch = empty;
        self->frozen_count = self->last - self->committed;
    }
    *row = (store_row){.first = self->committed + 1,
                       .count = self->frozen_count,
                       .at = service_clock(self, now),
                       .records = self->frozen.data,
                       .size = self->frozen.used};
    return row->count > 0;
}

void service_commit_end(service *self, bool ok, const roster_error *why)
{
    self->failed = !ok;
    if (!ok) {
        snprintf(self->why, sizeof self->why, "%.400s", why != NULL ? why->msg : "");
        return;
    }
    self->committed += self->frozen_count;
    self->frozen_count = 0;
    service_bytes_clear(&self->frozen);
}

service_code service_commit(service *self, store *log, int64_t now, service_error *err)
{
    store_row row;
    service_code code = SERVICE_OK;
    while (code == SERVICE_OK && service_commit_begin(self, now, &row)) {
        roster_error wrong = {0};
        bool ok = store_append(log, &row, &wrong) == ROSTER_OK;
        service_commit_end(self, ok, &wrong);
        if (!ok)
            code = service_fail(err, SERVICE_STORE, "%s", wrong.msg);
    }
    return code;
}

bool service_snapshot_due(const service *self)
{
    return self->last - self->snapshot >= self->snapshot_every;
}

uint64_t service_snapshot_number(const service *self)
{
    return self->snapshot;
}

void service_snapshot_mark(service *self, uint64_t number)
{
    self->snapshot = number;
}

void service_snapshot_every(service *self, uint64_t records)
{
    self->snapshot_every = records;
}

service_code service_snapshot(service *self, store *log, service_error *err)
{
    void *bytes;
    size_t size;
    uint64_t number;
    roster_error wrong;
    service_code code = service_pending(self) == 0
                            ? service_snapshot_take(self, &bytes, &size, &number, err)
                            : service_fail(err, SERVICE_STORE, "a snapshot must wait for the commit of its records");
    if (code != SERVICE_OK)
        return code;
    if (store_snapshot_put(log, number, bytes, size, &wrong) != ROSTER_OK)
        code = service_fail(err, SERVICE_STORE, "%s", wrong.msg);
    free(bytes);
    return code;
}

void service_pace(service *self, uint64_t microseconds)
{
    self->pace = microseconds < UINT64_MAX / 1000 ? 1000 * microseconds : UINT64_MAX;
}

static service_code tick_one(service *self, service_campaign *c, int64_t now, service_error *err)
{
    if (c->freed)
        return SERVICE_OK;
    if (c->archived)
        return service_archive_on(self, c, now, err);
    service_reason why;
    service_code code = service_close_due(self, c, now, err);
    bool late = service_episode_is_due(c, now, &why) && !service_episode_fits(self, c);
    if (code == SERVICE_OK && (late || service_episode_waits(c)))
        return service_close_early(self, c, c->episodes[0].open, SERVICE_CLOSE_EARLY, now, err);
    return code == SERVICE_OK && now >= c->next ? service_episode_start(self, c, SERVICE_SCHEDULED, now, NULL, err)
                                                : code;
}

service_code service_tick(service *self, int64_t now, uint64_t *records, service_error *err)
{
    uint64_t before = self->last;
    size_t most = self->pace == UINT64_MAX || self->n_campaigns < TICK_MOST ? self->n_campaigns : TICK_MOST;
    service_code code = service_ready(self, NULL, err);
    now = service_clock(self, now);
    for (size_t i = 0; i < most && code == SERVICE_OK && self->pace > 0; i++) {
        self->ticked = self->ticked < self->n_campaigns ? self->ticked : 0;
        code = tick_one(self, self->campaigns[self->ticked++], now, err);
    }
    *records = self->last - before;
    return code;
}

int64_t service_next(const service *self)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < self->n_campaigns; i++) {
        const service_campaign *c = self->campaigns[i];
        if (c->freed)
            continue;
        if (c->archived)
            return self->now;
        next = c->next < next ? c->next : next;
        if (c->table.head < c->table.end) {
            int64_t window = service_table_at(&c->table, c->table.head)->at + c->rules.wait;
            next = window < next ? window : next;
        }
    }
    return next;
}

static void add(service_counts *to, const service_campaign *c)
{
    const service_counts *from = &c->counts;
    to->decisions += from->decisions;
    to->repeated += from->repeated;
    for (int i = 0; i <= SERVICE_FALLBACK; i++)
        to->how[i] += from->how[i];
    for (int i = 0; i < SERVICE_STATUSES; i++)
        to->rewards[i] += from->rewards[i];
    to->learnt += from->learnt;
    to->defaulted += from->defaulted;
    to->unlearnt += from->unlearnt;
    to->crowded += from->crowded;
    to->unacted += from->unacted;
    to->observed += from->observed;
    to->clipped += from->clipped;
    to->forgotten += from->forgotten;
    to->episodes += from->episodes;
    for (int i = 0; i < 2; i++)
        to->alarms[i] += from->alarms[i];
    to->open += from->open;
    to->remembered += c->table.end - c->table.tail - from->open;
    to->reward += from->reward;
}

void service_count(const service *self, const service_campaign *campaign, service_counts *out)
{
    *out = (service_counts){0};
    if (campaign != NULL)
        add(out, campaign);
    for (size_t i = 0; campaign == NULL && i < self->n_campaigns; i++)
        add(out, self->campaigns[i]);
}
