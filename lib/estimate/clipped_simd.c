/*
 * clipped_simd.c: the paths of clipped_simd.h.
 *
 * Paper: none.
 *
 * The kernels are written once, in clipped_simd_body.h, and compiled for two widths (simd_path.h). A lane does what
 * clipped.c does to one expert, operation by operation. Where a lane would need another course (a guess that is far
 * off, a cell that moves in or out, an expert nothing is known of) its vector is left to the plain form.
 *
 * Cost: an index about 25 instructions per expert with four lanes, where the plain form has 150.
 * Departs: none.
 * Check: every path gives the same choices, indices and snapshots, to the bit (tests/unit/test_simd.c).
 */
#include "clipped_simd.h"

#define WIDTH 2
#include "simd_path.h"

#include "clipped_simd_body.h"
#include "simd_path_end.h"

#ifdef __x86_64__
#define WIDTH 4
#include "simd_path.h"

#include "clipped_simd_body.h"
#include "simd_path_end.h"
#endif

const roster_clipped_simd *roster_clipped_simd_choose(bool avx2)
{
    return SIMD_TABLE(avx2);
}
