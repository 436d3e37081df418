/*
 * route_listing.c: answers about all campaigns, and about one with all its experts, in pieces: a hundred thousand of
 * them hold up nobody.
 *
 * Campaigns that are created meanwhile come last; none goes. Figures of different campaigns may be of different
 * moments, those of one campaign's experts are not.
 *
 * Paper: none.
 * Check: tests/http/listing.py, tests/http/wide.py.
 */
#include "http_internal.h"

#include <stdlib.h>

enum { PIECE = 500 }; /* campaigns */

typedef struct listing {
    server_stream stream;
    server *server;
    size_t next, family; /* campaign; and of metrics */
} listing;

static void free_listing(server_stream *stream)
{
    free(stream);
}

static server_piece next_campaigns(server_stream *stream, common_text *out)
{
    listing *self = (listing *)stream;
    const service *engine = self->server->engine;
    common_put_text(out, self->next == 0 ? "{\"campaigns\":[" : "");
    service_campaigns_part(engine, self->next, PIECE, out);
    self->next += PIECE;
    if (self->next < service_campaign_count(engine))
        return SERVER_PIECE_MORE;
    common_put_text(out, "]}");
    return SERVER_PIECE_LAST;
}

static server_piece next_metrics(server_stream *stream, common_text *out)
{
    listing *self = (listing *)stream;
    if (!server_put_campaign_metrics(self->server, self->family, self->next, PIECE, out))
        return SERVER_PIECE_LAST;
    self->next += PIECE;
    if (self->next >= service_campaign_count(self->server->engine)) {
        self->next = 0;
        self->family++;
    }
    return SERVER_PIECE_MORE;
}

static void answer(server *self, server_request *q, const char *type,
                   server_piece (*next)(server_stream *, common_text *))
{
    listing whole = {.server = self}, *pieces;
    q->status = 200;
    q->type = type;
    if (service_campaign_count(self->engine) <= PIECE) {
        while (next(&whole.stream, &q->text) == SERVER_PIECE_MORE)
            continue;
        return;
    }
    pieces = malloc(sizeof *pieces);
    if (pieces == NULL) {
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
        return;
    }
    whole.stream = (server_stream){.next = next, .free = free_listing};
    *pieces = whole;
    q->stream = &pieces->stream;
}

void server_get_campaigns(server *self, server_request *q)
{
    answer(self, q, NULL, next_campaigns);
}

void server_get_campaign_metrics(server *self, server_request *q)
{
    answer(self, q, "text/plain; version=0.0.4; charset=utf-8", next_metrics);
}

/* ---- one campaign ---- */

typedef struct portrait {
    server_stream stream;
    service_telling *telling; /* owned */
    common_text first;        /* owned: the first piece; empty when it was given */
} portrait;

static void free_portrait(server_stream *stream)
{
    portrait *self = (portrait *)stream;
    service_telling_close(self->telling);
    common_text_free(&self->first);
    free(self);
}

static server_piece next_experts(server_stream *stream, common_text *out)
{
    portrait *self = (portrait *)stream;
    if (self->first.used > 0) {
        *out = self->first;
        self->first = (common_text){0};
        return SERVER_PIECE_MORE;
    }
    bool more = service_telling_next(self->telling, out);
    self->stream.bytes = service_telling_bytes(self->telling);
    return more ? SERVER_PIECE_MORE : SERVER_PIECE_LAST;
}

void server_answer_campaign(server_request *q, unsigned status, service_campaign *campaign)
{
    service_error err;
    service_telling *telling;
    portrait *self = NULL;
    q->status = status;
    if (service_telling_open(campaign, &telling, &err) != SERVICE_OK) {
        server_refuse_engine(q, &err);
        return;
    }
    bool more = service_telling_next(telling, &q->text);
    if (q->text.failed || (more && (self = malloc(sizeof *self)) == NULL))
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
    if (self == NULL) {
        service_telling_close(telling);
        return;
    }
    *self = (portrait){{next_experts, free_portrait, service_telling_bytes(telling)}, telling, q->text};
    q->text = (common_text){0};
    q->stream = &self->stream;
}
