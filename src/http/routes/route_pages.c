/*
 * route_pages.c: the handlers that tell about the server itself: health, state, the document of the API, the dashboard.
 *
 * Paper: none.
 * Check: tests/http/routes.py.
 */
#include "http_internal.h"

#include <string.h>

void server_get_health(server *self, server_request *q)
{
    (void)self;
    q->status = 200;
    common_put_text(&q->text, "{\"status\":\"ok\"}");
}

/* How far the log is read, behind the refusal's own members. */
static void put_progress(server *self, common_text *out)
{
    out->used--; /* the last brace */
    common_put_text(out, ",\"progress\":{\"records\":");
    common_put_count(out, atomic_load(&self->opened));
    common_put_text(out, ",\"of\":");
    common_put_count(out, atomic_load(&self->to_open));
    common_put_text(out, "}}");
}

void server_get_ready(server *self, server_request *q)
{
    if (self->phase > SERVER_SERVING || atomic_load(&self->cancelled)) {
        server_refuse(q, 503, "stopping", "the server is stopping");
    } else if (self->engine == NULL) {
        server_refuse(q, 503, "starting", "the log is being read");
        put_progress(self, &q->text);
    } else if (service_failed(self->engine)) {
        server_refuse(q, 503, "store", "the log cannot be written");
    } else {
        server_get_health(self, q);
    }
}

static void put_pair(common_text *out, const char *key, uint64_t count)
{
    common_put_text(out, ",\"");
    common_put_text(out, key);
    common_put_text(out, "\":");
    common_put_count(out, count);
}

void server_get_state(server *self, server_request *q)
{
    common_text *out = &q->text;
    q->status = 200;
    common_put_text(out, "{\"version\":");
    common_put_string(out, roster_version());
    common_put_text(out, ",\"started\":");
    common_put_number(out, (double)self->started * 1e-6);
    common_put_text(out, ",\"now\":");
    common_put_number(out, (double)server_now() * 1e-6);
    common_put_text(out, ",\"durability\":");
    common_put_string(out, self->options->mode == STORE_DURABLE ? "fsync" : "os");
    put_pair(out, "campaigns", service_campaign_count(self->engine));
    put_pair(out, "connections", self->measures.connections);
    common_put_text(out, ",\"store\":{\"ok\":");
    common_put_text(out, service_failed(self->engine) ? "false" : "true");
    put_pair(out, "records", service_last(self->engine) - service_pending(self->engine));
    put_pair(out, "pending", service_pending(self->engine));
    put_pair(out, "bytes", self->state.bytes);
    put_pair(out, "snapshot", self->state.snapshot);
    put_pair(out, "commits", self->measures.commits);
    common_put_text(out, ",\"commit_seconds\":");
    common_put_number(out, self->measures.commit.sum);
    common_put_text(out, "}}");
}

void server_get_openapi(server *self, server_request *q)
{
    q->status = 200;
    common_put_text(&q->text, self->openapi);
}

void server_get_page(server *self, server_request *q)
{
    (void)self;
    q->status = 200;
    q->type = "text/html; charset=utf-8";
    q->header = "Content-Security-Policy";
    q->value = server_page_policy;
    common_put(&q->text, (const char *)server_page, server_page_size);
}
