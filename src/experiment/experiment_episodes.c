/*
 * experiment_episodes.c: where contexts come from and what actions earn, episode by episode.
 *
 *   contexts   as given; uniform where left out; {"random": {"floor": f}}: f + (1 - X f) Dirichlet(1)
 *   rewards    "reward_means": Bernoulli, as given, or {"random": {}}: means uniform on [0, 1], or {"softmax": ..}: by
 *              a model over features (experiment_softmax.c)
 *              "rewards": per context and action a list of values, all equally likely (a file is put in before)
 *
 *   declared   what agents are told of the contexts, where that is not the truth; reward_factors: by expert
 *
 * What is random in episode e = 0, 1, ... (an entry with "repeat": n is n of them) is drawn from the stream (seed, run
 * 0, ROSTER_ROLE_INSTANCE + ROSTER_ROLES (e + 1)), contexts first,
 * what is declared last.
 *
 * Cost: one world per episode, N X V numbers each.
 * Check: tests/unit/test_experiment.c: episodes_as_written, same_seed_same_instance.
 */
#include "experiment_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An object with the one key "random", whose object has the known keys. */
static int check_random(const common_node *at, const char *const *known, roster_error *err)
{
    static const char *const only[] = {"random", NULL};
    common_node random = common_key(at, "random");
    int code = common_keys(at, only, err);
    if (code == ROSTER_OK)
        code = common_object(&random, err);
    return code == ROSTER_OK ? common_keys(&random, known, err) : code;
}

static int read_probabilities(experiment_build *self, const common_node *episode, const char *key, roster_rng *rng,
                              double *p)
{
    static const char *const known[] = {"floor", NULL};
    common_node at = common_key(episode, key);
    common_node random = common_key(&at, "random");
    double floor;
    int code = ROSTER_OK;
    if (json_is_object(at.json)) {
        code = check_random(&at, known, self->err);
        if (code == ROSTER_OK)
            code = experiment_floor(self, &random, self->contexts, &floor);
        if (code == ROSTER_OK)
            roster_rng_dirichlet(rng, self->contexts, 1, floor, p);
        return code;
    }
    if (at.json != NULL)
        code = common_list_of(&at, self->contexts, "context", self->err);
    for (size_t x = 0; code == ROSTER_OK && x < self->contexts; x++) {
        common_node number = common_item(&at, x);
        p[x] = 1 / (double)self->contexts;
        code = at.json != NULL ? common_number(&number, &p[x], self->err) : ROSTER_OK;
    }
    return code;
}

/* Experts from "gaps" come with their rewards. */
static int read_means(experiment_build *self, const common_node *episode, const roster_experts *experts,
                      roster_rng *rng, double *means)
{
    static const char *const known[] = {NULL}, *const only[] = {"softmax", NULL};
    common_node at = common_key(episode, "reward_means"), model = common_key(&at, "softmax");
    size_t cells = self->contexts * self->actions;
    if (at.json == NULL && self->gaps) {
        means[0] = 1;
        means[1] = 0;
        return ROSTER_OK;
    }
    if (!json_is_object(at.json))
        return common_matrix(&at, self->contexts, self->actions, means, self->err);
    if (model.json != NULL) {
        int wrong = common_keys(&at, only, self->err);
        return wrong == ROSTER_OK ? experiment_softmax_means(self, &model, experts, rng, means) : wrong;
    }
    int code = check_random(&at, known, self->err);
    for (size_t i = 0; code == ROSTER_OK && i < cells; i++)
        means[i] = roster_rng_uniform(rng);
    return code;
}

static int world_of_means(experiment_build *self, const common_node *episode, const roster_experts *experts,
                          const double *p, roster_rng *rng, roster_world **out)
{
    roster_error wrong;
    double *means = calloc(self->contexts * self->actions, sizeof *means);
    if (means == NULL)
        return common_fail_memory(self->err);
    int code = read_means(self, episode, experts, rng, means);
    if (code == ROSTER_OK && roster_world_create(out, experts, p, means, &wrong) != ROSTER_OK)
        code = common_fail_inside(episode, ".", &wrong, self->err);
    free(means);
    return code;
}

/* How many values "rewards" has, and that its shape is right. */
static int count_rewards(experiment_build *self, const common_node *at, size_t *n)
{
    *n = 0;
    int code = common_list_of(at, self->contexts, "context", self->err);
    for (size_t x = 0; code == ROSTER_OK && x < self->contexts; x++) {
        common_node row = common_item(at, x);
        code = common_list_of(&row, self->actions, "action", self->err);
        for (size_t v = 0; code == ROSTER_OK && v < self->actions; v++) {
            common_node cell = common_item(&row, v);
            size_t more = 0;
            code = common_list(&cell, &more, self->err);
            *n += more;
        }
    }
    return code == ROSTER_OK ? experiment_claim(self, at, *n, 1, 1) : code;
}

