/*
 * clipped.c: the clipped estimator in its running form: exact, O(N) per round, whatever t.
 *
 * Paper: Equation 1 (information leakage), Equation 2 (clipped estimator), Theorem 1 (concentration),
 * Equation 5 (empirical estimator), Equation 6 (index).
 *
 *   Z_i(t)   = sum_s 1/M_{i k_s}                      x = sqrt(t ln t) / Z_i,  eps_i = C w(x)
 *   L_i(t)   = ln(2 / eps_i)                          clip level
 *   muhat_i  = 1/Z_i sum_s y_s r_lo(s)/M 1{ r_hi(s) <= 2 L_i M }
 *   U_i      = muhat_i + e_i(L_i) + 3/2 eps_i
 *
 * With W = W0(2/x): w(x) = x W and ln(2/w(x)) = W, so one Lambert evaluation gives both eps_i = C x W and
 * L_i = W - ln C. Known experts have r_lo = r_hi = r and e_i = 0.
 *
 * A sample of expert k adds 1/M_ik to Z_i and, if it passes, s r_lo/M_ik to the sum. It passes iff
 * theta = r_hi/(2 M_ik) <= L_i. Cells with theta <= ln(1/C) <= L_i pass for ever and need no further thought; the
 * others wait in the expert's heap (clip_heap.c), which adds and takes them back as L_i moves. Samples of contexts that
 * are not finite are cells of their own. The sums carry their rounding error (roster_add), so they do not drift.
 *
 * Cost: per round O(N) and no allocation, except for an expert's first play: its column of 1/M, N X V exponentials.
 * Departs: an expert that no sample has touched (Z_i = 0, possible only with shared support) has an infinite index:
 *          it must be tried before anything can be said.
 * Check: SPEC section 3 (tests/unit/test_agents.c: ducb_check_values); equal to literal.c on random instances at every
 *        round (tests/unit/test_oracle.c).
 */
#include "clipped_simd.h"

#include <stdlib.h>

/* The arrays side by side, each starting with a cache line: up to 8 experts are one line of each. */
static int place_arrays(roster_clipped *self, size_t n)
{
    double **arrays[ROSTER_CLIPPED_ARRAYS] = {&self->z,   &self->z_lo, &self->s,   &self->s_lo,  &self->w,
                                              &self->low, &self->high, &self->out, &self->below, &self->bias};
    const size_t count = ROSTER_CLIPPED_ARRAYS, line = 64, up = roster_simd_up(n);
    self->block = roster_alloc(roster_plus(roster_times(up, count * sizeof(double)), line), 1);
    if (self->block == NULL)
        return ROSTER_ENOMEM;
    char *start = (char *)self->block + (line - (uintptr_t)self->block % line) % line;
    for (size_t i = 0; i < count; i++)
        *arrays[i] = (double *)(void *)start + i * up;
    return ROSTER_OK;
}

