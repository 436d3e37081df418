/*
 * evidence_simd_body.h: the kernels of evidence_process.c, once per path (simd_path.h).
 *
 * The arrays have room for whole vectors. In the lanes past the last expert nothing is learnt: their sums stay 0, which
 * is what nothing known looks like.
 */
INLINE real OWN(lesser)(real a, real b)
{
    return SELECT(a < b, a, b);
}

INLINE real OWN(clip)(real x, double low, double high)
{
    return OWN(lesser)(MAX(x, OWN(all)(low)), OWN(all)(high));
}

/* roster_psi_e of 1/2 where the mask is set, else of a. */
INLINE real OWN(psi_e)(mask half, real a)
{
    real s = a / (2 - a), z = s * s, z4 = z * z * (z * z), far = OWN(all)(0);
    mask large = ~half & (a > ROSTER_PSI_E_NEAR);
    if (ANY(large))
        far = ROSTER_PSI_E_FAR_SERIES(z, z4);
    real sum = a * s + 2 * s * z * SELECT(large, far, ROSTER_PSI_E_NEAR_SERIES(z));
    return SELECT(half, OWN(all)(ROSTER_PSI_E_HALF), sum);
}

/* ---- one process ---- */

/* A process of one vector of experts, and the column that the round belongs to. */
typedef struct OWN(process) {
    real psi, lambda, charge, count, square;
} OWN(process);

/* What the round says. */
typedef struct OWN(step) {
    real psi, reach, prior;
} OWN(step);

INLINE OWN(process) OWN(open)(const roster_evidence_state *state, const roster_spread *spread, int side, size_t i)
{
    return (OWN(process)){OWN(load)(state->psi[side] + i), OWN(load)(state->lambda[side] + i),
                          OWN(load)(state->charge[side] + i), OWN(load)(spread->count[side] + i),
                          OWN(load)(spread->square[side] + i)};
}

INLINE void OWN(close)(const roster_evidence_state *state, const roster_spread *spread, int side, size_t i,
                       const OWN(process) * p)
{
    OWN(store)(state->psi[side] + i, p->psi);
    OWN(store)(state->lambda[side] + i, p->lambda);
    OWN(store)(state->charge[side] + i, p->charge);
    OWN(store)(spread->count[side] + i, p->count);
    OWN(store)(spread->square[side] + i, p->square);
}

/* lambda, and psiE(lambda B). Whether lambda is 1/(2B) is seen without the root, and then that is all. */
INLINE real OWN(find_lambda)(const OWN(process) * p, const OWN(step) * step, real bound, real inverse, double ln,
                             double clock, real *psi_e)
{
    real prior = OWN(lesser)(step->prior, OWN(all)(10)) / 4, over = 2 * ln * (p->count + 1);
    real under = (prior + p->square) * clock, lambda = inverse / 2;
    mask capped = over * (4 * bound * bound) >= under;
    *psi_e = OWN(all)(ROSTER_PSI_E_HALF);
    if (!ANY(~capped))
        return lambda;
    lambda = SELECT(capped, lambda, ROOT(over / under));
    *psi_e = OWN(psi_e)(capped, lambda * bound);
    return lambda;
}

/* Lanes that learn the round; h: the mean so far, cut; wide: 1, of a difference 2; ln: l. */
INLINE void OWN(advance)(OWN(process) * p, const OWN(step) * step, mask learns, real h, double wide, double ln,
                         double clock)
{
    real bound = step->reach + wide, inverse = 1 / bound, psi_e;
    real lambda = OWN(find_lambda)(p, step, bound, inverse, ln, clock, &psi_e);
    real apart = step->psi - h, square = apart * apart;
    p->psi += OWN(keep)(learns, lambda * step->psi);
    p->lambda += OWN(keep)(learns, lambda);
    p->charge += OWN(keep)(learns, square * psi_e * (inverse * inverse));
    p->count += OWN(keep)(learns, OWN(all)(1));
    p->square += OWN(keep)(learns, square);
}

INLINE mask OWN(same_bits)(const OWN(process) * a, const OWN(process) * b)
{
    return (a->psi == b->psi) & (a->lambda == b->lambda) & (a->charge == b->charge) & (a->count == b->count) &
           (a->square == b->square);
}

