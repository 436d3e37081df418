/*
 * report_inside.h: what the files of report/ share.
 */
#ifndef ROSTER_REPORT_INSIDE_H
#define ROSTER_REPORT_INSIDE_H

#include "report.h"

/* The code, with a sentence in *err (if not NULL). */
int report_fail(roster_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int report_fail_memory(roster_error *err);

/* ---- statistics.c ---- */

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

/* ---- facts.c: what is read off an experiment ---- */

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

/* ---- emit.c: JSON, member by member ---- */

enum { EMIT_DEPTH = 16 };

typedef struct emit {
    FILE *out;
    int digits; /* of real numbers: 17 to read back the same */
    unsigned depth;
    struct {
        char close;
        bool lines; /* one member a line */
        bool some;  /* has members       */
    } level[EMIT_DEPTH];
} emit;

/* All take a key, NULL in an array. Opens an object '{' or an array '['. */
void emit_open(emit *self, const char *key, char bracket, bool lines);
void emit_close(emit *self);
/* Before a value that the caller writes. */
void emit_key(emit *self, const char *key);
/* null where it is not finite. */
void emit_real(emit *self, const char *key, double value);
/* A string from 2^53 on, where not every reader has whole numbers. */
void emit_count(emit *self, const char *key, uint64_t value);
void emit_bool(emit *self, const char *key, bool value);
/* null where it is NULL. What is not UTF-8 becomes U+FFFD; '<' is escaped, so that it can stand in HTML. */
void emit_text(emit *self, const char *key, const char *value);
/* Members mean, sd, low, high of an open object. */
void emit_summary(emit *self, const roster_moments *moments, uint64_t runs);

/* facts.c: the parameters of agent a with the numbers that words stand for, as in the first episode. */
int emit_settings(emit *self, const char *key, const experiment_case *c, size_t a, roster_error *err);

/* ---- page.c, and a file made by embed.py ---- */

/* What the page shows, as JSON. */
int report_page_data(const report *self, FILE *out, roster_error *err);

/* web/report.html with scripts and styles put in, cut where the title and the data belong. */
typedef struct report_piece {
    const unsigned char *bytes;
    size_t size;
} report_piece;

extern const report_piece report_page[3];

#endif
