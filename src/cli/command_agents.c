/*
 * command_agents.c: `roster agents [NAME]`: the agents there are, with their parameters, from the library's one table.
 *
 * Paper: none.
 * Check: tests/cli/agents.t.
 */
#include "common_json.h"
#include "nearest.h"
#include "cli_program.h"

#include <math.h>
#include <string.h>

/* "number in (0, 1], or theory, tight; default 0.02". */
static void describe_values(const roster_param *p, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    if (p->low <= p->high)
        n = (size_t)snprintf(text, size, "number in %c%g, %g%c", p->low_open ? '(' : '[', p->low, p->high,
                             p->high_open || isinf(p->high) ? ')' : ']');
    for (size_t i = 0; p->words != NULL && p->words[i] != NULL && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s\"%s\"", n > 0 ? " or " : "", p->words[i]);
    if (n < size && p->preset_word != NULL)
        snprintf(text + n, size - n, "; default \"%s\"", p->preset_word);
    else if (n < size && !isnan(p->preset))
        snprintf(text + n, size - n, "; default %g", p->preset);
    else if (n < size)
        snprintf(text + n, size - n, "; no default");
}

static void print_agent(const roster_agent_info *info)
{
    char text[256];
    printf("%s (%s)\n", info->name, info->source);
    cli_wrap(stdout, info->summary, 2, 0);
    for (const roster_param *const *p = info->params; *p != NULL; p++) {
        describe_values(*p, text, sizeof text);
        int n = printf("  %s", (*p)->name);
        cli_wrap(stdout, text, 12, (size_t)n);
        cli_wrap(stdout, (*p)->help, 12, 0);
    }
}

/* A default is a number, a word or null; bounds are named as in JSON schema, those that are infinite are left out. */
static void write_param(common_json *json, const roster_param *p)
{
    common_json_open(json, NULL, '{');
    common_json_text(json, "name", p->name);
    if (p->preset_word != NULL)
        common_json_text(json, "default", p->preset_word);
    else
        common_json_number(json, "default", p->preset);
    if (p->low <= p->high && isfinite(p->low))
        common_json_number(json, p->low_open ? "exclusiveMinimum" : "minimum", p->low);
    if (p->low <= p->high && isfinite(p->high))
        common_json_number(json, p->high_open ? "exclusiveMaximum" : "maximum", p->high);
    common_json_open(json, "types", '[');
    if (p->low <= p->high)
        common_json_text(json, NULL, "number");
    if (p->words != NULL && p->words[0] != NULL)
        common_json_text(json, NULL, "word");
    common_json_close(json);
    common_json_open(json, "words", '[');
    for (size_t i = 0; p->words != NULL && p->words[i] != NULL; i++)
        common_json_text(json, NULL, p->words[i]);
    common_json_close(json);
    common_json_text(json, "help", p->help);
    common_json_close(json);
}

static void write_agent(common_json *json, const roster_agent_info *info)
{
    common_json_open(json, NULL, '{');
    common_json_text(json, "name", info->name);
    common_json_text(json, "source", info->source);
    common_json_text(json, "summary", info->summary);
    common_json_open(json, "traits", '[');
    if (info->empirical)
        common_json_text(json, NULL, "empirical");
    if (info->additive)
        common_json_text(json, NULL, "additive");
    common_json_close(json);
    common_json_open(json, "parameters", '[');
    for (const roster_param *const *p = info->params; *p != NULL; p++)
        write_param(json, *p);
    common_json_close(json);
    common_json_close(json);
}

static const roster_agent_info *find(const char *name)
{
    const roster_agent_info *info;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        if (strcmp(info->name, name) == 0)
            return info;
    return NULL;
}

static int refuse(const cli_call *call, const char *name)
{
    common_nearest meant = {name, NULL, 0};
    const roster_agent_info *info;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        common_nearest_try(&meant, info->name);
    if (meant.best != NULL)
        return cli_usage(call->command, "unknown agent '%s', did you mean '%s'?", name, meant.best);
    return cli_usage(call->command, "unknown agent '%s'; `roster agents` lists all", name);
}

static void print_text(const char *only)
{
    const roster_agent_info *info;
    bool first = true;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++) {
        if (only != NULL && strcmp(only, info->name) != 0)
            continue;
        if (!first)
            printf("\n");
        print_agent(info);
        first = false;
    }
}

static void print_json(const char *only)
{
    common_json json = {.out = stdout};
    const roster_agent_info *info;
    common_json_open(&json, NULL, '[');
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        if (only == NULL || strcmp(only, info->name) == 0)
            write_agent(&json, info);
    common_json_close(&json);
    common_json_end(&json);
}

static int run(const cli_call *call)
{
    const char *only = call->n_args > 0 ? call->args[0] : NULL;
    if (only != NULL && find(only) == NULL)
        return refuse(call, only);
    if (cli_value(call, "json") != NULL)
        print_json(only);
    else
        print_text(only);
    return 0;
}

static const cli_option options[] = {
    {.name = "json", .help = "A list of objects in JSON, for programs."},
    {.name = NULL},
};

const cli_command command_agents = {
    .name = "agents",
    .arguments = "[NAME]",
    .summary = "list the agents with their parameters",
    .description =
        "Shows every agent, or the one named: where it comes from in the paper, what it does, and its parameters, each "
        "with the numbers and words it can be, its default and its meaning. In a range a round bracket means that "
        "the bound itself is not allowed. Experiment files set parameters by these names.",
    .examples = "roster agents d-ucb  # one agent\nroster agents --json  # all of them, for programs",
    .least = 0,
    .most = 1,
    .options = options,
    .run = run,
};
