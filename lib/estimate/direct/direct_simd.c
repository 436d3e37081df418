/*
 * direct_simd.c: the arithmetic of the direct estimate on the vector registers that the processor has.
 *
 * Paper: none.
 *
 * The kernels are in direct_simd_body.h, once for all paths.
 *
 * Cost: two roots per vector of experts for the indices, no division and no logarithm.
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
