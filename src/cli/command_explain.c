/*
 * command_explain.c: `roster explain`, what a roster owner asks before a campaign.
 *
 * Everything is found out first (explain_find.c, explain_theory.c, explain_simulate.c) and then shown, as text
 * (explain_text.c) or as JSON (explain_json.c), so that both say the same.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain.h"
#include "explain_detect.h"
#include "instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

static void tell(void *context, uint64_t rounds)
{
    cli_progress_show(context, rounds);
}

static int find(const cli_call *call, const experiment *file, const experiment_case *chosen, explain_wishes *wishes)
{
    explanation found;
    roster_error err;
    cli_progress bar;
    uint64_t runs = wishes->runs > 0 ? wishes->runs : explain_runs(file, chosen);
    wishes->progress = tell;
    wishes->context = &bar;
    cli_progress_start(&bar, file->name, runs * explain_rounds_per_run(file, chosen));
    int code = explain_find(&found, file, chosen, wishes, &err);
    cli_progress_end(&bar);
    if (code != ROSTER_OK)
        code = cli_fail(call, "%s: %s", file->path, err.msg);
    else if (cli_value(call, "json") != NULL)
        explain_json(&found, stdout);
    else
        explain_text(&found, stdout, is_terminal());
    explain_free(&found);
    return code;
}

static int detect(const cli_call *call, const experiment *file, const experiment_case *chosen,
                  const detect_question *question)
{
    detection found;
    roster_error err;
    int code = detect_find(&found, file, chosen, question, &err);
    if (code != ROSTER_OK)
        code = cli_fail(call, "%s: %s", file->path, err.msg);
    else if (cli_value(call, "json") != NULL)
        detect_json(&found, stdout);
    else
        detect_text(&found, stdout);
    detect_free(&found);
    return code;
}

/* 0, or an exit code; question->detect stays 0 where it is not asked for. */
static int read_question(const cli_call *call, detect_question *question)
{
    *question = (detect_question){.reward = NAN, .sd = NAN};
    int code = cli_number(call, "reward", 1e-9, 0.999999, &question->reward);
    if (code == 0)
        code = cli_number(call, "sd", 1e-9, 0.5, &question->sd);
    if (code == 0)
        code = cli_number(call, "detect", 1e-9, 1, &question->detect);
    bool scale = !isnan(question->reward) || !isnan(question->sd);
    if (code == 0 && scale != (question->detect > 0))
        return cli_usage(call->command, "--detect D needs --reward R or --sd S, and these need --detect D");
    if (!isnan(question->reward) && !isnan(question->sd))
        return cli_usage(call->command, "--sd S is given in place of --reward R: leave out one of the two");
    if (isnan(question->sd))
        question->sd = sqrt(question->reward * (1 - question->reward));
    return code;
}

