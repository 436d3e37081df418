/*
 * cli.h: how commands describe themselves and read their command line. Each is one file that ends with a cli_command;
 * help, manual page and shell completion are derived from these tables.
 */
#ifndef ROSTER_CLI_H
#define ROSTER_CLI_H

#include <roster.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * An option, written --name or --name ARGUMENT (or --name=ARGUMENT). The word for the argument, here and in a command's
 * `arguments`, also tells the shell what to offer: FILE and LOG.csv files, DIR folders, NAME and NAMES agents, a|b|c
 * these words. One that ends with ",.." is a list; an option whose argument ends with "..." may be given several times.
 */
typedef struct cli_option {
    const char *name;     /* without the dashes; NULL ends a list     */
    const char *argument; /* what it takes, for help; NULL: a switch  */
    const char *help;     /* one sentence, the default included       */
} cli_option;

typedef struct cli_call cli_call;

typedef struct cli_command {
    const char *name;        /* "run"                                             */
    bool alone;              /* a program of its own: roster-NAME, not roster NAME */
    const char *arguments;   /* "FILE...": for help                               */
    const char *summary;     /* one line for the list of commands                 */
    const char *description; /* paragraphs that teach, separated by empty lines   */
    const char *examples;    /* lines "command  # what it does"                   */
    size_t least, most;      /* how many arguments                                */
    const cli_option *options;
    int (*run)(const cli_call *call); /* the program's exit code */
} cli_command;

/* A command as it was called; checked against its tables. */
struct cli_call {
    const cli_command *command;
    size_t n_args;
    const char *const *args;
    const char *const *values; /* one per option: its argument, "" of a switch, NULL: not given; of one that repeats
                                  the last */
    const struct cli_repeated *repeated; /* of options that repeat, in order */
    size_t n_repeated;
    const char *line; /* the whole command line, as one would type it again            */
};

/* The option's argument, NULL where it was not given. */
const char *cli_value(const cli_call *call, const char *option);
/* The i-th argument of an option that repeats, NULL where there are not so many. */
const char *cli_value_at(const cli_call *call, const char *option, size_t i);
/* A whole number from least to most; *out stays as it is where the option was not given. Exit code 2 and a sentence on
   stderr where it is none, else 0. */
int cli_count(const cli_call *call, const char *option, uint64_t least, uint64_t most, uint64_t *out);
/* The same for a real number. */
int cli_number(const cli_call *call, const char *option, double least, double most, double *out);
/* --threads, all cores where it was not given. */
int cli_threads(const cli_call *call, uint64_t *out);

/* The first SIGINT or SIGTERM calls the handler, a second one ends the program, whatever was inherited
   (cli_interrupt.c). */
void cli_on_interrupt(void (*handler)(int));

/* "roster run: SENTENCE" on stderr. Returns 1, the exit code for input that is wrong. */
int cli_fail(const cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "roster run: SENTENCE" on stderr (command NULL: "roster: SENTENCE"). Returns 2, the exit code for wrong usage. */
int cli_usage(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Columns of a line of help. */
enum { CLI_COLUMNS = 80 };
/* Words of a text, separated by single spaces, in lines of CLI_COLUMNS that begin with `indent` spaces; `column` is
   where the stream's line stands already. Ends with a newline. */
void cli_wrap(FILE *out, const char *text, size_t indent, size_t column);

/* By a clock that never goes back. */
double cli_seconds(void);
/* "1:02:03", "2:03", or "-" for a time beyond all patience; into text, or a constant. */
const char *cli_duration(double seconds, char *text, size_t size);
/* Bytes of memory that this process has used at most. */
double cli_peak_memory(void);

/* Bytes of all files that are the call's arguments, 0 where one is no plain file. */
uint64_t cli_total_size(const cli_call *call);

/* A progress bar on stderr, only where that is a terminal and only after two seconds. */
typedef struct cli_progress {
    const char *what;
    uint64_t total;
    double started, shown;
    bool terminal;
} cli_progress;

void cli_progress_start(cli_progress *self, const char *what, uint64_t total);
void cli_progress_show(cli_progress *self, uint64_t done);
void cli_progress_end(cli_progress *self);

#endif
