/*
 * arms.c: what UCB and KL-UCB share.
 *
 * Paper: none.
 *
 *   f(t) = 1 + t ln^2 t;  every expert once first, then the largest score(mean_i, n_i, ln f(t))
 *
 * An expert not yet played has an infinite index, so that the smallest such goes next.
 *
 * Not every score is computed in every round. An arm that is not played moves with ln f(t) alone, and as a function of
 * that scores are concave: with u_i the score at ln f = at_i and slope_i its derivative there,
 *
 *   u_i(t) <= u_i + slope_i (ln f(t) - at_i)                                                                       (1)
 *
 * ever after. Only those are computed whose bound reaches the largest score of now: one or two per round.
 *
 * How long the leader k is certain (hold.h): in B rounds of k
 *
 *   f(t+b)/f(t) <= (1 + b/t)(1 + b/(t ln t))^2,  so  ln f(t+b) <= ln f(t) + b/t (1 + 2/ln t)                       (2)
 *
 * and (1) bound the others by some H. The leader's index is at least score(mean, n_k + B, ln f(t)), which is above H
 * while its mean is above some m, that is while s_k - m n_k > 0: the slack, which each round changes by its reward - m.
 *
 * Cost: O(N) comparisons and a few scores per round.
 * Check: after n = (2, 1, 2) the order of first plays was 0, 1, 2 (tests/test_agents.c: arms_start_in_order); choices
 *        equal the largest index in every round (tests/test_hold.c: random_instances).
 */
#include "arms.h"

#include <stdlib.h>

static const double SHARE = 0.125; /* of t that a hold may last */

static roster_arm arm_now(const roster_arms *self, size_t i)
{
    double plays = (double)self->tally.plays[i];
    roster_arm arm = {.u = INFINITY, .at = self->ln_f};
    if (plays > 0)
        arm.u = self->score(roster_tally_mass(&self->tally, i) / plays, plays, self->ln_f, &arm.slope);
    return arm;
}

/* (1); an index that is not of now a little more, so that it is computed where rounding could decide. */
static double bound_at(const roster_arm *arm, double ln_f)
{
    return arm->at == ln_f ? arm->u : arm->u + arm->slope * (ln_f - arm->at) + roster_tie(arm->u);
}

/* What an index or a bound must reach to lead or tie with `most`. */
static double least_to_tie(double most)
{
    return most < INFINITY ? most - roster_tie(most) : most;
}

/* Computes whoever may lead or tie; the first of those that do leads. The last leader comes first, since it is the most
   likely to rule the others out. */
static void find_leader(roster_arms *self)
{
    roster_arm *arms = self->arms;
    arms[self->leader] = arm_now(self, self->leader);
    double most = arms[self->leader].u;
    for (size_t i = 0; i < self->tally.n; i++) {
        if (arms[i].at != self->ln_f && bound_at(&arms[i], self->ln_f) >= least_to_tie(most))
            arms[i] = arm_now(self, i);
        most = arms[i].at == self->ln_f && arms[i].u > most ? arms[i].u : most;
    }
    self->leader = 0;
    while (arms[self->leader].at != self->ln_f || arms[self->leader].u < least_to_tie(most))
        self->leader++;
}

static void refresh(roster_arms *self)
{
    double t = (double)self->tally.t;
    self->ln_t = t > 0 ? roster_ln(t) : 0;
    self->ln_f = roster_ln(1 + t * self->ln_t * self->ln_t);
    find_leader(self);
}

/* After something was learnt about expert i. */
static void forget(roster_arms *self, size_t i)
{
    self->arms[i] = (roster_arm){.u = INFINITY, .at = -1}; /* before all time: to be computed */
}

static void forget_all(roster_arms *self)
{
    for (size_t i = 0; i < self->tally.n; i++)
        forget(self, i);
}

/* One cell per expert, in the experts' order. */
static void restart(roster_arms *self)
{
    roster_tally_reset(&self->tally);
    for (size_t i = 0; i < self->tally.n; i++)
        self->tally.first[i] = roster_tally_append(&self->tally);
    forget_all(self);
    refresh(self);
}

