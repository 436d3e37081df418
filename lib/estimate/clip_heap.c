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
 * Check: any sequence of levels leaves the sum a plain scan gives (tests/unit/test_clip_heap.c: heap_equals_scan).
 */
#include "clip_heap.h"

#include <stdlib.h>
#include <string.h>

/* One heap over either end of the array: `step` is +1 or -1, `sign` makes both look like max-heaps. */
typedef struct heap {
    roster_clip_entry *root;
    ptrdiff_t step;
    double sign;
    size_t *count;
} heap;

static heap inside(roster_clip_heap *g)
{
    return (heap){g->at, 1, 1, &g->in};
}

static heap outside(roster_clip_heap *g)
{
    return (heap){g->at + g->capacity - 1, -1, -1, &g->out};
}

static roster_clip_entry *item(const heap *h, size_t i)
{
    return h->root + h->step * (ptrdiff_t)i;
}

static bool above(const heap *h, const roster_clip_entry *a, const roster_clip_entry *b)
{
    if (a->theta != b->theta)
        return h->sign * a->theta > h->sign * b->theta;
    return a->cell < b->cell;
}

static void push(const heap *h, roster_clip_entry entry)
{
    size_t i = (*h->count)++;
    while (i > 0 && above(h, &entry, item(h, (i - 1) / 2))) {
        *item(h, i) = *item(h, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    *item(h, i) = entry;
}

static roster_clip_entry pop(const heap *h)
{
    roster_clip_entry top = *h->root, last = *item(h, --*h->count);
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

void roster_clip_heap_fini(roster_clip_heap *self)
{
    free(self->at);
}

int roster_clip_heap_reserve(roster_clip_heap *self, size_t more)
{
    size_t before = self->capacity;
    int code = roster_grow(&self->at, &self->capacity, self->in + self->out, more, sizeof *self->at);
    if (self->capacity > before && self->out > 0)
        memmove(self->at + self->capacity - self->out, self->at + before - self->out, self->out * sizeof *self->at);
    return code;
}

void roster_clip_heap_insert(roster_clip_heap *self, double level, roster_clip_entry entry)
{
    heap side = entry.theta <= level ? inside(self) : outside(self);
    push(&side, entry);
}

void roster_clip_heap_move(roster_clip_heap *self, double level, const roster_tally *tally, double *s, double *lo)
{
    if ((self->in == 0 || self->at[0].theta <= level) && (self->out == 0 || self->at[self->capacity - 1].theta > level))
        return;
    heap in = inside(self), out = outside(self);
    while (self->in > 0 && in.root->theta > level) {
        roster_clip_entry entry = pop(&in);
        roster_add(s, lo, -entry.coef * roster_tally_mass(tally, entry.cell));
        push(&out, entry);
    }
    while (self->out > 0 && out.root->theta <= level) {
        roster_clip_entry entry = pop(&out);
        roster_add(s, lo, entry.coef * roster_tally_mass(tally, entry.cell));
        push(&in, entry);
    }
}

double roster_clip_heap_next_in(const roster_clip_heap *self)
{
    return self->in > 0 ? self->at[0].theta : -INFINITY;
}

double roster_clip_heap_next_out(const roster_clip_heap *self)
{
    return self->out > 0 ? self->at[self->capacity - 1].theta : INFINITY;
}

double roster_clip_heap_outside(const roster_clip_heap *self, const roster_tally *tally, double level)
{
    double sum = 0;
    for (size_t i = 0; i < self->out; i++) {
        const roster_clip_entry *entry = &self->at[self->capacity - 1 - i];
        sum += entry->theta <= level ? entry->coef * roster_tally_mass(tally, entry->cell) : 0;
    }
    return sum;
}

int roster_clip_heap_copy(roster_clip_heap *self, const roster_clip_heap *from)
{
    self->in = self->out = 0;
    if (roster_clip_heap_reserve(self, from->in + from->out) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (from->in > 0)
        memcpy(self->at, from->at, from->in * sizeof *self->at);
    if (from->out > 0)
        memcpy(self->at + self->capacity - from->out, from->at + from->capacity - from->out,
               from->out * sizeof *self->at);
    self->in = from->in;
    self->out = from->out;
    return ROSTER_OK;
}

static void save_entry(const roster_clip_entry *p, roster_writer *w)
{
    roster_put_double(w, p->theta);
    roster_put_double(w, p->coef);
    roster_put_u64(w, p->cell);
}

void roster_clip_heap_save(const roster_clip_heap *self, roster_writer *w)
{
    roster_put_u64(w, self->in + self->out);
    for (size_t i = 0; i < self->in; i++)
        save_entry(&self->at[i], w);
    for (size_t i = 0; i < self->out; i++)
        save_entry(&self->at[self->capacity - self->out + i], w);
}

int roster_clip_heap_load(roster_clip_heap *self, roster_reader *r, double level, size_t cells)
{
    size_t count = roster_get_count(r, 24);
    int code = roster_clip_heap_reserve(self, count);
    for (size_t i = 0; code == ROSTER_OK && i < count; i++) {
        roster_clip_entry p;
        p.theta = roster_get_double(r);
        p.coef = roster_get_double(r);
        p.cell = (size_t)roster_get_u64(r);
        r->failed |= !(isfinite(p.theta) && isfinite(p.coef)) || p.cell >= cells;
        if (r->failed)
            break;
        roster_clip_heap_insert(self, level, p);
    }
    return code;
}
