/*
 * explain_price.c: what randomness costs: the floor under every probability, and not taking the likeliest action.
 *
 *   s   = V floor, floor the smallest probability of any action: pi_k = floor + (1 - s) core_k, so that at least the
 *         share s of every expert's decisions is uniformly random
 *   mu_k of core_k = (mu_k - s u) / (1 - s),  u = sum_x p(x) mean_v E[y | x, v]: the value of uniform decisions. The
 *         map is the same for all experts, so the best stays the best.
 *   greedy_k = sum_x p(x) E[y | x, the likeliest action of k in x], the limit of low temperature; of equally likely
 *         actions the first
 *
 * Paper: none. Cost: N X V per episode.
 * Check: the toy's experts have no floor; with one of .1 and three actions 30% is random (tests/cli/explain.t).
 */
#include "explain_internal.h"

#include <math.h>

static const double SHARE_MOST = 0.05;

static double uniform_value(const explanation *self, const roster_world *world, const double *p)
{
    double sum = 0;
    for (size_t x = 0; x < self->x; x++)
        for (size_t v = 0; v < self->v; v++)
            sum += p[x] * roster_world_reward(world, x, v, NULL) / (double)self->v;
    return sum;
}

static double greedy_value(const explanation *self, const roster_world *world, const double *p, size_t k)
{
    const roster_experts *experts = self->chosen->experts;
    double sum = 0;
    for (size_t x = 0; x < self->x; x++) {
        size_t likeliest = 0;
        for (size_t v = 1; v < self->v; v++)
            if (roster_experts_probability(experts, k, x, v) > roster_experts_probability(experts, k, x, likeliest))
                likeliest = v;
        sum += p[x] * roster_world_reward(world, x, likeliest, NULL);
    }
    return sum;
}

void explain_price(explanation *self)
{
    double s = self->floor * (double)self->v;
    for (size_t e = 0; e < self->chosen->n_episodes; e++) {
        explain_episode *episode = &self->episodes[e];
        const roster_world *world = self->chosen->episodes[e].world;
        double u = uniform_value(self, world, episode->p), best = episode->values[episode->best];
        episode->without_floor = s < 1 - COMMON_ZERO_GAP ? (best - s * u) / (1 - s) : best;
        episode->greedy = -1;
        for (size_t k = 0; k < self->n; k++) {
            double value = greedy_value(self, world, episode->p, k);
            if (value > episode->greedy + COMMON_ZERO_GAP) {
                episode->greedy = value;
                episode->greedy_k = k;
            }
        }
    }
}

void explain_price_sentence(const explanation *self, size_t e, char *text, size_t size)
{
    const explain_episode *episode = &self->episodes[e];
    double s = self->floor * (double)self->v, best = episode->values[episode->best];
    size_t used = 0;
    if (s > 0)
        used = (size_t)snprintf(
            text, size,
            "No action is less likely than %.4g, so at least %.3g%% of every expert's decisions are "
            "uniformly random; without that the best would earn %.4g a round in place of %.4g.%s ",
            self->floor, 100 * s, episode->without_floor, best,
            s > SHARE_MOST + COMMON_ZERO_GAP ? " A floor this high is dear, and direct and mixture need none." : "");
    if (used < size)
        snprintf(text + used, size - used,
                 "If all always took their likeliest action, the best would be '%.60s' with %.4g.",
                 roster_experts_name(self->chosen->experts, episode->greedy_k), episode->greedy);
}
