/*
 * evidence_until.c: how many rounds more until it is known.
 *
 * Paper: Beyond 15 (time until known).
 *
 *   S, L, Q   sums of lambda psi, lambda and (psi - h)^2 psiE(lambda B)/B^2 of expert k against its references, so far
 *   d         -S/L, how much worse it has been; uncertain by e = sqrt(2Q)/L
 *   from t to T, if columns j go on to come in their shares n_j/t (those of at least 1%), with v_j and B_j as they are:
 *     dL = sum over s of sum_j n_j/t lambda_j(s),      lambda_j(s) = min( 1/(2 B_j), sqrt(2 l / (v_j s ln(1 + s))) )
 *     dQ = sum over s of sum_j n_j/t v_j lambda_j(s)^2 / 2
 *   excluded at the first T with   -S + d dL + z sqrt( (e dL)^2 + 2 dQ )  >=  l + Q + dQ,        z = 0, for the range
 *   2 and -1.15: (e dL)^2 is what is not known of d, 2 dQ what the rounds to come will add by chance, and what is
 *   crossed first by chance is crossed early
 *
 * Nothing is said while d - 1.15 e <= 0, when it may be as good as its references, nor where the range reaches beyond
 * 100 t. The sums over s go in steps of 5% of s - t.
 *
 * Cost: 100 to 500 steps of as many columns as have 1% of the rounds.
 * Check: in at least 80% of simulated campaigns the time lies in the range (tests/unit/test_coverage.c: until_known).
 */
#include "evidence_internal.h"

static const double EARLY = 2, LATE = 1.15, LEAST_SHARE = 0.01, STEP = 1.05, MOST = 100;
enum { COLUMNS = 100 };

/* Columns that are expected to go on, and where the process stands. */
typedef struct forecast {
    size_t columns;
    double share[COLUMNS], spread[COLUMNS], most[COLUMNS]; /* n_j/t, v_j, 1/(2 B_j) */
    double ln, gap, error;                                 /* l, d, e               */
    double ahead;                                          /* l + Q + S: what is still missing */
} forecast;

static double largest_weight(const roster_evidence *self, size_t j, size_t i)
{
    double most = 0;
    if (j < self->experts->n && self->ratio[j] != NULL)
        most = fmax(self->ratio[j][i], self->ratio[j][self->state.leader]);
    return roster_evidence_reach(self->state.t, most);
}

static void look_ahead(const roster_evidence *self, size_t i, forecast *out)
{
    const roster_evidence_state *state = &self->state;
    double lambda = state->lambda[ROSTER_VERSUS][i], charge = state->charge[ROSTER_VERSUS][i];
    *out = (forecast){.ln = self->ln_versus, .gap = -state->psi[ROSTER_VERSUS][i] / lambda};
    out->error = sqrt(2 * charge) / lambda;
    out->ahead = self->ln_versus + charge + state->psi[ROSTER_VERSUS][i];
    for (size_t j = 0; j <= self->experts->n && out->columns < COLUMNS; j++) {
        const roster_spread *spread = &state->spread[j];
        double count = spread->count[0] != NULL ? spread->count[ROSTER_VERSUS][i] : 0;
        if (count < LEAST_SHARE * (double)state->t || count < 2)
            continue;
        size_t at = out->columns++;
        out->share[at] = count / (double)state->t;
        out->spread[at] = spread->square[ROSTER_VERSUS][i] / count;
        out->most[at] = 1 / (2 * (largest_weight(self, j, i) + 2));
    }
}

/* What rounds `from` to `to` add to L and Q. */
static void advance(const forecast *out, double from, double to, double *lambda, double *charge)
{
    double s = (from + to) / 2, clock = s * roster_ln(1 + s);
    for (size_t j = 0; j < out->columns; j++) {
        double v = out->spread[j] > 1e-12 ? out->spread[j] : 1e-12, step = sqrt(2 * out->ln / (v * clock));
        step = step < out->most[j] ? step : out->most[j];
        *lambda += (to - from) * out->share[j] * step;
        *charge += (to - from) * out->share[j] * v * step * step / 2;
    }
}

/* After how many rounds more the expert is excluded, if these are z standard errors better than expected. */
static double first_round(const forecast *out, double t, double z)
{
    double lambda = 0, charge = 0, s = 0, next = 1;
    while (s <= MOST * t) {
        advance(out, t + s, t + next, &lambda, &charge);
        double chance = sqrt(out->error * lambda * (out->error * lambda) + 2 * charge);
        if (out->gap * lambda + z * chance >= out->ahead + charge)
            return next;
        s = next;
        next = s * STEP + 1;
    }
    return INFINITY;
}

roster_interval roster_evidence_until(const roster_evidence *self, size_t k)
{
    const roster_interval nothing = {NAN, NAN, NAN};
    forecast out;
    if (k >= self->experts->n || roster_is_retired(self->experts, k))
        return nothing;
    if (self->state.worse[k] > 0)
        return (roster_interval){0, 0, 0};
    if (k == self->state.leader || !(self->state.lambda[ROSTER_VERSUS][k] > 0))
        return nothing;
    look_ahead(self, k, &out);
    double t = (double)self->state.t;
    if (!(out.gap - LATE * out.error > 0))
        return nothing;
    roster_interval until = {first_round(&out, t, 0), first_round(&out, t, EARLY), first_round(&out, t, -LATE)};
    return until.high < INFINITY ? until : nothing;
}

roster_interval roster_evidence_until_known(const roster_evidence *self)
{
    roster_interval last = {0, 0, 0};
    for (size_t k = 0; k < self->experts->n; k++) {
        if (k == self->state.leader || roster_is_retired(self->experts, k))
            continue;
        roster_interval until = roster_evidence_until(self, k);
        if (isnan(until.value))
            return until;
        last.value = fmax(last.value, until.value);
        last.low = fmax(last.low, until.low);
        last.high = fmax(last.high, until.high);
    }
    return last;
}
