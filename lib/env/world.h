/*
 * world.h: inside a simulated world, for the loop that runs it.
 */
#ifndef ROSTER_WORLD_H
#define ROSTER_WORLD_H

#include "expert.h"

struct roster_world {
    const roster_experts *experts; /* borrowed */
    double *p;                     /* owned, [x] */
    double *means;                 /* owned, [x][v] */
    size_t *start;                 /* owned, [x * v + 1]: each cell's part of rewards; NULL: Bernoulli */
    double *rewards;               /* owned: all lists, one behind the other */
    double *context_cdf;           /* owned, [x] */
    double *action_cdf;            /* owned, [k][x][v] */
    double *values;                /* owned, [k]: mu_k */
};

#endif
