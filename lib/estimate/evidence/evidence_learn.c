/*
 * evidence_learn.c: what one round says about every expert.
 *
 * Paper: Beyond 15 (rounds).
 *
 *   q      probability of the action: pi_k of the expert that acted, or sum_k choice_k pi_k where it was drawn
 *   w      pi_i(v, x) / q;  m, g_i: baseline (evidence_means.c)
 *   R      the largest w there could have been: R_ik; where k was drawn the smaller of 1 / choice_i and
 *          R_ij / choice_j, j the most likely expert
 *   tau    max(10, 0.3 sqrt t)
 *   psi    R <= max(20, tau):  g_i + w (y - m) on both sides, whose mean is the value             B = R + 1
 *          else weights above tau count as tau, with baseline 0 from below and 1 from above:      B = tau + 1
 *            from below  g_i - sum of pi_i m over such actions,        + tau y        or + w (y - m)
 *            from above  g_i + sum of pi_i (1 - m) over such actions,  + tau (y - 1)  or + w (y - m)
 *          where only the probabilities of the action taken are known (external), the baseline is 0 or 1 for all:
 *            from below  min(w, tau) y        from above  1 - min(w, tau) (1 - y)                 B = 1
 *   versus psi of i from above less psi of the reference from below                               B = larger one + 1
 *   lost   sum_v max(0, pi_i - tau q), external: 1 - min(w, tau): what clipping leaves out of i, about
 *
 * Clipped rounds pull the bounds apart by lost times the reward. They count only while their mean loss in earlier
 * rounds of the same k, times the mean reward (from above: times 1 less that) is at most half of what lies between
 * estimate and bound. All this is decided from what was known before the round.
 *
 * Cost: O(N), and V more for each expert whose weights are clipped; O(N V) where k was drawn and some are clipped.
 * Departs: the smaller of two of the N bounds R_ij / choice_j; all of them would cost O(N^2).
 * Check: the literal form at every round (tests/unit/test_evidence.c: equals_literal).
 */
#include "event.h"
#include "evidence_internal.h"

static const double FULL = 20, CLIP = 10, CLIP_GROWTH = 0.3;

/* tau of round t + 1. */
static double clip_level(uint64_t t)
{
    double tau = CLIP_GROWTH * sqrt((double)(t + 1));
    return tau > CLIP ? tau : CLIP;
}

double roster_evidence_reach(uint64_t t, double ratio)
{
    double tau = clip_level(t);
    return ratio <= (tau > FULL ? tau : FULL) ? ratio : tau;
}

static int check_choice(const roster_event *event, size_t n, roster_error *err)
{
    int code = roster_check_distribution(event->choice, n, "event.choice", err);
    if (code == ROSTER_OK && event->choice[event->expert] == 0)
        return roster_fail(err, ROSTER_EINVAL, "event.choice[%zu] is 0, but expert %zu acted", event->expert,
                           event->expert);
    return code;
}

static double mixture(const double *choice, const double *pi, size_t n)
{
    double q = 0;
    for (size_t i = 0; i < n; i++)
        q += choice[i] * pi[i];
    return q;
}

/* Softmax experts are evaluated at all actions, into the scratch; of tables they are there. */
static int evaluate(const roster_evidence *self, const roster_event *event, roster_evidence_round *round,
                    roster_error *err)
{
    const roster_experts *e = self->experts;
    int code = roster_event_check_payload(e, event, err);
    if (code != ROSTER_OK)
        return code;
    if (e->kind == ROSTER_TABLES)
        round->all = roster_experts_across(e, event->context, 0);
    if (e->kind == ROSTER_SOFTMAX) {
        roster_experts_all_at(e, event->features, self->scratch + 2 * e->v, self->scratch + 3 * e->v);
        round->all = self->scratch + 3 * e->v;
    }
    round->pi = round->all != NULL ? round->all + event->action * e->n : event->probabilities;
    code = roster_event_possible(event, round->pi[event->expert], err);
    round->q = event->choice != NULL ? mixture(event->choice, round->pi, e->n) : round->pi[event->expert];
    return code;
}

