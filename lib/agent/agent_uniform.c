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
    return roster_experts_active_at(b->setup->experts, (size_t)roster_rng_below(&rng, b->setup->experts->active));
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    (void)waiting;
    const roster_experts *e = ((const roster_baseline *)self)->setup->experts;
    return roster_experts_active_at(e, roster_waiting_draw(u, e->active));
}

static void scores(const void *self, double *u)
{
    const roster_experts *e = ((const roster_baseline *)self)->setup->experts;
    for (size_t i = 0; i < e->n; i++)
        u[i] = roster_is_retired(e, i) ? 0 : 1 / (double)e->active;
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
