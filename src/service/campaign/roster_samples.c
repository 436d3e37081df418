/*
 * roster_samples.c: what experts were seen to do, added to a roster: all of a call, or nothing.
 *
 * Paper: none.
 * Check: tests/unit/test_service_episodes.c: samples_refused.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 100000 };

/* A name, or a number from 0. */
static int read_one(const common_node *at, const char *const *names, size_t n, uint32_t *out, roster_error *err)
{
    uint64_t number = 0;
    if (!json_is_string(at->json)) {
        int code = common_count(at, 0, n - 1, &number, err);
        *out = (uint32_t)number;
        return code;
    }
    const char *word = json_string_value(at->json);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], word) == 0) {
            *out = (uint32_t)i;
            return ROSTER_OK;
        }
    return common_fail_at(at, err, "is \"%.40s\", which the roster does not know", word);
}

static int read_sample(const service_roster *r, const common_node *at, service_observation *out, roster_error *err)
{
    static const char *const known[] = {"expert", "context", "action", "count", NULL};
    common_node expert = common_key(at, "expert"), context = common_key(at, "context");
    common_node action = common_key(at, "action"), count = common_key(at, "count");
    int code = common_object(at, err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, err);
    if (code == ROSTER_OK)
        code = read_one(&expert, r->experts_names, r->n, &out->expert, err);
    if (code == ROSTER_OK)
        code = read_one(&context, r->contexts, r->x, &out->context, err);
    if (code == ROSTER_OK)
        code = read_one(&action, r->actions, r->v, &out->action, err);
    out->count = 1;
    if (code == ROSTER_OK && count.json != NULL)
        code = common_count(&count, 1, UINT64_C(1000000000000), &out->count, err);
    return code;
}

static service_code read_list(const service_roster *r, const common_node *list, service_observation **out, size_t *n,
                              service_error *err)
{
    roster_error wrong;
    int code = common_list(list, n, &wrong);
    if (code == ROSTER_OK && *n > SAMPLES_MOST)
        return service_fail(err, SERVICE_LIMIT, "samples: there are %zu in one call, must be at most %d", *n,
                            SAMPLES_MOST);
    if (code == ROSTER_OK && (*out = calloc(*n, sizeof **out)) == NULL)
        return service_no_memory(err);
    for (size_t i = 0; code == ROSTER_OK && i < *n; i++) {
        common_node at = common_item(list, i);
        code = read_sample(r, &at, &(*out)[i], &wrong);
    }
    return code == ROSTER_OK ? SERVICE_OK : service_pass(&wrong, SERVICE_INVALID, err);
}

static size_t cell_of(const service_roster *r, const service_observation *o)
{
    return ((size_t)o->expert * r->x + o->context) * r->v + o->action;
}

service_code service_apply_samples(service *self, service_record *record, service_error *err)
{
    service_roster *r = record->campaign < self->n_rosters ? self->rosters[record->campaign] : NULL;
    if (r == NULL)
        return service_differs(self, "roster", err, "is %u, of which there is none", record->campaign);
    uint64_t total = r->samples;
    for (size_t i = 0; i < record->n; i++) {
        const service_observation *o = &record->observations[i];
        if (o->expert >= r->n || o->context >= r->x || o->action >= r->v)
            return service_differs(self, "samples", err, "%zu is of no expert, context or action of roster %s", i,
                                   r->name);
        total = o->count <= (UINT64_C(1) << 60) - total ? total + o->count : UINT64_C(1) << 61;
        if (total > UINT64_C(1) << 60)
            return service_fail(err, SERVICE_LIMIT, "roster %s has too many samples to count", r->name);
    }
    for (size_t i = 0; i < record->n; i++)
        r->counts[cell_of(r, &record->observations[i])] += record->observations[i].count;
    r->samples = total;
    return SERVICE_OK;
}

service_code service_roster_samples(service *self, const char *name, size_t name_size, const char *text, size_t size,
                                    int64_t now, uint64_t *added, service_error *err)
{
    service_record record = {.kind = SERVICE_RECORD_SAMPLES, .at = service_clock(self, now)};
    service_observation *observations = NULL;
    json_t *json = NULL;
    const service_roster *r = service_roster_find(self, name, name_size);
    *added = 0;
    service_code code = service_ready(self, NULL, err);
    if (code != SERVICE_OK)
        return code;
    if (r == NULL)
        return service_fail(err, SERVICE_NO_ROSTER, "there is no roster %.*s", (int)(name_size < 60 ? name_size : 60),
                            name);
    code = service_load_body(&json, text, size, "samples", err);
    if (code != SERVICE_OK)
        return code;
    common_node root = common_root("samples", json), inner = common_key(&root, "samples");
    code = read_list(r, json_is_object(json) ? &inner : &root, &observations, &record.n, err);
    record.campaign = r->number;
    record.observations = observations;
    for (size_t i = 0; code == SERVICE_OK && i < record.n; i++)
        *added += observations[i].count;
    if (code == SERVICE_OK)
        code = service_do(self, &record, err);
    free(observations);
    json_decref(json);
    return code;
}
