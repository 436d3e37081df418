/*
 * campaign_draft.c: campaigns and rosters that are built before they are admitted, so that building holds up nobody.
 *
 *   service_draft_open          the owner of the service: which rosters there are, what the limits are
 *   service_campaign_prepare    any thread: parses, builds experts and the first episode; looks at no service
 *   service_campaign_admit      the owner again: name, number of campaigns; makes the record; microseconds
 *
 * Experts known from samples alone are estimated from the counts that the roster has when the campaign is admitted:
 * those are copied at the first try to admit, and compared at the next. Where samples come in all the time, the third
 * try builds it on the spot.
 *
 * A description is equal to another where the digests of their JSON are, whatever the order of keys; seed and stream
 * count only where they were given.
 *
 * Paper: none.
 * Check: tests/unit/test_service_drafts.c.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES_MOST = 3 };

struct service_draft {
    service known; /* rosters and limits alone; the list is owned, the rosters are borrowed */
    service_campaign *campaign;
    service_roster *roster;
    char *text; /* owned: the description as it will be in the log */
    bool has_seed, has_stream;
    uint64_t *counts; /* owned: of the roster, as of `samples`; NULL: not copied */
    uint64_t samples;
    int tries;
    bool too_large; /* refused for the numbers in its tables */
};

service_code service_draft_open(const service *self, service_draft **out, service_error *err)
{
    service_draft *draft = calloc(1, sizeof *draft);
    service_roster **rosters = malloc((self->n_rosters + 1) * sizeof *rosters);
    *out = NULL;
    if (draft == NULL || rosters == NULL) {
        free(draft);
        free(rosters);
        return service_no_memory(err);
    }
    if (self->n_rosters > 0)
        memcpy(rosters, self->rosters, self->n_rosters * sizeof *rosters);
    draft->known.rosters = rosters;
    draft->known.n_rosters = self->n_rosters;
    draft->known.limits = self->limits;
    *out = draft;
    return SERVICE_OK;
}

void service_draft_close(service *self, service_draft *draft)
{
    if (draft == NULL)
        return;
    self->refused[SERVICE_QUOTA_CELLS] += draft->too_large;
    service_campaign_free(draft->campaign);
    service_roster_free(draft->roster);
    free(draft->known.rosters);
    free(draft->text);
    free(draft->counts);
    free(draft);
}

/* A seed from name and time, small enough for every reader of JSON. */
static bool make_seed(json_t *given, const char *name, int64_t now)
{
    if (json_object_get(given, "seed") != NULL)
        return true;
    uint64_t seed = common_hash_words((uint64_t)now, name, strlen(name)) >> 11;
    return json_object_set_new(given, "seed", json_integer((json_int_t)seed)) == 0;
}

/* The stream of random numbers is called as the campaign, so that campaigns with the same seed differ. Descriptions of
   roster 0.1 have none: theirs is "". */
static bool make_stream(json_t *given, const char *name)
{
    return json_object_get(given, "stream") != NULL || json_object_set_new(given, "stream", json_string(name)) == 0;
}

