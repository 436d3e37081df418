/*
 * softmax.c: experts that are linear models over a feature vector.
 *
 * Paper: Introduction (logistic experts), Section 6 (infinite context spaces).
 *
 *   s_v = bias[k][v] + sum_f weights[k][v][f] features[f]
 *   pi_k(v | features) = floor + (1 - V floor) exp(s_v - max s) / sum_u exp(s_u - max s)
 *
 * The reference contexts are a sample of feature vectors; on them the models are evaluated once, and from there on
 * these experts are a table like any other. Probabilities too small for a normal number of doubles become 0.
 *
 * Cost: V d per evaluation of one expert.
 * Check: weights 0 and floor 0 give 1/V everywhere (tests/unit/test_experts.c: softmax_values).
 */
#include "expert.h"

#include <float.h>
#include <stdlib.h>

static void scores(const roster_experts *e, size_t k, const double *features, double *s)
{
    const double *w = e->weights + k * e->v * e->d;
    for (size_t v = 0; v < e->v; v++) {
        double sum = e->bias[k * e->v + v];
        for (size_t f = 0; f < e->d; f++)
            sum += w[v * e->d + f] * features[f];
        s[v] = sum;
    }
}

void roster_experts_distribution(const roster_experts *e, size_t k, const double *features, double *pi)
{
    double top = -INFINITY, total = 0;
    scores(e, k, features, pi);
    for (size_t v = 0; v < e->v; v++)
        top = pi[v] > top ? pi[v] : top;
    for (size_t v = 0; v < e->v; v++) {
        pi[v] = roster_exp(pi[v] - top);
        total += pi[v];
    }
    double scale = (1 - (double)e->v * e->floor) / total;
    for (size_t v = 0; v < e->v; v++) {
        double p = e->floor + scale * pi[v];
        pi[v] = p < DBL_MIN ? 0 : p;
    }
}

void roster_experts_across_at(const roster_experts *e, const double *features, size_t action, double *row, double *out)
{
    for (size_t k = 0; k < e->n; k++) {
        roster_experts_distribution(e, k, features, row);
        out[k] = row[action];
    }
}

void roster_experts_all_at(const roster_experts *e, const double *features, double *row, double *out)
{
    for (size_t k = 0; k < e->n; k++) {
        roster_experts_distribution(e, k, features, row);
        for (size_t v = 0; v < e->v; v++)
            out[v * e->n + k] = row[v];
    }
}

static int check_finite(const double *numbers, size_t n, const char *what, roster_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(numbers[i]) <= 1e100))
            return roster_fail(err, ROSTER_EINVAL, "%s[%zu] is %g, must be a number of at most 1e100 in size", what, i,
                               numbers[i]);
    return ROSTER_OK;
}

static int check_model(const roster_softmax *m, roster_error *err)
{
    if (m == NULL || m->features == 0 || m->weights == NULL)
        return roster_fail(err, ROSTER_EINVAL, "softmax experts need features and weights");
    if (m->sample == NULL && m->samples > 0)
        return roster_fail(err, ROSTER_EINVAL, "the sample of %zu contexts is missing", m->samples);
    if (roster_times(m->experts, roster_times(m->actions, m->features)) > SIZE_MAX / sizeof(double) ||
        roster_times(m->samples, m->features) > SIZE_MAX / sizeof(double))
        return roster_fail(err, ROSTER_EINVAL, "%zu experts x %zu actions x %zu features do not fit into memory",
                           m->experts, m->actions, m->features);
    int code = roster_check_shape(m->experts, m->samples > 0 ? m->samples : 1, m->actions, err);
    if (code != ROSTER_OK)
        return code;
    if (!(m->floor >= 0 && m->floor * (double)m->actions <= 1))
        return roster_fail(err, ROSTER_EINVAL, "floor is %g, must be between 0 and 1/%zu", m->floor, m->actions);
    code = check_finite(m->weights, m->experts * m->actions * m->features, "weights", err);
    if (code == ROSTER_OK && m->bias != NULL)
        code = check_finite(m->bias, m->experts * m->actions, "bias", err);
    if (code == ROSTER_OK)
        code = check_finite(m->sample, m->samples * m->features, "sample", err);
    return code;
}

/* Takes copies of the model's numbers and fills the table of reference contexts. */
static int take_model(roster_experts *e, const roster_softmax *m)
{
    e->d = m->features;
    e->floor = m->floor;
    e->weights = roster_copy(m->weights, roster_times(e->n, roster_times(e->v, e->d)), sizeof *e->weights);
    e->bias = m->bias != NULL ? roster_copy(m->bias, roster_times(e->n, e->v), sizeof *e->bias)
                              : roster_alloc(roster_times(e->n, e->v), sizeof *e->bias);
    e->sample = roster_copy(m->sample, roster_times(e->x, e->d), sizeof *e->sample);
    double *row = roster_alloc(e->v, sizeof *row);
    bool fits = e->weights != NULL && e->bias != NULL && e->sample != NULL && row != NULL;
    for (size_t x = 0; fits && x < e->x; x++)
        for (size_t k = 0; k < e->n; k++) {
            roster_experts_distribution(e, k, e->sample + x * e->d, row);
            for (size_t v = 0; v < e->v; v++)
                roster_experts_across(e, x, v)[k] = row[v];
        }
    free(row);
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

int roster_experts_softmax(roster_experts **out, const roster_softmax *model, roster_error *err)
{
    roster_experts *e;
    *out = NULL;
    int code = check_model(model, err);
    if (code != ROSTER_OK)
        return code;
    code = roster_experts_new(&e, ROSTER_SOFTMAX, model->experts, model->samples, model->actions, model->names, err);
    if (code != ROSTER_OK)
        return code;
    if (take_model(e, model) != ROSTER_OK) {
        roster_experts_free(e);
        return roster_fail_memory(err);
    }
    *out = e;
    return ROSTER_OK;
}
