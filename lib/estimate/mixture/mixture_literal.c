/*
 * mixture_literal.c: the mixture estimate in its literal form, a sum over the whole history.
 *
 * Paper: none.
 *
 *   everything of mixture.c from its definition, in long double and with libm
 *
 * Not part of the library: linked into tests only.
 *
 * Cost: O(t) per index, O(t N) where samples are weighted anew.
 * Check: five rounds of section 3 (tests/unit/test_mixture.c: check_values).
 */
#include "mixture_literal.h"

#include <stdlib.h>
#include <string.h>

int roster_mixture_literal_init(roster_mixture_literal *self, size_t n, size_t memory, double kappa, double eta,
                                size_t rounds)
{
    *self = (roster_mixture_literal){.n = n, .memory = memory, .capacity = rounds, .kappa = kappa, .eta = eta};
    self->next = 1;
    self->k = roster_alloc(rounds, sizeof *self->k);
    self->y = roster_alloc(rounds, sizeof *self->y);
    self->pi = roster_alloc(roster_times(rounds, n), sizeof *self->pi);
    self->w = roster_alloc(roster_times(rounds, n), sizeof *self->w);
    return self->k != NULL && self->y != NULL && self->pi != NULL && self->w != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_mixture_literal_fini(roster_mixture_literal *self)
{
    free(self->k);
    free(self->y);
    free(self->pi);
    free(self->w);
}

/* w_is of all i by the alpha of now. */
static void weigh(roster_mixture_literal *self, size_t s)
{
    long double density = 0, t = (long double)self->count;
    for (size_t k = 0; k < self->n; k++) {
        long double plays = 0;
        for (size_t r = 0; r < self->count; r++)
            plays += self->k[r] == k;
        density += (plays + 1 / (long double)self->n) / (t + 1) * self->pi[s * self->n + k];
    }
    for (size_t i = 0; i < self->n; i++)
        self->w[s * self->n + i] = self->pi[s * self->n + i] / density;
}

void roster_mixture_literal_reweigh(roster_mixture_literal *self)
{
    for (size_t s = self->count > self->memory ? self->count - self->memory : 0; s < self->count; s++)
        weigh(self, s);
}

void roster_mixture_literal_add(roster_mixture_literal *self, const roster_sample *sample)
{
    self->k[self->count] = sample->k;
    self->y[self->count] = sample->s;
    for (size_t i = 0; i < self->n; i++)
        self->pi[self->count * self->n + i] = sample->pi[i];
    self->count++;
    if (self->count < self->next) {
        weigh(self, self->count - 1);
        return;
    }
    roster_mixture_literal_reweigh(self);
    uint64_t quarter = (uint64_t)floorl(1.25L * (long double)self->count);
    self->next = quarter > self->count + 1 ? quarter : self->count + 1;
}

double roster_mixture_literal_index(roster_mixture_literal *self, size_t i)
{
    long double t = (long double)self->count, S = 0, y = 0, V = .25L, z = .25L, most = 0;
    for (size_t s = 0; s < self->count; s++) {
        long double w = self->w[s * self->n + i];
        S += w;
        y += w * self->y[s];
        most = w > most ? w : most;
    }
    self->mu = (y + .5L) / (S + 1);
    for (size_t s = 0; s < self->count; s++) {
        long double w = self->w[s * self->n + i], off = self->y[s] - self->mu;
        V += w * w * off * off;
        z += w * off * off;
    }
    V /= (S + 1) * (S + 1);
    z /= S + 1;
    long double b = (most + 1) / (t + 1), ell = t > 1 ? logl(1 + t * logl(t) * logl(t)) : 0;
    long double L = logl((t + 1) * V / (self->kappa * z));
    L = L > self->eta * ell ? L : self->eta * ell;
    return (double)(self->mu + sqrtl(2 * L * V + L * L * b * b));
}
