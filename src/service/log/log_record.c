/*
 * log_record.c: records as bytes, and back.
 *
 *   size of what follows (4) | check (4) | kind (1) | three small numbers (3) | campaign (4) | at (8) | the kind's own
 *
 * Paper: none.
 *
 * The first of the small numbers is the version: 1 for records of roster 0.1, which keep the rules they were made by,
 * 2 for those that are written now.
 *
 * All numbers are little endian, doubles by their bits. What a kind has of its own is said once, in `fields`, which
 * both writes and reads. The check is half of a hash of what follows it: it tells which record of a damaged row it was.
 *
 * Cost: a decision by context takes 64 bytes, a reward 80.
 * Check: every kind comes back as it went; every changed bit is noticed (tests/unit/test_service_parts.c:
 *        records_come_back).
 */
#include "service_internal.h"

#include "log_codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENVELOPE = 8, HEAD = 16, CHECK = 1 };

/* A text behind its size. */
static void text(codec *c, const char **at, size_t *size)
{
    uint32_t n = (uint32_t)*size;
    u32(c, &n);
    text_of(c, at, n);
    *size = c->failed ? 0 : n;
}

/* A part that is being read with room for n elements, each of which takes `each` bytes: where it is now. NULL: it
   stays where and as it was, and the record is refused. */
static void *grow(codec *c, void *part, size_t *room, size_t n, size_t size, size_t each)
{
    if (c->failed || (size_t)(c->end - c->in) / each < n) {
        c->failed = true;
        return NULL;
    }
    if (common_grow(&part, room, n > 0 ? n : 1, size)) /* none has its place too: NULL says that it is refused */
        return part;
    c->failed = c->memory = true;
    return NULL;
}

static void count(codec *c, size_t *n)
{
    uint32_t w = (uint32_t)*n;
    u32(c, &w);
    *n = w;
}

static void numbers(codec *c, service_record *r, service_parts *parts)
{
    count(c, &r->n);
    double *to = NULL;
    if (!writes(c)) {
        if ((to = grow(c, parts->numbers, &parts->numbers_room, r->n, sizeof *to, 8)) == NULL)
            return;
        r->numbers = parts->numbers = to;
    }
    for (size_t i = 0; i < r->n; i++) {
        double x = writes(c) ? r->numbers[i] : 0;
        f64(c, &x);
        if (to != NULL)
            to[i] = x;
    }
}

static void closings(codec *c, service_record *r, service_parts *parts)
{
    count(c, &r->n);
    service_closing *to = NULL;
    if (!writes(c)) {
        if ((to = grow(c, parts->closings, &parts->closings_room, r->n, sizeof *to, 16)) == NULL)
            return;
        r->closings = parts->closings = to;
    }
    for (size_t i = 0; i < r->n; i++) {
        service_closing x = writes(c) ? r->closings[i] : (service_closing){0};
        u64(c, &x.decision);
        f64(c, &x.reward);
        if (r->version > 1)
            u8(c, &x.learnt);
        else
            x.learnt = (uint8_t)(isnan(x.reward) ? 0 : 1);
        if (to != NULL)
            to[i] = x;
    }
}

static void observations(codec *c, service_record *r, service_parts *parts)
{
    count(c, &r->n);
    service_observation *to = NULL;
    if (!writes(c)) {
        if ((to = grow(c, parts->observations, &parts->observations_room, r->n, sizeof *to, 20)) == NULL)
            return;
        r->observations = parts->observations = to;
    }
    for (size_t i = 0; i < r->n; i++) {
        service_observation x = writes(c) ? r->observations[i] : (service_observation){0};
        u32(c, &x.expert);
        u32(c, &x.context);
        u32(c, &x.action);
        u64(c, &x.count);
        if (to != NULL)
            to[i] = x;
    }
}

static void key(codec *c, service_record *r)
{
    u64(c, &r->key.a);
    u64(c, &r->key.b);
    if (r->key.b != 0)
        text(c, &r->text, &r->text_size);
}

static void chosen(codec *c, service_record *r)
{
    key(c, r);
    u32(c, &r->episode);
    u32(c, &r->expert);
}

static void acted(codec *c, service_record *r, service_parts *parts)
{
    key(c, r);
    u64(c, &r->decision);
    u32(c, &r->expert);
    u32(c, &r->action);
    text(c, &r->label, &r->label_size);
    f64(c, &r->propensity);
    f64(c, &r->raw);
    f64(c, &r->reward);
    numbers(c, r, parts);
}

