/*
 * datasets_main.c: the program `roster-datasets`.
 *
 * Exit codes as of `roster`: 0 all is well, 1 the input is wrong or the output cannot be written, 2 the command line is
 * wrong.
 *
 * Paper: none.
 * Check: tests/cli/datasets.t.
 */
#include "cli_program.h"
#include "datasets.h"

#include <errno.h>
#include <string.h>

extern const cli_command command_datasets;

/* For the build, which installs it. */
static int print_manual(void)
{
    printf(".TH ROSTER-DATASETS 1 \"\" \"roster %s\" \"User Commands\"\n", roster_version());
    fputs(".SH NAME\nroster\\-datasets \\- make the paper's instances from the raw data sets\n.SH SYNOPSIS\n", stdout);
    cli_manual_command(&command_datasets);
    fputs(".SH EXAMPLES\n", stdout);
    cli_manual_examples(&command_datasets);
    cli_manual_end();
    fputs(".SH SEE ALSO\n.BR roster (1)\n", stdout);
    return 0;
}

static int run(int argc, char **argv)
{
    cli_call call;
    bool help;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("roster-datasets %s\n", roster_version());
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--man") == 0)
        return print_manual();
    int code = cli_call_init(&call, &command_datasets, argc, argv, &help);
    if (code == 0 && help)
        cli_help_command(stdout, &command_datasets);
    else if (code == 0)
        code = command_datasets.run(&call);
    cli_call_fini(&call);
    return code;
}

int main(int argc, char **argv)
{
    data_pin_kernels(argv);
    int code = run(argc, argv);
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0)
        return code;
    cli_usage(&command_datasets, "cannot write to standard output: %s", strerror(errno));
    return 1;
}
