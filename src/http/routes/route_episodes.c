/*
 * route_episodes.c: the handler of new episodes: prepared by jobs, since the divergences of hundreds of experts take
 * their time, and begun on the loop.
 *
 * One at a time is prepared for a campaign, in the order in which they were asked for: one that begins makes all others
 * that were prepared of no use.
 *
 * Paper: none.
 * Check: tests/http/episodes.py.
 */
#include "server_commits.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct server_episode {
    server_job job;
    server_request *request;
    service *engine; /* of the campaign */
    service_campaign *campaign;
    service_upcoming *upcoming; /* owned; NULL: others of the campaign come first */
    service_code code;
    service_error err;
    server_episode *next;
};

static bool is_gone(const server_episode *e)
{
    return e->request->connection->socket < 0; /* nobody is there to be answered */
}

static void prepare(server_job *job, store **reader)
{
    server_episode *e = (server_episode *)((char *)job - offsetof(server_episode, job));
    (void)reader;
    e->code = service_upcoming_prepare(e->upcoming, &e->err);
}

/* The first that was asked for of that campaign. */
static server_episode *first_of(const server *self, const service_campaign *campaign)
{
    server_episode *e = self->episodes;
    while (e != NULL && e->campaign != campaign)
        e = e->next;
    return e;
}

/* False: it was refused. */
static bool begin(server *self, server_episode *e)
{
    e->code = service_upcoming_open(self->engine, e->campaign, &e->upcoming, &e->err);
    if (e->code != SERVICE_OK) {
        server_refuse_engine(e->request, &e->err);
        return false;
    }
    e->code = service_fail(&e->err, SERVICE_BUSY, "the server is stopping: ask again later");
    server_job_start(self, &e->job);
    return true;
}

static void drop(server *self, server_episode *e)
{
    server_episode **at = &self->episodes;
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    service_upcoming_close(e->upcoming);
    free(e);
}

static void end(server *self, server_episode *e)
{
    server_request *q = e->request;
    bool gone = is_gone(e);
    drop(self, e);
    if (gone)
        server_request_send(self, q);
    else
        server_request_finish(self, q);
}

/* False: it is to be prepared again. */
static bool admit(server *self, server_episode *e)
{
    server_request *q = e->request;
    uint32_t number;
    bool again = false;
    if (e->code == SERVICE_OK)
        e->code =
            service_upcoming_admit(self->engine, e->upcoming, server_service_time(self), &number, &again, &e->err);
    if (e->code != SERVICE_OK) {
        server_refuse_engine(q, &e->err);
        return true;
    }
    if (again)
        return false;
    server_log(self, SERVER_LOG_INFO, "episode-started", "campaign", service_campaign_name(e->campaign), (char *)NULL);
    q->status = 200;
    common_put_text(&q->text, "{\"episode\":");
    common_put_count(&q->text, number);
    common_put_text(&q->text, "}");
    return true;
}

static void prepared(server *self, server_job *job)
{
    server_episode *e = (server_episode *)((char *)job - offsetof(server_episode, job));
    service_campaign *campaign = e->campaign;
    if (e->engine == self->engine && server_turns_defer(self, job))
        return;
    if (e->engine != self->engine)
        e->code = service_fail(&e->err, SERVICE_STORE, "the log was replaced: ask again");
    if (!is_gone(e) && !admit(self, e)) {
        server_job_start(self, job);
        return;
    }
    end(self, e);
    while ((e = first_of(self, campaign)) != NULL && (is_gone(e) || !begin(self, e)))
        end(self, e);
}

void server_episodes_refuse(server *self)
{
    for (server_episode *e = self->episodes, *next; e != NULL; e = next) {
        next = e->next;
        if (e->upcoming != NULL)
            continue; /* a job has it */
        server_refuse(e->request, 503, service_code_word(SERVICE_STORE), "the log was replaced: ask again");
        end(self, e);
    }
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Nothing, or {}. A body is NUL-terminated; one with a NUL inside is none of them. */
static bool is_empty_object(const server_request *q)
{
    const char *body = q->body != NULL ? q->body : "", *at = skip_space(body);
    if (*at == '{') {
        at = skip_space(at + 1);
        at = *at == '}' ? skip_space(at + 1) : body;
    }
    return at == body + q->used;
}

void server_post_episode(server *self, server_request *q)
{
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign == NULL)
        return;
    if (!is_empty_object(q)) {
        server_refuse(q, 400, "invalid", "the body must be empty or {}");
        return;
    }
    server_episode *e = calloc(1, sizeof *e), **last = &self->episodes;
    if (e == NULL) {
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
        return;
    }
    *e = (server_episode){
        .job = {.run = prepare, .done = prepared}, .request = q, .engine = self->engine, .campaign = campaign};
    while (*last != NULL)
        last = &(*last)->next;
    bool waits = first_of(self, campaign) != NULL;
    *last = e;
    q->waits = waits || begin(self, e);
    if (!q->waits)
        drop(self, e);
}
