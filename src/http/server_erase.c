/*
 * server_erase.c: POST /v1/campaigns/{campaign}/erase: one event's id and features.
 *
 *   commit     what was recorded before the request must be in the log
 *   find       a job: the records that have the id
 *   say        a record in the log: which, and what their rows become; the id goes from memory
 *   snapshot   of the state after that record; it is the audit's base from then on
 *   make       a job: the rows are rewritten, older snapshots and the journal go; then the request is answered
 *
 * One at a time, and none while records are dropped. A crash after the record leaves an erasure that is known by it: it
 * is gone on with at the next start. Where something fails, or takes long, the request is answered with 503; after the
 * record the erasure is tried again all the same.
 *
 * Paper: none.
 * Check: tests/http/erase.py.
 */
#include "json_member.h"
#include "server_erase.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { AGAIN = 10000000 }; /* microseconds */
typedef enum phase { IDLE, COMMITS, FINDS, SAYS, LOADS, SNAPSHOTS, MAKES } phase;

struct server_erase {
    server_job job;
    phase phase;
    server_request *request; /* NULL: nobody waits for it */
    service_erase *what;     /* owned */
    uint64_t until;          /* must be durable before the next step */
    uint64_t snapshot;
    int64_t began;
    int64_t again; /* not before that time, after a failure */
    service_code code;
    service_error wrong;
};

static server_erase *erase_of(server_job *job)
{
    return (server_erase *)((char *)job - offsetof(server_erase, job));
}

static void start(server *self, phase next, void (*run)(server_job *, store **), void (*done)(server *, server_job *))
{
    server_erase *e = self->erase;
    e->phase = next;
    e->job = (server_job){.run = run, .done = done};
    e->code = service_fail(&e->wrong, SERVICE_BUSY, "the server is stopping: ask again later");
    server_job_start(self, &e->job);
}

/* The client that asked gets the answer, if it is still there. */
static void answer(server *self, const service_error *refused, uint64_t records)
{
    server_erase *e = self->erase;
    server_request *q = e->request;
    e->request = NULL;
    if (q == NULL)
        return;
    if (q->connection->socket < 0) {
        server_request_send(self, q);
        return;
    }
    if (refused != NULL) {
        server_refuse_engine(q, refused);
    } else {
        q->status = 200;
        common_put_text(&q->text, "{");
        json_member_text(&q->text, "event_id", service_erase_id(e->what));
        json_member_count(&q->text, "records", records);
        common_put_text(&q->text, "}");
    }
    server_request_finish(self, q);
}

static void end(server *self)
{
    server_erase *e = self->erase;
    service_erase_close(e->what);
    e->what = NULL;
    e->phase = IDLE;
}

void server_erase_failed(server *self, service_code code, const char *why)
{
    server_erase *e = self->erase;
    service_error wrong;
    if (e == NULL || e->request == NULL)
        return;
    if (e->phase == COMMITS) {
        service_fail(&wrong, code, "%s: nothing is erased yet, ask again later", why);
        answer(self, &wrong, 0);
        end(self);
    } else if (e->phase == SAYS || e->phase == SNAPSHOTS) {
        service_fail(&wrong, code, "%s: the erasure is begun and will be completed later", why);
        answer(self, &wrong, 0);
    }
}

static void made(server *self, server_job *job)
{
    server_erase *e = erase_of(job);
    if (e->code != SERVICE_OK) { /* it is tried again until it is done */
        server_log(self, SERVER_LOG_ERRORS, "erasing-failed", "message", e->wrong.msg, (char *)NULL);
        answer(self, &e->wrong, 0);
        e->phase = SNAPSHOTS;
        e->again = server_clock() + AGAIN;
        return;
    }
    server_log(self, SERVER_LOG_INFO, "event-erased", (char *)NULL);
    if (service_erase_id(e->what)[0] != '\0') /* it is not known to one that was interrupted by a restart */
        service_erase_remember(self->engine, e->what);
    answer(self, NULL, service_erase_count(e->what));
    end(self);
}

static void make(server_job *job, store **reader)
{
    server_erase *e = erase_of(job);
    roster_error wrong;
    (void)reader;
    if (service_erase_make(e->what, job->server->options->data, e->snapshot, &wrong) == ROSTER_OK)
        e->code = SERVICE_OK;
    else
        e->code = service_fail(&e->wrong, SERVICE_STORE, "%s", wrong.msg);
}

void server_erase_snapshot(server *self, uint64_t snapshot)
{
    server_erase *e = self->erase;
    if (e == NULL || e->phase != SNAPSHOTS || snapshot < e->until || !server_retention_is_idle(self))
        return;
    e->snapshot = snapshot;
    start(self, MAKES, make, made);
}

