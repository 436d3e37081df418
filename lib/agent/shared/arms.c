/*
 * arms.c: what UCB and KL-UCB share.
 *
 * Paper: none.
 *
 *   f(t) = 1 + t ln^2 t;  every expert once first, then the largest score(mean_i, n_i, ln f(t))
 *
 * An expert not yet played has an infinite index, so that the smallest such goes next.
 *
 * Scores are computed of arms that played, and of others only where it matters. An arm that is not played moves with
 * ln f(t) alone: when that has grown by x since the score u_i was computed,
 *
 *   u_i + slope_i x - bend_i x^2 <= u_i(t) <= u_i + slope_i x                                                 (1), (2)
 *
 * with slope_i the derivative by ln f then, since scores are concave in it, and bend_i at least half of how fast that
 * falls. An arm that leads by (1) over all others by (2) leads. If none does, those that may are computed. They also
 * are when x has grown so much that (1) and (2) are far apart next to the lead: a vague lead is a short certificate.
 *
 * How long the leader k is certain (certificate.h): in B rounds of k
 *
 *   f(t+b)/f(t) <= (1 + b/t)(1 + b/(t ln t))^2,  so  ln f(t+b) <= ln f(t) + b/t (1 + 2/ln t)                       (3)
 *
 * and (2) bound the others by some H. The leader's index is at least score(mean, n_k + B, ln f(t)), which is above H
 * while its mean is above some m, that is while s_k - m n_k > 0: the slack, which each round changes by its reward - m.
 * B is paid for at once, by a smaller slack: it is chosen such that half of the lead is left to chance.
 *
 * Decisions whose rewards are still to come, w_i of expert i, W in all, count as plays of which nothing is known:
 *
 *   score(mean_i, n_i + w_i, ln f(t + W)), the mean as learnt;  an arm without a mean comes first, by the fewest
 *   waiting
 *
 * Ties are drawn among those with the fewest waiting. Without any that wait this is the leader.
 *
 * Cost: 2 N comparisons, one score and two logarithms per stretch of rounds.
 * Check: after n = (2, 1, 2) the order of first plays was 0, 1, 2 (tests/unit/test_agents.c: arms_start_in_order);
 *        choices are the largest index in every round (tests/unit/test_certificate.c: arms_stay_within_bounds).
 */
#include "arms.h"

#include "waiting.h"

#include <stdlib.h>
#include <string.h>

static const double SPEND = 0.5;   /* of the lead, to be certain for many rounds              */
static const double VAGUE = 0.125; /* of the lead: bounds farther apart are worth two scores  */

static void compute(roster_arms *self, size_t i)
{
    roster_arm *arm = &self->arms[i];
    double plays = (double)self->tally.plays[i];
    self->score(arm, roster_tally_mass(&self->tally, i) / plays, plays, self->ln_f);
}

/* By how much (1) and (2) differ: 0 for an index of now. */
static double vagueness(const roster_arm *arm, double ln_f)
{
    double passed = ln_f - arm->at;
    return arm->bend * passed * passed;
}

/* (2); an index that is not of now a little more, so that it is computed where rounding could decide. */
static double upper(const roster_arm *arm, double ln_f)
{
    return arm->at == ln_f ? arm->u : arm->u + arm->slope * (ln_f - arm->at) + roster_tie(arm->u);
}

/* (1), in the same way. */
static double lower(const roster_arm *arm, double ln_f)
{
    double line = arm->u + arm->slope * (ln_f - arm->at) - vagueness(arm, ln_f);
    return arm->at == ln_f ? arm->u : line - roster_tie(arm->u);
}

/* What an index or a bound must reach to tie with `most`. */
static double least_to_tie(double most)
{
    return most - roster_tie(most);
}

static bool is_retired(const roster_arms *self, size_t i)
{
    return roster_is_retired(self->experts, i);
}

static bool is_unknown(const void *self, size_t i)
{
    return ((const roster_arms *)self)->tally.plays[i] == 0 && !is_retired(self, i);
}

