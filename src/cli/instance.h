/*
 * instance.h: the one instance a command looks at: a file, and of a sweep the case that --case names.
 */
#ifndef ROSTER_CLI_INSTANCE_H
#define ROSTER_CLI_INSTANCE_H

#include "cli.h"
#include "experiment.h"

/* For the tables of commands that use cli_instance_read. */
#define CLI_OPTION_CASE                                                                                                \
    {                                                                                                                  \
        "case", "K", "Which case of a sweep, from 1 in the order of the file. Default: 1."                             \
    }

/* Reads the command's first argument. The exit code; 0: *out is to be freed, *chosen is a part of it. */
int cli_instance_read(const cli_call *call, const experiment_changes *changes, experiment **out,
                      const experiment_case **chosen);
/* The number of the agent of that label, else name. Exit code 1 and a sentence with all labels where there is none, or
   where several agents have the name. */
int cli_instance_agent(const cli_call *call, const experiment *self, const char *name, size_t *agent);

#endif
