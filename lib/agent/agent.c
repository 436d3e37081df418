/*
 * agent.c: the life of an agent, and the checks that every event passes.
 *
 * Paper: none.
 *
 * Everything an algorithm may rely on is checked here once: shapes, ranges, that an event could have happened. What it
 * then gets is a sample: expert, reward, and how likely every expert was to act so.
 *
 * Check: the contract every agent keeps (tests/unit/test_contract.c).
 */
#include "agent.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

int roster_find_type(const char *name, const roster_agent_type **type, roster_error *err)
{
    char known[200] = "";
    for (size_t i = 0; roster_agent_types[i] != NULL; i++) {
        *type = roster_agent_types[i];
        if (name != NULL && strcmp((*type)->info.name, name) == 0)
            return ROSTER_OK;
        roster_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", (*type)->info.name);
    }
    return roster_fail(err, ROSTER_EINVAL, "there is no agent '%.40s'; there are %s", name != NULL ? name : "", known);
}

static int check_problem(const roster_problem *problem, roster_error *err)
{
    if (problem == NULL || problem->experts == NULL)
        return roster_fail(err, ROSTER_EINVAL, "the problem has no experts");
    const roster_experts *e = problem->experts;
    for (size_t k = 0; problem->values != NULL && k < e->n; k++)
        if (!(problem->values[k] >= 0 && problem->values[k] <= 1))
            return roster_fail(err, ROSTER_EINVAL, "values[%zu] is %g, must be in [0, 1]", k, problem->values[k]);
    if (problem->context_probabilities == NULL)
        return ROSTER_OK;
    return roster_check_distribution(problem->context_probabilities, e->x, "context_probabilities", err);
}

/* A number that differs, as far as 64 bits can tell, for another problem or other settings. */
static uint64_t fingerprint(const roster_agent *agent)
{
    const roster_experts *e = agent->setup.experts;
    double shape[] = {(double)e->kind, (double)e->n, (double)e->x,     (double)e->v,
                      (double)e->d,    e->floor,     agent->p != NULL, agent->values != NULL};
    uint64_t hash = roster_hash_doubles(ROSTER_HASH_START, shape, sizeof shape / sizeof *shape);
    hash = roster_hash_doubles(hash, e->pi, e->n * e->x * e->v);
    if (e->kind == ROSTER_SOFTMAX) {
        hash = roster_hash_doubles(hash, e->weights, e->n * e->v * e->d);
        hash = roster_hash_doubles(hash, e->bias, e->n * e->v);
    }
    if (agent->p != NULL)
        hash = roster_hash_doubles(hash, agent->p, e->x);
    if (agent->values != NULL)
        hash = roster_hash_doubles(hash, agent->values, e->n);
    for (size_t i = 0; agent->type->info.params[i] != NULL; i++) {
        double number = roster_settings_number(&agent->settings, &agent->type->info, agent->type->info.params[i]->name);
        hash = roster_hash_doubles(hash, &number, 1);
    }
    return hash;
}

int roster_agent_new_state(roster_agent *agent, void **state, roster_error *err)
{
    *state = roster_alloc(1, agent->type->state_size);
    if (*state == NULL)
        return roster_fail_memory(err);
    int code = agent->type->init(*state, &agent->setup, err);
    if (code == ROSTER_OK)
        return ROSTER_OK;
    roster_agent_drop_state(agent, *state);
    *state = NULL;
    return code == ROSTER_ENOMEM ? roster_fail_memory(err) : code;
}

void roster_agent_drop_state(const roster_agent *agent, void *state)
{
    if (state != NULL)
        agent->type->fini(state);
    free(state);
}

void roster_agent_set_stream(roster_agent *agent, uint64_t seed, uint64_t run)
{
    agent->seed = seed;
    agent->run = run;
    roster_rng_init(&agent->stream, seed, run, ROSTER_ROLE_AGENT);
}

