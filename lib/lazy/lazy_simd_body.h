/*
 * lazy_simd_body.h: the kernels of lazy_simd.h, once per path (simd_path.h).
 *
 * Arrays of an estimator have room for whole vectors (roster_simd_up), and so has a list of rivals; the lanes past the
 * last one compute something, be it NAN, and nothing reads it.
 */
typedef float OWN(single) __attribute__((vector_size(8 * WIDTH)));
typedef int32_t OWN(single_mask) __attribute__((vector_size(8 * WIDTH)));

/* Numbers of the rivals at positions at, at + 1, ...: all experts in a row, or those of a list. */
INLINE real OWN(pick)(const double *p, const size_t *experts, size_t at)
{
    if (experts == NULL)
        return OWN(load)(p + at);
    real x;
    for (size_t lane = 0; lane < WIDTH; lane++)
        x[lane] = p[experts[at + lane]];
    return x;
}

/* Which of these positions have a rival: all but those past the end, and that of the leader. */
INLINE mask OWN(live)(const roster_lead_bounds *b, const size_t *experts, size_t at)
{
    real number = OWN(count)(at), expert = number;
    for (size_t lane = 0; lane < WIDTH && experts != NULL; lane++)
        expert[lane] = (double)experts[at + lane];
    return (number < (double)b->n) & (expert != (double)b->k);
}

INLINE double OWN(steps_of)(const roster_lead_bounds *b, double most, const size_t *experts)
{
    const roster_clipped *e = b->est;
    const double *inverse_m = e->prepared->inverse_m[b->k], slower = 1 / b->rho;
    real least = OWN(all)(-most);
    for (size_t at = 0; at < b->n; at += WIDTH) {
        mask live = OWN(live)(b, experts, at);
        real z = OWN(pick)(e->z, experts, at) + OWN(pick)(e->z_lo, experts, at);
        real level = OWN(pick)(e->w, experts, at) + e->floor_level;
        if (ANY(live & ~((z > 0) & (b->bar - OWN(pick)(b->u, experts, at) > 0))))
            return 0;
        real room = OWN(pick)(e->out, experts, at) - level - ROSTER_LEVEL_ROUNDING;
        real rise = room * z / OWN(pick)(inverse_m, experts, at);
        real fall = (level - OWN(pick)(e->below, experts, at) - ROSTER_LEVEL_ROUNDING) * slower;
        least = MAX(SELECT(live, MAX(-rise, -fall), least), least); /* a NAN is left out */
    }
    return -OWN(top)(least);
}

/* Compiled apart for all experts and for a list: the first reads whole vectors. */
KERNEL double OWN(steps)(const roster_lead_bounds *b, double most)
{
    return b->experts == NULL ? OWN(steps_of)(b, most, NULL) : OWN(steps_of)(b, most, b->experts);
}

/* One number of each lane's rival. */
INLINE void OWN(scatter)(double *rival, real x)
{
    for (size_t lane = 0; lane < WIDTH; lane++)
        rival[lane * ROSTER_RIVAL] = x[lane];
}

INLINE double OWN(rivals_of)(const roster_lead_bounds *b, double *rivals, const size_t *experts)
{
    const roster_clipped *e = b->est;
    const roster_prepared *prepared = e->prepared;
    const double *inverse_m = prepared->inverse_m[b->k], downs = prepared->problem.shared ? 0 : 1;
    real idle = OWN(all)(-INFINITY);
    for (size_t at = 0; at < b->n; at += WIDTH) {
        double *rival = rivals + at * ROSTER_RIVAL;
        real m = OWN(pick)(inverse_m, experts, at), w = OWN(pick)(e->w, experts, at);
        real z = OWN(pick)(e->z, experts, at) + OWN(pick)(e->z_lo, experts, at);
        real up = 1 / z, down = downs / (z + b->rounds * m);
        real sum = OWN(pick)(e->s, experts, at) + OWN(pick)(e->s_lo, experts, at);
        real own = MAX(sum, OWN(all)(0)) * up * m, margin = 1 / (b->bar - OWN(pick)(b->u, experts, at));
        real widths = 1.5 * b->rho * prepared->problem.C * w * (e->root * up) + b->width, by_1 = widths + b->lose_by_1;
        real level = w + e->floor_level + b->rounds * m * up + ROSTER_LEVEL_ROUNDING;
        OWN(scatter)(rival + ROSTER_RISE_UP, m * up * margin);
        OWN(scatter)(rival + ROSTER_FALL_UP, (own * up - by_1) * margin);
        OWN(scatter)(rival + ROSTER_RISE_DOWN, m * down * margin);
        OWN(scatter)(rival + ROSTER_FALL_DOWN, (own * down - by_1) * margin);
        OWN(scatter)(rival + ROSTER_RATIO_MOST, 2 * level / m - prepared->ratio.b);
        idle = MAX(SELECT(OWN(live)(b, experts, at), (widths + b->lose_by_0 - own * down) * margin, idle), idle);
    }
    return OWN(top)(idle);
}

