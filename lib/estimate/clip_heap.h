/*
 * clip_heap.h: for one expert, the cells that its clip level may still let in or throw out.
 *
 * A cell passes (is inside the estimate) iff its threshold theta <= level. Cells inside are a heap with the largest
 * theta on top, cells outside a heap with the smallest on top, in one array from its two ends, so that moving between
 * them needs no memory. Order is (theta, cell): which cell moves first never depends on how the heaps came about.
 */
#ifndef ROSTER_GATE_H
#define ROSTER_GATE_H

#include "tally.h"

typedef struct roster_passer {
    double theta; /* inside iff theta <= level        */
    double coef;  /* weight of the cell's reward sum  */
    size_t cell;  /* in the tally                     */
} roster_passer;

typedef struct roster_gate {
    roster_passer *at; /* owned: inside is at[0..in), outside is at[capacity-out..capacity), top last */
    size_t in, out, capacity;
} roster_gate;

void roster_gate_fini(roster_gate *self);
/* Make room for `more` passers. */
int roster_gate_reserve(roster_gate *self, size_t more);
/* A new cell, for which there is room; on the side that `level` puts it. */
void roster_gate_enter(roster_gate *self, double level, roster_passer passer);
/* The level is now `level`: move cells, and add to or take from the sum (s, lo) what they carry. */
void roster_gate_move(roster_gate *self, double level, const roster_tally *tally, double *s, double *lo);

/* The theta of the cell that would leave first if the level fell, and of the one that would enter first if it rose;
   minus and plus infinity where there is none. */
double roster_gate_next_in(const roster_gate *self);
double roster_gate_next_out(const roster_gate *self);

/* What the cells outside would add if the level were `level`. */
double roster_gate_outside(const roster_gate *self, const roster_tally *tally, double level);

void roster_gate_save(const roster_gate *self, roster_writer *w);
/* Into an empty gate; cells must be below `cells`. Sets r->failed where the bytes make no sense. */
int roster_gate_load(roster_gate *self, roster_reader *r, double level, size_t cells);

#endif
