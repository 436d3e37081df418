/*
 * value_estimates.c: estimates from sums per cell.
 *
 * Every estimate is a mean of terms a + v (r - q), one per event:
 *
 *   ips, clipped           a = q = 0
 *   snips                  a = q = S = sum wr / sum w, v = w n / sum w
 *   dm                     a = E, no correction
 *   dr, switch-dr, dros    a = E, q = the cell's mean reward
 *
 * E is the policy's expected cell mean in the event's context; of a cell that was never seen the mean of all rewards.
 * The terms' sums and squares follow from the cells' sums. In dr, switch-dr and dros the event itself is left out of
 * the mean q_i = (s - r_i)/(n - 1) that it is compared with (cross-fitting, each event a part of its own), which is
 * again a function of the sums: with f = 1/(n - 1), r_i - q_i = (1 + f)(r_i - q), and E moves by pi (q_i - q) =
 * -f pi (r_i - q). In a cell of one event q_i is the mean of all other rewards, q + g. Every term is
 *
 *   a + (k v + l pi)(r - q) + g (pi - v)      k, l, g = 1 + f, -f, 0; of one event 1, 0, g; with q itself 1, 0, 0
 *
 * and its square needs no more sums, since pi is the same number P or 0 in all events of a cell: v pi = P v, pi^2 =
 * P pi. Standard errors are always those of terms without the event itself: with q itself a cell of few events looks
 * as if it did not vary. Where events were dropped, what is left out is the c = 1/(1 - d) events that one stands for,
 * where d varies their mean number.
 *
 * Where propensities are fitted they are frequencies without the event itself, and one sample spread over all V
 * actions: p = (n - c + c/V) / n_x.
 *
 * Paper: none. Beyond it: SPEC-2, section 18.
 * Cost: cells, and contexts x actions of tables.
 * Check: tests/unit/test_evaluation.c: literal_estimates, obd_*.
 */
#include "value_internal.h"

#include <math.h>

static const double RARELY = 1e-3;

static bool is_drawn(const policy *p)
{
    return p->kind == POLICY_UNIFORM || p->kind == POLICY_TABLE;
}

static bool has_cell_means(const evaluation *self, const policy *p)
{
    return p->kind == POLICY_ACTION || (is_drawn(p) && !(self->varying && p->kind == POLICY_UNIFORM));
}

static bool is_corrected(evaluate_estimator e)
{
    return e == EVALUATE_DR || e == EVALUATE_SWITCH || e == EVALUATE_DROS;
}

static double mean_of_all(const evaluation *self)
{
    return self->events > 0 ? self->reward / self->events : 0;
}

double value_each(const evaluation *self)
{
    return self->drop_varies ? self->events / self->lines : self->most_each;
}

double value_scale(const evaluation *self, const cell *c)
{
    double each = value_each(self), others = c->n > each ? c->n - each : 0;
    if (!self->settings.frequencies)
        return 1;
    return self->cells.contexts[c->context].n / (others + each / (double)policies_actions(self->list));
}

/* The six sums of a cell, weights times `by`. */
static void scaled(const evaluation *self, size_t i, uint32_t at, sum_of first, double by, double out[6])
{
    const double *sums = self->sums + (at * self->n + i) * SUMS + first;
    double scale =
        policies_get(self->list, i)->kind == POLICY_LOGGED ? by : by * value_scale(self, &self->cells.list[at]);
    for (int k = 0; k < 6; k++)
        out[k] = sums[k] * (k < 3 ? scale : scale * scale);
}

void value_totals(const evaluation *self, size_t i, double totals[SUMS])
{
    for (int k = 0; k < SUMS; k++)
        totals[k] = 0;
    for (uint32_t at = 0; at < self->cells.n; at++) {
        double six[6];
        scaled(self, i, at, SUM_W, 1, six);
        for (int k = 0; k < 6; k++)
            totals[SUM_W + k] += six[k];
    }
}

/* Where the sums of an estimator's form of the weight begin. */
static sum_of sums_of(evaluate_estimator estimator)
{
    return estimator == EVALUATE_CLIPPED  ? SUM_CLIPPED
           : estimator == EVALUATE_SWITCH ? SUM_SWITCH
           : estimator == EVALUATE_DROS   ? SUM_DROS
                                          : SUM_W;
}

