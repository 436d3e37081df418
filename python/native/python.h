/*
 * python.h: the interface between the library and the Python package, which calls it through ctypes.
 *
 * It adds to roster.h what a language with threads and arrays needs: agents with a lock, rounds by the array, a study
 * as one object. A function that can fail returns a code (or NULL) and leaves the sentence with roster_python_error,
 * one per thread. Numbers that should be whole come as double, so that what is no number, no whole one or out of range
 * is seen here and not cut off on the way.
 */
#ifndef ROSTER_PYTHON_H
#define ROSTER_PYTHON_H

#include "evaluation.h"

#include <stdio.h>

enum { ROSTER_PYTHON_BUSY = -1 }; /* another thread uses the agent: wait without holding the interpreter */

/* ---- errors (error.c) ---- */
/* The calling thread's last failure; for the functions below to fill. */
ROSTER_API roster_error *roster_python_error(void);
int roster_python_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends a stream into memory (python_text.c); NULL, and the text is freed, where anything went wrong. */
char *roster_python_concluded(int code, FILE *out, char **text);
/* What a *_text function returned. */
ROSTER_API void roster_python_free(char *text);

/* ---- agents (agent.c): one call at a time on each, whatever the number of threads ---- */
typedef struct roster_python_agent roster_python_agent;

/* What looks at the events beside it. */
typedef struct roster_python_watching {
    double level; /* of evidence; NAN: none                                                          */
    bool own;     /* from each expert's own rounds alone                                             */
    bool alarm;   /* look for changes, and let the agent forget what no longer holds                 */
} roster_python_watching;

ROSTER_API roster_python_agent *roster_python_agent_create(const char *name, const roster_experts *experts,
                                                           const double *p, const double *values,
                                                           const roster_setting *settings, uint64_t seed, uint64_t run,
                                                           const roster_python_watching *watching);
ROSTER_API void roster_python_agent_free(roster_python_agent *self);
/* The functions that end with _now never wait: ROSTER_PYTHON_BUSY in place of it. */
ROSTER_API int64_t roster_python_choose_now(roster_python_agent *self);
ROSTER_API int64_t roster_python_choose(roster_python_agent *self);
/* event: the bytes of five doubles, expert, context, action, reward, propensity, of which the first three must be
   whole. One pointer costs ctypes a sixth of what five numbers do. */
ROSTER_API int roster_python_learn_now(roster_python_agent *self, const char *event);
ROSTER_API int roster_python_learn(roster_python_agent *self, const char *event);

/* Rounds by the array. */
typedef struct roster_python_rounds {
    size_t n;
    const int64_t *expert, *context, *action; /* context: NULL unless contexts are finite                      */
    const double *reward, *propensity;        /* propensity: NULL for unknown                                  */
    const double *rows;                       /* features or probabilities, [n][width]; NULL for finite contexts */
    size_t width;
} roster_python_rounds;

/* Learns them in order. *done: how many were; the one behind them is what the sentence is about. */
ROSTER_API int roster_python_learn_batch(roster_python_agent *self, const roster_python_rounds *rounds, uint64_t *done);
/* Into the agent alone: evidence and alarms rest on events. */
ROSTER_API int roster_python_learn_tally(roster_python_agent *self, const roster_tally_row *rows, size_t n,
                                         double discount);
ROSTER_API void roster_python_index(roster_python_agent *self, double *u);
ROSTER_API void roster_python_insight(roster_python_agent *self, roster_insight *insight); /* of all N experts */
ROSTER_API uint64_t roster_python_rounds_learnt(roster_python_agent *self);
ROSTER_API double roster_python_setting(roster_python_agent *self, const char *name);
ROSTER_API int roster_python_constants(roster_python_agent *self, roster_constants *constants);
ROSTER_API int roster_python_reserve(roster_python_agent *self, size_t rounds);
ROSTER_API int roster_python_reset(roster_python_agent *self, uint64_t run);
/* The agent's snapshot and what belongs to its evidence and alarms behind it (python_snapshot.c). */
ROSTER_API size_t roster_python_save(roster_python_agent *self, unsigned char *buf, size_t size);
ROSTER_API int roster_python_load(roster_python_agent *self, const unsigned char *buf, size_t size);
ROSTER_API int roster_python_merge(roster_python_agent *into, roster_python_agent *from);

/* What evidence says of all experts together. */
typedef struct roster_python_judgement {
    uint64_t rounds, leader;
    bool known, own;
    double level;
    roster_interval until;
} roster_python_judgement;
/* Of all N experts. */
ROSTER_API int roster_python_evidence(roster_python_agent *self, roster_finding *findings,
                                      roster_python_judgement *out);
/* About an expert that earns more or less than its actions explain; "" of others. */
ROSTER_API int roster_python_sentence(roster_python_agent *self, size_t k, char *text, size_t size);
/* The alarms so far, the first `most` of them into the array; how many there are, -1: failed. */
ROSTER_API int64_t roster_python_alarms(roster_python_agent *self, roster_alarm *alarms, size_t most);

/* ---- arrays (arrays.c) ---- */
/* pi[N][X][V] at the reference contexts. */
ROSTER_API void roster_python_table(const roster_experts *experts, double *pi);
/* Softmax experts at n feature vectors: pi[n][N][V]. */
ROSTER_API void roster_python_distributions(const roster_experts *experts, size_t n, const double *rows, double *pi);
/* m[i][k] of all columns k. */
ROSTER_API void roster_python_divergence(const roster_experts *experts, const double *p, bool shared, double *m);
ROSTER_API void roster_python_divergence_lower(const roster_experts *estimates, const roster_error_bounds *known,
                                               double *m);
