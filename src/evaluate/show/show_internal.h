/*
 * show_internal.h: what the files of this folder share.
 */
#ifndef ROSTER_SHOW_INTERNAL_H
#define ROSTER_SHOW_INTERNAL_H

#include "evaluate.h"

/* The page around what evaluate_html.c writes, made by embed_evaluation.py. */
typedef struct show_piece {
    const unsigned char *bytes;
    size_t size;
} show_piece;
extern const show_piece show_page[2];

/* What was looked at in the log, as a table (show_health.c). */
void show_health(const evaluate *self, FILE *out);

/* ---- pictures (show_plots.c), as SVG ---- */

/* A policy's value over time with its band; what was served is a dashed line. */
void show_curve(const evaluate *self, size_t i, FILE *out);
/* How many events have which weight. */
void show_histogram(const evaluate_result *r, FILE *out);

#endif
