/*
 * experiment_agents.c: the agents of a file with their settings, tried out on the case's worlds.
 *
 * What an agent can be told is the library's table; here only "agent", "label", "restart", "model_test", "warm_start"
 * and, for agents that work on estimates, "samples", "sampling" and "prior" are known by name. Each agent is made once
 * per episode, so that what is wrong with it is said before the first run: the context probabilities of an episode
 * decide which divergences are finite.
 *
 * Cost: that of creating the agents.
 * Check: tests/unit/test_experiment_refused.c: agents_refused.
 */
#include "experiment_internal.h"
#include "nearest.h"
#include "warm_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const roster_agent_info *experiment_agent_info(const char *name)
{
    size_t i = 0;
    const roster_agent_info *info;
    while ((info = roster_agent_info_at(i)) != NULL && strcmp(info->name, name) != 0)
        i++;
    return info;
}

/* It can work on estimates. */
static bool takes_samples(const roster_agent_info *info)
{
    return info->empirical || info->learns_experts;
}

static bool is_own_key(const char *key, const roster_agent_info *info)
{
    return strcmp(key, "agent") == 0 || strcmp(key, "label") == 0 || strcmp(key, "restart") == 0 ||
           strcmp(key, "model_test") == 0 || strcmp(key, "warm_start") == 0 ||
           (takes_samples(info) &&
            (strcmp(key, "samples") == 0 || strcmp(key, "sampling") == 0 || strcmp(key, "prior") == 0));
}

/* The library's sentence about a key it does not know, and what may have been meant. */
static int fail_setting(experiment_build *self, const common_node *at, const roster_agent_info *info, const char *key,
                        const roster_experts *experts)
{
    const char *known[32] = {"agent", "label", "restart", "model_test", "warm_start", "samples", "sampling", "prior"};
    size_t n = takes_samples(info) ? 8 : 5;
    known[n] = NULL;
    for (size_t i = 0; info->params[i] != NULL && n < 31; i++) {
        known[n++] = info->params[i]->name;
        known[n] = NULL;
    }
    roster_setting settings[] = {{key, 0, NULL}, {NULL, 0, NULL}};
    roster_problem problem = {.experts = experts};
    roster_agent *agent;
    roster_error wrong;
    roster_agent_create(&agent, info->name, &problem, settings, 0, 0, &wrong);
    const char *nearest = common_nearest_of(key, known);
    size_t used = strlen(wrong.msg);
    if (nearest != NULL)
        snprintf(wrong.msg + used, sizeof wrong.msg - used, "; did you mean '%s'?", nearest);
    return common_fail_inside(at, ": ", &wrong, self->err);
}

static bool has_param(const roster_agent_info *info, const char *key)
{
    size_t i = 0;
    while (info->params[i] != NULL && strcmp(info->params[i]->name, key) != 0)
        i++;
    return info->params[i] != NULL;
}

static int read_setting(experiment_build *self, const common_node *agent, const char *key, roster_setting *out)
{
    common_node at = common_key(agent, key);
    int code = common_scalar(&at, self->err);
    if (code != ROSTER_OK)
        return code;
    out->name = common_arena_text(self->store, key);
    out->number = json_number_value(at.json);
    out->word = json_is_string(at.json) ? common_arena_text(self->store, json_string_value(at.json)) : NULL;
    bool had = out->name != NULL && (out->word != NULL || json_is_number(at.json));
    return had ? ROSTER_OK : common_fail_memory(self->err);
}

static int read_settings(experiment_build *self, const common_node *at, const roster_agent_info *info,
                         const roster_experts *experts, const roster_setting **out)
{
    roster_setting *settings = common_arena_take(self->store, json_object_size(at->json) + 1, sizeof *settings);
    if (settings == NULL)
        return common_fail_memory(self->err);
    *out = settings;
    const char *key;
    json_t *value;
    json_object_foreach(at->json, key, value)
    {
        if (is_own_key(key, info))
            continue;
        int code =
            has_param(info, key) ? read_setting(self, at, key, settings++) : fail_setting(self, at, info, key, experts);
        if (code != ROSTER_OK)
            return code;
    }
    return ROSTER_OK;
}

/* Of agents on estimates the word is for the theory's budget, of those that learn experts for none at all. */
static int read_samples(experiment_build *self, const common_node *agent, const char *allowed, experiment_agent *out)
{
    common_node samples = common_key(agent, "samples"), sampling = common_key(agent, "sampling");
    const char *word = json_string_value(samples.json);
    int code = ROSTER_OK;
    if (word != NULL && strcmp(word, allowed) != 0)
        return common_fail_at(&samples, self->err, "is \"%.40s\", must be a whole number or \"%s\"", word, allowed);
    out->estimated = samples.json != NULL;
    if (word == NULL && samples.json != NULL)
        code = common_count(&samples, 1, UINT64_C(1) << 62, &out->samples, self->err);
    if (code != ROSTER_OK || sampling.json == NULL)
        return code;
    code = common_word(&sampling, &word, self->err);
    if (code == ROSTER_OK && strcmp(word, "offline") != 0 && strcmp(word, "online") != 0)
        code = common_fail_at(&sampling, self->err, "is \"%.40s\", must be \"offline\" or \"online\"", word);
    out->sampling = code == ROSTER_OK && strcmp(word, "online") == 0 ? ROSTER_ONLINE : ROSTER_OFFLINE;
    return code;
}