/* Adds n observations; all or nothing. count NULL: one each. */
ROSTER_API int roster_python_estimates_add(roster_estimates *self, const int64_t shape[3], size_t n, const int64_t *k,
                                           const int64_t *x, const int64_t *v, const int64_t *count);
ROSTER_API void roster_python_estimates_counts(const roster_estimates *self, const int64_t shape[3], uint64_t *count);
ROSTER_API void roster_python_moments(const roster_moments *m, size_t n, uint64_t runs, double *mean, double *sd);

/* ---- studies (study.c): an experiment and what came of it ---- */
typedef struct roster_python_study roster_python_study;

/* In place of what the file says; 0, NULL: as there. */
typedef struct roster_python_changes {
    uint64_t runs, rounds;
    const uint64_t *seed;
    const char *agents;
} roster_python_changes;

/* text NULL: from the file at path; else path stands for it in sentences. */
ROSTER_API roster_python_study *roster_python_study_create(const char *path, const char *text,
                                                           const roster_python_changes *changes);
ROSTER_API void roster_python_study_free(roster_python_study *self);
/* Runs all cases. Once; from one thread. */
ROSTER_API int roster_python_study_run(roster_python_study *self, size_t threads);
/* Meanwhile, from any thread: rounds played so far; let it end early. */
ROSTER_API uint64_t roster_python_study_rounds(roster_python_study *self);
ROSTER_API void roster_python_study_stop(roster_python_study *self);
/* Borrowed. NULL: not run yet. */
ROSTER_API const roster_results *roster_python_study_results(const roster_python_study *self, size_t i);
ROSTER_API const roster_experts *roster_python_study_experts(const roster_python_study *self, size_t i);

/* One round of a trace. */
typedef struct roster_python_step {
    uint64_t episode, t, expert, context, action;
    double reward, propensity, regret;
} roster_python_step;

/* Run number `run` of one agent: at most `most` rounds into steps; *n how many there were. */
ROSTER_API int roster_python_study_trace(const roster_python_study *self, size_t i, size_t agent, uint64_t run,
                                         size_t most, roster_python_step *steps, size_t *n);

ROSTER_API double roster_python_t95(uint64_t runs); /* report_t95 */
/* Texts to be given back to roster_python_free; NULL: failed. */
ROSTER_API char *roster_python_study_describe(const roster_python_study *self); /* JSON (python_describe.c) */
ROSTER_API char *roster_python_study_explain(const roster_python_study *self, size_t i, uint64_t runs, size_t threads);
typedef enum roster_python_form {
    ROSTER_PYTHON_JSON,
    ROSTER_PYTHON_CSV,
    ROSTER_PYTHON_HTML,
    ROSTER_PYTHON_TABLE
} roster_python_form;
ROSTER_API char *roster_python_study_text(const roster_python_study *self, int form, const char *command);

/* ---- logs (evaluate.c): what would each policy have earned? ---- */

/* What `roster evaluate` is asked. NULL, 0 or NAN: not said. Everything is borrowed. */
typedef struct roster_python_question {
    const char *const *paths; /* of the log, */
    size_t n_paths;
    const log_table *table;                    /* or the log itself                                      */
    const char *const *roles, *const *columns; /* "action" and the like, and the column of each */
    size_t n_roles;
    const char *const *contexts, *const *features;
    size_t n_contexts, n_features;
    const char *format;
    const char *roster;            /* a roster file, or */
    const roster_experts *experts; /* tables, with the names of */
    const char *const *context_names, *const *action_names;
    const char *actions;       /* a number or a file, or  */
    const char *const *labels; /* a list                  */
    size_t n_labels;
    const char *const *policies; /* beside all experts; none: all experts and columns */
    size_t n_policies;
    const char *estimator, *interval;
    double numbers[EVALUATE_NUMBERS];
    double low, high; /* that a reward can be */
    bool whole_means, skip_bad;
} roster_python_question;

/* What a column is looked at for; of several the largest. */
typedef enum roster_python_use {
    ROSTER_PYTHON_UNUSED,
    ROSTER_PYTHON_NUMBER,
    ROSTER_PYTHON_LABEL,
    ROSTER_PYTHON_CONTEXT,
    ROSTER_PYTHON_EXPERT,
    ROSTER_PYTHON_POLICY, /* the action that a policy would take */
    ROSTER_PYTHON_ACTION
} roster_python_use;

/* Of a table's columns, whose names alone must be there: into uses[n_columns]. */
ROSTER_API int roster_python_log_columns(const roster_python_question *asked, uint8_t *uses);
/* The answer as JSON, CSV, HTML and a table, in the order of roster_python_form. */
ROSTER_API int roster_python_evaluate(const roster_python_question *asked, char *texts[4]);
/* The log as rows that agents learn, as JSON: to be given back to roster_python_free; NULL: failed. */
ROSTER_API char *roster_python_tally(const roster_python_question *asked);

/* ---- worlds to play in (environment.c) ---- */
typedef struct roster_python_environment roster_python_environment;

/* Case i of the study, which must outlive it. */
ROSTER_API roster_python_environment *roster_python_environment_create(const roster_python_study *study, size_t i);
ROSTER_API void roster_python_environment_free(roster_python_environment *self);
/* Start episode e of a run; returns its number of rounds. Episode 0 sets the regret to 0. */
ROSTER_API uint64_t roster_python_environment_start(roster_python_environment *self, uint64_t seed, uint64_t run,
                                                    size_t e);
/* The next round, played by expert k. */
ROSTER_API int roster_python_environment_step(roster_python_environment *self, double k, roster_python_step *step);

#endif
