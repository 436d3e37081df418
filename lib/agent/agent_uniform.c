/*
 * agent_uniform.c: any expert, all equally likely. Its regret is what not choosing costs.
 *
 * Paper: Yardstick (uniform).
 *
 *   k_t = a pure function of the stream and t, so that choosing remains a read
 *
 * Cost: O(1).
 * Check: tests/unit/test_agents.c: oracle_and_uniform.
 */
#include "yardstick.h"

static size_t choose(const void *self)
{
    const roster_yardstick *y = self;
    roster_rng rng = *y->setup->stream;
    roster_rng_seek(&rng, y->t);
    return (size_t)roster_rng_below(&rng, y->setup->experts->n);
}

static void scores(const void *self, double *u)
{
    size_t n = ((const roster_yardstick *)self)->setup->experts->n;
    for (size_t i = 0; i < n; i++)
        u[i] = 1 / (double)n;
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_uniform = {
    .info = {.name = "uniform",
             .source = "yardstick",
             .summary = "any expert, all equally likely",
             .params = params,
             .additive = true},
    .init = roster_yardstick_init,
    .choose = choose,
    .index = scores,
    ROSTER_YARDSTICK_FUNCTIONS,
};
