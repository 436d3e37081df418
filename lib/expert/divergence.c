/*
 * divergence.c: how little a sample of expert k says about expert i.
 *
 * Paper: Definition 1, Definition 2, Appendix (infinite divergence).
 *
 *   f1(z) = z e^(z-1) - 1,   D(i,k) = sum_x p(x) sum_v pi_k f1(r_ik),   r_ik = pi_i(v,x) / pi_k(v,x)
 *   M_ik = 1 + ln(1 + D(i,k)) = ln sum_x p(x) sum_v pi_i(v,x) exp(r_ik(v,x))
 *
 * The second form is one log-sum-exp; the first overflows once a ratio passes 709. M_ik is infinite when i plays, in
 * a context that occurs, what k never plays. `shared` leaves out those actions and takes M' = max(1, ...).
 *
 * Cost: a column is 2 N X V operations, half of them exponentials; no memory besides the result.
 * Departs: rounding cannot push M below its least value 1.
 * Check: SPEC's three experts give M_01 = 2.762286752068799, M_20 = 8.384796458868784
 *        (tests/unit/test_divergence.c: divergence_check_values).
 */
#include "expert.h"

#include <string.h>

enum { BLOCK = 512 }; /* experts taken together, so that each row of the table is read in whole cache lines */

/* One action in one context: what it says of the experts first..first+n with respect to k. */
typedef struct column {
    const double *pi; /* of the first; there is room behind a table */
    double pi_k, weight;
    size_t n;
} column;

/* The loops over experts, by vectors; the bits are the same on every path. */
typedef struct kernels {
    void (*raise_top)(const column *a, double *top);
    void (*add_terms)(const column *a, const double *top, double *sum);
} kernels;

#define WIDTH 2
#include "simd_path.h"

#include "divergence_simd.h"
#include "simd_path_end.h"

#ifdef __x86_64__
#define WIDTH 4
#include "simd_path.h"

#include "divergence_simd.h"
#include "simd_path_end.h"
#endif

/* The largest ratio to k of experts first..first+n over what they play: INFINITY where k must follow and cannot. */
static void largest_ratios(const kernels *with, const roster_experts *e, const double *p, bool shared, size_t k,
                           size_t first, size_t n, double *top)
{
    for (size_t i = 0; i < BLOCK; i++)
        top[i] = 0;
    for (size_t x = 0; x < e->x; x++)
        for (size_t v = 0; v < e->v && (p == NULL || p[x] > 0); v++) {
            const double *pi = roster_experts_across(e, x, v);
            if (pi[k] > 0 || !shared)
                with->raise_top(&(column){.pi = pi + first, .pi_k = pi[k], .n = n}, top);
        }
}

/* scale * sum_x p(x) sum_v pi_i exp(r_ik - top_i) for the same experts. */
static void scaled_sums(const kernels *with, const roster_experts *e, const double *p, size_t k, size_t first, size_t n,
                        double scale, const double *top, double *sum)
{
    for (size_t i = 0; i < BLOCK; i++)
        sum[i] = 0;
    for (size_t x = 0; x < e->x; x++) {
        double weight = scale * (p != NULL ? p[x] : 1 / (double)e->x);
        for (size_t v = 0; v < e->v && weight > 0; v++) {
            const double *pi = roster_experts_across(e, x, v);
            if (pi[k] > 0)
                with->add_terms(&(column){pi + first, pi[k], weight, n}, top, sum);
        }
    }
}

/* ln of the sum. Where p(x) pi_i is so small that the products lose bits, once more on a larger scale. */
static double log_of_sum(const kernels *with, const roster_experts *e, const double *p, size_t k, size_t i, double top,
                         double sum)
{
    const double least = 0x1p-900, scale = 0x1p600, ln_scale = 415.88830833596718565;
    if (sum >= least || !(top > 0 && top < INFINITY))
        return sum > 0 ? roster_ln(sum) : 0;
    double tops[BLOCK] = {top}, sums[BLOCK];
    scaled_sums(with, e, p, k, i, 1, scale, tops, sums);
    return sums[0] > 0 ? roster_ln(sums[0]) - ln_scale : -INFINITY;
}

void roster_divergence_none(const roster_experts *e, double *m)
{
    for (size_t i = 0; i < e->n; i++)
        m[i] = INFINITY;
}

void roster_divergence_column(const roster_experts *e, const double *p, bool shared, size_t k, double *m)
{
    roster_divergence_column_from(e, p, shared, k, 0, m);
}

void roster_divergence_column_from(const roster_experts *e, const double *p, bool shared, size_t k, size_t from,
                                   double *m)
{
    const kernels *with = SIMD_TABLE(e->avx2);
    double top[BLOCK], sum[BLOCK];
    if (k >= e->n || e->x == 0) {
        roster_divergence_none(e, m);
        return;
    }
    for (size_t first = from; first < e->n; first += BLOCK) {
        size_t n = e->n - first < BLOCK ? e->n - first : BLOCK;
        largest_ratios(with, e, p, shared, k, first, n, top);
        scaled_sums(with, e, p, k, first, n, 1, top, sum);
        for (size_t i = 0; i < n; i++) {
            double value = top[i] + log_of_sum(with, e, p, k, first + i, top[i], sum[i]);
            m[first + i] = value > 1 ? value : 1;
        }
    }
}