/* Copies of what the caller keeps, and the agent's own memory. */
static int take_problem(roster_agent *agent, const roster_problem *problem)
{
    const roster_experts *e = problem->experts;
    if (problem->context_probabilities != NULL)
        agent->p = roster_copy(problem->context_probabilities, e->x, sizeof *agent->p);
    if (problem->values != NULL)
        agent->values = roster_copy(problem->values, e->n, sizeof *agent->values);
    agent->scratch = roster_alloc(roster_plus(e->n, e->v), sizeof *agent->scratch);
    agent->setup =
        (roster_setup){e, agent->p, agent->values, &agent->settings, &agent->stream, agent->type->info.name, NULL};
    bool fits = agent->scratch != NULL && (agent->p != NULL) == (problem->context_probabilities != NULL) &&
                (agent->values != NULL) == (problem->values != NULL);
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

static int prepare(roster_agent *agent, roster_error *err)
{
    int code = ROSTER_OK;
    if (agent->type->prepare != NULL)
        code = agent->type->prepare(&agent->prepared, &agent->setup, &agent->settings, err);
    agent->setup.prepared = agent->prepared;
    return code == ROSTER_ENOMEM ? roster_fail_memory(err) : code;
}

int roster_agent_create(roster_agent **out, const char *name, const roster_problem *problem,
                        const roster_setting *settings, uint64_t seed, uint64_t run, roster_error *err)
{
    const roster_agent_type *type = NULL;
    *out = NULL;
    int code = roster_find_type(name, &type, err);
    if (code == ROSTER_OK)
        code = check_problem(problem, err);
    if (code != ROSTER_OK)
        return code;
    roster_agent *agent = roster_alloc(1, sizeof *agent);
    if (agent == NULL)
        return roster_fail_memory(err);
    agent->type = type;
    roster_agent_set_stream(agent, seed, run);
    code = roster_settings_resolve(&agent->settings, &type->info, settings, err);
    if (code == ROSTER_OK && take_problem(agent, problem) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK)
        code = prepare(agent, err);
    if (code == ROSTER_OK)
        code = roster_agent_new_state(agent, &agent->state, err);
    if (code != ROSTER_OK) {
        roster_agent_free(agent);
        return code;
    }
    agent->fingerprint = fingerprint(agent);
    *out = agent;
    return ROSTER_OK;
}

void roster_agent_free(roster_agent *agent)
{
    if (agent == NULL)
        return;
    roster_agent_drop_state(agent, agent->state);
    roster_prepared_free(agent->prepared);
    free(agent->p);
    free(agent->values);
    free(agent->scratch);
    free(agent);
}

size_t roster_agent_choose(const roster_agent *agent)
{
    return agent->type->choose(agent->state);
}

void roster_agent_index(const roster_agent *agent, double *u)
{
    agent->type->index(agent->state, u);
}

void roster_agent_insight(const roster_agent *agent, size_t k, roster_insight *out)
{
    *out = (roster_insight){NAN, NAN, NAN, NAN};
    if (agent->type->insight != NULL && k < agent->setup.experts->n)
        agent->type->insight(agent->state, k, out);
}

uint64_t roster_agent_rounds(const roster_agent *agent)
{
    return agent->t;
}

const roster_agent_info *roster_agent_about(const roster_agent *agent)
{
    return &agent->type->info;
}

const roster_experts *roster_agent_experts(const roster_agent *agent)
{
    return agent->setup.experts;
}

double roster_agent_setting(const roster_agent *agent, const char *name)
{
    return roster_settings_number(&agent->settings, &agent->type->info, name);
}

int roster_agent_constants(const roster_agent *agent, roster_constants *constants, roster_error *err)
{
    const roster_prepared *prepared = agent->prepared;
    if (prepared == NULL)
        return roster_fail(err, ROSTER_EINVAL, "%s has no constants: no theorem covers it", agent->type->info.name);
    roster_constants c = {.C = prepared->problem.C, .p_V = prepared->problem.bounds.p_V, .clip = prepared->bias.clip};
    if (roster_prepared_largest(prepared, &c.M) != ROSTER_OK)
        return roster_fail_memory(err);
    c.gamma = agent->settings.gamma.number;
    for (size_t k = 0; isnan(agent->settings.gamma.number) && agent->values != NULL && k < agent->setup.experts->n; k++)
        c.gamma = k == 0 || agent->values[k] < c.gamma ? agent->values[k] : c.gamma;
    *constants = c;
    return ROSTER_OK;
}

int roster_agent_reserve(roster_agent *agent, size_t rounds, roster_error *err)
{
    return agent->type->reserve(agent->state, rounds) == ROSTER_OK ? ROSTER_OK : roster_fail_memory(err);
}

void roster_agent_reset(roster_agent *agent, uint64_t run)
{
    roster_agent_set_stream(agent, agent->seed, run);
    agent->t = 0;
    agent->type->reset(agent->state);
}

static int check_shape(const roster_agent *agent, const roster_event *event, roster_error *err)
{
    const roster_experts *e = agent->setup.experts;
    if (event->expert >= e->n)
        return roster_fail(err, ROSTER_EINVAL, "event.expert is %zu, must be below %zu", event->expert, e->n);
    if (event->action >= e->v)
        return roster_fail(err, ROSTER_EINVAL, "event.action is %zu, must be below %zu", event->action, e->v);
    if (e->kind == ROSTER_TABLES && event->context >= e->x)
        return roster_fail(err, ROSTER_EINVAL, "event.context is %zu, must be below %zu", event->context, e->x);
    if (!(event->reward >= 0 && event->reward <= 1))
        return roster_fail(err, ROSTER_EINVAL, "event.reward is %g, must be in [0, 1]", event->reward);
    if (!(event->propensity >= 0 && event->propensity <= 1))
        return roster_fail(err, ROSTER_EINVAL, "event.propensity is %g, must be in [0, 1], 0 for unknown",
                           event->propensity);
    return ROSTER_OK;
}

static int check_probabilities(const double *pi, size_t n, roster_error *err)
{
    if (pi == NULL)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.probabilities is missing: each expert's probability of the action");
    for (size_t i = 0; i < n; i++)
        if (!(pi[i] == 0 || (pi[i] >= DBL_MIN && pi[i] <= 1)))
            return roster_fail(err, ROSTER_EINVAL, "event.probabilities[%zu] is %g, must be a probability", i, pi[i]);
    return ROSTER_OK;
}

static int check_features(const double *features, size_t d, roster_error *err)
{
    if (features == NULL)
        return roster_fail(err, ROSTER_EINVAL, "event.features is missing: the context's %zu features", d);
    for (size_t f = 0; f < d; f++)
        if (!(fabs(features[f]) <= 1e100))
            return roster_fail(err, ROSTER_EINVAL,
                               "event.features[%zu] is %g, must be a number of at most 1e100 in size", f, features[f]);
    return ROSTER_OK;
}

/* How likely every expert was to act so. */
static int find_probabilities(roster_agent *agent, const roster_event *event, roster_sample *sample, roster_error *err)
{
    const roster_experts *e = agent->setup.experts;
    int code = ROSTER_OK;
    sample->cell = ROSTER_NO_CELL;
    if (e->kind == ROSTER_TABLES) {
        sample->cell = event->context * e->v + event->action;
        sample->pi = roster_experts_across(e, event->context, event->action);
    } else if (e->kind == ROSTER_EXTERNAL) {
        code = check_probabilities(event->probabilities, e->n, err);
        sample->pi = event->probabilities;
    } else {
        code = check_features(event->features, e->d, err);
        if (code == ROSTER_OK)
            roster_experts_across_at(e, event->features, event->action, agent->scratch + e->n, agent->scratch);
        sample->pi = agent->scratch;
    }
    return code;
}

/* Known experts do what they are known to do; an event that says otherwise would be divided by the wrong probability.
   */
static int check_possible(const roster_event *event, double known, roster_error *err)
{
    if (known == 0)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.expert %zu never takes action %zu there, so the event is impossible", event->expert,
                           event->action);
    if (event->propensity > 0 && fabs(event->propensity - known) > 1e-9 * known)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.propensity is %.12g, but expert %zu takes action %zu there with %.12g",
                           event->propensity, event->expert, event->action, known);
    return ROSTER_OK;
}

int roster_agent_learn(roster_agent *agent, const roster_event *event, roster_error *err)
{
    roster_sample sample = {.k = event->expert, .cell = ROSTER_NO_CELL, .n = 1, .s = event->reward};
    int code = check_shape(agent, event, err);
    if (code == ROSTER_OK && !agent->type->blind) {
        code = find_probabilities(agent, event, &sample, err);
        if (code == ROSTER_OK && !agent->type->info.empirical)
            code = check_possible(event, sample.pi[sample.k], err);
    }
    if (code != ROSTER_OK)
        return code;
    if (agent->type->learn(agent->state, &sample) != ROSTER_OK)
        return roster_fail_memory(err);
    agent->t++;
    return ROSTER_OK;
}
