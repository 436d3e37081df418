/*
 * bias.c: the error term e_i of the empirical index.
 *
 * Paper: Equation 6 (error term).
 *
 *   e_i(L) = max over j, x, v of  r_hi_ij - r_lo_ij 1{ r_hi_ij <= 2 L M_lo_ij }
 *
 * A cell that is clipped counts r_hi, one that is not r_hi - r_lo = min(rhat, a) + b (ratio.h), which is never more.
 * So e_i(L) = max( least_i, largest r_hi among the clipped ), and of the cells of one j the one with the largest
 * ratio has the largest r_hi and the largest threshold theta = r_hi / (2 M_lo): N candidates per expert, of which
 * those matter that no other beats in both. Cells with pihat_j = 0 are left out.
 *
 * Cost: N^2 X V once; a binary search over at most N steps per look.
 * Departs: none.
 * Check: SPEC's instance, through U' (tests/unit/test_agents.c: educb_check_values); tests/unit/test_clipped.c:
 *        bias_equals_definition.
 */
#include "bias.h"

#include <stdlib.h>

typedef struct candidate {
    double theta, high;
} candidate;

static int by_theta(const void *a, const void *b)
{
    double x = ((const candidate *)a)->theta, y = ((const candidate *)b)->theta;
    return (x > y) - (x < y);
}

/* The largest ratio of i to j where j is known to act; -1 if it never is. */
static double largest_ratio(const roster_experts *e, size_t i, size_t j)
{
    double top = -1;
    for (size_t cell = 0; cell < e->x * e->v; cell++) {
        const double *pi = e->pi + cell * e->n;
        double r = pi[j] > 0 ? pi[i] / pi[j] : -1;
        top = r > top ? r : top;
    }
    return top;
}

/* Keep of the candidates in ascending order those that no later one equals or exceeds. */
static size_t frontier(const candidate *sorted, size_t count, double *theta, double *high)
{
    size_t kept = 0;
    for (size_t c = 0; c < count; c++) {
        while (kept > 0 && high[kept - 1] <= sorted[c].high)
            kept--;
        theta[kept] = sorted[c].theta;
        high[kept] = sorted[c].high;
        kept++;
    }
    return kept;
}

/* All of expert i's candidates; m: N x N, m[j * N + i] = M_lo_ij. */
static size_t collect(roster_bias *self, const roster_experts *e, const roster_ratio *bounds, const double *m, size_t i,
                      candidate *found)
{
    size_t count = 0;
    for (size_t j = 0; j < e->n; j++) {
        double r = largest_ratio(e, i, j), m_ij = m[j * e->n + i];
        if (r < 0)
            continue;
        double least = (r < bounds->a ? r : bounds->a) + bounds->b;
        self->least[i] = least > self->least[i] ? least : self->least[i];
        self->m = m_ij > self->m ? m_ij : self->m;
        double high = roster_ratio_high(bounds, r);
        found[count++] = (candidate){high / m_ij * 0.5, high};
        self->clip = found[count - 1].theta > self->clip ? found[count - 1].theta : self->clip;
    }
    return count;
}

/* Steps of every expert into self->theta and self->high, which grow as needed. */
static int build(roster_bias *self, const roster_experts *e, const roster_ratio *bounds, const double *m,
                 candidate *found)
{
    size_t room_theta = 0, room_high = 0, used = 0;
    for (size_t i = 0; i < e->n; i++) {
        size_t count = collect(self, e, bounds, m, i, found);
        if (roster_grow(&self->theta, &room_theta, used, count, sizeof *self->theta) != ROSTER_OK ||
            roster_grow(&self->high, &room_high, used, count, sizeof *self->high) != ROSTER_OK)
            return ROSTER_ENOMEM;
        qsort(found, count, sizeof *found, by_theta);
        self->start[i] = used;
        if (count > 0)
            used += frontier(found, count, self->theta + used, self->high + used);
    }
    self->start[e->n] = used;
    return ROSTER_OK;
}

int roster_bias_init(roster_bias *self, const roster_experts *e, const roster_error_bounds *known)
{
    roster_ratio bounds = roster_ratio_bounds(known);
    self->n = e->n;
    self->m = 1;
    self->start = roster_alloc(roster_plus(e->n, 1), sizeof *self->start);
    self->least = roster_alloc(e->n, sizeof *self->least);
    double *m = roster_alloc(roster_times(e->n, e->n), sizeof *m);
    candidate *found = roster_alloc(e->n, sizeof *found);
    int code = self->start != NULL && self->least != NULL && m != NULL && found != NULL ? ROSTER_OK : ROSTER_ENOMEM;
    for (size_t k = 0; code == ROSTER_OK && k < e->n; k++)
        roster_divergence_lower_column(e, known, k, m + k * e->n);
    if (code == ROSTER_OK)
        code = build(self, e, &bounds, m, found);
    free(m);
    free(found);
    return code;
}

void roster_bias_fini(roster_bias *self)
{
    free(self->start);
    free(self->theta);
    free(self->high);
    free(self->least);
}

/* The first of expert i's steps whose theta is above the level. */
static size_t first_above(const roster_bias *self, size_t i, double level)
{
    size_t from = self->start[i], to = self->start[i + 1];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (self->theta[middle] > level)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

double roster_bias_step_below(const roster_bias *self, size_t i, double level)
{
    size_t step = first_above(self, i, level);
    return step > self->start[i] ? self->theta[step - 1] : -INFINITY;
}

double roster_bias_step_above(const roster_bias *self, size_t i, double level)
{
    size_t step = first_above(self, i, level);
    return step < self->start[i + 1] ? self->theta[step] : INFINITY;
}

double roster_bias_at(const roster_bias *self, size_t i, double level)
{
    size_t from = first_above(self, i, level);
    double clipped = from < self->start[i + 1] ? self->high[from] : 0;
    return clipped > self->least[i] ? clipped : self->least[i];
}
