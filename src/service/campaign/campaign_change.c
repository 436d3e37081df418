/*
 * campaign_change.c: experts that come to a campaign and retire from it while it runs.
 *
 * Paper: none.
 *
 *   record      the number of the expert that retires (UINT32_MAX: none), the description of the one that comes ("":
 *               none); both: a new version takes the place of an old one
 *   from then   a longer list, in which all have the numbers they had (roster_experts_change)
 *
 * Agents, evidence, tests and alarms of all episodes that still learn take the longer list; nothing learnt is lost, and
 * rewards of an expert that has retired count when they come. A name is never given twice, since the log and what is
 * exported from it call experts by their names.
 *
 * Copies of all that learns take the longer list, and last of all the present agent; only then are the copies put in
 * place. So what fails has changed nothing.
 *
 * Cost: a copy of all tables, and what learns adopts what it knows: O(N) for each cell seen by each expert.
 * Check: tests/unit/test_service_experts.c, tests/http/expert_changes.py.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

static const roster_experts *experts_of(const service_campaign *c)
{
    return c->own != NULL ? c->own : c->roster != NULL ? c->roster->experts : NULL;
}

bool service_expert_retired(const service_campaign *c, size_t k)
{
    const roster_experts *experts = experts_of(c);
    return c->freed ? c->closed[k].retired : experts != NULL && roster_experts_retired(experts, k);
}

/* ---- the expert that comes ---- */

static json_t *list_of(const service_names *names)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < names->table.n; i++)
        json_array_append_new(list, json_string(names->table.names[i]));
    return list;
}

/* Features, sample and floor are those of the campaign. */
static bool put_model(const service_campaign *c, json_t *to)
{
    static const char *const keys[] = {"features", "sample", "floor"};
    json_error_t wrong;
    json_t *text = json_loadb(c->text, c->text_size, 0, &wrong);
    bool fits = text != NULL;
    for (size_t i = 0; fits && i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(text, keys[i]) != NULL)
            fits = json_object_set(to, keys[i], json_object_get(text, keys[i])) == 0;
    json_decref(text);
    return fits;
}

/* A campaign like this one that has the expert alone. */
static json_t *alone(const service_campaign *c, json_t *expert)
{
    bool softmax = c->kind == ROSTER_SOFTMAX;
    json_t *to = json_pack("{s:s, s:s, s:o, s:[O], s:s, s:i}", "name", c->name, "kind", softmax ? "softmax" : "tables",
                           "actions", list_of(&c->actions), "experts", expert, "agent", "ucb", "seed", 0);
    bool fits = to != NULL;
    if (fits)
        fits = softmax ? put_model(c, to) : json_object_set_new(to, "contexts", list_of(&c->contexts)) == 0;
    if (fits)
        return to;
    json_decref(to);
    return NULL;
}

/* Its name is its own. */
static service_code check_name(const service_campaign *c, const json_t *expert, service_error *err)
{
    const char *name = json_string_value(json_object_get(expert, "name"));
    if (name == NULL || *name == '\0')
        return service_fail(err, SERVICE_INVALID, "expert.name is missing: an expert that comes later needs a name");
    if (name_table_find(&c->experts_names.table, name, strlen(name)) == SIZE_MAX)
        return SERVICE_OK;
    return service_fail(
        err, SERVICE_INVALID,
        "expert.name is \"%.60s\", which campaign %s has or had: give another name, since the log calls "
        "experts by their names",
        name, c->name);
}

static service_code read_expert(const service *self, const service_campaign *c, const char *text, size_t size,
                                roster_experts **out, service_error *err)
{
    json_t *expert = NULL;
    service_campaign *single = NULL;
    *out = NULL;
    service_code code = service_load_body(&expert, text, size, "expert", err);
    if (code == SERVICE_OK)
        code = check_name(c, expert, err);
    json_t *around = code == SERVICE_OK ? alone(c, expert) : NULL;
    char *line = around != NULL ? common_json_line(around) : NULL;
    if (code == SERVICE_OK && line == NULL)
        code = service_no_memory(err);
    if (code == SERVICE_OK)
        code = service_campaign_read(self, line, strlen(line), &single, err);
    if (code == SERVICE_OK) {
        *out = single->own;
        single->own = NULL;
    }
    service_campaign_free(single);
    free(line);
    json_decref(around);
    json_decref(expert);
    return code;
}

/* ---- whether it may be ---- */

