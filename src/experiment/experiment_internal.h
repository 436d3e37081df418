/*
 * experiment_internal.h: what the files of experiment/ share: the steps from a document to a case.
 */
#ifndef ROSTER_EXPERIMENT_INTERNAL_H
#define ROSTER_EXPERIMENT_INTERNAL_H

#include "experiment.h"
#include "experiment_build.h"

/* ---- experiment_inline.c ---- */

/* Puts the files that "experts", "rewards" and "warm_start" name in their place, with the contexts and actions that the
   first two are about. */
int experiment_inline(const common_node *root, roster_error *err);

/* ---- build: from the document to one case ---- */

/* experiment_experts.c: whether the experts come from "gaps". */
bool experiment_has_gaps(const common_node *root);
/* experiment_experts.c: "count" of an object, at least `low` experts. */
int experiment_count_experts(experiment_build *self, const common_node *at, uint64_t low, size_t *n);
/* experiment_softmax.c: experts over features; what actions earn by a model over the same features, into [X V]. */
int experiment_softmax_experts(experiment_build *self, const common_node *at, roster_experts **out);
int experiment_softmax_means(experiment_build *self, const common_node *at, const roster_experts *experts,
                             roster_rng *rng, double *means);
/* experiment_experts.c: "floor" of an object, one that leaves room for n outcomes; 0 where it is left out. */
int experiment_floor(experiment_build *self, const common_node *object, size_t n, double *floor);
/* experiment_episodes.c: the lists of "rewards", one per context and action; free them also on failure. */
typedef struct experiment_rewards {
    double *values;     /* owned: all of them */
    roster_list *lists; /* owned: [X V]       */
} experiment_rewards;
int experiment_rewards_read(experiment_build *self, const common_node *at, experiment_rewards *out);
void experiment_rewards_free(experiment_rewards *self);
/* experiment_episodes.c */
int experiment_episodes(experiment_build *self, const common_node *root, experiment_case *out);
/* experiment_agents.c: all agents of the file, checked on the case's worlds. */
int experiment_agents(experiment_build *self, const common_node *root, const char *const *labels, experiment_case *out);
/* ---- experiment_sweep.c ---- */

typedef struct experiment_sweep {
    const char *label; /* NULL: no sweep                          */
    size_t n;          /* cases; 1 without a sweep                */
    json_t *values;    /* borrowed                                */
    json_t *parent;    /* borrowed: the object or list that holds what is replaced */
    const char *key;   /* in an object; NULL: the index counts    */
    size_t index;
} experiment_sweep;

int experiment_sweep_read(experiment_sweep *self, const common_node *root, common_arena *store, roster_error *err);
/* Puts the i-th value into the document; title and value of the case. */
int experiment_sweep_apply(const experiment_sweep *self, size_t i, common_arena *store, experiment_case *out,
                           roster_error *err);

/* ---- experiment_labels.c ---- */

/* One label per agent of the file. */
int experiment_labels(const common_node *root, const experiment_sweep *sweep, common_arena *store,
                      const char *const **labels, size_t *n, roster_error *err);
/* Which agents a list of labels or names separated by commas picks; NULL picks all. */
int experiment_pick(const common_node *root, const char *list, const char *const *labels, bool *picked,
                    roster_error *err);

#endif