/* The two that are largest by (2). The leader is certain only if `low` says so. */
static void rank(roster_arms *self)
{
    double most = -INFINITY, next = -INFINITY;
    size_t first = roster_experts_active_at(self->experts, 0), second = first;
    for (size_t i = 0; i < self->tally.n; i++) {
        double bound = is_retired(self, i) ? -INFINITY : upper(&self->arms[i], self->ln_f);
        if (bound > most) {
            next = most;
            second = first;
            most = bound;
            first = i;
        } else if (bound > next) {
            next = bound;
            second = i;
        }
    }
    self->leader = first;
    self->second = second;
    self->low = lower(&self->arms[first], self->ln_f);
    self->rival = next;
}

/* Where bounds do not decide: computes those that may lead or tie; the first of those that do leads. */
static void settle(roster_arms *self)
{
    roster_arm *arms = self->arms;
    size_t first = self->leader;
    compute(self, first);
    double most = arms[first].u;
    for (size_t i = 0; i < self->tally.n; i++) {
        if (is_retired(self, i))
            continue;
        if (arms[i].at != self->ln_f && upper(&arms[i], self->ln_f) >= least_to_tie(most))
            compute(self, i);
        most = arms[i].at == self->ln_f && arms[i].u > most ? arms[i].u : most;
    }
    self->leader = 0;
    while (is_retired(self, self->leader) || arms[self->leader].at != self->ln_f ||
           arms[self->leader].u < least_to_tie(most))
        self->leader++;
    self->low = arms[self->leader].u;
    self->rival = most; /* too near for a certificate */
}

/* By bounds, which are brought up to date where they say little; if they do not decide, by scores. */
static void find_leader(roster_arms *self)
{
    rank(self);
    double vague = vagueness(&self->arms[self->leader], self->ln_f) + vagueness(&self->arms[self->second], self->ln_f);
    double lead = self->low - self->rival;
    if (vague > VAGUE * (lead > 0 ? lead : 0)) {
        compute(self, self->leader);
        compute(self, self->second);
        rank(self);
    }
    if (!(self->rival < least_to_tie(self->low)))
        settle(self);
}

static double log_f(double t, double *ln_t)
{
    *ln_t = t > 0 ? roster_ln(t) : 0;
    return roster_ln(1 + t * *ln_t * *ln_t);
}

static void set_time(roster_arms *self)
{
    self->ln_f = log_f((double)self->tally.t, &self->ln_t);
}

/* After something was learnt about many, or while some are not yet played and the first of these leads. */
static void refresh_all(roster_arms *self)
{
    set_time(self);
    self->leader = 0;
    while (self->leader < self->tally.n && !is_unknown(self, self->leader))
        self->leader++;
    self->all_played = self->leader == self->tally.n;
    for (size_t i = 0; i < self->tally.n && self->all_played; i++) {
        self->arms[i] = (roster_arm){.u = 0};
        if (!is_retired(self, i))
            compute(self, i);
    }
    if (self->all_played)
        find_leader(self);
}

/* After something was learnt about expert k. */
static void refresh(roster_arms *self, size_t k)
{
    if (!self->all_played) {
        refresh_all(self);
        return;
    }
    set_time(self);
    if (!is_retired(self, k))
        compute(self, k);
    find_leader(self);
}

static void restart(roster_arms *self)
{
    roster_tally_reset_arms(&self->tally);
    refresh_all(self);
}

int roster_arms_init(roster_arms *self, const roster_experts *experts, roster_score score, roster_mean_for mean_for,
                     roster_may_reach may_reach)
{
    self->experts = experts;
    self->score = score;
    self->mean_for = mean_for;
    self->may_reach = may_reach;
    self->arms = roster_alloc(experts->n, sizeof *self->arms);
    if (roster_tally_init_arms(&self->tally, experts->n) != ROSTER_OK || self->arms == NULL)
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

int roster_arms_learn(void *self, const roster_sample *sample)
{
    roster_arms *a = self;
    roster_tally_learn_arm(&a->tally, sample->k, 1, sample->s);
    refresh(a, sample->k);
    return ROSTER_OK;
}

static int learn_batch(void *self, const roster_batch *batch)
{
    roster_arms *a = self;
    roster_tally_learn_arm(&a->tally, batch->k, batch->n, batch->s);
    refresh(a, batch->k);
    return ROSTER_OK;
}

/* H of the head comment. */
static double highest_rival(const roster_arms *self, double ln_f)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < self->tally.n; i++) {
        double bound = upper(&self->arms[i], ln_f);
        highest = i != self->leader && bound > highest ? bound : highest;
    }
    return highest;
}

