/*
 * lazy.h: the lazy interface of a whole agent: rounds learnt in batches, with a certificate for each.
 *
 * The agent itself is as it was, and all its functions may be called, until roster_lazy_finish gives it what was
 * learnt.
 */
#ifndef ROSTER_LAZY_H
#define ROSTER_LAZY_H

#include "agent.h"

typedef struct roster_lazy roster_lazy;

/* Whether the agent can: its type has a lazy interface, its contexts are finite, and nothing is verified. */
bool roster_lazy_possible(const roster_agent *agent);
/* Starts where the agent, which must outlive it, is now. The agent can. */
int roster_lazy_create(roster_lazy **out, const roster_agent *agent, roster_error *err);
void roster_lazy_free(roster_lazy *self);
/* The expert to play next, and for how long it is certain. */
void roster_lazy_certify(roster_lazy *self, roster_certificate *certificate);
/* The most rounds that the next batch may have. */
uint64_t roster_lazy_most(const roster_lazy *self);
/* Learn rounds of one expert; need not be those that were certified. On failure it can only be freed. */
int roster_lazy_learn(roster_lazy *self, const roster_batch *batch, roster_error *err);
/* The agent has learnt all of the batches; frees self. Refused, and the agent as it was, where memory is short or the
   agent has learnt something else since. */
int roster_lazy_finish(roster_lazy *self, roster_agent *agent, roster_error *err);

#endif
