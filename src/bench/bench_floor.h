/*
 * bench_floor.h: what a simulated round costs at the very least.
 */
#ifndef ROSTER_BENCH_FLOOR_H
#define ROSTER_BENCH_FLOOR_H

#include <roster.h>

/* The bare world: random numbers, context, action of one fixed expert, reward. No agent, no interface. */
typedef struct floor_world floor_world;

/* p: the context probabilities of `world`. Bernoulli rewards, at most 255 contexts and actions. */
int floor_create(floor_world **out, const roster_experts *experts, const roster_world *world, const double *p, size_t k,
                 roster_error *err);
void floor_free(floor_world *self);
/* Plays rounds 1..rounds of the stream (seed, run); returns the sum of their rewards. */
double floor_run(const floor_world *self, uint64_t seed, uint64_t run, uint64_t rounds);

#endif
