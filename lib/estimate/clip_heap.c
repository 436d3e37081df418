/*
 * clip_heap.c: cells enter and leave an expert's estimate when its clip level crosses their threshold.
 *
 * Paper: none.
 *
 *   1{ r_hi <= 2 L M }  ==  1{ theta <= L },   theta = r_hi / (2 M)
 *
 * The level L changes a little every round, so a round moves few cells, mostly none: two comparisons.
 *
 * Cost: O(1) per round when nothing crosses, O(log) per crossing; 24 bytes per cell that can ever cross.
 * Departs: the paper applies the level to all past samples again every round; this is the same sum.
 * Check: any sequence of levels leaves the sum a plain scan gives (tests/unit/test_clip_heap.c: gate_equals_scan).
 */
#include "clip_heap.h"

#include <stdlib.h>
#include <string.h>

/* One heap over either end of the array: `step` is +1 or -1, `sign` makes both look like max-heaps. */
typedef struct heap {
    roster_passer *root;
    ptrdiff_t step;
    double sign;
    size_t *count;
} heap;

static heap inside(roster_gate *g)
{
    return (heap){g->at, 1, 1, &g->in};
}

static heap outside(roster_gate *g)
{
    return (heap){g->at + g->capacity - 1, -1, -1, &g->out};
}

static roster_passer *item(const heap *h, size_t i)
{
    return h->root + h->step * (ptrdiff_t)i;
}

static bool above(const heap *h, const roster_passer *a, const roster_passer *b)
{
    if (a->theta != b->theta)
        return h->sign * a->theta > h->sign * b->theta;
    return a->cell < b->cell;
}

static void push(const heap *h, roster_passer passer)
{
    size_t i = (*h->count)++;
    while (i > 0 && above(h, &passer, item(h, (i - 1) / 2))) {
        *item(h, i) = *item(h, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    *item(h, i) = passer;
}

static roster_passer pop(const heap *h)
{
    roster_passer top = *h->root, last = *item(h, --*h->count);
    size_t n = *h->count, i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && above(h, item(h, child + 1), item(h, child)))
            child++;
        if (!above(h, item(h, child), &last))
            break;
        *item(h, i) = *item(h, child);
        i = child;
    }
    if (n > 0)
        *item(h, i) = last;
    return top;
}

void roster_gate_fini(roster_gate *self)
{
    free(self->at);
}

int roster_gate_reserve(roster_gate *self, size_t more)
{
    size_t before = self->capacity;
    void *array = self->at;
    int code = roster_grow(&array, &self->capacity, self->in + self->out, more, sizeof *self->at);
    self->at = array;
    if (self->capacity > before && self->out > 0)
        memmove(self->at + self->capacity - self->out, self->at + before - self->out, self->out * sizeof *self->at);
    return code;
}

void roster_gate_enter(roster_gate *self, double level, roster_passer passer)
{
    heap side = passer.theta <= level ? inside(self) : outside(self);
    push(&side, passer);
}

void roster_gate_move(roster_gate *self, double level, const roster_tally *tally, double *s, double *lo)
{
    if ((self->in == 0 || self->at[0].theta <= level) && (self->out == 0 || self->at[self->capacity - 1].theta > level))
        return;
    heap in = inside(self), out = outside(self);
    while (self->in > 0 && in.root->theta > level) {
        roster_passer passer = pop(&in);
        roster_add(s, lo, -passer.coef * roster_tally_mass(tally, passer.cell));
        push(&out, passer);
    }
    while (self->out > 0 && out.root->theta <= level) {
        roster_passer passer = pop(&out);
        roster_add(s, lo, passer.coef * roster_tally_mass(tally, passer.cell));
        push(&in, passer);
    }
}

double roster_gate_next_in(const roster_gate *self)
{
    return self->in > 0 ? self->at[0].theta : -INFINITY;
}

double roster_gate_next_out(const roster_gate *self)
{
    return self->out > 0 ? self->at[self->capacity - 1].theta : INFINITY;
}

double roster_gate_outside(const roster_gate *self, const roster_tally *tally, double level)
{
    double sum = 0;
    for (size_t i = 0; i < self->out; i++) {
        const roster_passer *passer = &self->at[self->capacity - 1 - i];
        sum += passer->theta <= level ? passer->coef * roster_tally_mass(tally, passer->cell) : 0;
    }
    return sum;
}

static void save_passer(const roster_passer *p, roster_writer *w)
{
    roster_put_double(w, p->theta);
    roster_put_double(w, p->coef);
    roster_put_u64(w, p->cell);
}

void roster_gate_save(const roster_gate *self, roster_writer *w)
{
    roster_put_u64(w, self->in + self->out);
    for (size_t i = 0; i < self->in; i++)
        save_passer(&self->at[i], w);
    for (size_t i = 0; i < self->out; i++)
        save_passer(&self->at[self->capacity - self->out + i], w);
}

int roster_gate_load(roster_gate *self, roster_reader *r, double level, size_t cells)
{
    size_t count = roster_get_count(r, 24);
    int code = roster_gate_reserve(self, count);
    for (size_t i = 0; code == ROSTER_OK && i < count; i++) {
        roster_passer p;
        p.theta = roster_get_double(r);
        p.coef = roster_get_double(r);
        p.cell = (size_t)roster_get_u64(r);
        r->failed |= !(isfinite(p.theta) && isfinite(p.coef)) || p.cell >= cells;
        if (r->failed)
            break;
        roster_gate_enter(self, level, p);
    }
    return code;
}
