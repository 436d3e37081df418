/*
 * drift_contexts.c: do contexts still come as they did?
 *
 * Paper: Beyond 17 (contexts).
 *
 *   for each checkpoint:  lnKT(before) + lnKT(after) - lnML(all)  >=  ln(2/delta) + ln(j (j + 1))
 *   KT(counts) = product over the rounds, in any order, of (n_x + 1/2)/(n + X/2), n_x and n of the rounds before
 *   lnML(counts) = sum_x n_x ln n_x - n ln n
 *
 * For every p and whatever is played: if p never changes, KT(before) KT(after) over the likelihood of p is a martingale
 * of mean 1, and lnML is at least that likelihood; so a false alarm is ever raised with probability at most delta/2.
 *
 * Kept per checkpoint: lnKT(before), which no longer changes, and KT(after) as mantissa and power of two, which a round
 * multiplies by one factor. The power alone says nearly always that the threshold is far, and then no logarithm is
 * taken. A context's counts at the checkpoints are filled in when it next comes: they did not change before.
 *
 * Cost: 24 multiplications a round, and a few per checkpoint and block; 192 bytes per context.
 * Check: tests/unit/test_alarms.c: check_value, alarms_equal_literal.
 */
#include "drift.h"

#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
enum { SLOTS = ROSTER_CHECKPOINTS, EXPONENT_ZERO = 1023 };

