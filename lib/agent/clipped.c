/*
 * clipped.c: the clipped estimator in its running form: exact, O(N) per round, whatever t.
 *
 * Paper: Equation 1 (information leakage), Equation 2 (clipped estimator), Theorem 1 (concentration),
 * Equation 5 (empirical estimator), Equation 6 (index).
 *
 *   Z_i(t)   = sum_s 1/M_{i k_s}                      x = sqrt(t ln t) / Z_i,  eps_i = C w(x)
 *   L_i(t)   = ln(2 / eps_i)                          clip level
 *   muhat_i  = 1/Z_i sum_s y_s r_lo(s)/M 1{ r_hi(s) <= 2 L_i M }
 *   U_i      = muhat_i + e_i(L_i) + 3/2 eps_i
 *
 * With W = W0(2/x): w(x) = x W and ln(2/w(x)) = W, so one Lambert evaluation gives both eps_i = C x W and
 * L_i = W - ln C. Known experts have r_lo = r_hi = r and e_i = 0.
 *
 * A sample of expert k adds 1/M_ik to Z_i and, if it passes, s r_lo/M_ik to the sum. It passes iff
 * theta = r_hi/(2 M_ik) <= L_i. Cells with theta <= ln(1/C) <= L_i pass for ever and need no further thought; the
 * others wait at the expert's gate (gate.c), which adds and takes them back as L_i moves. Samples of contexts that
 * are not finite are cells of their own. The sums carry their rounding error (roster_add), so they do not drift.
 *
 * Cost: per round O(N) and no allocation, except for an expert's first play: its column of 1/M, N X V exponentials.
 * Departs: an expert that no sample has touched (Z_i = 0, possible only with shared support) has an infinite index:
 *          it must be tried before anything can be said.
 * Check: SPEC section 3 (tests/test_agents.c: ducb_check_values); equal to literal.c on random instances at every
 *        round (tests/test_oracle.c).
 */
#include "clipped.h"

#include <stdlib.h>

int roster_clipped_init(roster_clipped *self, const roster_knowledge *known)
{
    size_t n = known->experts->n,
           block = known->experts->kind == ROSTER_TABLES ? known->experts->x * known->experts->v : 0;
    self->known = *known;
    self->bounds = known->empirical ? roster_ratio_bounds(&known->known) : (roster_ratio){0, 0};
    self->floor_level = -roster_ln(known->C);
    self->inverse_m = roster_alloc(n, sizeof *self->inverse_m);
    self->z = roster_alloc(n, sizeof *self->z);
    self->z_lo = roster_alloc(n, sizeof *self->z_lo);
    self->s = roster_alloc(n, sizeof *self->s);
    self->s_lo = roster_alloc(n, sizeof *self->s_lo);
    self->level = roster_alloc(n, sizeof *self->level);
    self->gates = roster_alloc(n, sizeof *self->gates);
    bool fits = self->inverse_m != NULL && self->z != NULL && self->z_lo != NULL && self->s != NULL &&
                self->s_lo != NULL && self->level != NULL && self->gates != NULL;
    if (!fits || roster_tally_init(&self->tally, n, block) != ROSTER_OK ||
        (known->empirical && roster_bias_init(&self->bias, known->experts, &known->known) != ROSTER_OK))
        return ROSTER_ENOMEM;
    roster_clipped_reset(self);
    return ROSTER_OK;
}

void roster_clipped_fini(roster_clipped *self)
{
    size_t n = self->known.experts != NULL ? self->known.experts->n : 0;
    for (size_t k = 0; k < n && self->inverse_m != NULL; k++)
        free(self->inverse_m[k]);
    for (size_t i = 0; i < n && self->gates != NULL; i++)
        roster_gate_fini(&self->gates[i]);
    free(self->inverse_m);
    free(self->z);
    free(self->z_lo);
    free(self->s);
    free(self->s_lo);
    free(self->level);
    free(self->gates);
    roster_tally_fini(&self->tally);
    roster_bias_fini(&self->bias);
}

void roster_clipped_reset(roster_clipped *self)
{
    self->root = 0;
    for (size_t i = 0; i < self->known.experts->n; i++) {
        self->z[i] = self->z_lo[i] = self->s[i] = self->s_lo[i] = 0;
        self->level[i] = INFINITY;
        self->gates[i].in = self->gates[i].out = 0;
    }
    roster_tally_reset(&self->tally);
}

static void fill_column(const roster_knowledge *known, size_t k, double *m)
{
    if (known->empirical)
        roster_divergence_lower_column(known->experts, &known->known, k, m);
    else
        roster_divergence_column(known->experts, known->p, known->shared, k, m);
}

int roster_largest_divergence(const roster_knowledge *known, double *largest)
{
    size_t n = known->experts->n;
    double *column = roster_alloc(n, sizeof *column);
    if (column == NULL)
        return ROSTER_ENOMEM;
    *largest = 1;
    for (size_t k = 0; k < n; k++) {
        fill_column(known, k, column);
        for (size_t i = 0; i < n; i++)
            *largest = column[i] > *largest ? column[i] : *largest;
    }
    free(column);
    return ROSTER_OK;
}

int roster_clipped_open(roster_clipped *self, size_t k)
{
    if (self->inverse_m[k] != NULL)
        return ROSTER_OK;
    size_t n = self->known.experts->n;
    double *column = roster_alloc(n, sizeof *column);
    if (column == NULL)
        return ROSTER_ENOMEM;
    fill_column(&self->known, k, column);
    for (size_t i = 0; i < n; i++)
        column[i] = 1 / column[i];
    self->inverse_m[k] = column;
    return ROSTER_OK;
}

