/*
 * mixture.c: the balance heuristic, kept up to date.
 *
 * Paper: Beyond 14 (mixture estimate).
 *
 *   alpha_k = (n_k + 1/N) / (t + 1)            w_is = pi_i(s) / sum_k alpha_k pi_k(s)
 *   S_i = sum_s w    mu_i = (sum w y + 1/2) / (S + 1)    V_i = (sum w^2 (y - mu)^2 + 1/4) / (S + 1)^2
 *   z_i = (sum w (y - mu)^2 + 1/4) / (S + 1)             b_i = (max w + 1) / (t + 1)
 *   ell(t) = ln(1 + t ln^2 t)                            L_i = max( ln+( (t + 1) V_i / (kappa z_i) ), eta ell(t) )
 *   U_i = mu_i + sqrt( 2 L_i V_i + L_i^2 b_i^2 )
 *
 * All samples are weighted anew in round 1 and whenever t has grown by a quarter; in between a new sample is weighted
 * by the alpha of its own round, itself counted. Of each sample the N probabilities, scaled so that the largest is 1,
 * the reward y, 1 / sum_k alpha_k pi_k, who acted and in which cell are kept; beyond `memory` samples the oldest keeps
 * its last weights, and only its part of the sums. Scaling changes no weight and keeps every number in range:
 * w <= 1 / alpha_i <= N (t + 1).
 *
 * Cost: O(N) per round, and 5 N more for weighing anew, spread over the rounds between; that of one such round is
 *       O(samples kept x N). min(t, memory) (N + 4) numbers. ln is computed only where it exceeds eta ell.
 * Check: five rounds of section 3 give mu = 0.791709033548261, 0.776309140346957, 0.378877994946897
 *        (tests/unit/test_mixture.c: check_values); equal to mixture_literal.c in every round
 *        (tests/unit/test_mixture.c: equals_literal).
 */
#include "mixture.h"

#include <stdlib.h>
#include <string.h>

uint64_t roster_mixture_next(uint64_t t)
{
    return t + (t / 4 > 1 ? t / 4 : 1);
}

static size_t sums_size(size_t n)
{
    return roster_times(2 * ROSTER_MIXTURE_SUMS + 1, roster_simd_up(n));
}

static void place_sums(roster_mixture_sums *sums, double *block, size_t n)
{
    size_t up = roster_simd_up(n);
    for (size_t j = 0; j < ROSTER_MIXTURE_SUMS; j++) {
        sums->hi[j] = block + 2 * j * up;
        sums->lo[j] = block + (2 * j + 1) * up;
    }
    sums->top = block + 2 * ROSTER_MIXTURE_SUMS * up;
}

int roster_mixture_init(roster_mixture *self, size_t n, size_t memory, double kappa, double eta)
{
    *self = (roster_mixture){.n = n, .memory = memory, .kappa = kappa, .eta = eta};
    self->prior = roster_alloc(n, sizeof *self->prior);
    self->plays = roster_alloc(n, sizeof *self->plays);
    self->block = roster_alloc(roster_times(2, sums_size(n)), sizeof *self->block);
    if (self->prior == NULL || self->plays == NULL || self->block == NULL)
        return ROSTER_ENOMEM;
    place_sums(&self->all, self->block, n);
    place_sums(&self->old, self->block + sums_size(n), n);
    roster_mixture_reset(self);
    return ROSTER_OK;
}

void roster_mixture_fini(roster_mixture *self)
{
    free(self->prior);
    free(self->plays);
    free(self->kept);
    free(self->block);
}

void roster_mixture_reset(roster_mixture *self)
{
    self->t = 0;
    self->next = 1;
    self->count = self->first = 0;
    memset(self->block, 0, 2 * sums_size(self->n) * sizeof *self->block);
    for (size_t k = 0; k < self->n; k++) {
        self->plays[k] = 0;
        self->prior[k] = 1 / (double)self->n;
    }
}

/* Room for twice as many, but not for more than are kept; what is kept is in order until there is room for all. */
static int make_room(roster_mixture *self, size_t need)
{
    if (need <= self->capacity)
        return ROSTER_OK;
    size_t twice = roster_times(2, self->capacity), to = need > twice ? need : twice,
           width = self->n + ROSTER_MIXTURE_KEPT;
    to = to < self->memory ? to : self->memory;
    if (roster_extend(&self->kept, self->capacity, to, roster_times(width, sizeof *self->kept)) != ROSTER_OK)
        return ROSTER_ENOMEM;
    self->capacity = to;
    return ROSTER_OK;
}

int roster_mixture_reserve(roster_mixture *self, size_t rounds)
{
    size_t need = roster_plus(self->count, rounds);
    return make_room(self, need < self->memory ? need : self->memory);
}

