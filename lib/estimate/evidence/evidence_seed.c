/*
 * evidence_seed.c: what past rounds say of an expert that comes later.
 *
 * Paper: Beyond 18 (seed).
 *
 *   w     pi_i(v, x) / pi_k(v, x), k the expert that acted      R = R_ik, the largest there could be
 *   psi   m + w (y - m), m one of 0, 1/2, 1: rounds of k with R <= 20; on the side that counts |psi - m| <= B, which is
 *         R m from below, R (1 - m) from above
 *   or    min(w, 10) y from below, 1 - min(w, 10) (1 - y) from above: rounds of all k; m = 0 or 1, B = 0
 *   D     mean over x of sum_v min(w, 10)^2 pi_k (without min where nothing is clipped)
 *   lambda of k's rounds    min( 2^-j / D, 1 / (2 B) ), j = 0..11
 *   K     exp( +-sum lambda (psi - mu_i) - sum (psi - m)^2 psiE(lambda B) / B^2 ), lambda^2/2 for the last where B = 0
 *
 * m, lambda and B are fixed before the first round, so that K needs the sums by who acted and cell alone, and is a
 * supermartingale whatever was played: each of the 48 = 4 x 12 ways exceeds 48 e^l with probability e^-l / 48. The one
 * with the best bound is taken: its sums, and ln 48 as a further charge, are where the expert's process begins.
 *
 * That holds for an expert which does not depend on these rewards. Of one that was fitted to them it is no more than
 * how well it fits.
 *
 * Cost: O(X V) for each expert that has acted.
 * Departs: contexts are taken to be equally likely for D, which makes lambda a little worse, never false.
 * Check: the rounds one by one (tests/unit/test_evidence_change.c: seed_equals_literal).
 */
#include "evidence_internal.h"

#include <stdlib.h>

static const double FULL = 20, CLIP = 10;
enum { FIXED = 3, WAYS = FIXED + 1, RATES = 12 };

/* The rounds of one expert, w as it is or clipped: sums over cells, from which those of every m follow. */
typedef struct sums {
    double D;
    double n, s;       /* of w n, w s     */
    double nn, ss, qq; /* of w^2 n, w^2 s, w^2 q */
} sums;

typedef struct part {
    double n, R; /* rounds; the largest w */
    sums full, clipped;
} part;

static void add_cell(sums *to, double w, double q, const roster_past_cell *seen, double per_context)
{
    double twice = w * w;
    to->D += twice * q * per_context;
    to->n += w * seen->n;
    to->s += w * seen->s;
    to->nn += twice * seen->n;
    to->ss += twice * seen->s;
    to->qq += twice * seen->q;
}

static part part_of(const roster_past *past, const roster_experts *e, size_t i, size_t k)
{
    part out = {0};
    for (size_t c = 0; c < past->size; c++) {
        const roster_past_cell *seen = &past->cells[k][c];
        double pi = e->pi[c * e->n + i], q = e->pi[c * e->n + k], ratio = pi == 0 ? 0 : pi / q;
        double w = q > 0 ? ratio : 0;
        out.R = ratio > out.R ? ratio : out.R;
        out.n += seen->n;
        add_cell(&out.full, w, q, seen, 1 / (double)e->x);
        add_cell(&out.clipped, w < CLIP ? w : CLIP, q, seen, 1 / (double)e->x);
    }
    return out;
}

static double rate(double first, double D, double B)
{
    double lambda = first / D;
    return B > 0 && lambda > 1 / (2 * B) ? 1 / (2 * B) : lambda;
}

/* What the rounds of one expert add. B 0: clipped. */
static void add_part(roster_seed *out, const part *p, const sums *of, double m, double B, double first)
{
    double lambda = rate(first, of->D, B), square = of->qq - 2 * m * of->ss + m * m * of->nn;
    double per = B > 0 ? roster_psi_e(lambda * B) / (B * B) : lambda * lambda / 2;
    out->psi += lambda * (p->n * m + of->s - m * of->n);
    out->lambda += lambda * p->n;
    out->charge += (square > 0 ? square : 0) * per;
}

static roster_seed add_up(const part *parts, size_t n, size_t way, bool low, double first)
{
    roster_seed out = {.charge = roster_ln(WAYS * RATES)};
    bool clips = way == FIXED;
    double m = clips ? (low ? 0 : 1) : 0.5 * (double)way;
    for (size_t k = 0; k < n; k++) {
        const sums *of = clips ? &parts[k].clipped : &parts[k].full;
        if (parts[k].n > 0 && of->D > 0 && (clips || parts[k].R <= FULL))
            add_part(&out, &parts[k], of, m, clips ? 0 : parts[k].R * (low ? m : 1 - m), first);
    }
    return out;
}

/* The larger, the better: the bound, turned round where it is one from above. */
static double bound_of(const roster_seed *seed, double ln, bool low)
{
    double width = (ln + seed->charge) / seed->lambda, mean = seed->psi / seed->lambda;
    return low ? mean - width : -(mean + width);
}

static roster_seed best_of(const part *parts, size_t n, double ln, bool low)
{
    roster_seed best = {0};
    for (size_t way = 0; way < WAYS; way++) {
        double first = 1;
        for (size_t j = 0; j < RATES; j++, first /= 2) {
            roster_seed next = add_up(parts, n, way, low, first);
            if (next.lambda > 0 && (best.lambda == 0 || bound_of(&next, ln, low) > bound_of(&best, ln, low)))
                best = next;
        }
    }
    return best;
}

int roster_past_seed(const roster_past *self, const roster_experts *e, size_t i, double ln, roster_seed *low,
                     roster_seed *high)
{
    part *parts = roster_alloc(self->n, sizeof *parts);
    size_t n = 0;
    if (parts == NULL)
        return ROSTER_ENOMEM;
    for (size_t k = 0; k < self->n; k++)
        if (self->cells[k] != NULL)
            parts[n++] = part_of(self, e, i, k);
    *low = best_of(parts, n, ln, true);
    *high = best_of(parts, n, ln, false);
    free(parts);
    return ROSTER_OK;
}
