/*
 * agent_auto.c: the agent to take when in doubt, chosen by the kind of the experts.
 *
 * Paper: Beyond 12 (auto).
 *
 *   tables, known or estimated        direct     rewards pooled by context and action
 *   softmax, or evaluated by callers  mixture    rewards weighted by how likely each expert was to act so
 *
 * It is no agent of its own: where it is created, the other one is, which roster_agent_about() then names.
 *
 * Cost: that of the agent taken.
 * Check: tests/unit/test_choice.c: auto_takes_another.
 */
#include "agent.h"

extern const roster_agent_type roster_agent_direct, roster_agent_mixture;

static const roster_agent_type *stand_in(const roster_experts *experts)
{
    return experts->kind == ROSTER_TABLES ? &roster_agent_direct : &roster_agent_mixture;
}

/* Those that both have; those of one of them are taken too where it is the one. */
static const roster_param *const params[] = {&roster_param_kappa, &roster_param_eta, &roster_param_verify, NULL};

const roster_agent_type roster_agent_auto = {
    .info = {.name = "auto",
             .source = "direct or mixture",
             .summary = "direct where experts are tables, mixture where contexts are features or callers evaluate them",
             .params = params,
             .additive = true},
    .stand_in = stand_in,
};
