/*
 * evidence_reach.c: how large importance weights can become.
 *
 * Paper: Beyond 15 (weights).
 *
 *   R_ik     tables: max over x, v of pi_i / pi_k, infinite where k cannot follow
 *            softmax: pi_i <= 1 - (V - 1) floor and pi_k >= floor, so R_ik <= (1 - (V - 1) floor) / floor
 *            external: nobody knows; infinite
 *   R_kk     1
 *
 * Cost: N X V per column, when k first acts.
 * Check: tests/unit/test_evidence.c: reach_by_definition.
 */
#include "evidence_internal.h"

static double bound_of_kind(const roster_experts *e)
{
    return e->kind == ROSTER_SOFTMAX && e->floor > 0 ? (1 - (double)(e->v - 1) * e->floor) / e->floor : INFINITY;
}

static void look_at_tables(const roster_experts *e, size_t k, size_t from, double *ratio)
{
    for (size_t c = 0; c < e->x * e->v; c++) {
        const double *pi = e->pi + c * e->n;
        for (size_t i = from; i < e->n; i++) {
            double here = pi[i] == 0 ? 0 : pi[i] / pi[k];
            ratio[i] = here > ratio[i] ? here : ratio[i];
        }
    }
}

int roster_reach_open(double **ratio, const roster_experts *e, size_t k, const double *before, size_t n)
{
    if (*ratio != NULL)
        return ROSTER_OK;
    size_t up = roster_simd_up(e->n);
    *ratio = roster_alloc(roster_plus(up, 1), sizeof **ratio);
    if (*ratio == NULL)
        return ROSTER_ENOMEM;
    if (e->kind == ROSTER_TABLES)
        look_at_tables(e, k, n, *ratio);
    for (size_t i = 0; i < n; i++)
        (*ratio)[i] = before[i];
    for (size_t i = 0; i < e->n && e->kind != ROSTER_TABLES; i++)
        (*ratio)[i] = bound_of_kind(e);
    (*ratio)[k] = 1;
    (*ratio)[up] = (*ratio)[roster_largest(*ratio, e->n)];
    return ROSTER_OK;
}
