/*
 * route_events.c: the log for people and programs, in pieces, so that neither memory nor the loop is held for long.
 *
 * An answer with a limit ends early where it gets large, and says where the next goes on. That can only be after a
 * record; if one record alone makes it large, as when thousands of windows end at once, the rest of it is streamed.
 *
 * Rows are read by a job with a store of its own; the loop, which owns the campaigns, makes lines of them. A campaign
 * is looked up by its number for every piece: it may be gone by then.
 *
 * Paper: none.
 * Check: tests/http/events.py.
 */
#include "http_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_LINES = 500, ANSWER_BYTES = 1 << 20 };

typedef struct events {
    server_stream stream; /* the first: this is one */
    server_job job;
    server_request *request;
    service_rows *rows; /* owned */
    bool of_campaign;   /* else of all */
    size_t campaign;    /* its number */
    service_format format;
    uint64_t after;
    uint64_t missing;  /* the record whose row is to be read */
    uint64_t limit;    /* lines still wanted, where they come all at once */
    common_text begun; /* of an answer that ends inside a record: what is sent before the rest of that */
    bool ends;         /* with that record */
    service_code code;
    service_error err; /* of the job */
} events;

static void free_events(server_stream *stream)
{
    events *self = (events *)stream;
    service_rows_free(self->rows);
    common_text_free(&self->begun);
    free(self);
}

/* In a job. */
static void read_rows(server_job *job, store **reader)
{
    events *self = (events *)((char *)job - offsetof(events, job));
    roster_error wrong;
    store *log = server_job_reader(job, reader, &wrong);
    if (log == NULL) {
        self->code = service_fail(&self->err, SERVICE_STORE, "%s", wrong.msg);
        return;
    }
    self->code = service_rows_read(self->rows, log, self->missing, &self->err);
    /* A statement that stands on a row would keep the journal from being cut. */
    store_row row;
    bool found;
    store_read(log, INT64_MAX, &row, &found, &wrong);
}

/* Lines until `most` are there, the log ends, or a row is missing. */
static service_code put_lines(events *self, size_t most, common_text *out, service_error *err)
{
    service *engine = self->request->server->engine;
    const service_campaign *campaign = self->of_campaign ? service_campaign_at(engine, self->campaign) : NULL;
    if (self->of_campaign && campaign == NULL)
        return service_fail(err, SERVICE_NO_CAMPAIGN, "the campaign does not exist any more");
    uint64_t next = self->after;
    service_code code = service_events_from(engine, self->rows, campaign, self->after, most, self->format, out, &next,
                                            &self->missing, err);
    self->after = next;
    return code;
}

static server_piece fail_stream(events *self, const service_error *err)
{
    server_log(self->request->server, SERVER_LOG_ERRORS, "stream-failed", "message", err->msg, (char *)NULL);
    return SERVER_PIECE_WRONG;
}

static void go_on(server *owner, server_job *job)
{
    (void)owner;
    server_stream_go_on(((events *)((char *)job - offsetof(events, job)))->request);
}

static server_piece next_piece(server_stream *stream, common_text *out)
{
    events *self = (events *)stream;
    service_error err;
    uint64_t before = self->after;
    if (self->code != SERVICE_OK)
        return fail_stream(self, &self->err);
    if (self->begun.used > 0) {
        *out = self->begun;
        self->begun = (common_text){0};
        return SERVER_PIECE_MORE;
    }
    if (self->ends && !service_rows_are_inside(self->rows))
        return SERVER_PIECE_LAST;
    if (put_lines(self, self->ends ? 1 : PIECE_LINES, out, &err) != SERVICE_OK)
        return fail_stream(self, &err);
    if (out->used > 0 || (self->missing == 0 && self->after != before)) /* records of others make no lines */
        return SERVER_PIECE_MORE;
    if (self->missing == 0)
        return SERVER_PIECE_LAST;
    self->job = (server_job){.run = read_rows, .done = go_on};
    server_job_start(self->request->server, &self->job);
    return SERVER_PIECE_WAITS;
}

/* ---- all at once ---- */

static void finish_lines(events *self, const service_error *err)
{
    server_request *q = self->request;
    if (err != NULL)
        server_refuse_engine(q, err);
    server_add_header(q, "Roster-Next", "%llu", (unsigned long long)self->after);
    free_events(&self->stream);
}

static size_t count_lines(const common_text *text, size_t from)
{
    size_t n = 0;
    for (size_t i = from; i < text->used; i++)
        n += text->data[i] == '\n';
    return n;
}

/* Inside a record: what is there and then the rest of that, with which the answer ends. */
static void stream_rest(events *self)
{
    server_request *q = self->request;
    self->ends = true;
    self->begun = q->text;
    q->text = (common_text){0};
    q->stream = &self->stream;
    server_add_header(q, "Roster-Next", "%llu", (unsigned long long)self->after + 1);
}

