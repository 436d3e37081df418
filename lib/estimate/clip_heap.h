/*
 * clip_heap.h: for one expert, the cells that its clip level may still let in or throw out.
 *
 * A cell passes (is inside the estimate) iff its threshold theta <= level. Cells inside are a heap with the largest
 * theta on top, cells outside a heap with the smallest on top, in one array from its two ends, so that moving between
 * them needs no memory. Order is (theta, cell): which cell moves first never depends on how the heaps came about.
 */
#ifndef ROSTER_CLIP_HEAP_H
#define ROSTER_CLIP_HEAP_H

#include "tally.h"

typedef struct roster_clip_entry {
    double theta; /* inside iff theta <= level        */
    double coef;  /* weight of the cell's reward sum  */
    size_t cell;  /* in the tally                     */
} roster_clip_entry;

typedef struct roster_clip_heap {
    roster_clip_entry *at; /* owned: inside is at[0..in), outside is at[capacity-out..capacity), top last */
    size_t in, out, capacity;
} roster_clip_heap;

void roster_clip_heap_fini(roster_clip_heap *self);
/* Make room for `more` entries. */
int roster_clip_heap_reserve(roster_clip_heap *self, size_t more);
/* A new cell, for which there is room; on the side that `level` puts it. */
void roster_clip_heap_insert(roster_clip_heap *self, double level, roster_clip_entry entry);
/* The level is now `level`: move cells, and add to or take from the sum (s, lo) what they carry. */
void roster_clip_heap_move(roster_clip_heap *self, double level, const roster_tally *tally, double *s, double *lo);

/* The theta of the cell that would leave first if the level fell, and of the one that would enter first if it rose;
   minus and plus infinity where there is none. */
double roster_clip_heap_next_in(const roster_clip_heap *self);
double roster_clip_heap_next_out(const roster_clip_heap *self);

/* What the cells outside would add if the level were `level`. */
double roster_clip_heap_outside(const roster_clip_heap *self, const roster_tally *tally, double level);

/* Now it is equal, or ROSTER_ENOMEM. */
int roster_clip_heap_copy(roster_clip_heap *self, const roster_clip_heap *from);
void roster_clip_heap_save(const roster_clip_heap *self, roster_writer *w);
/* Into an empty heap; cells must be below `cells`. Sets r->failed where the bytes make no sense. */
int roster_clip_heap_load(roster_clip_heap *self, roster_reader *r, double level, size_t cells);

#endif
