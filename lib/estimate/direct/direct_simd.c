/*
 * direct_simd.c: the arithmetic of the direct estimate on the vector registers that the processor has.
 *
 * Paper: none.
 *
 * The kernels are in direct_simd_body.h, once for all paths. A round moves all sums, but has only to find the leader:
 * D_i is below the bar, which is the old leader's index less twice what ties, if bar - mu_i > 0 and (bar - mu_i)^2
 * exceeds what the root would be taken of. So nearly no expert needs a root; and no logarithm, because for x = 2^k m,
 * 1 <= m < 2, whose bits, read as a whole number, are 2^52 (1023 + k + m - 1),
 *
 *   k + (m - 1)  <=  log2 x  <=  k + (m - 1) + 0.0861,   so that for normal a and b
 *   ln(a/b)  <=  ln 2 (0.0861 + 2^-52 (bits of a - bits of b)),  which is at most 2 ln 2 0.0861 too large          (1)
 *
 * With the L of that, what the root is taken of is no less: it grows with L (direct_certificate.c, Bonus). Of (1) 12
 * bits are cut off and .0875 is taken for .0861, so that rounding never matters. U_i <= D_i, so A_i is not needed.
 *
 * Cost: some 50 instructions per vector of experts; two roots for vectors that may have the leader, and for those of
 *       them with an expert whose ratio exceeds exp(eta ell) a division and a logarithm.
 * Check: every path gives the same choices, indices and snapshots, to the bit (tests/unit/test_simd.c).
 */
#include "direct_simd.h"

#define ROSTER_DIRECT_LN2 0.69314718055994530942

#define WIDTH 2
#include "simd_path.h"

#include "direct_simd_body.h"
#include "simd_path_end.h"

#ifdef __x86_64__
#define WIDTH 4
#include "simd_path.h"

#include "direct_simd_body.h"
#include "simd_path_end.h"
#endif

const roster_direct_simd *roster_direct_simd_choose(bool avx2)
{
    return SIMD_TABLE(avx2);
}
