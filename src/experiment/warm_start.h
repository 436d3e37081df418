/*
 * warm_start.h: what a log says before the first round: "warm_start" of experiments and campaigns.
 */
#ifndef ROSTER_WARM_START_H
#define ROSTER_WARM_START_H

#include "arena.h"
#include "json_node.h"
#include "name_table.h"

#define WARM_START_ROWS_MOST 1000000

typedef struct warm_start {
    const roster_tally_row *rows; /* in the arena; NULL: there is none */
    size_t n;
    double discount;
} warm_start;

/* What rows name. */
typedef struct warm_start_names {
    const name_table *contexts; /* NULL: contexts are not finite, and rows have none */
    const name_table *actions, *experts;
} warm_start_names;

/* {"rows": [{"context": .., "action": .., "expert": .., "propensity": .., "count": .., "reward_sum": ..,
   "reward_squares": ..}, ..], "discount": ..}. Names, or numbers from 0. */
int warm_start_read(const common_node *at, const warm_start_names *names, common_arena *store, warm_start *out,
                    roster_error *err);

/* warm_start_file.c: a tally as `roster tally` writes it, or a log whose columns have the names of a tally's, and
   "reward": as the list of rows above, which the caller owns. */
int warm_start_load(json_t **rows, const char *path, roster_error *err);

#endif
