/*
 * campaign.c: campaigns: created, found, archived.
 *
 * Paper: none.
 * Check: tests/unit/test_service.c, tests/unit/test_service_refused.c.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

void service_campaign_free(service_campaign *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_episodes; i++)
        service_episode_free(&c->episodes[i]);
    free(c->episodes);
    service_names_free(&c->contexts);
    service_names_free(&c->actions);
    service_names_free(&c->experts_names);
    roster_experts_free(c->own);
    free(c->seen);
    free(c->caps);
    free(c->scratch);
    service_table_free(&c->table);
    service_table_free(&c->joined);
    service_forgotten_free(&c->forgotten);
    experiment_store_free(&c->memory);
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

const char *service_campaign_name(const service_campaign *c)
{
    return c->name;
}

bool service_campaign_archived(const service_campaign *c)
{
    return c->archived;
}

/* Where the name is, or the free slot where it would be. */
static size_t probe(const service *self, const char *name, size_t size)
{
    size_t i = (size_t)service_names_hash(name, size) & (self->name_slots - 1);
    while (self->by_name[i] != 0) {
        const char *other = self->campaigns[self->by_name[i] - 1]->name;
        if (strncmp(other, name, size) == 0 && other[size] == '\0')
            break;
        i = (i + 1) & (self->name_slots - 1);
    }
    return i;
}

service_campaign *service_campaign_find(const service *self, const char *name, size_t size)
{
    if (self->name_slots == 0 || size > SERVICE_NAME_MOST || memchr(name, '\0', size) != NULL)
        return NULL;
    uint32_t found = self->by_name[probe(self, name, size)];
    return found != 0 ? self->campaigns[found - 1] : NULL;
}

/* Room for one more campaign and its name. */
static bool reserve(service *self)
{
    if (self->n_campaigns < self->campaigns_room)
        return true;
    size_t room = self->campaigns_room > 0 ? 2 * self->campaigns_room : 8;
    service_campaign **list = realloc(self->campaigns, room * sizeof *list);
    if (list == NULL)
        return false;
    self->campaigns = list;
    uint32_t *by_name = calloc(2 * room, sizeof *by_name);
    if (by_name == NULL)
        return false;
    free(self->by_name);
    self->by_name = by_name;
    self->name_slots = 2 * room;
    self->campaigns_room = room;
    for (uint32_t i = 0; i < self->n_campaigns; i++)
        by_name[probe(self, list[i]->name, strlen(list[i]->name))] = i + 1;
    return true;
}

service_code service_campaign_add(service *self, service_campaign *c, service_error *err)
{
    if (!reserve(self))
        return service_no_memory(err);
    c->number = (uint32_t)self->n_campaigns;
    self->campaigns[self->n_campaigns++] = c;
    self->by_name[probe(self, c->name, strlen(c->name))] = c->number + 1;
    return SERVICE_OK;
}

service_code service_apply_campaign(service *self, service_record *r, service_error *err)
{
    service_campaign *c;
    service_episode_state first;
    if (r->campaign != self->n_campaigns)
        return service_differs(self, "campaign", err, "is %u, must be %zu", r->campaign, self->n_campaigns);
    service_code code = service_campaign_read(self, r->text, r->text_size, &c, err);
    if (code != SERVICE_OK)
        return code;
    if (service_campaign_find(self, c->name, strlen(c->name)) != NULL)
        code = service_differs(self, "name", err, "is %s, which another is called too", c->name);
    if (code == SERVICE_OK)
        code = service_episode_draft(c, SERVICE_FIRST, r->at, &first, err);
    if (code == SERVICE_OK)
        service_episode_begin(c, &first);
    if (code == SERVICE_OK)
        code = service_campaign_add(self, c, err);
    if (code != SERVICE_OK)
        service_campaign_free(c);
    return code;
}

