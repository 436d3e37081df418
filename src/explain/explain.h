/*
 * explain.h: what `roster explain` finds out about an instance, before it is shown as text or as JSON.
 *
 * Letters as in the paper: N experts, M_ij divergence, D_k gap, tau_k the round from which expert k is told apart.
 */
#ifndef ROSTER_EXPLAIN_H
#define ROSTER_EXPLAIN_H

#include "experiment.h"

#include <stdio.h>

enum {
    EXPLAIN_MOST = 4096, /* experts: every one is compared with every other              */
    EXPLAIN_SHOWN = 20,  /* of a matrix, a table or a list; more are summarised          */
    EXPLAIN_QUANTILES = 6,
    EXPLAIN_RUNS_MOST = 300,   /* simulated unless something else is asked for            */
    EXPLAIN_RUNS_LEAST = 60,   /* of experiments that are long                            */
    EXPLAIN_RUNS_LIMIT = 10000 /* that can be asked for                                   */
};

/* "In 95% of runs", said with a confidence of 95%. */
#define EXPLAIN_SHARE 0.95
#define EXPLAIN_CONFIDENCE 0.95

/* Two experts are practically the same where both their divergences stay below this in every episode. D = M - 1 is then
   below 0.00101, and 0.367 (z - 1)^2 <= f1(z) - 2 (z - 1) makes the total variation, hence the difference of their
   values, at most sqrt(0.00101 / 0.367) / 2 < 0.03. */
#define EXPLAIN_SAME 1.001

extern const double explain_quantile[EXPLAIN_QUANTILES]; /* 0, .25, .5, .75, .95, 1 */

/* Of a number per run: the middle one, and what is not exceeded in EXPLAIN_SHARE of all runs (explain_simulate.c). */
typedef struct explain_spread {
    double median, high;
} explain_spread;

/* What happened when an agent of the file was played. */
typedef struct explain_agent {
    const char *label;       /* borrowed                                                                        */
    explain_spread *settled; /* owned, [episodes]: the round from which on the best experts have 95% of the traffic */
    explain_spread *lost;    /* owned, [episodes]: reward                                                       */
    explain_spread total;    /* reward lost over all episodes                                                   */
} explain_agent;

/* The theorem's times and bound. INFINITY: there is no such round. */
typedef struct explain_times {
    double C, tau_1, regret;
    double known; /* round from which all experts with a gap are told apart   */
    double *tau;  /* owned, [N]: tau_k; NAN where there is no gap; NULL: the theorem has none */
} explain_times;

/* What the paper says of one agent in one episode. */
typedef struct explain_bound {
    const char *label, *theorem; /* borrowed */
    bool in_file, empirical;
    bool applies;               /* the agent's C is large enough for the theorem      */
    roster_constants constants; /* with the agent's C                                */
    explain_times times;        /* with the theorem's C, or the agent's if it applies */
} explain_bound;

typedef struct explain_episode {
    uint64_t rounds, min_rounds;
    const double *p;                     /* borrowed, [X] */
    double *values, *gaps;               /* owned, [N]    */
    size_t best, ties;                   /* the first best expert; how many others are as good */
    double smallest_gap;                 /* above 0; INFINITY: all are equally good */
    double without_floor;                /* what the best would be worth if no decision of its were uniformly random */
    double greedy;                       /* the largest value of an expert that always takes its likeliest action    */
    size_t greedy_k;                     /* whose that is                          */
    double *m;                           /* owned, [N][N]: M_ij; NULL: more experts than are shown */
    double quantiles[EXPLAIN_QUANTILES]; /* of M_ij, i != j */
    size_t largest_i, largest_j;
    double largest; /* M_ij */
    size_t n_bounds;
    explain_bound *bounds; /* owned */
    double ucb;            /* bound on the regret of `ucb`                          */
    double most;           /* rounds times the largest gap: no agent can lose more */
} explain_episode;

/* Samples for an error of xi: n of an expert in a context, A of an expert. */
typedef struct explain_samples {
    double xi, per_context, per_expert;
} explain_samples;

/* Of an agent that works on estimates. */
typedef struct explain_learning {
    const experiment_agent *agent; /* borrowed */
    double p_V, p_X, gamma;
    explain_samples file, theory, tight;
} explain_learning;

typedef struct explanation {
    const experiment *file; /* borrowed */
    const experiment_case *chosen;
    size_t n, x, v;
    bool shared; /* divergences leave out what the sampled expert never does */
    double floor;
    size_t floor_k, floor_x, floor_v; /* where the smallest probability is */
    size_t n_same;
    size_t (*same)[2];         /* owned: pairs, at most EXPLAIN_SHOWN of the n_same */
    explain_episode *episodes; /* owned, one per episode of the case */
    size_t n_learning;
    explain_learning *learning; /* owned */
    uint64_t runs;              /* simulated                                                  */
    double confidence;          /* that EXPLAIN_SHARE of all runs do not exceed what is called high */
    explain_agent *agents;      /* owned, as in the file                                      */
} explanation;

/* How to simulate; all zero will do. */
typedef struct explain_wishes {
    uint64_t runs;  /* 0: explain_runs()   */
    size_t threads; /* 0: one              */
    void (*progress)(void *context,
                     uint64_t rounds); /* NULL, or called by one thread at a time: rounds played so far */
    void *context;
} explain_wishes;

/* Runs that take some seconds: 300, fewer where an experiment is long; and the rounds of one of them, by all agents. */
uint64_t explain_runs(const experiment *file, const experiment_case *chosen);
uint64_t explain_rounds_per_run(const experiment *file, const experiment_case *chosen);
/* Which run, from the smallest on and counted from 1, is not exceeded in EXPLAIN_SHARE of all runs with the confidence
   EXPLAIN_CONFIDENCE; with too few runs it is the last, with the confidence that this gives. */
uint64_t explain_rank(uint64_t runs, double *confidence);

/* explain_find.c: finds all of it out; *self is to be freed whatever comes of it. */
int explain_find(explanation *self, const experiment *file, const experiment_case *chosen, const explain_wishes *wishes,
                 roster_error *err);
void explain_free(explanation *self);

/* Into an open stream. `terminal` shades the divergences. */
void explain_text(const explanation *self, FILE *out, bool terminal);
void explain_json(const explanation *self, FILE *out);

#endif