int roster_arms_init(roster_arms *self, size_t n, roster_score score, roster_mean_for mean_for)
{
    self->score = score;
    self->mean_for = mean_for;
    self->arms = roster_alloc(n, sizeof *self->arms);
    if (roster_tally_init(&self->tally, n, 1) != ROSTER_OK || self->arms == NULL ||
        roster_tally_reserve(&self->tally, n) != ROSTER_OK)
        return ROSTER_ENOMEM;
    restart(self);
    return ROSTER_OK;
}

void roster_arms_fini(void *self)
{
    roster_arms *a = self;
    roster_tally_fini(&a->tally);
    free(a->arms);
}

void roster_arms_reset(void *self)
{
    restart(self);
}

int roster_arms_reserve(void *self, size_t rounds)
{
    (void)self;
    (void)rounds;
    return ROSTER_OK;
}

int roster_arms_learn(void *self, const roster_sample *sample)
{
    roster_arms *a = self;
    roster_tally_add(&a->tally, sample->k, 1, sample->s);
    roster_tally_count(&a->tally, sample->k, 1);
    forget(a, sample->k);
    refresh(a);
    return ROSTER_OK;
}

int roster_arms_learn_pile(void *self, const roster_pile *pile)
{
    roster_arms *a = self;
    roster_tally_add(&a->tally, pile->k, pile->n, pile->s);
    roster_tally_count(&a->tally, pile->k, pile->n);
    forget(a, pile->k);
    refresh(a);
    return ROSTER_OK;
}

/* H of the head comment. */
static double highest_rival(const roster_arms *self, double ln_f)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < self->tally.n; i++) {
        double bound = bound_at(&self->arms[i], ln_f);
        highest = i != self->leader && bound > highest ? bound : highest;
    }
    return highest;
}

void roster_arms_hold(void *self, roster_hold *hold)
{
    const roster_arms *a = self;
    size_t k = a->leader;
    double t = (double)a->tally.t, plays = (double)a->tally.plays[k], s = roster_tally_mass(&a->tally, k);
    roster_hold_briefly(hold, k);
    double margin = a->arms[k].u - highest_rival(a, a->ln_f), width = a->arms[k].u - s / plays;
    /* About the rounds that cost half of the margin, by the shrinking of the leader's width alone. */
    double rounds = width > 0 ? margin * plays / width : t;
    rounds = rounds < SHARE * t ? rounds : SHARE * t;
    if (!(rounds >= 4))
        return;
    double rival = highest_rival(a, a->ln_f + rounds / t * (1 + 2 / a->ln_t));
    double mean = a->mean_for(rival + 2 * roster_tie(rival), plays + rounds, a->ln_f), slack = s - mean * plays;
    if (!(slack > 0))
        return;
    hold->rounds = 1 + (uint64_t)rounds;
    hold->slack = slack;
    hold->cost = mean;
}

size_t roster_arms_choose(const void *self)
{
    return ((const roster_arms *)self)->leader;
}

void roster_arms_index(const void *self, double *u)
{
    const roster_arms *a = self;
    for (size_t i = 0; i < a->tally.n; i++)
        u[i] = arm_now(a, i).u;
}

void roster_arms_look(const void *self, size_t i, roster_insight *out)
{
    const roster_arms *a = self;
    double plays = (double)a->tally.plays[i];
    out->samples = plays;
    out->clipped = 0;
    if (plays == 0)
        return;
    out->estimate = roster_tally_mass(&a->tally, i) / plays;
    out->width = arm_now(a, i).u - out->estimate;
}

void roster_arms_save(const void *self, roster_writer *w)
{
    roster_tally_save(&((const roster_arms *)self)->tally, w);
}

int roster_arms_load(void *self, roster_reader *r)
{
    roster_arms *a = self;
    roster_tally_reset(&a->tally);
    int code = roster_tally_load(&a->tally, r);
    for (size_t i = 0; i < a->tally.n; i++)
        r->failed |= a->tally.first[i] != i;
    forget_all(a);
    if (code == ROSTER_OK && !r->failed)
        refresh(a);
    return code;
}

int roster_arms_merge(void *self, const void *from)
{
    roster_arms *a = self;
    const roster_tally *other = &((const roster_arms *)from)->tally;
    for (size_t i = 0; i < other->n; i++) {
        roster_tally_add(&a->tally, i, other->cells[i].n, roster_tally_mass(other, i));
        roster_tally_count(&a->tally, i, other->plays[i]);
    }
    forget_all(a);
    refresh(a);
    return ROSTER_OK;
}
