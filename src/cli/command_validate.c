/*
 * command_validate.c: `roster validate FILE...`: whether experiment files are fine, and what is in them.
 *
 * Paper: none. Cost: that of reading the files, nothing is run.
 * Check: tests/cli/validate.t.
 */
#include "cli.h"
#include "experiment.h"

#include <inttypes.h>

/* The smallest and largest of some numbers. */
typedef struct range {
    uint64_t low, high;
} range;

static void include(range *r, uint64_t low, uint64_t high)
{
    r->low = low < r->low ? low : r->low;
    r->high = high > r->high ? high : r->high;
}

/* "2 experts", "1 expert", "4 to 64 experts". */
static void print_range(range r, const char *what)
{
    if (r.low < r.high)
        printf("%" PRIu64 " to ", r.low);
    printf("%" PRIu64 " %s%s", r.high, what, r.high == 1 ? "" : "s");
}

static void print_count(uint64_t n, const char *what)
{
    printf(", ");
    print_range((range){n, n}, what);
}

static void find_ranges(const experiment *e, range *experts, range *episodes, range *rounds)
{
    *experts = *episodes = *rounds = (range){UINT64_MAX, 0};
    for (size_t i = 0; i < e->n_cases; i++) {
        const experiment_case *c = &e->cases[i];
        uint64_t n = roster_experts_count(c->experts);
        include(experts, n, n);
        include(episodes, c->n_episodes, c->n_episodes);
        for (size_t j = 0; j < c->n_episodes; j++) {
            uint64_t most = c->episodes[j].rounds, least = c->episodes[j].min_rounds;
            include(rounds, least > 0 ? least : most, most);
        }
    }
}

static void describe(const char *path, const experiment *e)
{
    range experts, episodes, rounds;
    find_ranges(e, &experts, &episodes, &rounds);
    printf("%s: fine: ", path);
    print_range(experts, "expert");
    print_count(e->n_contexts, "context");
    print_count(e->n_actions, "action");
    printf(", ");
    print_range(episodes, "episode");
    printf(" of ");
    print_range(rounds, "round");
    print_count(e->n_agents, "agent");
    print_count(e->runs, "run");
    if (e->sweep != NULL)
        printf(", for each of %zu values of %s", e->n_cases, e->sweep);
    printf("\n");
}

static int run(const cli_call *call)
{
    const experiment_changes none = {0};
    int code = 0;
    for (size_t i = 0; i < call->n_args; i++) {
        experiment *e;
        roster_error err;
        if (experiment_read(&e, call->args[i], &none, &err) == ROSTER_OK) {
            describe(call->args[i], e);
            experiment_free(e);
        } else {
            code = cli_fail(call, "%s", err.msg);
        }
    }
    return code;
}

static const cli_option options[] = {{.name = NULL}};

const cli_command command_validate = {
    .name = "validate",
    .arguments = "FILE...",
    .summary = "check experiment files",
    .description =
        "Reads experiment files, with the rosters and logs that they name, as `roster run` does, and runs nothing. For "
        "a valid file it prints one line about its contents; for an invalid one the first mistake, with its place and "
        "what was expected. All files are read; the exit code is 1 if one of them is invalid.",
    .examples = "roster validate experiments/*.json  # all at once",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
