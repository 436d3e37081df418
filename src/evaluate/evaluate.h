/*
 * evaluate.h: what would each policy have earned on this log?
 */
#ifndef ROSTER_EVALUATE_H
#define ROSTER_EVALUATE_H

#include "changes.h"
#include "evaluation.h"

#include <stdio.h>

/* What is asked. Everything is borrowed. */
typedef struct evaluate_wishes {
    const char *const *paths;
    size_t n_paths;
    log_wishes log;
    const char *experts;         /* roster file, or NULL             */
    const roster_tables *tables; /* experts in memory, or NULL       */
    const char *actions;         /* a number or a file, or NULL      */
    const char *const *labels;   /* the actions in memory, or NULL   */
    size_t n_labels;
    const char *const *policies; /* names; none: all that there are  */
    size_t n_policies;
    bool experts_too; /* all experts beside the policies  */
    bool skip_bad;    /* damaged lines are left out       */
    evaluate_settings settings;
    log_damage on_damage;                               /* may be NULL                      */
    void (*on_progress)(void *context, uint64_t bytes); /* may be NULL */
    void *context;                                      /* of both                          */
} evaluate_wishes;

enum { EVALUATE_WARNINGS = 6, EVALUATE_NOTES = 12, EVALUATE_SENTENCE = 600, EVALUATE_SEGMENTS = 1000 };

typedef struct evaluate_policy {
    const char *name; /* borrowed */
    policy_kind kind;
    evaluate_result r;
    bool has_finding; /* of an expert: what `roster serve` would say of it */
    roster_finding finding;
    char shown[EVALUATE_SENTENCE]; /* the same in words */
    char verdict[EVALUATE_SENTENCE];
    char warnings[EVALUATE_WARNINGS][EVALUATE_SENTENCE];
    size_t n_warnings;
} evaluate_policy;

/* Of the whole log, or of one segment. */
typedef struct evaluate_part {
    const char *segment; /* NULL: the whole; borrowed */
    double events;
    roster_interval served;
    evaluate_policy *policies; /* owned, [n_policies] */
    evaluation *evaluation;    /* owned */
} evaluate_part;

typedef struct evaluate {
    evaluate_settings settings;
    log_reader *log; /* owned, read to its end */
    policies *list;  /* owned */
    size_t n_policies;
    evaluate_part whole;
    evaluate_part *segments; /* owned, [n_segments] */
    size_t n_segments;
    double duplicates, disordered,
        unsummed; /* ids seen before, times that go back, probabilities that do not sum to 1 */
    bool has_ids, has_times, has_probabilities;
    bool drop_varies;                               /* the rate at which events were dropped */
    bool contexts_watched, rewards_watched;         /* whether changes over time were looked for */
    change_found contexts_changed, rewards_changed; /* and what was found */
    char notes[EVALUATE_NOTES][EVALUATE_SENTENCE];  /* on the log's health */
    size_t n_notes;
} evaluate;

/* Reads the log and judges the policies. The sentence on failure says what to do. */
int evaluate_run(evaluate **out, const evaluate_wishes *wishes, roster_error *err);
void evaluate_free(evaluate *self);

/* ---- verdicts (verdict.c) ---- */

/* When the intervals hold, in words. */
const char *evaluate_validity(const evaluate *self);
/* Whether the smallest propensity that was possible is only taken to be the smallest that was seen. */
bool evaluate_takes_least_seen(const evaluate *self);
/* Whether the mean weight of a policy is farther from 1 than chance takes it. */
bool evaluate_weights_are_off(double events, const evaluate_result *r);
/* What the experts' own evidence says, in words. */
void evaluate_say_finding(const evaluate *self, evaluate_policy *p);
void evaluate_judge(const evaluate *self, const evaluate_part *part, evaluate_policy *p);
/* On the health of the log (verdict_notes.c). */
void evaluate_note(evaluate *self);

/* ---- out ---- */

void evaluate_table(const evaluate *self, FILE *out);
void evaluate_json(const evaluate *self, FILE *out);
void evaluate_csv(const evaluate *self, FILE *out);
/* One page with pictures. */
void evaluate_html(const evaluate *self, FILE *out);

#endif