/* A distribution, or the word "episode": that of the first episode. */
static int read_prior(experiment_build *self, const common_node *agent, roster_sampling sampling, const double *first,
                      const double **out)
{
    common_node at = common_key(agent, "prior");
    const char *word = json_string_value(at.json);
    if (at.json == NULL)
        return ROSTER_OK;
    if (sampling == ROSTER_ONLINE)
        return common_fail_at(&at, self->err,
                              "is for offline sampling; online sampling meets the contexts of the world");
    if (word != NULL && strcmp(word, "episode") != 0)
        return common_fail_at(&at, self->err, "is \"%.40s\", must be a list of probabilities or \"episode\"", word);
    if (word != NULL) {
        *out = first;
        return ROSTER_OK;
    }
    int code = common_list_of(&at, self->contexts, "context", self->err);
    if (code != ROSTER_OK)
        return code;
    double *p = common_arena_take(self->store, self->contexts, sizeof *p);
    if (p == NULL)
        return common_fail_memory(self->err);
    for (size_t x = 0; code == ROSTER_OK && x < self->contexts; x++) {
        common_node number = common_item(&at, x);
        code = common_number(&number, &p[x], self->err);
    }
    *out = p;
    return code;
}

/* "restart" of an agent, or else of the whole file; whether the agent's experts are tested. */
static int read_guard(experiment_build *self, const common_node *root, const common_node *agent, roster_study *out)
{
    static const char *const words[] = {"known", "alarm", "never"};
    common_node own = common_key(agent, "restart"), test = common_key(agent, "model_test");
    common_node at = own.json != NULL ? own : common_key(root, "restart");
    const char *word = words[0];
    size_t i = 0;
    int code = at.json != NULL ? common_word(&at, &word, self->err) : ROSTER_OK;
    while (code == ROSTER_OK && i < 3 && strcmp(word, words[i]) != 0)
        i++;
    if (i == 3)
        return common_fail_at(&at, self->err, "is \"%.40s\", must be \"known\", \"alarm\" or \"never\"", word);
    if (code == ROSTER_OK && test.json != NULL && !json_is_boolean(test.json))
        return common_fail_at(&test, self->err, "must be true or false");
    out->restart = (roster_restart)i;
    out->model_test = json_is_true(test.json);
    return code;
}

static bool name_all(name_table *table, const char *const *names, size_t n)
{
    bool fits = name_table_reserve(table, n);
    for (size_t i = 0; i < n && fits; i++)
        fits = name_table_add(table, names[i]);
    return fits;
}

static bool name_experts(name_table *table, const roster_experts *experts)
{
    bool fits = name_table_reserve(table, roster_experts_count(experts));
    for (size_t k = 0; k < roster_experts_count(experts) && fits; k++)
        fits = name_table_add(table, roster_experts_name(experts, k));
    return fits;
}

/* What a log says before the first round. */
static int read_warm(experiment_build *self, const common_node *agent, roster_study *out)
{
    common_node at = common_key(agent, "warm_start");
    name_table contexts = {0}, actions = {0}, experts = {0};
    bool finite = roster_experts_kind(out->experts) == ROSTER_TABLES;
    warm_start_names names = {finite ? &contexts : NULL, &actions, &experts};
    warm_start warm = {0};
    if (at.json == NULL)
        return ROSTER_OK;
    bool fits = name_all(&contexts, self->context_names, self->contexts) &&
                name_all(&actions, self->action_names, self->actions) && name_experts(&experts, out->experts);
    int code = fits ? warm_start_read(&at, &names, self->store, &warm, self->err) : common_fail_memory(self->err);
    name_table_free(&contexts);
    name_table_free(&actions);
    name_table_free(&experts);
    out->warm_rows = warm.rows;
    out->n_warm_rows = warm.n;
    out->warm_discount = warm.discount;
    return code;
}

static bool stop(void *context, const roster_step *step)
{
    (void)context;
    (void)step;
    return false;
}

/* Estimates: run 0 up to its first round, with budget and sampling. Known experts: the agent on every episode. */
static int try_out(const roster_study *study, double *const *probabilities, bool empirical, double *mu,
                   roster_error *err)
{
    roster_outcome outcome;
    int code = empirical ? roster_simulate(study, 0, stop, NULL, &outcome, NULL, err) : ROSTER_OK;
    for (size_t e = 0; !empirical && code == ROSTER_OK && e < study->n_episodes; e++) {
        const double *told[] = {probabilities[e], study->episodes[e].declared, NULL};
        roster_problem problem = {study->experts, told[study->episodes[e].declaration], mu};
        roster_agent *agent;
        roster_world_values(study->episodes[e].world, mu);
        code = roster_agent_create(&agent, study->agent, &problem, study->settings, study->seed, 0, err);
        if (code == ROSTER_OK && e == 0 && study->n_warm_rows > 0)
            code = roster_agent_learn_tally(agent, study->warm_rows, study->n_warm_rows, study->warm_discount, err);
        roster_agent_free(agent);
    }
    return code;
}