int roster_clipped_init(roster_clipped *self, roster_prepared *prepared)
{
    const roster_experts *e = prepared->problem.experts;
    size_t n = e->n;
    self->prepared = prepared;
    self->floor_level = -roster_ln(prepared->problem.C);
    self->heaps = roster_alloc(n, sizeof *self->heaps);
    bool fits = self->heaps != NULL && place_arrays(self, n) == ROSTER_OK;
    if (!fits || roster_tally_init(&self->tally, n, e->kind == ROSTER_TABLES ? e->x * e->v : 0) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_clipped_reset(self);
    return ROSTER_OK;
}

void roster_clipped_fini(roster_clipped *self)
{
    for (size_t i = 0; self->heaps != NULL && i < self->prepared->problem.experts->n; i++)
        roster_clip_heap_fini(&self->heaps[i]);
    free(self->block);
    free(self->heaps);
    roster_tally_fini(&self->tally);
}

void roster_clipped_reset(roster_clipped *self)
{
    self->root = self->ln_t = 0;
    for (size_t i = 0; i < self->prepared->problem.experts->n; i++) {
        self->z[i] = self->z_lo[i] = self->s[i] = self->s_lo[i] = 0;
        self->w[i] = 0;
        self->heaps[i].in = self->heaps[i].out = 0;
        roster_clipped_invalidate(self, i);
    }
    roster_tally_reset(&self->tally);
}

/* The place of a sample in expert i's heap, given 1 / pi_k. */
static roster_clip_entry entry_of(const roster_clipped *self, const roster_sample *a, double inverse_pi, size_t i)
{
    double r = a->pi[i] * inverse_pi, inverse_m = self->prepared->inverse_m[a->k][i];
    return (roster_clip_entry){.theta = roster_ratio_high(&self->prepared->ratio, r) * inverse_m * 0.5,
                               .coef = roster_ratio_low(&self->prepared->ratio, r) * inverse_m};
}

static bool can_move(const roster_clipped *self, const roster_clip_entry *p)
{
    return p->theta > self->floor_level && p->coef > 0;
}

/* An estimate of 0 for the action that was taken: the sample counts as clipped, which ratios of 0 bring about. */
static double inverse_of(const roster_sample *a)
{
    return a->pi[a->k] > 0 ? 1 / a->pi[a->k] : 0;
}

bool roster_clipped_can_wait(const roster_clipped *self, const roster_sample *a, size_t i)
{
    roster_clip_entry entry = entry_of(self, a, inverse_of(a), i);
    return can_move(self, &entry);
}

/* Room in every heap that a new cell must wait in; `waits` tells whether there is one. */
static int make_room(roster_clipped *self, const roster_sample *a, bool *waits)
{
    double inverse_pi = inverse_of(a);
    *waits = false;
    for (size_t i = 0; i < self->prepared->problem.experts->n; i++) {
        roster_clip_entry entry = entry_of(self, a, inverse_pi, i);
        if (!can_move(self, &entry))
            continue;
        *waits = true;
        if (roster_clip_heap_reserve(&self->heaps[i], 1) != ROSTER_OK)
            return ROSTER_ENOMEM;
    }
    return *waits && a->cell == ROSTER_NO_CELL ? roster_tally_reserve(&self->tally, 1) : ROSTER_OK;
}

static void insert_entries(roster_clipped *self, const roster_sample *a, size_t cell)
{
    double inverse_pi = inverse_of(a);
    for (size_t i = 0; i < self->prepared->problem.experts->n; i++) {
        roster_clip_entry entry = entry_of(self, a, inverse_pi, i);
        entry.cell = cell;
        if (!can_move(self, &entry))
            continue;
        roster_clip_heap_insert(&self->heaps[i], roster_clipped_level(self, i), entry);
        roster_clipped_invalidate(self, i);
    }
}

/* n samples of k count for all experts; with shared support only for those that can act as pi says (NULL: all). */
static void add_counts(roster_clipped *self, size_t k, uint64_t n, const double *pi)
{
    self->prepared->simd->add_counts(self, self->prepared->inverse_m[k], self->prepared->problem.shared ? pi : NULL,
                                     (double)n);
}

static void add_rewards(roster_clipped *self, const roster_sample *a)
{
    bool finite = a->cell != ROSTER_NO_CELL;
    double inverse_pi = finite ? self->prepared->inverse_pi[a->k][a->cell] : inverse_of(a);
    self->prepared->simd->add_rewards(self, a, inverse_pi);
}

/* All of a sample but its counts at z. */
static int absorb(roster_clipped *self, const roster_sample *a)
{
    bool finite = a->cell != ROSTER_NO_CELL, waits = false;
    size_t first = self->tally.first[a->k];
    if (roster_prepared_open(self->prepared, a->k) != ROSTER_OK ||
        (finite && first == ROSTER_NO_CELL && roster_tally_reserve(&self->tally, self->tally.block) != ROSTER_OK))
        return ROSTER_ENOMEM;
    bool seen = finite && first != ROSTER_NO_CELL && self->tally.cells[first + a->cell].s > 0;
    if (a->s > 0 && !seen && make_room(self, a, &waits) != ROSTER_OK)
        return ROSTER_ENOMEM;
    /* Nothing can fail from here on. */
    if (a->s > 0)
        add_rewards(self, a);
    size_t cell = ROSTER_NO_CELL;
    if (finite)
        cell = roster_tally_open(&self->tally, a->k) + a->cell;
    else if (waits)
        cell = roster_tally_append(&self->tally);
    if (waits)
        insert_entries(self, a, cell);
    if (cell != ROSTER_NO_CELL)
        roster_tally_add(&self->tally, cell, a->n, a->s);
    roster_tally_count(&self->tally, a->k, a->n);
    return ROSTER_OK;
}

int roster_clipped_absorb(roster_clipped *self, const roster_sample *a)
{
    int code = absorb(self, a);
    if (code != ROSTER_OK)
        return code;
    add_counts(self, a->k, a->n, a->pi);
    roster_clipped_set_time(self);
    return ROSTER_OK;
}

/* What not every cell of a batch has: first rewards, and counts of its own. */
static int introduce(roster_clipped *self, const roster_sample *a, size_t cell)
{
    bool waits = false;
    if (a->s > 0 && !(self->tally.cells[cell].s > 0) && make_room(self, a, &waits) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (waits)
        insert_entries(self, a, cell);
    if (self->prepared->problem.shared)
        add_counts(self, a->k, a->n, a->pi);
    return ROSTER_OK;
}

int roster_clipped_absorb_batch(roster_clipped *self, const roster_batch *batch)
{
    const roster_experts *e = self->prepared->problem.experts;
    bool first = self->tally.first[batch->k] == ROSTER_NO_CELL, shared = self->prepared->problem.shared;
    if (roster_prepared_open(self->prepared, batch->k) != ROSTER_OK ||
        (first && roster_tally_reserve(&self->tally, self->tally.block) != ROSTER_OK))
        return ROSTER_ENOMEM;
    size_t block = roster_tally_open(&self->tally, batch->k);
    int code = ROSTER_OK;
    for (size_t i = 0; i < batch->n_touched && code == ROSTER_OK; i++) {
        size_t c = batch->touched[i];
        roster_batch_cell some = batch->cells[c];
        roster_sample a = {.k = batch->k, .cell = c, .pi = e->pi + c * e->n, .n = some.n, .s = some.s};
        if (shared || (some.s > 0 && !(self->tally.cells[block + c].s > 0)))
            code = introduce(self, &a, block + c);
        roster_tally_add(&self->tally, block + c, some.n, some.s);
    }
    self->prepared->simd->add_batch(self, batch);
    if (!shared)
        add_counts(self, batch->k, batch->n, NULL);
    roster_tally_count(&self->tally, batch->k, batch->n);
    roster_clipped_set_time(self);
    return code;
}

void roster_clipped_set_time(roster_clipped *self)
{
    double t = (double)self->tally.t;
    self->ln_t = t > 1 ? roster_ln(t) : 0;
    self->root = t > 1 ? sqrt(t * self->ln_t) : 0;
}

/* While the width is 0 (t = 1) nothing is clipped. What waits outside is counted, but not moved in: it may be larger
   than anything a finite level lets pass, and would leave its rounding error behind in the sum. */
static double unclipped_index(const roster_clipped *self, size_t i, double z)
{
    double sum = self->s[i] + self->s_lo[i] + roster_clip_heap_outside(&self->heaps[i], &self->tally, INFINITY);
    double bias = self->prepared->problem.empirical ? roster_bias_at(&self->prepared->bias, i, INFINITY) : 0;
    return sum / z + bias;
}

/* Cells move in or out, if any has to, and what is between this level and the next event is written down. */
static void settle(roster_clipped *self, size_t i, double level)
{
    const roster_bias *bias = &self->prepared->bias;
    bool empirical = self->prepared->problem.empirical;
    roster_clip_heap_move(&self->heaps[i], level, &self->tally, &self->s[i], &self->s_lo[i]);
    double in = roster_clip_heap_next_in(&self->heaps[i]), above = INFINITY;
    self->out[i] = roster_clip_heap_next_out(&self->heaps[i]);
    self->below[i] = -INFINITY;
    if (empirical) {
        self->below[i] = roster_bias_step_below(bias, i, level);
        above = roster_bias_step_above(bias, i, level);
    }
    self->bias[i] = empirical ? roster_bias_at(bias, i, level) : 0;
    self->low[i] = in > self->below[i] ? in : self->below[i];
    self->high[i] = self->out[i] < above ? self->out[i] : above;
}

double roster_clipped_index(roster_clipped *self, size_t i)
{
    double z = roster_clipped_z(self, i);
    if (!(z > 0))
        return INFINITY;
    if (self->root == 0)
        return unclipped_index(self, i, z);
    self->w[i] = roster_lambert_near(2 * z / self->root, self->w[i]); /* the last one is a good guess */
    double level = roster_clipped_level(self, i);
    if (!(self->low[i] <= level && level < self->high[i]))
        settle(self, i, level);
    return roster_clipped_sum(self, i) / z + self->bias[i] + 1.5 * roster_clipped_eps(self, i);
}

void roster_clipped_indices(roster_clipped *self, double *u)
{
    const roster_clipped_simd *simd = self->prepared->simd;
    size_t n = self->tally.n, i = 0;
    while (i < n) {
        size_t from = self->root > 0 ? simd->indices(self, i, u) : i;
        for (i = from; i < n && i < from + simd->width; i++)
            u[i] = roster_clipped_index(self, i);
    }
}

void roster_clipped_insight(const roster_clipped *self, size_t i, roster_insight *out)
{
    double z = roster_clipped_z(self, i), sum = roster_clipped_sum(self, i);
    double outside = roster_clip_heap_outside(&self->heaps[i], &self->tally, INFINITY);
    bool clips = self->root > 0;
    out->samples = z;
    out->clipped = clips && outside > 0 ? outside / (sum + outside) : 0;
    if (!(z > 0))
        return;
    double bias = 0;
    if (self->prepared->problem.empirical)
        bias = roster_bias_at(&self->prepared->bias, i, clips ? roster_clipped_level(self, i) : INFINITY);
    out->estimate = (clips ? sum : sum + outside) / z;
    out->width = bias + (clips ? 1.5 * roster_clipped_eps(self, i) : 0);
}
