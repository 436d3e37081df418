/*
 * evidence_judge.c: who leads, who is excluded, and what can be said of one expert.
 *
 * Paper: Beyond 15 (exclusion).
 *
 *   value_i   the point value (evidence_process.c)
 *   leader    the largest value_i of the experts not excluded, of those that differ by rounding alone the first; the
 *             reference of the next round
 *   worse_i   the largest so far of   - [ upper bound of the mean of mu_i - mu_reference ]            (1)
 *                                     low_j - high_i over j other than i                              (2)
 *   excluded  worse_i > 0
 *
 * (2) takes the largest low, of who has that itself the second largest: if two have it they are the same.
 *
 * Were i the best, (1) would ever be positive with probability delta/2 at most, whatever the references: all it needs
 * is mu_i >= mu_reference. (2) needs one of N bounds to fail, each with delta/(2N): delta/2 together. So the best is
 * ever excluded with probability delta at most; for any one expert worse_i ever exceeds mu* - mu_i with probability
 * delta at most.
 *
 * Cost: O(N).
 * Check: tests/unit/test_evidence.c: equals_literal, estimates_stand_on_their_own.
 */
#include "evidence_internal.h"

/* The same of those that have not retired. */
static roster_lows active_lows(const roster_evidence *self, const roster_evidence_state *state)
{
    roster_lows top = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < self->experts->n; i++) {
        double low = roster_is_retired(self->experts, i) ? -INFINITY : state->low[i];
        top.second = low > top.first ? top.first : low > top.second ? low : top.second;
        top.first = low > top.first ? low : top.first;
    }
    return top;
}

/* Who has retired neither leads nor is excluded; returns the largest claim of the others. */
static double leave_out(const roster_evidence *self, const roster_evidence_state *state)
{
    double largest = -1;
    for (size_t i = 0; i < self->experts->n; i++) {
        if (roster_is_retired(self->experts, i)) {
            state->claim[i] = -2;
            state->worse[i] = 0;
        }
        largest = state->claim[i] > largest ? state->claim[i] : largest;
    }
    return largest;
}

/* Who is excluded leads only where all are. */
static double claim_all(const roster_evidence *self, const roster_evidence_state *state)
{
    double largest = -1;
    for (size_t i = 0; i < self->experts->n; i++) {
        state->claim[i] = roster_is_retired(self->experts, i) ? -2
                          : state->lambda[ROSTER_LOW][i] > 0  ? state->value[i]
                                                              : -1;
        largest = state->claim[i] > largest ? state->claim[i] : largest;
    }
    return largest;
}

void roster_evidence_look(const roster_evidence *self, const roster_evidence_state *state)
{
    self->simd->bounds(self, state);
}

void roster_evidence_judge(const roster_evidence *self, roster_evidence_state *state)
{
    size_t leader = 0;
    roster_lows lows = self->simd->bounds(self, state);
    bool retired = self->experts->retired != NULL;
    lows = retired ? active_lows(self, state) : lows;
    double largest = self->simd->exclude(self, state, &lows);
    largest = retired ? leave_out(self, state) : largest;
    largest = largest < 0 ? claim_all(self, state) : largest;
    double least = largest - roster_tie(largest);
    while (state->claim[leader] < least)
        leader++;
    state->leader = leader;
}

static double cut(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static roster_interval value_of(const roster_evidence *self, size_t k)
{
    const roster_evidence_state *state = &self->state;
    roster_interval out = {state->value[k], cut(state->low[k]), cut(state->high[k])};
    /* Never upside down, were the two sides to contradict each other. */
    out.low = out.low < out.value ? out.low : out.value;
    out.high = out.high > out.value ? out.high : out.value;
    return out;
}

void roster_evidence_find(const roster_evidence *self, size_t k, roster_finding *out)
{
    *out = (roster_finding){.value = {NAN, NAN, NAN}, .behind = NAN, .worse = NAN};
    if (k >= self->experts->n)
        return;
    out->value = value_of(self, k);
    out->worse = self->state.worse[k];
    out->excluded = out->worse > 0;
    out->from_past = self->state.past.since[k];
    double behind = self->state.value[self->state.leader] - out->value.value;
    out->behind = k == self->state.leader ? 0 : behind > out->worse ? behind : out->worse;
}

size_t roster_evidence_leader(const roster_evidence *self)
{
    return self->state.leader;
}

bool roster_evidence_known(const roster_evidence *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->experts->n; i++)
        left += self->state.worse[i] == 0 && !roster_is_retired(self->experts, i);
    return left == 1;
}
