/*
 * commands.c: the list of all commands, in the order in which one meets them. A new one is its file and one line here.
 *
 * Paper: none.
 */
#include "commands.h"

extern const cli_command command_run, command_merge, command_explain, command_estimate, command_evaluate, command_tally,
    command_sql, command_trace, command_validate, command_agents, command_serve, command_drive, command_audit,
    command_export, command_migrate, command_repair, command_bench, command_completion, command_man;

const cli_command *const cli_commands[] = {
    &command_run,    &command_merge, &command_explain,    &command_estimate, &command_evaluate,
    &command_tally,  &command_sql,   &command_trace,      &command_validate, &command_agents,
    &command_serve,  &command_drive, &command_audit,      &command_export,   &command_migrate,
    &command_repair, &command_bench, &command_completion, &command_man,      NULL,
};
