/*
 * report_internal.h: what the files of report/ share.
 */
#ifndef ROSTER_REPORT_INTERNAL_H
#define ROSTER_REPORT_INTERNAL_H

#include "report.h"

#include "common_error.h"
#include "common_json.h"

/* ---- report_statistics.c ---- */

/* The p-quantile of Student's t with df degrees of freedom; p in [0.5, 1), df >= 1. */
double report_t_quantile(double p, double df);

/* Of a number per run. NAN where the runs are too few to say: mean without a run, the others with fewer than two. */
typedef struct report_summary {
    double mean, sd;
    double half; /* mean +- half is the 95% interval */
} report_summary;

report_summary report_summarize(const roster_moments *moments, uint64_t runs);

/* The ratio of two agents' mean regrets, b's to a's, given also the moments of b - a in the same runs. */
report_summary report_ratio(const roster_moments *a, const roster_moments *b, const roster_moments *difference,
                            uint64_t runs);

/* Least squares: y = intercept + slope x, and the share r2 of y's variance that it explains. */
typedef struct report_fit {
    double slope, intercept, r2;
} report_fit;

report_fit report_fit_line(const double *x, const double *y, size_t n);

/* Agent a's mean regret over the cases of a sweep, against N and against ln N, N the number of experts. */
typedef struct report_growth {
    report_fit linear, logarithmic;
} report_growth;

/* False where there is nothing to fit: fewer than three different N, or a case without runs. */
bool report_has_growth(const report *self);
int report_grow(const report *self, size_t a, report_growth *out, roster_error *err);

/* ---- report_facts.c: what is read off an experiment ---- */

/* The best expert of an episode, its value, and the smallest gap above 0 (0 where all experts are equal). */
typedef struct report_episode {
    size_t best;
    double value, gap;
} report_episode;

int report_episode_facts(const experiment_case *c, size_t e, report_episode *out, roster_error *err);
/* The rounds of the episodes before e, at their longest: where e starts on the axis of all rounds. */
uint64_t report_episode_start(const experiment_case *c, size_t e);
/* Point i of the curves on that axis. */
uint64_t report_point(const experiment_case *c, const roster_results *results, size_t i);

/* ---- report_emit.c: what results.json and the page's data share ---- */

/* Members mean, sd, low, high of an open object. */
void report_emit_summary(common_json *self, const roster_moments *moments, uint64_t runs);

/* Opens an object and writes agent a's label, name and "settings": its parameters with the numbers that words stand
   for, as in the first episode. */
int report_emit_agent(common_json *self, const experiment_case *c, size_t a, roster_error *err);

/* ---- report_page_data.c, and a file made by embed.py ---- */

/* What the page shows, as JSON. */
int report_page_data(const report *self, FILE *out, roster_error *err);

/* web/report.html with scripts and styles put in, cut where the title and the data belong. */
typedef struct report_piece {
    const unsigned char *bytes;
    size_t size;
} report_piece;

extern const report_piece report_page[3];

#endif
