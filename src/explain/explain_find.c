/*
 * explain_find.c: values, gaps, divergences and likenesses of an instance.
 *
 *   D_k = mu* - mu_k;  M_ij as in the paper, with the context probabilities of each episode
 *   i and j are practically the same where M_ij and M_ji are below 1.001 in every episode, all actions counted
 *
 * The divergences shown are those the file's agents use: with support "shared" the actions that j never takes are left
 * out of M_ij. One matrix serves all episodes in turn; it is kept only where it is small enough to be shown.
 *
 * Cost: N^2 X V exponentials per episode, 9 N^2 bytes.
 * Check: SPEC's toy has M'_01 = 3.779, M'_10 = 7.777, values 0.74 and 0.26 (tests/cli/explain.t).
 */
#include "explain_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double explain_quantile[EXPLAIN_QUANTILES] = {0, 0.25, 0.5, 0.75, 0.95, 1};

static void find_floor(explanation *self)
{
    const roster_experts *experts = self->chosen->experts;
    self->floor = INFINITY;
    for (size_t k = 0; k < self->n; k++)
        for (size_t x = 0; x < self->x; x++)
            for (size_t v = 0; v < self->v; v++) {
                double p = roster_experts_probability(experts, k, x, v);
                if (p >= self->floor)
                    continue;
                self->floor = p;
                self->floor_k = k;
                self->floor_x = x;
                self->floor_v = v;
            }
}

/* The first agent that says so decides: all of a file's agents meet the same experts. */
static bool uses_shared_support(const explanation *self)
{
    for (size_t i = 0; i < self->file->n_agents; i++)
        for (const roster_setting *s = self->chosen->agents[i].settings; s != NULL && s->name != NULL; s++)
            if (strcmp(s->name, "support") == 0)
                return s->word != NULL && strcmp(s->word, "shared") == 0;
    return false;
}

static void find_gaps(explain_episode *episode, size_t n)
{
    double widest = 0, T = (double)episode->rounds;
    for (size_t k = 0; k < n; k++)
        episode->best = episode->values[k] > episode->values[episode->best] ? k : episode->best;
    episode->smallest_gap = INFINITY;
    for (size_t k = 0; k < n; k++) {
        double gap = episode->values[episode->best] - episode->values[k];
        episode->gaps[k] = gap;
        widest = fmax(widest, gap);
        if (gap <= COMMON_ZERO_GAP)
            episode->ties += k != episode->best;
        else
            episode->smallest_gap = fmin(episode->smallest_gap, gap);
    }
    episode->most = T * widest;
}

