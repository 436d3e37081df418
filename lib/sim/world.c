/*
 * world.c: one episode's nature: which context comes, what the chosen expert does, what it earns.
 *
 * Paper: Section 2 (value).
 *
 *   x ~ p,  v ~ pi_k(. | x),  y ~ Bernoulli(q(x, v)), or one of a list whose mean is q(x, v)
 *   mu_k = sum_x p(x) sum_v pi_k(v | x) q(x, v)
 *
 * Round t is block t of a counter-based stream: its first word draws the context, its second the action, its third the
 * reward. The draw is by inversion, so two experts that act alike do alike on the same round.
 *
 * Where the experts are no tables their reference contexts are the world: x is one of them, and the event carries its
 * features, or every expert's probability of the action.
 *
 * A guide tells for slices of [0, 1) where to look, so that inversion hardly ever has to search.
 *
 * Cost: a few operations per round; N X V numbers and guides.
 * Check: SPEC's toy world has mu = 0.74, 0.26 (tests/unit/test_world.c: world_values).
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { GUIDES_MOST = 1 << 23 }; /* entries of all guides of a world: 32 MiB */

/* Running sums; from the last outcome that can happen on, above any uniform number. */
static void accumulate(const double *p, size_t stride, size_t n, double *cdf)
{
    size_t last = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += p[i * stride];
        cdf[i] = sum;
        last = p[i * stride] > 0 ? i : last;
    }
    for (size_t i = last; i < n; i++)
        cdf[i] = 2;
}

/* at[g]: the first outcome that a u of slice g = [g, g + 1) / guide can come to. */
static void make_guide(const double *cdf, size_t guide, uint32_t *at)
{
    uint32_t i = 0;
    for (size_t g = 0; g <= guide; g++) {
        while (g < guide && (double)g / (double)guide >= cdf[i])
            i++;
        at[g] = i;
    }
    /* The last slice ends where the last outcome is: below 1, not at it. */
    while (cdf[i] < 1)
        i++;
    at[guide] = i;
}

/* As many slices as there are outcomes, times eight, but no more than memory allows. */
static size_t choose_guide(const roster_experts *e)
{
    size_t guide = 1, outcomes = e->x > e->v ? e->x : e->v;
    while (guide < 8 * outcomes && guide * 2 <= GUIDES_MOST / e->n / e->x)
        guide *= 2;
    return guide;
}

static void fill_values(roster_world *w)
{
    const roster_experts *e = w->experts;
    memset(w->values, 0, e->n * sizeof *w->values);
    for (size_t cell = 0; cell < e->x * e->v; cell++)
        for (size_t k = 0; k < e->n; k++)
            w->values[k] += w->p[cell / e->v] * e->pi[cell * e->n + k] * w->means[cell];
    for (size_t k = 0; k < e->n; k++)
        w->values[k] = w->values[k] < 1 ? w->values[k] : 1; /* rows may sum to 1 + 1e-9 */
    for (size_t k = 0; k < e->n && w->factors != NULL; k++)
        w->values[k] *= w->factors[k];
}

static void fill_cdfs(roster_world *w)
{
    const roster_experts *e = w->experts;
    accumulate(w->p, 1, e->x, w->context_cdf);
    for (size_t k = 0; k < e->n; k++)
        for (size_t x = 0; x < e->x; x++) {
            size_t row = k * e->x + x;
            accumulate(roster_experts_across(e, x, 0) + k, e->n, e->v, w->action_cdf + row * e->v);
            make_guide(w->action_cdf + row * e->v, w->guide, w->action_guide + row * (w->guide + 1));
        }
    make_guide(w->context_cdf, w->guide, w->context_guide);
}

static int check_means(const double *means, size_t x, size_t v, roster_error *err)
{
    if (means == NULL)
        return roster_fail(err, ROSTER_EINVAL, "the world has no reward means");
    for (size_t i = 0; i < x * v; i++)
        if (!(means[i] >= 0 && means[i] <= 1))
            return roster_fail(err, ROSTER_EINVAL, "reward_means[%zu][%zu] is %g, must be in [0, 1]", i / v, i % v,
                               means[i]);
    return ROSTER_OK;
}

