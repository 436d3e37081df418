/*
 * instance.c: the one instance a command looks at, and one agent of its list.
 *
 * A label is unique in a file, a name need not be: ed-ucb may stand there three times with different settings. So
 * labels are tried first, and a name only counts where one agent has it.
 *
 * Check: tests/cli/trace.t: a name that two agents have is refused, their labels are not.
 */
#include "instance.h"

#include <string.h>

int cli_instance_read(const cli_call *call, const experiment_changes *changes, experiment **out,
                      const experiment_case **chosen)
{
    roster_error err;
    uint64_t number = 1;
    *out = NULL;
    int code = cli_count(call, "case", 1, 1000, &number);
    if (code != 0)
        return code;
    if (experiment_read(out, call->args[0], changes, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (number > (*out)->n_cases) {
        code = cli_fail(call, "--case is %llu, but %s has %zu case%s", (unsigned long long)number, call->args[0],
                        (*out)->n_cases, (*out)->n_cases == 1 ? "" : "s");
        experiment_free(*out);
        *out = NULL;
        return code;
    }
    *chosen = &(*out)->cases[number - 1];
    return 0;
}

/* "a, b, c" of all agents, or of those that have the name. */
static void list_labels(const experiment *self, const char *name, char *text, size_t size)
{
    const experiment_agent *agents = self->cases[0].agents;
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < self->n_agents && used < size; i++)
        if (name == NULL || strcmp(agents[i].name, name) == 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", agents[i].label);
}

int cli_instance_agent(const cli_call *call, const experiment *self, const char *name, size_t *agent)
{
    const experiment_agent *agents = self->cases[0].agents;
    char labels[400];
    size_t found = 0;
    for (size_t i = 0; i < self->n_agents; i++)
        if (strcmp(agents[i].label, name) == 0) {
            *agent = i;
            return 0;
        }
    for (size_t i = 0; i < self->n_agents; i++)
        if (strcmp(agents[i].name, name) == 0) {
            *agent = i;
            found++;
        }
    if (found == 1)
        return 0;
    list_labels(self, found > 0 ? name : NULL, labels, sizeof labels);
    if (found == 0)
        return cli_fail(call, "%s has no agent '%.60s'; it has %s", self->path, name, labels);
    return cli_fail(call, "%s has %zu agents '%.60s'; name one by its label: %s", self->path, found, name, labels);
}
