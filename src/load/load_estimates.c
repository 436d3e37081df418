/*
 * load_estimates.c: what an agent that works on estimates is given: tables estimated before the first round.
 *
 * Paper: Algorithm 4, Lemma 3 (the budget). The samples are those of `roster run`, run 0, offline.
 *
 * Cost: O(N X V).
 */
#include "load_internal.h"

#include <math.h>

/* Samples per expert: as given, or the theory's. */
static int budget(const roster_study *s, uint64_t *samples, roster_error *err)
{
    *samples = s->samples;
    if (s->samples > 0)
        return ROSTER_OK;
    roster_agent *agent;
    roster_problem problem = {s->experts, NULL, NULL};
    int code = roster_agent_create(&agent, s->agent, &problem, s->settings, s->seed, 0, err);
    if (code != ROSTER_OK)
        return code;
    size_t N = roster_experts_count(s->experts), X = roster_experts_contexts(s->experts);
    uint64_t T = 0;
    for (size_t e = 0; e < s->n_episodes; e++)
        T = s->episodes[e].rounds > T ? s->episodes[e].rounds : T;
    double n = roster_theory_samples_per_context(roster_experts_actions(s->experts), (double)T,
                                                 roster_agent_setting(agent, "xi"));
    double A =
        roster_theory_samples_per_expert(n, roster_agent_setting(agent, "p_X"), X, N, (double)T, (double)s->n_episodes);
    roster_agent_free(agent);
    if (!(A <= 0x1p62))
        return common_fail(err, ROSTER_EINVAL,
                           "the theory's budget of samples per expert is %g: give a number of samples", A);
    *samples = (uint64_t)ceil(A);
    return ROSTER_OK;
}

int load_estimate(const roster_study *s, roster_experts **out, roster_error *err)
{
    roster_estimates *counts;
    uint64_t samples = 0;
    roster_rng rng;
    *out = NULL;
    int code = budget(s, &samples, err);
    if (code == ROSTER_OK)
        code = roster_estimates_create(&counts, roster_experts_count(s->experts), roster_experts_contexts(s->experts),
                                       roster_experts_actions(s->experts), NULL, err);
    if (code != ROSTER_OK)
        return code;
    roster_rng_init(&rng, s->seed, 0, ROSTER_ROLE_ESTIMATES);
    code = roster_estimates_draw(counts, s->experts, s->prior, samples, &rng, err);
    if (code == ROSTER_OK)
        code = roster_estimates_experts(counts, out, err);
    roster_estimates_free(counts);
    return code;
}
