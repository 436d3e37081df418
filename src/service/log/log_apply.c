/*
 * log_apply.c: the one way in which the state changes: records, applied.
 *
 * Paper: none.
 * Check: a replayed log gives the state of the service that wrote it, byte for byte
 *        (tests/unit/test_service_replay.c: replay_equals_live).
 */
#include "log_erase.h"

int64_t service_clock(service *self, int64_t now)
{
    const int64_t most = INT64_C(1) << 61; /* sums of times stay numbers */
    now = now < 0 ? 0 : now > most ? most : now;
    return now > self->now ? now : self->now;
}

service_code service_ready(const service *self, const service_campaign *c, service_error *err)
{
    if (self->failed)
        return service_fail(err, SERVICE_STORE, "the log cannot be written, so nothing is accepted: %s", self->why);
    if (c != NULL && c->archived)
        return service_fail(err, SERVICE_ARCHIVED, "campaign %s is archived: it takes no more requests", c->name);
    return SERVICE_OK;
}

service_code service_differs(service *self, const char *field, service_error *err, const char *format, ...)
{
    char words[300];
    va_list args;
    va_start(args, format);
    common_vformat(words, sizeof words, format, args);
    va_end(args);
    self->field = field;
    return service_fail(err, SERVICE_DAMAGED, "%s %s", field, words);
}

/* Of an archived campaign only windows that are still open can be closed, and events erased. */
static bool takes(const service_campaign *c, service_kind kind)
{
    bool ends = kind == SERVICE_RECORD_CLOSE || kind == SERVICE_RECORD_ARCHIVE;
    return !c->archived || (!c->freed && ends) || kind == SERVICE_RECORD_ERASE;
}

typedef service_code (*apply_campaign)(service *self, service_campaign *c, service_record *record, service_error *err);

service_code service_apply(service *self, service_record *record, service_error *err)
{
    static const apply_campaign kinds[SERVICE_KINDS] = {
        [SERVICE_RECORD_ARCHIVE] = service_apply_archive, [SERVICE_RECORD_DECIDE] = service_apply_decide,
        [SERVICE_RECORD_REWARD] = service_apply_reward,   [SERVICE_RECORD_CLOSE] = service_apply_close,
        [SERVICE_RECORD_EPISODE] = service_apply_episode, [SERVICE_RECORD_CONTROL] = service_apply_control,
        [SERVICE_RECORD_ERASE] = service_apply_erase,     [SERVICE_RECORD_CHOOSE] = service_apply_decide,
        [SERVICE_RECORD_ACTED] = service_apply_acted,     [SERVICE_RECORD_OBSERVED] = service_apply_observed,
        [SERVICE_RECORD_EXPERTS] = service_apply_experts};
    service_code code;
    if (record->at < self->now && record->kind != SERVICE_RECORD_CLOCK)
        return service_differs(self, "at", err, "is before that of an earlier record");
    if (record->kind == SERVICE_RECORD_CAMPAIGN)
        code = service_apply_campaign(self, record, err);
    else if (record->kind == SERVICE_RECORD_ROSTER)
        code = service_apply_roster(self, record, err);
    else if (record->kind == SERVICE_RECORD_SAMPLES)
        code = service_apply_samples(self, record, err);
    else if (record->kind == SERVICE_RECORD_DROP)
        code = service_apply_drop(self, record, err);
    else if (record->kind == SERVICE_RECORD_CLOCK)
        code = service_apply_clock(self, record, err);
    else if (record->campaign >= self->n_campaigns || !takes(self->campaigns[record->campaign], record->kind))
        code = service_differs(self, "campaign", err, "is %u, of which there is none that takes requests",
                               record->campaign);
    else
        code = kinds[record->kind](self, self->campaigns[record->campaign], record, err);
    if (code == SERVICE_OK)
        self->now = record->at;
    return code;
}

service_code service_do(service *self, service_record *record, service_error *err)
{
    if (!service_bytes_reserve(&self->batch, service_record_room(record)))
        return service_no_memory(err);
    record->number = self->last + 1;
    record->version = SERVICE_VERSION;
    service_code code = service_apply(self, record, err);
    /* Events that were closed before memory ran out are closed. */
    bool partly = code == SERVICE_MEMORY && record->kind == SERVICE_RECORD_CLOSE && record->n > 0;
    if (code != SERVICE_OK && !partly)
        return code;
    self->now = record->at;
    self->last++;
    service_record_encode(record, &self->batch);
    return code;
}
