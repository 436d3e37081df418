/*
 * campaign_limits.c: how much one campaign, and all of them, may take: set by the operator, not part of the log.
 *
 *   campaigns   live ones                                          refused when one is created
 *   archived    memory that archived ones keep: description, names and figures; refused when one is created
 *   rosters     all there are                                      refused when one is created
 *   cells       numbers in the tables of a campaign or roster      refused when it is created
 *   events      open events of a campaign                          refused when one more is decided
 *   bytes       memory of a campaign: description, experts, agents and events, as far as they can be counted;
 *               and of all rosters together                        refused when one is created
 *
 * Records that are in the log are applied whatever the limits are now; 0 is no limit.
 *
 * Paper: none.
 * Cost: a few additions per decision.
 * Check: tests/unit/test_service_drafts.c: limits_refuse.
 */
#include "service_internal.h"

#include <string.h>

void service_limit(service *self, const service_limits *limits)
{
    self->limits = *limits;
}

const service_limits *service_limits_of(const service *self)
{
    return &self->limits;
}

uint64_t service_refused(const service *self, service_quota which)
{
    return self->refused[which];
}

uint64_t service_campaign_bytes(const service_campaign *c)
{
    uint64_t cells = (uint64_t)c->n * c->x * c->v * sizeof(double);
    uint64_t sum = c->table.bytes + c->joined.bytes + service_forgotten_bytes(&c->forgotten) + c->fixed_bytes +
                   (c->own != NULL ? cells : 0);
    for (size_t i = 0; i < c->n_episodes; i++) {
        const service_episode_state *e = &c->episodes[i];
        sum += e->agent_bytes + service_watch_bytes(e->shadow, c) + service_evidence_bytes(c, e) +
               2 * c->n * sizeof *e->plays + (e->made != NULL ? cells : 0) + (e->counts != NULL ? cells : 0);
    }
    return sum;
}

uint64_t service_campaign_kept(const service_campaign *c)
{
    size_t texts = c->text_size + (c->shown != c->text ? c->shown_size : 0);
    return sizeof *c + texts + c->n * sizeof *c->closed + c->contexts.bytes + c->actions.bytes + c->experts_names.bytes;
}

uint64_t service_archived_bytes(const service *self)
{
    return self->kept_bytes;
}

uint64_t service_let_go(service *self)
{
    uint64_t bytes = self->let_go;
    self->let_go = 0;
    return bytes;
}

static service_code refuse(service *self, service_quota which, service_code code, const char *name, uint64_t is,
                           service_error *err)
{
    static const char *const sentences[SERVICE_QUOTAS] = {
        [SERVICE_QUOTA_CAMPAIGNS] =
            "campaign %s cannot be created: there are already %llu, which is the limit: archive "
            "some, or start the server with a larger --max-campaigns",
        [SERVICE_QUOTA_ROSTERS] = "roster %s cannot be created: there are already %llu, which is the limit: start the "
                                  "server with a larger --max-rosters",
        [SERVICE_QUOTA_EVENTS] = "campaign %s has %llu open events, which is the limit: wait until windows end, "
                                 "or start the server with a larger --max-open",
        [SERVICE_QUOTA_BYTES] = "campaign %s takes %llu bytes of memory, which is over the limit: wait until events "
                                "are forgotten, or start the server with a larger --max-bytes",
        [SERVICE_QUOTA_ARCHIVED] = "campaign %s cannot be created: archived campaigns keep %llu bytes of memory, which "
                                   "is over the limit: start the server with a larger --max-archived"};
    self->refused[which]++;
    /* One of the sentences above, which all take the same two arguments; of cells: service_limits_cells. */
    return service_fail(err, code, sentences[which], name, (unsigned long long)is);
}

service_code service_limits_admit(service *self, const service_campaign *c, service_error *err)
{
    uint64_t bytes = service_campaign_bytes(c);
    if (self->limits.campaigns > 0 && self->n_live >= self->limits.campaigns)
        return refuse(self, SERVICE_QUOTA_CAMPAIGNS, SERVICE_LIMIT, c->name, self->n_live, err);
    if (self->n_campaigns >= SERVICE_CAMPAIGNS_MOST)
        return refuse(self, SERVICE_QUOTA_CAMPAIGNS, SERVICE_LIMIT, c->name, self->n_campaigns, err);
    if (self->limits.archived > 0 && self->kept_bytes > self->limits.archived)
        return refuse(self, SERVICE_QUOTA_ARCHIVED, SERVICE_LIMIT, c->name, self->kept_bytes, err);
    if (self->limits.bytes > 0 && bytes > self->limits.bytes)
        return refuse(self, SERVICE_QUOTA_BYTES, SERVICE_LIMIT, c->name, bytes, err);
    return SERVICE_OK;
}

static uint64_t roster_bytes(const service_roster *r)
{
    uint64_t cells = (uint64_t)r->n * r->x * r->v;
    return sizeof *r + 2 * strlen(r->text) + cells * sizeof *r->counts +
           (r->experts != NULL ? cells * sizeof(double) : 0);
}

service_code service_limits_admit_roster(service *self, const service_roster *r, service_error *err)
{
    uint64_t bytes = roster_bytes(r);
    if ((self->limits.rosters > 0 && self->n_rosters >= self->limits.rosters) ||
        self->n_rosters >= SERVICE_CAMPAIGNS_MOST)
        return refuse(self, SERVICE_QUOTA_ROSTERS, SERVICE_LIMIT, r->name, self->n_rosters, err);
    for (size_t i = 0; i < self->n_rosters; i++)
        bytes += roster_bytes(self->rosters[i]);
    if (self->limits.bytes == 0 || bytes <= self->limits.bytes)
        return SERVICE_OK;
    self->refused[SERVICE_QUOTA_BYTES]++;
    return service_fail(err, SERVICE_LIMIT,
                        "roster %s cannot be created: all rosters would take %llu bytes of memory: make it smaller, or "
                        "start the server with a larger --max-bytes",
                        r->name, (unsigned long long)bytes);
}

service_code service_limits_cells(const roster_error *wrong, uint64_t most, service_error *err)
{
    bool ours = most > 0 && most < EXPERIMENT_NUMBERS_MOST;
    return service_fail(err, SERVICE_LIMIT, "%s%s", wrong->msg,
                        ours ? ": make them smaller, or start the server with a larger --max-cells" : "");
}

service_code service_limits_decide(service *self, const service_campaign *c, service_error *err)
{
    if (self->limits.events > 0 && c->counts.open >= self->limits.events)
        return refuse(self, SERVICE_QUOTA_EVENTS, SERVICE_QUOTA, c->name, c->counts.open, err);
    if (self->limits.bytes > 0 && service_campaign_bytes(c) > self->limits.bytes)
        return refuse(self, SERVICE_QUOTA_BYTES, SERVICE_QUOTA, c->name, service_campaign_bytes(c), err);
    return SERVICE_OK;
}
