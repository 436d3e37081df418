/*
 * route_experts.c: the handlers of experts that come, change and go while a campaign runs.
 *
 * Paper: none.
 * Check: tests/http/expert_changes.py.
 */
#include "http_internal.h"

#include <string.h>
#include <strings.h>

/* The expert's name as it is: %2F, which the path keeps, is a slash. */
static size_t name_of(const server_request *q, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < q->item_size; i++) {
        bool slash = q->item_size - i > 2 && strncasecmp(q->item + i, "%2F", 3) == 0;
        out[used++] = slash ? '/' : q->item[i];
        i += slash ? 2 : 0;
    }
    return used;
}

/* dry_run; false: it is neither true nor false, and that is the answer. */
static bool read_dry_run(server_request *q, bool *out)
{
    char word[8];
    int there = http_argument(q->query, "dry_run", word, sizeof word);
    *out = there > 0 && strcmp(word, "true") == 0;
    if (there == 0 || *out || (there > 0 && strcmp(word, "false") == 0))
        return true;
    server_refuse(q, 400, "invalid", "dry_run must be true or false");
    return false;
}

static void try_expert(server *self, server_request *q, const service_campaign *campaign, const char *name, size_t size)
{
    service_error err;
    q->status = 200;
    if (service_expert_try(self->engine, campaign, name, size, q->body != NULL ? q->body : "", q->used, &q->text,
                           &err) != SERVICE_OK)
        server_refuse_engine(q, &err);
}

static void change(server *self, server_request *q, bool comes, const char *event)
{
    char name[SERVER_URI_MOST + 1];
    service_error err;
    bool dry = false;
    service_campaign *campaign = server_campaign_of(self, q);
    if (campaign == NULL || (comes && !read_dry_run(q, &dry)))
        return;
    size_t size = name_of(q, name);
    if (comes && q->used == 0) {
        server_refuse(q, 400, "invalid", "the body must describe the expert: {\"name\": .., \"table\": ..}");
        return;
    }
    if (dry) {
        try_expert(self, q, campaign, name, size);
        return;
    }
    if (service_expert_change(self->engine, campaign, name, size, comes ? q->body : NULL, comes ? q->used : 0,
                              server_service_time(self), &err) != SERVICE_OK) {
        server_refuse_engine(q, &err);
        return;
    }
    server_log(self, SERVER_LOG_INFO, event, "campaign", service_campaign_name(campaign), (char *)NULL);
    server_answer_campaign(q, 200, campaign);
}

void server_post_expert(server *self, server_request *q)
{
    change(self, q, true, "expert-added");
}

void server_put_expert(server *self, server_request *q)
{
    change(self, q, true, "expert-replaced");
}

void server_delete_expert(server *self, server_request *q)
{
    change(self, q, false, "expert-retired");
}