/* Row i, column j of m is M_ij; `column` is scratch. */
static void fill_matrix(const explanation *self, const double *p, bool shared, double *column, double *m)
{
    for (size_t j = 0; j < self->n; j++) {
        roster_divergence_column(self->chosen->experts, p, shared, j, column);
        for (size_t i = 0; i < self->n; i++)
            m[i * self->n + j] = column[i];
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Leaves m sorted. The N ones of the diagonal are the smallest and are passed over. */
static void find_quantiles(explain_episode *episode, size_t n, double *m)
{
    size_t count = n * n - n;
    qsort(m, n * n, sizeof *m, ascending);
    for (size_t q = 0; q < EXPLAIN_QUANTILES; q++)
        episode->quantiles[q] = count > 0 ? m[n + (size_t)(explain_quantile[q] * (double)(count - 1))] : 1;
}

static int keep_matrix(explain_episode *episode, size_t n, double *m, roster_error *err)
{
    episode->largest = 1;
    for (size_t i = 0; i < n * n; i++)
        if (m[i] > episode->largest) {
            episode->largest = m[i];
            episode->largest_i = i / n;
            episode->largest_j = i % n;
        }
    if (n <= EXPLAIN_SHOWN) {
        episode->m = calloc(n * n, sizeof *m);
        if (episode->m == NULL)
            return common_fail_memory(err);
        memcpy(episode->m, m, n * n * sizeof *m);
    }
    find_quantiles(episode, n, m);
    return ROSTER_OK;
}

static int find_episode(explanation *self, size_t e, roster_error *err)
{
    explain_episode *episode = &self->episodes[e];
    const roster_episode *given = &self->chosen->episodes[e];
    episode->rounds = given->rounds;
    episode->min_rounds = given->min_rounds;
    episode->p = self->chosen->probabilities[e];
    episode->values = calloc(self->n, sizeof *episode->values);
    episode->gaps = calloc(self->n, sizeof *episode->gaps);
    if (episode->values == NULL || episode->gaps == NULL)
        return common_fail_memory(err);
    roster_world_values(given->world, episode->values);
    find_gaps(episode, self->n);
    return ROSTER_OK;
}

/* Pairs (i, j) with i < j that are near in both directions. */
static void list_same(explanation *self, const bool *apart)
{
    size_t n = self->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if (apart[i * n + j] || apart[j * n + i])
                continue;
            if (self->n_same < EXPLAIN_SHOWN) {
                self->same[self->n_same][0] = i;
                self->same[self->n_same][1] = j;
            }
            self->n_same++;
        }
}

static int compare_experts(explanation *self, double *m, double *column, bool *apart, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t e = 0; e < self->chosen->n_episodes && code == ROSTER_OK; e++) {
        explain_episode *episode = &self->episodes[e];
        fill_matrix(self, episode->p, false, column, m);
        for (size_t i = 0; i < self->n * self->n; i++)
            apart[i] |= !(m[i] < EXPLAIN_SAME);
        if (self->shared)
            fill_matrix(self, episode->p, true, column, m);
        code = keep_matrix(episode, self->n, m, err);
    }
    list_same(self, apart);
    return code;
}

static int find_divergences(explanation *self, roster_error *err)
{
    double *m = calloc(self->n * self->n, sizeof *m);
    double *column = calloc(self->n, sizeof *column);
    bool *apart = calloc(self->n * self->n, sizeof *apart);
    self->same = calloc(EXPLAIN_SHOWN, sizeof *self->same);
    bool fits = m != NULL && column != NULL && apart != NULL && self->same != NULL;
    int code = fits ? compare_experts(self, m, column, apart, err) : common_fail_memory(err);
    free(m);
    free(column);
    free(apart);
    return code;
}

int explain_find(explanation *self, const experiment *file, const experiment_case *chosen, const explain_wishes *wishes,
                 roster_error *err)
{
    *self = (explanation){.file = file, .chosen = chosen};
    self->n = roster_experts_count(chosen->experts);
    self->x = roster_experts_contexts(chosen->experts);
    self->v = roster_experts_actions(chosen->experts);
    if (self->n > EXPLAIN_MOST)
        return common_fail(err, ROSTER_EINVAL,
                           "%zu experts are too many to compare each with every other: at most %d can be explained",
                           self->n, EXPLAIN_MOST);
    self->shared = uses_shared_support(self);
    find_floor(self);
    self->episodes = calloc(chosen->n_episodes, sizeof *self->episodes);
    int code = self->episodes != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t e = 0; e < chosen->n_episodes && code == ROSTER_OK; e++)
        code = find_episode(self, e, err);
    if (code == ROSTER_OK)
        code = find_divergences(self, err);
    if (code == ROSTER_OK)
        explain_price(self);
    if (code == ROSTER_OK)
        code = explain_theory(self, err);
    return code == ROSTER_OK ? explain_simulate(self, wishes, err) : code;
}

static void free_episode(explain_episode *episode)
{
    for (size_t b = 0; b < episode->n_bounds; b++)
        free(episode->bounds[b].times.tau);
    free(episode->bounds);
    free(episode->m);
    free(episode->values);
    free(episode->gaps);
}

static void free_agent(explain_agent *agent)
{
    free(agent->settled);
    free(agent->lost);
}

void explain_free(explanation *self)
{
    for (size_t i = 0; self->agents != NULL && i < self->file->n_agents; i++)
        free_agent(&self->agents[i]);
    free(self->agents);
    for (size_t e = 0; self->episodes != NULL && e < self->chosen->n_episodes; e++)
        free_episode(&self->episodes[e]);
    free(self->episodes);
    free(self->same);
    free(self->learning);
}
