/*
 * simd.c: the paths of simd.h, and which of them an agent takes.
 *
 * Paper: none.
 *
 * The kernels are written once, in simd_body.h, and compiled for
 *
 *   baseline   two doubles at a time: SSE2 on x86-64, elsewhere whatever the compiler makes of it
 *   avx2       four
 *
 * A lane does what the plain form of clipped.c does to one expert, operation by operation; + - * / and comparisons are
 * exact to the bit on every machine, and the compiler is told to contract nothing (-ffp-contract=off), so no path is
 * built with fused multiplication either. Where a lane would need another course (a guess that is far off, a cell that
 * moves in or out, an expert nothing is known of) its vector is left to the plain form.
 *
 * Cost: an index about 25 instructions per expert with four lanes, where the plain form has 150.
 * Departs: none.
 * Check: every path gives the same choices, indices and snapshots, to the bit (tests/unit/test_simd.c).
 */
#include "simd.h"

#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#define MAX(a, b) ((baseline_real)_mm_max_pd((a), (b)))
#define ANY(m) (_mm_movemask_pd((__m128d)(m)) != 0)
#else
#define MAX(a, b) SELECT((a) > (b), (a), (b))
#define ANY(m) (((m)[0] | (m)[1]) != 0)
#endif
#define SELECT(m, a, b) ((baseline_real)(((m) & (baseline_mask)(a)) | (~(m) & (baseline_mask)(b))))
#define WIDTH 2
#define TARGET
#define NAME "baseline"
#define OWN(name) baseline_##name
#include "simd_body.h"

#ifdef __x86_64__
#define MAX(a, b) ((avx2_real)_mm256_max_pd((a), (b)))
#define ANY(m) (_mm256_movemask_pd((__m256d)(m)) != 0)
#define SELECT(m, a, b) ((avx2_real)_mm256_blendv_pd((b), (a), (__m256d)(m)))
#define WIDTH 4
#define TARGET __attribute__((target("avx2")))
#define NAME "avx2"
#define OWN(name) avx2_##name
#include "simd_body.h"
#endif

const roster_simd *roster_simd_choose(void)
{
#ifdef __x86_64__
    if (roster_avx2())
        return &avx2_path;
#endif
    return &baseline_path;
}
