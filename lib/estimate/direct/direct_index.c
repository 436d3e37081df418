/*
 * direct_index.c: from the sums to every expert's index.
 *
 * Paper: Beyond 12 (index).
 *
 *   ell(t) = ln(1 + t ln^2 t), 0 for t <= 1
 *   L_i = max( ln+( (t+1) V_i / (kappa z_i) ), eta ell(t) )
 *   D_i = mu_i + sqrt( 2 L_i V_i + (L_i^2 - L_i/2) B_i ) + margin         (0 where the root's argument is negative)
 *   thin_i > 0.1:  R_i = the correction's second sum / t^2,  mu'_i = mu_i + its first / t
 *                  L'_i with R_i + B_i/4 for V_i,  D'_i = mu'_i + sqrt( 2 L'_i R_i + L'_i^2 B_i ) + margin
 *   A_i = mean of i's own rewards + sqrt( ell(t) / (2 n_i) ), infinite where n_i = 0
 *   U_i = min(D_i, A_i); the largest is played, ties to the smallest i
 *
 * The leader alone is found in every round, among those whom the vectors leave (direct_simd.c), indices when they are
 * asked for. A logarithm is computed only where it may exceed eta ell(t): that is told by exp(eta ell) of an earlier
 * round, at the last full refresh.
 *
 * Cost: see direct_simd.c; of all indices two roots for each of N experts, at most one logarithm.
 * Departs: before round 1 nothing is known and all indices are infinite: the first expert is played. Sums so near to
 *          0.1 that rounding decides count as 0.1.
 * Check: U = 1.15544416232976, 1.06336480401413, 0.392886321941165 after five rounds
 *        (tests/unit/test_direct.c: check_values).
 */
#include "direct_simd.h"

#include <string.h>

roster_direct_moment roster_direct_now(const roster_direct *self)
{
    double by = 1 / roster_direct_weight(self), least = self->problem.eta * self->ell;
    return (roster_direct_moment){.t = (double)self->pool.t,
                                  .by = by,
                                  .twice = by * by,
                                  .scale = ((double)roster_pool_rounds(&self->pool) + 1) / self->problem.kappa,
                                  .least = least,
                                  .bar = self->bar,
                                  .thin = roster_direct_thin_bar(self)};
}

