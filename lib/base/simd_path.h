/*
 * simd_path.h: vectors of one width. A file with kernels includes this, the kernels and simd_path_end.h once per path:
 *
 *   WIDTH 2   "baseline": SSE2 on x86-64, elsewhere what the compiler makes of it
 *   WIDTH 4   "avx2"
 *
 * Gives real, mask and word, vectors of WIDTH doubles and integers; OWN(name), a name of this path; KERNEL and INLINE,
 * the words in front of a function; MAX, SELECT, ANY and ROOT, the larger lane by lane (b where they tie), a where the
 * mask is set else b, whether a mask has a lane set, and the root lane by lane. Needs base.h.
 *
 * Every path gives the same bits: a lane does the operations of the plain form in their order, + - * /, roots and
 * comparisons are exact to the bit on every machine, and the compiler is told to contract nothing (-ffp-contract=off).
 */
#include <string.h>

/* A file's table of kernels: `path`, of the path that was chosen. */
#ifdef __x86_64__
#define SIMD_TABLE(avx2) ((avx2) ? &avx2_path : &baseline_path)
#else
#define SIMD_TABLE(avx2) ((void)(avx2), &baseline_path)
#endif

#ifdef __SSE2__
#include <immintrin.h>
#endif

#if WIDTH == 4
#define OWN(name) avx2_##name
#define PATH_NAME "avx2"
#define TARGET __attribute__((target("avx2")))
#define MAX(a, b) ((real)_mm256_max_pd((a), (b)))
#define ANY(m) (_mm256_movemask_pd((__m256d)(m)) != 0)
#define ROOT(x) ((real)_mm256_sqrt_pd((x)))
#define SELECT(m, a, b) ((real)_mm256_blendv_pd((b), (a), (__m256d)(m)))
#else
#define OWN(name) baseline_##name
#define PATH_NAME "baseline"
#define TARGET
#define SELECT(m, a, b) ((real)(((m) & (mask)(a)) | (~(m) & (mask)(b))))
#ifdef __SSE2__
#define MAX(a, b) ((real)_mm_max_pd((a), (b)))
#define ANY(m) (_mm_movemask_pd((__m128d)(m)) != 0)
#define ROOT(x) ((real)_mm_sqrt_pd((x)))
#else
#define MAX(a, b) SELECT((a) > (b), (a), (b))
#define ANY(m) (((m)[0] | (m)[1]) != 0)
#define ROOT(x) ((real){__builtin_sqrt((x)[0]), __builtin_sqrt((x)[1])})
#endif
#endif

typedef double OWN(real) __attribute__((vector_size(8 * WIDTH)));
typedef int64_t OWN(mask) __attribute__((vector_size(8 * WIDTH)));
typedef uint64_t OWN(word) __attribute__((vector_size(8 * WIDTH)));
#define real OWN(real)
#define mask OWN(mask)
#define word OWN(word)
#define KERNEL TARGET static
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE real OWN(load)(const double *p)
{
    real x;
    memcpy(&x, p, sizeof x);
    return x;
}

INLINE void OWN(store)(double *p, real x)
{
    memcpy(p, &x, sizeof x);
}

/* The first `left` numbers, zeros behind them. */
INLINE real OWN(load_some)(const double *p, size_t left)
{
    if (left >= WIDTH)
        return OWN(load)(p);
    real x = {0};
    for (size_t lane = 0; lane < left; lane++)
        x[lane] = p[lane];
    return x;
}

INLINE void OWN(store_some)(double *p, real x, size_t left)
{
    if (left >= WIDTH)
        OWN(store)(p, x);
    for (size_t lane = 0; left < WIDTH && lane < left; lane++)
        p[lane] = x[lane];
}

INLINE real OWN(all)(double x)
{
    return x - (real){0}; /* not plus: that would lose the sign of -0 */
}

/* from, from + 1, ... */
INLINE real OWN(count)(size_t from)
{
    real x;
    for (size_t lane = 0; lane < WIDTH; lane++)
        x[lane] = (double)lane;
    return x + (double)(int64_t)from; /* signed, which is quicker to convert */
}

/* x where the mask is set, else 0. */
INLINE real OWN(keep)(mask m, real x)
{
    return (real)((mask)x & m);
}

/* The largest lane. */
INLINE double OWN(top)(real x)
{
    double top = x[0];
    for (size_t lane = 1; lane < WIDTH; lane++)
        top = x[lane] > top ? x[lane] : top;
    return top;
}

/* roster_ln of normal numbers. k = shifted >> 52 with the sign is made of what SSE2 has: biased by 1024, and turned
   into a double by the bits of 2^52. */
INLINE real OWN(ln)(real x)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd);
    word shifted = (word)x - sqrt_half;
    real k = (real)(((shifted + (UINT64_C(1024) << 52)) >> 52) | UINT64_C(0x4330000000000000)) - (0x1p52 + 1024);
    real f = (real)((shifted & UINT64_C(0x000fffffffffffff)) + sqrt_half) - 1;
    real s = f / (2 + f), z = s * s, z2 = z * z;
    real odd = z * (2.0 / 3 + z2 * (2.0 / 7 + z2 * (2.0 / 11 + z2 * (2.0 / 15 + z2 * (2.0 / 19)))));
    real even = z2 * (2.0 / 5 + z2 * (2.0 / 9 + z2 * (2.0 / 13 + z2 * (2.0 / 17 + z2 * (2.0 / 21)))));
    real half = 0.5 * f * f;
    return k * ROSTER_LN2_HI - ((half - (s * (half + (odd + even)) + k * ROSTER_LN2_LO)) - f);
}
