/*
 * changes.c: has the world changed while the log was written?
 *
 * The library's alarms, twice, since the numbers of contexts and actions are not known before: one looks at contexts,
 * numbered as they come, the other at the rewards of cells (context, action), numbered as they come, each of which is
 * an expert to it. Without a change either speaks up with probability at most CHANGES_DELTA / 2, however long the log.
 * The test of contexts is the weaker the more of them there could be: it starts with room for 4, and afresh with twice
 * the room when another comes that does not fit, each time with its part of that probability.
 *
 * A cell's rewards are compared with its own alone, so that a policy that adapts raises nothing, provided that it
 * looked at no more than the context. With more than CHANGES_CONTEXTS contexts, or CHANGES_CELLS cells, nothing is
 * said.
 *
 * Paper: none. Beyond it: SPEC-2, section 17. Cost: that of lib/estimate/drift/alarms.c; 2 MB.
 * Check: tests/unit/test_changes.c.
 */
#include "changes.h"

#include "cells.h"

#include <stdlib.h>

/* Contexts: room for 4, 8, ..., CHANGES_CONTEXTS. */
enum { ROOM = 4, ROOMS = 7 };

typedef struct watch {
    roster_experts *shape; /* owned: says only how many there are */
    roster_alarms *alarms; /* owned */
    uint64_t before;       /* events before the first that these alarms saw */
    change_found found;
    bool many; /* more of them than can be looked at */
} watch;

struct changes {
    cells cells; /* that are looked at, numbered as they came */
    watch contexts, rewards;
    uint64_t events;
    size_t room; /* for contexts; 0: all were the 0th so far, which are learnt when another comes */
};

static void watch_fini(watch *self)
{
    roster_alarms_free(self->alarms);
    roster_experts_free(self->shape);
    self->alarms = NULL;
    self->shape = NULL;
}

/* For room contexts. */
static bool watch_contexts(watch *self, size_t room)
{
    double certain[CHANGES_CONTEXTS];
    for (size_t i = 0; i < room; i++)
        certain[i] = 1;
    watch_fini(self);
    return roster_experts_tables(&self->shape, 1, room, 1, certain, NULL, NULL) == ROSTER_OK &&
           roster_alarms_create(&self->alarms, self->shape, CHANGES_DELTA / ROOMS, NULL) == ROSTER_OK;
}

static bool watch_cells(watch *self)
{
    return roster_experts_external(&self->shape, CHANGES_CELLS, 0, 1, NULL, NULL, NULL) == ROSTER_OK &&
           roster_alarms_create(&self->alarms, self->shape, CHANGES_DELTA, NULL) == ROSTER_OK;
}

/* A reward that is out of range is refused here, and the log later. */
static void watch_learn(watch *self, unsigned kind, const roster_event *event)
{
    roster_alarm last;
    unsigned raised = 0;
    roster_alarms_learn(self->alarms, event, &raised, NULL);
    if ((raised & kind) == 0)
        return;
    roster_alarms_last(self->alarms, kind, &last);
    if (self->found.count++ == 0)
        self->found = (change_found){.count = 1,
                                     .since = self->before + last.since,
                                     .noticed = self->before + last.round,
                                     .context = (uint32_t)last.context,
                                     .cell = (uint32_t)last.expert,
                                     .before = last.before,
                                     .after = last.after};
}

changes *changes_create(void)
{
    changes *self = calloc(1, sizeof *self);
    if (self != NULL && watch_cells(&self->rewards))
        return self;
    changes_free(self);
    return NULL;
}

void changes_free(changes *self)
{
    if (self == NULL)
        return;
    watch_fini(&self->contexts);
    watch_fini(&self->rewards);
    cells_free(&self->cells);
    free(self);
}

/* Room for a context. */
static bool make_room(changes *self, uint32_t context)
{
    watch *w = &self->contexts;
    bool first = self->room == 0;
    self->room = first ? ROOM : self->room;
    while (self->room <= context)
        self->room *= 2;
    if (!watch_contexts(w, self->room))
        return false;
    w->before = first ? 0 : self->events;
    for (uint64_t i = 0; first && i < self->events; i++)
        watch_learn(w, ROSTER_CONTEXTS_CHANGED, &(roster_event){.context = 0});
    return true;
}

static bool learn_context(changes *self, uint32_t context)
{
    self->contexts.many = self->contexts.many || context >= CHANGES_CONTEXTS;
    if (self->contexts.many || (context == 0 && self->room == 0))
        return true;
    if (context >= self->room && !make_room(self, context))
        return false;
    watch_learn(&self->contexts, ROSTER_CONTEXTS_CHANGED, &(roster_event){.context = context});
    return true;
}

static bool learn_cell(changes *self, uint32_t context, uint32_t action, double y)
{
    if (self->rewards.many)
        return true;
    uint32_t at = cells_add(&self->cells, context, action);
    self->rewards.many = at != CELLS_END && at >= CHANGES_CELLS;
    if (at < CHANGES_CELLS)
        watch_learn(&self->rewards, ROSTER_REWARDS_CHANGED, &(roster_event){.expert = at, .reward = y});
    return at != CELLS_END;
}

bool changes_learn(changes *self, uint32_t context, uint32_t action, double y)
{
    bool fine = learn_context(self, context) && learn_cell(self, context, action, y);
    self->events++;
    return fine;
}

bool changes_contexts(const changes *self, change_found *out)
{
    *out = self->contexts.found;
    return !self->contexts.many;
}

bool changes_rewards(const changes *self, change_found *out)
{
    *out = self->rewards.found;
    if (out->count > 0) {
        const cell *where = &self->cells.list[out->cell];
        out->context = where->context;
        out->action = where->action;
    }
    return !self->rewards.many;
}
