/*
 * direct_simd_body.h: the kernels of direct_simd.h, once per path (simd_path.h).
 *
 * The arrays have room for whole vectors; the lanes past the last expert compute something, be it NAN, and nothing
 * reads it. Behind the probabilities of a cell are those of the next, or room (ROSTER_ROOM_BEHIND).
 */
INLINE real OWN(move)(double *sum, real by)
{
    real moved = OWN(load)(sum) + by;
    OWN(store)(sum, moved);
    return moved;
}

/* What a kernel uses again and again, in variables of its own: what it stores could otherwise be one of them. */
typedef struct OWN(round) {
    double *sums[ROSTER_DIRECT_SUMS], *u, *row;
    size_t *near;
    const double *pi;
    double w, df[ROSTER_DIRECT_SUMS];
    size_t up;
    roster_direct_moment now;
} OWN(round);

INLINE OWN(round) OWN(begin)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now)
{
    OWN(round) r = {.u = self->u, .row = change->row, .near = self->near, .pi = change->pi, .w = change->w};
    for (size_t j = 0; j < ROSTER_DIRECT_SUMS; j++) {
        r.sums[j] = self->sums[j];
        r.df[j] = change->df[j];
    }
    r.up = self->up;
    r.now = *now;
    return r;
}

/* Where p is declared. Cells that stay thin, or not, leave that sum alone. */
INLINE void OWN(change_sums)(const OWN(round) * r, size_t i, real *sum)
{
    real a = r->w * OWN(load)(r->pi + i), squared = a * a;
    sum[ROSTER_DIRECT_MU] = OWN(move)(r->sums[ROSTER_DIRECT_MU] + i, a * r->df[ROSTER_DIRECT_MU]);
    sum[ROSTER_DIRECT_Z] = OWN(move)(r->sums[ROSTER_DIRECT_Z] + i, a * r->df[ROSTER_DIRECT_Z]);
    sum[ROSTER_DIRECT_V] = OWN(move)(r->sums[ROSTER_DIRECT_V] + i, squared * r->df[ROSTER_DIRECT_V]);
    sum[ROSTER_DIRECT_B] = OWN(move)(r->sums[ROSTER_DIRECT_B] + i, squared * r->df[ROSTER_DIRECT_B]);
    sum[ROSTER_DIRECT_THIN] = OWN(load)(r->sums[ROSTER_DIRECT_THIN] + i);
    if (r->df[ROSTER_DIRECT_THIN] != 0)
        sum[ROSTER_DIRECT_THIN] = OWN(move)(r->sums[ROSTER_DIRECT_THIN] + i, a * r->df[ROSTER_DIRECT_THIN]);
}

/* One of the five: the row's share rises with the weight, and the row by its cell. */
INLINE real OWN(move_both)(const OWN(round) * r, size_t j, size_t i, real a, double rise, double weight)
{
    double *row = r->row + j * r->up + i;
    real more = a * r->df[j], old = OWN(load)(row);
    OWN(store)(row, old + more);
    return OWN(move)(r->sums[j] + i, rise * old + weight * more);
}

/* Where weights are learnt: that of this context has grown by 1. */
INLINE void OWN(change_rows)(const OWN(round) * r, size_t i, real *sum)
{
    const double rise = r->w + (r->w - 1), twice = r->w * r->w;
    real a = OWN(load)(r->pi + i), squared = a * a;
    for (size_t j = ROSTER_DIRECT_MU; j < ROSTER_DIRECT_V; j++)
        sum[j] = OWN(move_both)(r, j, i, a, 1, r->w);
    for (size_t j = ROSTER_DIRECT_V; j < ROSTER_DIRECT_SUMS; j++)
        sum[j] = OWN(move_both)(r, j, i, squared, rise, twice);
}

/* What the index of one vector rests on. */
typedef struct OWN(parts) {
    real mu, z, V, B;
    mask thin;
} OWN(parts);

INLINE OWN(parts) OWN(scale)(const roster_direct_moment *now, const real *sum)
{
    const real zero = OWN(all)(0);
    return (OWN(parts)){sum[ROSTER_DIRECT_MU] * now->by, sum[ROSTER_DIRECT_Z] * now->by,
                        MAX(sum[ROSTER_DIRECT_V], zero) * now->twice, MAX(sum[ROSTER_DIRECT_B], zero) * now->twice,
                        sum[ROSTER_DIRECT_THIN] > now->thin};
}

