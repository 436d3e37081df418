/*
 * guard.h: what stands beside an agent that plays through changes nobody announces.
 */
#ifndef ROSTER_GUARD_H
#define ROSTER_GUARD_H

#include "agent.h"
#include "world.h"

typedef struct roster_guard {
    roster_alarms *alarms;   /* owned, NULL: none                                       */
    roster_model_test *test; /* owned, NULL: none                                       */
    unsigned pending;        /* kinds that changed with this episode, not noticed yet   */
    uint64_t restarts;
    unsigned raised; /* by the last event                                       */
    bool rejects;
} roster_guard;

/* As the study asks for; nothing where it asks for none. On failure the caller still calls fini. */
int roster_guard_init(roster_guard *self, const roster_study *study, roster_error *err);
void roster_guard_fini(roster_guard *self);
/* An episode begins; before: the world of the one that ends, NULL: none. */
void roster_guard_episode(roster_guard *self, const roster_world *before, const roster_world *now);
/* Whether there is anything for it to learn. */
static inline bool roster_guard_wakes(const roster_guard *self)
{
    return self->alarms != NULL || self->test != NULL;
}
/* The event of round t of the episode, which the agent has learnt: it forgets, or lets an expert stand alone. */
int roster_guard_learn(roster_guard *self, roster_agent *agent, const roster_event *event, uint64_t run, uint64_t t,
                       roster_outcome *outcome, roster_error *err);

#endif