static int explain_roster(const cli_call *call, const detect_question *question)
{
    experiment *file;
    roster_error err;
    if (!(question->detect > 0))
        return cli_fail(call,
                        "%s has no rewards: give --reward R and --detect D to learn how much traffic it takes to "
                        "tell its experts apart, or an experiment that names it",
                        call->args[0]);
    if (experiment_read_roster(&file, call->args[0], &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    int code = detect(call, file, &file->cases[0], question);
    experiment_free(file);
    return code;
}

static int explain_file(const cli_call *call, const experiment_changes *changes, explain_wishes *wishes,
                        const detect_question *question)
{
    experiment *file;
    const experiment_case *chosen;
    if (experiment_is_roster(call->args[0]))
        return explain_roster(call, question);
    int code = cli_instance_read(call, changes, &file, &chosen);
    if (code == 0 && question->detect > 0)
        code = detect(call, file, chosen, question);
    else if (code == 0)
        code = find(call, file, chosen, wishes);
    experiment_free(file);
    return code;
}

static int run_explain(const cli_call *call)
{
    experiment_changes changes = {.agents = cli_value(call, "agents")};
    explain_wishes wishes = {0};
    detect_question question;
    uint64_t seed, threads;
    int code = read_question(call, &question);
    if (code == 0)
        code = cli_count(call, "runs", 1, EXPLAIN_RUNS_LIMIT, &wishes.runs);
    if (code == 0)
        code = cli_count(call, "rounds", 1, UINT64_C(1000000000000), &changes.rounds);
    if (code == 0)
        code = cli_count(call, "seed", 0, UINT64_MAX, &seed);
    if (code == 0)
        code = cli_threads(call, &threads);
    if (code != 0)
        return code;
    changes.seed = cli_value(call, "seed") != NULL ? &seed : NULL;
    wishes.threads = (size_t)threads;
    return explain_file(call, &changes, &wishes, &question);
}

static const cli_option options[] = {
    {"runs", "N",
     "How often to play every agent, 10000 times at most. Default: 300; of long experiments fewer, but at "
     "least 60."},
    {"rounds", "T", "Rounds of every episode. Default: those of the file."},
    {"seed", "S", "Seed of all random numbers. Default: that of the file."},
    {"threads", "N", "Number of threads; the answer does not depend on it. Default: all cores."},
    {"agents", "NAMES", "Only these agents, by label or name, separated by commas."},
    {"detect", "D", "Only say how much traffic it takes to tell experts apart whose values differ by D."},
    {"reward", "R", "Mean of the rewards, which are 0 or 1, for --detect."},
    {"sd", "S", "Standard deviation of a reward, in place of --reward."},
    {"json", NULL, "The same as one JSON object; what is infinite is null."},
    CLI_OPTION_CASE,
    {NULL, NULL, NULL}};

const cli_command command_explain = {
    .name = "explain",
    .arguments = "FILE",
    .summary = "predict what an experiment will show",
    .description =
        "Prints for each episode the value of every expert and its gap to the best. Then plays every agent of the file "
        "a few hundred times and says after how many rounds the best expert has the traffic, and how much reward is "
        "lost until the end: the median of these runs, and what is not exceeded in 95% of all runs. The latter is said "
        "with a confidence of 95%: it is not the 95th of 100 runs but a later one. The runs are not those of `roster "
        "run`; the same file and seed give the same answer. A long experiment takes minutes: --agents, --runs and "
        "--rounds make it shorter.\n\n"
        "After round n the best expert has the traffic if from every round m from n on to round 2m, or to the end of "
        "the episode, it plays more than 95% of the rounds; m goes as far as a tenth of the episode is left. Experts "
        "that are equally good count as one. \"Not in time\": there is no such round.\n\n"
        "Then, how much a sample of one expert says about another (the divergence; 1 is as much as its own), and what "
        "is proven: the bounds of the theorems, with the C that they need, which is far from the 0.02 used in "
        "practice. For agents that work on estimates, it also prints the error xi that the estimates may have, as "
        "printed in the paper (theory) and as its proof needs (tight), and how many samples it takes to learn the "
        "experts. It also lists assumptions of the file that do not hold for its own experts.\n\n"
        "Where no rewards are known yet, --detect D with --reward R answers from the experts' tables alone, of an "
        "experiment or of a roster file (`roster estimate`): in how many rounds two experts whose values differ by D "
        "are "
        "told apart, by a plain A/B split and by pooling rewards by context and action; which pairs cannot differ by "
        "so "
        "much, whatever the rewards; and which share no action. Contexts are as likely as in the first episode; those "
        "of a roster file are equally likely.\n\n"
        "Two experts are called practically the same if both divergences between them are below 1.001 in every "
        "episode: their values then differ by less than 0.03. Of more than 20 experts, only the best are listed, "
        "and the divergences are given by their quantiles. At most 4096 experts can be explained.",
    .examples = "roster explain experiments/unbounded-1.json  # the two experts of the paper's appendix\n"
                "roster explain experiments/quickstart.json --reward 0.05 --detect 0.005  # traffic, before a launch\n"
                "roster explain experiments/scaling.json --case 3 --json  # the third case of a sweep, for a program",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run_explain};
