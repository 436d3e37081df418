/*
 * rosters.c: named sets of experts that campaigns share, and the samples from which unknown ones are estimated.
 *
 *   {"name": .., "contexts": .., "actions": .., "experts": [{"name": .., "table": ..}, ..]}      as a roster file
 *
 * Paper: none.
 *
 * Either all experts have tables or none: then they are known from samples alone. Samples add up for as long as the
 * roster lives; a campaign looks at them when an episode starts.
 *
 * Cost: N X V counts.
 * Check: tests/unit/test_service_episodes.c: rosters_are_estimated, rosters_are_shared, rosters_refused.
 */
#include "json_member.h"
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

void service_roster_free(service_roster *r)
{
    if (r == NULL)
        return;
    roster_experts_free(r->experts);
    free(r->counts);
    common_arena_free(&r->memory);
    free(r);
}

const service_roster *service_roster_find(const service *self, const char *name, size_t size)
{
    for (size_t i = 0; i < self->n_rosters; i++)
        if (strncmp(self->rosters[i]->name, name, size) == 0 && self->rosters[i]->name[size] == '\0')
            return self->rosters[i];
    return NULL;
}

service_code service_roster_made(const service_roster *r, const uint64_t *counts, roster_experts **out,
                                 service_error *err)
{
    roster_estimates *estimates;
    roster_error wrong;
    *out = NULL;
    int code = roster_estimates_create(&estimates, r->n, r->x, r->v, r->experts_names, &wrong);
    for (size_t i = 0; code == ROSTER_OK && i < r->n * r->x * r->v; i++)
        if (counts[i] > 0)
            code = roster_estimates_add(estimates, i / r->v / r->x, i / r->v % r->x, i % r->v, counts[i], &wrong);
    if (code == ROSTER_OK)
        code = roster_estimates_experts(estimates, out, &wrong);
    roster_estimates_free(estimates);
    return code == ROSTER_OK ? SERVICE_OK : service_pass(&wrong, SERVICE_INVALID, err);
}

/* Names of experts without tables. */
static int read_unknown(service_roster *r, const common_node *list, roster_error *err)
{
    static const char *const known[] = {"name", NULL};
    json_t *seen = json_object();
    r->experts_names = common_arena_take(&r->memory, r->n, sizeof *r->experts_names);
    int code = seen != NULL && r->experts_names != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t k = 0; code == ROSTER_OK && k < r->n; k++) {
        common_node expert = common_item(list, k), at = common_key(&expert, "name");
        const char *word = NULL;
        code = common_object(&expert, err);
        if (code == ROSTER_OK && json_object_get(expert.json, "table") != NULL)
            code =
                common_fail_at(&expert, err, "has a table, but the first expert has none: all must have one or none");
        if (code == ROSTER_OK)
            code = common_keys(&expert, known, err);
        if (code == ROSTER_OK)
            code = at.json != NULL ? common_word(&at, &word, err)
                                   : experiment_name_counted(&r->memory, "expert", k, &word, err);
        if (code == ROSTER_OK)
            code = experiment_name_once(seen, &at, word, err);
        if (code == ROSTER_OK && (r->experts_names[k] = common_arena_text(&r->memory, word)) == NULL)
            code = common_fail_memory(err);
    }
    json_decref(seen);
    return code;
}

static int read_known(service_roster *r, const common_node *root, experiment_build *build, roster_error *err)
{
    int code = experiment_experts(build, root, &r->experts);
    if (code != ROSTER_OK)
        return code;
    r->experts_names = common_arena_take(&r->memory, r->n, sizeof *r->experts_names);
    for (size_t k = 0; r->experts_names != NULL && k < r->n; k++)
        r->experts_names[k] = roster_experts_name(r->experts, k);
    return r->experts_names != NULL ? ROSTER_OK : common_fail_memory(err);
}

static int read_experts(service_roster *r, experiment_build *build, const common_node *root, roster_error *err)
{
    common_node list = common_key(root, "experts"), first = common_item(&list, 0);
    build->contexts = r->x;
    build->actions = r->v;
    int code = common_list(&list, &r->n, err);
    if (code == ROSTER_OK)
        code = experiment_claim(build, &list, r->n, r->x, r->v);
    build->numbers = 0;
    if (code != ROSTER_OK)
        return code;
    code = json_object_get(first.json, "table") == NULL && json_is_object(first.json) ? read_unknown(r, &list, err)
                                                                                      : read_known(r, root, build, err);
    if (code == ROSTER_OK && (r->counts = calloc(r->n * r->x * r->v, sizeof *r->counts)) == NULL)
        code = common_fail_memory(err);
    return code;
}

