/*
 * route_pages.c: the handlers that tell about the server itself: health, state, the document of the API, the dashboard.
 *
 * Paper: none.
 * Check: tests/http/routes.py.
 */
#include "server_commits.h"

#include "json_member.h"

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
    json_member_open(out, "progress", '{');
    json_member_count(out, "records", atomic_load(&self->opened));
    json_member_count(out, "of", atomic_load(&self->to_open));
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

/* Of a log that other servers append to, too. */
static void put_replicas(const server *self, common_text *out)
{
    if (self->turns == NULL)
        return;
    json_member_open(out, "replicas", '{');
    json_member_count(out, "active", self->state.writers);
    json_member_number(out, "lag_seconds", server_turns_lag(self));
    json_member_count(out, "turns", self->measures.turns);
    json_member_count(out, "followed", self->measures.followed);
    json_member_count(out, "rebuilds", self->measures.rebuilds);
    json_member_count(out, "records_lost", self->measures.records_lost);
    common_put_text(out, "}");
}

void server_get_state(server *self, server_request *q)
{
    common_text *out = &q->text;
    q->status = 200;
    common_put_text(out, "{");
    json_member_text(out, "version", roster_version());
    json_member_number(out, "started", (double)self->started * 1e-6);
    json_member_number(out, "now", (double)server_now() * 1e-6);
    json_member_text(out, "durability", self->options->mode == STORE_DURABLE ? "fsync" : "os");
    json_member_count(out, "campaigns", service_campaign_count(self->engine));
    json_member_count(out, "connections", self->measures.connections);
    json_member_open(out, "store", '{');
    json_member_truth(out, "ok", !service_failed(self->engine));
    json_member_count(out, "records", service_last(self->engine) - service_pending(self->engine));
    json_member_count(out, "pending", service_pending(self->engine));
    json_member_count(out, "bytes", self->state.bytes);
    json_member_count(out, "snapshot", self->state.snapshot);
    json_member_count(out, "commits", self->measures.commits);
    json_member_number(out, "commit_seconds", self->measures.commit.sum);
    common_put_text(out, "}");
    put_replicas(self, out);
    common_put_text(out, "}");
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
