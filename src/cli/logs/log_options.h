/*
 * log_options.h: options about logs that several commands have.
 */
#ifndef ROSTER_LOG_OPTIONS_H
#define ROSTER_LOG_OPTIONS_H

#include "cli.h"
#include "log.h"

enum { LOG_OPTION_NAMES = 256 };

/* What the command line says of a log, with the memory behind it. */
typedef struct log_options {
    const cli_call *call;
    log_wishes wishes;
    const char *names[2][LOG_OPTION_NAMES]; /* contexts, features */
    char *lists[2];                         /* owned: the same, commas taken out */
    cli_progress progress;
    uint64_t shown; /* damaged lines */
} log_options;

/* Entries of a command's list of options: which column is what. */
#define LOG_OPTIONS_COLUMNS                                                                                            \
    {.name = "action", .argument = "COLUMN", .help = "The column of the action that was taken."},                      \
        {.name = "reward", .argument = "COLUMN", .help = "The column of the reward."},                                 \
        {.name = "cost", .argument = "COLUMN", .help = "The column of a cost; the reward is minus that."},             \
        {.name = "propensity",                                                                                         \
         .argument = "COLUMN",                                                                                         \
         .help = "The column of the probability with which the action was taken."},                                    \
        {.name = "context",                                                                                            \
         .argument = "COLUMN,..",                                                                                      \
         .help = "Columns that together are the context, with few values. Default: a column 'context', else none."},   \
        {.name = "expert", .argument = "COLUMN", .help = "The column of the expert who acted."},                       \
    {                                                                                                                  \
        .name = "drop", .argument = "COLUMN", .help = "The column of the rate at which such events were not logged."   \
    }

/* An exit code; where it is not 0 a sentence was printed. To be freed in any case. */
int log_options_read(log_options *self, const cli_call *call);
void log_options_free(log_options *self);
/* One of the words that an option takes; `none` where it was not given. An exit code. */
int log_options_choose(const cli_call *call, const char *option, const char *const *words, int none, int *out);

/* The progress bar, and the first damaged lines, on stderr; `context` is the log_options. */
void log_options_begin(log_options *self);
void log_options_progress(void *context, uint64_t bytes);
void log_options_damage(void *context, const char *title, uint64_t line, const char *reason);
void log_options_end(log_options *self);

#endif
