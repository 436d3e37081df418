/*
 * event.h: from an event as the caller gives it to a sample that can be relied on.
 */
#ifndef ROSTER_EVENT_H
#define ROSTER_EVENT_H

#include "clipped.h"

/* Shapes and ranges. */
int roster_event_check(const roster_experts *experts, const roster_event *event, roster_error *err);
/* What the kind of experts needs beside: features, or probabilities. */
int roster_event_check_payload(const roster_experts *experts, const roster_event *event, roster_error *err);
/* The sample's cell, and how likely every expert was to act so. scratch: N + V numbers, which sample->pi may point to.
   */
int roster_event_sample(const roster_experts *experts, const roster_event *event, double *scratch,
                        roster_sample *sample, roster_error *err);
/* Known experts do what they are known to do; an event that says otherwise would be divided by the wrong probability.
   known: that of the expert that acted. */
int roster_event_possible(const roster_event *event, double known, roster_error *err);

#endif
