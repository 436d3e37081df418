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

/* One round, as far as it is the same for all experts. */
typedef struct round_facts {
    size_t n, v;
    const double *all; /* pi of every action there, [v][n]; NULL: not known */
    const double *pi;  /* of the action taken, across the experts           */
    double q, y, m;
    const double *g; /* NULL: m */
    const double *choice;
    size_t column;               /* k, or N where k was drawn                   */
    const double *ratio;         /* R of k's rounds, or of the most likely one's */
    double likely;               /* how likely that was                         */
    double tau, full;            /* clip level; up to which R nothing is clipped */
    const double *q_row, *m_row; /* q and m of every action                     */
} round_facts;

/* What a round says about one expert: psi from below and from above. */
typedef struct view {
    double low, high;
    double reach; /* of the weights, as far as B needs it */
    double prior; /* R                                    */
    double lost;  /* by clipping                          */
    bool clipped;
} view;

/* The probabilities of all actions are known. */
static view clip_cells(const round_facts *round, size_t i, view at)
{
    at.low = at.high = round->g != NULL ? round->g[i] : round->m;
    at.reach = round->tau;
    for (size_t v = 0; v < round->v; v++) {
        double pi = round->all[v * round->n + i], over = pi - round->tau * round->q_row[v];
        if (over > 0) {
            at.low -= pi * round->m_row[v];
            at.high += pi * (1 - round->m_row[v]);
            at.lost += over;
        }
    }
    bool over = round->pi[i] - round->tau * round->q > 0;
    double correction = round->pi[i] / round->q * (round->y - round->m);
    at.low += over ? round->tau * round->y : correction;
    at.high += over ? round->tau * (round->y - 1) : correction;
    return at;
}

static view clip_weight(const round_facts *round, size_t i, view at)
{
    double w = round->pi[i] / round->q;
    w = w < round->tau ? w : round->tau;
    at.low = w * round->y;
    at.high = 1 - w * (1 - round->y);
    at.lost = 1 - w;
    return at;
}

static view view_of(const round_facts *round, size_t i)
{
    double ratio = round->ratio[i] / round->likely;
    if (round->choice != NULL && ratio * round->choice[i] > 1)
        ratio = 1 / round->choice[i];
    view at = {.prior = ratio, .clipped = ratio > round->full};
    if (at.clipped)
        return round->all != NULL ? clip_cells(round, i, at) : clip_weight(round, i, at);
    at.low = at.high = (round->g != NULL ? round->g[i] : round->m) + round->pi[i] / round->q * (round->y - round->m);
    at.reach = ratio;
    return at;
}

/* Whether a clipped round of this column is worth counting on this side. */
static bool counts(const roster_evidence *self, const round_facts *round, int side, size_t i, const view *at)
{
    const roster_evidence_state *state = &self->state;
    const roster_spread *spread = &state->spread[round->column];
    if (!at->clipped)
        return true;
    double lost = (spread->lost[i] + 0.5) / ((double)spread->plays + 1), value = roster_process_value(state, i);
    double reward = roster_means_all(&state->means);
    double room =
        side == ROSTER_LOW ? value - roster_process_low(self, state, i) : roster_process_high(self, state, i) - value;
    room = room < 0.5 ? room : 0.5;
    return lost * (side == ROSTER_LOW ? reward : 1 - reward) <= room / 2 + 1e-9;
}