static service_code read_text(service_draft *draft, json_t *json, int64_t now, service_error *err)
{
    common_node root = common_root("campaign", json);
    const char *name;
    roster_error wrong;
    if (common_object(&root, &wrong) != ROSTER_OK || service_read_name(&root, NULL, &name, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_INVALID, err);
    draft->has_seed = json_object_get(json, "seed") != NULL;
    draft->has_stream = json_object_get(json, "stream") != NULL;
    draft->text = make_seed(json, name, now) && make_stream(json, name) ? common_json_line(json) : NULL;
    if (draft->text == NULL)
        return service_no_memory(err);
    return service_campaign_read(&draft->known, draft->text, strlen(draft->text), &draft->campaign, err);
}

static service_code begin(service_draft *draft, int64_t now, service_error *err)
{
    service_episode_state first;
    service_code code = service_episode_draft(draft->campaign, SERVICE_FIRST, draft->counts, now, &first, err);
    if (code == SERVICE_OK)
        service_episode_begin(draft->campaign, &first);
    return code;
}

static bool waits_for_counts(const service_draft *draft)
{
    return service_is_estimated(draft->campaign) && draft->counts == NULL;
}

service_code service_campaign_prepare(service_draft *draft, const char *text, size_t size, int64_t now,
                                      service_error *err)
{
    service_code code = SERVICE_OK;
    if (draft->campaign == NULL) {
        json_t *json = NULL;
        code = service_load_body(&json, text, size, "campaign", err);
        if (code != SERVICE_OK)
            return code;
        code = read_text(draft, json, now, err);
        json_decref(json);
        draft->too_large = code == SERVICE_LIMIT;
    }
    if (code == SERVICE_OK && !waits_for_counts(draft) && draft->campaign->n_episodes == 0)
        code = begin(draft, now, err);
    return code;
}

/* A live campaign of that name is there: the same description is the same campaign. */
static service_code compare(const service_campaign *there, const service_draft *draft, service_error *err)
{
    const service_campaign *given = draft->campaign;
    bool same = there->digest == given->digest && (!draft->has_seed || there->seed == given->seed) &&
                (!draft->has_stream || there->stream_digest == given->stream_digest);
    return same ? SERVICE_OK
                : service_fail(err, SERVICE_EXISTS, "campaign %s exists with another description", there->name);
}

/* The counts of the campaign's roster as they are now; the episode made of older ones goes. */
static service_code take_counts(service_draft *draft, service_error *err)
{
    service_campaign *c = draft->campaign;
    size_t size = c->n * c->x * c->v * sizeof *draft->counts;
    if (draft->counts == NULL && (draft->counts = malloc(size)) == NULL)
        return service_no_memory(err);
    memcpy(draft->counts, c->roster->counts, size);
    draft->samples = c->roster->samples;
    service_episodes_free(c);
    c->counts.episodes = 0;
    return ++draft->tries < TRIES_MOST ? SERVICE_OK : begin(draft, 0, err);
}

service_code service_campaign_admit(service *self, service_draft *draft, int64_t now, service_campaign **campaign,
                                    bool *created, bool *again, service_error *err)
{
    service_campaign *c = draft->campaign;
    *created = *again = false;
    *campaign = service_campaign_find(self, c->name, strlen(c->name));
    if (*campaign != NULL && !(*campaign)->archived)
        return compare(*campaign, draft, err);
    *campaign = NULL;
    service_code code = service_ready(self, NULL, err);
    if (code == SERVICE_OK)
        code = service_limits_admit(self, c, err);
    if (code == SERVICE_OK && service_is_estimated(c) &&
        (draft->counts == NULL || draft->samples != c->roster->samples))
        code = take_counts(draft, err);
    *again = code == SERVICE_OK && c->n_episodes == 0;
    if (code != SERVICE_OK || *again)
        return code;
    service_record r = {.kind = SERVICE_RECORD_CAMPAIGN,
                        .campaign = (uint32_t)self->n_campaigns,
                        .at = service_clock(self, now),
                        .text = draft->text,
                        .text_size = strlen(draft->text)};
    self->prepared = c;
    code = service_do(self, &r, err);
    self->prepared = NULL;
    if (code != SERVICE_OK)
        return code;
    draft->campaign = NULL;
    *campaign = c;
    *created = true;
    return SERVICE_OK;
}

service_code service_campaign_create(service *self, const char *text, size_t size, int64_t now,
                                     service_campaign **campaign, bool *created, service_error *err)
{
    service_draft *draft = NULL;
    bool again = true;
    *campaign = NULL;
    *created = false;
    service_code code = service_ready(self, NULL, err);
    if (code == SERVICE_OK)
        code = service_draft_open(self, &draft, err);
    while (code == SERVICE_OK && again) {
        code = service_campaign_prepare(draft, text, size, now, err);
        if (code == SERVICE_OK)
            code = service_campaign_admit(self, draft, now, campaign, created, &again, err);
    }
    service_draft_close(self, draft);
    return code;
}

service_code service_roster_prepare(service_draft *draft, const char *json, size_t size, service_error *err)
{
    service_code code = service_check_depth(json, size, "roster", err);
    return code != SERVICE_OK ? code
                              : service_roster_read(json, size, (size_t)draft->known.limits.cells, &draft->roster,
                                                    &draft->too_large, err);
}

service_code service_roster_admit(service *self, service_draft *draft, int64_t now, const char **name, bool *created,
                                  service_error *err)
{
    service_roster *r = draft->roster;
    *created = false;
    *name = r->name;
    service_code code = service_ready(self, NULL, err);
    const service_roster *there = service_roster_find(self, r->name, strlen(r->name));
    if (code != SERVICE_OK || (there != NULL && strcmp(there->text, r->text) == 0))
        return code;
    if (there != NULL)
        return service_fail(err, SERVICE_EXISTS, "roster %s exists with another description", r->name);
    code = service_limits_admit_roster(self, r, err);
    if (code != SERVICE_OK)
        return code;
    service_record record = {.kind = SERVICE_RECORD_ROSTER,
                             .campaign = (uint32_t)self->n_rosters,
                             .at = service_clock(self, now),
                             .text = r->text,
                             .text_size = strlen(r->text)};
    self->prepared_roster = r;
    code = service_do(self, &record, err);
    self->prepared_roster = NULL;
    *created = code == SERVICE_OK;
    if (*created)
        draft->roster = NULL;
    return code;
}

service_code service_roster_create(service *self, const char *json, size_t size, int64_t now, bool *created,
                                   service_error *err)
{
    service_draft *draft = NULL;
    const char *name;
    *created = false;
    service_code code = service_ready(self, NULL, err);
    if (code == SERVICE_OK)
        code = service_draft_open(self, &draft, err);
    if (code == SERVICE_OK)
        code = service_roster_prepare(draft, json, size, err);
    if (code == SERVICE_OK)
        code = service_roster_admit(self, draft, now, &name, created, err);
    service_draft_close(self, draft);
    return code;
}
