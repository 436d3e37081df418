/*
 * evidence_process.c: sums that bound a mean at every time.
 *
 * Paper: Beyond 15 (process).
 *
 *   psi      a number whose mean given the past is at most (lower bound) or at least (upper bound) what is looked for
 *   B        psi - h is at least -B (lower bound), at most B (upper bound)
 *   h        sum lambda psi / sum lambda so far, clipped to [0, 1] (difference: [-1, 1]); 1/2 (0) at first
 *   v        ( min(R, 10)/4 + sum over earlier rounds of the same k of (psi - h)^2 ) / (rounds of k + 1)
 *   lambda   min( 1/(2B), sqrt( 2 l / (v t ln(1 + t)) ) )                           l = ln(1/probability of missing)
 *   value    a the mean from below, b that from above, cut to [0, 1]: a / (1 - (b - a)), which is a where both agree;
 *            clipping leaves b - a of the expert's actions out, and these are taken to earn as the others do
 *   bound    sum lambda psi / sum lambda -+ [ l + sum (psi - h)^2 psiE(lambda B)/B^2 ] / sum lambda
 *
 * exp(+-lambda (psi - mean) - (psi - h)^2 psiE(lambda B)/B^2) has a mean of at most 1 given the past (Fan's
 * inequality), so their product is a supermartingale, and ever exceeds e^l with probability e^-l at most (Ville).
 * Each value has two sides that miss with delta/(2N) each, so l = ln(2N/delta); an expert against its references has
 * l = ln(2/delta).
 *
 * Both sides of a value are the same numbers until a round is clipped, and are computed once while they are.
 *
 * Cost: with four lanes 100 to 150 instructions per vector of experts and process, among them at most a root and three
 *       divisions; V times 13 more where weights are clipped.
 * Check: the values of SPEC-2, section 15 (tests/unit/test_evidence.c: check_values); every path gives the same bits
 *        (tests/unit/test_simd.c: evidence_to_the_bit).
 */
#include "evidence_internal.h"

#define WIDTH 2
#include "simd_path.h"

#include "evidence_simd_body.h"
#include "simd_path_end.h"

#ifdef __x86_64__
#define WIDTH 4
#include "simd_path.h"

#include "evidence_simd_body.h"
#include "simd_path_end.h"
#endif

const roster_evidence_simd *roster_evidence_simd_choose(bool avx2)
{
    return SIMD_TABLE(avx2);
}