/* ---- a round ---- */

/* What a round says about a vector of experts: psi from below and from above, and which of them learn it. */
typedef struct OWN(view) {
    real low, high;
    real reach; /* of the weights, as far as B needs it */
    real prior; /* R                                    */
    real lost;  /* by clipping                          */
    mask clipped, on_low, on_high;
} OWN(view);

/* The probabilities of all actions are known. cut: those that are clipped; earns: times what they are expected to
   earn; caps: what they count as. */
INLINE void OWN(clip_cells)(const roster_evidence_round *r, size_t i, real pi, real g, real correction, OWN(view) * at)
{
    const double *there = r->all + i;
    real cut = OWN(all)(0), earns = cut, caps = cut;
    for (size_t v = 0; v < r->v; v++, there += r->n) {
        real all = OWN(load)(there), cap = OWN(all)(r->caps[v]);
        mask over = all > cap;
        all = OWN(keep)(over, all);
        cut += all;
        caps += OWN(keep)(over, cap);
        earns += all * r->m_row[v];
    }
    mask over = pi - r->tau * r->q > 0;
    real low = g - earns, high = low + cut;
    low += SELECT(over, OWN(all)(r->tau * r->y), correction);
    high += SELECT(over, OWN(all)(r->tau * (r->y - 1)), correction);
    at->low = SELECT(at->clipped, low, at->low);
    at->high = SELECT(at->clipped, high, at->high);
    at->reach = SELECT(at->clipped, OWN(all)(r->tau), at->reach);
    at->lost = OWN(keep)(at->clipped, cut - caps);
}

/* Only those of the action taken are. */
INLINE void OWN(clip_weight)(const roster_evidence_round *r, real pi, OWN(view) * at)
{
    real w = OWN(lesser)(pi / r->q, OWN(all)(r->tau));
    at->low = SELECT(at->clipped, w * r->y, at->low);
    at->high = SELECT(at->clipped, 1 - w * (1 - r->y), at->high);
    at->reach = OWN(keep)(~at->clipped, at->reach);
    at->lost = OWN(keep)(at->clipped, 1 - w);
}

/* Clipped rounds that are not worth counting on a side. */
INLINE void OWN(weigh_clipped)(const roster_evidence_state *state, const roster_evidence_round *r, size_t i,
                               OWN(view) * at)
{
    real lost = (OWN(load)(r->spread->lost + i) + 0.5) * r->share;
    real value = OWN(load)(state->value + i), half = OWN(all)(0.5);
    real below = OWN(lesser)(value - OWN(load)(state->low + i), half);
    real above = OWN(lesser)(OWN(load)(state->high + i) - value, half);
    at->on_low &= ~at->clipped | (lost * r->mean <= below / 2 + 1e-9);
    at->on_high &= ~at->clipped | (lost * (1 - r->mean) <= above / 2 + 1e-9);
}

INLINE OWN(view) OWN(look)(const roster_evidence_state *state, const roster_evidence_round *r, size_t i)
{
    real ratio = OWN(load)(r->ratio + i) * r->unlikely, pi = OWN(load_some)(r->pi + i, r->n - i);
    if (r->choice != NULL) {
        real choice = OWN(load_some)(r->choice + i, r->n - i);
        ratio = SELECT(ratio * choice > 1, 1 / choice, ratio);
    }
    real g = r->g != NULL ? OWN(load)(r->g + i) : OWN(all)(r->m), correction = pi / r->q * r->surprise,
         psi = g + correction;
    mask there = OWN(count)(i) < (double)(int64_t)r->n;
    OWN(view) at = {psi, psi, ratio, ratio, OWN(all)(0), ratio > r->full, there, there};
    if (!ANY(at.clipped))
        return at;
    if (r->all != NULL)
        OWN(clip_cells)(r, i, pi, g, correction, &at);
    else
        OWN(clip_weight)(r, pi, &at);
    OWN(weigh_clipped)(state, r, i, &at);
    return at;
}

