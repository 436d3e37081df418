/*
 * cli_program.h: from main's arguments to a cli_call, and help, manual page and completion from the tables of commands.
 */
#ifndef ROSTER_CLI_PROGRAM_H
#define ROSTER_CLI_PROGRAM_H

#include "cli.h"

/* ---- the command line (cli_call.c) ---- */

/* What stands between "roster" and the command's name: a space, or a hyphen where it is a program of its own. */
char cli_joint(const cli_command *command);
/* The one-letter form of an option, the same in all commands; '\0': it has none. */
char cli_letter(const char *option);
/* The words behind the command (`roster COMMAND`, or `roster-COMMAND` alone); argv is all of main's. Exit code 2 and a
   sentence on stderr where they are wrong. *help: --help was among them, nothing else was looked at. */
int cli_call_init(cli_call *call, const cli_command *command, int argc, char **argv, bool *help);
void cli_call_fini(cli_call *call);

/* ---- help (cli_help.c) ---- */

/* "-o, --out FILE" into a buffer of `size`; returns its length. */
size_t cli_option_form(const cli_option *option, char *form, size_t size);
/* What a command is called with: "roster run FILE... [OPTION...]". */
void cli_synopsis(FILE *out, const cli_command *command);
/* Of a program whose commands are listed, up to NULL. */
void cli_help_overview(FILE *out, const cli_command *const *commands);
void cli_help_command(FILE *out, const cli_command *command);

/* Paragraphs of a text, separated by empty lines. Returns the end of the one at `text`, NULL where there is none; *next
   is where to look for the one after it. A paragraph that begins with a space is to be shown as it is. */
const char *cli_paragraph(const char *text, const char **next);
/* A line "command  # what it does" of `examples`: where the command and what it does (NULL: nothing is said) begin and
   end. False: there are no more. */
typedef struct cli_example {
    const char *command, *command_end, *what, *end;
} cli_example;
bool cli_example_next(const char **at, cli_example *example);

/* ---- the manual page (cli_manual.c), in troff, to standard output ---- */

void cli_manual_text(const char *text);
void cli_manual_command(const cli_command *command);
void cli_manual_examples(const cli_command *command);
/* The section on exit codes. */
void cli_manual_end(void);

/* --help, which every command has. */
extern const cli_option cli_help_option;

#endif
