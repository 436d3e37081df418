/*
 * command_man.c: `roster man`: the manual page roster(1) in troff, from the tables of the commands.
 *
 * Paper: none.
 * Check: tests/cli/man.t, where groff reads it.
 */
#include "commands.h"

static void put_agents(void)
{
    const roster_agent_info *info;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++) {
        fputs(".TP\n.B ", stdout);
        cli_manual_text(info->name);
        fputc('\n', stdout);
        cli_manual_text(info->summary);
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
        cli_manual_command(*c);
    fputs(".SH AGENTS\nWhat experiment files can name; \\fBroster agents\\fR shows their parameters.\n", stdout);
    put_agents();
    fputs(".SH EXAMPLES\n", stdout);
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        cli_manual_examples(*c);
    cli_manual_end();
    fputs(".TP\n130\nStopped by Ctrl-C; what was done has been reported.\n", stdout);
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
