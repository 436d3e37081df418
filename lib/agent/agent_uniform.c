/*
 * agent_uniform.c: any expert, all equally likely. Its regret is what not choosing costs.
 *
 * Paper: Baseline (uniform).
 *
 *   k_t = a pure function of the stream and t, so that choosing remains a read; or floor(u N) of a caller's own u
 *
 * Cost: O(1).
 * Check: tests/unit/test_agents.c: oracle_and_uniform.
 */
#include "waiting.h"
#include "baseline.h"

static size_t choose(const void *self)
{
    const roster_baseline *b = self;
    roster_rng rng = *b->setup->stream;
    roster_rng_seek(&rng, b->t);
    return (size_t)roster_rng_below(&rng, b->setup->experts->n);
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    (void)waiting;
    return roster_waiting_draw(u, ((const roster_baseline *)self)->setup->experts->n);
}

static void scores(const void *self, double *u)
{
    size_t n = ((const roster_baseline *)self)->setup->experts->n;
    for (size_t i = 0; i < n; i++)
        u[i] = 1 / (double)n;
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_uniform = {
    .info = {.name = "uniform",
             .source = "baseline",
             .summary = "any expert, all equally likely",
             .params = params,
             .additive = true},
    .drawn_by_index = true,
    .init = roster_baseline_init,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = scores,
    ROSTER_BASELINE_FUNCTIONS,
};
