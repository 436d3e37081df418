/*
 * route_campaigns.c: the handlers of campaigns and rosters: from a request to the engine and back.
 *
 * Paper: none.
 * Check: tests/http/routes.py.
 */
#include "server_commits.h"
#include "service_elsewhere.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

service_campaign *server_campaign_of(server *self, server_request *q)
{
    service_campaign *campaign = service_campaign_find(self->engine, q->name, q->name_size);
    if (campaign == NULL)
        server_refuse(q, 404, service_code_word(SERVICE_NO_CAMPAIGN), "there is no campaign %.*s",
                      (int)(q->name_size < 64 ? q->name_size : 64), q->name);
    return campaign;
}

static const char *body_of(const server_request *q)
{
    return q->body != NULL ? q->body : "";
}

static void answer(server_request *q, unsigned status, service_code code, const service_error *err)
{
    q->status = status;
    if (code != SERVICE_OK)
        server_refuse_engine(q, err);
}

enum { TREE = 16 }; /* bytes of a tree per byte of its JSON, about */

/* What is being built by a job, since a thousand experts take their time. */
typedef struct building {
    server_job job;
    server_request *request;
    service *engine;      /* that it is for */
    service_draft *draft; /* owned */
    service_code code;
    service_error err;
    bool (*admit)(server *self, server_request *q, struct building *b); /* false: prepare again */
} building;

static building *building_of(server_job *job)
{
    return (building *)((char *)job - offsetof(building, job));
}

static void prepare_campaign(server_job *job, store **reader)
{
    building *b = building_of(job);
    (void)reader;
    b->code = service_campaign_prepare(b->draft, body_of(b->request), b->request->used, server_now(), &b->err);
}

static void prepare_roster(server_job *job, store **reader)
{
    building *b = building_of(job);
    (void)reader;
    b->code = service_roster_prepare(b->draft, body_of(b->request), b->request->used, &b->err);
}

static void built(server *self, server_job *job)
{
    building *b = building_of(job);
    server_request *q = b->request;
    if (b->engine == self->engine && server_turns_defer(self, job))
        return;
    if (b->engine != self->engine)
        b->code = service_fail(&b->err, SERVICE_STORE, "the log was replaced: ask again");
    bool gone = q->connection->socket < 0; /* nobody is there to be answered */
    if (!gone && b->code != SERVICE_OK)
        server_refuse_engine(q, &b->err);
    else if (!gone && !b->admit(self, q, b)) {
        server_job_start(self, job);
        return;
    }
    service_draft_close(self->engine, b->draft);
    server_trim_want(self, TREE * q->used);
    free(b);
    if (gone)
        server_request_send(self, q);
    else
        server_request_finish(self, q);
}

static void build(server *self, server_request *q, void (*prepare)(server_job *job, store **reader),
                  bool (*admit)(server *self, server_request *q, building *b))
{
    service_error err;
    building *b = server_keep_body(q) ? calloc(1, sizeof *b) : NULL;
    service_draft *draft = NULL;
    if (b == NULL || service_draft_open(self->engine, &draft, &err) != SERVICE_OK) {
        free(b);
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
        return;
    }
    *b = (building){
        .job = {.run = prepare, .done = built}, .request = q, .engine = self->engine, .draft = draft, .admit = admit};
    b->code = service_fail(&b->err, SERVICE_BUSY, "the server is stopping: ask again later");
    q->waits = true;
    server_job_start(self, &b->job);
}

static bool admit_campaign(server *self, server_request *q, building *b)
{
    service_campaign *campaign;
    bool created, again;
    service_error err;
    if (service_campaign_admit(self->engine, b->draft, server_service_time(self), &campaign, &created, &again, &err) !=
        SERVICE_OK) {
        server_refuse_engine(q, &err);
        return true;
    }
    if (again)
        return false;
    const char *name = service_campaign_name(campaign);
    server_add_header(q, "Location", "/v1/campaigns/%s", name);
    if (created)
        server_log(self, SERVER_LOG_INFO, "campaign-created", "campaign", name, (char *)NULL);
    server_answer_campaign(q, created ? 201 : 200, campaign);
    return true;
}

void server_post_campaign(server *self, server_request *q)
{
    build(self, q, prepare_campaign, admit_campaign);
}

void server_get_campaign(server *self, server_request *q)
{
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign != NULL)
        server_answer_campaign(q, 200, campaign);
}

/* After a change of the campaign: what was refused, or the campaign as it is now. */
static void answer_change(server *self, server_request *q, service_campaign *campaign, service_code code,
                          const service_error *err, const char *event)
{
    if (code != SERVICE_OK) {
        server_refuse_engine(q, err);
        return;
    }
    server_log(self, SERVER_LOG_INFO, event, "campaign", service_campaign_name(campaign), (char *)NULL);
    server_answer_campaign(q, 200, campaign);
}