/* B: what B rounds take from the lead is, to first order, what the leader's width loses and what the second gains. */
static double rounds_to_hold(const roster_arms *self, const roster_arm *arm, double pace)
{
    double lead = (self->low - self->rival) * arm->plays;
    double drift = arm->slope * self->ln_f + self->arms[self->second].slope * pace * arm->plays;
    double rounds = SPEND * lead / drift, most = ROSTER_SHARE * (double)self->tally.t;
    return rounds < most ? rounds : most;
}

static void certify(void *self, roster_certificate *certificate)
{
    const roster_arms *a = self;
    const roster_arm *arm = &a->arms[a->leader];
    roster_certificate_for_one_round(certificate, a->leader);
    if (!a->all_played || !(a->low > a->rival))
        return;
    double pace = (1 + 2 / a->ln_t) / (double)a->tally.t, rounds = rounds_to_hold(a, arm, pace);
    if (!(rounds >= 1))
        return;
    double rival = highest_rival(a, a->ln_f + rounds * pace);
    double mean = a->mean_for(arm, rival + 2 * roster_tie(rival), a->low, rounds, a->ln_f);
    double slack = roster_tally_mass(&a->tally, a->leader) - mean * arm->plays;
    if (!(slack > 0))
        return;
    certificate->rounds = 1 + (uint64_t)rounds;
    certificate->slack = slack;
    certificate->cost = mean;
}

size_t roster_arms_choose(const void *self)
{
    return ((const roster_arms *)self)->leader;
}

/* The index of an expert that was played, and then w times more of which nothing is known. */
static double score_waiting(const roster_arms *self, size_t i, uint64_t w, double ln_f)
{
    roster_arm arm = self->all_played ? self->arms[i] : (roster_arm){.u = 0};
    double plays = (double)self->tally.plays[i];
    self->score(&arm, roster_tally_mass(&self->tally, i) / plays, plays + (double)w, ln_f);
    return arm.u;
}

/* Whether that may be at least u: most often it is clear that it is not, and a score would be wasted. */
static bool may_reach(const roster_arms *self, size_t i, uint64_t w, double ln_f, double u)
{
    double plays = (double)self->tally.plays[i];
    return self->may_reach == NULL ||
           self->may_reach(roster_tally_mass(&self->tally, i) / plays, plays + (double)w, ln_f, u);
}

/* What a search among those that may be chosen rests on. */
typedef struct candidates {
    const roster_arms *arms;
    const uint64_t *waiting;
    double ln_f, least;
} candidates;

static bool is_tied(const void *self, size_t i)
{
    const candidates *c = self;
    return !is_retired(c->arms, i) && may_reach(c->arms, i, c->waiting[i], c->ln_f, c->least) &&
           score_waiting(c->arms, i, c->waiting[i], c->ln_f) >= c->least;
}

size_t roster_arms_choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const roster_arms *a = self;
    size_t n = a->tally.n, best = 0;
    double sum = roster_waiting_sum(waiting, n), most = -INFINITY, next = -INFINITY;
    if (sum == 0)
        return a->leader;
    if (!a->all_played)
        return roster_waiting_fewest(a, is_unknown, n, waiting, u);
    double ln_t, ln_f = log_f((double)a->tally.t + sum, &ln_t);
    for (size_t i = 0; i < n; i++) {
        if (is_retired(a, i) || !may_reach(a, i, waiting[i], ln_f, least_to_tie(most)))
            continue;
        double score = score_waiting(a, i, waiting[i], ln_f);
        next = fmax(next, fmin(score, most));
        best = score > most ? i : best;
        most = fmax(most, score);
    }
    if (next < least_to_tie(most))
        return best;
    candidates tied = {a, waiting, ln_f, least_to_tie(most)};
    return roster_waiting_fewest(&tied, is_tied, n, waiting, u);
}

