/*
 * report.h: what a study came to, as files: results.json, curves.csv and one self-contained HTML page.
 */
#ifndef ROSTER_REPORT_H
#define ROSTER_REPORT_H

#include "experiment.h"

#include <stdio.h>

/* All cases of an experiment with their results. Borrowed. */
typedef struct report {
    const experiment *experiment;
    roster_results *const *results; /* [n_cases] */
    const char *command;            /* that makes it again */
    bool stopped;                   /* before all runs were done */
    uint64_t shard, shards;         /* which part this is; 0 of 1: the whole */
} report;

/* Into an open stream; what goes wrong with the stream is for the caller to ask (ferror). */
int report_json(const report *self, FILE *out, roster_error *err);
int report_csv(const report *self, FILE *out, roster_error *err);
int report_html(const report *self, FILE *out, roster_error *err);
/* The table of final regrets for a terminal. */
int report_table(const report *self, FILE *out, roster_error *err);

/* The part that a results.json holds, for merging: fills results[n_cases] created for the same experiment (what is in
   them is of no use if it fails). *shard, *shards say which part it is. */
int report_read(const char *path, const experiment *experiment, roster_results **results, uint64_t *shard,
                uint64_t *shards, roster_error *err);
/* The experiment that a results.json is of, with the changes that were made to it. */
int report_read_experiment(const char *path, experiment **out, roster_error *err);

/* Student's t for the 95% interval of a mean over `runs` runs, mean +- t sd / sqrt(runs); NAN below two runs. */
double report_t95(uint64_t runs);

#endif