static service_code check_kind(const service_campaign *c, service_error *err)
{
    if (c->kind == ROSTER_EXTERNAL)
        return service_fail(err, SERVICE_INVALID,
                            "the experts of campaign %s are evaluated by its callers, and stay as they are: create "
                            "another campaign",
                            c->name);
    if (experts_of(c) == NULL)
        return service_fail(err, SERVICE_INVALID,
                            "the experts of campaign %s are those of roster %s, known from samples alone, and stay as "
                            "they are: create another roster and campaign",
                            c->name, c->roster->name);
    if (c->upcoming > 0)
        return service_fail(err, SERVICE_BUSY, "an episode of campaign %s is being prepared: ask again in a second",
                            c->name);
    for (size_t i = 0; i < c->n_episodes; i++)
        if (c->episodes[i].shadow != NULL)
            return service_fail(
                err, SERVICE_INVALID,
                "campaign %s has watched production in episode %u, for the experts that there are: switch "
                "it to live and start an episode first",
                c->name, c->episodes[i].number);
    if (c->n_changes < SERVICE_CHANGES_MOST)
        return SERVICE_OK;
    return service_fail(err, SERVICE_LIMIT,
                        "campaign %s has changed its experts %d times, which is the limit: create another campaign",
                        c->name, SERVICE_CHANGES_MOST);
}

static service_code check_caps(const service_campaign *c, uint32_t gone, bool comes, service_error *err)
{
    double sum = comes ? 1 : 0;
    for (size_t k = 0; k < c->n; k++)
        sum += k == gone || service_expert_retired(c, k) ? 0 : c->caps != NULL ? c->caps[k] : 1;
    if (sum >= 1)
        return SERVICE_OK;
    return service_fail(err, SERVICE_INVALID,
                        "the caps of the other experts leave %g of the traffic without an expert: raise them first",
                        1 - sum);
}

static service_code check_retired(const service_campaign *c, uint32_t gone, bool comes, service_error *err)
{
    const roster_experts *experts = experts_of(c);
    if (gone == UINT32_MAX)
        return SERVICE_OK;
    const char *name = c->experts_names.table.names[gone];
    if (roster_experts_retired(experts, gone))
        return service_fail(err, SERVICE_INVALID, "expert %.60s has retired already", name);
    if (gone == c->pin || gone == c->fall_back)
        return service_fail(err, SERVICE_INVALID, "expert %.60s is %s: set another one, or none, by controls first",
                            name, gone == c->pin ? "pinned" : "the fallback");
    if (roster_experts_active(experts) == 1 && !comes)
        return service_fail(err, SERVICE_INVALID, "expert %.60s is the last one: add another one first", name);
    return check_caps(c, gone, comes, err);
}

/* ---- the longer list ---- */

/* All that the campaign needs memory for. */
typedef struct enlarged {
    roster_experts *list;
    service_names names;
    double *scratch, *caps;
    uint32_t *order;
    uint64_t **counts; /* [2 n_episodes]: plays, waiting */
} enlarged;

static void drop(enlarged *to, size_t episodes)
{
    roster_experts_free(to->list);
    service_names_free(&to->names);
    free(to->scratch);
    free(to->caps);
    free(to->order);
    for (size_t i = 0; to->counts != NULL && i < 2 * episodes; i++)
        free(to->counts[i]);
    free(to->counts);
}

static bool enlarge_counts(const service_campaign *c, size_t n, enlarged *to)
{
    bool fits = (to->counts = calloc(2 * c->n_episodes + 1, sizeof *to->counts)) != NULL;
    for (size_t i = 0; fits && i < 2 * c->n_episodes; i++) {
        const service_episode_state *e = &c->episodes[i / 2];
        fits = (to->counts[i] = calloc(n, sizeof **to->counts)) != NULL;
        if (fits)
            memcpy(to->counts[i], i % 2 == 0 ? e->plays : e->waiting, c->n * sizeof *e->plays);
    }
    return fits;
}

static bool enlarge(const service_campaign *c, enlarged *to)
{
    size_t n = roster_experts_count(to->list);
    const char **names = calloc(n, sizeof *names);
    for (size_t k = 0; names != NULL && k < n; k++)
        names[k] = roster_experts_name(to->list, k);
    bool fits = names != NULL && service_names_make(&to->names, names, n, true);
    free(names);
    to->scratch = calloc(n > c->v ? n : c->v, sizeof *to->scratch);
    to->order = calloc(n, sizeof *to->order);
    to->caps = c->caps != NULL ? calloc(n, sizeof *to->caps) : NULL;
    for (size_t k = 0; to->caps != NULL && k < n; k++)
        to->caps[k] = k < c->n && !roster_experts_retired(to->list, k) ? c->caps[k] : 1;
    fits = fits && to->scratch != NULL && to->order != NULL && (to->caps != NULL) == (c->caps != NULL);
    return fits && enlarge_counts(c, n, to);
}