void roster_arms_index_waiting(const void *self, const uint64_t *waiting, double *u)
{
    const roster_arms *a = self;
    double ln_t, ln_f = log_f((double)a->tally.t + roster_waiting_sum(waiting, a->tally.n), &ln_t);
    for (size_t i = 0; i < a->tally.n; i++)
        u[i] = a->tally.plays[i] == 0 ? INFINITY : score_waiting(a, i, waiting[i], ln_f);
    roster_experts_mask(a->experts, u);
}

static double index_of(const roster_arms *self, size_t i)
{
    roster_arm arm = {.u = 0};
    double plays = (double)self->tally.plays[i];
    if (plays == 0)
        return INFINITY;
    self->score(&arm, roster_tally_mass(&self->tally, i) / plays, plays, self->ln_f);
    return arm.u;
}

void roster_arms_index(const void *self, double *u)
{
    const roster_arms *a = self;
    for (size_t i = 0; i < a->tally.n; i++)
        u[i] = index_of(a, i);
    roster_experts_mask(a->experts, u);
}

void roster_arms_insight(const void *self, size_t i, roster_insight *out)
{
    const roster_arms *a = self;
    double plays = (double)a->tally.plays[i];
    out->samples = plays;
    out->clipped = 0;
    if (plays == 0)
        return;
    out->estimate = roster_tally_mass(&a->tally, i) / plays;
    out->width = index_of(a, i) - out->estimate;
}

void roster_arms_save(const void *self, roster_writer *w)
{
    roster_tally_save(&((const roster_arms *)self)->tally, w);
}

int roster_arms_load(void *self, roster_reader *r)
{
    roster_arms *a = self;
    int code = roster_tally_load_arms(&a->tally, r);
    if (code == ROSTER_OK && !r->failed)
        refresh_all(a);
    return code;
}

int roster_arms_merge(void *self, const void *from)
{
    roster_arms *a = self;
    roster_tally_merge_arms(&a->tally, &((const roster_arms *)from)->tally);
    refresh_all(a);
    return ROSTER_OK;
}

int roster_arms_adopt(void *self, const void *from, size_t n)
{
    (void)n;
    return roster_arms_merge(self, from);
}

int roster_arms_learn_tally(void *self, const roster_tally_row *rows, size_t n)
{
    roster_arms *a = self;
    roster_tally_learn_rows(&a->tally, rows, n);
    refresh_all(a);
    return ROSTER_OK;
}

/* The lazy state is another roster_arms. */
static int lazy_start(void *lazy, const void *self)
{
    roster_arms *a = lazy;
    const roster_arms *from = self;
    if (roster_arms_init(a, from->experts, from->score, from->mean_for, from->may_reach) != ROSTER_OK ||
        roster_tally_copy(&a->tally, &from->tally) != ROSTER_OK)
        return ROSTER_ENOMEM;
    memcpy(a->arms, from->arms, from->tally.n * sizeof *a->arms);
    a->ln_t = from->ln_t;
    a->ln_f = from->ln_f;
    a->leader = from->leader;
    a->second = from->second;
    a->low = from->low;
    a->rival = from->rival;
    a->all_played = from->all_played;
    return ROSTER_OK;
}

static int lazy_finish(void *lazy, void *self)
{
    roster_arms before = *(roster_arms *)self;
    *(roster_arms *)self = *(roster_arms *)lazy;
    *(roster_arms *)lazy = before;
    return ROSTER_OK;
}

const roster_agent_lazy roster_arms_lazy = {
    .state_size = sizeof(roster_arms),
    .start = lazy_start,
    .stop = roster_arms_fini,
    .certify = certify,
    .learn_batch = learn_batch,
    .finish = lazy_finish,
};
