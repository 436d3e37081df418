/*
 * command_explain.c: `roster explain`, what a roster owner asks before a campaign.
 *
 * Everything is found out first (explain_find.c, explain_theory.c) and then shown, as text (explain_text.c) or as JSON
 * (explain_json.c), so that both say the same.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain.h"
#include "instance.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

static int run_explain(const cli_call *call)
{
    experiment_changes none = {0};
    experiment *file;
    const experiment_case *chosen;
    explanation found;
    roster_error err;
    int code = cli_instance_read(call, &none, &file, &chosen);
    if (code != 0)
        return code;
    if (explain_find(&found, file, chosen, &err) != ROSTER_OK)
        code = cli_fail(call, "%s: %s", file->path, err.msg);
    else if (cli_value(call, "json") != NULL)
        explain_json(&found, stdout);
    else
        explain_text(&found, stdout, is_terminal());
    explain_free(&found);
    experiment_free(file);
    return code;
}

static const cli_option options[] = {
    {"json", NULL, "The same as one JSON object; what is infinite is null."}, CLI_OPTION_CASE, {NULL, NULL, NULL}};

const cli_command command_explain = {
    .name = "explain",
    .arguments = "FILE",
    .summary = "predict what an experiment will show, without running it",
    .description =
        "Prints for each episode: the value of every expert and its gap to the best; how much a sample of one "
        "expert says about another (the divergence; 1 is as much as its own); the round tau_k from which each "
        "expert is told apart from the best; the bounds that the theorems give for the regret of every agent of "
        "the file, with the file's C and with the theorem's, next to UCB; and how much traffic it takes until the "
        "best expert is known.\n\n"
        "For agents that work on estimates, it also prints the error xi that the estimates may have, as printed in "
        "the paper (theory) and as its proof needs (tight), and how many samples it takes to learn the experts. It "
        "also lists assumptions of the file that do not hold for its own experts.\n\n"
        "Two experts are called practically the same if both divergences between them are below 1.001 in every "
        "episode: their values then differ by less than 0.03. Of more than 20 experts, only the best are listed, "
        "and the divergences are given by their quantiles. At most 4096 experts can be explained.",
    .examples = "roster explain experiments/unbounded-1.json  # the two experts of the paper's appendix\n"
                "roster explain experiments/scaling.json --case 3 --json  # the third case of a sweep, for a program",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run_explain};
