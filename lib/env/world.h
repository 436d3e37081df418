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
    double *context_cdf;           /* owned, [x] */
    double *action_cdf;            /* owned, [k][x][v] */
    double *values;                /* owned, [k]: mu_k */
};

#endif