/* The place of a sample at expert i's gate, given 1 / pi_k. */
static roster_passer passer_of(const roster_clipped *self, const roster_sample *a, double inverse_pi, size_t i)
{
    double r = a->pi[i] * inverse_pi, inverse_m = self->inverse_m[a->k][i];
    return (roster_passer){.theta = roster_ratio_high(&self->bounds, r) * inverse_m * 0.5,
                           .coef = roster_ratio_low(&self->bounds, r) * inverse_m};
}

static bool can_move(const roster_clipped *self, const roster_passer *p)
{
    return p->theta > self->floor_level && p->coef > 0;
}

/* An estimate of 0 for the action that was taken: the sample counts as clipped, which ratios of 0 bring about. */
static double inverse_of(const roster_sample *a)
{
    return a->pi[a->k] > 0 ? 1 / a->pi[a->k] : 0;
}

bool roster_clipped_can_wait(const roster_clipped *self, const roster_sample *a, size_t i)
{
    roster_passer passer = passer_of(self, a, inverse_of(a), i);
    return can_move(self, &passer);
}

/* Room at every gate that a new cell must wait at; `waits` tells whether there is one. */
static int make_room(roster_clipped *self, const roster_sample *a, bool *waits)
{
    double inverse_pi = inverse_of(a);
    *waits = false;
    for (size_t i = 0; i < self->known.experts->n; i++) {
        roster_passer passer = passer_of(self, a, inverse_pi, i);
        if (!can_move(self, &passer))
            continue;
        *waits = true;
        if (roster_gate_reserve(&self->gates[i], 1) != ROSTER_OK)
            return ROSTER_ENOMEM;
    }
    return *waits && a->cell == ROSTER_NO_CELL ? roster_tally_reserve(&self->tally, 1) : ROSTER_OK;
}

static void enter_gates(roster_clipped *self, const roster_sample *a, size_t cell)
{
    double inverse_pi = inverse_of(a);
    for (size_t i = 0; i < self->known.experts->n; i++) {
        roster_passer passer = passer_of(self, a, inverse_pi, i);
        passer.cell = cell;
        if (can_move(self, &passer))
            roster_gate_enter(&self->gates[i], self->level[i], passer);
    }
}

/* The sums of every expert: the loop in which the time goes. */
static void accumulate(roster_clipped *self, const roster_sample *a)
{
    const double *pi = a->pi, *inverse_m = self->inverse_m[a->k];
    double inverse_pi = inverse_of(a), count = (double)a->n;
    for (size_t i = 0; i < self->known.experts->n; i++) {
        double r = pi[i] * inverse_pi;
        double low = roster_ratio_low(&self->bounds, r) * inverse_m[i];
        double theta = roster_ratio_high(&self->bounds, r) * inverse_m[i] * 0.5;
        bool touched = pi[i] > 0 || !self->known.shared;
        roster_add(&self->z[i], &self->z_lo[i], touched ? count * inverse_m[i] : 0);
        roster_add(&self->s[i], &self->s_lo[i], theta <= self->level[i] ? a->s * low : 0);
    }
}

int roster_clipped_absorb(roster_clipped *self, const roster_sample *a)
{
    bool finite = a->cell != ROSTER_NO_CELL, waits = false;
    if (roster_clipped_open(self, a->k) != ROSTER_OK || (finite && roster_tally_open(&self->tally, a->k) != ROSTER_OK))
        return ROSTER_ENOMEM;
    size_t cell = finite ? self->tally.first[a->k] + a->cell : ROSTER_NO_CELL;
    bool first_reward = a->s > 0 && (!finite || self->tally.cells[cell].s == 0);
    if (first_reward && make_room(self, a, &waits) != ROSTER_OK)
        return ROSTER_ENOMEM;
    accumulate(self, a);
    if (waits && !finite)
        cell = roster_tally_append(&self->tally);
    if (waits)
        enter_gates(self, a, cell);
    if (cell != ROSTER_NO_CELL)
        roster_tally_add(&self->tally, cell, a->n, a->s);
    roster_tally_count(&self->tally, a->k, a->n);
    roster_clipped_set_time(self);
    return ROSTER_OK;
}

void roster_clipped_set_time(roster_clipped *self)
{
    double t = (double)self->tally.t;
    self->root = t > 1 ? sqrt(t * roster_ln(t)) : 0;
}

double roster_clipped_index(roster_clipped *self, size_t i)
{
    double z = self->z[i] + self->z_lo[i], eps = 0;
    if (!(z > 0))
        return INFINITY;
    self->level[i] = INFINITY;
    if (self->root > 0) {
        double u = 2 * z / self->root, w = roster_lambert(u);
        self->level[i] = w + self->floor_level;
        eps = u > 0 ? self->known.C * (2 * w / u) : 2 * self->known.C;
    }
    roster_gate_move(&self->gates[i], self->level[i], &self->tally, &self->s[i], &self->s_lo[i]);
    double sum = self->s[i] + self->s_lo[i];
    double mean = sum > 0 ? sum / z : 0; /* taking everything back can leave a rounding error below 0 */
    double bias = self->known.empirical ? roster_bias_at(&self->bias, i, self->level[i]) : 0;
    return mean + bias + 1.5 * eps;
}
