/*
 * log_stream.c: the log for people and programs: as JSON lines, or as DSJSON that Vowpal Wabbit learns from.
 *
 * Paper: none.
 *
 * JSON lines: one object per record. DSJSON: one per event whose reward is known, learnt or not, with cost = -reward,
 * the action that was taken first among the actions, and its probability; the decision is looked up by the number of
 * its record.
 *
 * Cost: one pass over the rows, and for DSJSON a look at the rows of the decisions.
 * Check: tests/unit/test_service_store.c: events_stream, large_rows_stream.
 */
#include "log_erase.h"
#include "log_stream_lines.h"
#include "log_stream_rows.h"

#include <stdlib.h>
#include <string.h>

/* Of one call; a line may exceed the bytes. */
enum { RECORDS_MOST = 20000, BYTES_MOST = 256 << 10 };

typedef struct stream {
    const service *self;
    service_rows *rows;
    uint64_t missing;                 /* a record whose row is not there, 0: none */
    const service_campaign *campaign; /* NULL: all */
    service_format format;
    common_text *out;
    service_parts parts, decision_parts;
    double *pi; /* owned */
    size_t lines;
    size_t begun; /* bytes of `out` before this call */
} stream;

static bool is_full(const stream *s)
{
    return s->out->used - s->begun >= BYTES_MOST;
}

/* A record that was begun is not left. */
static bool wants_more(const stream *s, size_t most)
{
    return (s->lines < most && !is_full(s)) || service_rows_are_inside(s->rows);
}

/* The row that holds the record, or the first after it; NULL: the log ends before, or it is missing. */
static const service_page *turn_to(stream *s, uint64_t number, bool current)
{
    bool past_end;
    const service_page *p = service_rows_find(s->rows, number, current, &past_end);
    if (p == NULL && !past_end)
        s->missing = number;
    return p;
}

static service_code read_record(const service_page *p, uint64_t number, service_parts *parts, service_record *out,
                                service_error *err)
{
    size_t used = p->starts[number - p->first];
    service_code code = service_record_decode(p->bytes, p->size, &used, parts, out, err);
    out->number = number;
    return code;
}

static void text(stream *s, const char *words)
{
    common_put_text(s->out, words);
}

/* The action that was taken first, then the others; their probabilities likewise, as far as they are known. */
static void put_actions(stream *s, const service_campaign *c, const service_record *d)
{
    const roster_experts *experts = c->own != NULL ? c->own : c->roster != NULL ? c->roster->experts : NULL;
    service_choice choice = {.context = d->context, .numbers = d->numbers};
    bool known = d->kind == SERVICE_RECORD_DECIDE && experts != NULL &&
                 service_distribution(c, experts, &choice, d->expert, s->pi);
    text(s, ",\"a\":[");
    common_put_count(s->out, d->action + 1);
    for (size_t a = 0; known && a < c->v; a++)
        if (a != d->action) {
            text(s, ",");
            common_put_count(s->out, a + 1);
        }
    text(s, "],\"p\":[");
    common_put_number(s->out, d->propensity);
    for (size_t a = 0; known && a < c->v; a++)
        if (a != d->action) {
            text(s, ",");
            common_put_number(s->out, s->pi[a]);
        }
    text(s, "]");
}

static void put_context(stream *s, const service_campaign *c, const service_record *d)
{
    text(s, ",\"c\":{");
    if (c->kind == ROSTER_TABLES) {
        text(s, "\"context\":{\"name\":");
        service_line_name(s->out, &c->contexts, d->context);
        text(s, "},");
    } else if (c->kind == ROSTER_SOFTMAX) {
        text(s, "\"features\":{\"f\":");
        service_line_numbers(s->out, d->numbers, d->n);
        text(s, "},");
    }
    text(s, "\"_multi\":[");
    for (size_t a = 0; a < c->v; a++) { /* where actions come with requests, the one that was taken */
        text(s, a > 0 ? ",{\"action\":{\"name\":" : "{\"action\":{\"name\":");
        if (c->open)
            service_line_action(s->out, c, d);
        else
            service_line_name(s->out, &c->actions, a);
        text(s, "}}");
    }
    text(s, "]}");
}