static int check_agent(experiment_build *self, const common_node *at, const experiment_case *c,
                       const roster_study *study, bool empirical)
{
    roster_error wrong;
    double *mu = calloc(roster_experts_count(c->experts), sizeof *mu);
    if (mu == NULL)
        return common_fail_memory(self->err);
    int code = try_out(study, c->probabilities, empirical, mu, &wrong);
    free(mu);
    return code == ROSTER_OK ? code : common_fail_inside(at, ": ", &wrong, self->err);
}

/* The library's sentence about a name it does not know. */
static int find_agent(experiment_build *self, const common_node *at, const roster_experts *experts,
                      const roster_agent_info **info)
{
    common_node agent = common_key(at, "agent");
    const char *name;
    int code = common_object(at, self->err);
    if (code == ROSTER_OK)
        code = common_word(&agent, &name, self->err);
    if (code != ROSTER_OK || (*info = experiment_agent_info(name)) != NULL)
        return code;
    roster_problem problem = {.experts = experts};
    roster_agent *none;
    roster_error wrong;
    roster_agent_create(&none, name, &problem, NULL, 0, 0, &wrong);
    return common_fail_inside(at, ": ", &wrong, self->err);
}

/* The agent that is meant; where its label was no other than its name, both are shown: "auto: direct". */
static int take_stand_in(experiment_build *self, const roster_experts *experts, const roster_agent_info **info,
                         const char **label)
{
    const roster_agent_info *meant = roster_agent_stand_in((*info)->name, experts);
    bool named = strcmp(*label, (*info)->name) == 0;
    if (meant == *info || !named) {
        *info = meant;
        return ROSTER_OK;
    }
    char *both = common_arena_take(self->store, strlen(*label) + strlen(meant->name) + 3, 1);
    if (both == NULL)
        return common_fail_memory(self->err);
    *label = strcat(strcat(strcpy(both, *label), ": "), meant->name);
    *info = meant;
    return ROSTER_OK;
}

/* How samples are drawn says nothing where there are none. */
static int refuse_unless_estimated(experiment_build *self, const common_node *agent)
{
    static const char *const keys[] = {"sampling", "prior"};
    for (size_t i = 0; i < 2; i++) {
        common_node at = common_key(agent, keys[i]);
        if (at.json != NULL)
            return common_fail_at(&at, self->err, "is for agents on estimates; give \"samples\" too");
    }
    return ROSTER_OK;
}

static int read_agent(experiment_build *self, const common_node *root, const common_node *at, const char *label,
                      size_t i, experiment_case *out)
{
    const roster_agent_info *info;
    experiment_agent *agent = &out->agents[i];
    roster_study *study = &out->studies[i];
    int code = find_agent(self, at, out->experts, &info);
    if (code == ROSTER_OK)
        code = take_stand_in(self, out->experts, &info, &label);
    if (code != ROSTER_OK)
        return code;
    *agent = (experiment_agent){.label = label, .name = info->name};
    code = read_settings(self, at, info, out->experts, &agent->settings);
    if (code == ROSTER_OK && takes_samples(info))
        code = read_samples(self, at, info->empirical ? "theory" : "none", agent);
    bool estimated = info->empirical || agent->estimated;
    if (code == ROSTER_OK && !estimated)
        code = refuse_unless_estimated(self, at);
    *study = (roster_study){.experts = out->experts,
                            .episodes = out->episodes,
                            .n_episodes = out->n_episodes,
                            .agent = info->name,
                            .settings = agent->settings,
                            .samples = agent->samples,
                            .sampling = agent->sampling,
                            .seed = self->seed,
                            .estimated = agent->estimated};
    if (code == ROSTER_OK)
        code = read_guard(self, root, at, study);
    if (code == ROSTER_OK)
        code = read_warm(self, at, study);
    if (code == ROSTER_OK && estimated)
        code = read_prior(self, at, agent->sampling, out->probabilities[0], &study->prior);
    return code == ROSTER_OK ? check_agent(self, at, out, study, estimated) : code;
}

int experiment_agents(experiment_build *self, const common_node *root, const char *const *labels, experiment_case *out)
{
    common_node list = common_key(root, "agents");
    size_t n;
    int code = common_list(&list, &n, self->err);
    if (code != ROSTER_OK)
        return code;
    out->agents = common_arena_take(self->store, n, sizeof *out->agents);
    out->studies = common_arena_take(self->store, n, sizeof *out->studies);
    if (out->agents == NULL || out->studies == NULL)
        return common_fail_memory(self->err);
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node agent = common_item(&list, i);
        code = read_agent(self, root, &agent, labels[i], i, out);
    }
    return code;
}
