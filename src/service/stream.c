/*
 * stream.c: the log for people and programs: as JSON lines, or as DSJSON that Vowpal Wabbit learns from.
 *
 * Paper: none.
 *
 * JSON lines: one object per record. DSJSON: one per event whose reward was learnt, with cost = -reward, the action
 * that was taken first among the actions, and its probability; the decision is looked up by the number of its record.
 *
 * Cost: one pass over the rows, and for DSJSON a look at the rows of the decisions.
 * Check: tests/unit/test_service_stream.c.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { RECORDS_MOST = 20000 }; /* of one call */

/* A copy of a row, and where its records begin. */
typedef struct page {
    unsigned char *bytes; /* owned */
    size_t *starts;       /* owned, [count] */
    uint64_t first, count;
    size_t size;
} page;

typedef struct stream {
    const service *self;
    store *log;
    const service_campaign *campaign; /* NULL: all */
    service_format format;
    service_text *out;
    page rows, decisions; /* what is being streamed; where decisions are looked up */
    service_parts parts, decision_parts;
    double *pi; /* owned */
    size_t lines;
} stream;

static void free_page(page *p)
{
    free(p->bytes);
    free(p->starts);
    *p = (page){0};
}

/* The row that holds the record, or the first after it. */
static service_code turn_to(stream *s, page *p, uint64_t number, bool *found, service_error *err)
{
    store_row row;
    roster_error wrong;
    *found = p->count > 0 && number >= p->first && number - p->first < p->count;
    if (*found)
        return SERVICE_OK;
    if (store_read(s->log, number, &row, found, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_STORE, err);
    if (!*found)
        return SERVICE_OK;
    free_page(p);
    if (row.count > row.size / 8)
        return service_fail(err, SERVICE_DAMAGED, "the row of record %llu is damaged", (unsigned long long)row.first);
    p->bytes = malloc(row.size + 1);
    p->starts = calloc((size_t)row.count, sizeof *p->starts);
    if (p->bytes == NULL || p->starts == NULL) {
        free_page(p);
        return service_no_memory(err);
    }
    memcpy(p->bytes, row.records, row.size);
    p->first = row.first;
    p->size = row.size;
    for (size_t at = 0; p->count < row.count && row.size - at >= 8; p->count++) {
        const unsigned char *b = p->bytes + at;
        size_t size = 8 + ((size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24);
        p->starts[p->count] = at;
        at = size <= row.size - at ? at + size : row.size;
    }
    return SERVICE_OK;
}

static service_code read_record(const page *p, uint64_t number, service_parts *parts, service_record *out,
                                service_error *err)
{
    size_t used = p->starts[number - p->first];
    service_code code = service_record_decode(p->bytes, p->size, &used, parts, out, err);
    out->number = number;
    return code;
}

static void text(stream *s, const char *words)
{
    service_put_text(s->out, words);
}

static void put_id(stream *s, const service_record *r)
{
    service_text *out = s->out;
    service_put_text(out, "\"");
    if (r->key.b == 0)
        service_put_count(out, r->key.a);
    for (size_t i = 0; r->key.b != 0 && i < r->text_size; i++) {
        if (r->text[i] == '"' || r->text[i] == '\\')
            service_put(out, "\\", 1);
        service_put(out, r->text + i, 1);
    }
    service_put_text(out, "\"");
}

static void put_numbers(stream *s, const double *x, size_t n)
{
    text(s, "[");
    for (size_t i = 0; i < n; i++) {
        text(s, i > 0 ? "," : "");
        service_put_number(s->out, x[i]);
    }
    text(s, "]");
}

static void put_name(stream *s, const service_names *names, size_t i)
{
    text(s, i < names->n && names->quoted != NULL ? names->quoted[i] : "null");
}

static void put_decide(stream *s, const service_campaign *c, const service_record *r)
{
    text(s, ",\"event_id\":");
    put_id(s, r);
    text(s, ",\"episode\":");
    service_put_count(s->out, r->episode);
    text(s, ",\"expert\":");
    put_name(s, &c->experts_names, r->expert);
    text(s, ",\"action\":");
    put_name(s, &c->actions, r->action);
    text(s, ",\"propensity\":");
    service_put_number(s->out, r->propensity);
    text(s, ",\"how\":");
    service_put_string(s->out, service_how_word(r->how));
    if (c->kind == ROSTER_TABLES) {
        text(s, ",\"context\":");
        put_name(s, &c->contexts, r->context);
        return;
    }
    text(s, c->kind == ROSTER_SOFTMAX ? ",\"features\":" : ",\"probabilities\":");
    if (c->kind == ROSTER_SOFTMAX) {
        put_numbers(s, r->numbers, r->n);
        return;
    }
    for (size_t k = 0; k < r->n / c->v; k++) {
        text(s, k > 0 ? "," : "[");
        put_numbers(s, r->numbers + k * c->v, c->v);
    }
    text(s, "]");
}

static void put_reward(stream *s, const service_record *r)
{
    text(s, ",\"event_id\":");
    put_id(s, r);
    text(s, ",\"reward\":");
    service_put_number(s->out, r->raw);
    text(s, ",\"status\":");
    service_put_string(s->out, service_status_word((service_status)(r->status % SERVICE_STATUSES)));
    text(s, ",\"learnt\":");
    service_put_number(s->out, r->reward);
    text(s, ",\"decision\":");
    service_put_count(s->out, r->decision);
}

static void put_close(stream *s, const service_record *r)
{
    text(s, r->flag ? ",\"early\":true,\"closed\":[" : ",\"early\":false,\"closed\":[");
    for (size_t i = 0; i < r->n; i++) {
        text(s, i > 0 ? ",{\"decision\":" : "{\"decision\":");
        service_put_count(s->out, r->closings[i].decision);
        text(s, ",\"learnt\":");
        service_put_number(s->out, r->closings[i].reward);
        text(s, "}");
    }
    text(s, "]");
}

static void put_control(stream *s, const service_campaign *c, const service_record *r)
{
    static const char *const words[] = {"pin", "learning", "fallback", "cap"};
    text(s, ",\"control\":");
    service_put_string(s->out, words[r->what % 4]);
    text(s, ",\"expert\":");
    put_name(s, &c->experts_names, r->expert);
    text(s, ",\"value\":");
    if (r->what == SERVICE_LEARNING)
        text(s, r->reward != 0 ? "true" : "false");
    else
        service_put_number(s->out, r->what == SERVICE_CAP ? r->reward : NAN);
}

static void put_episode(stream *s, const service_record *r)
{
    text(s, ",\"episode\":");
    service_put_count(s->out, r->episode);
    text(s, ",\"reason\":");
    service_put_string(s->out, service_reason_word(r->reason));
    text(s, ",\"context_probabilities\":");
    service_put_string(s->out, service_prior_word(r->prior));
}

/* One object per record. */
static void put_line(stream *s, const service_campaign *c, const service_record *r)
{
    text(s, "{\"number\":");
    service_put_count(s->out, r->number);
    text(s, ",\"at\":");
    service_put_time(s->out, r->at);
    text(s, ",\"kind\":");
    service_put_string(s->out, service_kind_word(r->kind));
    if (c != NULL) {
        text(s, ",\"campaign\":");
        service_put_string(s->out, c->name);
    }
    if (r->kind == SERVICE_RECORD_CAMPAIGN || r->kind == SERVICE_RECORD_ROSTER) {
        text(s, ",\"description\":");
        service_put(s->out, r->text, r->text_size);
    } else if (r->kind == SERVICE_RECORD_DECIDE) {
        put_decide(s, c, r);
    } else if (r->kind == SERVICE_RECORD_REWARD) {
        put_reward(s, r);
    } else if (r->kind == SERVICE_RECORD_CLOSE) {
        put_close(s, r);
    } else if (r->kind == SERVICE_RECORD_EPISODE) {
        put_episode(s, r);
    } else if (r->kind == SERVICE_RECORD_CONTROL) {
        put_control(s, c, r);
    } else if (r->kind == SERVICE_RECORD_SAMPLES) {
        text(s, ",\"samples\":");
        service_put_count(s->out, r->n);
    }
    text(s, "}\n");
    s->lines++;
}

/* The action that was taken first, then the others; their probabilities likewise, as far as they are known. */
static void put_actions(stream *s, const service_campaign *c, const service_record *d)
{
    const roster_experts *experts = c->own != NULL ? c->own : c->roster->experts;
    service_choice choice = {.context = d->context, .numbers = d->numbers};
    bool known = experts != NULL && service_distribution(c, experts, &choice, d->expert, s->pi);
    text(s, ",\"a\":[");
    service_put_count(s->out, d->action + 1);
    for (size_t a = 0; known && a < c->v; a++)
        if (a != d->action) {
            text(s, ",");
            service_put_count(s->out, a + 1);
        }
    text(s, "],\"p\":[");
    service_put_number(s->out, d->propensity);
    for (size_t a = 0; known && a < c->v; a++)
        if (a != d->action) {
            text(s, ",");
            service_put_number(s->out, s->pi[a]);
        }
    text(s, "]");
}

static void put_context(stream *s, const service_campaign *c, const service_record *d)
{
    text(s, ",\"c\":{");
    if (c->kind == ROSTER_TABLES) {
        text(s, "\"context\":{\"name\":");
        put_name(s, &c->contexts, d->context);
        text(s, "},");
    } else if (c->kind == ROSTER_SOFTMAX) {
        text(s, "\"features\":{\"f\":");
        put_numbers(s, d->numbers, d->n);
        text(s, "},");
    }
    text(s, "\"_multi\":[");
    for (size_t a = 0; a < c->v; a++) {
        text(s, a > 0 ? ",{\"action\":{\"name\":" : "{\"action\":{\"name\":");
        put_name(s, &c->actions, a);
        text(s, "}}");
    }
    text(s, "]}");
}

static service_code put_dsjson(stream *s, const service_campaign *c, uint64_t decision, double reward,
                               service_error *err)
{
    service_record d;
    bool found;
    service_code code = isnan(reward) ? SERVICE_OK : turn_to(s, &s->decisions, decision, &found, err);
    if (code != SERVICE_OK || isnan(reward))
        return code;
    if (!found || decision < s->decisions.first)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is missing", (unsigned long long)decision);
    code = read_record(&s->decisions, decision, &s->decision_parts, &d, err);
    if (code != SERVICE_OK)
        return code;
    if (d.kind != SERVICE_RECORD_DECIDE || d.campaign != c->number || d.expert >= c->n || d.action >= c->v)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is no decision of campaign %s",
                            (unsigned long long)decision, c->name);
    text(s, "{\"_label_cost\":");
    service_put_number(s->out, reward > 0 ? -reward : 0);
    text(s, ",\"_label_probability\":");
    service_put_number(s->out, d.propensity);
    text(s, ",\"_label_Action\":");
    service_put_count(s->out, d.action + 1);
    text(s, ",\"_labelIndex\":");
    service_put_count(s->out, d.action);
    text(s, ",\"Timestamp\":");
    service_put_time(s->out, d.at);
    text(s, ",\"Version\":\"1\",\"EventId\":");
    put_id(s, &d);
    put_actions(s, c, &d);
    put_context(s, c, &d);
    text(s, ",\"pdrop\":0}\n");
    s->lines++;
    return SERVICE_OK;
}

static service_code put_settled(stream *s, const service_campaign *c, const service_record *r, service_error *err)
{
    service_code code = SERVICE_OK;
    if (r->kind == SERVICE_RECORD_REWARD && r->status == SERVICE_JOINED)
        code = put_dsjson(s, c, r->decision, r->reward, err);
    for (size_t i = 0; r->kind == SERVICE_RECORD_CLOSE && i < r->n && code == SERVICE_OK; i++)
        code = put_dsjson(s, c, r->closings[i].decision, r->closings[i].reward, err);
    return code;
}

static service_code put_record(stream *s, const service_record *r, service_error *err)
{
    bool roster = r->kind == SERVICE_RECORD_ROSTER || r->kind == SERVICE_RECORD_SAMPLES;
    const service_campaign *c = s->campaign;
    if (s->campaign != NULL && (roster || r->campaign != c->number))
        return SERVICE_OK;
    if (s->campaign == NULL)
        c = roster ? NULL : service_campaign_at(s->self, r->campaign);
    if (!roster && c == NULL)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is of no campaign", (unsigned long long)r->number);
    if (s->format == SERVICE_DSJSON)
        return put_settled(s, c, r, err);
    put_line(s, c, r);
    return SERVICE_OK;
}

static service_code run(stream *s, uint64_t *next, size_t most, service_error *err)
{
    service_code code = SERVICE_OK;
    bool found = true;
    uint64_t last = *next + RECORDS_MOST;
    while (code == SERVICE_OK && found && *next < last && s->lines < most) {
        code = turn_to(s, &s->rows, *next + 1, &found, err);
        if (code != SERVICE_OK || !found)
            break;
        uint64_t from = *next + 1 > s->rows.first ? *next + 1 : s->rows.first, end = s->rows.first + s->rows.count;
        for (uint64_t i = from; i < end && code == SERVICE_OK && s->lines < most; i++) {
            service_record r;
            code = read_record(&s->rows, i, &s->parts, &r, err);
            if (code == SERVICE_OK)
                code = put_record(s, &r, err);
            *next = code == SERVICE_OK ? i : *next;
        }
        if (s->rows.count == 0)
            break;
    }
    return code;
}

service_code service_events(const service *self, store *log, const service_campaign *campaign, uint64_t after,
                            size_t most, service_format format, service_text *out, uint64_t *next, service_error *err)
{
    stream s = {.self = self, .log = log, .campaign = campaign, .format = format, .out = out};
    *next = after;
    if (format == SERVICE_DSJSON && campaign == NULL)
        return service_fail(err, SERVICE_INVALID, "dsjson is of one campaign: name it");
    s.pi = calloc(campaign != NULL ? campaign->v : 1, sizeof *s.pi);
    service_code code = s.pi != NULL ? run(&s, next, most, err) : service_no_memory(err);
    free_page(&s.rows);
    free_page(&s.decisions);
    service_parts_free(&s.parts);
    service_parts_free(&s.decision_parts);
    free(s.pi);
    return code == SERVICE_OK && out->failed ? service_no_memory(err) : code;
}
