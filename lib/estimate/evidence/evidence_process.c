/*
 * evidence_process.c: sums that bound a mean at every time.
 *
 * Paper: Beyond 15 (process).
 *
 *   psi      a number whose mean given the past is at most (lower bound) or at least (upper bound) what is looked for
 *   B        psi - h is at least -B (lower bound), at most B (upper bound)
 *   h        sum lambda psi / sum lambda so far, clipped to [0, 1] (difference: [-1, 1]); 1/2 (0) at first
 *   v        ( min(R, 10)/4 + sum over earlier rounds of the same k of (psi - h)^2 ) / (rounds of k + 1)
 *   lambda   min( 1/(2B), sqrt( 2 l / (v t ln(1 + t)) ) )                           l = ln(1/probability of missing)
 *   value    a the mean from below, b that from above, cut to [0, 1]: a / (1 - (b - a)), which is a where both agree;
 *            clipping leaves b - a of the expert's actions out, and these are taken to earn as the others do
 *   bound    sum lambda psi / sum lambda -+ [ l + sum (psi - h)^2 psiE(lambda B)/B^2 ] / sum lambda
 *
 * exp(+-lambda (psi - mean) - (psi - h)^2 psiE(lambda B)/B^2) has a mean of at most 1 given the past (Fan's
 * inequality), so their product is a supermartingale, and ever exceeds e^l with probability e^-l at most (Ville).
 * Each value has two sides that miss with delta/(2N) each, so l = ln(2N/delta); an expert against its references has
 * l = ln(2/delta).
 *
 * Cost: a root and a series of 13 terms per process and round.
 * Check: the values of SPEC-2, section 15 (tests/unit/test_evidence.c: check_values).
 */
#include "evidence_internal.h"

double roster_process_ln(const roster_evidence *self, int side)
{
    return side == ROSTER_VERSUS ? self->ln_versus : self->ln_value;
}

double roster_process_mean(const roster_evidence_state *state, int side, size_t i)
{
    double lambda = state->lambda[side][i];
    return lambda > 0 ? state->psi[side][i] / lambda : side == ROSTER_VERSUS ? 0 : 0.5;
}

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

void roster_process_learn(roster_evidence *self, int side, size_t i, size_t k, roster_evidence_step step)
{
    roster_evidence_state *state = &self->state;
    const roster_spread *spread = &state->spread[k];
    double bound = step.reach + (side == ROSTER_VERSUS ? 2 : 1);
    double h = clip(roster_process_mean(state, side, i), side == ROSTER_VERSUS ? -1 : 0, 1);
    double v = ((step.prior < 10 ? step.prior : 10) / 4 + spread->square[side][i]) / (spread->count[side][i] + 1);
    double lambda = sqrt(2 * roster_process_ln(self, side) / (v * self->clock)), most = 1 / (2 * bound);
    lambda = lambda < most ? lambda : most;
    double square = (step.psi - h) * (step.psi - h);
    state->psi[side][i] += lambda * step.psi;
    state->lambda[side][i] += lambda;
    state->charge[side][i] += square * roster_psi_e(lambda * bound) / (bound * bound);
    spread->count[side][i] += 1;
    spread->square[side][i] += square;
}

double roster_process_low(const roster_evidence *self, const roster_evidence_state *state, size_t i)
{
    double lambda = state->lambda[ROSTER_LOW][i];
    return (state->psi[ROSTER_LOW][i] - self->ln_value - state->charge[ROSTER_LOW][i]) / lambda;
}

double roster_process_high(const roster_evidence *self, const roster_evidence_state *state, size_t i)
{
    double lambda = state->lambda[ROSTER_HIGH][i];
    return (state->psi[ROSTER_HIGH][i] + self->ln_value + state->charge[ROSTER_HIGH][i]) / lambda;
}

double roster_process_value(const roster_evidence_state *state, size_t i)
{
    double low = clip(roster_process_mean(state, ROSTER_LOW, i), 0, 1);
    double high = clip(roster_process_mean(state, ROSTER_HIGH, i), 0, 1), lost = high - low;
    return lost > 0 && lost < 1 ? low / (1 - lost) : (low + high) / 2;
}