static void observed(codec *c, service_record *r, service_parts *parts)
{
    chosen(c, r);
    u32(c, &r->served);
    u32(c, &r->action);
    u32(c, &r->context);
    text(c, &r->label, &r->label_size);
    f64(c, &r->propensity);
    numbers(c, r, parts);
}

/* Who retires, and who comes. */
static void experts(codec *c, service_record *r)
{
    u32(c, &r->expert);
    text(c, &r->text, &r->text_size);
}

/* What each kind has of its own. */
static void fields(codec *c, service_record *r, service_parts *parts)
{
    switch (r->kind) {
    case SERVICE_RECORD_CAMPAIGN:
    case SERVICE_RECORD_ROSTER:
    case SERVICE_RECORD_ERASE:
        text(c, &r->text, &r->text_size);
        break;
    case SERVICE_RECORD_SAMPLES:
        observations(c, r, parts);
        break;
    case SERVICE_RECORD_DECIDE:
        key(c, r);
        u32(c, &r->episode);
        u32(c, &r->expert);
        u32(c, &r->action);
        u32(c, &r->context);
        f64(c, &r->propensity);
        numbers(c, r, parts);
        break;
    case SERVICE_RECORD_REWARD:
        key(c, r);
        u64(c, &r->name.a);
        u64(c, &r->name.b);
        u64(c, &r->decision);
        f64(c, &r->raw);
        f64(c, &r->reward);
        break;
    case SERVICE_RECORD_CLOSE:
        closings(c, r, parts);
        break;
    case SERVICE_RECORD_EPISODE:
        u32(c, &r->episode);
        break;
    case SERVICE_RECORD_CONTROL:
        u32(c, &r->expert);
        f64(c, &r->reward);
        break;
    case SERVICE_RECORD_CLOCK:
        i64(c, &r->shift);
        break;
    case SERVICE_RECORD_DROP:
        u64(c, &r->decision);
        text(c, &r->text, &r->text_size);
        break;
    case SERVICE_RECORD_EXPERTS:
        experts(c, r);
        break;
    case SERVICE_RECORD_CHOOSE:
        chosen(c, r);
        break;
    case SERVICE_RECORD_ACTED:
        acted(c, r, parts);
        break;
    case SERVICE_RECORD_OBSERVED:
        observed(c, r, parts);
        break;
    default:
        break; /* archive has nothing more */
    }
}

/* Kind, small numbers, campaign, time; two of the small numbers share a byte where a kind has more. */
static void head(codec *c, service_record *r)
{
    uint8_t kind = (uint8_t)r->kind, first = 0, second = 0, version = r->version;
    uint64_t at = (uint64_t)r->at;
    if (writes(c)) {
        first = service_kind_begins(r->kind)        ? r->how
                : r->kind == SERVICE_RECORD_REWARD  ? r->status
                : r->kind == SERVICE_RECORD_EPISODE ? r->reason
                                                    : r->what;
        second = (uint8_t)(r->kind == SERVICE_RECORD_EPISODE ? r->prior | r->flag << 4 : r->flag);
    }
    u8(c, &kind);
    u8(c, &version);
    u8(c, &first);
    u8(c, &second);
    u32(c, &r->campaign);
    u64(c, &at);
    if (writes(c))
        return;
    c->failed |= kind == 0 || kind >= SERVICE_KINDS || version == 0 || version > SERVICE_VERSION;
    r->version = version;
    r->kind = (service_kind)kind;
    r->at = (int64_t)at;
    r->how = r->status = r->reason = r->what = first;
    r->prior = second & 0xf;
    r->flag = r->kind == SERVICE_RECORD_EPISODE ? second >> 4 : second;
}

void service_record_id(const service_record *r, char out[SERVICE_ID_MOST + 1])
{
    size_t size = r->text != NULL && r->text_size <= SERVICE_ID_MOST ? r->text_size : 0;
    if (r->key.b == 0) {
        snprintf(out, SERVICE_ID_MOST + 1, "%s%llu", r->version > 1 ? "#" : "", (unsigned long long)r->key.a);
        return;
    }
    memcpy(out, size > 0 ? r->text : "", size);
    out[size] = '\0';
}

