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
 * Most experts need no logarithm, which is computed only where it may exceed eta ell(t), and are done by vectors
 * (direct_simd.c). What exceeds it is told by exp(eta ell) of an earlier round, at the last full refresh.
 *
 * Cost: two roots for each of N experts, at most one logarithm.
 * Departs: before round 1 nothing is known and all indices are infinite: the first expert is played. Sums so near to
 *          0.1 that rounding decides count as 0.1.
 * Check: U = 1.15544416232976, 1.06336480401413, 0.392886321941165 after five rounds
 *        (tests/unit/test_direct.c: check_values).
 */
#include "direct_simd.h"

#include <string.h>

static roster_direct_moment moment_of(const roster_direct *self)
{
    double by = 1 / roster_direct_weight(self), least = self->problem.eta * self->ell;
    return (roster_direct_moment){.t = (double)self->pool.t,
                                  .by = by,
                                  .twice = by * by,
                                  .scale = ((double)roster_pool_rounds(&self->pool) + 1) / self->problem.kappa,
                                  .least = least,
                                  .bar = self->bar,
                                  .curve = least * least - least / 2,
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
    double t = (double)roster_pool_rounds(&self->pool), ln_t = t > 1 ? roster_ln(t) : 0;
    self->ell = roster_ln(1 + t * ln_t * ln_t);
}

/* An expert is thin, but what corrects its estimate is not kept: contexts have come whose cells are. Where p is
   declared that cannot be, since cells get only more samples. */
static bool lacks_correction(const roster_direct *self, const roster_direct_moment *now)
{
    bool some = false;
    for (size_t i = 0; i < self->pool.n && self->learnt && !self->corrects; i++)
        some |= is_thin(self, now, i);
    return some;
}

/* Whether an expert stands alone, or nothing is known of any cell: no sum says anything of it. */
static bool some_stand_alone(const roster_direct *self)
{
    return self->pool.t == 0 || memchr(self->alone, true, self->pool.n * sizeof *self->alone) != NULL;
}

static void find_indices(roster_direct *self)
{
    roster_direct_moment now = moment_of(self);
    double mean;
    if (lacks_correction(self, &now))
        roster_direct_correct(self, true);
    bool all = some_stand_alone(self), others = all || self->simd->indices(self, &now);
    for (size_t i = 0; i < self->pool.n && others; i++)
        if (all || isnan(self->u[i]))
            self->u[i] = index_of(self, &now, i, &mean);
    roster_experts_mask(self->problem.experts, self->u);
    self->leader = roster_leader(self->u, self->pool.n);
}

void roster_direct_refresh(roster_direct *self)
{
    set_time(self);
    double least = self->problem.eta * self->ell;
    self->bar = least < 700 ? roster_exp(least) : INFINITY;
    for (size_t i = 0; i < self->pool.n; i++)
        find_arm(self, i);
    find_indices(self);
}

void roster_direct_refresh_after(roster_direct *self, size_t k)
{
    set_time(self);
    find_arm(self, k);
    find_indices(self);
}

void roster_direct_insight(const roster_direct *self, size_t i, roster_insight *out)
{
    if (roster_pool_rounds(&self->pool) == 0)
        return;
    roster_direct_moment now = moment_of(self);
    double index = index_of(self, &now, i, &out->estimate);
    out->width = index - out->estimate;
    out->samples = (double)self->pool.plays[i];
    if (self->alone[i] || self->pool.t == 0)
        return;
    out->samples = self->sums[ROSTER_DIRECT_Z][i] / (self->sums[ROSTER_DIRECT_V][i] * now.by);
}
