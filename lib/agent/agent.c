/*
 * agent.c: the life of an agent.
 *
 * Paper: none.
 *
 * Everything an algorithm may rely on is checked here once. What it then gets of an event is a sample: expert, reward,
 * and how likely every expert was to act so (estimate/event.c).
 *
 * Check: the contract every agent keeps (tests/unit/test_contract.c).
 */
#include "agent.h"
#include "event.h"

#include <stdlib.h>
#include <string.h>

int roster_find_type(const char *name, const roster_experts *experts, const roster_agent_type **type, roster_error *err)
{
    char known[200] = "";
    for (size_t i = 0; roster_agent_types[i] != NULL; i++) {
        *type = roster_agent_types[i];
        if (name != NULL && strcmp((*type)->info.name, name) == 0) {
            *type = (*type)->stand_in != NULL && experts != NULL ? (*type)->stand_in(experts) : *type;
            return ROSTER_OK;
        }
        roster_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", (*type)->info.name);
    }
    return roster_fail(err, ROSTER_EINVAL, "there is no agent '%.40s'; there are %s", name != NULL ? name : "", known);
}

static int check_problem(const roster_problem *problem, const roster_agent_info *info, roster_error *err)
{
    if (problem == NULL || problem->experts == NULL)
        return roster_fail(err, ROSTER_EINVAL, "the problem has no experts");
    const roster_experts *e = problem->experts;
    if (info->finite && e->kind != ROSTER_TABLES)
        return roster_fail(err, ROSTER_EINVAL, "%s needs experts that are tables: contexts must be numbered",
                           info->name);
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
    hash = roster_experts_hash(hash, e);
    if (agent->type->info.learns_experts && e->rows != NULL)
        hash = roster_hash_doubles(hash, e->rows, e->x * e->n);
    if (agent->p != NULL)
        hash = roster_hash_doubles(hash, agent->p, e->x);
    if (agent->values != NULL)
        hash = roster_hash_doubles(hash, agent->values, e->n);
    for (size_t i = 0; agent->type->info.params[i] != NULL; i++) {
        if (agent->type->info.params[i] == &roster_param_verify)
            continue; /* it changes who is chosen, not what is known */
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

int roster_agent_prepare(roster_agent *agent, roster_error *err)
{
    int code = ROSTER_OK;
    agent->settings = agent->asked;
    if (agent->type->prepare != NULL)
        code = agent->type->prepare(&agent->prepared, &agent->setup, &agent->settings, err);
    agent->setup.prepared = agent->prepared;
    if (code != ROSTER_OK)
        return code == ROSTER_ENOMEM ? roster_fail_memory(err) : code;
    agent->fingerprint = fingerprint(agent);
    return roster_agent_new_state(agent, &agent->state, err);
}

static int check_verify(const roster_agent *agent, size_t n, roster_error *err)
{
    double share = agent->asked.verify.number > 0 ? agent->asked.verify.number : 0;
    if (share * (double)n <= 1)
        return ROSTER_OK;
    return roster_fail(err, ROSTER_EINVAL, "verify is %g, must be at most %g: each of %zu experts keeps that share",
                       share, 1 / (double)n, n);
}

int roster_agent_check(const roster_agent *agent, const roster_problem *problem, roster_error *err)
{
    int code = check_problem(problem, &agent->type->info, err);
    return code == ROSTER_OK ? check_verify(agent, problem->experts->active, err) : code;
}

int roster_agent_create(roster_agent **out, const char *name, const roster_problem *problem,
                        const roster_setting *settings, uint64_t seed, uint64_t run, roster_error *err)
{
    const roster_agent_type *type = NULL;
    *out = NULL;
    int code = roster_find_type(name, problem != NULL ? problem->experts : NULL, &type, err);
    if (code == ROSTER_OK)
        code = check_problem(problem, &type->info, err);
    if (code != ROSTER_OK)
        return code;
    roster_agent *agent = roster_alloc(1, sizeof *agent);
    if (agent == NULL)
        return roster_fail_memory(err);
    agent->type = type;
    roster_agent_set_stream(agent, seed, run);
    code = roster_settings_resolve(&agent->asked, &type->info, settings, err);
    if (code == ROSTER_OK)
        code = check_verify(agent, problem->experts->active, err);
    if (code == ROSTER_OK && take_problem(agent, problem) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK)
        code = roster_agent_prepare(agent, err);
    if (code != ROSTER_OK) {
        roster_agent_free(agent);
        return code;
    }
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
    int code = agent->type->reserve != NULL ? agent->type->reserve(agent->state, rounds) : ROSTER_OK;
    return code == ROSTER_OK ? ROSTER_OK : roster_fail_memory(err);
}

void roster_agent_forget(roster_agent *agent, unsigned changed, uint64_t run)
{
    if (changed != 0 && agent->type->forget != NULL)
        agent->type->forget(agent->state, changed);
    else if (changed != 0)
        roster_agent_reset(agent, run);
}

bool roster_agent_stand_alone(roster_agent *agent, size_t k)
{
    bool can = agent->type->stand_alone != NULL && k < agent->setup.experts->n;
    if (can)
        agent->type->stand_alone(agent->state, k);
    return can;
}

void roster_agent_reset(roster_agent *agent, uint64_t run)
{
    roster_agent_set_stream(agent, agent->seed, run);
    agent->t = 0;
    agent->type->reset(agent->state);
}

bool roster_agent_knows_estimates(const roster_agent *agent)
{
    const roster_agent_info *info = &agent->type->info;
    return info->empirical || (info->learns_experts && agent->setup.experts->rows != NULL);
}

int roster_agent_learn(roster_agent *agent, const roster_event *event, roster_error *err)
{
    const roster_experts *experts = agent->setup.experts;
    roster_sample sample = {.k = event->expert, .cell = ROSTER_NO_CELL, .n = 1, .s = event->reward};
    int code = roster_event_check(experts, event, err);
    if (code == ROSTER_OK && !agent->type->blind) {
        code = roster_event_sample(experts, event, agent->scratch, &sample, err);
        if (code == ROSTER_OK && !roster_agent_knows_estimates(agent))
            code = roster_event_possible(event, sample.pi[sample.k], err);
    }
    if (code != ROSTER_OK)
        return code;
    if (agent->type->learn(agent->state, &sample) != ROSTER_OK)
        return roster_fail_memory(err);
    agent->t++;
    return ROSTER_OK;
}