/* The value's two sides, which are one and the same until a round is clipped. */
INLINE void OWN(learn_value)(const roster_evidence *self, const roster_spread *spread, size_t i, const OWN(view) * at)
{
    const roster_evidence_state *state = &self->state;
    OWN(process) low = OWN(open)(state, spread, ROSTER_LOW, i), high = OWN(open)(state, spread, ROSTER_HIGH, i);
    mask differ = ~OWN(same_bits)(&low, &high) | (at->low != at->high) | (at->on_low ^ at->on_high);
    OWN(step) step = {at->low, at->reach, at->prior};
    if (ANY(at->on_low)) {
        real h = OWN(clip)(OWN(load)(state->mean[ROSTER_LOW] + i), 0, 1);
        OWN(advance)(&low, &step, at->on_low, h, 1, self->ln_value, self->clock);
        OWN(close)(state, spread, ROSTER_LOW, i, &low);
    }
    step.psi = at->high;
    if (!ANY(differ)) {
        OWN(close)(state, spread, ROSTER_HIGH, i, &low);
    } else if (ANY(at->on_high)) {
        real h = OWN(clip)(OWN(load)(state->mean[ROSTER_HIGH] + i), 0, 1);
        OWN(advance)(&high, &step, at->on_high, h, 1, self->ln_value, self->clock);
        OWN(close)(state, spread, ROSTER_HIGH, i, &high);
    }
}

/* The reference, as all others are compared with it. */
typedef struct OWN(reference) {
    double low, reach, prior;
    bool counts;
} OWN(reference);

INLINE OWN(reference) OWN(refer)(const OWN(view) * at, size_t lane)
{
    return (OWN(reference)){at->low[lane], at->reach[lane], at->prior[lane], at->on_low[lane] != 0};
}

INLINE void OWN(learn_versus)(const roster_evidence *self, const roster_spread *spread, size_t i, const OWN(view) * at,
                              const OWN(reference) * by)
{
    const roster_evidence_state *state = &self->state;
    mask learns = at->on_high & (OWN(count)(i) != (double)(int64_t)state->leader);
    if (!by->counts || !ANY(learns))
        return;
    OWN(process) versus = OWN(open)(state, spread, ROSTER_VERSUS, i);
    OWN(step) step = {at->high - by->low, MAX(at->reach, OWN(all)(by->reach)), MAX(at->prior, OWN(all)(by->prior))};
    real h = OWN(clip)(OWN(load)(state->mean[ROSTER_VERSUS] + i), -1, 1);
    OWN(advance)(&versus, &step, learns, h, 2, self->ln_versus, self->clock);
    OWN(close)(state, spread, ROSTER_VERSUS, i, &versus);
}

KERNEL void OWN(learn)(const roster_evidence *self, const roster_evidence_round *round)
{
    const roster_evidence_round r = *round;
    const roster_spread spread = *r.spread;
    const size_t lane = self->state.leader % WIDTH, first = self->state.leader - lane;
    const OWN(view) leading = OWN(look)(&self->state, &r, first);
    const OWN(reference) by = OWN(refer)(&leading, lane);
    for (size_t i = 0; i < r.n; i += WIDTH) {
        OWN(view) at = leading;
        if (i != first)
            at = OWN(look)(&self->state, &r, i);
        OWN(learn_value)(self, &spread, i, &at);
        OWN(learn_versus)(self, &spread, i, &at, &by);
        if (ANY(at.clipped))
            OWN(store)(spread.lost + i, OWN(load)(spread.lost + i) + at.lost);
    }
}

KERNEL void OWN(learn_own)(const roster_evidence *self, size_t k, double y)
{
    size_t i = k / WIDTH * WIDTH;
    mask own = OWN(count)(i) == (double)k;
    OWN(view) at = {OWN(all)(y), OWN(all)(y), OWN(all)(1), OWN(all)(1), OWN(all)(0), own ^ own, own, own};
    OWN(learn_value)(self, &self->state.spread[k], i, &at);
}

/* ---- bounds ---- */

/* One side's mean, and 1 over its sum of lambda. */
INLINE real OWN(find_mean)(const roster_evidence_state *state, int side, size_t i, double first, real *inverse)
{
    real lambda = OWN(load)(state->lambda[side] + i);
    *inverse = 1 / lambda;
    real mean = SELECT(lambda > 0, OWN(load)(state->psi[side] + i) / lambda, OWN(all)(first));
    OWN(store)(state->mean[side] + i, mean);
    return mean;
}

