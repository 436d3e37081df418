/*
 * waiting.h: choosing while the rewards of earlier decisions are still to come.
 */
#ifndef ROSTER_WAITING_H
#define ROSTER_WAITING_H

#include "agent.h"

/* Decisions that wait, of all experts. */
double roster_waiting_sum(const uint64_t *waiting, size_t n);
/* One of n, equally likely, by a uniform number; any number is allowed. n > 0. */
size_t roster_waiting_draw(double u, size_t n);
/* One of the experts for which `among` holds that have the fewest decisions waiting, drawn by u; n: for none. */
size_t roster_waiting_fewest(const void *self, bool (*among)(const void *self, size_t i), size_t n,
                             const uint64_t *waiting, double u);
/* What agents that share rewards choose by their indices: the leader, but while nothing is known of that, and decisions
   wait, one of which nothing is known. */
size_t roster_waiting_leader(const double *index, size_t n, size_t leader, const uint64_t *waiting, double u);
/* Where scores are drawn: expert i's, another one for every salt. */
typedef double (*roster_drawn_score)(const void *self, size_t i, uint64_t salt);
/* The expert with the largest score of those drawn for the number u; any number is allowed. */
size_t roster_waiting_largest(const void *self, roster_drawn_score score, size_t n, double u);

#endif