/* A context's expected cell mean, and the probability of actions never seen in it. */
static double expected(const evaluation *self, size_t i, uint32_t context, double *missing)
{
    double sum = 0, mass = 0;
    for (uint32_t at = self->cells.contexts[context].first; at != CELLS_END; at = self->cells.list[at].next) {
        const cell *c = &self->cells.list[at];
        double pi = policies_probability(self->list, i, context, c->action);
        sum += pi * c->r / c->n;
        mass += pi;
    }
    *missing = mass < 1 ? 1 - mass : 0;
    if (*missing < 1e-9)
        *missing = 0;
    return sum + *missing * mean_of_all(self);
}

/* What an estimator's terms are made of. */
typedef struct shape {
    double a, q, by; /* where they are the same for all events */
    bool cell_means, correct, leave_out;
    sum_of first;
} shape;

static shape shape_of(const evaluation *self, size_t i, evaluate_estimator estimator)
{
    shape s = {.by = 1, .correct = estimator != EVALUATE_DM};
    s.cell_means = estimator == EVALUATE_DM || is_corrected(estimator);
    s.first = sums_of(estimator);
    if (estimator == EVALUATE_SNIPS) {
        double totals[SUMS];
        value_totals(self, i, totals);
        s.a = s.q = totals[SUM_WR] / totals[SUM_W];
        s.by = self->events / totals[SUM_W];
    }
    return s;
}

/* What leaving the event itself out makes of a cell's terms. */
typedef struct outs {
    double k, l, g;
} outs;

static outs outs_of(const evaluation *self, const cell *c)
{
    double each = value_each(self), others = self->events - c->n, f = each / (c->n - each);
    if (c->n > 1.5 * each)
        return (outs){1 + f, -f, 0};
    return (outs){1, 0, others > 0 ? (self->reward - c->r) / others - c->r / c->n : 0};
}

/* Sums of x, x (r - q), x (r - q)^2, from those of x, x r, x r^2. */
typedef struct moments {
    double zero, one, two;
} moments;

static moments about(const double *sums, double q)
{
    return (moments){sums[0], sums[1] - q * sums[0], sums[2] - 2 * q * sums[1] + q * q * sums[0]};
}

static void add_cell(const evaluation *self, size_t i, const shape *s, uint32_t at, double a, value_terms *out)
{
    const cell *c = &self->cells.list[at];
    const policy *p = policies_get(self->list, i);
    double six[6], q = s->cell_means ? c->r / c->n : s->q;
    double P = s->leave_out && is_drawn(p) ? policies_probability(self->list, i, c->context, c->action) : 1;
    outs o = s->leave_out ? outs_of(self, c) : (outs){1, 0, 0};
    scaled(self, i, at, s->first, s->by, six);
    moments v = about(six, q), w = about(six + 3, q), pi = about(self->sums + (at * self->n + i) * SUMS + SUM_PI, q);
    double sum = o.k * v.one + o.l * pi.one + o.g * (pi.zero - v.zero);
    out->t += sum;
    out->tt += o.k * o.k * w.two + 2 * o.k * o.l * P * v.two + o.l * o.l * P * pi.two + 2 * o.g * (P * v.one - w.one) +
               o.g * o.g * (P * pi.zero - 2 * P * v.zero + w.zero) + 2 * a * sum;
    out->tr += o.k * v.two + o.l * pi.two + o.g * (pi.one - v.one) + q * sum;
}

static void add_constant(double a, double n, double reward, value_terms *out)
{
    out->t += n * a;
    out->tt += n * a * a;
    out->tr += a * reward;
}

static double target_mean(const evaluation *self, const cell *target)
{
    uint32_t at = cells_find(&self->cells, target->context, target->action);
    return at != CELLS_END ? self->cells.list[at].r / self->cells.list[at].n : mean_of_all(self);
}

