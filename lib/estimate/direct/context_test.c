/*
 * context_test.c: declared context probabilities are tested, not believed.
 *
 * Paper: Beyond 12 (declared contexts).
 *
 *   ln E += ln[ (n_x + 1/2)/(t - 1 + X/2) / p(x) ],  n_x from before round t;  rejected from ln E > ln 1e4 on
 *
 * E is a product of ratios of two probabilities of the next context, that of a Dirichlet(1/2, ...) mixture and the
 * declared one: if the latter is right E is a martingale from 1, and exceeds 1e4 ever with probability 1e-4 at most
 * (Ville). The order of contexts does not matter:
 *
 *   ln E = sum_x [lnG(n_x + 1/2) - lnG(1/2) - n_x ln p(x)] - lnG(t + X/2) + lnG(X/2)               (1)
 *
 * How far is 1e4? With g = n_x + 1/2 and G = t + X/2, a round in which x comes for the (j+1)-th time from now on adds
 * at most ln(g/(G p)) + ln(1 + j/g) <= a + j/g, where a is the largest logarithm of all contexts, or 0; and b rounds,
 * of whatever contexts, add at most a b + b^2/(2 g) with the smallest g: all of them in that context is the worst. So
 *
 *   a b + b^2/(2g) <= ln 1e4 - ln E =: r,  that is  b <= 2 r / (a + sqrt(a^2 + 2 r/g)),  is safe                    (2)
 *
 * Cost: two divisions per round; the product is turned into a logarithm only before it leaves the range of doubles.
 * Departs: the paper knows p.
 * Check: ln E = -1.08150682076517 after five rounds (tests/unit/test_direct.c: context_test_check_values).
 */
#include "context_test.h"

static const double LN_LIMIT = 9.210340371976182736;        /* ln 1e4    */
static const double LN_GAMMA_HALF = 0.57236494292470008707; /* lnG(1/2) */

static void take(roster_context_test *self, double e, double ln)
{
    self->e = e;
    self->ln = ln;
    self->limit = LN_LIMIT - ln < 700 ? roster_exp(LN_LIMIT - ln) : INFINITY;
}

void roster_context_test_init(roster_context_test *self, const double *p, size_t x)
{
    *self = (roster_context_test){.p = p, .x = x};
    roster_context_test_reset(self);
}

void roster_context_test_reset(roster_context_test *self)
{
    self->rejected = false;
    take(self, 1, 0);
}

void roster_context_test_learn(roster_context_test *self, size_t x, uint64_t n_x, uint64_t t)
{
    if (self->rejected)
        return;
    double p = self->p[x];
    self->e *= ((double)n_x + 0.5) / (((double)t + 0.5 * (double)self->x) * p);
    if (self->e > self->limit || p == 0)
        self->rejected = true;
    else if (!(self->e > 1e-100 && self->e < 1e100))
        take(self, 1, self->ln + roster_ln(self->e));
}

double roster_context_test_ln(const roster_context_test *self)
{
    return self->ln + roster_ln(self->e);
}

/* (2), a little less for rounding, and the last round. */
double roster_context_test_room(const roster_context_test *self, const uint64_t *counts, uint64_t t)
{
    double G = (double)t + 0.5 * (double)self->x, least = INFINITY, most = 1;
    for (size_t x = 0; x < self->x; x++) {
        double g = (double)counts[x] + 0.5;
        if (self->p[x] == 0)
            return 1;
        least = g < least ? g : least;
        most = g / (G * self->p[x]) > most ? g / (G * self->p[x]) : most;
    }
    double a = roster_ln(most), r = LN_LIMIT - roster_context_test_ln(self) - 1e-6;
    return r > 0 ? 1 + floor(2 * r / (a + sqrt(a * a + 2 * r / least))) : 1;
}

/* (1). */
void roster_context_test_set(roster_context_test *self, const uint64_t *counts, uint64_t t)
{
    double half = 0.5 * (double)self->x, ln = roster_ln_gamma(half) - roster_ln_gamma((double)t + half), lo = 0;
    for (size_t x = 0; x < self->x; x++) {
        if (counts[x] == 0)
            continue;
        double n = (double)counts[x];
        roster_add(&ln, &lo, roster_ln_gamma(n + 0.5) - LN_GAMMA_HALF);
        roster_add(&ln, &lo, self->p[x] > 0 ? -n * roster_ln(self->p[x]) : INFINITY);
    }
    ln = isfinite(ln) ? ln + lo : INFINITY;
    self->rejected |= ln > LN_LIMIT;
    take(self, 1, self->rejected ? 0 : ln);
}

void roster_context_test_save(const roster_context_test *self, roster_writer *w)
{
    roster_put_u64(w, self->rejected);
    roster_put_double(w, self->e);
    roster_put_double(w, self->ln);
}

void roster_context_test_load(roster_context_test *self, roster_reader *r)
{
    uint64_t rejected = roster_get_u64(r);
    double e = roster_get_double(r), ln = roster_get_double(r);
    r->failed |= rejected > 1 || !(e > 0) || isnan(ln);
    self->rejected = rejected == 1;
    take(self, e, ln);
}
