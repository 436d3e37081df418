/*
 * store_turn.h: turns on a log that several processes append to: a log in PostgreSQL.
 *
 *   store_turn_begin        nobody else appends from here on; what others appended can be read, by store_read
 *   store_turn_append       the row is in the log, and the turn is over
 *   store_turn_cancel       or it is over without
 *
 * A turn must go on within so many seconds: the database ends the connection of one that rests longer, so that a
 * process that stopped in the middle of its turn does not stop the others.
 *
 * Whoever gets a failure from store_turn_append does not know whether the row is in the log. A later turn tells
 * (store_turn_has): by then the transaction has ended one way or the other, since it held the lock.
 */
#ifndef ROSTER_STORE_TURN_H
#define ROSTER_STORE_TURN_H

#include "store.h"

typedef struct store_turn {
    store_end head; /* the last record in the log, until the turn is over */
    int64_t now;    /* microseconds since 1970, by the database's clock   */
} store_turn;

/* The rows after store_last are there without another round trip, if they are few. On failure there is no turn. */
int store_turn_begin(store *self, unsigned seconds, store_turn *out, roster_error *err);
/* Appends as store_append does, and ends the turn, whatever comes of it. */
int store_turn_append(store *self, const store_row *row, roster_error *err);
/* Whether this store appended the row, once before. In a turn. */
int store_turn_has(store *self, const store_row *row, bool *has, roster_error *err);
void store_turn_cancel(store *self);

#endif
