/*
 * batch.h: rounds of one expert in finite contexts, summed up by context and action, to be learnt at once.
 */
#ifndef ROSTER_BATCH_H
#define ROSTER_BATCH_H

#include "base.h"

typedef struct roster_batch_cell {
    uint64_t n;
    double s;
} roster_batch_cell;

typedef struct roster_batch {
    size_t k;
    uint64_t n;               /* rounds                              */
    double s;                 /* sum of their rewards                */
    roster_batch_cell *cells; /* owned, [X V]                        */
    double *squares;          /* owned, [X V]: sums of squared rewards, where the certificate asks for them */
    size_t *touched;          /* owned, [X V + 1]: cells with n > 0  */
    size_t n_touched;
} roster_batch;

int roster_batch_init(roster_batch *self, size_t cells);
void roster_batch_fini(roster_batch *self);
void roster_batch_clear(roster_batch *self);
/* One more round of expert k, the same in every round. */
void roster_batch_add(roster_batch *self, size_t k, size_t cell, double reward);

#endif