KERNEL double OWN(rivals)(const roster_lead_bounds *b, double *rivals)
{
    return b->experts == NULL ? OWN(rivals_of)(b, rivals, NULL) : OWN(rivals_of)(b, rivals, b->experts);
}

/* One rival's d of (10) in the cells of a vector. */
INLINE real OWN(danger)(const double *rival, real ratio, bool exact, double a)
{
    real low = OWN(keep)(ratio <= rival[ROSTER_RATIO_MOST], exact ? ratio : MAX(ratio - a, OWN(all)(0)));
    return MAX(low * rival[ROSTER_RISE_UP] - rival[ROSTER_FALL_UP],
               low * rival[ROSTER_RISE_DOWN] - rival[ROSTER_FALL_DOWN]);
}

/* The gains of a few vectors of cells, which share what is read of the rivals. exact: of known experts, whose a is 0.
   */
INLINE void OWN(find_gains)(const roster_lead_bounds *b, const double *rivals, double idle, double *gain, size_t c,
                            size_t parts, bool exact)
{
    const roster_prepared *prepared = b->est->prepared;
    const size_t n = b->n, k = b->k;
    const size_t cells = prepared->problem.experts->x * prepared->problem.experts->v, stride = roster_simd_up(cells);
    const double *inverse_pi = prepared->inverse_pi[k] + c, a = prepared->ratio.a;
    real worst[4];
    for (size_t p = 0; p < parts; p++)
        worst[p] = OWN(all)(n > 1 ? -INFINITY : idle);
    for (size_t j = 0; j < n; j++) {
        size_t i = b->experts != NULL ? b->experts[j] : j;
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
INLINE void OWN(find_all_gains)(const roster_lead_bounds *b, const double *rivals, double idle, double *gain,
                                bool exact)
{
    const roster_experts *e = b->est->prepared->problem.experts;
    size_t stride = roster_simd_up(e->x * e->v), c = 0;
    for (; c + 4 * WIDTH <= stride; c += 4 * WIDTH)
        OWN(find_gains)(b, rivals, idle, gain, c, 4, exact);
    for (; c < stride; c += 2 * WIDTH)
        OWN(find_gains)(b, rivals, idle, gain, c, 2, exact);
}

KERNEL void OWN(gains)(const roster_lead_bounds *b, const double *rivals, double idle, double *gain)
{
    if (b->est->prepared->ratio.a > 0)
        OWN(find_all_gains)(b, rivals, idle, gain, false);
    else
        OWN(find_all_gains)(b, rivals, idle, gain, true);
}

/* Sixteen sums whatever the width, added up in the same order. */
KERNEL double OWN(passing)(const float *pi, const float *inverse, const float *s, float limit, size_t n)
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

KERNEL double OWN(largest_product)(const double *a, const double *b, size_t n)
{
    real top = OWN(all)(-INFINITY);
    for (size_t i = 0; i < n; i += WIDTH)
        top = MAX(OWN(load_some)(a + i, n - i) * OWN(load_some)(b + i, n - i), top);
    return OWN(top)(top);
}

static const roster_lazy_simd OWN(path) = {
    .steps = OWN(steps),
    .rivals = OWN(rivals),
    .gains = OWN(gains),
    .passing = OWN(passing),
    .largest_product = OWN(largest_product),
};
