/*
 * experiment_build.h: the parts that experiment files share with descriptions of campaigns and rosters: names, experts,
 * agents, and how large they may be.
 */
#ifndef ROSTER_EXPERIMENT_BUILD_H
#define ROSTER_EXPERIMENT_BUILD_H

#include "arena.h"
#include "json_node.h"

/* What one file may ask for. */
#define EXPERIMENT_NAMES_MOST 1000000           /* experts, contexts, actions                               */
#define EXPERIMENT_EPISODES_MOST 65536          /* streams of runs are 2^48 episodes apart                  */
#define EXPERIMENT_ROUNDS_MOST 1000000000000000 /* of an episode                                            */
#define EXPERIMENT_RUNS_MOST 1000000000000
#define EXPERIMENT_AGENTS_MOST 1000
#define EXPERIMENT_CASES_MOST 1000
#ifndef EXPERIMENT_NUMBERS_MOST
#define EXPERIMENT_NUMBERS_MOST ((size_t)1 << 27) /* in the tables of all cases: 1 GiB. The fuzzer builds with less */
#endif

/* What is being built. */
typedef struct experiment_build {
    common_arena *store;
    roster_error *err;
    size_t contexts, actions;
    const char *const *context_names, *const *action_names; /* NULL where agents are not read */
    uint64_t seed;
    uint64_t rounds; /* of every episode; 0: as in the file   */
    size_t numbers;  /* in tables so far, of all cases        */
    bool gaps;       /* experts of this case are from "gaps"  */
    bool models;     /* experts may be models over features   */
    size_t most;     /* of numbers; 0: EXPERIMENT_NUMBERS_MOST */
    bool exceeded;   /* there were more                       */
} experiment_build;

/* Counts `a` x `b` x `c` more numbers; refused where they would be too many. */
int experiment_claim(experiment_build *self, const common_node *at, size_t a, size_t b, size_t c);
/* experiment_names.c: the names of contexts or actions: given, or counted ("context 1"), or `otherwise` of them where
   left out. */
int experiment_names(const common_node *at, const char *what, size_t otherwise, common_arena *store,
                     const char *const **names, size_t *n, roster_error *err);
/* experiment_names.c: a name that was not seen before; the name of the i-th, "expert 1" for 0. */
int experiment_name_once(json_t *seen, const common_node *at, const char *name, roster_error *err);
int experiment_name_counted(common_arena *store, const char *what, size_t i, const char **name, roster_error *err);
/* experiment_experts.c */
int experiment_experts(experiment_build *self, const common_node *root, roster_experts **out);
/* experiment_agents.c: NULL: there is none of that name. */
const roster_agent_info *experiment_agent_info(const char *name);

#endif
