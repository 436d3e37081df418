/*
 * simd_body.h: the kernels of simd.h, once per width: simd.c includes this with
 *
 *   WIDTH       doubles in a vector
 *   TARGET      what a function needs to be told to use them
 *   OWN(name)   the name, made this path's own
 *   MAX, SELECT, ANY   the larger, lane by lane, b where they tie; where mask a else b; whether a mask has a lane
 *
 * Arrays of an estimator have room for whole vectors (roster_simd_up); the lanes past the last expert compute
 * something, be it NAN, and nobody looks at it. A sample's probabilities need not have that room.
 */
typedef double OWN(real) __attribute__((vector_size(8 * WIDTH)));
typedef int64_t OWN(mask) __attribute__((vector_size(8 * WIDTH)));
typedef uint64_t OWN(word) __attribute__((vector_size(8 * WIDTH)));
typedef float OWN(single) __attribute__((vector_size(8 * WIDTH)));
typedef int32_t OWN(single_mask) __attribute__((vector_size(8 * WIDTH)));
#define real OWN(real)
#define mask OWN(mask)
#define word OWN(word)
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
        x[lane] = (double)(from + lane);
    return x;
}

INLINE real OWN(keep)(mask m, real x)
{
    return (real)((mask)x & m);
}

INLINE real OWN(size_of)(real x)
{
    return (real)((word)x & UINT64_C(0x7fffffffffffffff));
}

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

TARGET static size_t OWN(indices)(const roster_clipped *self, size_t from, double *u)
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

TARGET static void OWN(add_counts)(roster_clipped *self, const double *inverse_m, const double *pi, double count)
{
    for (size_t i = 0; i < self->tally.n; i += WIDTH) {
        real x = count * OWN(load)(inverse_m + i);
        if (pi != NULL)
            x = OWN(keep)(OWN(load_some)(pi + i, self->tally.n - i) > 0, x);
        OWN(add_at)(self->z + i, self->z_lo + i, x);
    }
}

TARGET static void OWN(add_rewards)(roster_clipped *self, const roster_sample *sample, double inverse_pi)
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
TARGET static void OWN(add_batch)(roster_clipped *self, const roster_batch *batch)
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

TARGET static double OWN(largest)(const double *u, size_t n)
{
    real top = OWN(all)(-INFINITY), number = OWN(count)(0);
    for (size_t i = 0; i < n; i += WIDTH, number += WIDTH)
        top = MAX(SELECT(number < (double)n, OWN(load)(u + i), top), top);
    return OWN(top)(top);
}

TARGET static double OWN(largest_product)(const double *a, const double *b, size_t n)
{
    real top = OWN(all)(-INFINITY);
    for (size_t i = 0; i < n; i += WIDTH)
        top = MAX(OWN(load_some)(a + i, n - i) * OWN(load_some)(b + i, n - i), top);
    return OWN(top)(top);
}

/* Sixteen sums whatever the width, added up in the same order. */
TARGET static double OWN(passing)(const float *pi, const float *inverse, const float *s, float limit, size_t n)
{
    enum { LANES = 2 * WIDTH, PARTS = 16 / LANES };
    OWN(single) sums[PARTS] = {{0}}, most = limit - (OWN(single)){0}, x, y, z;
    for (size_t c = 0; c < n; c += 16)
        for (size_t part = 0; part < PARTS; part++) {
            size_t at = c + part * LANES;
            memcpy(&x, pi + at, sizeof x);
            memcpy(&y, inverse + at, sizeof y);
            memcpy(&z, s + at, sizeof z);
            x *= y;
            sums[part] += (OWN(single))((OWN(single_mask))(x * z) & (x <= most));
        }
    float all[16], total = 0;
    memcpy(all, sums, sizeof all);
    for (size_t lane = 0; lane < 16; lane++)
        total += all[lane];
    return (double)total;
}

TARGET static double OWN(steps)(const roster_lead_bounds *o, double most)
{
    const roster_clipped *e = o->est;
    const double *inverse_m = e->prepared->inverse_m[o->k], slower = 1 / o->rho;
    real least = OWN(all)(-most), number = OWN(count)(0);
    for (size_t i = 0; i < e->tally.n; i += WIDTH, number += WIDTH) {
        mask live = (number < (double)e->tally.n) & (number != (double)o->k);
        real z = OWN(load)(e->z + i) + OWN(load)(e->z_lo + i), level = OWN(load)(e->w + i) + e->floor_level;
        if (ANY(live & ~((z > 0) & (o->bar - OWN(load)(o->u + i) > 0))))
            return 0;
        real rise = (OWN(load)(e->out + i) - level - ROSTER_LEVEL_ROUNDING) * z / OWN(load)(inverse_m + i);
        real fall = (level - OWN(load)(e->below + i) - ROSTER_LEVEL_ROUNDING) * slower;
        least = MAX(SELECT(live, MAX(-rise, -fall), least), least); /* a NAN is left out */
    }
    return -OWN(top)(least);
}

/* One number of each lane's rival. */
INLINE void OWN(scatter)(double *rival, real x)
{
    for (size_t lane = 0; lane < WIDTH; lane++)
        rival[lane * ROSTER_RIVAL] = x[lane];
}

