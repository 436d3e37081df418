/*
 * prepared.c: divergences by column, as experts come to be played, and the error terms of estimates.
 *
 * Paper: none.
 *
 * Cost: a column is N + X V numbers and N X V exponentials. All columns of 100,000 experts would be 80 GB, so each is
 *       made when its expert is first played.
 * Check: three experts played of fifty make three columns (tests/unit/test_clipped.c: columns_come_when_played).
 */
#include "clipped_simd.h"

#include <stdlib.h>

/* Each expert's table in a row, to read the cells of one expert in order. */
static int transpose(roster_prepared *self)
{
    const roster_experts *e = self->problem.experts;
    size_t cells = e->x * e->v, stride = roster_simd_up(cells);
    if (e->kind != ROSTER_TABLES)
        return ROSTER_OK;
    self->by_expert = roster_alloc(roster_times(e->n, stride), sizeof *self->by_expert);
    for (size_t c = 0; self->by_expert != NULL && c < cells; c++)
        for (size_t i = 0; i < e->n; i++) {
            double pi = self->by_expert[i * stride + c] = e->pi[c * e->n + i];
            self->least = pi > 0 && pi < self->least ? pi : self->least;
        }
    return self->by_expert != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

int roster_prepared_create(roster_prepared **out, const roster_estimator_problem *problem)
{
    *out = NULL;
    roster_prepared *self = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return ROSTER_ENOMEM;
    self->problem = *problem;
    self->least = 1;
    self->avx2 = roster_avx2();
    self->simd = roster_clipped_simd_choose(self->avx2);
    self->inverse_m = roster_alloc(problem->experts->n, sizeof *self->inverse_m);
    self->inverse_pi = roster_alloc(problem->experts->n, sizeof *self->inverse_pi);
    int code = self->inverse_m != NULL && self->inverse_pi != NULL ? ROSTER_OK : ROSTER_ENOMEM;
    if (code == ROSTER_OK)
        code = transpose(self);
    if (code == ROSTER_OK && problem->empirical) {
        self->ratio = roster_ratio_bounds(&problem->bounds);
        code = roster_bias_init(&self->bias, problem->experts, &problem->bounds);
    }
    if (code != ROSTER_OK) {
        roster_prepared_free(self);
        return code;
    }
    *out = self;
    return ROSTER_OK;
}

void roster_prepared_free(roster_prepared *self)
{
    if (self == NULL)
        return;
    for (size_t k = 0; self->inverse_m != NULL && k < self->problem.experts->n; k++)
        free(self->inverse_m[k]);
    for (size_t k = 0; self->inverse_pi != NULL && k < self->problem.experts->n; k++)
        free(self->inverse_pi[k]);
    free(self->inverse_m);
    free(self->inverse_pi);
    free(self->by_expert);
    roster_bias_fini(&self->bias);
    free(self);
}

/* Of expert k, whose first `known` entries are those of `before`. */
static int open_column(roster_prepared *self, size_t k, const double *before, size_t known)
{
    const roster_estimator_problem *problem = &self->problem;
    const roster_experts *e = problem->experts;
    size_t n = e->n;
    double *column = roster_alloc(roster_simd_up(n), sizeof *column);
    double *inverse_pi = roster_alloc(roster_simd_up(e->x * e->v), sizeof *inverse_pi);
    if (column == NULL || inverse_pi == NULL) {
        free(column);
        free(inverse_pi);
        return ROSTER_ENOMEM;
    }
    if (problem->empirical)
        roster_divergence_lower_column_from(e, &problem->bounds, k, known, column);
    else
        roster_divergence_column_from(e, problem->p, problem->shared, k, known, column);
    for (size_t i = 0; i < n; i++)
        column[i] = i < known ? before[i] : 1 / column[i];
    for (size_t c = 0; c < e->x * e->v; c++)
        inverse_pi[c] = e->pi[c * n + k] > 0 ? 1 / e->pi[c * n + k] : 0;
    self->inverse_m[k] = column;
    self->inverse_pi[k] = inverse_pi;
    return ROSTER_OK;
}

int roster_prepared_open(roster_prepared *self, size_t k)
{
    return self->inverse_m[k] != NULL ? ROSTER_OK : open_column(self, k, NULL, 0);
}

static bool same_problem(const roster_estimator_problem *a, const roster_estimator_problem *b)
{
    const roster_error_bounds *x = &a->bounds, *y = &b->bounds;
    return a->empirical == b->empirical && (!a->empirical || (x->xi == y->xi && x->p_V == y->p_V && x->p_X == y->p_X));
}

int roster_prepared_adopt(roster_prepared *self, const roster_prepared *from)
{
    int code = ROSTER_OK;
    size_t n = from->problem.experts->n;
    for (size_t k = 0; k < n && code == ROSTER_OK && same_problem(&self->problem, &from->problem); k++)
        if (from->inverse_m[k] != NULL && self->inverse_m[k] == NULL)
            code = open_column(self, k, from->inverse_m[k], n);
    return code;
}

int roster_prepared_largest(const roster_prepared *self, double *m)
{
    const roster_estimator_problem *problem = &self->problem;
    size_t n = problem->experts->n;
    *m = self->bias.m; /* of estimates all are known; of known experts it is 0 */
    double *column = problem->empirical ? NULL : roster_alloc(n, sizeof *column);
    if (!problem->empirical && column == NULL)
        return ROSTER_ENOMEM;
    for (size_t k = 0; k < n && column != NULL; k++) {
        roster_divergence_column(problem->experts, problem->p, problem->shared, k, column);
        for (size_t i = 0; i < n; i++)
            *m = column[i] > *m ? column[i] : *m;
    }
    free(column);
    return ROSTER_OK;
}
