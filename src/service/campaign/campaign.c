/*
 * campaign.c: campaigns: created, found, archived.
 *
 * Paper: none.
 * Check: tests/unit/test_service.c, tests/unit/test_service_refused.c.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

void service_campaign_free(service_campaign *c)
{
    if (c == NULL)
        return;
    service_episodes_free(c);
    free(c->episodes);
    free(c->closed);
    service_names_free(&c->contexts);
    service_names_free(&c->actions);
    service_names_free(&c->experts_names);
    roster_experts_free(c->own);
    free(c->seen);
    free(c->caps);
    free(c->scratch);
    free(c->order);
    service_table_free(&c->table);
    service_table_free(&c->joined);
    service_forgotten_free(&c->forgotten);
    common_arena_free(&c->memory);
    common_arena_free(&c->kept);
    free(c);
}

service_campaign *service_campaign_at(const service *self, size_t i)
{
    return i < self->n_campaigns ? self->campaigns[i] : NULL;
}

size_t service_campaign_count(const service *self)
{
    return self->n_campaigns;
}

size_t service_campaign_number(const service_campaign *c)
{
    return c->number;
}

size_t service_campaign_count_live(const service *self)
{
    return self->n_live;
}

const char *service_campaign_name(const service_campaign *c)
{
    return c->name;
}

bool service_campaign_archived(const service_campaign *c)
{
    return c->archived;
}

service_campaign *service_campaign_find(const service *self, const char *name, size_t size)
{
    size_t found = size <= SERVICE_NAME_MOST ? name_table_find(&self->by_name, name, size) : SIZE_MAX;
    return found != SIZE_MAX ? self->campaigns[found] : NULL;
}

service_code service_campaign_add(service *self, service_campaign *c, service_error *err)
{
    if (!common_grow(&self->campaigns, &self->campaigns_room, self->n_campaigns + 1, sizeof(service_campaign *)) ||
        !name_table_add(&self->by_name, c->name))
        return service_no_memory(err);
    c->number = (uint32_t)self->n_campaigns;
    self->n_live++;
    self->campaigns[self->n_campaigns++] = c;
    return SERVICE_OK;
}

service_code service_apply_campaign(service *self, service_record *r, service_error *err)
{
    service_campaign *c = self->prepared;
    service_episode_state first;
    if (r->campaign != self->n_campaigns)
        return service_differs(self, "campaign", err, "is %u, must be %zu", r->campaign, self->n_campaigns);
    service_code code = c != NULL ? SERVICE_OK : service_campaign_read(self, r->text, r->text_size, &c, err);
    if (code != SERVICE_OK)
        return code;
    const service_campaign *other = service_campaign_find(self, c->name, strlen(c->name));
    if (other != NULL && !other->archived)
        code = service_differs(self, "name", err, "is %s, a name that is already taken", c->name);
    if (code == SERVICE_OK && c != self->prepared)
        code = service_episode_draft(c, SERVICE_FIRST, NULL, r->at, &first, err);
    if (code == SERVICE_OK && c != self->prepared)
        service_episode_begin(c, &first);
    if (code == SERVICE_OK)
        code = service_campaign_add(self, c, err);
    if (code == SERVICE_OK)
        service_episode_date(c, r->at);
    else if (c != self->prepared)
        service_campaign_free(c);
    return code;
}

service_closed *service_figures_take(const service_campaign *c)
{
    const service_episode_state *e = service_present(c);
    double *index = calloc(c->n, sizeof *index);
    service_closed *taken = calloc(c->n, sizeof *taken);
    if (index == NULL || taken == NULL) {
        free(index);
        free(taken);
        return NULL;
    }
    if (e->agent != NULL)
        roster_agent_index(e->agent, index);
    for (size_t k = 0; k < c->n; k++) {
        service_closed *to = &taken[k];
        *to = (service_closed){.plays = e->plays[k], .index = NAN, .insight = {NAN, NAN, NAN, NAN}};
        service_evidence_fill(e, k, to);
        if (e->agent == NULL)
            continue;
        to->index = index[k];
        roster_agent_insight(e->agent, k, &to->insight);
    }
    free(index);
    return taken;
}

void service_campaign_empty(service *self, service_campaign *c)
{
    uint64_t now = service_campaign_bytes(c), bytes = now > c->archived_bytes ? now : c->archived_bytes;
    self->kept_bytes += service_campaign_kept(c);
    self->let_go += bytes;
    c->freed = true;
    service_table_free(&c->table);
    service_table_free(&c->joined);
    service_forgotten_free(&c->forgotten);
    service_episodes_free(c);
    free(c->episodes);
    free(c->seen);
    free(c->caps);
    free(c->scratch);
    free(c->order);
    c->episodes = NULL;
    c->episodes_room = 0;
    c->seen = NULL;
    c->caps = c->scratch = NULL;
    c->order = NULL;
    c->next = INT64_MAX;
    service_campaign_drop_own(c);
}

void service_campaign_drop_own(service_campaign *c)
{
    if (!c->freed || c->upcoming > 0)
        return;
    roster_experts_free(c->own);
    c->own = NULL;
    service_names_close(&c->contexts);
    service_names_close(&c->actions);
    service_names_close(&c->experts_names);
    common_arena_free(&c->memory);
    c->settings = NULL;
    c->warm.rows = NULL;
    c->p = NULL;
}

/* Takes the figures, then lets go; false: no memory, and nothing has changed. */
static bool end(service *self, service_campaign *c)
{
    c->closed = service_figures_take(c);
    if (c->closed == NULL)
        return false;
    c->counts.open = 0;
    for (size_t i = 0; i < c->n_episodes; i++) {
        c->episodes[i].open = 0;
        memset(c->episodes[i].waiting, 0, c->n * sizeof *c->episodes[i].waiting);
    }
    service_episode_sweep(c);
    const service_episode_state *e = service_present(c);
    c->last = service_episode_figures(e);
    c->chosen = e->agent != NULL ? roster_agent_about(e->agent) : NULL;
    service_campaign_empty(self, c);
    return true;
}

/* Flagged: only the beginning, since windows are still open. */
service_code service_apply_archive(service *self, service_campaign *c, service_record *r, service_error *err)
{
    if (!c->archived)
        c->archived_bytes = service_campaign_bytes(c);
    if (!r->flag && !end(self, c))
        return service_no_memory(err);
    self->n_live -= !c->archived;
    c->archived = true;
    return SERVICE_OK;
}

service_code service_archive_on(service *self, service_campaign *c, int64_t now, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_ARCHIVE, .campaign = c->number, .at = now};
    service_code code = SERVICE_OK;
    while (code == SERVICE_OK && c->table.head < c->table.end && self->pace > 0)
        code = service_close_early(self, c, SERVICE_CLOSE_MOST, SERVICE_CLOSE_EARLY, now, err);
    return code == SERVICE_OK && c->table.head == c->table.end ? service_do(self, &r, err) : code;
}

service_code service_campaign_archive(service *self, service_campaign *c, int64_t now, service_error *err)
{
    service_record r = {
        .kind = SERVICE_RECORD_ARCHIVE, .campaign = c->number, .at = service_clock(self, now), .flag = 1};
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK && c->counts.open > service_closable(self, c))
        code = service_do(self, &r, err);
    return code == SERVICE_OK ? service_archive_on(self, c, r.at, err) : code;
}