/* A campaign of that name is there: the same description is the same campaign. */
static service_code compare(const service_campaign *there, json_t *given, service_error *err)
{
    json_t *known = json_loads(there->text, 0, NULL);
    if (known == NULL)
        return service_no_memory(err);
    static const char *const made[] = {"seed", "stream"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (json_object_get(given, made[i]) == NULL)
            json_object_del(known, made[i]);
    bool same = json_equal(known, given);
    json_decref(known);
    return same ? SERVICE_OK
                : service_fail(err, SERVICE_EXISTS, "campaign %s exists with another description%s", there->name,
                               there->archived ? " and is archived; choose another name" : "");
}

/* A seed from name and time, small enough for every reader of JSON. */
static bool make_seed(json_t *given, const char *name, int64_t now)
{
    if (json_object_get(given, "seed") != NULL)
        return true;
    uint64_t seed = store_hash((uint64_t)now, name, strlen(name)) >> 11;
    return json_object_set_new(given, "seed", json_integer((json_int_t)seed)) == 0;
}

/* The stream of random numbers is called as the campaign, so that campaigns with the same seed differ. Descriptions of
   roster 0.1 have none: theirs is "". */
static bool make_stream(json_t *given, const char *name)
{
    return json_object_get(given, "stream") != NULL || json_object_set_new(given, "stream", json_string(name)) == 0;
}

static service_code create(service *self, json_t *json, const char *name, int64_t now, service_campaign **campaign,
                           bool *created, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_CAMPAIGN, .campaign = (uint32_t)self->n_campaigns, .at = now};
    *campaign = service_campaign_find(self, name, strlen(name));
    if (*campaign != NULL)
        return compare(*campaign, json, err);
    if (self->n_campaigns >= SERVICE_CAMPAIGNS_MOST)
        return service_fail(err, SERVICE_LIMIT, "there are %d campaigns, there can be no more", SERVICE_CAMPAIGNS_MOST);
    char *text = make_seed(json, name, now) && make_stream(json, name) ? experiment_text(json) : NULL;
    if (text == NULL)
        return service_no_memory(err);
    r.text = text;
    r.text_size = strlen(text);
    service_code code = service_do(self, &r, err);
    free(text);
    *created = code == SERVICE_OK;
    *campaign = *created ? self->campaigns[self->n_campaigns - 1] : NULL;
    return code;
}

service_code service_campaign_create(service *self, const char *text, size_t size, int64_t now,
                                     service_campaign **campaign, bool *created, service_error *err)
{
    json_t *json = NULL;
    roster_error wrong;
    const char *name;
    *campaign = NULL;
    *created = false;
    service_code code = service_ready(self, NULL, err);
    if (code != SERVICE_OK)
        return code;
    if (experiment_load_text(&json, text, size, "campaign", &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_SYNTAX, err);
    experiment_node root = experiment_root("campaign", json), at = experiment_key(&root, "name");
    if (experiment_object(&root, &wrong) != ROSTER_OK || service_check_name(&at, &name, &wrong) != ROSTER_OK)
        code = service_pass(&wrong, SERVICE_INVALID, err);
    else
        code = create(self, json, name, service_clock(self, now), campaign, created, err);
    json_decref(json);
    return code;
}

service_code service_apply_archive(service *self, service_campaign *c, service_record *r, service_error *err)
{
    (void)self;
    (void)r;
    (void)err;
    c->archived = true;
    service_table_free(&c->table);
    service_table_free(&c->joined);
    service_forgotten_free(&c->forgotten);
    c->counts.open = 0;
    for (size_t i = 0; i < c->n_episodes; i++) {
        c->episodes[i].open = 0;
        memset(c->episodes[i].waiting, 0, c->n * sizeof *c->episodes[i].waiting);
    }
    service_episode_sweep(c);
    return SERVICE_OK;
}

service_code service_campaign_archive(service *self, service_campaign *c, int64_t now, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_ARCHIVE, .campaign = c->number, .at = service_clock(self, now)};
    service_code code = service_ready(self, c, err);
    while (code == SERVICE_OK && c->table.head < c->table.end)
        code = service_close_early(self, c, SERVICE_CLOSE_MOST, r.at, err);
    return code == SERVICE_OK ? service_do(self, &r, err) : code;
}