TARGET static double OWN(rivals)(const roster_lead_bounds *o)
{
    const roster_clipped *e = o->est;
    const size_t n = e->tally.n;
    const double *inverse_m = e->prepared->inverse_m[o->k], downs = e->prepared->problem.shared ? 0 : 1;
    real idle = OWN(all)(-INFINITY), number = OWN(count)(0);
    for (size_t i = 0; i < n; i += WIDTH, number += WIDTH) {
        mask live = (number < (double)n) & (number != (double)o->k);
        double *rival = o->rivals + i * ROSTER_RIVAL;
        real m = OWN(load)(inverse_m + i), w = OWN(load)(e->w + i);
        real z = OWN(load)(e->z + i) + OWN(load)(e->z_lo + i), up = 1 / z, down = downs / (z + o->rounds * m);
        real own = MAX(OWN(load)(e->s + i) + OWN(load)(e->s_lo + i), OWN(all)(0)) * up * m;
        real margin = 1 / (o->bar - OWN(load)(o->u + i));
        real widths = 1.5 * o->rho * e->prepared->problem.C * w * (e->root * up) + o->width,
             by_1 = widths + o->lose_by_1;
        real level = w + e->floor_level + o->rounds * m * up + ROSTER_LEVEL_ROUNDING;
        OWN(scatter)(rival + ROSTER_RISE_UP, m * up * margin);
        OWN(scatter)(rival + ROSTER_FALL_UP, (own * up - by_1) * margin);
        OWN(scatter)(rival + ROSTER_RISE_DOWN, m * down * margin);
        OWN(scatter)(rival + ROSTER_FALL_DOWN, (own * down - by_1) * margin);
        OWN(scatter)(rival + ROSTER_RATIO_MOST, 2 * level / m - e->prepared->ratio.b);
        idle = MAX(SELECT(live, (widths + o->lose_by_0 - own * down) * margin, idle), idle);
    }
    return OWN(top)(idle);
}

/* One rival's d of (10) in the cells of a vector. */
INLINE real OWN(danger)(const double *rival, real ratio, bool exact, double a)
{
    real low = OWN(keep)(ratio <= rival[ROSTER_RATIO_MOST], exact ? ratio : MAX(ratio - a, OWN(all)(0)));
    return MAX(low * rival[ROSTER_RISE_UP] - rival[ROSTER_FALL_UP],
               low * rival[ROSTER_RISE_DOWN] - rival[ROSTER_FALL_DOWN]);
}

/* The gains of a few vectors of cells, which share what is read of the rivals. exact: of known experts, whose a is 0. */
INLINE void OWN(find_gains)(const roster_lead_bounds *o, double idle, double *gain, size_t c, size_t parts, bool exact)
{
    const roster_prepared *prepared = o->est->prepared;
    const size_t n = o->n, k = o->k;
    const size_t cells = prepared->problem.experts->x * prepared->problem.experts->v, stride = roster_simd_up(cells);
    const double *inverse_pi = prepared->inverse_pi[k] + c, *rivals = o->rivals, a = prepared->ratio.a;
    real worst[4];
    for (size_t p = 0; p < parts; p++)
        worst[p] = OWN(all)(n > 1 ? -INFINITY : idle);
    for (size_t j = 0; j < n; j++) {
        size_t i = o->experts != NULL ? o->experts[j] : j;
        const double *row = prepared->by_expert + i * stride + c, *rival = rivals + j * ROSTER_RIVAL;
        if (i == k)
            continue;
        for (size_t p = 0; p < parts; p++) {
            real ratio = OWN(load)(row + p * WIDTH) * OWN(load)(inverse_pi + p * WIDTH);
            worst[p] = MAX(OWN(danger)(rival, ratio, exact, a), worst[p]);
        }
    }
    for (size_t p = 0; p < parts && c + p * WIDTH < cells; p++) {
        real found = OWN(keep)(OWN(load)(inverse_pi + p * WIDTH) > 0, idle - worst[p]);
        OWN(store_some)(gain + c + p * WIDTH, found, cells - c - p * WIDTH);
    }
}

/* Rows have room for a multiple of 8 cells. */
INLINE void OWN(find_all_gains)(const roster_lead_bounds *o, double idle, double *gain, bool exact)
{
    const roster_experts *e = o->est->prepared->problem.experts;
    size_t stride = roster_simd_up(e->x * e->v), c = 0;
    for (; c + 4 * WIDTH <= stride; c += 4 * WIDTH)
        OWN(find_gains)(o, idle, gain, c, 4, exact);
    for (; c < stride; c += 2 * WIDTH)
        OWN(find_gains)(o, idle, gain, c, 2, exact);
}

TARGET static void OWN(gains)(const roster_lead_bounds *o, double idle, double *gain)
{
    if (o->est->prepared->ratio.a > 0)
        OWN(find_all_gains)(o, idle, gain, false);
    else
        OWN(find_all_gains)(o, idle, gain, true);
}

static const roster_simd OWN(path) = {
    .name = NAME,
    .width = WIDTH,
    .indices = OWN(indices),
    .add_counts = OWN(add_counts),
    .add_rewards = OWN(add_rewards),
    .add_batch = OWN(add_batch),
    .passing = OWN(passing),
    .largest_product = OWN(largest_product),
    .largest = OWN(largest),
    .steps = OWN(steps),
    .rivals = OWN(rivals),
    .gains = OWN(gains),
};

#undef real
#undef mask
#undef word
#undef INLINE
#undef WIDTH
#undef TARGET
#undef OWN
#undef NAME
#undef MAX
#undef SELECT
#undef ANY
