/*
 * python_arrays.c: what roster.h tells number by number, by the array.
 *
 * Paper: none.
 * Cost: one call of the library per number or column.
 */
#include "python.h"

void roster_python_table(const roster_experts *experts, double *pi)
{
    size_t n = roster_experts_count(experts), x = roster_experts_contexts(experts), v = roster_experts_actions(experts);
    for (size_t i = 0; i < n * x * v; i++)
        pi[i] = roster_experts_probability(experts, i / v / x, i / v % x, i % v);
}

void roster_python_distributions(const roster_experts *experts, size_t n, const double *rows, double *pi)
{
    size_t N = roster_experts_count(experts), V = roster_experts_actions(experts), D = roster_experts_features(experts);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < N; k++)
            roster_experts_distribution(experts, k, rows + i * D, pi + (i * N + k) * V);
}

/* Column k of the flat columns[k][i] becomes m[i][k]. */
static void transpose(size_t n, double *m)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double other = m[i * n + k];
            m[i * n + k] = m[k * n + i];
            m[k * n + i] = other;
        }
}

void roster_python_divergence(const roster_experts *experts, const double *p, bool shared, double *m)
{
    size_t n = roster_experts_count(experts);
    for (size_t k = 0; k < n; k++)
        roster_divergence_column(experts, p, shared, k, m + k * n);
    transpose(n, m);
}

void roster_python_divergence_lower(const roster_experts *estimates, const roster_error_bounds *known, double *m)
{
    size_t n = roster_experts_count(estimates);
    for (size_t k = 0; k < n; k++)
        roster_divergence_lower_column(estimates, known, k, m + k * n);
    transpose(n, m);
}

static int check_below(const char *what, size_t i, int64_t number, int64_t end)
{
    if (number >= 0 && number < end)
        return ROSTER_OK;
    return roster_python_fail(ROSTER_EINVAL, "%s[%zu] is %lld, must be from 0 to %lld", what, i, (long long)number,
                              (long long)end - 1);
}

int roster_python_estimates_add(roster_estimates *self, const int64_t shape[3], size_t n, const int64_t *k,
                                const int64_t *x, const int64_t *v, const int64_t *count)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < n && code == ROSTER_OK; i++) {
        code = check_below("expert", i, k[i], shape[0]);
        if (code == ROSTER_OK)
            code = check_below("context", i, x[i], shape[1]);
        if (code == ROSTER_OK)
            code = check_below("action", i, v[i], shape[2]);
        if (code == ROSTER_OK && count != NULL && count[i] < 0)
            code = roster_python_fail(ROSTER_EINVAL, "count[%zu] is %lld, must be at least 0", i, (long long)count[i]);
    }
    for (size_t i = 0; i < n && code == ROSTER_OK; i++)
        code = roster_estimates_add(self, (size_t)k[i], (size_t)x[i], (size_t)v[i],
                                    count != NULL ? (uint64_t)count[i] : 1, roster_python_error());
    return code;
}

void roster_python_estimates_counts(const roster_estimates *self, const int64_t shape[3], uint64_t *count)
{
    size_t X = (size_t)shape[1], V = (size_t)shape[2], cells = (size_t)shape[0] * X * V;
    for (size_t i = 0; i < cells; i++)
        count[i] = roster_estimates_count(self, i / V / X, i / V % X, i % V);
}

void roster_python_moments(const roster_moments *m, size_t n, uint64_t runs, double *mean, double *sd)
{
    for (size_t i = 0; i < n; i++) {
        mean[i] = roster_moments_mean(&m[i], runs);
        sd[i] = roster_moments_sd(&m[i], runs);
    }
}
