/*
 * words.h: words for people, shared by the frame of the program and the commands that print its tables.
 */
#ifndef ROSTER_CLI_WORDS_H
#define ROSTER_CLI_WORDS_H

#include "cli.h"

/* Columns of a line of help. */
enum { CLI_COLUMNS = 80 };

/* ---- what was meant (guess.c) ---- */

/* The known word nearest to a wrong one; best is NULL while none is near. */
typedef struct cli_guess {
    const char *word, *best; /* borrowed */
    size_t distance;         /* of best  */
} cli_guess;

void cli_guess_try(cli_guess *self, const char *known);

/* ---- the command line (call.c) ---- */

/* The one-letter form of an option, the same in all commands; '\0': it has none. */
char cli_letter(const char *option);
/* The words behind `roster COMMAND`; argv is all of main's. Exit code 2 and a sentence on stderr where they are wrong.
   *help: --help was among them, nothing else was looked at. */
int cli_call_init(cli_call *call, const cli_command *command, int argc, char **argv, bool *help);
void cli_call_fini(cli_call *call);
/* "roster run: SENTENCE" on stderr (command NULL: "roster: SENTENCE"). Returns 2, the exit code for wrong usage. */
int cli_usage(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- help (help.c) ---- */

/* Words of a text, separated by single spaces, in lines of CLI_COLUMNS that begin with `indent` spaces; `column` is
   where the stream's line stands already. Ends with a newline. */
void cli_wrap(FILE *out, const char *text, size_t indent, size_t column);
/* "-o, --out FILE" into a buffer of `size`; returns its length. */
size_t cli_option_form(const cli_option *option, char *form, size_t size);
/* What a command is called with: "roster run FILE... [OPTION...]". */
void cli_synopsis(FILE *out, const cli_command *command);
void cli_help_overview(FILE *out);
void cli_help_command(FILE *out, const cli_command *command);

/* Paragraphs of a text, separated by empty lines. Returns the end of the one at `text`, NULL where there is none; *next
   is where to look for the one after it. A paragraph that begins with a space is to be shown as it is. */
const char *cli_paragraph(const char *text, const char **next);
/* A line "command  # what it does" of `examples`: where the command and what it does (NULL: it is not said) begin and
   end. False: there are no more. */
typedef struct cli_example {
    const char *command, *command_end, *what, *end;
} cli_example;
bool cli_example_next(const char **at, cli_example *example);

/* --help, which every command has. */
extern const cli_option cli_help_option;

#endif
