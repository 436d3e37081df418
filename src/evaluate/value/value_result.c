/*
 * value_result.c: all figures of one policy.
 *
 * Paper: none. Cost: cells times estimators.
 * Check: tests/unit/test_evaluation.c: obd_*.
 */
#include "value_internal.h"

#include <math.h>

const char *const evaluate_estimator_names[EVALUATE_ESTIMATORS + 1] = {"ips", "snips",     "clipped", "dm",
                                                                       "dr",  "switch-dr", "dros",    NULL};
const char *const evaluate_interval_names[EVALUATE_INTERVALS + 1] = {"anytime", "gaussian", "clopper-pearson",
                                                                     "cressie-read", NULL};

const evaluate_limits evaluate_limits_of[EVALUATE_NUMBERS] = {
    [EVALUATE_CONFIDENCE] = {"confidence", 0.5, 0.999999, 0.95},
    [EVALUATE_LEVEL] = {"level", 1e-9, 1e12, 10},
    [EVALUATE_CLIP] = {"clip", 1, 1e12, 0},
    [EVALUATE_LEAST_PROPENSITY] = {"least-propensity", 1e-300, 1, 0},
};

void evaluate_set_numbers(evaluate_settings *self, const double numbers[EVALUATE_NUMBERS])
{
    self->delta = 1 - numbers[EVALUATE_CONFIDENCE];
    self->level = numbers[EVALUATE_LEVEL];
    self->clip = numbers[EVALUATE_CLIP];
    self->least_propensity = numbers[EVALUATE_LEAST_PROPENSITY];
}

static evaluate_estimator chosen(const evaluation *self, const double *estimates)
{
    if (self->settings.estimator != EVALUATE_DEFAULT)
        return self->settings.estimator;
    return isnan(estimates[EVALUATE_DR]) ? EVALUATE_SNIPS : EVALUATE_DR;
}

/* The mean weight, which must be 1, and how far from that chance could take it: four standard errors and the largest
   weight once. */
static void weigh(const evaluation *self, size_t i, const double *totals, evaluate_result *out)
{
    double n = self->events, mean = totals[SUM_W] / n, each = self->most_each;
    double se = sqrt(fmax(0, each * (totals[SUM_W2] - n * mean * mean) / (n - each) / n));
    bool fitted = self->settings.frequencies;
    double squares = fitted ? each * totals[SUM_W2] : self->tracked[i].squares;
    out->effective = squares > 0 ? totals[SUM_W] * totals[SUM_W] / squares : 0;
    out->mean_weight = mean;
    out->mean_low = mean - 4 * se - out->largest / n;
    out->mean_high = mean + 4 * se + out->largest / n;
}

/* Where propensities are fitted, weights are those of the cells. */
static bool weighs_cells(const evaluation *self, size_t i)
{
    return self->settings.frequencies && policies_get(self->list, i)->kind != POLICY_LOGGED;
}

static double cell_weight(const evaluation *self, size_t i, size_t at)
{
    const cell *c = &self->cells.list[at];
    return self->sums[(at * self->n + i) * SUMS + SUM_PI] / c->n * value_scale(self, c);
}

double value_largest(const evaluation *self, size_t i)
{
    double largest = 0;
    if (!weighs_cells(self, i))
        return self->tracked[i].largest;
    for (size_t at = 0; at < self->cells.n; at++)
        largest = fmax(largest, cell_weight(self, i, at) * self->most_each);
    return largest;
}

static void put_bins(const evaluation *self, size_t i, evaluate_result *out)
{
    bool by_cell = weighs_cells(self, i);
    for (int b = 0; b < EVALUATE_BINS; b++)
        out->bins[b] = by_cell ? 0 : self->tracked[i].bins[b];
    for (size_t at = 0; by_cell && at < self->cells.n; at++)
        out->bins[value_bin(cell_weight(self, i, at))] += self->cells.list[at].n;
}

/* What the policy does that was never logged: of which the sums know nothing. In contexts that came rarely it counts
   only where chance does not explain that the mean weight lacks it. Clipping towards caution lets all that the mean
   weight lacks earn anything already. */
static void find_unknown(const evaluation *self, size_t i, evaluate_result *out)
{
    const evaluate_settings *s = &self->settings;
    if (policies_get(self->list, i)->kind == POLICY_LOGGED)
        return;
    out->unlogged = value_unlogged(self, i);
    out->lacking = value_unknown(self, i, false);
    bool unexplained = out->mean_high < 1 - out->lacking;
    out->impossible = !(out->effective > 0) ? 1 : unexplained ? value_unknown(self, i, true) : out->lacking;
    bool cautious = s->interval == EVALUATE_ANYTIME && s->clip > 0;
    out->widening = cautious ? fmin(fmax(out->impossible + out->mean_weight - 1, 0), out->impossible) : out->impossible;
}

/* That part may earn anything. */
static void widen(const evaluation *self, evaluate_result *out)
{
    const evaluate_settings *s = &self->settings;
    double span = s->high - s->low, by = out->widening * span;
    out->interval.low = fmax(out->interval.low - by, s->low);
    out->interval.high = fmin(out->interval.high + by, s->high);
    out->difference.low = fmax(out->difference.low - by, -span);
    out->difference.high = fmin(out->difference.high + by, span);
}

void evaluation_result(const evaluation *self, size_t i, evaluate_result *out)
{
    const tracked *t = &self->tracked[i];
    double totals[SUMS], mean = self->reward / self->events;
    *out = (evaluate_result){.largest = value_largest(self, i), .reach = t->reach};
    value_totals(self, i, totals);
    for (int e = 0; e < EVALUATE_ESTIMATORS; e++)
        out->estimates[e] = value_estimate(self, i, (evaluate_estimator)e);
    weigh(self, i, totals, out);
    for (int e = EVALUATE_DM; e < EVALUATE_ESTIMATORS && !(out->effective > 0); e++)
        out->estimates[e] = NAN; /* guesses from other actions alone */
    out->estimator = chosen(self, out->estimates);
    out->value = out->estimates[out->estimator];
    value_intervals(self, i, out->estimator, &out->interval, &out->difference);
    out->interval.value = out->value;
    out->difference.value = out->value - mean;
    if (policies_get(self->list, i)->kind == POLICY_LOGGED)
        out->difference = (roster_interval){0, 0, 0};
    out->clipped_share = t->clipped / self->lines;
    find_unknown(self, i, out);
    if (out->widening > 0)
        widen(self, out);
    put_bins(self, i, out);
}
