/*
 * direct_simd_body.h: the kernels of direct_simd.h, once per path (simd_path.h).
 *
 * The arrays have room for whole vectors; the lanes past the last expert compute something, and nothing reads it.
 * Behind the probabilities of a cell are those of the next, or room (ROSTER_ROOM_BEHIND).
 */
INLINE void OWN(move)(double *sum, real by)
{
    OWN(store)(sum, OWN(load)(sum) + by);
}

KERNEL void OWN(update)(roster_direct *self, const double *pi, double w, const double *df)
{
    for (size_t i = 0; i < self->pool.n; i += WIDTH) {
        real a = w * OWN(load)(pi + i), squared = a * a;
        OWN(move)(self->sums[ROSTER_DIRECT_MU] + i, a * df[ROSTER_DIRECT_MU]);
        OWN(move)(self->sums[ROSTER_DIRECT_Z] + i, a * df[ROSTER_DIRECT_Z]);
        OWN(move)(self->sums[ROSTER_DIRECT_THIN] + i, a * df[ROSTER_DIRECT_THIN]);
        OWN(move)(self->sums[ROSTER_DIRECT_V] + i, squared * df[ROSTER_DIRECT_V]);
        OWN(move)(self->sums[ROSTER_DIRECT_B] + i, squared * df[ROSTER_DIRECT_B]);
    }
}

/* One of the five: the row's share rises with the weight, and the row by its cell. */
INLINE void OWN(move_both)(double *sum, double *row, real a, double rise, double weight, double df)
{
    real more = a * df, old = OWN(load)(row);
    OWN(move)(sum, rise * old + weight * more);
    OWN(store)(row, old + more);
}

KERNEL void OWN(update_learnt)(roster_direct *self, const double *pi, double w, const double *df, double *row)
{
    const double rise = w + (w - 1), twice = w * w;
    for (size_t i = 0; i < self->pool.n; i += WIDTH) {
        real a = OWN(load)(pi + i), squared = a * a;
        for (size_t j = ROSTER_DIRECT_MU; j < ROSTER_DIRECT_V; j++)
            OWN(move_both)(self->sums[j] + i, row + j * self->up + i, a, 1, w, df[j]);
        for (size_t j = ROSTER_DIRECT_V; j < ROSTER_DIRECT_SUMS; j++)
            OWN(move_both)(self->sums[j] + i, row + j * self->up + i, squared, rise, twice, df[j]);
    }
}

KERNEL bool OWN(indices)(roster_direct *self, const roster_direct_moment *now)
{
    const size_t n = self->pool.n;
    const real zero = OWN(all)(0), none = OWN(all)(NAN);
    real number = OWN(count)(0);
    bool others = false;
    for (size_t i = 0; i < n; i += WIDTH, number += WIDTH) {
        real mu = OWN(load)(self->sums[ROSTER_DIRECT_MU] + i) * now->by;
        real z = OWN(load)(self->sums[ROSTER_DIRECT_Z] + i) * now->by;
        real V = MAX(OWN(load)(self->sums[ROSTER_DIRECT_V] + i), zero) * now->twice;
        real B = MAX(OWN(load)(self->sums[ROSTER_DIRECT_B] + i), zero) * now->twice;
        mask odd = (OWN(load)(self->sums[ROSTER_DIRECT_THIN] + i) > now->thin) | (now->scale * V > now->bar * z);
        real square = MAX(2 * now->least * V + now->curve * B, zero);
        real own = mu + ROOT(square) + self->problem.margin;
        real arm = OWN(load)(self->arms + i) + ROOT(self->ell * OWN(load)(self->arms + self->up + i));
        OWN(store)(self->u + i, SELECT(odd, none, SELECT(own < arm, own, arm)));
        others |= ANY(odd & (number < (double)n));
    }
    return others;
}

static const roster_direct_simd OWN(path) = {OWN(update), OWN(update_learnt), OWN(indices)};
