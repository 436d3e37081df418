/*
 * checkpoints.h: the moments since which something may have changed: few, and the older the farther apart.
 */
#ifndef ROSTER_CHECKPOINTS_H
#define ROSTER_CHECKPOINTS_H

#include "base.h"

enum { ROSTER_CHECKPOINTS = 24, ROSTER_BLOCK = 32 };

typedef struct roster_checkpoints {
    uint64_t block;                   /* blocks of ROSTER_BLOCK rounds so far                              */
    size_t count;                     /* checkpoints; each lives in a slot of its own until it is dropped  */
    size_t order[ROSTER_CHECKPOINTS]; /* their slots, from the oldest to the newest                        */
    uint64_t at[ROSTER_CHECKPOINTS];  /* of a slot: blocks before it                                       */
    double price[ROSTER_CHECKPOINTS]; /* of a slot: ln(j (j + 1)), j = blocks before it + 1                */
} roster_checkpoints;

void roster_checkpoints_reset(roster_checkpoints *self);
/* A new one, here: after `block` blocks, of which there is at least one. Its slot may be that of the one that is
   dropped for it. */
size_t roster_checkpoints_add(roster_checkpoints *self);

void roster_checkpoints_save(const roster_checkpoints *self, roster_writer *w);
/* Slots are numbered from the oldest on. Sets r->failed where the bytes make no sense. */
void roster_checkpoints_load(roster_checkpoints *self, roster_reader *r);

#endif
