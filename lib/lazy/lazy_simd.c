/*
 * lazy_simd.c: the paths of lazy_simd.h.
 *
 * Paper: none.
 *
 * The kernels are written once, in lazy_simd_body.h, and compiled for two widths (simd_path.h).
 *
 * Cost: N X V times about ten operations for all gains, divided by the width.
 * Check: every path gives the same certificates, to the bit (tests/unit/test_simd.c).
 */
#include "lazy_simd.h"

#define WIDTH 2
#include "simd_path.h"

#include "lazy_simd_body.h"
#include "simd_path_end.h"

#ifdef __x86_64__
#define WIDTH 4
#include "simd_path.h"

#include "lazy_simd_body.h"
#include "simd_path_end.h"
#endif

const roster_lazy_simd *roster_lazy_simd_choose(bool avx2)
{
    return SIMD_TABLE(avx2);
}
