/*
 * load_show.h: what `roster drive` shows: a line while it runs, a table or JSON at the end.
 */
#ifndef ROSTER_LOAD_SHOW_H
#define ROSTER_LOAD_SHOW_H

#include "cli.h"
#include "load.h"

/* The line on the terminal, drawn twice a second. */
typedef struct load_show_line {
    bool terminal;
    double shown, seconds;       /* when it was drawn, by the clock and by the figures */
    uint64_t decisions, rewards; /* as of then */
} load_show_line;

void load_show_line_start(load_show_line *self);
void load_show_line_show(load_show_line *self, const load_figures *figures);
void load_show_line_end(load_show_line *self);

/* The end. */
typedef struct load_show_result {
    const load_options *options;
    const load_figures *figures;
    const char *sentence; /* why it ended early, NULL: it did not */
} load_show_result;

void load_show_table(FILE *out, const load_show_result *result);
void load_show_json(FILE *out, const load_show_result *result);

#endif
