/*
 * cli_manual.c: parts of a manual page in troff, from the tables of the commands.
 *
 * Paper: none.
 * Check: tests/cli/man.t, tests/cli/datasets.t; groff reads both pages there.
 */
#include "cli_program.h"

#include <string.h>

/* Text as troff takes it literally: no escapes, hyphens that can be copied, no line that begins with a command. */
static void put(const char *text, const char *end)
{
    bool start = true;
    for (; text < end; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            fputc(*text, stdout);
        start = *text == '\n';
    }
}

void cli_manual_text(const char *text)
{
    put(text, text + strlen(text));
}

static void put_description(const char *text)
{
    const char *next = text;
    for (const char *end; (end = cli_paragraph(text, &next)) != NULL; text = next) {
        text += strspn(text, "\n");
        bool as_it_is = *text == ' ';
        fputs(as_it_is ? ".PP\n.nf\n" : ".PP\n", stdout);
        put(text, end);
        fputs(as_it_is ? "\n.fi\n" : "\n", stdout);
    }
}

static void put_option(const cli_option *option)
{
    char form[64];
    cli_option_form(option, form, sizeof form);
    fputs(".TP\n.B ", stdout);
    cli_manual_text(form);
    fputc('\n', stdout);
    cli_manual_text(option->help);
    fputc('\n', stdout);
}

void cli_manual_command(const cli_command *command)
{
    printf(".SS \"roster%c%s", cli_joint(command), command->name);
    fputs(command->arguments[0] != '\0' ? " " : "", stdout);
    cli_manual_text(command->arguments);
    fputs("\"\n", stdout);
    cli_manual_text(command->summary);
    fputs(".\n", stdout);
    if (command->description != NULL)
        put_description(command->description);
    for (const cli_option *o = command->options; o != NULL && o->name != NULL; o++)
        put_option(o);
}

void cli_manual_examples(const cli_command *command)
{
    const char *at = command->examples;
    cli_example e;
    while (at != NULL && cli_example_next(&at, &e)) {
        fputs(".TP\n.B ", stdout);
        put(e.command, e.command_end);
        fputc('\n', stdout);
        if (e.what != NULL)
            put(e.what, e.end);
        fputc('\n', stdout);
    }
}

void cli_manual_end(void)
{
    fputs(".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe input is wrong, or the output cannot be written.\n.TP\n2\n"
          "The command line is wrong.\n",
          stdout);
}
