/*
 * divergence_simd.h: divergence.c's loops over experts, once per path (simd_path.h).
 *
 * top and sum have room for whole vectors; what is past the last expert is computed and not looked at.
 */
typedef int32_t OWN(whole) __attribute__((vector_size(4 * WIDTH)));
#define whole OWN(whole)

/* roster_exp, for x <= 0. */
INLINE real OWN(exp)(real x)
{
    mask alive = x >= ROSTER_EXP_LEAST;
    x = OWN(keep)(alive, x);
    whole n = __builtin_convertvector(x * 1.44269504088896340736 - 0.5, whole), half = n / 2;
    real k = __builtin_convertvector(n, real), r = (x - k * ROSTER_LN2_HI) - k * ROSTER_LN2_LO, r2 = r * r;
    real y = ROSTER_EXP_SERIES(r, r2);
    y *= (real)(__builtin_convertvector(half + 1023, mask) << 52);
    return OWN(keep)(alive, y * (real)(__builtin_convertvector(n - half + 1023, mask) << 52));
}

KERNEL void OWN(raise_top)(const column *a, double *top)
{
    for (size_t i = 0; i < a->n; i += WIDTH) {
        real pi = OWN(load)(a->pi + i), most = OWN(load)(top + i);
        real r = OWN(keep)(pi > 0, pi / a->pi_k);
        most = (real)(((mask)r & (r > most)) | ((mask)most & ~(r > most)));
        OWN(store)(top + i, most);
    }
}

KERNEL void OWN(add_terms)(const column *a, const double *top, double *sum)
{
    for (size_t i = 0; i < a->n; i += WIDTH) {
        real pi = OWN(load)(a->pi + i), most = OWN(load)(top + i), total = OWN(load)(sum + i);
        mask counts = (pi > 0) & (most < INFINITY);
        total += OWN(keep)(counts, a->weight * pi * OWN(exp)(OWN(keep)(counts, pi / a->pi_k - most)));
        OWN(store)(sum + i, total);
    }
}

static const kernels OWN(path) = {OWN(raise_top), OWN(add_terms)};

#undef whole
