/*
 * evaluation.h: from a stream of events to what each policy would have earned.
 */
#ifndef ROSTER_EVALUATION_H
#define ROSTER_EVALUATION_H

#include "log.h"
#include "policy.h"

typedef enum evaluate_estimator {
    EVALUATE_IPS,
    EVALUATE_SNIPS,
    EVALUATE_CLIPPED,
    EVALUATE_DM,
    EVALUATE_DR,
    EVALUATE_SWITCH,
    EVALUATE_DROS,
    EVALUATE_ESTIMATORS,
    EVALUATE_DEFAULT = EVALUATE_ESTIMATORS /* dr where it can be had, else snips */
} evaluate_estimator;
extern const char *const evaluate_estimator_names[EVALUATE_ESTIMATORS + 1]; /* ends with NULL */

typedef enum evaluate_interval {
    EVALUATE_ANYTIME,
    EVALUATE_GAUSSIAN,
    EVALUATE_CLOPPER_PEARSON,
    EVALUATE_CRESSIE_READ,
    EVALUATE_INTERVALS
} evaluate_interval;
extern const char *const evaluate_interval_names[EVALUATE_INTERVALS + 1]; /* ends with NULL */

typedef struct evaluate_settings {
    evaluate_estimator estimator;
    evaluate_interval interval;
    double delta;            /* of each interval                                                  */
    double low, high;        /* that a reward can be                                              */
    double level;            /* of clipped, switch-dr, dros                                       */
    double clip;             /* weights above it are clipped towards caution in anytime intervals; 0: not */
    double least_propensity; /* that is possible; 0: the smallest so far is taken for it          */
    bool whole_means;        /* cell means of dr from the whole log, not without the event itself  */
    bool fitted;             /* there are no propensities: they are fitted                         */
    bool frequencies;        /* as frequencies by context and action; else a model says them       */
} evaluate_settings;

/* Settings that are numbers, as a caller gives them. */
typedef enum evaluate_number {
    EVALUATE_CONFIDENCE,
    EVALUATE_LEVEL,
    EVALUATE_CLIP,
    EVALUATE_LEAST_PROPENSITY,
    EVALUATE_NUMBERS
} evaluate_number;
typedef struct evaluate_limits {
    const char *option;
    double low, high, preset; /* preset 0: none */
} evaluate_limits;
extern const evaluate_limits evaluate_limits_of[EVALUATE_NUMBERS];
void evaluate_set_numbers(evaluate_settings *self, const double numbers[EVALUATE_NUMBERS]);

enum { EVALUATE_BINS = 32, EVALUATE_POINTS = 256 };

/* A value at a time, for curves. */
typedef struct evaluate_point {
    double events, value, low, high;
} evaluate_point;

typedef struct evaluate_result {
    double value;                          /* by the estimator that was asked for */
    roster_interval interval, difference;  /* to what was served; value: by the same estimator */
    evaluate_estimator estimator;          /* that value is of                                 */
    double estimates[EVALUATE_ESTIMATORS]; /* NAN: cannot be told */
    double effective, largest, mean_weight, mean_low, mean_high, clipped_share;
    double unlogged;            /* share of its actions that the log never shows in their context */
    double lacking;             /* share that its mean weight lacks, since it was not possible there or not logged */
    double impossible;          /* share that intervals let earn anything: that, and more if it explains too little */
    double widening;            /* by how much of the range each end moves for that                */
    double reach;               /* the largest weight that was taken to be possible               */
    double bins[EVALUATE_BINS]; /* events by weight: 0, then below 2^-14, 2^-13, ..., the rest    */
} evaluate_result;

typedef struct evaluation evaluation;

/* Of all policies; borrowed. NULL: out of memory. */
evaluation *evaluation_create(const policies *list, const evaluate_settings *settings);
void evaluation_free(evaluation *self);
/* false: out of memory, or more cells than can be kept (`full` tells which). */
bool evaluation_add(evaluation *self, const log_event *event, const policy_view *views);
bool evaluation_is_full(const evaluation *self);
/* After the last event: the last point of the curves. */
void evaluation_end(evaluation *self);
/* Whether the smallest propensity seen was taken for the smallest possible. */
bool evaluation_took_least(const evaluation *self);
/* Whether the rate at which events were dropped varies: then no interval is valid at any time. */
bool evaluation_drop_varies(const evaluation *self);
/* After the last event: intervals for one look in the place of those valid at any time. */
void evaluation_forget_order(evaluation *self);

double evaluation_events(const evaluation *self);
/* Those of them that were not dropped. */
double evaluation_kept(const evaluation *self);
/* What was served: its mean reward with its interval. */
roster_interval evaluation_served(const evaluation *self);
void evaluation_reward_range(const evaluation *self, double *least, double *most);
/* Of the i-th policy. */
void evaluation_result(const evaluation *self, size_t i, evaluate_result *out);
size_t evaluation_points(const evaluation *self, size_t i, const evaluate_point **points);
size_t evaluation_contexts(const evaluation *self);

#endif
