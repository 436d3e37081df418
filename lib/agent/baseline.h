/*
 * baseline.h: agents that learn nothing, to measure the others by. All they keep is the number of rounds.
 */
#ifndef ROSTER_YARDSTICK_H
#define ROSTER_YARDSTICK_H

#include "agent.h"

typedef struct roster_yardstick {
    const roster_setup *setup; /* borrowed */
    size_t leader;             /* oracle only: the best expert */
    uint64_t t;
} roster_yardstick;

int roster_yardstick_init(void *self, const roster_setup *setup, roster_error *err);
void roster_yardstick_fini(void *self);
void roster_yardstick_reset(void *self);
int roster_yardstick_reserve(void *self, size_t rounds);
int roster_yardstick_learn(void *self, const roster_sample *sample);
void roster_yardstick_save(const void *self, roster_writer *w);
int roster_yardstick_load(void *self, roster_reader *r);
int roster_yardstick_merge(void *self, const void *from);

#define ROSTER_YARDSTICK_FUNCTIONS                                                                                     \
    .blind = true, .state_size = sizeof(roster_yardstick), .fini = roster_yardstick_fini,                              \
    .reset = roster_yardstick_reset, .reserve = roster_yardstick_reserve, .learn = roster_yardstick_learn,             \
    .save = roster_yardstick_save, .load = roster_yardstick_load, .merge = roster_yardstick_merge

#endif