/* One sample into the sums of every expert. */
static void add(const roster_mixture_sums *sums, size_t n, const double *sample)
{
    double y = sample[n + ROSTER_MIXTURE_Y], inverse = sample[n + ROSTER_MIXTURE_INVERSE];
    for (size_t i = 0; i < n; i++) {
        double w = sample[i] * inverse, w2 = w * w;
        roster_add(&sums->hi[0][i], &sums->lo[0][i], w);
        roster_add(&sums->hi[3][i], &sums->lo[3][i], w2);
        sums->top[i] = w > sums->top[i] ? w : sums->top[i];
    }
    for (size_t i = 0; y > 0 && i < n; i++) {
        double wy = sample[i] * inverse * y, w2y = sample[i] * inverse * wy;
        roster_add(&sums->hi[1][i], &sums->lo[1][i], wy);
        roster_add(&sums->hi[2][i], &sums->lo[2][i], wy * y);
        roster_add(&sums->hi[4][i], &sums->lo[4][i], w2y);
        roster_add(&sums->hi[5][i], &sums->lo[5][i], w2y * y);
    }
}

/* By the alpha of now. */
static void weigh(const roster_mixture *self, double *sample)
{
    double density = 0;
    for (size_t k = 0; k < self->n; k++)
        density += self->prior[k] * sample[k];
    sample[self->n + ROSTER_MIXTURE_INVERSE] = ((double)self->t + 1) / density;
}

void roster_mixture_reweigh(roster_mixture *self)
{
    memcpy(self->block, self->block + sums_size(self->n), sums_size(self->n) * sizeof *self->block);
    for (size_t j = 0; j < self->count; j++) {
        double *sample = roster_mixture_at(self, j);
        weigh(self, sample);
        add(&self->all, self->n, sample);
    }
    self->next = roster_mixture_next(self->t);
}

double *roster_mixture_slot(roster_mixture *self)
{
    if (self->count == self->memory) {
        add(&self->old, self->n, roster_mixture_at(self, 0));
        self->first = self->first + 1 < self->capacity ? self->first + 1 : 0;
        self->count--;
    }
    return roster_mixture_at(self, self->count++);
}

double *roster_mixture_keep(roster_mixture *self, const roster_sample *sample)
{
    double *slot = roster_mixture_slot(self), *behind = slot + self->n, largest = sample->pi[sample->k];
    for (size_t i = 0; i < self->n; i++)
        largest = sample->pi[i] > largest ? sample->pi[i] : largest;
    for (size_t i = 0; i < self->n; i++)
        slot[i] = sample->pi[i] / largest;
    behind[ROSTER_MIXTURE_Y] = sample->s;
    behind[ROSTER_MIXTURE_WHO] = (double)sample->k;
    behind[ROSTER_MIXTURE_CELL] = sample->cell != ROSTER_NO_CELL ? (double)sample->cell : ROSTER_MIXTURE_NONE;
    return slot;
}

int roster_mixture_absorb(roster_mixture *self, const roster_sample *sample)
{
    if (roster_mixture_reserve(self, 1) != ROSTER_OK)
        return ROSTER_ENOMEM;
    double *slot = roster_mixture_keep(self, sample);
    roster_mixture_count(self, sample->k, 1);
    if (self->t == self->next) {
        roster_mixture_reweigh(self);
    } else {
        weigh(self, slot);
        add(&self->all, self->n, slot);
    }
    return ROSTER_OK;
}

void roster_mixture_count(roster_mixture *self, size_t k, uint64_t plays)
{
    self->plays[k] += plays;
    self->prior[k] = (double)self->plays[k] + 1 / (double)self->n;
    self->t += plays;
}

/* What all indices of a round have in common. */
typedef struct moment {
    double t1;    /* t + 1                         */
    double level; /* eta ell(t): the least L       */
    double least; /* exp(level): no ln below       */
} moment;

static moment now(const roster_mixture *self)
{
    double t = (double)self->t, ln_t = self->t > 1 ? roster_ln(t) : 0;
    double level = self->eta * roster_ln(1 + t * ln_t * ln_t);
    return (moment){t + 1, level, roster_exp(level)};
}

static roster_mixture_view view(const roster_mixture *self, const moment *at, size_t i)
{
    double s[ROSTER_MIXTURE_SUMS];
    for (size_t j = 0; j < ROSTER_MIXTURE_SUMS; j++)
        s[j] = self->all.hi[j][i] + self->all.lo[j][i];
    double S1 = s[0] + 1, mu = (s[1] + 0.5) / S1;
    double first = s[2] - 2 * mu * s[1] + mu * mu * s[0], second = s[5] - 2 * mu * s[4] + mu * mu * s[3];
    /* Where all rewards are alike, rounding can leave less than nothing. */
    double z = ((first > 0 ? first : 0) + 0.25) / S1, V = ((second > 0 ? second : 0) + 0.25) / (S1 * S1);
    double b = (self->all.top[i] + 1) / at->t1, ratio = at->t1 * V / (self->kappa * z);
    double L = ratio > at->least ? roster_ln(ratio) : at->level;
    return (roster_mixture_view){mu, sqrt(2 * L * V + L * L * b * b), s[3] > 0 ? s[0] * s[0] / s[3] : 0};
}

void roster_mixture_indices(const roster_mixture *self, double *u)
{
    moment at = now(self);
    for (size_t i = 0; i < self->n; i++) {
        roster_mixture_view seen = view(self, &at, i);
        u[i] = self->t > 0 ? seen.mean + seen.width : INFINITY;
    }
}

roster_mixture_view roster_mixture_look(const roster_mixture *self, size_t i)
{
    moment at = now(self);
    return view(self, &at, i);
}
