/*
 * experiment_softmax.c: experts that are models over features, and a nature that is one, both drawn at random.
 *
 *   "experts": {"softmax": {"count": N, "features": d, "spread": s, "floor": f}}
 *       X contexts of d features, uniform on [-1, 1], and N models whose weights are uniform on [-s, s]:
 *       pi_k(v given f) = floor + (1 - V floor) softmax_v(w_kv . f)
 *   "reward_means": {"softmax": {"spread": s}}
 *       one more model of that form says how likely each action is the one that is wanted: its mean reward
 *
 * A context is one of the X feature vectors, but agents are told the features alone. Experts are drawn from the stream
 * (seed, run 0, ROSTER_ROLE_INSTANCE), features first; nature from that of its episode.
 *
 * Cost: N X V numbers.
 * Check: the same seed gives the same models, bit for bit (tests/unit/test_experiment_softmax.c: softmax_worlds).
 */
#include "experiment_internal.h"

#include <stdlib.h>

enum { FEATURES_MOST = 1000 };

static void draw(roster_rng *rng, size_t n, double spread, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = spread * (2 * roster_rng_uniform(rng) - 1);
}

static int read_spread(experiment_build *self, const common_node *at, double *spread)
{
    common_node node = common_key(at, "spread");
    return common_number_in(&node, 0, 1000, spread, self->err);
}

static int make(experiment_build *self, const common_node *at, const roster_softmax *model, roster_experts **out)
{
    roster_error wrong;
    int code = roster_experts_softmax(out, model, &wrong);
    if (code == ROSTER_ENOMEM)
        return common_fail_memory(self->err);
    return code == ROSTER_OK ? code : common_fail_file(at, self->err, "%s", wrong.msg);
}

/* Sample and weights in one block. */
static int draw_experts(experiment_build *self, const common_node *at, size_t n, size_t d, double spread, double floor,
                        roster_experts **out)
{
    size_t sample = self->contexts * d, weights = n * self->actions * d;
    double *block = calloc(sample + weights, sizeof *block);
    roster_rng rng;
    if (block == NULL)
        return common_fail_memory(self->err);
    roster_rng_init(&rng, self->seed, 0, ROSTER_ROLE_INSTANCE);
    draw(&rng, sample, 1, block);
    draw(&rng, weights, spread, block + sample);
    const roster_softmax model = {.experts = n,
                                  .actions = self->actions,
                                  .features = d,
                                  .weights = block + sample,
                                  .floor = floor,
                                  .sample = block,
                                  .samples = self->contexts};
    int code = make(self, at, &model, out);
    free(block);
    return code;
}

int experiment_softmax_experts(experiment_build *self, const common_node *at, roster_experts **out)
{
    static const char *const known[] = {"count", "features", "spread", "floor", NULL};
    common_node features = common_key(at, "features");
    uint64_t d = 0;
    double spread, floor;
    size_t n;
    int code = common_object(at, self->err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, self->err);
    if (code == ROSTER_OK)
        code = common_count(&features, 1, FEATURES_MOST, &d, self->err);
    if (code == ROSTER_OK)
        code = read_spread(self, at, &spread);
    if (code == ROSTER_OK)
        code = experiment_floor(self, at, self->actions, &floor);
    if (code == ROSTER_OK)
        code = experiment_count_experts(self, at, 1, &n);
    if (code == ROSTER_OK)
        code = experiment_claim(self, &features, (size_t)d, self->contexts + n * self->actions, 1);
    return code == ROSTER_OK ? draw_experts(self, at, n, (size_t)d, spread, floor, out) : code;
}

int experiment_softmax_means(experiment_build *self, const common_node *at, const roster_experts *experts,
                             roster_rng *rng, double *means)
{
    static const char *const known[] = {"spread", NULL};
    size_t d = roster_experts_features(experts);
    double spread;
    int code = common_object(at, self->err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, self->err);
    if (code == ROSTER_OK)
        code = read_spread(self, at, &spread);
    if (code == ROSTER_OK && d == 0)
        code = common_fail_at(at, self->err, "needs features: experts from \"softmax\"");
    if (code != ROSTER_OK)
        return code;
    roster_experts *nature = NULL;
    double *weights = calloc(self->actions * d, sizeof *weights);
    if (weights == NULL)
        return common_fail_memory(self->err);
    draw(rng, self->actions * d, spread, weights);
    const roster_softmax model = {.experts = 1,
                                  .actions = self->actions,
                                  .features = d,
                                  .weights = weights,
                                  .sample = roster_experts_reference(experts, 0),
                                  .samples = self->contexts};
    code = make(self, at, &model, &nature);
    for (size_t cell = 0; code == ROSTER_OK && cell < self->contexts * self->actions; cell++)
        means[cell] = roster_experts_probability(nature, 0, cell / self->actions, cell % self->actions);
    roster_experts_free(nature);
    free(weights);
    return code;
}
