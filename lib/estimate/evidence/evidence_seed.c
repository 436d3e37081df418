/*
 * evidence_seed.c: what past rounds say of an expert that comes later.
 *
 * Paper: Beyond 18 (evidence of who comes).
 *
 *   w     pi_i(v, x) / pi_k(v, x), k the expert that acted      R = R_ik, the largest there could be
 *   psi   m + w (y - m), m one of 0, 1/2, 1                     rounds of k with R <= 20; |psi - m| <= B on the side that
 *         counts: B = R m from below, R (1 - m) from above
 *   or    min(w, 10) y from below, 1 - min(w, 10) (1 - y) from above: rounds of all k; m = 0 or 1, B = 0
 *   D     mean over x of sum_v min(w, 10)^2 pi_k (without min where nothing is clipped)
 *   lambda of k's rounds    min( 2^-j / D, 1 / (2 B) ), j = 0..11
 *   K     exp( +-sum lambda (psi - mu_i) - sum (psi - m)^2 psiE(lambda B) / B^2 )         psiE(a) / a^2 = 1/2 where B = 0
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

/* What the rounds of one expert say in one way. */
typedef struct part {
    double n;      /* rounds                    */
    double sum;    /* of w (y - m)              */
    double square; /* of its squares            */
    double D, B;
} part;

static void look_at_cell(const roster_experts *e, size_t i, size_t k, size_t c, const roster_past_cell *seen, double m,
                         double most, part *out)
{
    double pi = e->pi[c * e->n + i], q = e->pi[c * e->n + k];
    double w = pi == 0 || q == 0 ? 0 : pi / q;
    w = w < most ? w : most;
    out->D += w * w * q / (double)e->x;
    if (seen->n == 0)
        return;
    out->n += seen->n;
    out->sum += w * (seen->s - m * seen->n);
    out->square += w * w * (seen->q - 2 * m * seen->s + m * m * seen->n);
}

static part part_of(const roster_past *past, const roster_experts *e, size_t i, size_t k, double m, bool low,
                    double most)
{
    part out = {0};
    double R = 0;
    for (size_t c = 0; c < past->size; c++) {
        double pi = e->pi[c * e->n + i], q = e->pi[c * e->n + k];
        R = pi > R * q ? pi / q : R;
        look_at_cell(e, i, k, c, &past->cells[k][c], m, most, &out);
    }
    if (most == INFINITY && R > FULL)
        return (part){0};
    out.square = out.square > 0 ? out.square : 0;
    out.B = most < INFINITY ? 0 : R * (low ? m : 1 - m);
    return out;
}

static double rate(const part *p, double first)
{
    double lambda = first / p->D;
    return p->B > 0 && lambda > 1 / (2 * p->B) ? 1 / (2 * p->B) : lambda;
}

static roster_seed add_up(const part *parts, size_t n, double m, double first)
{
    roster_seed out = {0};
    for (size_t k = 0; k < n; k++) {
        const part *p = &parts[k];
        if (!(p->n > 0 && p->D > 0))
            continue;
        double lambda = rate(p, first);
        double per = p->B > 0 ? roster_psi_e(lambda * p->B) / (p->B * p->B) : lambda * lambda / 2;
        out.psi += lambda * (p->n * m + p->sum);
        out.lambda += lambda * p->n;
        out.charge += p->square * per;
    }
    return out;
}

/* The larger, the better: the bound, turned round where it is one from above. */
static double bound_of(const roster_seed *seed, double ln, bool low)
{
    double width = (ln + seed->charge) / seed->lambda, mean = seed->psi / seed->lambda;
    return low ? mean - width : -(mean + width);
}

int roster_past_seed(const roster_past *self, const roster_experts *e, size_t i, double ln, bool low, roster_seed *out)
{
    const double choices[WAYS] = {0, 0.5, 1, low ? 0 : 1}, price = roster_ln(WAYS * RATES);
    part *parts = roster_alloc(self->n, sizeof *parts);
    *out = (roster_seed){0};
    if (parts == NULL)
        return ROSTER_ENOMEM;
    for (size_t way = 0; way < WAYS; way++) {
        for (size_t k = 0; k < self->n; k++)
            parts[k] = self->cells[k] == NULL
                           ? (part){0}
                           : part_of(self, e, i, k, choices[way], low, way < FIXED ? INFINITY : CLIP);
        double first = 1;
        for (size_t j = 0; j < RATES; j++, first /= 2) {
            roster_seed next = add_up(parts, self->n, choices[way], first);
            next.charge += price;
            if (next.lambda > 0 && (out->lambda == 0 || bound_of(&next, ln, low) > bound_of(out, ln, low)))
                *out = next;
        }
    }
    free(parts);
    return ROSTER_OK;
}
