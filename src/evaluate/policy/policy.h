/*
 * policy.h: policies that a log is asked about.
 */
#ifndef ROSTER_POLICY_H
#define ROSTER_POLICY_H

#include "log.h"
#include "roster_tables.h"

typedef enum policy_kind {
    POLICY_LOGGED,  /* what was served                                       */
    POLICY_UNIFORM, /* every action alike                                    */
    POLICY_TABLE,   /* an expert of a roster file                            */
    POLICY_COLUMN,  /* pi_NAME: the probability of the action taken is in the log_reader */
    POLICY_ACTION   /* one action for sure: always:ACTION, a_NAME, greedy    */
} policy_kind;

typedef struct policy {
    const char *name; /* owned by the policies */
    policy_kind kind;
    uint32_t action; /* of always:ACTION, its label's number; else LOG_NONE */
    size_t place;    /* the column among the log's, or the expert in the roster */
    bool greedy;
} policy;

/* What a policy would have done in an event. */
typedef struct policy_view {
    double pi;       /* its probability of the action that was taken */
    double most;     /* the largest probability it gives to any action here */
    double reach;    /* the largest weight that was possible; NAN: not known */
    uint32_t action; /* the one action it takes; LOG_NONE: it draws */
} policy_view;

typedef struct policies policies;

/* For a log, which is borrowed. roster: NULL or the path of a roster file. actions: NULL, a number N (labels 0 to N-1),
   or the path of a file with a label per line. */
int policies_create(policies **out, log_reader *log, const char *roster, const char *actions, roster_error *err);
void policies_free(policies *self);
/* The same from memory, before policies are added: experts, whose names are borrowed; then the actions there are. */
int policies_take_tables(policies *self, const roster_tables *tables, roster_error *err);
int policies_take_actions(policies *self, const char *const *labels, size_t n, roster_error *err);
/* "uniform", "always:ACTION", "logged", "greedy", an expert of the roster, a policy of the log's columns. */
int policies_add(policies *self, const char *name, roster_error *err);
/* All experts of the roster. */
int policies_add_experts(policies *self, roster_error *err);
/* All experts of the roster and all columns of policies; where there are none, uniform. */
int policies_add_default(policies *self, roster_error *err);
/* Of the roster file; NULL: there is none. */
const roster_experts *policies_experts(const policies *self);
size_t policies_count(const policies *self);
const policy *policies_get(const policies *self, size_t i);
/* Whether one of them needs to know how many actions there are, and it was not said. */
bool policies_need_actions(const policies *self);
/* The number of actions: those that were said, of the roster, or so far seen. */
size_t policies_actions(const policies *self);
/* The number of contexts of the roster; 0: there is none. */
size_t policies_contexts(const policies *self);
/* From now on the actions are those seen so far. */
void policies_fix_actions(policies *self);

/* What each would have done; views: one per policy. The event's propensity where the log has none and its expert is in
   the roster is put in. False: the context, expert or action is not known; reason (of `size` bytes) says so. */
bool policies_view(policies *self, log_event *event, policy_view *views, char *reason, size_t size);
/* What was seen, for those that learn. False: out of memory. */
bool policies_learn(policies *self, const log_event *event);
/* The probability that a policy of kind UNIFORM or TABLE gives to an action in a context. */
double policies_probability(const policies *self, size_t i, uint32_t context, uint32_t action);

#endif
