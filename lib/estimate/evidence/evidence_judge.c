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
 * Were i the best, (1) would ever be positive with probability delta/2 at most, whatever the references: all it needs
 * is mu_i >= mu_reference. (2) needs one of N bounds to fail, each with delta/(2N): delta/2 together. So the best is
 * ever excluded with probability delta at most; for any one expert worse_i ever exceeds mu* - mu_i with probability
 * delta at most.
 *
 * Cost: O(N).
 * Check: tests/unit/test_evidence.c: equals_literal, estimates_stand_on_their_own.
 */
#include "evidence_internal.h"

/* The largest lower bound of the experts other than i, from the largest two. */
typedef struct lows {
    double first, second;
    size_t at;
} lows;

static lows largest_lows(const roster_evidence *self, const roster_evidence_state *state)
{
    lows top = {-INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < self->experts->n; i++) {
        double low = roster_is_retired(self->experts, i) ? -INFINITY : roster_process_low(self, state, i);
        if (low > top.first) {
            top = (lows){low, top.first, i};
        } else if (low > top.second) {
            top.second = low;
        }
    }
    return top;
}

static void update_worse(const roster_evidence *self, roster_evidence_state *state, size_t i, const lows *top)
{
    double lambda = state->lambda[ROSTER_VERSUS][i];
    double by_process = -(state->psi[ROSTER_VERSUS][i] + self->ln_versus + state->charge[ROSTER_VERSUS][i]) / lambda;
    double by_values = (i == top->at ? top->second : top->first) - roster_process_high(self, state, i);
    double worse = lambda > 0 && by_process > by_values ? by_process : by_values;
    if (worse > state->worse[i])
        state->worse[i] = worse < 1 ? worse : 1;
}

/* The point value of an expert that may lead, -1 of one of which nothing is known, or that is excluded while others are
   not, -2 of one that has retired. */
static double claim(const roster_evidence *self, const roster_evidence_state *state, size_t i, bool all)
{
    if (roster_is_retired(self->experts, i))
        return -2;
    bool counts = (all || state->worse[i] == 0) && state->lambda[ROSTER_LOW][i] > 0;
    return counts ? roster_process_value(state, i) : -1;
}

static double largest_claim(const roster_evidence *self, const roster_evidence_state *state, bool all)
{
    double largest = -1;
    for (size_t i = 0; i < self->experts->n; i++) {
        double value = claim(self, state, i, all);
        largest = value > largest ? value : largest;
    }
    return largest;
}

void roster_evidence_judge(const roster_evidence *self, roster_evidence_state *state)
{
    size_t n = self->experts->n, leader = 0;
    lows top = largest_lows(self, state);
    for (size_t i = 0; i < n; i++)
        if (!roster_is_retired(self->experts, i))
            update_worse(self, state, i, &top);
    double largest = largest_claim(self, state, false);
    bool all = largest < 0;
    largest = all ? largest_claim(self, state, true) : largest;
    while (claim(self, state, leader, all) < largest - roster_tie(largest))
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
    roster_interval out = {roster_process_value(state, k), 0, 1};
    if (state->lambda[ROSTER_LOW][k] > 0)
        out.low = cut(roster_process_low(self, state, k));
    if (state->lambda[ROSTER_HIGH][k] > 0)
        out.high = cut(roster_process_high(self, state, k));
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
    double behind = roster_process_value(&self->state, self->state.leader) - out->value.value;
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