/* An agent with these experts may be refused, as where one of them never takes an action. */
static int try_agent(const service_campaign *c, const roster_experts *list, roster_error *err)
{
    roster_agent *agent = NULL;
    const service_episode_state *e = c->n_episodes > 0 ? service_present(c) : NULL;
    if (e == NULL || e->agent == NULL)
        return ROSTER_OK;
    roster_problem problem = {list, e->prior == SERVICE_SEEN ? e->p : c->p, NULL};
    int code = roster_agent_create(&agent, roster_agent_about(e->agent)->name, &problem, c->settings, 0, 0, err);
    roster_agent_free(agent);
    return code;
}

static int tell_learners(service_episode_state *e, const roster_experts *list, roster_error *err)
{
    int code = e->evidence != NULL ? roster_evidence_set_experts(e->evidence, list, err) : ROSTER_OK;
    if (code == ROSTER_OK && e->own != NULL)
        code = roster_evidence_set_experts(e->own, list, err);
    if (code == ROSTER_OK && e->model != NULL)
        code = roster_model_test_set_experts(e->model, list, err);
    return code == ROSTER_OK && e->watch != NULL ? roster_alarms_set_experts(e->watch, list, err) : code;
}

/* Copies that know the list, [n_episodes]. The present agent, whose divergences are worth keeping, is told itself. */
static int tell_all(service_campaign *c, const roster_experts *list, service_episode_state *copies, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < c->n_episodes && code == ROSTER_OK; i++) {
        code = service_episode_copy(c, &c->episodes[i], &copies[i], err);
        if (code == ROSTER_OK)
            code = tell_learners(&copies[i], list, err);
        if (code == ROSTER_OK && copies[i].agent != NULL && i + 1 < c->n_episodes)
            code = roster_agent_set_experts(copies[i].agent, list, NULL, err);
    }
    roster_agent *present = c->n_episodes > 0 ? service_present(c)->agent : NULL;
    return code == ROSTER_OK && present != NULL ? roster_agent_set_experts(present, list, NULL, err) : code;
}

/* What learns is the copy's, and the other way round. */
static void exchange(service_episode_state *e, service_episode_state *copy, bool present)
{
    service_episode_state before = *e;
    e->evidence = copy->evidence;
    e->own = copy->own;
    e->model = copy->model;
    e->watch = copy->watch;
    copy->evidence = before.evidence;
    copy->own = before.own;
    copy->model = before.model;
    copy->watch = before.watch;
    if (present)
        return;
    e->agent = copy->agent;
    copy->agent = before.agent;
}

static void drop_copies(service_episode_state *copies, size_t n)
{
    for (size_t i = 0; copies != NULL && i < n; i++) {
        copies[i].p = NULL; /* borrowed */
        service_episode_free(&copies[i]);
    }
    free(copies);
}

/* Nothing can fail here. */
static void put_in_place(service_campaign *c, enlarged *to)
{
    enlarged old = {c->own, c->experts_names, c->scratch, c->caps, c->order, NULL};
    for (size_t i = 0; i < c->n_episodes; i++) {
        service_episode_state *e = &c->episodes[i];
        free(e->plays);
        free(e->waiting);
        e->plays = to->counts[2 * i];
        e->waiting = to->counts[2 * i + 1];
        e->experts = to->list;
    }
    c->own = to->list;
    c->n = roster_experts_count(to->list);
    c->experts_names = to->names;
    c->scratch = to->scratch;
    c->caps = to->caps;
    c->order = to->order;
    free(to->counts);
    drop(&old, 0);
}

/* All or nothing. */
static service_code take(service_campaign *c, const roster_experts *add, uint32_t gone, service_error *err)
{
    enlarged to = {0};
    roster_error wrong;
    const size_t retire[1] = {gone};
    size_t n = c->n_episodes;
    service_episode_state *copies = calloc(n + 1, sizeof *copies);
    int code = copies != NULL ? roster_experts_change(&to.list, experts_of(c), add, retire, gone != UINT32_MAX, &wrong)
                              : common_fail_memory(&wrong);
    if (code == ROSTER_OK && !enlarge(c, &to))
        code = common_fail_memory(&wrong);
    if (code == ROSTER_OK)
        code = tell_all(c, to.list, copies, &wrong);
    for (size_t i = 0; i < n && code == ROSTER_OK; i++)
        exchange(&c->episodes[i], &copies[i], i + 1 == n);
    drop_copies(copies, n);
    if (code == ROSTER_OK) {
        put_in_place(c, &to);
        return SERVICE_OK;
    }
    drop(&to, n);
    return service_pass(&wrong, SERVICE_INVALID, err);
}

