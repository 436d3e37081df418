/*
 * direct_simd.c: the arithmetic of the direct estimate on the vector registers that the processor has.
 *
 * Paper: none.
 *
 * The kernels are in direct_simd_body.h, once for all paths. A round moves all sums, but has only to find the leader: D_i
 * is below the bar, which is the old leader's index less what ties, if bar - mu_i > 0 and (bar - mu_i)^2 exceeds what
 * the root would be taken of. So nearly no expert needs a root, and U_i <= D_i is not looked at.
 *
 * Cost: some 40 instructions per vector of experts, and two roots for vectors that may have the leader; a division and a
 *       logarithm for those with an expert whose ratio exceeds exp(eta ell).
 * Check: every path gives the same choices, indices and snapshots, to the bit (tests/unit/test_simd.c).
 */
#include "direct_simd.h"

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
