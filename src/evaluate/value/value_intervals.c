/*
 * value_intervals.c: intervals of a policy's value and of its difference to what was served.
 *
 *   anytime          that of the stream (evaluation.c), cut to what is possible
 *   gaussian         value +- z s / sqrt(n) of the estimator's terms, each without its event in the cell means; where
 *                    they do not vary at all (no clicks), that of Clopper and Pearson instead of nothing
 *   clopper-pearson  of sum w y / W successes in n / W trials, W the largest weight; no more successes than trials
 *   cressie-read     empirical likelihood with power -2, weights known to have mean 1 (Karampatziakis, Langford,
 *                    Mineiro 2020), as vw-estimators computes it with weights of any size
 *   difference       gaussian: of term - r; of the last two: ends of intervals at half the level each
 *   served           for one look gaussian; where rewards do not vary that of Clopper and Pearson
 *
 * Where events were dropped, sums are those of c = 1/(1 - d) events alike for each that was kept, of which only one was
 * seen: variances are c times as large, c the largest where d varies (sum c^2 z^2 <= max c sum c z^2).
 *
 * Paper: none. Beyond it: SPEC-2, section 18.
 * Cost: cells; the quantiles take a few microseconds.
 * Check: tests/unit/test_evaluation.c: intervals_*.
 */
#include "value_internal.h"

#include <math.h>

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* From the scale of y to that of rewards. */
static roster_interval stretch(const evaluate_settings *s, roster_interval at, bool difference)
{
    double span = s->high - s->low, from = difference ? 0 : s->low;
    at.low = clamp(at.low, difference ? -1 : 0, 1);
    at.high = clamp(at.high, difference ? -1 : 0, 1);
    return (roster_interval){from + span * at.value, from + span * at.low, from + span * at.high};
}

static roster_interval joined(const roster_sequence *low, const roster_sequence *high, bool clipped)
{
    roster_interval at = roster_sequence_interval(low);
    if (clipped)
        at.high = roster_sequence_interval(high).high;
    return at;
}

/* Of the mean of terms, from their sum and squares. */
static double standard_error(const evaluation *self, double sum, double squares)
{
    double n = self->events, each = self->most_each;
    return sqrt(fmax(0, each * (squares - sum * sum / n) / (n - each) / n));
}

/* Of a sum of rewards, each in the range, of which `each` are one trial. */
static roster_interval binomial(const evaluation *self, double rewards, double weights, double each, double delta)
{
    const evaluate_settings *s = &self->settings;
    double span = s->high - s->low, n = self->events / each;
    double successes = clamp((rewards - s->low * weights) / span / each, 0, n);
    double low = successes > 0 ? special_beta_quantile(delta / 2, successes, n - successes + 1) : 0;
    double high = successes < n ? special_beta_quantile(1 - delta / 2, successes + 1, n - successes) : 1;
    return (roster_interval){NAN, s->low + span * low, s->low + span * high};
}

static roster_interval clopper_pearson(const evaluation *self, size_t i, double delta)
{
    double totals[SUMS], largest = value_largest(self, i);
    value_totals(self, i, totals);
    if (!(largest > 0))
        return (roster_interval){NAN, self->settings.low, self->settings.high};
    return binomial(self, totals[SUM_WR], totals[SUM_W], largest, delta);
}

/* For one look; where rewards do not vary that of Clopper and Pearson. */
static roster_interval served_at(const evaluation *self, double delta)
{
    const evaluate_settings *s = &self->settings;
    double mean = self->reward / self->events, z = special_normal_quantile(1 - delta / 2);
    double se = standard_error(self, self->reward, self->squares);
    if (!(se > 0))
        return binomial(self, self->reward, self->events, self->most_each, delta);
    return (roster_interval){mean, fmax(mean - z * se, s->low), fmin(mean + z * se, s->high)};
}

roster_interval evaluation_served(const evaluation *self)
{
    const evaluate_settings *s = &self->settings;
    roster_interval at = s->interval == EVALUATE_ANYTIME ? stretch(s, roster_sequence_interval(&self->served), false)
                                                         : served_at(self, s->delta);
    at.value = self->reward / self->events;
    return at;
}

/* One end of the Cressie-Read interval: sign 1 with r the least reward, or -1 with r the largest; for weights 0 and
   infinity that were not seen. */
