/*
 * stretch.h: rounds that are played while the leader is certain, and how an observer hears of them.
 */
#ifndef ROSTER_STRETCH_H
#define ROSTER_STRETCH_H

#include "lazy.h"
#include "world.h"

/* Plays up to `most` rounds of certificate->k, from round t + 1 on, while the certificate lasts, and batches them up.
   Returns how many; at least one. */
uint64_t roster_stretch(const roster_world *world, const roster_rng *stream, uint64_t t, uint64_t most,
                        const roster_certificate *certificate, roster_batch *batch);

/* An observer of stretches instead of rounds. */
typedef struct roster_watch {
    /* A stretch that begins after round t of an episode must not go beyond this round. */
    uint64_t (*until)(void *context, size_t episode, uint64_t t);
    /* The n rounds up to round t of an episode were played by expert k; regret: of all rounds so far. False stops. */
    bool (*played)(void *context, size_t episode, uint64_t t, size_t k, uint64_t n, double regret);
    void *context;
} roster_watch;

/* simulate.c: roster_simulate, watched in stretches. */
int roster_simulate_stretches(const roster_study *study, uint64_t number, const roster_watch *watch,
                              roster_outcome *outcome, double *regret_by_episode, roster_error *err);

#endif
