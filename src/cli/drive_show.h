/*
 * drive_show.h: what `roster drive` shows: a line while it runs, a table or JSON at the end.
 */
#ifndef ROSTER_CLI_DRIVE_SHOW_H
#define ROSTER_CLI_DRIVE_SHOW_H

#include "cli.h"
#include "load.h"

/* The line on the terminal, drawn twice a second. */
typedef struct cli_drive_line {
    bool terminal;
    double shown, seconds;       /* when it was drawn, by the clock and by the figures */
    uint64_t decisions, rewards; /* as of then */
} cli_drive_line;

void cli_drive_line_start(cli_drive_line *self);
void cli_drive_line_show(cli_drive_line *self, const load_figures *figures);
void cli_drive_line_end(cli_drive_line *self);

/* The end. */
typedef struct cli_drive_result {
    const load_options *options;
    const load_figures *figures;
    const char *sentence; /* why it ended early, NULL: it did not */
} cli_drive_result;

void cli_drive_table(FILE *out, const cli_drive_result *result);
void cli_drive_json(FILE *out, const cli_drive_result *result);

#endif
