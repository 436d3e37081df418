/*
 * baseline.h: agents that learn nothing, to measure the others by. All they keep is the number of rounds.
 */
#ifndef ROSTER_BASELINE_H
#define ROSTER_BASELINE_H

#include "agent.h"

typedef struct roster_baseline {
    const roster_setup *setup; /* borrowed */
    size_t leader;             /* oracle only: the best expert */
    uint64_t t;
} roster_baseline;

int roster_baseline_init(void *self, const roster_setup *setup, roster_error *err);
void roster_baseline_fini(void *self);
void roster_baseline_reset(void *self);
int roster_baseline_learn(void *self, const roster_sample *sample);
void roster_baseline_save(const void *self, roster_writer *w);
int roster_baseline_load(void *self, roster_reader *r);
int roster_baseline_merge(void *self, const void *from);
int roster_baseline_adopt(void *self, const void *from, size_t n);
int roster_baseline_learn_tally(void *self, const roster_tally_row *rows, size_t n);

#define ROSTER_BASELINE_FUNCTIONS                                                                                      \
    .blind = true, .pools = true, .state_size = sizeof(roster_baseline), .fini = roster_baseline_fini,                 \
    .reset = roster_baseline_reset, .learn = roster_baseline_learn, .save = roster_baseline_save,                      \
    .load = roster_baseline_load, .merge = roster_baseline_merge, .adopt = roster_baseline_adopt,                      \
    .learn_tally = roster_baseline_learn_tally

#endif
