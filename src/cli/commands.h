/*
 * commands.h: the list of all commands.
 */
#ifndef ROSTER_CLI_COMMANDS_H
#define ROSTER_CLI_COMMANDS_H

#include "cli_program.h"

/* Ends with NULL (commands.c). */
extern const cli_command *const cli_commands[];

#endif
