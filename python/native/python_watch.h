/*
 * python_watch.h: what looks at the events beside an agent: evidence, the test of the model, alarms.
 */
#ifndef ROSTER_PYTHON_WATCH_H
#define ROSTER_PYTHON_WATCH_H

#include "python.h"

typedef struct roster_python_watch {
    const roster_experts *experts; /* borrowed */
    roster_evidence *evidence;     /* owned; NULL: not asked for                                      */
    roster_model_test *test;       /* owned; NULL: not asked for, or contexts are not finite          */
    roster_alarms *alarms;         /* owned; NULL: not asked for                                      */
    roster_alarm *raised;          /* owned: the alarms so far, of a loaded snapshot the last of each kind */
    size_t n_raised, room;
    bool own;          /* evidence rests on each expert's own rounds alone */
    bool own_at_first; /* so before any event: the experts are estimates */
    bool lost;         /* memory ran out: what was learnt meanwhile is not in here, so nothing is told */
} roster_python_watch;

/* level NAN: no evidence and no test. own: experts that are estimates. alarm: look for changes, and let the agent
   forget what no longer holds. On failure the caller still calls fini. */
int roster_python_watch_init(roster_python_watch *self, const roster_experts *experts, double level, bool own,
                             bool alarm);
void roster_python_watch_fini(roster_python_watch *self);
/* Nothing was seen. */
int roster_python_watch_reset(roster_python_watch *self);
/* The agent's experts are these now; where memory runs out nothing is told any more. */
void roster_python_watch_set_experts(roster_python_watch *self, const roster_experts *experts);
/* An event that the agent has learnt; run: the random numbers of an agent that starts anew. */
void roster_python_watch_learn(roster_python_watch *self, roster_agent *agent, const roster_event *event, uint64_t run);
/* Whether the two can be merged: asked before anything is. */
int roster_python_watch_same(const roster_python_watch *into, const roster_python_watch *from);
/* agent: that of `into`, merged already. Alarms stay those of `into`. */
int roster_python_watch_merge(roster_python_watch *into, roster_agent *agent, const roster_python_watch *from);
/* The last alarm of a kind goes into the list; false: no memory. */
bool roster_python_watch_keep(roster_python_watch *self, unsigned kind);

/* python_snapshot.c: behind an agent's snapshot. Returns the bytes needed, and writes them if they fit. */
size_t roster_python_watch_save(const roster_python_watch *self, unsigned char *buf, size_t size);
/* How many bytes at the end of a snapshot are of the watch; 0: it is an agent's alone. */
size_t roster_python_watch_part(const unsigned char *buf, size_t size);
/* Takes the place of what was seen; what the part does not have starts afresh. On failure nothing has changed. */
int roster_python_watch_load(roster_python_watch *self, const unsigned char *part, size_t size);

#endif