/* reference: NULL where the round does not count for it from below. */
static void learn_expert(roster_evidence *self, const round_facts *round, size_t i, const view *reference)
{
    view at = view_of(round, i);
    bool low = counts(self, round, ROSTER_LOW, i, &at), high = counts(self, round, ROSTER_HIGH, i, &at);
    if (low)
        roster_process_learn(self, ROSTER_LOW, i, round->column, (roster_evidence_step){at.low, at.reach, at.prior});
    if (high)
        roster_process_learn(self, ROSTER_HIGH, i, round->column, (roster_evidence_step){at.high, at.reach, at.prior});
    if (high && reference != NULL && i != self->state.leader)
        roster_process_learn(self, ROSTER_VERSUS, i, round->column,
                             (roster_evidence_step){at.high - reference->low, fmax(at.reach, reference->reach),
                                                    fmax(at.prior, reference->prior)});
    self->state.spread[round->column].lost[i] += at.lost;
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
static int evaluate(const roster_evidence *self, const roster_event *event, round_facts *round, roster_error *err)
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

/* q and m of every action, where some expert is clipped. */
static void fill_rows(roster_evidence *self, const roster_event *event, round_facts *round)
{
    double *q = self->scratch, *m = q + round->v;
    bool clipped = false;
    for (size_t i = 0; i < round->n && !clipped; i++)
        clipped = round->ratio[i] / round->likely > round->full;
    for (size_t v = 0; v < round->v && clipped && round->all != NULL; v++) {
        const double *pi = round->all + v * round->n;
        q[v] = round->choice != NULL ? mixture(round->choice, pi, round->n) : pi[event->expert];
        m[v] = roster_means_of(&self->state.means, event->context * round->v + v);
    }
    round->q_row = q;
    round->m_row = m;
}

/* All that the round needs memory for. */
static int open_columns(roster_evidence *self, const roster_event *event, round_facts *round)
{
    size_t n = self->experts->n, k = event->choice != NULL ? roster_largest(event->choice, n) : event->expert;
    round->column = event->choice != NULL ? n : event->expert;
    round->likely = event->choice != NULL ? event->choice[k] : 1;
    if (roster_evidence_open(self, &self->state, round->column) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (roster_reach_open(&self->ratio[k], self->experts, k, NULL, 0) != ROSTER_OK ||
        roster_past_open(&self->state.past, event->expert) != ROSTER_OK)
        return ROSTER_ENOMEM;
    round->ratio = self->ratio[k];
    return ROSTER_OK;
}

static void learn_round(roster_evidence *self, const roster_event *event, round_facts *round)
{
    roster_evidence_state *state = &self->state;
    size_t cell = event->context * round->v + event->action;
    round->tau = clip_level(state->t);
    round->full = round->tau > FULL ? round->tau : FULL;
    round->m = roster_means_of(&state->means, cell);
    round->g = roster_means_row(&state->means, event->context);
    fill_rows(self, event, round);
    view leader = view_of(round, state->leader);
    bool referred = counts(self, round, ROSTER_LOW, state->leader, &leader);
    for (size_t i = 0; i < round->n; i++)
        learn_expert(self, round, i, referred ? &leader : NULL);
    roster_means_add(&state->means, cell, event->reward);
    roster_past_add(&state->past, event->expert, cell, event->reward);
}

/* The reward of its own round is all that an expert is told. */
static int learn_own(roster_evidence *self, const roster_event *event)
{
    const roster_evidence_step step = {event->reward, 1, 1};
    size_t k = event->expert;
    if (roster_evidence_open(self, &self->state, k) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_process_learn(self, ROSTER_LOW, k, k, step);
    roster_process_learn(self, ROSTER_HIGH, k, k, step);
    roster_means_add(&self->state.means, 0, event->reward);
    self->state.spread[k].plays++;
    return ROSTER_OK;
}

static int learn_all(roster_evidence *self, const roster_event *event, round_facts *round)
{
    if (open_columns(self, event, round) != ROSTER_OK)
        return ROSTER_ENOMEM;
    learn_round(self, event, round);
    self->state.spread[round->column].plays++;
    return ROSTER_OK;
}

int roster_evidence_learn(roster_evidence *self, const roster_event *event, roster_error *err)
{
    const roster_experts *e = self->experts;
    round_facts round = {.n = e->n, .v = e->v, .y = event->reward, .choice = event->choice};
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