static service_code put_dsjson(stream *s, const service_campaign *c, uint64_t decision, double reward,
                               service_error *err)
{
    service_record d;
    const service_page *p = isnan(reward) ? NULL : turn_to(s, decision, false);
    if (isnan(reward) || s->missing != 0)
        return SERVICE_OK;
    if (decision <= s->self->dropped && (p == NULL || decision < p->first))
        return SERVICE_OK; /* of what was dropped nothing can be said */
    if (p == NULL || decision < p->first)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is missing", (unsigned long long)decision);
    service_code code = read_record(p, decision, &s->decision_parts, &d, err);
    if (code != SERVICE_OK)
        return code;
    bool observed = d.kind == SERVICE_RECORD_OBSERVED;
    if (d.kind == SERVICE_RECORD_CHOOSE || (observed && d.propensity == 0))
        return SERVICE_OK; /* it had not acted: its acted record tells it; or nobody knows how likely it was */
    if ((d.kind != SERVICE_RECORD_DECIDE && d.kind != SERVICE_RECORD_ACTED && !observed) || d.campaign != c->number ||
        d.expert >= c->n || d.action >= c->v)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is not a decision of campaign %s",
                            (unsigned long long)decision, c->name);
    if (service_key_is_erased(d.key) && c->kind != ROSTER_TABLES)
        return SERVICE_OK; /* without its features it would teach something else */
    text(s, "{\"_label_cost\":");
    common_put_number(s->out, reward > 0 ? -reward : 0);
    text(s, ",\"_label_probability\":");
    common_put_number(s->out, d.propensity);
    text(s, ",\"_label_Action\":");
    common_put_count(s->out, d.action + 1);
    text(s, ",\"_labelIndex\":");
    common_put_count(s->out, d.action);
    text(s, ",\"Timestamp\":");
    common_put_time(s->out, d.at);
    text(s, ",\"Version\":\"1\",\"EventId\":");
    if (service_key_is_erased(d.key))
        text(s, "\"\"");
    else
        service_line_id(s->out, &d);
    put_actions(s, c, &d);
    put_context(s, c, &d);
    text(s, ",\"pdrop\":0}\n");
    s->lines++;
    return SERVICE_OK;
}

/* What a joined reward makes of its event; NAN: that is told when its window ends. */
static double earned(const service_campaign *c, const service_record *r)
{
    return c->rules.at_close ? NAN : service_rules_map(&c->rules, r->raw);
}

/* Those of the record that were not put before. A record may settle thousands of events, and each line lists all
   actions: where it is too much for one call, or the row of a decision is missing, it goes on in the next. */
static service_code put_closings(stream *s, const service_campaign *c, const service_record *r, service_error *err)
{
    service_inside *inside = service_rows_inside(s->rows);
    service_code code = SERVICE_OK;
    size_t i = inside->record == r->number ? inside->done : 0;
    while (i < r->n && code == SERVICE_OK && s->missing == 0) {
        if (is_full(s))
            s->missing = r->number;
        else
            code = put_dsjson(s, c, r->closings[i].decision, r->closings[i].reward, err);
        i += s->missing == 0;
    }
    *inside = (service_inside){s->missing != 0 ? r->number : 0, i};
    return code;
}

static service_code put_settled(stream *s, const service_campaign *c, const service_record *r, service_error *err)
{
    if (r->kind == SERVICE_RECORD_CLOSE)
        return put_closings(s, c, r, err);
    if (r->kind == SERVICE_RECORD_ACTED) /* with a reward that came before it */
        return isnan(r->raw) ? SERVICE_OK : put_dsjson(s, c, r->number, earned(c, r), err);
    bool joined = r->kind == SERVICE_RECORD_REWARD && r->status == SERVICE_JOINED;
    return joined ? put_dsjson(s, c, r->decision, earned(c, r), err) : SERVICE_OK;
}

