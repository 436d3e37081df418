/*
 * changes.h: has the world changed while the log was written?
 */
#ifndef ROSTER_CHANGES_H
#define ROSTER_CHANGES_H

#include <roster.h>

/* Changes of one kind. */
typedef struct change_found {
    uint64_t count;           /* how often it changed; 0: no change was seen                         */
    uint64_t since, noticed;  /* of the first change: after which event, and with which it was clear */
    uint32_t context, action; /* numbers of labels; of contexts the one whose share changed most     */
    uint32_t cell;            /* of rewards: the same as the number of a cell                        */
    double before, after;     /* the mean of y there, or the context's share                         */
} change_found;

typedef struct changes changes;

enum { CHANGES_CONTEXTS = 256, CHANGES_CELLS = 4096 };
#define CHANGES_DELTA 0.001

/* NULL: out of memory. */
changes *changes_create(void);
void changes_free(changes *self);
/* The next event; y: its reward, in [0, 1]. False: out of memory. */
bool changes_learn(changes *self, uint32_t context, uint32_t action, double y);
/* False: there are too many of them to be looked at. */
bool changes_contexts(const changes *self, change_found *out);
bool changes_rewards(const changes *self, change_found *out);

#endif