bool service_bytes_reserve(service_bytes *self, size_t more)
{
    return common_grow(&self->data, &self->room, self->used + more, 1);
}

void service_bytes_clear(service_bytes *self)
{
    self->used = 0;
    if (self->room <= SERVICE_BUFFER_KEPT)
        return;
    free(self->data);
    *self = (service_bytes){0};
}

size_t service_record_room(const service_record *r)
{
    return ENVELOPE + HEAD + 80 + r->text_size + r->label_size + 20 * r->n;
}

static uint32_t check_of(const unsigned char *body, size_t size)
{
    return (uint32_t)(common_hash_words(CHECK, body, size) >> 32);
}

void service_record_encode(const service_record *record, service_bytes *out)
{
    service_record r = *record;
    r.version = r.version != 0 ? r.version : SERVICE_VERSION;
    size_t start = out->used, body = start + ENVELOPE;
    out->used = body;
    codec c = {.out = out};
    head(&c, &r);
    fields(&c, &r, NULL);
    size_t size = out->used - body;
    byte_order_put(out->data + start, size, 4);
    byte_order_put(out->data + start + 4, check_of(out->data + body, size), 4);
}

void service_parts_free(service_parts *self)
{
    free(self->numbers);
    free(self->closings);
    free(self->observations);
    *self = (service_parts){0};
}

const char *service_kind_word(service_kind kind)
{
    static const char *const words[SERVICE_KINDS] = {
        [SERVICE_RECORD_CAMPAIGN] = "campaign", [SERVICE_RECORD_ARCHIVE] = "archive",
        [SERVICE_RECORD_ROSTER] = "roster",     [SERVICE_RECORD_SAMPLES] = "samples",
        [SERVICE_RECORD_DECIDE] = "decide",     [SERVICE_RECORD_REWARD] = "reward",
        [SERVICE_RECORD_CLOSE] = "close",       [SERVICE_RECORD_EPISODE] = "episode",
        [SERVICE_RECORD_CONTROL] = "control",   [SERVICE_RECORD_CLOCK] = "clock",
        [SERVICE_RECORD_DROP] = "drop",         [SERVICE_RECORD_ERASE] = "erase",
        [SERVICE_RECORD_CHOOSE] = "choose",     [SERVICE_RECORD_ACTED] = "acted",
        [SERVICE_RECORD_OBSERVED] = "observed", [SERVICE_RECORD_EXPERTS] = "experts"};
    return words[kind];
}

bool service_kind_begins(service_kind kind)
{
    return kind == SERVICE_RECORD_DECIDE || kind == SERVICE_RECORD_CHOOSE || kind == SERVICE_RECORD_OBSERVED;
}

bool service_kind_has_event(service_kind kind)
{
    return service_kind_begins(kind) || kind == SERVICE_RECORD_REWARD || kind == SERVICE_RECORD_ACTED;
}

bool service_kind_has_campaign(service_kind kind)
{
    return kind > 0 && kind < SERVICE_KINDS && kind != SERVICE_RECORD_ROSTER && kind != SERVICE_RECORD_SAMPLES &&
           kind != SERVICE_RECORD_CLOCK && kind != SERVICE_RECORD_DROP;
}

service_code service_record_decode(const unsigned char *from, size_t size, size_t *used, service_parts *parts,
                                   service_record *out, service_error *err)
{
    codec c = {.in = from + *used, .end = from + size};
    uint64_t envelope = 0;
    *out = (service_record){0};
    u64(&c, &envelope);
    size_t length = (size_t)(envelope & UINT32_MAX);
    if (c.failed || length < HEAD || length > (size_t)(c.end - c.in))
        return service_fail(err, SERVICE_DAMAGED, "its size is wrong");
    const unsigned char *body = c.in;
    c.end = body + length;
    bool intact = check_of(body, length) == envelope >> 32;
    head(&c, out);
    if (!c.failed)
        fields(&c, out, parts);
    *used = (size_t)(body - from) + length;
    if (c.memory)
        return service_no_memory(err);
    if (!intact)
        return service_fail(err, SERVICE_DAMAGED, "its checksum does not fit its content");
    if (c.failed || c.in != c.end)
        return service_fail(err, SERVICE_DAMAGED, "its content is invalid");
    return SERVICE_OK;
}