void server_delete_campaign(server *self, server_request *q)
{
    service_error err;
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign == NULL)
        return;
    if (service_campaign_archived(campaign)) {
        server_answer_campaign(q, 200, campaign);
        return;
    }
    service_code code = service_campaign_archive(self->engine, campaign, server_service_time(self), &err);
    answer_change(self, q, campaign, code, &err, "campaign-archived");
}

void server_post_controls(server *self, server_request *q)
{
    service_error err;
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign == NULL)
        return;
    service_code code =
        service_control_json(self->engine, campaign, body_of(q), q->used, server_service_time(self), &err);
    answer_change(self, q, campaign, code, &err, "controls-set");
}

static bool turn_is_over(void *context)
{
    return server_clock() > ((const server *)context)->turn_end || server_turns_is_full(context);
}

/* Where a list goes on, the campaign is the one that it began with, whatever has that name by now. */
static service_campaign *campaign_of_items(server *self, server_request *q)
{
    if (q->rest == 0)
        q->campaign = server_campaign_of(self, q);
    return q->campaign;
}

/* The end of an answer to items, or of a slice of it. */
static void answer_items(server_request *q, unsigned status, const service_slice *slice, service_code code,
                         const service_error *err)
{
    q->rest = 0;
    if (code == SERVICE_OK && slice->at > 0)
        server_run_later(q, slice->at);
    else
        answer(q, status, code, err);
}

/* A call whose items speak for themselves; how many there were. */
static size_t post_items(server *self, server_request *q, service_call call)
{
    size_t items = 0;
    service_error err;
    service_campaign *campaign = campaign_of_items(self, q);
    if (campaign == NULL)
        return 0;
    service_slice slice = {turn_is_over, self, q->rest};
    service_code code = service_call_slice(self->engine, campaign, call, body_of(q), q->used, server_service_time(self),
                                           &slice, &q->text, &items, &err);
    answer_items(q, 200, &slice, code, &err);
    return items;
}

void server_post_decide(server *self, server_request *q)
{
    self->measures.items[0] += post_items(self, q, SERVICE_CALL_DECIDE);
}

void server_post_choose(server *self, server_request *q)
{
    self->measures.items[0] += post_items(self, q, SERVICE_CALL_CHOOSE);
}

void server_post_acted(server *self, server_request *q)
{
    post_items(self, q, SERVICE_CALL_ACTED);
}

void server_post_observed(server *self, server_request *q)
{
    post_items(self, q, SERVICE_CALL_OBSERVED);
}

void server_post_reward(server *self, server_request *q)
{
    size_t items = 0;
    service_status status = SERVICE_JOINED;
    service_error err;
    service_campaign *campaign = campaign_of_items(self, q);
    if (campaign == NULL)
        return;
    service_slice slice = {turn_is_over, self, q->rest};
    service_code code = service_reward_slice(self->engine, campaign, body_of(q), q->used, server_service_time(self),
                                             &slice, &q->text, &items, &status, &err);
    self->measures.items[1] += items;
    /* A list's items speak for themselves. */
    bool single = q->text.used > 0 && q->text.data[0] == '{';
    answer_items(q, single ? (unsigned)service_status_http(status) : 200, &slice, code, &err);
}

void server_get_rosters(server *self, server_request *q)
{
    q->status = 200;
    service_rosters_json(self->engine, &q->text);
}

void server_get_roster(server *self, server_request *q)
{
    service_error err;
    answer(q, 200, service_roster_json(self->engine, q->name, q->name_size, &q->text, &err), &err);
}

static void answer_roster(server *self, server_request *q, unsigned status, const char *name)
{
    service_error err;
    server_add_header(q, "Location", "/v1/rosters/%s", name);
    answer(q, status, service_roster_json(self->engine, name, strlen(name), &q->text, &err), &err);
}

static bool admit_roster(server *self, server_request *q, building *b)
{
    bool created;
    const char *name;
    service_error err;
    answer(q, 200, service_roster_admit(self->engine, b->draft, server_service_time(self), &name, &created, &err),
           &err);
    if (q->refused)
        return true;
    answer_roster(self, q, created ? 201 : 200, name);
    if (created)
        server_log(self, SERVER_LOG_INFO, "roster-created", (char *)NULL);
    return true;
}

void server_post_roster(server *self, server_request *q)
{
    build(self, q, prepare_roster, admit_roster);
}

void server_post_samples(server *self, server_request *q)
{
    uint64_t added = 0;
    service_error err;
    service_code code = service_roster_samples(self->engine, q->name, q->name_size, body_of(q), q->used,
                                               server_service_time(self), &added, &err);
    answer(q, 200, code, &err);
    if (q->refused)
        return;
    common_put_text(&q->text, "{\"added\":");
    common_put_count(&q->text, added);
    common_put_text(&q->text, "}");
}
