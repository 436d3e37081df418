/*
 * agent_oracle.c: always the best expert, by its true value. Its regret is 0.
 *
 * Paper: Section 2 (best expert).
 *
 *   k* = argmax_k mu_k
 *
 * Cost: O(N) once, O(1) per choice.
 * Check: tests/unit/test_agents.c: oracle_and_uniform.
 */
#include "baseline.h"

#include <string.h>

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    if (setup->values == NULL)
        return roster_fail(err, ROSTER_EINVAL, "oracle needs the experts' true values: set the problem's values");
    roster_baseline *b = self;
    b->leader = roster_experts_active_at(setup->experts, 0);
    for (size_t k = b->leader; k < setup->experts->n; k++)
        if (setup->values[k] > setup->values[b->leader] && !roster_is_retired(setup->experts, k))
            b->leader = k;
    return roster_baseline_init(self, setup, err);
}

static size_t choose(const void *self)
{
    return ((const roster_baseline *)self)->leader;
}

static void scores(const void *self, double *u)
{
    const roster_setup *setup = ((const roster_baseline *)self)->setup;
    memcpy(u, setup->values, setup->experts->n * sizeof *u);
    roster_experts_mask(setup->experts, u);
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_oracle = {
    .info = {.name = "oracle",
             .source = "baseline",
             .summary = "always the expert with the largest true value",
             .params = params,
             .additive = true},
    .init = init,
    .choose = choose,
    .index = scores,
    ROSTER_BASELINE_FUNCTIONS,
};
