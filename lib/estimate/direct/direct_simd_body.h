/*
 * direct_simd_body.h: the kernels of direct_simd.h, once per path (simd_path.h).
 *
 * The arrays have room for whole vectors; the lanes past the last expert compute something, be it NAN, and nothing reads
 * it. Behind the probabilities of a cell are those of the next, or room (ROSTER_ROOM_BEHIND).
 */
INLINE real OWN(move)(double *sum, real by)
{
    real moved = OWN(load)(sum) + by;
    OWN(store)(sum, moved);
    return moved;
}

/* Where p is declared. Cells that stay thin, or not, leave that sum alone. */
INLINE void OWN(change_sums)(const roster_direct *self, const roster_direct_change *change, size_t i, real *sum)
{
    const double *df = change->df;
    real a = change->w * OWN(load)(change->pi + i), squared = a * a;
    sum[ROSTER_DIRECT_MU] = OWN(move)(self->sums[ROSTER_DIRECT_MU] + i, a * df[ROSTER_DIRECT_MU]);
    sum[ROSTER_DIRECT_Z] = OWN(move)(self->sums[ROSTER_DIRECT_Z] + i, a * df[ROSTER_DIRECT_Z]);
    sum[ROSTER_DIRECT_V] = OWN(move)(self->sums[ROSTER_DIRECT_V] + i, squared * df[ROSTER_DIRECT_V]);
    sum[ROSTER_DIRECT_B] = OWN(move)(self->sums[ROSTER_DIRECT_B] + i, squared * df[ROSTER_DIRECT_B]);
    sum[ROSTER_DIRECT_THIN] = OWN(load)(self->sums[ROSTER_DIRECT_THIN] + i);
    if (df[ROSTER_DIRECT_THIN] != 0)
        sum[ROSTER_DIRECT_THIN] = OWN(move)(self->sums[ROSTER_DIRECT_THIN] + i, a * df[ROSTER_DIRECT_THIN]);
}

/* One of the five: the row's share rises with the weight, and the row by its cell. */
INLINE real OWN(move_both)(double *sum, double *row, real a, double rise, double weight, double df)
{
    real more = a * df, old = OWN(load)(row);
    OWN(store)(row, old + more);
    return OWN(move)(sum, rise * old + weight * more);
}

/* Where weights are learnt: that of this context has grown by 1. */
INLINE void OWN(change_rows)(const roster_direct *self, const roster_direct_change *change, size_t i, real *sum)
{
    const double w = change->w, rise = w + (w - 1), twice = w * w, *df = change->df;
    real a = OWN(load)(change->pi + i), squared = a * a;
    for (size_t j = ROSTER_DIRECT_MU; j < ROSTER_DIRECT_V; j++)
        sum[j] = OWN(move_both)(self->sums[j] + i, change->row + j * self->up + i, a, 1, w, df[j]);
    for (size_t j = ROSTER_DIRECT_V; j < ROSTER_DIRECT_SUMS; j++)
        sum[j] = OWN(move_both)(self->sums[j] + i, change->row + j * self->up + i, squared, rise, twice, df[j]);
}

/* D_i = mu + sqrt(square) + margin, but for odd lanes: cells are thin, or kappa so small that a ratio overflows. */
typedef struct OWN(bonus) {
    real mu, square;
    mask odd;
} OWN(bonus);

INLINE OWN(bonus) OWN(find_bonus)(const roster_direct_moment *now, const real *sum)
{
    const real zero = OWN(all)(0), least = OWN(all)(now->least);
    real z = sum[ROSTER_DIRECT_Z] * now->by, L = least;
    real V = MAX(sum[ROSTER_DIRECT_V], zero) * now->twice, B = MAX(sum[ROSTER_DIRECT_B], zero) * now->twice;
    mask odd = sum[ROSTER_DIRECT_THIN] > now->thin, logs = now->scale * V > now->bar * z;
    if (ANY(logs)) {
        real ratio = now->scale * V / z;
        odd |= ratio > 1e300;
        L = SELECT(logs, OWN(ln)(ratio), L);
        L = MAX(L, least);
    }
    real square = 2 * L * V + (L * L - L / 2) * B;
    return (OWN(bonus)){sum[ROSTER_DIRECT_MU] * now->by, MAX(square, zero), odd};
}

/* U of one vector, NAN in odd lanes. */
INLINE real OWN(index)(const roster_direct *self, const OWN(bonus) *b, size_t i)
{
    real own = b->mu + ROOT(b->square) + self->problem.margin;
    real arm = OWN(load)(self->arms + i) + ROOT(self->ell * OWN(load)(self->arms + self->up + i));
    return SELECT(b->odd, OWN(all)(NAN), SELECT(own < arm, own, arm));
}

/* The round in one vector: sums move, and where an index may be above the bar the vector joins those near. */
INLINE size_t OWN(learn_vector)(roster_direct *self, const roster_direct_change *change, bool rows,
                                const roster_direct_moment *now, size_t i, double bar, size_t count)
{
    real sum[ROSTER_DIRECT_SUMS];
    if (rows)
        OWN(change_rows)(self, change, i, sum);
    else
        OWN(change_sums)(self, change, i, sum);
    OWN(bonus) b = OWN(find_bonus)(now, sum);
    real gap = bar - b.mu;
    if (!ANY(~((gap > 0) & (gap * gap > b.square)) | b.odd))
        return count;
    OWN(store)(self->u + i, OWN(index)(self, &b, i));
    self->near[count] = i;
    return count + 1;
}

INLINE size_t OWN(learn_all)(roster_direct *self, const roster_direct_change *change, bool rows,
                             const roster_direct_moment *now)
{
    const size_t n = self->pool.n, first = self->leader / WIDTH * WIDTH;
    size_t count = OWN(learn_vector)(self, change, rows, now, first, -INFINITY, 0);
    double u = self->u[self->leader], bar = isnan(u) ? -INFINITY : u - 2 * roster_tie(u) - self->problem.margin;
    for (size_t i = 0; i < first; i += WIDTH)
        count = OWN(learn_vector)(self, change, rows, now, i, bar, count);
    for (size_t i = first + WIDTH; i < n; i += WIDTH)
        count = OWN(learn_vector)(self, change, rows, now, i, bar, count);
    return count;
}

KERNEL size_t OWN(learn)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now)
{
    return OWN(learn_all)(self, change, false, now);
}

KERNEL size_t OWN(learn_rows)(roster_direct *self, const roster_direct_change *change, const roster_direct_moment *now)
{
    return OWN(learn_all)(self, change, true, now);
}

KERNEL void OWN(indices)(const roster_direct *self, const roster_direct_moment *now, double *u)
{
    for (size_t i = 0; i < self->pool.n; i += WIDTH) {
        real sum[ROSTER_DIRECT_SUMS];
        for (size_t j = 0; j < ROSTER_DIRECT_SUMS; j++)
            sum[j] = OWN(load)(self->sums[j] + i);
        OWN(bonus) b = OWN(find_bonus)(now, sum);
        OWN(store_some)(u + i, OWN(index)(self, &b, i), self->pool.n - i);
    }
}

static const roster_direct_simd OWN(path) = {WIDTH, OWN(learn), OWN(learn_rows), OWN(indices)};