int roster_drift_contexts_init(roster_drift_contexts *self, size_t x, double threshold)
{
    self->x = x;
    self->threshold = threshold;
    self->count = roster_alloc(x, sizeof *self->count);
    self->logs = roster_alloc(x, sizeof *self->logs);
    self->before = roster_alloc(roster_times(x, SLOTS), sizeof *self->before);
    self->filled = roster_alloc(x, sizeof *self->filled);
    bool fits = self->count != NULL && self->logs != NULL && self->before != NULL && self->filled != NULL;
    if (fits)
        roster_drift_contexts_reset(self);
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_drift_contexts_fini(roster_drift_contexts *self)
{
    free(self->count);
    free(self->logs);
    free(self->before);
    free(self->filled);
}

static void start_slot(roster_drift_contexts *self, size_t slot, double fixed)
{
    self->mantissas[slot] = 1;
    self->exponents[slot] = 0;
    self->fixed[slot] = fixed;
}

void roster_drift_contexts_reset(roster_drift_contexts *self)
{
    roster_checkpoints_reset(&self->points);
    memset(self->count, 0, self->x * sizeof *self->count);
    memset(self->logs, 0, self->x * sizeof *self->logs);
    memset(self->before, 0, self->x * SLOTS * sizeof *self->before);
    memset(self->filled, 0, self->x * sizeof *self->filled);
    for (size_t i = 0; i < SLOTS; i++)
        start_slot(self, i, 0);
    self->sum = self->sum_lo = 0;
    self->mantissa = 1;
    self->exponent = 0;
}

/* The row of context x with the checkpoints made since it last came: its count was then what it is now. */
static const double *fill_row(roster_drift_contexts *self, size_t x)
{
    const roster_checkpoints *p = &self->points;
    double *row = self->before + x * SLOTS;
    for (size_t i = p->count; i > 0 && p->at[p->order[i - 1]] > self->filled[x]; i--)
        row[p->order[i - 1]] = self->count[x];
    self->filled[x] = p->block;
    return row;
}

/* mantissa 2^exponent times the positive, normal number by. */
static void multiply(double *mantissa, double *exponent, double by)
{
    double product = *mantissa * by;
    uint64_t bits;
    memcpy(&bits, &product, sizeof bits);
    *exponent += (double)((int64_t)(bits >> 52) - EXPONENT_ZERO);
    bits = (bits & UINT64_C(0x000fffffffffffff)) | (uint64_t)EXPONENT_ZERO << 52;
    memcpy(mantissa, &bits, sizeof bits);
}

/* For every slot the product of the n denominators from z = rounds after its checkpoint + X/2 on; n is even. In pairs
   from both ends: (z + r)(z + n - 1 - r) = z (z + n - 1) + r (n - 1 - r). */
static void denominators(const roster_drift_contexts *self, size_t done, size_t n, double *product)
{
    double ends[SLOTS], half = (double)self->x / 2;
    for (size_t i = 0; i < SLOTS; i++) {
        /* signed, which is quicker to convert */
        double z = (double)(int64_t)((self->points.block - self->points.at[i]) * ROSTER_BLOCK + done) + half;
        ends[i] = z * (z + (double)(n - 1));
        product[i] = ends[i];
    }
    for (size_t r = 1; r < n / 2; r++)
        for (size_t i = 0; i < SLOTS; i++)
            product[i] *= ends[i] + (double)(r * (n - 1 - r));
}

/* Four rounds: the numerators of every slot. Four at once, because what is multiplied stays in a register then. */
static void numerators(roster_drift_contexts *self, const size_t *contexts, double *restrict product, double *all)
{
    const double *row[4];
    double here[4];
    for (size_t r = 0; r < 4; r++) {
        row[r] = fill_row(self, contexts[r]);
        here[r] = self->count[contexts[r]]++ + 0.5;
    }
    const double *restrict a = row[0], *restrict b = row[1], *restrict c = row[2], *restrict d = row[3];
    double ha = here[0], hb = here[1], hc = here[2], hd = here[3];
    for (size_t i = 0; i < SLOTS; i++)
        product[i] *= (ha - a[i]) * (hb - b[i]) * ((hc - c[i]) * (hd - d[i]));
    *all *= ha * hb * (hc * hd);
}

/* n rounds of a block, of which `done` were learnt before. */
static void learn_rounds(roster_drift_contexts *self, const size_t *contexts, size_t done, size_t n)
{
    double above[SLOTS], below[SLOTS], all_above = 1, all_below = 1;
    double first = (double)(int64_t)(self->points.block * ROSTER_BLOCK + done) + (double)self->x / 2;
    for (size_t i = 0; i < SLOTS; i++)
        above[i] = 1;
    for (size_t r = 0; r < n; r += 4)
        numerators(self, contexts + done + r, above, &all_above);
    for (size_t r = 0; r < n; r++)
        all_below *= first + (double)r;
    denominators(self, done, n, below);
    for (size_t i = 0; i < SLOTS; i++)
        above[i] /= below[i];
    multiply(&self->mantissa, &self->exponent, all_above / all_below);
    for (size_t i = 0; i < SLOTS; i++)
        multiply(&self->mantissas[i], &self->exponents[i], above[i]);
}

/* The sum of n_x ln n_x again, of the contexts that came. */
static void learn_logs(roster_drift_contexts *self, const size_t *contexts)
{
    for (size_t r = 0; r < ROSTER_BLOCK; r++) {
        size_t x = contexts[r];
        double n = self->count[x];
        if (self->filled[x] == UINT64_MAX)
            continue; /* came twice */
        double fresh = n * roster_ln(n);
        roster_add(&self->sum, &self->sum_lo, fresh - self->logs[x]);
        self->logs[x] = fresh;
        self->filled[x] = UINT64_MAX;
    }
    for (size_t r = 0; r < ROSTER_BLOCK; r++)
        self->filled[contexts[r]] = self->points.block;
}

/* A slot's e-value, in logarithms and less its price: exactly, or where the power of two decides an upper bound. */
static double evidence(const roster_drift_contexts *self, size_t slot, double ml)
{
    double fixed = self->fixed[slot] - ml - self->points.price[slot] + self->exponents[slot] * LN2;
    return fixed + LN2 < self->threshold ? fixed + LN2 : fixed + roster_ln(self->mantissas[slot]);
}

/* The context whose share changed most since the checkpoint. */
static void describe(roster_drift_contexts *self, size_t slot, roster_change *change)
{
    double n = (double)(self->points.at[slot] * ROSTER_BLOCK), largest = -1;
    double m = (double)((self->points.block - self->points.at[slot]) * ROSTER_BLOCK);
    change->since = self->points.at[slot] * ROSTER_BLOCK;
    change->n_before = n;
    change->n_after = m;
    for (size_t x = 0; x < self->x; x++) {
        double before = fill_row(self, x)[slot] / n, after = (self->count[x] - self->before[x * SLOTS + slot]) / m;
        if (fabs(after - before) <= largest)
            continue;
        largest = fabs(after - before);
        change->which = x;
        change->before = before;
        change->after = after;
    }
}

bool roster_drift_contexts_learn(roster_drift_contexts *self, const size_t *contexts, roster_change *change)
{
    /* 32 factors fit into a double's exponent up to 2^29 rounds, 16 always. */
    size_t best = SLOTS, step = self->points.block < UINT64_C(1) << 24 && self->x < (size_t)1 << 28 ? 32 : 16;
    for (size_t done = 0; done < ROSTER_BLOCK; done += step)
        learn_rounds(self, contexts, done, step);
    learn_logs(self, contexts);
    self->points.block++;
    double t = (double)(self->points.block * ROSTER_BLOCK), ml = self->sum + self->sum_lo - t * roster_ln(t);
    change->evidence = -INFINITY;
    for (size_t i = 0; i < self->points.count; i++) {
        double e = evidence(self, self->points.order[i], ml);
        best = e > change->evidence ? self->points.order[i] : best;
        change->evidence = e > change->evidence ? e : change->evidence;
    }
    if (change->evidence >= self->threshold) {
        describe(self, best, change);
        roster_drift_contexts_reset(self);
        return true;
    }
    double all = self->exponent * LN2 + roster_ln(self->mantissa);
    start_slot(self, roster_checkpoints_add(&self->points), all);
    return false;
}

void roster_drift_contexts_save(const roster_drift_contexts *self, roster_writer *w)
{
    const roster_checkpoints *p = &self->points;
    roster_checkpoints_save(p, w);
    roster_put_double(w, self->mantissa);
    roster_put_double(w, self->exponent);
    for (size_t i = 0; i < p->count; i++) {
        roster_put_double(w, self->mantissas[p->order[i]]);
        roster_put_double(w, self->exponents[p->order[i]]);
        roster_put_double(w, self->fixed[p->order[i]]);
    }
    for (size_t x = 0; x < self->x; x++) {
        roster_put_double(w, self->count[x]);
        for (size_t i = 0; i < p->count; i++) {
            size_t slot = p->order[i];
            roster_put_double(w, p->at[slot] > self->filled[x] ? self->count[x] : self->before[x * SLOTS + slot]);
        }
    }
}

/* A whole number of at most `most`. */
static double get_count(roster_reader *r, double most)
{
    double n = roster_get_double(r);
    r->failed |= !(n >= 0 && n <= most && floor(n) == n);
    return r->failed ? 0 : n;
}

static double get_between(roster_reader *r, double low, double high)
{
    double value = roster_get_double(r);
    r->failed |= !(value >= low && value < high);
    return r->failed ? low : value;
}

static void load_rows(roster_drift_contexts *self, roster_reader *r)
{
    for (size_t x = 0; x < self->x && !r->failed; x++) {
        double n = self->count[x] = get_count(r, 0x1p62);
        self->filled[x] = self->points.block;
        for (size_t i = 0; i < self->points.count; i++)
            self->before[x * SLOTS + i] = get_count(r, n);
        self->logs[x] = n > 0 ? n * roster_ln(n) : 0;
        roster_add(&self->sum, &self->sum_lo, self->logs[x]);
    }
}

void roster_drift_contexts_load(roster_drift_contexts *self, roster_reader *r)
{
    roster_checkpoints_load(&self->points, r);
    self->mantissa = get_between(r, 1, 2);
    self->exponent = get_between(r, -0x1p62, 1);
    for (size_t i = 0; i < self->points.count && !r->failed; i++) {
        self->mantissas[i] = get_between(r, 1, 2);
        self->exponents[i] = get_between(r, -0x1p62, 1);
        self->fixed[i] = get_between(r, -0x1p62, 1);
    }
    load_rows(self, r);
}
