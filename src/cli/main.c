/*
 * main.c: `roster COMMAND ...`: finds the command and runs it.
 *
 * Exit codes: 0 all is well, 1 the input is wrong (or the output could not be written), 2 the command line is wrong.
 *
 * Paper: none.
 * Check: tests/cli/frame.t.
 */
#include "commands.h"
#include "nearest.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const cli_command *find(const char *name)
{
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int refuse_unknown(const char *name)
{
    common_nearest meant = {name, NULL, 0};
    for (const cli_command *const *c = cli_commands; *c != NULL; c++)
        common_nearest_try(&meant, (*c)->name);
    static const char *const others[] = {"help", "--help", "--version"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        common_nearest_try(&meant, others[i]);
    const char *what = name[0] == '-' ? "option" : "command";
    if (meant.best != NULL)
        return cli_usage(NULL, "unknown %s '%s', did you mean '%s'?", what, name, meant.best);
    return cli_usage(NULL, "unknown %s '%s'; `roster --help` lists all", what, name);
}

static int help(int argc, char **argv)
{
    if (argc > 3)
        return cli_usage(NULL, "unexpected argument '%s': roster help [COMMAND]", argv[3]);
    const cli_command *command = argc == 3 ? find(argv[2]) : NULL;
    if (argc == 3 && command == NULL && strcmp(argv[2], "--help") != 0)
        return refuse_unknown(argv[2]);
    if (command != NULL)
        cli_help_command(stdout, command);
    else
        cli_help_overview(stdout, cli_commands);
    return 0;
}

static int run(const cli_command *command, int argc, char **argv)
{
    cli_call call;
    bool asks;
    int code = cli_call_init(&call, command, argc, argv, &asks);
    if (code == 0 && asks)
        cli_help_command(stdout, command);
    else if (code == 0)
        code = command->run(&call);
    cli_call_fini(&call);
    return code;
}

static int dispatch(int argc, char **argv)
{
    const char *word = argc < 2 ? "--help" : argv[1];
    const cli_command *command = find(word);
    if (command != NULL)
        return run(command, argc, argv);
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc, argv);
    if (strcmp(word, "data") == 0)
        return cli_usage(NULL, "`roster data` is now a program of its own: roster-datasets");
    if (strcmp(word, "--version") != 0)
        return refuse_unknown(word);
    if (argc > 2)
        return cli_usage(NULL, "unexpected argument '%s': roster --version", argv[2]);
    printf("roster %s\n", roster_version());
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like any other, and not the end */
    int code = dispatch(argc, argv);
    /* What stdio kept back is written only now, and a full disk is no success. */
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0)
        return code;
    cli_usage(NULL, "cannot write to standard output: %s", strerror(errno));
    return 1;
}