/* The bar is that of an earlier round: what is above may still be too small. */
static double log_term(const roster_direct_moment *now, double ratio)
{
    double log = ratio > now->bar ? roster_ln(ratio) : now->least;
    return log > now->least ? log : now->least;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

static bool is_thin(const roster_direct *self, const roster_direct_moment *now, size_t i)
{
    return self->sums[ROSTER_DIRECT_THIN][i] > now->thin;
}

/* D_i or D'_i, and the mean in it. */
static double own_index(const roster_direct *self, const roster_direct_moment *now, size_t i, double *mean)
{
    double mu = self->sums[ROSTER_DIRECT_MU][i] * now->by, z = self->sums[ROSTER_DIRECT_Z][i] * now->by;
    double V = positive(self->sums[ROSTER_DIRECT_V][i]) * now->twice;
    double B = positive(self->sums[ROSTER_DIRECT_B][i]) * now->twice, square;
    if (is_thin(self, now, i)) {
        double R = positive(self->correct[self->up + i]) / (now->t * now->t);
        double L = log_term(now, now->scale * (R + B / 4) / z);
        mu += self->correct[i] / now->t;
        square = 2 * L * R + L * L * B;
    } else {
        double L = log_term(now, now->scale * V / z);
        square = 2 * L * V + (L * L - L / 2) * B;
    }
    *mean = mu;
    return mu + sqrt(positive(square)) + self->problem.margin;
}

static double index_of(const roster_direct *self, const roster_direct_moment *now, size_t i, double *mean)
{
    bool played = self->pool.plays[i] > 0;
    double own = INFINITY, arm = self->arms[i] + sqrt(self->ell * self->arms[self->up + i]);
    *mean = played ? self->arms[i] : NAN;
    if (!self->alone[i] && self->pool.t > 0)
        own = own_index(self, now, i, mean);
    return own < arm ? own : arm;
}

static void find_arm(roster_direct *self, size_t i)
{
    double plays = (double)self->pool.plays[i];
    self->arms[i] = plays > 0 ? roster_pool_mean(&self->pool, i) : INFINITY;
    self->arms[self->up + i] = plays > 0 ? 1 / (2 * plays) : 0;
}

static void set_time(roster_direct *self)
{
    self->ell = roster_ell_at(&self->clock, roster_pool_rounds(&self->pool));
}

/* An expert is thin, but what corrects its estimate is not kept: contexts have come whose cells are. Where p is
   declared that cannot be, since cells get only more samples. */
static void need_correction(roster_direct *self)
{
    const double *thin = self->sums[ROSTER_DIRECT_THIN], bar = roster_direct_thin_bar(self);
    bool some = false;
    if (!self->learnt || self->corrects)
        return;
    for (size_t i = 0; i < self->pool.n; i++)
        some |= thin[i] > bar;
    if (some)
        roster_direct_correct(self, true);
}

/* Of an expert that the vectors left to the plain form. */
static double plain_index(const roster_direct *self, size_t i)
{
    roster_direct_moment now = roster_direct_now(self);
    double mean;
    return index_of(self, &now, i, &mean);
}

/* Whoever may lead is in one of these vectors; they are in no order. */
static void lead_near(roster_direct *self, size_t near)
{
    size_t n = self->pool.n, width = self->simd->width, leader = n;
    double most = -INFINITY, *u = self->u;
    for (size_t j = 0; j < near; j++)
        for (size_t i = self->near[j]; i < self->near[j] + width && i < n; i++)
            if (!(u[i] <= most)) {
                u[i] = isnan(u[i]) ? plain_index(self, i) : u[i];
                most = u[i] > most ? u[i] : most;
            }
    double least = most - roster_tie(most);
    for (size_t j = 0; j < near; j++)
        for (size_t i = self->near[j]; i < self->near[j] + width && i < leader; i++)
            leader = u[i] >= least ? i : leader;
    self->leader = leader;
}

void roster_direct_find_leader(roster_direct *self, size_t near)
{
    need_correction(self);
    if (near > 0 && !self->lonely && self->problem.experts->retired == NULL) {
        lead_near(self, near);
        return;
    }
    roster_direct_indices(self, self->u);
    self->leader = roster_leader(self->u, self->pool.n);
}

void roster_direct_indices(const roster_direct *self, double *u)
{
    roster_direct_moment now = roster_direct_now(self);
    if (!self->lonely)
        self->simd->indices(self, &now, u);
    for (size_t i = 0; i < self->pool.n; i++)
        if (self->lonely || isnan(u[i]))
            u[i] = plain_index(self, i);
    roster_experts_mask(self->problem.experts, u);
}

bool roster_direct_is_unknown(const roster_direct *self, size_t i)
{
    return self->pool.plays[i] == 0 && (self->alone[i] || self->pool.t == 0);
}

void roster_direct_refresh(roster_direct *self)
{
    set_time(self);
    double least = self->problem.eta * self->ell;
    self->bar = least < 700 ? roster_exp(least) : INFINITY;
    self->lonely = self->pool.t == 0 || memchr(self->alone, true, self->pool.n * sizeof *self->alone) != NULL;
    for (size_t i = 0; i < self->pool.n; i++)
        find_arm(self, i);
    roster_direct_find_leader(self, 0);
}

void roster_direct_note_play(roster_direct *self, size_t k)
{
    set_time(self);
    find_arm(self, k);
}

void roster_direct_insight(const roster_direct *self, size_t i, roster_insight *out)
{
    if (roster_pool_rounds(&self->pool) == 0)
        return;
    roster_direct_moment now = roster_direct_now(self);
    double index = index_of(self, &now, i, &out->estimate);
    out->width = index - out->estimate;
    out->samples = (double)self->pool.plays[i];
    if (self->alone[i] || self->pool.t == 0)
        return;
    out->samples = self->sums[ROSTER_DIRECT_Z][i] / (self->sums[ROSTER_DIRECT_V][i] * now.by);
}
