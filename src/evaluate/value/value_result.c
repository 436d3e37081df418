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
static void weigh(const evaluation *self, const double *totals, evaluate_result *out)
{
    double n = self->events, mean = totals[SUM_W] / n;
    double se = sqrt(fmax(0, (totals[SUM_W2] - n * mean * mean) / (n - 1) / n));
    out->effective = totals[SUM_W2] > 0 ? totals[SUM_W] * totals[SUM_W] / totals[SUM_W2] : 0;
    out->mean_weight = mean;
    out->mean_low = mean - 4 * se - out->largest / n;
    out->mean_high = mean + 4 * se + out->largest / n;
}

/* Where propensities are fitted, weights are those of the cells. */
static void weigh_cells(const evaluation *self, size_t i, evaluate_result *out)
{
    out->largest = 0;
    for (int b = 0; b < EVALUATE_BINS; b++)
        out->bins[b] = 0;
    for (size_t at = 0; at < self->cells.n; at++) {
        const cell *c = &self->cells.list[at];
        double w = self->sums[(at * self->n + i) * SUMS + SUM_PI] / c->n * value_scale(self, c);
        out->largest = w > out->largest ? w : out->largest;
        out->bins[value_bin(w)] += c->n;
    }
}

void evaluation_result(const evaluation *self, size_t i, evaluate_result *out)
{
    const tracked *t = &self->tracked[i];
    double totals[SUMS], mean = self->reward / self->events;
    *out = (evaluate_result){.largest = t->largest, .reach = t->reach};
    value_totals(self, i, totals);
    for (int e = 0; e < EVALUATE_ESTIMATORS; e++)
        out->estimates[e] = value_estimate(self, i, (evaluate_estimator)e);
    out->estimator = chosen(self, out->estimates);
    out->value = out->estimates[out->estimator];
    value_intervals(self, i, out->estimator, &out->interval, &out->difference);
    out->interval.value = out->value;
    out->difference.value = out->value - mean;
    if (policies_get(self->list, i)->kind == POLICY_LOGGED)
        out->difference = (roster_interval){0, 0, 0};
    out->clipped_share = t->clipped / self->lines;
    out->unlogged = value_unlogged(self, i);
    for (int b = 0; b < EVALUATE_BINS; b++)
        out->bins[b] = t->bins[b];
    if (self->settings.frequencies && policies_get(self->list, i)->kind != POLICY_LOGGED)
        weigh_cells(self, i, out);
    weigh(self, totals, out);
}
