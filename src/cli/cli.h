/*
 * cli.h: what the sub-commands of `roster` share. Each is one file that ends with a cli_command; help, man page and
 * shell completion are derived from these tables.
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
 * these words.
 */
typedef struct cli_option {
    const char *name;     /* without the dashes; NULL ends a list     */
    const char *argument; /* what it takes, for help; NULL: a switch  */
    const char *help;     /* one sentence, the default included       */
} cli_option;

typedef struct cli_call cli_call;

typedef struct cli_command {
    const char *name;        /* "run"                                             */
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
    const char *const *values; /* one per option: its argument, "" of a switch, NULL: not given */
    const char *line;          /* the whole command line, as one would type it again            */
};

/* All commands, ending with NULL (commands.c). */
extern const cli_command *const cli_commands[];

/* The option's argument, NULL where it was not given. */
const char *cli_value(const cli_call *call, const char *option);
/* A whole number from least to most; *out stays as it is where the option was not given. Exit code 2 and a sentence on
   stderr where it is none, else 0. */
int cli_count(const cli_call *call, const char *option, uint64_t least, uint64_t most, uint64_t *out);
/* The same for a real number. */
int cli_number(const cli_call *call, const char *option, double least, double most, double *out);
/* --threads, all cores where it was not given. */
int cli_threads(const cli_call *call, uint64_t *out);

/* The first SIGINT or SIGTERM calls the handler, a second one ends the program, whatever was inherited (interrupt.c). */
void cli_on_interrupt(void (*handler)(int));

/* "roster run: SENTENCE" on stderr. Returns 1, the exit code for input that is wrong. */
int cli_fail(const cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Files that appear whole or not at all: written beside, then renamed. */
typedef struct cli_file {
    FILE *stream;
    char path[4096],
        temporary[4096]; /* temporary is "" where path is no plain file (/dev/stdout) and written directly */
    size_t created;      /* length of the first folder of path that was created; 0: none                   */
} cli_file;

int cli_file_open(cli_file *self, const char *path, roster_error *err); /* creates missing folders */
int cli_file_commit(cli_file *self, roster_error *err);                 /* closes and renames; on failure removes */
void cli_file_abandon(cli_file *self);

/* Several files of one folder: all of them appear, or none. */
enum { CLI_FOLDER_FILES = 3 };
typedef struct cli_folder {
    size_t n;
    cli_file files[CLI_FOLDER_FILES];
} cli_folder;

/* names: n of them, at most CLI_FOLDER_FILES. files[i].stream is open afterwards. */
int cli_folder_open(cli_folder *self, const char *folder, const char *const *names, size_t n, roster_error *err);
int cli_folder_commit(cli_folder *self, roster_error *err);
void cli_folder_abandon(cli_folder *self);

/* results.json, curves.csv and report.html into a folder: all of them, or none. */
struct report;
int cli_write_reports(const struct report *report, const char *folder, roster_error *err);

/* By a clock that never goes back. */
double cli_seconds(void);
/* "1:02:03", "2:03", or "-" for a time beyond all patience; into text, or a constant. */
const char *cli_duration(double seconds, char *text, size_t size);
/* Bytes of memory that this process has used at most. */
double cli_peak_memory(void);

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
