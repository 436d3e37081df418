/*
 * tally.h: what was seen, summed up: plays per expert and a cell of (count, reward sum) per (expert, context, action).
 *
 * All samples of a cell share their ratios and divergences, so the cells are all the clipped estimator needs to know,
 * and tallies add. Expert k's X*V cells are opened when k is first played. A sample whose context is not one of
 * finitely many is a cell of its own, opened only if its reward may have to leave or enter an estimate later.
 */
#ifndef ROSTER_TALLY_H
#define ROSTER_TALLY_H

#include "base.h"

#define ROSTER_NO_CELL SIZE_MAX

typedef struct roster_cell {
    uint64_t n;   /* samples                           */
    double s, lo; /* their rewards' sum, carried error */
} roster_cell;

typedef struct roster_tally {
    size_t n, block;    /* experts; cells per expert (0: no cells by context)      */
    uint64_t t;         /* rounds: the sum of plays                                */
    uint64_t *plays;    /* owned, [n]                                              */
    size_t *first;      /* owned, [n]: expert's first cell, ROSTER_NO_CELL: unopened */
    roster_cell *cells; /* owned                                                   */
    size_t count, capacity;
} roster_tally;

int roster_tally_init(roster_tally *self, size_t n, size_t block);
void roster_tally_fini(roster_tally *self);
void roster_tally_reset(roster_tally *self);
/* Make room for `cells` more. */
int roster_tally_reserve(roster_tally *self, size_t cells);
/* Expert k's first cell; its cells are opened, for which there is room, if they are not. */
size_t roster_tally_open(roster_tally *self, size_t k);
/* One more cell of its own, for which there is room. Returns its number. */
size_t roster_tally_append(roster_tally *self);
/* n samples with reward sum s. */
void roster_tally_count(roster_tally *self, size_t k, uint64_t n);
void roster_tally_add(roster_tally *self, size_t cell, uint64_t n, double s);
static inline double roster_tally_mass(const roster_tally *self, size_t cell)
{
    return self->cells[cell].s + self->cells[cell].lo;
}

/* Into one of the same shape: now it is equal, or ROSTER_ENOMEM. */
int roster_tally_copy(roster_tally *self, const roster_tally *from);
void roster_tally_save(const roster_tally *self, roster_writer *w);
/* Into an empty tally. Sets r->failed where the bytes make no sense; ROSTER_ENOMEM otherwise possible. */
int roster_tally_load(roster_tally *self, roster_reader *r);

/* Where contexts do not matter: one cell per expert, numbered as the experts. */
int roster_tally_init_arms(roster_tally *self, size_t n);
void roster_tally_reset_arms(roster_tally *self);
/* n rounds of expert k with reward sum s. */
void roster_tally_learn_arm(roster_tally *self, size_t k, uint64_t n, double s);
/* All rows of a log's tally. */
void roster_tally_learn_rows(roster_tally *self, const roster_tally_row *rows, size_t n);
/* What it held is forgotten; else as above. */
int roster_tally_load_arms(roster_tally *self, roster_reader *r);
void roster_tally_merge_arms(roster_tally *self, const roster_tally *from);

#endif