static int take(roster_world *w, const double *p, const double *means)
{
    const roster_experts *e = w->experts;
    w->p = roster_alloc(e->x, sizeof *w->p);
    w->means = roster_copy(means, e->x * e->v, sizeof *w->means);
    w->context_cdf = roster_alloc(e->x, sizeof *w->context_cdf);
    w->action_cdf = roster_alloc(roster_times(e->n, roster_times(e->x, e->v)), sizeof *w->action_cdf);
    w->values = roster_alloc(e->n, sizeof *w->values);
    w->guide = choose_guide(e);
    w->context_guide = roster_alloc(roster_plus(w->guide, 1), sizeof *w->context_guide);
    w->action_guide = roster_alloc(roster_times(roster_times(e->n, e->x), w->guide + 1), sizeof *w->action_guide);
    if (w->context_guide == NULL || w->action_guide == NULL || w->p == NULL || w->means == NULL ||
        w->context_cdf == NULL || w->action_cdf == NULL || w->values == NULL)
        return ROSTER_ENOMEM;
    for (size_t x = 0; x < e->x; x++)
        w->p[x] = p != NULL ? p[x] : 1 / (double)e->x;
    fill_values(w);
    fill_cdfs(w);
    return ROSTER_OK;
}

static int check_experts(const roster_experts *experts, const double *p, roster_error *err)
{
    if (experts == NULL || experts->x == 0)
        return roster_fail(err, ROSTER_EINVAL, "a world needs experts that are known on at least one context");
    int code = roster_experts_check_rows(experts, "", err);
    if (code == ROSTER_OK && p != NULL)
        code = roster_check_distribution(p, experts->x, "context_probabilities", err);
    return code;
}

int roster_world_create(roster_world **out, const roster_experts *experts, const double *p, const double *means,
                        roster_error *err)
{
    *out = NULL;
    int code = check_experts(experts, p, err);
    if (code == ROSTER_OK)
        code = check_means(means, experts->x, experts->v, err);
    if (code != ROSTER_OK)
        return code;
    roster_world *w = roster_alloc(1, sizeof *w);
    if (w == NULL)
        return roster_fail_memory(err);
    w->experts = experts;
    if (take(w, p, means) != ROSTER_OK) {
        roster_world_free(w);
        return roster_fail_memory(err);
    }
    *out = w;
    return ROSTER_OK;
}

/* Every list's length and values; their total into *total. */
static int check_lists(const roster_list *lists, size_t x, size_t v, size_t *total, roster_error *err)
{
    *total = 0;
    if (lists == NULL)
        return roster_fail(err, ROSTER_EINVAL, "the world has no rewards");
    for (size_t cell = 0; cell < x * v; cell++) {
        const roster_list *list = &lists[cell];
        if (list->n == 0 || list->values == NULL)
            return roster_fail(err, ROSTER_EINVAL, "rewards[%zu][%zu] is empty, must hold at least one value", cell / v,
                               cell % v);
        for (size_t i = 0; i < list->n; i++)
            if (!(list->values[i] >= 0 && list->values[i] <= 1))
                return roster_fail(err, ROSTER_EINVAL, "rewards[%zu][%zu][%zu] is %g, must be in [0, 1]", cell / v,
                                   cell % v, i, list->values[i]);
        *total = roster_plus(*total, list->n);
    }
    return ROSTER_OK;
}

static double mean_of(const roster_list *list)
{
    double sum = 0, lo = 0;
    for (size_t i = 0; i < list->n; i++)
        roster_add(&sum, &lo, list->values[i]);
    return (sum + lo) / (double)list->n;
}