static int read_all(service_roster *r, experiment_build *build, const common_node *root, roster_error *err)
{
    static const char *const known[] = {"$schema", "name", "description", "contexts", "actions",
                                        "experts", "xi",   "min_samples", NULL};
    common_node contexts = common_key(root, "contexts"), actions = common_key(root, "actions");
    int code = common_object(root, err);
    if (code == ROSTER_OK)
        code = common_keys(root, known, err);
    if (code == ROSTER_OK)
        code = service_read_name(root, &r->memory, &r->name, err);
    if (code == ROSTER_OK)
        code = experiment_names(&contexts, "context", 0, &r->memory, &r->contexts, &r->x, err);
    if (code == ROSTER_OK)
        code = experiment_names(&actions, "action", 0, &r->memory, &r->actions, &r->v, err);
    return code == ROSTER_OK ? read_experts(r, build, root, err) : code;
}

service_code service_roster_read(const char *text, size_t size, size_t most, service_roster **out, bool *exceeded,
                                 service_error *err)
{
    roster_error wrong;
    json_t *json = NULL;
    service_roster *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return service_no_memory(err);
    int code = common_load_text(&json, text, size, "roster", &wrong);
    bool syntax = code != ROSTER_OK;
    common_node root = common_root("roster", json);
    experiment_build build = {.store = &r->memory, .err = &wrong, .most = most};
    if (code == ROSTER_OK)
        code = read_all(r, &build, &root, &wrong);
    *exceeded = build.exceeded;
    if (code == ROSTER_OK && (r->text = common_arena_bytes(&r->memory, text, size)) == NULL)
        code = common_fail_memory(&wrong);
    json_decref(json);
    if (code != ROSTER_OK) {
        service_roster_free(r);
        return build.exceeded ? service_limits_cells(&wrong, most, err)
                              : service_pass(&wrong, syntax ? SERVICE_SYNTAX : SERVICE_INVALID, err);
    }
    *out = r;
    return SERVICE_OK;
}

service_code service_apply_roster(service *self, service_record *record, service_error *err)
{
    service_roster *r = self->prepared_roster;
    bool exceeded;
    if (record->campaign != self->n_rosters)
        return service_differs(self, "roster", err, "is %u, must be %zu", record->campaign, self->n_rosters);
    service_code code =
        r != NULL ? SERVICE_OK : service_roster_read(record->text, record->text_size, 0, &r, &exceeded, err);
    if (code != SERVICE_OK)
        return code;
    if (!common_grow(&self->rosters, &self->rosters_room, self->n_rosters + 1, sizeof(service_roster *))) {
        if (r != self->prepared_roster)
            service_roster_free(r);
        return service_no_memory(err);
    }
    r->number = (uint32_t)self->n_rosters;
    self->rosters[self->n_rosters++] = r;
    return SERVICE_OK;
}

static void put_short(common_text *out, const service_roster *r)
{
    json_member_open(out, NULL, '{');
    json_member_text(out, "name", r->name);
    json_member_text(out, "known", r->experts != NULL ? "tables" : "samples");
    json_member_count(out, "samples", r->samples);
}

void service_rosters_json(const service *self, common_text *out)
{
    common_put_text(out, "{\"rosters\":[");
    for (size_t i = 0; i < self->n_rosters; i++) {
        put_short(out, self->rosters[i]);
        common_put_text(out, "}");
    }
    common_put_text(out, "]}");
}

/* Per expert, context and action how often it was seen. */
static void put_counts(common_text *out, const service_roster *r)
{
    json_member_open(out, "counts", '[');
    for (size_t i = 0; i < r->n * r->x * r->v; i++) {
        common_put_text(out, i == 0 ? "[[" : i % (r->x * r->v) == 0 ? "]],[[" : i % r->v == 0 ? "],[" : ",");
        common_put_count(out, r->counts[i]);
    }
    common_put_text(out, "]]]");
}

service_code service_roster_json(const service *self, const char *name, size_t size, common_text *out,
                                 service_error *err)
{
    const service_roster *r = service_roster_find(self, name, size);
    if (r == NULL)
        return service_fail(err, SERVICE_NO_ROSTER, "there is no roster %.*s", (int)(size < 60 ? size : 60), name);
    put_short(out, r);
    json_member_texts(out, "contexts", r->contexts, r->x);
    json_member_texts(out, "actions", r->actions, r->v);
    json_member_texts(out, "experts", r->experts_names, r->n);
    put_counts(out, r);
    common_put_text(out, "}");
    return SERVICE_OK;
}