static void found(server *self, server_job *job)
{
    server_erase *e = erase_of(job);
    size_t n = service_erase_count(e->what);
    if (e->code == SERVICE_OK && n == 0 && !service_erase_was_asked(self->engine, e->what))
        e->code =
            service_fail(&e->wrong, SERVICE_NO_EVENT,
                         "no record of the campaign has that event_id: it was never sent, was dropped, or is erased");
    if (e->code == SERVICE_OK && n > 0)
        e->code = service_erase_say(self->engine, e->what, server_service_time(self), &e->wrong);
    if (e->code != SERVICE_OK || n == 0) {
        answer(self, e->code != SERVICE_OK ? &e->wrong : NULL, 0);
        end(self);
        return;
    }
    e->until = service_erased(self->engine);
    e->phase = SAYS;
}

static void find(server_job *job, store **reader)
{
    server_erase *e = erase_of(job);
    roster_error wrong;
    store *log = server_job_reader(job, reader, &wrong);
    e->code = log != NULL ? service_erase_find(e->what, log, &e->wrong)
                          : service_fail(&e->wrong, SERVICE_STORE, "%s", wrong.msg);
}

static void loaded(server *self, server_job *job)
{
    server_erase *e = erase_of(job);
    if (e->code == SERVICE_OK) {
        e->phase = SNAPSHOTS;
        e->again = 0;
        return;
    }
    server_log(self, SERVER_LOG_ERRORS, "erasing-failed", "message", e->wrong.msg, (char *)NULL);
    e->again = server_clock() + AGAIN; /* it stays in LOADS until it is done */
}

static void load(server_job *job, store **reader)
{
    server_erase *e = erase_of(job);
    roster_error wrong;
    store *log = server_job_reader(job, reader, &wrong);
    e->code = log != NULL ? service_erase_load(log, e->until, &e->what, &e->wrong)
                          : service_fail(&e->wrong, SERVICE_STORE, "%s", wrong.msg);
}

static void start_loading(server *self)
{
    server_erase *e = self->erase;
    service_erase_close(e->what);
    e->what = NULL;
    e->again = INT64_MAX;
    start(self, LOADS, load, loaded);
}

void server_erase_go_on(server *self)
{
    server_erase *e = self->erase;
    if (e == NULL)
        return;
    int64_t now = server_clock();
    bool durable = e->until <= service_last(self->engine) - service_pending(self->engine);
    if (e->phase == COMMITS && durable)
        start(self, FINDS, find, found);
    else if (e->phase == SAYS && durable)
        e->phase = SNAPSHOTS;
    else if (e->phase == LOADS && now >= e->again)
        start_loading(self);
    else if (e->phase == SNAPSHOTS && !server_retention_is_idle(self) && now - e->began > AGAIN)
        server_erase_failed(self, SERVICE_BUSY, "records are being exported or dropped");
    else if (e->phase == SNAPSHOTS && server_retention_is_idle(self) && now >= e->again)
        server_snapshot_want(self);
}

bool server_erase_is_idle(const server *self)
{
    return self->erase == NULL || self->erase->phase < LOADS;
}

void server_erase_resume(server *self)
{
    uint64_t last = service_erased(self->engine);
    if (self->turns != NULL || last == store_cut_of(self->log)->erased)
        return;
    self->erase = calloc(1, sizeof *self->erase);
    if (self->erase == NULL) {
        server_log(self, SERVER_LOG_ERRORS, "erasing-failed", "message",
                   "out of memory: an erasure that was interrupted waits for the next start", (char *)NULL);
        return;
    }
    self->erase->until = last;
    start_loading(self);
}

void server_post_erase(server *self, server_request *q)
{
    service_error err;
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign == NULL)
        return;
    if (self->turns != NULL) {
        server_refuse(q, 409, "conflict", "nothing can be erased from a log in PostgreSQL");
        return;
    }
    if (self->erase == NULL)
        self->erase = calloc(1, sizeof *self->erase);
    if (self->erase == NULL || self->erase->phase != IDLE) {
        server_refuse(q, 503, "busy", "another event is being erased: ask again later");
        return;
    }
    server_erase *e = self->erase;
    if (service_erase_open(self->engine, campaign, q->body != NULL ? q->body : "", q->used, server_service_time(self),
                           &e->what, &err) != SERVICE_OK) {
        server_refuse_engine(q, &err);
        return;
    }
    e->phase = COMMITS;
    e->began = server_clock();
    e->until = service_erase_until(e->what);
    e->request = q;
    q->waits = true;
    server_erase_go_on(self);
}

void server_erase_end(server *self)
{
    if (self->erase != NULL && self->erase->request != NULL)
        server_request_send(self, self->erase->request);
    if (self->erase != NULL)
        service_erase_close(self->erase->what);
    free(self->erase);
    self->erase = NULL;
}