INLINE real OWN(under_root)(real L, const OWN(parts) * p)
{
    return 2 * L * p->V + (L * L - L / 2) * p->B;
}

/* At least L, by at most .13 more: direct_simd.c, (1). The difference of bits is biased by 1024 2^52 and shifted by 12
   to be turned into a double by the bits of 2^52. */
INLINE real OWN(log_above)(const roster_direct_moment *now, const OWN(parts) * p)
{
    word apart = (word)(now->scale * p->V) - (word)p->z + (UINT64_C(1024) << 52);
    real bits = (real)((apart >> 12) | UINT64_C(0x4330000000000000)) - (0x1p52 + 0x1p50);
    return MAX(bits * (ROSTER_DIRECT_LN2 * 0x1p-40) + ROSTER_DIRECT_LN2 * 0.0875, OWN(all)(now->least));
}

/* U of one vector; NAN where cells are thin, or kappa is so small that the ratio overflows. */
INLINE real OWN(index)(const roster_direct *self, const roster_direct_moment *now, const OWN(parts) * p, size_t i)
{
    const real least = OWN(all)(now->least);
    real L = least, grown = now->scale * p->V;
    mask odd = p->thin, logs = grown > now->bar * p->z;
    if (ANY(logs)) {
        real ratio = grown / p->z;
        odd |= ratio > 1e300;
        L = SELECT(logs, OWN(ln)(ratio), least);
        L = MAX(L, least);
    }
    real own = p->mu + ROOT(MAX(OWN(under_root)(L, p), OWN(all)(0))) + self->problem.margin;
    real arm = OWN(load)(self->arms + i) + ROOT(self->ell * OWN(load)(self->arms + self->up + i));
    return SELECT(odd, OWN(all)(NAN), SELECT(own < arm, own, arm));
}

/* The round in one vector: sums move, and where an index may be above the bar the vector joins those near. */
INLINE size_t OWN(learn_vector)(const roster_direct *self, const OWN(round) * r, bool rows, size_t i, double bar,
                                size_t count)
{
    real sum[ROSTER_DIRECT_SUMS];
    if (rows)
        OWN(change_rows)(r, i, sum);
    else
        OWN(change_sums)(r, i, sum);
    OWN(parts) p = OWN(scale)(&r->now, sum);
    real gap = bar - p.mu, most = OWN(under_root)(OWN(log_above)(&r->now, &p), &p);
    if (!ANY(~((gap > 0) & (gap * gap > most)) | p.thin))
        return count;
    OWN(store)(r->u + i, OWN(index)(self, &r->now, &p, i));
    r->near[count] = i;
    return count + 1;
}

INLINE size_t OWN(learn_all)(roster_direct *self, const OWN(round) * r, bool rows)
{
    const size_t n = self->pool.n, leader = self->leader, first = leader / WIDTH * WIDTH;
    size_t count = OWN(learn_vector)(self, r, rows, first, -INFINITY, 0);
    double u = r->u[leader], bar = isnan(u) ? -INFINITY : u - 2 * roster_tie(u) - self->problem.margin;
    for (size_t i = 0; i < n; i += WIDTH)
        if (i != first)
            count = OWN(learn_vector)(self, r, rows, i, bar, count);
    return count;
}

KERNEL size_t OWN(learn)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now)
{
    OWN(round) r = OWN(begin)(self, change, now);
    r.now.by = r.now.twice = 1; /* known to the compiler */
    return OWN(learn_all)(self, &r, false);
}

KERNEL size_t OWN(learn_rows)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now)
{
    OWN(round) r = OWN(begin)(self, change, now);
    return OWN(learn_all)(self, &r, true);
}

KERNEL void OWN(indices)(const roster_direct *self, const roster_direct_moment *now, double *u)
{
    for (size_t i = 0; i < self->pool.n; i += WIDTH) {
        real sum[ROSTER_DIRECT_SUMS];
        for (size_t j = 0; j < ROSTER_DIRECT_SUMS; j++)
            sum[j] = OWN(load)(self->sums[j] + i);
        OWN(parts) p = OWN(scale)(now, sum);
        OWN(store_some)(u + i, OWN(index)(self, now, &p, i), self->pool.n - i);
    }
}

static const roster_direct_simd OWN(path) = {WIDTH, OWN(learn), OWN(learn_rows), OWN(indices)};
