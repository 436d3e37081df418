/*
 * load_campaign.c: the campaign that is played: created from the study, or found as it was left; its counters at the
 * end.
 *
 * A campaign that is there already is one that was driven before, or the service refuses: the events go on behind its
 * last decision.
 *
 * Paper: none.
 * Check: tests/http/drive.py.
 */
#include "load_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static json_t *names_json(const char *const *names, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

static json_t *table_json(const load_users *u, size_t k)
{
    json_t *table = json_array();
    for (size_t x = 0; x < u->x; x++) {
        json_t *row = json_array();
        for (size_t v = 0; v < u->v; v++)
            json_array_append_new(row, json_real(u->pi[(k * u->x + x) * u->v + v]));
        json_array_append_new(table, row);
    }
    return table;
}

static json_t *experts_json(const load *self)
{
    json_t *list = json_array();
    for (size_t k = 0; k < self->users.n; k++) {
        json_t *expert = json_object();
        json_object_set_new(expert, "name", json_string(roster_experts_name(self->options->study->experts, k)));
        json_object_set_new(expert, "table", table_json(&self->users, k));
        json_array_append_new(list, expert);
    }
    return list;
}

static json_t *agent_json(const roster_study *study)
{
    json_t *agent = json_object();
    json_object_set_new(agent, "agent", json_string(study->agent));
    for (const roster_setting *s = study->settings; s != NULL && s->name != NULL; s++)
        json_object_set_new(agent, s->name, s->word != NULL ? json_string(s->word) : json_real(s->number));
    return agent;
}

/* What the agent knows before the first round, places by number. */
static json_t *warm_json(const roster_study *study)
{
    json_t *list = json_array();
    for (size_t i = 0; i < study->n_warm_rows; i++) {
        const roster_tally_row *row = &study->warm_rows[i];
        json_t *json = json_pack("{s:I,s:I,s:f,s:I,s:f,s:f}", "context", (json_int_t)row->context, "action",
                                 (json_int_t)row->action, "propensity", row->propensity, "count",
                                 (json_int_t)row->count, "reward_sum", row->sum, "reward_squares", row->squares);
        if (row->expert != ROSTER_NO_EXPERT)
            json_object_set_new(json, "expert", json_integer((json_int_t)row->expert));
        json_array_append_new(list, json);
    }
    return json_pack("{s:o,s:f}", "rows", list, "discount", study->warm_discount);
}

/* The description, as the service reads it; NULL: out of memory. */
static char *describe(const load *self)
{
    const load_options *o = self->options;
    json_t *root = json_object(), *p = json_array();
    for (size_t x = 0; o->context_probabilities != NULL && x < self->users.x; x++)
        json_array_append_new(p, json_real(o->context_probabilities[x]));
    json_object_set_new(root, "name", json_string(o->campaign));
    if (o->description != NULL && o->description[0] != '\0')
        json_object_set_new(root, "description", json_string(o->description));
    json_object_set_new(root, "contexts", names_json(o->contexts, self->users.x));
    json_object_set_new(root, "actions", names_json(o->actions, self->users.v));
    json_object_set_new(root, "experts", experts_json(self));
    json_object_set_new(root, "agent", agent_json(o->study));
    if (o->context_probabilities != NULL)
        json_object_set(root, "context_probabilities", p);
    if (o->unannounced)
        json_object_set_new(root, "restart", json_string("alarm"));
    json_object_set_new(root, "seed", json_integer((json_int_t)o->study->seed));
    json_object_set_new(root, "stream", json_string("")); /* event n draws what round n draws */
    if (o->study->n_warm_rows > 0)
        json_object_set_new(root, "warm_start", warm_json(o->study));
    if (o->wait > 0)
        json_object_set_new(root, "reward", json_pack("{s:f}", "wait", o->wait));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    json_decref(p);
    return text;
}

