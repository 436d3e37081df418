/*
 * timer_wheel.h: the inactive ones of very many experts, each in a level of the wheel until that expires, and what was
 * seen meanwhile. See many_experts.c.
 */
#ifndef ROSTER_TIMER_WHEEL_H
#define ROSTER_TIMER_WHEEL_H

#include "lazy_simd.h"

enum {
    ROSTER_WHEEL_LEVELS = 56,
    ROSTER_WHEEL_FEW = 24 /* cells of a level that are quicker looked at one by one */
};

/* An inactive expert. */
typedef struct roster_inactive {
    double z, s; /* Z_i and a bound of S_i when its level last expired       */
    double cap;  /* S_i is a bound while L_i is at most this                 */
    double w, u; /* many_experts.c: W_i at some earlier time, and of what    */
} roster_inactive;

/* Its members, and what was seen since it last expired. Experts that have been played have slots, in the order of their
   cells in the tally. */
typedef struct roster_wheel_level {
    uint64_t *bits; /* owned, [words]: a bit for each member */
    size_t members;
    float *s;         /* owned, [slots][stride]: rewards       */
    uint64_t *n;      /* owned, [slots]: rounds                */
    size_t *touched;  /* owned, [slots]: those with n > 0 ...  */
    size_t n_touched; /* ... so many                           */
    size_t room;      /* slots                                 */
    struct {
        size_t slot, c;
    } few[ROSTER_WHEEL_FEW]; /* the cells with s > 0, ...                   */
    size_t n_few;            /* ... so many; ROSTER_WHEEL_FEW + 1: more     */
} roster_wheel_level;

typedef struct roster_timer_wheel {
    const roster_clipped *est;    /* borrowed: prepared problem and tally                     */
    const roster_lazy_simd *simd; /* borrowed                                                 */
    const size_t *played;         /* borrowed: experts by slot                                */
    size_t n, cells, stride, words;
    double single;             /* a sum in single precision is wrong by less than this share of it */
    float *rows;               /* owned, [n][stride]: pi_i, filled up with 0                       */
    roster_inactive *inactive; /* owned, [n]                                                       */
    uint64_t *expired;         /* owned, [words]: a bit for each expert in no level any longer     */
    size_t slots, room;
    float *inverse; /* owned, [slots][stride]: 1/pi_k, filled up with 0      */
    float *sums;    /* owned, [slots][stride]: all rewards, ...              */
    uint64_t *seen; /* owned, [slots]: ... when the expert had so many plays */
    roster_wheel_level levels[ROSTER_WHEEL_LEVELS];
} roster_timer_wheel;

/* No expert is inactive. On failure the caller still calls fini. */
int roster_timer_wheel_init(roster_timer_wheel *self, const roster_clipped *est, const roster_lazy_simd *simd,
                            const size_t *played);
void roster_timer_wheel_fini(roster_timer_wheel *self);
/* The next slot, whose expert has been played. */
int roster_timer_wheel_open_slot(roster_timer_wheel *self);
/* The lowest level learns the batch of the expert in a slot. */
int roster_timer_wheel_learn(roster_timer_wheel *self, size_t slot, const roster_batch *batch);
/* Levels 0..last expire: their members learn what was seen, leave the level and are marked as expired. On failure half
   done. */
int roster_timer_wheel_expire(roster_timer_wheel *self, size_t last);
/* Expert i into level j, which must have expired just now. */
void roster_timer_wheel_schedule(roster_timer_wheel *self, size_t i, size_t j);
/* The lowest level that has members; ROSTER_WHEEL_LEVELS: none has. */
size_t roster_timer_wheel_lowest(const roster_timer_wheel *self);
/* The bound of S_i from all that was ever seen. */
void roster_timer_wheel_sum_up(roster_timer_wheel *self, size_t i);

/* The numbers of the lowest and the highest bit of x, which is not 0. */
static inline size_t roster_lowest_bit(uint64_t x)
{
    return (size_t)__builtin_ctzll(x);
}

static inline size_t roster_highest_bit(uint64_t x)
{
    return 63 - (size_t)__builtin_clzll(x);
}

#endif
