/*
 * explain_detect.h: how much traffic it takes to tell experts apart, from their tables alone.
 */
#ifndef ROSTER_EXPLAIN_DETECT_H
#define ROSTER_EXPLAIN_DETECT_H

#include "experiment.h"

#include <stdio.h>

enum {
    DETECT_MOST = 1024, /* experts                                                       */
    DETECT_LISTED = 28  /* pairs: all those of 8 experts; of more experts the hardest ones */
};

/* What is asked: a difference of `detect` in the mean reward, of rewards with this standard deviation. */
typedef struct detect_question {
    double reward, sd, detect; /* reward: NAN where sd was given */
} detect_question;

/* Two experts. Rounds: INFINITY: never; NAN: cannot be said. */
typedef struct detect_pair {
    size_t i, j;
    double at_most;            /* the largest difference of their values for any rewards in [0, 1]               */
    double pooled;             /* S while both share the rounds (explain_detect.c)                               */
    double alone[2], reach[2]; /* S and the largest weight while the first, while the second plays               */
} detect_pair;

typedef struct detect_rounds {
    double split;    /* plain A/B split, one look                                       */
    double one_look; /* the same split, rewards pooled by context and action            */
    double any_time; /* the same, looked at all the time: section 15's interval         */
    double leader;   /* the better of the two plays alone, looked at all the time       */
} detect_rounds;

typedef struct detection {
    const experiment *file; /* borrowed */
    const experiment_case *chosen;
    detect_question question;
    size_t n, n_pairs;
    size_t n_same, n_close,
        n_disjoint;     /* pairs with equal tables; that differ by less than `detect`; sharing nothing */
    detect_pair *pairs; /* owned, [n_pairs]: hardest first, those that cannot differ so much last      */
} detection;

/* The file's experts in its first episode's contexts; *self is to be freed whatever comes of it. */
int detect_find(detection *self, const experiment *file, const experiment_case *chosen, const detect_question *question,
                roster_error *err);
void detect_free(detection *self);
void detect_text(const detection *self, FILE *out);
void detect_json(const detection *self, FILE *out);

detect_rounds detect_judge(const detection *self, const detect_pair *pair);
/* Rounds until an interval of section 15 for a difference of numbers with variance v and weights of at most R excludes
   0, in DETECT_POWER of the campaigns. */
double detect_any_time(double v, double reach, double difference);

/* Values that differ by less are the same but for rounding. */
#define DETECT_SAME 1e-12
#define DETECT_LEVEL 0.95
#define DETECT_POWER 0.8

#endif