static int fill_rewards(experiment_build *self, const common_node *at, double *values, roster_list *lists)
{
    int code = ROSTER_OK;
    for (size_t cell = 0; code == ROSTER_OK && cell < self->contexts * self->actions; cell++) {
        common_node row = common_item(at, cell / self->actions);
        common_node list = common_item(&row, cell % self->actions);
        lists[cell] = (roster_list){values, json_array_size(list.json)};
        for (size_t i = 0; code == ROSTER_OK && i < lists[cell].n; i++) {
            common_node value = common_item(&list, i);
            code = common_number_in(&value, 0, 1, values++, self->err);
        }
    }
    return code;
}

int experiment_rewards_read(experiment_build *self, const common_node *at, experiment_rewards *out)
{
    size_t n;
    *out = (experiment_rewards){NULL, NULL};
    int code = count_rewards(self, at, &n);
    if (code != ROSTER_OK)
        return code;
    out->values = calloc(n, sizeof *out->values);
    out->lists = calloc(self->contexts * self->actions, sizeof *out->lists);
    if (out->values == NULL || out->lists == NULL)
        return common_fail_memory(self->err);
    return fill_rewards(self, at, out->values, out->lists);
}

void experiment_rewards_free(experiment_rewards *self)
{
    free(self->lists);
    free(self->values);
}

static int world_of_lists(experiment_build *self, const common_node *episode, const roster_experts *experts,
                          const double *p, roster_world **out)
{
    common_node at = common_key(episode, "rewards");
    experiment_rewards rewards;
    roster_error wrong;
    int code = experiment_rewards_read(self, &at, &rewards);
    if (code == ROSTER_OK && roster_world_create_lists(out, experts, p, rewards.lists, &wrong) != ROSTER_OK)
        code = common_fail_inside(episode, ".", &wrong, self->err);
    experiment_rewards_free(&rewards);
    return code;
}

static int read_rounds(experiment_build *self, const common_node *episode, roster_episode *out)
{
    common_node rounds = common_key(episode, "rounds"), least = common_key(episode, "min_rounds");
    int code = common_count(&rounds, 1, EXPERIMENT_ROUNDS_MOST, &out->rounds, self->err);
    if (code == ROSTER_OK && least.json != NULL)
        code = common_count(&least, 1, out->rounds, &out->min_rounds, self->err);
    if (code == ROSTER_OK && self->rounds > 0)
        *out = (roster_episode){.rounds = self->rounds};
    return code;
}

/* What agents are told: the truth where left out, "none" for nothing, else as context_probabilities are given. */
static int read_declared(experiment_build *self, const common_node *episode, roster_rng *rng, roster_episode *out)
{
    common_node at = common_key(episode, "declared");
    const char *word = json_string_value(at.json);
    if (at.json == NULL)
        return ROSTER_OK;
    if (word != NULL && strcmp(word, "none") != 0)
        return common_fail_at(&at, self->err, "is \"%.40s\", must be probabilities or \"none\"", word);
    out->declaration = word != NULL ? ROSTER_DECLARE_NONE : ROSTER_DECLARE_OTHER;
    if (word != NULL)
        return ROSTER_OK;
    double *p = common_arena_take(self->store, self->contexts, sizeof *p), sum = 0;
    if (p == NULL)
        return common_fail_memory(self->err);
    out->declared = p;
    int code = read_probabilities(self, episode, "declared", rng, p);
    for (size_t x = 0; code == ROSTER_OK && x < self->contexts; x++) {
        sum += p[x];
        if (!(p[x] >= 0 && p[x] <= 1))
            code = common_fail_at(&at, self->err, "has %g, must hold probabilities", p[x]);
    }
    if (code == ROSTER_OK && !(fabs(sum - 1) <= 1e-9))
        code = common_fail_at(&at, self->err, "sums to %.10g, must be 1", sum);
    return code;
}

/* What is earned where an expert acts is multiplied by its factor. */
static int read_factors(experiment_build *self, const common_node *episode, roster_world *world, size_t n)
{
    common_node at = common_key(episode, "reward_factors");
    roster_error wrong;
    if (at.json == NULL)
        return ROSTER_OK;
    double *factors = common_arena_take(self->store, n, sizeof *factors);
    int code = factors != NULL ? common_list_of(&at, n, "expert", self->err) : common_fail_memory(self->err);
    for (size_t k = 0; code == ROSTER_OK && k < n; k++) {
        common_node number = common_item(&at, k);
        code = common_number_in(&number, 0, 1, &factors[k], self->err);
    }
    if (code == ROSTER_OK && roster_world_set_factors(world, factors, &wrong) != ROSTER_OK)
        code = common_fail_inside(&at, ": ", &wrong, self->err);
    return code;
}