static double cressie_read_end(const double *totals, double n, double phi, double r, double sign)
{
    double sumw = totals[SUM_W], w2 = totals[SUM_W2], wr = totals[SUM_WR], best = INFINITY;
    double x = sign * (r + (wr - sumw * r) / n), tolerance = 1e-9;
    double y = (r * sumw - wr) * (r * sumw - wr) / (n * (1 + n)) -
               (r * r * w2 - 2 * r * totals[SUM_W2R] + totals[SUM_W2R2]) / (1 + n);
    double z = phi + 1 / (2 * n);
    if (fabs(y * z) <= tolerance * tolerance)
        best = fmin(best, x - sqrt(2) * tolerance);
    else if (z <= 0 && y * z >= 0)
        best = fmin(best, x - sqrt(2 * y * z));
    double mean = sumw / (1 + n), mean2 = w2 / (1 + n), meanr = sign * wr / (1 + n);
    double mean2r = sign * totals[SUM_W2R] / (1 + n), spread = mean2 - mean * mean;
    if (spread > 0) {
        x = meanr + (1 - mean) * (mean2r - mean * meanr) / spread;
        y = (mean2r - mean * meanr) * (mean2r - mean * meanr) / spread - (totals[SUM_W2R2] / (1 + n) - meanr * meanr);
        z = phi + (1 - mean) * (1 - mean) / spread / 2;
        if (fabs(y * z) <= tolerance * tolerance)
            best = fmin(best, x - sqrt(2) * tolerance);
        else if (z <= 0 && y * z >= 0)
            best = fmin(best, x - sqrt(2 * y * z));
    }
    return sign * best;
}

static roster_interval cressie_read(const evaluation *self, size_t i, double delta)
{
    const evaluate_settings *s = &self->settings;
    double totals[SUMS], n = self->events / self->most_each, g;
    value_totals(self, i, totals);
    for (int k = 0; k < SUMS; k++)
        totals[k] /= self->most_each;
    if (totals[SUM_W] < n) {
        g = 1 + 1 / n;
    } else {
        double a = totals[SUM_W] / (1 + n), b = totals[SUM_W2] / (1 + n);
        g = (1 + n) * (a - 1) * (a - 1) / (b - a * a);
    }
    double phi = (-g - special_f1_above(delta, n)) / (2 * (1 + n));
    double low = cressie_read_end(totals, n, phi, s->low, 1), high = cressie_read_end(totals, n, phi, s->high, -1);
    return (roster_interval){NAN, isfinite(low) ? clamp(low, s->low, s->high) : s->low,
                             isfinite(high) ? clamp(high, s->low, s->high) : s->high};
}

/* The ends of value - served, each known at half the level. */
static roster_interval apart(const evaluation *self, roster_interval value)
{
    roster_interval served = served_at(self, self->settings.delta / 2);
    return (roster_interval){NAN, value.low - served.high, value.high - served.low};
}

static bool gaussian(const evaluation *self, size_t i, evaluate_estimator estimator, roster_interval *value,
                     roster_interval *difference)
{
    const evaluate_settings *s = &self->settings;
    value_terms t, with; /* with: the event itself in the means, which must vary too */
    double n = self->events, z = special_normal_quantile(1 - s->delta / 2);
    if (!value_terms_of(self, i, estimator, true, &t) || !value_terms_of(self, i, estimator, false, &with))
        return false;
    double own = value_estimate(self, i, estimator), se = standard_error(self, t.t, t.tt);
    double apart_se = standard_error(self, t.t - self->reward, t.tt - 2 * t.tr + self->squares);
    if (estimator == EVALUATE_DM || !(se > 0) || !(standard_error(self, with.t, with.tt) > 0))
        return false;
    *value = (roster_interval){own, clamp(own - z * se, s->low, s->high), clamp(own + z * se, s->low, s->high)};
    double gap = own - self->reward / n;
    double most = s->high - s->low;
    *difference =
        (roster_interval){gap, clamp(gap - z * apart_se, -most, most), clamp(gap + z * apart_se, -most, most)};
    return true;
}

void value_intervals(const evaluation *self, size_t i, evaluate_estimator estimator, roster_interval *value,
                     roster_interval *difference)
{
    const evaluate_settings *s = &self->settings;
    const tracked *t = &self->tracked[i];
    if (s->interval == EVALUATE_ANYTIME) {
        *value = stretch(s, joined(&t->value, &t->value_high, s->clip > 0), false);
        *difference = stretch(s, joined(&t->difference, &t->difference_high, s->clip > 0), true);
        return;
    }
    if (s->interval == EVALUATE_GAUSSIAN && gaussian(self, i, estimator, value, difference))
        return;
    bool cressie = s->interval == EVALUATE_CRESSIE_READ;
    *value = cressie ? cressie_read(self, i, s->delta) : clopper_pearson(self, i, s->delta);
    *difference = apart(self, cressie ? cressie_read(self, i, s->delta / 2) : clopper_pearson(self, i, s->delta / 2));
}
