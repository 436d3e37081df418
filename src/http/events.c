/*
 * events.c: the log for people and programs, streamed in pieces so that neither memory nor the lock is held for long.
 *
 * All streams share one reader of the log, which the thread of the requests alone uses. After every piece the reader
 * is moved past the end: a statement that stands on a row would keep the journal from being cut.
 *
 * Paper: none.
 * Check: tests/http/events.py.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_LINES = 500, LIMIT_MOST = 10000, BLOCK = 64 << 10 };

typedef struct stream {
    server *server;
    const service_campaign *campaign; /* NULL: all */
    service_format format;
    uint64_t after;
    service_text text; /* read and not yet sent: from `sent` on */
    size_t sent;
} stream;

/* With the lock held: lines until `most` are there or the log ends. */
static service_code read_piece(server *self, stream *s, size_t most, service_error *err)
{
    uint64_t next = s->after;
    service_code code =
        service_events(self->engine, self->reader, s->campaign, s->after, most, s->format, &s->text, &next, err);
    store_row row;
    bool found;
    roster_error ignored;
    store_read(self->reader, INT64_MAX, &row, &found, &ignored);
    s->after = next;
    return code;
}

static ssize_t next_bytes(void *context, uint64_t position, char *to, size_t room)
{
    stream *s = context;
    (void)position;
    service_error err;
    service_code code = SERVICE_OK;
    while (s->sent == s->text.used && code == SERVICE_OK) {
        uint64_t before = s->after;
        service_text_clear(&s->text);
        s->sent = 0;
        pthread_mutex_lock(&s->server->lock);
        code = read_piece(s->server, s, PIECE_LINES, &err);
        pthread_mutex_unlock(&s->server->lock);
        if (code == SERVICE_OK && s->after == before)
            return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (code != SERVICE_OK || s->text.failed) {
        server_log(s->server, SERVER_LOG_ERRORS, "stream-failed", "message", code != SERVICE_OK ? err.msg : "memory",
                   (char *)NULL);
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t n = s->text.used - s->sent < room ? s->text.used - s->sent : room;
    memcpy(to, s->text.data + s->sent, n);
    s->sent += n;
    return (ssize_t)n;
}

static void end_stream(void *context)
{
    stream *s = context;
    s->server->measures.streams--;
    service_text_free(&s->text);
    free(s);
}

static void answer_stream(server *self, server_request *q, const stream *start)
{
    stream *s = malloc(sizeof *s);
    if (self->measures.streams >= SERVER_STREAMS_MOST || s == NULL) {
        free(s);
        server_refuse(q, 503, "busy", "%d streams are open, there can be no more: ask again later",
                      SERVER_STREAMS_MOST);
        return;
    }
    *s = *start;
    self->measures.streams++;
    q->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, next_bytes, s, end_stream);
    if (q->response == NULL)
        end_stream(s);
    q->status = 200;
}

static void answer_lines(server *self, server_request *q, stream *s, uint64_t limit)
{
    service_error err;
    if (read_piece(self, s, limit, &err) != SERVICE_OK) {
        server_refuse_engine(q, &err);
        service_text_free(&s->text);
        return;
    }
    q->status = 200;
    service_put(&s->text, "", 0);
    q->text = s->text;
    snprintf(q->room_for_value, sizeof q->room_for_value, "%llu", (unsigned long long)s->after);
    q->header = "Roster-Next";
    q->value = q->room_for_value;
}

static void answer_events(server *self, server_request *q, const service_campaign *campaign)
{
    stream s = {.server = self, .campaign = campaign};
    uint64_t limit = UINT64_MAX;
    const char *format = MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, "format");
    if (!server_query_count(q, "after", INT64_MAX, &s.after) ||
        (MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, "limit") != NULL &&
         !server_query_count(q, "limit", LIMIT_MOST, &limit)))
        return;
    bool dsjson = format != NULL && strcmp(format, "dsjson") == 0;
    if (format != NULL && strcmp(format, "lines") != 0 && (!dsjson || campaign == NULL)) {
        server_refuse(q, 400, "invalid", "format is %.20s, must be lines%s", format,
                      campaign != NULL ? " or dsjson" : "");
        return;
    }
    s.format = dsjson ? SERVICE_DSJSON : SERVICE_LINES;
    q->type = "application/x-ndjson";
    if (limit == UINT64_MAX)
        answer_stream(self, q, &s);
    else
        answer_lines(self, q, &s, limit);
    if (q->refused)
        q->type = NULL;
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
