/*
 * value_internal.h: what the files of this folder share.
 */
#ifndef ROSTER_VALUE_INTERNAL_H
#define ROSTER_VALUE_INTERNAL_H

#include "cells.h"
#include "evaluation.h"

/* Sums over the events of a cell that a policy's estimates are made of: w weight, r reward; v is the weight as clipped,
   switch-dr and dros take it. */
typedef enum sum_of {
    SUM_W,
    SUM_WR,
    SUM_WR2,
    SUM_W2,
    SUM_W2R,
    SUM_W2R2,
    SUM_CLIPPED, /* the same six of v */
    SUM_SWITCH = SUM_CLIPPED + 6,
    SUM_DROS = SUM_SWITCH + 6,
    SUM_PI = SUM_DROS + 6, /* the policy's probability of the action taken */
    SUM_PIR,
    SUM_PIR2,
    SUMS
} sum_of;

/* Of one policy. */
typedef struct tracked {
    roster_sequence value, value_high, difference,
        difference_high;                     /* *_high: where clipping makes the two ends differ */
    double largest, reach, clipped, squares; /* squares: of weights, those of dropped events included */
    double bins[EVALUATE_BINS];
    cells targets;          /* of a policy that takes one action: how often which, and the rewards then */
    cells unbounded;        /* the same, LOG_NONE where it draws, of events whose weight has no bound */
    evaluate_point *points; /* owned, [EVALUATE_POINTS + 1] */
} tracked;

struct evaluation {
    const policies *list; /* borrowed */
    evaluate_settings settings;
    size_t n;         /* policies */
    tracked *tracked; /* owned, [n] */
    cells cells;
    double *sums; /* owned: [cells][n][SUMS] */
    size_t sums_room;
    bool full;
    bool varying;                          /* events differ in how many actions there are to choose from */
    double events, lines, reward, squares; /* events counts dropped ones; lines do not */
    double least_reward, most_reward, least_propensity;
    double drop, most_each;    /* rate of the last event; the most events that one stands for */
    bool drop_varies, assumed; /* assumed: of some event the largest weight possible was not known */
    uint64_t step, since;      /* events between two points, and since the last */
    size_t n_points;
    roster_sequence served;
};

/* What the estimates of one policy are made of, over all cells. */
typedef struct value_terms {
    double t, tt, tr; /* sums of the terms, of their squares, of term times reward */
} value_terms;

/* Per-event terms of an estimator, as sums (value_estimates.c); leave_out: each with cell means without the event
   itself. False: it cannot be told. */
bool value_terms_of(const evaluation *self, size_t i, evaluate_estimator estimator, bool leave_out, value_terms *out);
double value_estimate(const evaluation *self, size_t i, evaluate_estimator estimator);
/* The share of what a policy does that the log never shows in its context. */
double value_unlogged(const evaluation *self, size_t i);
/* The share that the sums say nothing about: of what was never logged that in contexts where it was not possible, or
   which came so often that it would have been seen; or all of it. Where sequences pass over events, these too. */
double value_unknown(const evaluation *self, size_t i, bool all);
/* Sums over all cells. */
void value_totals(const evaluation *self, size_t i, double totals[SUMS]);
/* The place of a weight in the histogram (evaluation.c). */
size_t value_bin(double w);
/* The largest weight of an event, with those that it stands for (value_result.c). */
double value_largest(const evaluation *self, size_t i);
/* 1/p of a cell where propensities are fitted, else 1. */
double value_scale(const evaluation *self, const cell *c);
/* Events that an event of the log stands for: 1, or more where some were dropped; in the mean where the rate varies. */
double value_each(const evaluation *self);

/* ---- intervals (value_intervals.c) ---- */

void value_intervals(const evaluation *self, size_t i, evaluate_estimator estimator, roster_interval *value,
                     roster_interval *difference);

/* ---- special functions (special.c) ---- */

double special_normal_quantile(double p);
/* The x with I_x(a, b) = p. */
double special_beta_quantile(double p, double a, double b);
/* The x that Fisher's F with 1 and n degrees of freedom exceeds with probability p. */
double special_f1_above(double p, double n);

#endif
