/*
 * evidence_means.c: the baseline of the evidence, a guess at each reward made before it comes.
 *
 * Paper: Beyond 15 (baseline).
 *
 *   m(x, v) = (s + m0) / (n + 1)         n, s: rewards in the cell so far and their sum, whoever acted
 *   m0      = (sum of all y + 5) / (t + 10), taken at the last power of two <= t; 1/2 before
 *   g_i(x)  = sum_v pi_i(v, x) m(x, v)
 *   without cells: m = g = the mean reward so far, 1/2 before the first
 *
 * A wrong guess makes intervals wider, never false. One cell changes per round, so a row of g is kept up to date by one
 * multiplication per expert; it is built anew when its context first comes after m0 has changed.
 *
 * Cost: O(N) per round, N V for each row that is built; N X + 2 X V numbers.
 * Check: g is the sum over the actions at every round (tests/unit/test_evidence.c: equals_literal).
 */
#include "evidence_means.h"

#include <stdlib.h>
#include <string.h>

int roster_means_init(roster_means *self, const roster_experts *tables)
{
    *self = (roster_means){.experts = tables, .m0 = 0.5};
    if (tables == NULL)
        return ROSTER_OK;
    size_t cells = tables->x * tables->v;
    self->n = roster_alloc(cells, sizeof *self->n);
    self->s = roster_alloc(cells, sizeof *self->s);
    self->g = roster_alloc(roster_plus(roster_times(tables->x, tables->n), ROSTER_ROOM_BEHIND), sizeof *self->g);
    self->built = roster_alloc(tables->x, sizeof *self->built);
    bool fits = self->n != NULL && self->s != NULL && self->g != NULL && self->built != NULL;
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_means_fini(roster_means *self)
{
    free(self->n);
    free(self->s);
    free(self->g);
    free(self->built);
}

void roster_means_reset(roster_means *self)
{
    const roster_experts *e = self->experts;
    self->t = self->since = 0;
    self->sum = 0;
    self->m0 = 0.5;
    if (e == NULL)
        return;
    memset(self->n, 0, e->x * e->v * sizeof *self->n);
    memset(self->s, 0, e->x * e->v * sizeof *self->s);
    memset(self->built, 0, e->x * sizeof *self->built);
}

/* m goes up by `more` in one cell. */
static void raise(const roster_experts *e, size_t cell, double more, double *g)
{
    const double *pi = e->pi + cell * e->n;
    for (size_t i = 0; i < e->n; i++)
        g[i] += pi[i] * more;
}

const double *roster_means_row(roster_means *self, size_t x)
{
    const roster_experts *e = self->experts;
    if (e == NULL)
        return NULL;
    double *g = self->g + x * e->n;
    if (self->built[x] == self->since + 1)
        return g;
    memset(g, 0, e->n * sizeof *g);
    for (size_t v = 0; v < e->v; v++)
        raise(e, x * e->v + v, roster_means_of(self, x * e->v + v), g);
    self->built[x] = self->since + 1;
    return g;
}

/* m0 is taken again: no row of g holds any more. */
static void take_m0(roster_means *self)
{
    self->m0 = (self->sum + 5) / ((double)self->t + 10);
    self->since = self->t;
}

void roster_means_add(roster_means *self, size_t cell, double y)
{
    const roster_experts *e = self->experts;
    self->t++;
    self->sum += y;
    if (e == NULL)
        return;
    double before = roster_means_of(self, cell);
    self->n[cell] += 1;
    self->s[cell] += y;
    if (self->built[cell / e->v] == self->since + 1)
        raise(e, cell, roster_means_of(self, cell) - before, self->g + cell / e->v * e->n);
    if ((self->t & (self->t - 1)) == 0)
        take_m0(self);
}

void roster_means_adopt(roster_means *self, const roster_means *from)
{
    const roster_experts *e = self->experts;
    self->t = from->t;
    self->sum = from->sum;
    self->m0 = from->m0;
    self->since = from->since;
    for (size_t c = 0; e != NULL && c < e->x * e->v; c++) {
        self->n[c] = from->n[c];
        self->s[c] = from->s[c];
    }
}

void roster_means_merge(roster_means *self, const roster_means *from)
{
    const roster_experts *e = self->experts;
    self->t += from->t;
    self->sum += from->sum;
    if (e == NULL || from->t == 0)
        return;
    for (size_t c = 0; c < e->x * e->v; c++) {
        self->n[c] += from->n[c];
        self->s[c] += from->s[c];
    }
    take_m0(self);
    memset(self->built, 0, e->x * sizeof *self->built);
}

void roster_means_save(const roster_means *self, roster_writer *w)
{
    const roster_experts *e = self->experts;
    roster_put_double(w, self->sum);
    roster_put_double(w, self->m0);
    roster_put_u64(w, self->since);
    for (size_t c = 0; e != NULL && c < e->x * e->v; c++)
        roster_put_doubles(w, (const double[]){self->n[c], self->s[c]}, 2);
    for (size_t x = 0; e != NULL && x < e->x; x++) {
        bool built = self->built[x] == self->since + 1;
        roster_put_u64(w, built);
        if (built)
            roster_put_doubles(w, self->g + x * e->n, e->n);
    }
}

static bool plausible(double x, double most)
{
    return x >= 0 && x <= most;
}

static void load_rows(roster_means *self, roster_reader *r)
{
    const roster_experts *e = self->experts;
    for (size_t x = 0; x < e->x && !r->failed; x++) {
        uint64_t built = roster_get_u64(r);
        r->failed |= built > 1;
        self->built[x] = built * (self->since + 1);
        if (built == 1)
            roster_get_doubles(r, self->g + x * e->n, e->n);
        for (size_t i = 0; built == 1 && i < e->n; i++)
            r->failed |= !(fabs(self->g[x * e->n + i]) <= 2);
    }
}

void roster_means_load(roster_means *self, roster_reader *r)
{
    const roster_experts *e = self->experts;
    double t = 0;
    self->sum = roster_get_double(r);
    self->m0 = roster_get_double(r);
    self->since = roster_get_u64(r);
    for (size_t c = 0; e != NULL && c < e->x * e->v && !r->failed; c++) {
        self->n[c] = roster_get_double(r);
        self->s[c] = roster_get_double(r);
        r->failed |= !plausible(self->n[c], 0x1p53) || !plausible(self->s[c], self->n[c] * (1 + 1e-9));
        t += self->n[c];
    }
    if (e != NULL)
        load_rows(self, r);
    r->failed |= (e != NULL && t != (double)self->t) || !plausible(self->m0, 1) || self->since > self->t ||
                 !plausible(self->sum, (double)self->t * (1 + 1e-9));
}
