/*
 * sequence.c: an interval for a mean that holds at every time, from a stream of numbers with that conditional mean.
 *
 * Paper: none. Beyond it: SPEC-2, section 15.
 *
 *   psi      a number whose mean given the past is what is looked for; at least -R and at most R + 1 (a difference:
 *            at most R + 1 either way), R known before the round
 *   B        R + 1 (difference: R + 2)
 *   h        sum lambda psi / sum lambda so far, clipped to [0, 1] (difference: [-1, 1]); 1/2 (0) at first
 *   v        ( min(R, 10)/4 + sum of earlier (psi - h)^2 ) / (t - 1 + 1)
 *   lambda   min( 1/(2B), sqrt( 2 ln(2/delta) / (v t ln(1 + t)) ) )
 *   interval sum lambda psi / sum lambda +- ( ln(2/delta) + sum (psi - h)^2 psiE(lambda B)/B^2 ) / sum lambda
 *   psiE(a)  -ln(1 - a) - a
 *   ln(1+t)  from the round before by ln(1 + 1/t) = 2 (z + z^3/3 + ...), z = 1/(2t + 1); every 256 rounds, and in the
 *            first 64, afresh
 *
 * Cost: a logarithm or two and a root per number; nine numbers of memory, whatever the length.
 * Check: tests/unit/test_sequence.c: equals_literal, holds_at_every_time.
 */
#include "base.h"

void roster_sequence_init(roster_sequence *self, double delta, bool difference)
{
    *self = (roster_sequence){.log_level = roster_ln(2 / delta), .difference = difference};
}

/* ln(1 + n) when n has grown by one. */
static double next_log(const roster_sequence *self)
{
    double t = (double)self->n;
    if (self->n < 64 || self->n % 256 == 0)
        return roster_ln(1 + t);
    double z = 1 / (2 * t + 1), z2 = z * z;
    return self->log_t + 2 * z * (1 + z2 * (1.0 / 3 + z2 * (1.0 / 5 + z2 * (1.0 / 7))));
}

static double centre(const roster_sequence *self)
{
    double low = self->difference ? -1 : 0;
    if (!(self->lambda > 0))
        return self->difference ? 0 : 0.5;
    double h = self->lambda_psi / self->lambda;
    return h < low ? low : h > 1 ? 1 : h;
}

void roster_sequence_add(roster_sequence *self, double psi, double reach)
{
    if (!(reach < INFINITY) || !(fabs(psi) < INFINITY))
        return;
    double t = (double)++self->n;
    self->log_t = next_log(self);
    double bound = reach + (self->difference ? 2 : 1), h = centre(self);
    double v = ((reach < 10 ? reach : 10) / 4 + self->spread) / t;
    double lambda = sqrt(2 * self->log_level / (v * t * self->log_t));
    if (!(lambda < 1 / (2 * bound)))
        lambda = 1 / (2 * bound);
    double square = (psi - h) * (psi - h);
    self->lambda += lambda;
    self->lambda_psi += lambda * psi;
    self->charge += square * roster_psi_e(lambda * bound) / (bound * bound);
    self->spread += square;
}

roster_interval roster_sequence_interval(const roster_sequence *self)
{
    if (!(self->lambda > 0))
        return (roster_interval){centre(self), self->difference ? -1 : 0, 1};
    double value = self->lambda_psi / self->lambda;
    double radius = (self->log_level + self->charge) / self->lambda;
    return (roster_interval){value, value - radius, value + radius};
}

void roster_sequence_merge(roster_sequence *self, const roster_sequence *other)
{
    self->n += other->n;
    self->log_t = roster_ln(1 + (double)self->n);
    self->lambda += other->lambda;
    self->lambda_psi += other->lambda_psi;
    self->charge += other->charge;
    self->spread += other->spread;
}
