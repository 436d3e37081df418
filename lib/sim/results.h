/*
 * results.h: filling results, for the contest.
 */
#ifndef ROSTER_RESULTS_H
#define ROSTER_RESULTS_H

#include "base.h"

roster_sum roster_sum_of(double x);
/* One more number. */
void roster_moments_put(roster_moments *m, double x);
/* Back to no runs. */
void roster_results_clear(roster_results *results);

#endif