/* What a snapshot needs to make the list again. */
static service_code note(service_campaign *c, uint32_t gone, const char *text, size_t size, service_error *err)
{
    bool fits = common_grow(&c->changes, &c->changes_room, c->n_changes + 1, sizeof *c->changes);
    const char *kept = fits ? common_arena_bytes(&c->kept, text != NULL ? text : "", size) : NULL;
    if (kept == NULL)
        return service_no_memory(err);
    c->changes[c->n_changes] = (service_change){gone, kept};
    return SERVICE_OK;
}

service_code service_change_take(const service *self, service_campaign *c, uint32_t gone, const char *text, size_t size,
                                 service_error *err)
{
    roster_experts *add = NULL;
    service_code code = size > 0 ? read_expert(self, c, text, size, &add, err) : SERVICE_OK;
    if (code == SERVICE_OK)
        code = note(c, gone, text, size, err);
    if (code == SERVICE_OK)
        code = take(c, add, gone, err);
    c->n_changes += code == SERVICE_OK;
    roster_experts_free(add);
    return code;
}

service_code service_apply_experts(service *self, service_campaign *c, service_record *r, service_error *err)
{
    if (r->expert >= c->n && r->expert != UINT32_MAX)
        return service_differs(self, "expert", err, "is %u, must be below %zu", r->expert, c->n);
    service_code code = check_kind(c, err);
    if (code == SERVICE_OK)
        code = check_retired(c, r->expert, r->text_size > 0, err);
    if (code == SERVICE_OK)
        code = service_change_take(self, c, r->expert, r->text, r->text_size, err);
    if (code == SERVICE_OK)
        service_forget(c, r->at);
    return code;
}

/* ---- what is asked ---- */

/* The number of the expert of that name; an empty one: none. */
static service_code find_retired(const service_campaign *c, const char *name, size_t size, uint32_t *out,
                                 service_error *err)
{
    size_t k = size > 0 ? name_table_find(&c->experts_names.table, name, size) : UINT32_MAX;
    *out = (uint32_t)k;
    if (k != SIZE_MAX)
        return SERVICE_OK;
    return service_fail(err, SERVICE_NO_EXPERT, "campaign %s has no expert %.*s", c->name, (int)(size < 60 ? size : 60),
                        name);
}

static service_code check_cells(const service *self, const service_campaign *c, service_error *err)
{
    uint64_t most = self->limits.cells, cells = (uint64_t)(c->n + 1) * c->x * c->v;
    if (most == 0 || cells <= most)
        return SERVICE_OK;
    return service_fail(err, SERVICE_LIMIT,
                        "with one more expert the tables of campaign %s would have %llu numbers, which is over the "
                        "limit: start the server with a larger --max-cells",
                        c->name, (unsigned long long)cells);
}

service_code service_expert_change(service *self, service_campaign *c, const char *name, size_t name_size,
                                   const char *text, size_t size, int64_t now, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_EXPERTS, .campaign = c->number, .text = text, .text_size = size};
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK)
        code = find_retired(c, name, name_size, &r.expert, err);
    if (code == SERVICE_OK && size > 0)
        code = check_cells(self, c, err);
    r.at = service_clock(self, now);
    if (code == SERVICE_OK)
        code = service_close_due(self, c, r.at, err);
    return code == SERVICE_OK ? service_do(self, &r, err) : code;
}

service_code service_expert_try(const service *self, const service_campaign *c, const char *name, size_t name_size,
                                const char *text, size_t size, common_text *out, service_error *err)
{
    roster_experts *add = NULL, *list = NULL;
    roster_error wrong;
    uint32_t gone;
    service_code code = service_ready(self, c, err);
    if (code == SERVICE_OK)
        code = find_retired(c, name, name_size, &gone, err);
    if (code == SERVICE_OK)
        code = check_kind(c, err);
    if (code == SERVICE_OK)
        code = check_retired(c, gone, true, err);
    if (code == SERVICE_OK)
        code = read_expert(self, c, text, size, &add, err);
    const size_t retire[1] = {code == SERVICE_OK ? gone : 0};
    int made = ROSTER_OK;
    if (code == SERVICE_OK)
        made = roster_experts_change(&list, experts_of(c), add, retire, gone != UINT32_MAX, &wrong);
    if (code == SERVICE_OK && made == ROSTER_OK)
        made = try_agent(c, list, &wrong);
    if (code == SERVICE_OK && made == ROSTER_OK)
        made = service_evidence_try(c, list, out, &wrong);
    if (made != ROSTER_OK)
        code = service_pass(&wrong, SERVICE_INVALID, err);
    roster_experts_free(add);
    roster_experts_free(list);
    return code;
}