/* The lists one behind the other, and their means. */
static int take_lists(const roster_list *lists, size_t cells, size_t total, size_t **start, double **rewards,
                      double **means)
{
    *start = roster_alloc(roster_plus(cells, 1), sizeof **start);
    *rewards = roster_alloc(total, sizeof **rewards);
    *means = roster_alloc(cells, sizeof **means);
    if (*start == NULL || *rewards == NULL || *means == NULL)
        return ROSTER_ENOMEM;
    for (size_t cell = 0; cell < cells; cell++) {
        (*start)[cell + 1] = (*start)[cell] + lists[cell].n;
        memcpy(*rewards + (*start)[cell], lists[cell].values, lists[cell].n * sizeof **rewards);
        (*means)[cell] = mean_of(&lists[cell]);
    }
    return ROSTER_OK;
}

int roster_world_create_lists(roster_world **out, const roster_experts *experts, const double *p,
                              const roster_list *lists, roster_error *err)
{
    size_t total, *start = NULL;
    double *rewards = NULL, *means = NULL;
    *out = NULL;
    int code = check_experts(experts, p, err);
    if (code == ROSTER_OK)
        code = check_lists(lists, experts->x, experts->v, &total, err);
    if (code != ROSTER_OK)
        return code;
    if (take_lists(lists, experts->x * experts->v, total, &start, &rewards, &means) != ROSTER_OK)
        code = roster_fail_memory(err);
    else
        code = roster_world_create(out, experts, p, means, err);
    free(means);
    if (code != ROSTER_OK) {
        free(start);
        free(rewards);
        return code;
    }
    (*out)->start = start;
    (*out)->rewards = rewards;
    return ROSTER_OK;
}

void roster_world_free(roster_world *w)
{
    if (w == NULL)
        return;
    free(w->p);
    free(w->means);
    free(w->start);
    free(w->rewards);
    free(w->context_cdf);
    free(w->action_cdf);
    free(w->context_guide);
    free(w->action_guide);
    free(w->values);
    free(w->factors);
    free(w);
}

int roster_world_set_factors(roster_world *w, const double *factors, roster_error *err)
{
    size_t n = w->experts->n;
    if (factors == NULL)
        return roster_fail(err, ROSTER_EINVAL, "factors are missing: one for each expert");
    for (size_t k = 0; k < n; k++)
        if (!(factors[k] >= 0 && factors[k] <= 1))
            return roster_fail(err, ROSTER_EINVAL, "factors[%zu] is %g, must be in [0, 1]", k, factors[k]);
    double *copy = roster_copy(factors, n, sizeof *copy);
    if (copy == NULL)
        return roster_fail_memory(err);
    free(w->factors);
    w->factors = copy;
    fill_values(w);
    return ROSTER_OK;
}

void roster_world_values(const roster_world *w, double *mu)
{
    for (size_t k = 0; k < w->experts->n; k++)
        mu[k] = w->values[k];
}

double roster_world_reward(const roster_world *w, size_t x, size_t v, roster_list *list)
{
    size_t cell = x * w->experts->v + v;
    bool there = x < w->experts->x && v < w->experts->v;
    if (list != NULL)
        *list = (roster_list){NULL, 0};
    if (!there)
        return 0;
    if (list != NULL && w->start != NULL)
        *list = (roster_list){w->rewards + w->start[cell], w->start[cell + 1] - w->start[cell]};
    return w->means[cell];
}

void roster_world_round(const roster_world *w, const roster_rng *stream, uint64_t t, size_t k, roster_event *event)
{
    const roster_experts *e = w->experts;
    uint64_t words[4];
    *event = (roster_event){.expert = k};
    if (k >= e->n)
        return;
    roster_rng_block(stream, t, words);
    size_t cell = roster_world_cell(w, k, words), x = cell / e->v, v = cell % e->v;
    *event = (roster_event){.expert = k,
                            .context = x,
                            .action = v,
                            .reward = roster_world_earn(w, k, cell, roster_unit(words[2])),
                            .propensity = roster_experts_across(e, x, v)[k],
                            .features = roster_experts_reference(e, x),
                            .probabilities = e->kind == ROSTER_EXTERNAL ? roster_experts_across(e, x, v) : NULL};
}
