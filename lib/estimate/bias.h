/*
 * bias.h: the most that estimated experts can mislead an estimate, as a step function of the clip level.
 */
#ifndef ROSTER_BIAS_H
#define ROSTER_BIAS_H

#include "expert.h"
#include "ratio.h"

/* For expert i the steps are theta/high[start[i] .. start[i+1]): thresholds rising, heights falling. */
typedef struct roster_bias {
    size_t n;
    size_t *start; /* owned, [n + 1]                                                     */
    double *theta; /* owned: the step holds while level < theta                          */
    double *high;  /* owned: the largest r_hi of what is clipped then                    */
    double *least; /* owned, [n]: the largest r_hi - r_lo, clipped or not                */
    double clip;   /* the largest theta of all: at levels from here on nothing is clipped */
    double m;      /* the largest M_lo of all                                            */
} roster_bias;

int roster_bias_init(roster_bias *self, const roster_experts *estimates, const roster_error_bounds *known);
void roster_bias_fini(roster_bias *self);
/* e_i at a level. */
double roster_bias_at(const roster_bias *self, size_t i, double level);
/* Where e_i changes next as the level falls and as it rises; minus and plus infinity where it does not. */
double roster_bias_step_below(const roster_bias *self, size_t i, double level);
double roster_bias_step_above(const roster_bias *self, size_t i, double level);

#endif
