/*
 * ell.c: ell(t) = ln(1 + t ln^2 t), for rounds that follow each other.
 *
 * Paper: none.
 *
 * Two logarithms at a base, and by a series from there to the next: with tau = ln t, ell(t) = F(tau),
 *
 *   F = tau + 2 ln tau + ln(1 + E),  E = 1/(t tau^2) = e^-tau / tau^2,  E' = -(1 + 2/tau) E
 *   F' = (1 + 2/tau)/(1 + E)    F'' = F'^2 E - (2/tau^2)/(1 + E)    F''' = 4/tau^3 - (1 + 2/tau)^3 E + small
 *   y = ln(1 + x) = x - x^2/2 + x^3/3 - x^4/4 + small,  x = (t - base)/base
 *   ell(t) = F + F' y + F'' y^2/2 + F''' y^3/6 + small
 *
 * A base is a multiple of a power of two, at most 64 and at most t/1024, so that x < 2^-10 from t = 2048 on. Then what
 * is called small adds up to less than 1e-15: x^5/5 < 1.8e-16 twice over, F'''' y^4/24 < 1.4e-16 and, in F''' y^3/6,
 * 7 E/tau^2 y^3/6 < 2e-16. Rounding of ell, which is above 11 there, does more. Before that every round is a base. The
 * base is a function of t alone, and so is the result: it does not matter which rounds were asked for before.
 *
 * Cost: sixteen operations; at a base two logarithms and four divisions.
 * Check: as long doubles have it (tests/unit/test_numerics.c: ell_of_every_round).
 */
#include "base.h"

static double exact(double t, double tau)
{
    return roster_ln(1 + t * tau * tau);
}

/* The largest power of two that is at most 64 and at most t/1024; 1 where that is less. */
static uint64_t stride_at(uint64_t t)
{
    uint64_t stride = 1;
    while (stride < 64 && 2 * stride <= t / 1024)
        stride *= 2;
    return stride;
}

static void set_base(roster_ell *self, uint64_t t)
{
    self->stride = stride_at(t);
    self->base = t - t % self->stride;
    double base = (double)self->base, tau = self->base > 1 ? roster_ln(base) : 0;
    self->F[0] = exact(base, tau);
    if (self->stride == 1)
        return; /* no other round is asked for */
    double by = 1 / tau, one = 1 + 2 * by, E = by * by / base, most = 1 / (1 + E);
    self->F[1] = one * most;
    self->F[2] = (self->F[1] * self->F[1] * E - 2 * by * by * most) / 2;
    self->F[3] = (4 * by * by * by - one * one * one * E) / 6;
    self->inverse = 1 / base;
}

double roster_ell_at(roster_ell *self, uint64_t t)
{
    if (t - self->base >= self->stride)
        set_base(self, t);
    if (t == self->base)
        return self->F[0];
    double x = (double)(int64_t)(t - self->base) * self->inverse;
    double y = x * (1 - x * (1.0 / 2 - x * (1.0 / 3 - x * (1.0 / 4))));
    return self->F[0] + y * (self->F[1] + y * (self->F[2] + y * self->F[3]));
}