/* One world; `e` counts repeated ones. */
static int read_world(experiment_build *self, const common_node *episode, size_t e, experiment_case *out)
{
    bool lists = json_object_get(episode->json, "rewards") != NULL;
    roster_world *world = NULL;
    roster_rng rng;
    roster_rng_init(&rng, self->seed, 0, ROSTER_ROLE_INSTANCE + ROSTER_ROLES * ((uint64_t)e + 1));
    double *p = common_arena_take(self->store, self->contexts, sizeof *p);
    if (p == NULL)
        return common_fail_memory(self->err);
    out->probabilities[e] = p;
    int code = read_probabilities(self, episode, "context_probabilities", &rng, p);
    if (code == ROSTER_OK)
        code = lists ? world_of_lists(self, episode, out->experts, p, &world)
                     : world_of_means(self, episode, out->experts, p, &rng, &world);
    out->episodes[e].world = world;
    if (code == ROSTER_OK)
        code = read_factors(self, episode, world, roster_experts_count(out->experts));
    return code == ROSTER_OK ? read_declared(self, episode, &rng, &out->episodes[e]) : code;
}

static int check_entry(experiment_build *self, const common_node *episode, uint64_t *repeat)
{
    static const char *const known[] = {"rounds",         "min_rounds", "context_probabilities",
                                        "reward_means",   "rewards",    "declared",
                                        "reward_factors", "repeat",     NULL};
    common_node node = common_key(episode, "repeat");
    *repeat = 1;
    int code = common_object(episode, self->err);
    if (code == ROSTER_OK)
        code = common_keys(episode, known, self->err);
    if (code == ROSTER_OK && json_object_get(episode->json, "rewards") != NULL &&
        json_object_get(episode->json, "reward_means") != NULL)
        code = common_fail_at(episode, self->err, "has both 'rewards' and 'reward_means', must have one of them");
    if (code == ROSTER_OK && node.json != NULL)
        code = common_count(&node, 1, EXPERIMENT_EPISODES_MOST, repeat, self->err);
    return code;
}

/* How many episodes all entries make. */
static int count_episodes(experiment_build *self, const common_node *list, size_t n, size_t *episodes)
{
    int code = ROSTER_OK;
    *episodes = 0;
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node entry = common_item(list, i);
        uint64_t repeat;
        code = check_entry(self, &entry, &repeat);
        *episodes += (size_t)repeat;
        if (code == ROSTER_OK && *episodes > EXPERIMENT_EPISODES_MOST)
            code = common_fail_at(list, self->err, "are more than %d", EXPERIMENT_EPISODES_MOST);
    }
    return code;
}

static int read_entry(experiment_build *self, const common_node *entry, size_t first, size_t repeat,
                      experiment_case *out)
{
    roster_episode rounds = {0};
    int code = read_rounds(self, entry, &rounds);
    for (size_t e = first; code == ROSTER_OK && e < first + repeat; e++) {
        out->episodes[e] = rounds;
        code = read_world(self, entry, e, out);
    }
    return code;
}

int experiment_episodes(experiment_build *self, const common_node *root, experiment_case *out)
{
    common_node list = common_key(root, "episodes");
    size_t n, total, table = roster_experts_count(out->experts) * self->contexts * self->actions;
    int code = common_list(&list, &n, self->err);
    if (code == ROSTER_OK)
        code = count_episodes(self, &list, n, &total);
    if (code == ROSTER_OK)
        code = experiment_claim(self, &list, total, table, 1);
    if (code != ROSTER_OK)
        return code;
    out->episodes = common_arena_take(self->store, total, sizeof *out->episodes);
    out->probabilities = common_arena_take(self->store, total, sizeof *out->probabilities);
    if (out->episodes == NULL || out->probabilities == NULL)
        return common_fail_memory(self->err);
    out->n_episodes = total;
    for (size_t i = 0, e = 0; code == ROSTER_OK && i < n; i++) {
        common_node entry = common_item(&list, i);
        json_t *repeat = json_object_get(entry.json, "repeat");
        size_t times = repeat != NULL ? (size_t)json_number_value(repeat) : 1;
        code = read_entry(self, &entry, e, times, out);
        e += times;
    }
    return code;
}
