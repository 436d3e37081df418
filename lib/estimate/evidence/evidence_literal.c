/*
 * evidence_literal.c: section 15 of SPEC-2 written down. The oracle of the running form, in long double.
 *
 * Paper: none.
 *
 * Means, row sums and ratios are computed anew in every round, from all events and all cells.
 *
 * Cost: O(N (t + X V)) per round.
 * Check: the values of SPEC-2, section 15 (tests/unit/test_evidence.c: check_values).
 */
#include "evidence_literal.h"

#include <stdlib.h>

int roster_evidence_literal_init(roster_evidence_literal *self, const roster_experts *experts, double level, bool own,
                                 size_t rounds)
{
    size_t n = experts->n;
    *self = (roster_evidence_literal){.experts = experts, .own = own, .delta = 1 - (long double)level};
    self->capacity = rounds;
    self->events = roster_alloc(rounds, sizeof *self->events);
    self->process = roster_alloc(n * ROSTER_SIDES, sizeof *self->process);
    self->spread = roster_alloc(n * ROSTER_SIDES * (n + 1) * 2, sizeof *self->spread);
    self->worse = roster_alloc(n, sizeof *self->worse);
    self->lost = roster_alloc(n * (n + 1) * 2, sizeof *self->lost);
    bool fits = self->lost != NULL && self->events != NULL && self->process != NULL && self->spread != NULL &&
                self->worse != NULL;
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_evidence_literal_fini(roster_evidence_literal *self)
{
    free(self->events);
    free(self->process);
    free(self->spread);
    free(self->worse);
    free(self->lost);
}

/* pi_i of action v, whatever kind the experts are; of external ones that of the action taken. */
static long double probability(const roster_experts *e, const roster_event *event, size_t i, size_t v)
{
    double row[64];
    if (e->kind == ROSTER_TABLES)
        return e->pi[(event->context * e->v + v) * e->n + i];
    if (e->kind == ROSTER_EXTERNAL)
        return event->probabilities[i];
    roster_experts_distribution(e, i, event->features, row);
    return row[v];
}

/* The mean of all rewards of the first `rounds` rounds with a prior, or without cells the plain mean. */
static long double total_mean(const roster_evidence_literal *self, size_t rounds, long double more, long double count)
{
    long double sum = more;
    for (size_t s = 0; s < rounds; s++)
        sum += self->events[s].reward;
    return sum / ((long double)rounds + count);
}

/* m(x, v) before round t + 1. */
static long double mean_of(const roster_evidence_literal *self, size_t x, size_t v)
{
    size_t power = 1;
    long double n = 0, sum = 0;
    if (self->experts->kind != ROSTER_TABLES || self->own)
        return self->t > 0 ? total_mean(self, self->t, 0, 0) : 0.5L;
    while (2 * power <= self->t)
        power *= 2;
    long double m0 = self->t > 0 ? total_mean(self, power, 5, 10) : 0.5L;
    for (size_t s = 0; s < self->t; s++)
        if (self->events[s].context == x && self->events[s].action == v) {
            n++;
            sum += self->events[s].reward;
        }
    return (sum + m0) / (n + 1);
}

/* R_ik: what is certain of the largest pi_i / pi_k. */
static long double ratio_of(const roster_evidence_literal *self, size_t i, size_t k)
{
    const roster_experts *e = self->experts;
    long double most = 0, floor = e->floor;
    if (i == k)
        return 1;
    if (e->kind == ROSTER_EXTERNAL || (e->kind == ROSTER_SOFTMAX && e->floor == 0))
        return (long double)INFINITY;
    if (e->kind == ROSTER_SOFTMAX)
        return (1 - (long double)(e->v - 1) * floor) / floor;
    for (size_t c = 0; c < e->x * e->v; c++) {
        long double pi_i = e->pi[c * e->n + i], pi_k = e->pi[c * e->n + k];
        if (pi_i > 0)
            most = fmaxl(most, pi_i / pi_k);
    }
    return most;
}

/* q of action v. */
static long double chance(const roster_evidence_literal *self, const roster_event *event, size_t v)
{
    long double q = 0;
    if (event->choice == NULL)
        return probability(self->experts, event, event->expert, v);
    for (size_t j = 0; j < self->experts->n; j++)
        q += event->choice[j] * probability(self->experts, event, j, v);
    return q;
}

typedef struct views {
    long double low, high, reach, prior, lost;
    bool clipped;
} views;

/* Weights above tau count as tau, the baseline being 0 from below, 1 from above. */
static views clipped_view(const roster_evidence_literal *self, const roster_event *event, size_t i, long double tau)
{
    const roster_experts *e = self->experts;
    long double y = event->reward, w = probability(e, event, i, event->action) / chance(self, event, event->action);
    views at = {.clipped = true, .reach = tau};
    if (e->kind == ROSTER_EXTERNAL) {
        w = fminl(w, tau);
        return (views){w * y, 1 - w * (1 - y), 0, 0, 1 - w, true};
    }
    for (size_t v = 0; v < e->v; v++) {
        long double pi = probability(e, event, i, v), q = chance(self, event, v), m = mean_of(self, event->context, v);
        bool over = pi > tau * q;
        at.low += over ? 0 : pi * m;
        at.high += over ? pi : pi * m;
        at.lost += over ? pi - tau * q : 0;
        if (v == event->action) {
            at.low += over ? tau * y : w * (y - m);
            at.high += over ? tau * (y - 1) : w * (y - m);
        }
    }
    return at;
}

static views view_of(const roster_evidence_literal *self, const roster_event *event, size_t i)
{
    const roster_experts *e = self->experts;
    const double *choice = event->choice;
    size_t k = choice != NULL ? roster_largest(choice, e->n) : event->expert;
    long double tau = fmaxl(10, 0.3L * sqrtl((long double)self->t + 1)), ratio = ratio_of(self, i, k), g = 0;
    if (choice != NULL)
        ratio = fminl(ratio / choice[k], 1 / (long double)choice[i]);
    if (ratio > fmaxl(20, tau)) {
        views at = clipped_view(self, event, i, tau);
        at.prior = ratio;
        return at;
    }
    long double m = mean_of(self, event->context, event->action);
    for (size_t v = 0; v < e->v && e->kind == ROSTER_TABLES; v++)
        g += e->pi[(event->context * e->v + v) * e->n + i] * mean_of(self, event->context, v);
    g = e->kind == ROSTER_TABLES ? g : m;
    g += probability(e, event, i, event->action) / chance(self, event, event->action) * (event->reward - m);
    return (views){g, g, ratio, ratio, 0, false};
}

static long double ln_of(const roster_evidence_literal *self, int side)
{
    long double experts = (long double)self->experts->n;
    return logl(2 / self->delta * (side == ROSTER_VERSUS ? 1 : experts));
}

static void fold(roster_evidence_literal *self, size_t i, int side, size_t column, long double psi, long double reach,
                 long double prior)
{
    roster_literal_process *p = &self->process[i * ROSTER_SIDES + (size_t)side];
    long double *spread = self->spread + ((i * ROSTER_SIDES + (size_t)side) * (self->experts->n + 1) + column) * 2;
    long double t = (long double)(self->t + 1), bound = reach + (side == ROSTER_VERSUS ? 2 : 1);
    long double low = side == ROSTER_VERSUS ? -1 : 0, h = p->lambda > 0 ? p->psi / p->lambda : (low + 1) / 2;
    h = fmaxl(low, fminl(1, h));
    long double v = (fminl(prior, 10) / 4 + spread[1]) / (spread[0] + 1);
    long double lambda = fminl(1 / (2 * bound), sqrtl(2 * ln_of(self, side) / (v * t * logl(1 + t))));
    p->psi += lambda * psi;
    p->lambda += lambda;
    p->charge += (psi - h) * (psi - h) * (-log1pl(-lambda * bound) - lambda * bound) / (bound * bound);
    spread[0] += 1;
    spread[1] += (psi - h) * (psi - h);
}

static long double bound_of(const roster_evidence_literal *self, size_t i, int side, int sign)
{
    const roster_literal_process *p = &self->process[i * ROSTER_SIDES + (size_t)side];
    if (p->lambda == 0)
        return sign * (long double)INFINITY;
    return (p->psi + sign * (ln_of(self, side) + p->charge)) / p->lambda;
}

static long double value_of(const roster_evidence_literal *self, size_t i)
{
    const roster_literal_process *p = &self->process[i * ROSTER_SIDES];
    long double low = p[ROSTER_LOW].lambda > 0 ? p[ROSTER_LOW].psi / p[ROSTER_LOW].lambda : 0.5L;
    long double high = p[ROSTER_HIGH].lambda > 0 ? p[ROSTER_HIGH].psi / p[ROSTER_HIGH].lambda : 0.5L;
    low = fmaxl(0, fminl(1, low));
    high = fmaxl(0, fminl(1, high));
    return high > low && high < low + 1 ? low / (1 - (high - low)) : (low + high) / 2;
}

/* Whether the round counts on a side: clipping must lose less than half of what lies between value and bound. */
static bool counts(const roster_evidence_literal *self, const views *at, size_t i, int side, size_t column)
{
    const long double *lost = self->lost + i * (self->experts->n + 1) * 2 + column * 2;
    long double value = value_of(self, i);
    long double reward = self->t > 0 ? total_mean(self, self->t, 0, 0) : 0.5L, mean = (lost[1] + 0.5L) / (lost[0] + 1);
    long double room = side == ROSTER_LOW ? value - bound_of(self, i, side, -1) : bound_of(self, i, side, 1) - value;
    reward = side == ROSTER_LOW ? reward : 1 - reward;
    return !at->clipped || mean * reward <= fminl(room, 0.5L) / 2 + 1e-9L;
}

/* Whether something is known of an expert that is not excluded, or (all) of any. */
static bool may_lead(const roster_evidence_literal *self, size_t i, bool all)
{
    return (all || self->worse[i] == 0) && self->process[i * ROSTER_SIDES + ROSTER_LOW].lambda > 0;
}

static void judge(roster_evidence_literal *self)
{
    size_t n = self->experts->n;
    bool all = true;
    long double best = -1;
    for (size_t i = 0; i < n; i++) {
        long double worse = -bound_of(self, i, ROSTER_VERSUS, 1);
        for (size_t j = 0; j < n; j++)
            if (j != i)
                worse = fmaxl(worse, bound_of(self, j, ROSTER_LOW, -1) - bound_of(self, i, ROSTER_HIGH, 1));
        self->worse[i] = fmaxl(self->worse[i], fminl(1, worse));
        all &= !may_lead(self, i, false);
    }
    for (size_t i = 0; i < n; i++)
        if (may_lead(self, i, all))
            best = fmaxl(best, value_of(self, i));
    self->leader = n;
    for (size_t i = 0; i < n && self->leader == n; i++)
        if (best < 0 || (may_lead(self, i, all) && value_of(self, i) >= best - 1e-12L * (1 + fabsl(best))))
            self->leader = i;
}

/* From own rounds alone. */
static void learn_own(roster_evidence_literal *self, const roster_event *event)
{
    size_t k = event->expert;
    fold(self, k, ROSTER_LOW, k, event->reward, 1, 1);
    fold(self, k, ROSTER_HIGH, k, event->reward, 1, 1);
}

static void learn_expert(roster_evidence_literal *self, const roster_event *event, size_t i, size_t reference,
                         const views *ref)
{
    size_t column = event->choice != NULL ? self->experts->n : event->expert;
    views at = view_of(self, event, i);
    bool low = counts(self, &at, i, ROSTER_LOW, column), high = counts(self, &at, i, ROSTER_HIGH, column);
    if (low)
        fold(self, i, ROSTER_LOW, column, at.low, at.reach, at.prior);
    if (high)
        fold(self, i, ROSTER_HIGH, column, at.high, at.reach, at.prior);
    if (high && ref != NULL && i != reference)
        fold(self, i, ROSTER_VERSUS, column, at.high - ref->low, fmaxl(at.reach, ref->reach),
             fmaxl(at.prior, ref->prior));
    long double *lost = self->lost + i * (self->experts->n + 1) * 2 + column * 2;
    lost[0] += 1;
    lost[1] += at.lost;
}

void roster_evidence_literal_learn(roster_evidence_literal *self, const roster_event *event, size_t fixed)
{
    size_t n = self->experts->n, reference = fixed == SIZE_MAX ? self->leader : fixed;
    if (self->own) {
        learn_own(self, event);
    } else {
        views ref = view_of(self, event, reference);
        size_t column = event->choice != NULL ? n : event->expert;
        bool referred = counts(self, &ref, reference, ROSTER_LOW, column);
        for (size_t i = 0; i < n; i++)
            learn_expert(self, event, i, reference, referred ? &ref : NULL);
    }
    self->events[self->t++] = *event;
    judge(self);
}

void roster_evidence_literal_interval(const roster_evidence_literal *self, size_t i, int side, double *centre,
                                      double *half)
{
    const roster_literal_process *p = &self->process[i * ROSTER_SIDES + (size_t)side];
    *centre = (double)(p->psi / p->lambda);
    *half = (double)((ln_of(self, side) + p->charge) / p->lambda);
}