/* Whether the two sides of the value have other means. */
INLINE bool OWN(differ_at)(const roster_evidence_state *state, size_t i)
{
    mask psi = OWN(load)(state->psi[ROSTER_LOW] + i) != OWN(load)(state->psi[ROSTER_HIGH] + i);
    return ANY(psi | (OWN(load)(state->lambda[ROSTER_LOW] + i) != OWN(load)(state->lambda[ROSTER_HIGH] + i)));
}

INLINE real OWN(value)(real low, real high)
{
    low = OWN(clip)(low, 0, 1);
    high = OWN(clip)(high, 0, 1);
    real lost = high - low, value = (low + high) / 2;
    mask some = (lost > 0) & (lost < 1);
    return ANY(some) ? SELECT(some, low / (1 - lost), value) : value;
}

/* Of the numbers seen, the largest two by lanes. */
INLINE void OWN(rank)(real x, real *first, real *second)
{
    *second = MAX(*second, OWN(lesser)(*first, x));
    *first = MAX(*first, x);
}

KERNEL roster_lows OWN(bounds)(const roster_evidence *self, const roster_evidence_state *state)
{
    const double ln = self->ln_value, ln_versus = self->ln_versus;
    real first = OWN(all)(-INFINITY), second = first, by;
    for (size_t i = 0; i < self->experts->n; i += WIDTH) {
        real low = OWN(find_mean)(state, ROSTER_LOW, i, 0.5, &by);
        real bound = (OWN(load)(state->psi[ROSTER_LOW] + i) - ln - OWN(load)(state->charge[ROSTER_LOW] + i)) * by;
        OWN(store)(state->low + i, bound);
        OWN(rank)(bound, &first, &second);
        real high = low;
        if (OWN(differ_at)(state, i))
            high = OWN(find_mean)(state, ROSTER_HIGH, i, 0.5, &by);
        else
            OWN(store)(state->mean[ROSTER_HIGH] + i, high);
        bound = (OWN(load)(state->psi[ROSTER_HIGH] + i) + ln + OWN(load)(state->charge[ROSTER_HIGH] + i)) * by;
        OWN(store)(state->high + i, bound);
        OWN(store)(state->value + i, OWN(value)(low, high));
        OWN(find_mean)(state, ROSTER_VERSUS, i, 0, &by);
        bound = OWN(load)(state->psi[ROSTER_VERSUS] + i) + ln_versus + OWN(load)(state->charge[ROSTER_VERSUS] + i);
        OWN(store)(state->apart + i, -(bound * by));
    }
    roster_lows lows = {first[0], second[0]};
    for (size_t lane = 1; lane < WIDTH; lane++) {
        double less = first[lane] < lows.first ? first[lane] : lows.first;
        lows.first = first[lane] > lows.first ? first[lane] : lows.first;
        lows.second = less > lows.second ? less : lows.second;
        lows.second = second[lane] > lows.second ? second[lane] : lows.second;
    }
    return lows;
}

KERNEL double OWN(exclude)(const roster_evidence *self, const roster_evidence_state *state, const roster_lows *lows)
{
    const real one = OWN(all)(1);
    real largest = -one;
    for (size_t i = 0; i < self->experts->n; i += WIDTH) {
        real low = OWN(load)(state->low + i), by_process = OWN(load)(state->apart + i);
        real worse =
            SELECT(low == lows->first, OWN(all)(lows->second), OWN(all)(lows->first)) - OWN(load)(state->high + i);
        worse = MAX(worse, by_process);
        worse = MAX(OWN(lesser)(worse, one), OWN(load)(state->worse + i));
        OWN(store)(state->worse + i, worse);
        mask may_lead = (worse == 0) & (OWN(load)(state->lambda[ROSTER_LOW] + i) > 0);
        real claim = SELECT(may_lead, OWN(load)(state->value + i), -one);
        OWN(store)(state->claim + i, claim);
        largest = MAX(claim, largest);
    }
    return OWN(top)(largest);
}

static const roster_evidence_simd OWN(path) = {OWN(learn), OWN(learn_own), OWN(bounds), OWN(exclude)};