/* tau q and m of every action, where some expert is clipped. */
static void fill_rows(roster_evidence *self, const roster_event *event, roster_evidence_round *round)
{
    double *caps = self->scratch, *m = caps + round->v;
    round->caps = caps;
    round->m_row = m;
    if (round->all == NULL || !(round->ratio[self->up] * round->unlikely > round->full))
        return;
    for (size_t v = 0; v < round->v; v++) {
        const double *pi = round->all + v * round->n;
        double q = round->choice != NULL ? mixture(round->choice, pi, round->n) : pi[event->expert];
        caps[v] = round->tau * q;
        m[v] = roster_means_of(&self->state.means, event->context * round->v + v);
    }
}

/* All that the round needs memory for. */
static int open_columns(roster_evidence *self, const roster_event *event, roster_evidence_round *round)
{
    size_t n = self->experts->n, k = event->choice != NULL ? roster_largest(event->choice, n) : event->expert;
    size_t column = event->choice != NULL ? n : event->expert;
    round->unlikely = event->choice != NULL ? 1 / event->choice[k] : 1;
    if (roster_evidence_open(self, &self->state, column) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (roster_reach_open(&self->ratio[k], self->experts, k, NULL, 0) != ROSTER_OK ||
        roster_past_open(&self->state.past, event->expert) != ROSTER_OK)
        return ROSTER_ENOMEM;
    round->ratio = self->ratio[k];
    round->spread = &self->state.spread[column];
    return ROSTER_OK;
}

static int learn_all(roster_evidence *self, const roster_event *event, roster_evidence_round *round)
{
    roster_means *means = &self->state.means;
    size_t cell = event->context * round->v + event->action;
    if (open_columns(self, event, round) != ROSTER_OK)
        return ROSTER_ENOMEM;
    round->tau = clip_level(self->state.t);
    round->full = round->tau > FULL ? round->tau : FULL;
    round->mean = roster_means_all(means);
    round->share = 1 / ((double)(int64_t)round->spread->plays + 1);
    round->m = roster_means_of(means, cell);
    round->surprise = round->y - round->m;
    round->g = roster_means_row(means, event->context);
    fill_rows(self, event, round);
    self->simd->learn(self, round);
    round->spread->plays++;
    roster_means_add(means, cell, event->reward);
    roster_past_add(&self->state.past, event->expert, cell, event->reward);
    return ROSTER_OK;
}

/* The reward of its own round is all that an expert is told. */
static int learn_own(roster_evidence *self, const roster_event *event)
{
    size_t k = event->expert;
    if (roster_evidence_open(self, &self->state, k) != ROSTER_OK)
        return ROSTER_ENOMEM;
    self->simd->learn_own(self, k, event->reward);
    roster_means_add(&self->state.means, 0, event->reward);
    self->state.spread[k].plays++;
    return ROSTER_OK;
}

int roster_evidence_learn(roster_evidence *self, const roster_event *event, roster_error *err)
{
    const roster_experts *e = self->experts;
    roster_evidence_round round = {.n = e->n, .v = e->v, .y = event->reward, .choice = event->choice};
    int code = roster_event_check(e, event, err);
    if (code == ROSTER_OK && event->choice != NULL)
        code = check_choice(event, e->n, err);
    if (code == ROSTER_OK && !self->own)
        code = evaluate(self, event, &round, err);
    if (code != ROSTER_OK)
        return code;
    double t = (double)(self->state.t + 1);
    self->clock = t * roster_ln(1 + t);
    if ((self->own ? learn_own(self, event) : learn_all(self, event, &round)) != ROSTER_OK)
        return roster_fail_memory(err);
    self->state.t++;
    roster_evidence_judge(self, &self->state);
    return ROSTER_OK;
}
