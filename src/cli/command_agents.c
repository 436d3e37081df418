/*
 * command_agents.c: `roster agents [NAME]`: the agents there are, with their parameters, from the library's one table.
 *
 * Paper: none.
 * Check: tests/cli/agents.t.
 */
#include "json.h"
#include "words.h"

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
static void write_param(cli_json *json, const roster_param *p)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", p->name);
    if (p->preset_word != NULL)
        cli_json_text(json, "default", p->preset_word);
    else
        cli_json_number(json, "default", p->preset);
    if (p->low <= p->high && isfinite(p->low))
        cli_json_number(json, p->low_open ? "exclusiveMinimum" : "minimum", p->low);
    if (p->low <= p->high && isfinite(p->high))
        cli_json_number(json, p->high_open ? "exclusiveMaximum" : "maximum", p->high);
    cli_json_open(json, "types", '[');
    if (p->low <= p->high)
        cli_json_text(json, NULL, "number");
    if (p->words != NULL && p->words[0] != NULL)
        cli_json_text(json, NULL, "word");
    cli_json_close(json, ']');
    cli_json_open(json, "words", '[');
    for (size_t i = 0; p->words != NULL && p->words[i] != NULL; i++)
        cli_json_text(json, NULL, p->words[i]);
    cli_json_close(json, ']');
    cli_json_text(json, "help", p->help);
    cli_json_close(json, '}');
}

static void write_agent(cli_json *json, const roster_agent_info *info)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", info->name);
    cli_json_text(json, "source", info->source);
    cli_json_text(json, "summary", info->summary);
    cli_json_open(json, "traits", '[');
    if (info->empirical)
        cli_json_text(json, NULL, "empirical");
    if (info->additive)
        cli_json_text(json, NULL, "additive");
    cli_json_close(json, ']');
    cli_json_open(json, "parameters", '[');
    for (const roster_param *const *p = info->params; *p != NULL; p++)
        write_param(json, *p);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
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
    cli_guess guess = {name, NULL, 0};
    const roster_agent_info *info;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        cli_guess_try(&guess, info->name);
    if (guess.best != NULL)
        return cli_usage(call->command, "unknown agent '%s', did you mean '%s'?", name, guess.best);
    return cli_usage(call->command, "unknown agent '%s'; 'roster agents' lists those there are", name);
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
    cli_json json = {.out = stdout};
    const roster_agent_info *info;
    cli_json_open(&json, NULL, '[');
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        if (only == NULL || strcmp(only, info->name) == 0)
            write_agent(&json, info);
    cli_json_close(&json, ']');
    cli_json_end(&json);
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
