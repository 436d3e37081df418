/*
 * clipped_simd_body.h: the kernels of clipped_simd.h, once per path (simd_path.h).
 *
 * Arrays of an estimator have room for whole vectors (roster_simd_up); the lanes past the last expert compute
 * something, be it NAN, and nothing reads it. A sample's probabilities need not have that room.
 */
INLINE real OWN(size_of)(real x)
{
    return (real)((word)x & UINT64_C(0x7fffffffffffffff));
}

/* One step of roster_lambert_near. Which lanes are done after it, and which may take another. */
INLINE real OWN(step)(real u, real w, mask *done, mask *more)
{
    real x = u / w, z = OWN(ln)(x) - w, size = OWN(size_of)(z), one = 1 + w;
    mask sound = (w > 0) & (x >= 0x1p-1022) & (x < INFINITY), rests = size <= 1e-14 * (1 + w);
    real q = 2 * one * (one + 2.0 / 3 * z);
    real next = w * (1 + z / one * ((q - z) / (q - 2 * z)));
    *done = sound & (rests | (size < 1e-4));
    *more = sound & (size < 0.5);
    return SELECT(rests, w, next);
}

INLINE real OWN(lambert)(real u, real w, mask live, mask *done)
{
    mask more, later, unused;
    real first = OWN(step)(u, w, done, &more);
    if (!ANY(live & ~*done))
        return first;
    real second = OWN(step)(u, first, &later, &unused);
    second = SELECT(*done, first, second);
    *done |= more & later;
    return second;
}

KERNEL size_t OWN(indices)(roster_clipped *self, size_t from, double *u)
{
    const double root = self->root, C = self->prepared->problem.C;
    const size_t n = self->tally.n;
    real number = OWN(count)(from);
    for (size_t i = from; i < n; i += WIDTH, number += WIDTH) {
        mask done, live = number < (double)n;
        real z = OWN(load)(self->z + i) + OWN(load)(self->z_lo + i);
        real w = OWN(lambert)(2 * z / root, OWN(load)(self->w + i), live, &done);
        real level = w + self->floor_level;
        done &= (OWN(load)(self->low + i) <= level) & (level < OWN(load)(self->high + i));
        if (ANY(live & ~done))
            return i;
        real sum = MAX(OWN(load)(self->s + i) + OWN(load)(self->s_lo + i), OWN(all)(0));
        OWN(store)(self->w + i, w);
        OWN(store)(u + i, sum / z + OWN(load)(self->bias + i) + 1.5 * (C * w * (root / z)));
    }
    return n;
}

/* roster_add. */
INLINE void OWN(add)(real *hi, real *lo, real x)
{
    real sum = *hi + x, back = sum - *hi;
    *lo += (*hi - (sum - back)) + (x - back);
    *hi = sum;
}

INLINE void OWN(add_at)(double *hi, double *lo, real x)
{
    real sum = OWN(load)(hi), rest = OWN(load)(lo);
    OWN(add)(&sum, &rest, x);
    OWN(store)(hi, sum);
    OWN(store)(lo, rest);
}

KERNEL void OWN(add_counts)(roster_clipped *self, const double *inverse_m, const double *pi, double count)
{
    for (size_t i = 0; i < self->tally.n; i += WIDTH) {
        real x = count * OWN(load)(inverse_m + i);
        if (pi != NULL)
            x = OWN(keep)(OWN(load_some)(pi + i, self->tally.n - i) > 0, x);
        OWN(add_at)(self->z + i, self->z_lo + i, x);
    }
}

KERNEL void OWN(add_rewards)(roster_clipped *self, const roster_sample *sample, double inverse_pi)
{
    const double *inverse_m = self->prepared->inverse_m[sample->k];
    const double a = self->prepared->ratio.a, b = self->prepared->ratio.b;
    for (size_t i = 0; i < self->tally.n; i += WIDTH) {
        real r = OWN(load_some)(sample->pi + i, self->tally.n - i) * inverse_pi, m = OWN(load)(inverse_m + i);
        real low = MAX(r - a, OWN(all)(0)) * m, theta = (r + b) * m * 0.5;
        mask passes = theta <= OWN(load)(self->w + i) + self->floor_level;
        OWN(add_at)(self->s + i, self->s_lo + i, OWN(keep)(passes, sample->s * low));
    }
}

/* Reads past a row of the table: into the next one, or the room that is behind the last. */
KERNEL void OWN(add_batch)(roster_clipped *self, const roster_batch *batch)
{
    const roster_prepared *prepared = self->prepared;
    const double *inverse_m = prepared->inverse_m[batch->k], *inverse_pi = prepared->inverse_pi[batch->k];
    const double *pi = prepared->problem.experts->pi, a = prepared->ratio.a, b = prepared->ratio.b;
    const size_t n = self->tally.n, touched = batch->n_touched;
    for (size_t i = 0; i < n; i += WIDTH) {
        real m = OWN(load)(inverse_m + i), level = OWN(load)(self->w + i) + self->floor_level;
        real sum = OWN(load)(self->s + i), lo = OWN(load)(self->s_lo + i);
        for (size_t j = 0; j < touched; j++) {
            size_t c = batch->touched[j];
            real r = OWN(load)(pi + c * n + i) * inverse_pi[c];
            real low = MAX(r - a, OWN(all)(0)) * m, theta = (r + b) * m * 0.5;
            OWN(add)(&sum, &lo, OWN(keep)(theta <= level, batch->cells[c].s * low));
        }
        OWN(store)(self->s + i, sum);
        OWN(store)(self->s_lo + i, lo);
    }
}

KERNEL double OWN(largest)(const double *u, size_t n)
{
    real top = OWN(all)(-INFINITY), number = OWN(count)(0);
    for (size_t i = 0; i < n; i += WIDTH, number += WIDTH)
        top = MAX(SELECT(number < (double)n, OWN(load)(u + i), top), top);
    return OWN(top)(top);
}

static const roster_clipped_simd OWN(path) = {
    .name = PATH_NAME,
    .width = WIDTH,
    .indices = OWN(indices),
    .add_counts = OWN(add_counts),
    .add_rewards = OWN(add_rewards),
    .add_batch = OWN(add_batch),
    .largest = OWN(largest),
};