bool value_terms_of(const evaluation *self, size_t i, evaluate_estimator estimator, bool leave_out, value_terms *out)
{
    const policy *p = policies_get(self->list, i);
    shape s = shape_of(self, i, estimator);
    s.leave_out = leave_out && is_corrected(estimator);
    bool drawn = s.cell_means && is_drawn(p);
    *out = (value_terms){0};
    if ((s.cell_means && !has_cell_means(self, p)) || !isfinite(s.by) || isnan(s.a))
        return false;
    for (uint32_t x = 0; x < self->cells.n_contexts; x++) {
        double missing, a = drawn ? expected(self, i, x, &missing) : s.a;
        const struct cells_context *context = &self->cells.contexts[x];
        if (drawn || !s.cell_means)
            add_constant(a, context->n, context->r, out);
        for (uint32_t at = context->first; at != CELLS_END && s.correct; at = self->cells.list[at].next)
            add_cell(self, i, &s, at, !s.cell_means || drawn ? a : self->cells.list[at].r / self->cells.list[at].n,
                     out);
    }
    for (size_t k = 0; s.cell_means && !drawn && k < self->tracked[i].targets.n; k++) {
        const cell *target = &self->tracked[i].targets.list[k];
        add_constant(target_mean(self, target), target->n, target->r, out);
    }
    return true;
}

double value_estimate(const evaluation *self, size_t i, evaluate_estimator estimator)
{
    value_terms terms;
    if (policies_get(self->list, i)->kind == POLICY_LOGGED)
        return mean_of_all(self);
    if ((self->settings.frequencies && sums_of(estimator) != SUM_W) ||
        !value_terms_of(self, i, estimator, !self->settings.whole_means, &terms))
        return NAN;
    return terms.t / self->events;
}

/* Whether a context came so often that an action which was possible there, with the least propensity or more, would
   have been seen: it is not with probability RARELY at most. */
static bool came_often(const evaluation *self, uint32_t context)
{
    double n = context < self->cells.n_contexts ? self->cells.contexts[context].n / value_each(self) : 0;
    return self->settings.frequencies || n * log1p(-fmin(self->least_propensity, 1 - 1e-9)) < log(RARELY);
}

/* Events of a context, with the action that the policy takes or LOG_NONE, whose weight has no bound. */
static double unbounded(const evaluation *self, size_t i, uint32_t context, uint32_t action)
{
    const cells *c = &self->tracked[i].unbounded;
    uint32_t at = cells_find(c, context, action);
    return at != CELLS_END ? c->list[at].n : 0;
}

/* What to count of a part that was never logged, of n events in a context. */
typedef double count_part(const evaluation *self, size_t i, uint32_t context, uint32_t action, double n);

static double count_all(const evaluation *self, size_t i, uint32_t context, uint32_t action, double n)
{
    (void)self;
    (void)i;
    (void)context;
    (void)action;
    return n;
}

/* Whether sequences pass over events whose weight has no bound. */
static bool passes_over(const evaluation *self)
{
    return self->settings.interval == EVALUATE_ANYTIME && !(self->settings.clip > 0);
}

static double count_kept(const evaluation *self, size_t i, uint32_t context, uint32_t action, double n)
{
    return n - (passes_over(self) ? unbounded(self, i, context, action) : 0);
}

static double count_certain(const evaluation *self, size_t i, uint32_t context, uint32_t action, double n)
{
    bool certain = came_often(self, context) || unbounded(self, i, context, action) > 0;
    return certain ? count_kept(self, i, context, action, n) : 0;
}

static double unlogged(const evaluation *self, size_t i, count_part *count)
{
    const policy *p = policies_get(self->list, i);
    double sum = 0, missing;
    if (p->kind == POLICY_ACTION)
        for (size_t k = 0; k < self->tracked[i].targets.n; k++) {
            const cell *target = &self->tracked[i].targets.list[k];
            if (cells_find(&self->cells, target->context, target->action) == CELLS_END)
                sum += count(self, i, target->context, target->action, target->n);
        }
    for (uint32_t x = 0; is_drawn(p) && !self->varying && x < self->cells.n_contexts; x++) {
        expected(self, i, x, &missing);
        sum += missing > 0 ? missing * count(self, i, x, LOG_NONE, self->cells.contexts[x].n) : 0;
    }
    return self->events > 0 ? sum / self->events : 0;
}

double value_unlogged(const evaluation *self, size_t i)
{
    return unlogged(self, i, count_all);
}

double value_unknown(const evaluation *self, size_t i, bool all)
{
    const cells *c = &self->tracked[i].unbounded;
    double passed = 0;
    for (size_t k = 0; passes_over(self) && k < c->n; k++)
        passed += c->list[k].n / self->events;
    return fmin(passed + unlogged(self, i, all ? count_kept : count_certain), 1);
}
