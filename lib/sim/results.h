/*
 * results.h: filling results, for the contest.
 */
#ifndef ROSTER_RESULTS_H
#define ROSTER_RESULTS_H

#include "base.h"

/* Points of a curve: more than anybody can look at, few enough to be had. */
enum { ROSTER_POINTS_MOST = 10000000 };

/* Experts, agents and episodes are there, and all studies are of the same. */
int roster_contest_check(const roster_contest *contest, roster_error *err);
roster_sum roster_sum_of(double x);
/* One more number. */
void roster_moments_put(roster_moments *m, double x);
/* Back to no runs. */
void roster_results_clear(roster_results *results);

#endif