/* Some more; *more: that was not all, and nothing is missing. */
static service_code add_some(events *self, bool *more, service_error *err)
{
    common_text *out = &self->request->text;
    size_t used = out->used;
    service_code code = put_lines(self, self->limit, out, err);
    size_t lines = count_lines(out, used);
    self->limit -= lines < self->limit ? lines : self->limit;
    *more = lines > 0 && self->missing == 0 && self->limit > 0 && out->used < ANSWER_BYTES;
    return code;
}

/* True: the answer is there. */
static bool add_lines(events *self)
{
    const common_text *out = &self->request->text;
    service_error err = self->err;
    service_code code = self->code;
    for (bool more = true; code == SERVICE_OK && more;)
        code = add_some(self, &more, &err);
    bool inside = service_rows_are_inside(self->rows), full = self->limit == 0 || out->used >= ANSWER_BYTES;
    if (code == SERVICE_OK && inside && out->used >= ANSWER_BYTES)
        stream_rest(self);
    else if (code == SERVICE_OK && self->missing != 0 && (inside || !full))
        return false;
    else
        finish_lines(self, code != SERVICE_OK ? &err : NULL);
    return true;
}

static void lines_read(server *owner, server_job *job)
{
    events *self = (events *)((char *)job - offsetof(events, job));
    server_request *q = self->request;
    if (q->connection->socket < 0) { /* nobody is there to be answered */
        free_events(&self->stream);
        server_request_send(owner, q);
    } else if (add_lines(self)) {
        server_request_finish(owner, q);
    } else {
        server_job_start(owner, &self->job);
    }
}

/* ---- the handlers ---- */

static void answer_stream(server_request *q, events *e)
{
    q->stream = &e->stream;
    q->status = 200;
    q->type = "application/x-ndjson";
}

static void answer_lines(server *self, server_request *q, events *e)
{
    q->status = 200;
    q->type = "application/x-ndjson";
    e->job = (server_job){.run = read_rows, .done = lines_read};
    if (add_lines(e))
        return;
    q->waits = true;
    server_job_start(self, &e->job);
}

/* The query; false: the answer says what is wrong with it. */
static bool read_query(server_request *q, events *e)
{
    char format[24] = "lines";
    e->limit = UINT64_MAX;
    if (!server_query_count(q, "after", 0, INT64_MAX, &e->after) ||
        !server_query_count(q, "limit", 1, SERVER_LINES_MOST, &e->limit))
        return false;
    int there = http_argument(q->query, "format", format, sizeof format);
    bool dsjson = strcmp(format, "dsjson") == 0;
    if (there < 0 || (strcmp(format, "lines") != 0 && !(dsjson && e->of_campaign))) {
        server_refuse(q, 400, "invalid", "format is %.20s, must be lines%s", there < 0 ? "too long" : format,
                      e->of_campaign ? " or dsjson" : "");
        return false;
    }
    e->format = dsjson ? SERVICE_DSJSON : SERVICE_LINES;
    return true;
}

/* One of the places for reading the log; false: there is none. */
static bool take_place(server *self, server_request *q)
{
    if (self->measures.streams >= SERVER_STREAMS_MOST) {
        server_refuse(q, 503, "busy", "%d streams are open, the most that is allowed: ask again later",
                      SERVER_STREAMS_MOST);
        return false;
    }
    self->measures.streams++;
    q->streams = true;
    return true;
}

static void answer_events(server *self, server_request *q, const service_campaign *campaign)
{
    events *e = calloc(1, sizeof *e);
    if (e != NULL)
        *e = (events){.stream = {next_piece, free_events}, .request = q, .rows = service_rows_create()};
    if (e == NULL || e->rows == NULL) {
        free(e);
        server_refuse(q, 503, "out-of-memory", "out of memory");
        return;
    }
    e->of_campaign = campaign != NULL;
    e->campaign = campaign != NULL ? service_campaign_number(campaign) : 0;
    if (!read_query(q, e) || !take_place(self, q))
        free_events(&e->stream);
    else if (e->limit == UINT64_MAX)
        answer_stream(q, e);
    else
        answer_lines(self, q, e);
}

void server_get_events(server *self, server_request *q)
{
    answer_events(self, q, NULL);
}

void server_get_campaign_events(server *self, server_request *q)
{
    const service_campaign *campaign = service_campaign_find(self->engine, q->name, q->name_size);
    if (campaign != NULL)
        answer_events(self, q, campaign);
    else
        server_refuse(q, 404, service_code_word(SERVICE_NO_CAMPAIGN), "there is no campaign %.*s",
                      (int)(q->name_size < 64 ? q->name_size : 64), q->name);
}