/* Rewards by status and decisions, as the service counts them. False: they are not there. */
static bool read_counters(const json_t *campaign, uint64_t counts[LOAD_STATUSES + 1])
{
    const json_t *counters = json_object_get(campaign, "counters"), *rewards = json_object_get(counters, "rewards");
    bool whole = json_is_object(rewards);
    for (int i = 0; i <= LOAD_STATUSES; i++) {
        const json_t *n = i < LOAD_STATUSES ? json_object_get(rewards, load_status_word((load_status)i))
                                            : json_object_get(counters, "decisions");
        whole = whole && json_is_integer(n) && json_integer_value(n) >= 0;
        counts[i] = (uint64_t)json_integer_value(n);
    }
    return whole;
}

static int create(load *self, roster_error *err)
{
    json_t *answer;
    load_connection *c = &self->connections[0];
    common_text body = {.data = describe(self)};
    if (body.data == NULL)
        return common_fail(err, ROSTER_EINVAL, "out of memory");
    for (; body.data[body.used] != '\0'; body.used++)
        ;
    int code = load_ask(c, &self->place, "POST", "/v1/campaigns", &body, &answer, err);
    free(body.data);
    if (code == ROSTER_OK && c->status == 409)
        code = common_fail(err, ROSTER_EINVAL,
                           "the server has a campaign %s that is another one; --campaign NAME gives this one a "
                           "name of its own",
                           self->options->campaign);
    else if (code == ROSTER_OK && c->status != 200 && c->status != 201)
        code = load_refused(c, "the campaign", err);
    else if (code == ROSTER_OK && !read_counters(answer, self->before))
        code = common_fail(err, ROSTER_EINVAL, "the server's answer has no counters of the campaign");
    json_decref(answer);
    return code;
}

int load_begin(load *self, roster_error *err)
{
    if (self->options->study->seed > INT64_MAX)
        return common_fail(err, ROSTER_EINVAL,
                           "the seed is %llu, a campaign's is at most 9223372036854775807: give another by --seed",
                           (unsigned long long)self->options->study->seed);
    int code = create(self, err);
    if (code != ROSTER_OK)
        return code;
    self->first = self->before[LOAD_STATUSES] + 1;
    load_users_skip(&self->users, self->first - 1);
    return ROSTER_OK;
}

static int compare(const char *what, uint64_t counted, uint64_t told, roster_error *err)
{
    return counted == told ? ROSTER_OK
                           : common_fail(err, ROSTER_EINVAL, "the server counts %llu %s, but has answered %llu",
                                         (unsigned long long)counted, what, (unsigned long long)told);
}

/* *again: it told its counters, and they are others. */
static int compare_once(load *self, bool *again, roster_error *err)
{
    char path[LOAD_NAME_MOST + 32], what[48];
    uint64_t after[LOAD_STATUSES + 1];
    json_t *answer;
    load_connection *c = &self->connections[0];
    const load_figures *f = self->figures;
    snprintf(path, sizeof path, "/v1/campaigns/%s", self->options->campaign);
    int code = load_ask(c, &self->place, "GET", path, NULL, &answer, err);
    if (code == ROSTER_OK && (c->status != 200 || !read_counters(answer, after)))
        code = load_refused(c, "to tell its counters", err);
    *again = code == ROSTER_OK;
    if (code == ROSTER_OK)
        code = compare("decisions", after[LOAD_STATUSES] - self->before[LOAD_STATUSES], f->decisions, err);
    /* Where a connection broke, the answer to some rewards was not heard. */
    for (int i = 0; code == ROSTER_OK && f->faults == 0 && i < LOAD_STATUSES; i++) {
        snprintf(what, sizeof what, "rewards that are %s", load_status_word((load_status)i));
        code = compare(what, after[i] - self->before[i], f->statuses[i], err);
    }
    json_decref(answer);
    return code;
}

int load_compare(load *self, roster_error *err)
{
    enum { TRIES = 20 };
    bool again = true;
    int code = compare_once(self, &again, err);
    /* Of several servers on one log, one that only reads may be a moment behind. */
    for (int i = 1; i < TRIES && again && code != ROSTER_OK; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        code = compare_once(self, &again, err);
    }
    return code;
}
