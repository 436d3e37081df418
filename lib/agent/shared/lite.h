/*
 * lite.h: play the expert with the largest index, where few indices are refreshed per round and from fewer rounds.
 * D-UCB-lite and ED-UCB-lite are this over different knowledge; the functions are those of roster_agent_type.
 */
#ifndef ROSTER_LITE_H
#define ROSTER_LITE_H

#include "greedy.h"

/* A round that was played and not yet used. */
typedef struct roster_pending {
    size_t k, cell;
    double y;
} roster_pending;

typedef struct roster_lite {
    roster_clipped est;       /* has absorbed the first floor(t^(1/beta)) rounds */
    const roster_rng *stream; /* borrowed */
    double beta;
    uint64_t t;
    double *b;      /* owned, [n]: B_i                                              */
    uint64_t *used; /* owned, [n]: rounds B_i was computed from                     */
    size_t leader;
    roster_pending *queue; /* owned: rounds m+1..t at [head..head+count)                   */
    double *pi;            /* owned: their probabilities, [n] each, unless contexts are finite */
    size_t head, count, capacity, pi_capacity;
} roster_lite;

/* floor(t^(1/beta)), right at exact powers too. */
uint64_t roster_lite_rounds(uint64_t t, double beta);
/* The experts besides k whose index is looked at in round t, into others[]; returns how many: ceil(ln n) - 1. */
enum { ROSTER_LITE_MOST = 48 };
size_t roster_lite_others(const roster_rng *stream, uint64_t t, size_t n, size_t k, size_t others[ROSTER_LITE_MOST]);

int roster_lite_init(void *self, const roster_setup *setup, roster_error *err);
void roster_lite_fini(void *self);
void roster_lite_reset(void *self);
int roster_lite_reserve(void *self, size_t rounds);
int roster_lite_learn(void *self, const roster_sample *sample);
size_t roster_lite_choose(const void *self);
size_t roster_lite_choose_waiting(const void *self, const uint64_t *waiting, double u);
void roster_lite_index(const void *self, double *u);
void roster_lite_insight(const void *self, size_t i, roster_insight *out);
void roster_lite_save(const void *self, roster_writer *w);
int roster_lite_load(void *self, roster_reader *r);
int roster_lite_adopt(void *self, const void *from, size_t n);

#define ROSTER_LITE_FUNCTIONS                                                                                          \
    .state_size = sizeof(roster_lite), .init = roster_lite_init, .fini = roster_lite_fini, .reset = roster_lite_reset, \
    .reserve = roster_lite_reserve, .learn = roster_lite_learn, .choose = roster_lite_choose,                          \
    .choose_waiting = roster_lite_choose_waiting, .index = roster_lite_index, .insight = roster_lite_insight,          \
    .save = roster_lite_save, .load = roster_lite_load, .adopt = roster_lite_adopt

#endif
