/*
 * evidence_past.h: all rounds summed up by who acted in which cell, for experts that come later.
 */
#ifndef ROSTER_EVIDENCE_PAST_H
#define ROSTER_EVIDENCE_PAST_H

#include "expert.h"

typedef struct roster_past_cell {
    double n, s, q; /* rounds, sum of rewards and of their squares */
} roster_past_cell;

typedef struct roster_past {
    size_t n, size;           /* experts; cells of each, 0: rounds are not summed up         */
    roster_past_cell **cells; /* owned, [n] of [size]; NULL until k acts                     */
    uint64_t *since;          /* owned, [n]: rounds before it came that its value rests on   */
} roster_past;

/* tables: NULL where contexts are not numbered. On failure the caller still calls fini. */
int roster_past_init(roster_past *self, size_t n, const roster_experts *tables);
void roster_past_fini(roster_past *self);
void roster_past_reset(roster_past *self);
/* Room for the rounds of expert k. */
int roster_past_open(roster_past *self, size_t k);
/* One round of k, for which there is room. */
void roster_past_add(roster_past *self, size_t k, size_t cell, double y);
/* Adds all of `from`, which may have fewer experts, the first ones; ROSTER_ENOMEM changes nothing that counts. */
int roster_past_merge(roster_past *self, const roster_past *from);
void roster_past_save(const roster_past *self, roster_writer *w);
/* Into an empty one. What an earlier snapshot does not have is not known. */
int roster_past_load(roster_past *self, roster_reader *r);

/* evidence_seed.c: what the past says of one side of expert i. */
typedef struct roster_seed {
    double psi, lambda, charge; /* lambda 0: nothing */
} roster_seed;

/* From below and from above. ln: of the bounds that are to be as narrow as can be. */
int roster_past_seed(const roster_past *self, const roster_experts *experts, size_t i, double ln, roster_seed *low,
                     roster_seed *high);

#endif
