/*
 * cells.h: (context, action) pairs that a log has shown, with the rewards in each.
 */
#ifndef ROSTER_CELLS_H
#define ROSTER_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CELLS_END = 0xffffffffu };

typedef struct cell {
    uint32_t context, action, next; /* of the same context; CELLS_END: no more */
    double n, r, r2;                /* events, their rewards, squares of these */
} cell;

/* Starts as {0}. */
typedef struct cells {
    cell *list; /* owned, [n] */
    size_t n, room;
    uint32_t *slots; /* owned, [n_slots], a power of two: number + 1 of the cell that stands there, 0: free */
    size_t n_slots;
    struct cells_context {
        uint32_t first; /* cell */
        double n, r;
    } * contexts; /* owned, [n_contexts] */
    size_t n_contexts, context_room;
} cells;

void cells_free(cells *self);
/* CELLS_END: it was not seen. */
uint32_t cells_find(const cells *self, uint32_t context, uint32_t action);
/* The cell's number, a new one if it was not seen; CELLS_END: out of memory. */
uint32_t cells_add(cells *self, uint32_t context, uint32_t action);
/* Events with a mean reward and mean square, in a cell. */
void cells_count(cells *self, uint32_t at, double n, double reward, double squares);

#endif
