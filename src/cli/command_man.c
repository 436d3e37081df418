/*
 * command_man.c: `roster man`: the manual page roster(1) in troff, from the tables of the commands.
 *
 * Paper: none.
 * Check: tests/cli/man.t; tools/check-cli has groff read it.
 */
#include "commands.h"

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

static void put_all(const char *text)
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
    put_all(form);
    fputc('\n', stdout);
    put_all(option->help);
    fputc('\n', stdout);
}

static void put_command(const cli_command *command)
{
    printf(".SS ");
    printf("\"roster %s", command->name);
    fputs(command->arguments[0] != '\0' ? " " : "", stdout);
    put_all(command->arguments);
    fputs("\"\n", stdout);
    put_all(command->summary);
    fputs(".\n", stdout);
    if (command->description != NULL)
        put_description(command->description);
    for (const cli_option *o = command->options; o != NULL && o->name != NULL; o++)
        put_option(o);
}

static void put_examples(const cli_command *command)
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

static void put_agents(void)
{
    const roster_agent_info *info;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++) {
        fputs(".TP\n.B ", stdout);
        put_all(info->name);
        fputc('\n', stdout);
        put_all(info->summary);
        printf(" (%s)\n", info->source);
    }
}

static int run(const cli_call *call)
{
    (void)call;
    printf(".TH ROSTER 1 \"\" \"roster %s\" \"User Commands\"\n", roster_version());
    fputs(".SH NAME\nroster \\- find out online which of many stochastic experts serves best\n", stdout);
    fputs(".SH SYNOPSIS\n.B roster\n.I COMMAND\n[\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n", stdout);
    fputs(".SH COMMANDS\nEvery command also takes \\fB\\-\\-help\\fR.\n", stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        put_command(*c);
    fputs(".SH AGENTS\nWhat experiment files can name; \\fBroster agents\\fR shows their parameters.\n", stdout);
    put_agents();
    fputs(".SH EXAMPLES\n", stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        put_examples(*c);
    fputs(".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe input is wrong, or the output cannot be written.\n.TP\n2\n"
          "The command line is wrong.\n.TP\n130\nStopped by Ctrl-C; what was done has been reported.\n",
          stdout);
    return 0;
}

static const cli_option options[] = {{.name = NULL}};

const cli_command command_man = {
    .name = "man",
    .arguments = "",
    .summary = "print the manual page",
    .description = "Prints roster(1) in troff, as it is installed.",
    .examples = "roster man | man -l -  # read it",
    .least = 0,
    .most = 0,
    .options = options,
    .run = run,
};
