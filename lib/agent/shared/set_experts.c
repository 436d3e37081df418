/*
 * set_experts.c: an agent whose experts come and go.
 *
 * Paper: Beyond 18 (agents).
 *
 * A second state is made for the new list and adopts what the first one knows; only when it is whole does it take the
 * place of the first. The first keeps pointers to the agent's setup, which says by then what holds for the second: so
 * `adopt` gets the former number of experts and asks nothing else.
 *
 * Cost: that of creating the agent and of learning each cell that was seen once, for all experts; of divergences only
 *       those of who comes are computed.
 * Check: equal to a fresh agent that learnt the same events (tests/unit/test_experts_change.c: as_if_always_there).
 */
#include "agent.h"

#include <stdlib.h>

/* The agent's own memory that depends on the list; the rest of it stays. */
static int take_experts(roster_agent *agent, const roster_experts *experts, const double *values)
{
    agent->prepared = NULL;
    agent->state = NULL;
    agent->scratch = roster_alloc(roster_plus(experts->n, experts->v), sizeof *agent->scratch);
    agent->values = values != NULL ? roster_copy(values, experts->n, sizeof *values) : NULL;
    agent->setup.experts = experts;
    agent->setup.values = agent->values;
    agent->setup.prepared = NULL;
    return agent->scratch != NULL && (agent->values != NULL) == (values != NULL) ? ROSTER_OK : ROSTER_ENOMEM;
}

static void drop(const roster_agent *agent)
{
    roster_agent_drop_state(agent, agent->state);
    roster_prepared_free(agent->prepared);
    free(agent->values);
    free(agent->scratch);
}

int roster_agent_set_experts(roster_agent *agent, const roster_experts *experts, const double *values,
                             roster_error *err)
{
    const roster_experts *former = agent->setup.experts;
    const roster_problem problem = {.experts = experts, .context_probabilities = agent->p, .values = values};
    int code = roster_experts_check_change(former, experts, err);
    if (code == ROSTER_OK)
        code = roster_agent_check(agent, &problem, err);
    if (code != ROSTER_OK)
        return code;
    roster_agent before = *agent;
    if (take_experts(agent, experts, values) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK)
        code = roster_agent_prepare(agent, err);
    if (code == ROSTER_OK && before.prepared != NULL &&
        roster_prepared_adopt(agent->prepared, before.prepared) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK && agent->type->adopt(agent->state, before.state, former->n) != ROSTER_OK)
        code = roster_fail_memory(err);
    roster_agent after = *agent;
    if (code != ROSTER_OK)
        *agent = before;
    drop(code == ROSTER_OK ? &before : &after);
    return code;
}