static service_code put_record(stream *s, const service_record *r, service_error *err)
{
    bool none = !service_kind_has_campaign(r->kind);
    const service_campaign *c = s->campaign;
    if (s->campaign != NULL && (none || r->campaign != c->number))
        return SERVICE_OK;
    if (s->campaign == NULL)
        c = none ? NULL : service_campaign_at(s->self, r->campaign);
    if (!none && c == NULL)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is of no campaign", (unsigned long long)r->number);
    if (s->format == SERVICE_DSJSON)
        return put_settled(s, c, r, err);
    service_line(s->out, c, r);
    s->lines++;
    return SERVICE_OK;
}

/* The records of a row from *next on; one for which something is missing is gone on with another time. */
static service_code put_page(stream *s, const service_page *p, uint64_t *next, size_t most, service_error *err)
{
    service_code code = SERVICE_OK;
    uint64_t from = *next + 1 > p->first ? *next + 1 : p->first, end = p->first + p->count;
    for (uint64_t i = from; i < end && code == SERVICE_OK && wants_more(s, most); i++) {
        service_record r;
        code = read_record(p, i, &s->parts, &r, err);
        if (code == SERVICE_OK)
            code = put_record(s, &r, err);
        if (s->missing != 0)
            break;
        *next = code == SERVICE_OK ? i : *next;
    }
    return code;
}

static service_code run(stream *s, uint64_t after, uint64_t *next, size_t most, service_error *err)
{
    service_code code = SERVICE_OK;
    while (code == SERVICE_OK && s->missing == 0 && *next - after < RECORDS_MOST && wants_more(s, most) &&
           *next < INT64_MAX) { /* numbers beyond are none of a log */
        const service_page *p = turn_to(s, *next + 1, true);
        if (p == NULL)
            break;
        code = put_page(s, p, next, most, err);
    }
    return code == SERVICE_OK && s->out->failed ? service_no_memory(err) : code;
}

static service_code begin(stream *s, service_error *err)
{
    if (s->format == SERVICE_DSJSON && s->campaign == NULL)
        return service_fail(err, SERVICE_INVALID, "dsjson needs a campaign: name one");
    s->pi = calloc(s->campaign != NULL ? s->campaign->v : 1, sizeof *s->pi);
    return s->pi != NULL && s->rows != NULL ? SERVICE_OK : service_no_memory(err);
}

static void end(stream *s)
{
    service_parts_free(&s->parts);
    service_parts_free(&s->decision_parts);
    free(s->pi);
}

service_code service_events_from(const service *self, service_rows *rows, const service_campaign *campaign,
                                 uint64_t after, size_t most, service_format format, common_text *out, uint64_t *next,
                                 uint64_t *missing, service_error *err)
{
    stream s = {.self = self, .rows = rows, .campaign = campaign, .format = format, .out = out, .begun = out->used};
    *next = after;
    service_code code = begin(&s, err);
    if (code == SERVICE_OK)
        code = run(&s, after, next, most, err);
    *missing = s.missing;
    end(&s);
    return code;
}

service_code service_events(const service *self, store *log, const service_campaign *campaign, uint64_t after,
                            size_t most, service_format format, common_text *out, uint64_t *next, service_error *err)
{
    stream s = {.self = self, .rows = service_rows_create(), .campaign = campaign, .format = format, .out = out};
    s.begun = out->used;
    *next = after;
    service_code code = begin(&s, err);
    if (code == SERVICE_OK)
        code = run(&s, after, next, most, err);
    while (code == SERVICE_OK && s.missing != 0) {
        code = service_rows_read(s.rows, log, s.missing, err);
        s.missing = 0;
        s.begun = out->used; /* a record is whole at the end of a call */
        if (code == SERVICE_OK)
            code = run(&s, after, next, most, err);
    }
    service_rows_free(s.rows);
    end(&s);
    return code;
}
