/*
 * registry.c: the list of all agents. A new one is its file agent_NAME.c, a line here and a row in docs/paper.md; the
 * build and everything that names agents take them from this list.
 *
 * Paper: none.
 *
 * Check: an agent that is added in these three places is built, listed and tested (tools/check-agents).
 */
#include "agent.h"

/* One to a line, which lib/meson.build reads. */
#define AGENTS                                                                                                         \
    AGENT(auto)                                                                                                        \
    AGENT(ducb)                                                                                                        \
    AGENT(ducb_lite)                                                                                                   \
    AGENT(educb)                                                                                                       \
    AGENT(educb_lite)                                                                                                  \
    AGENT(direct)                                                                                                      \
    AGENT(mixture)                                                                                                     \
    AGENT(ucb)                                                                                                         \
    AGENT(klucb)                                                                                                       \
    AGENT(thompson)                                                                                                    \
    AGENT(exp4)                                                                                                        \
    AGENT(optimist)                                                                                                    \
    AGENT(oracle)                                                                                                      \
    AGENT(uniform)

#define AGENT(name) extern const roster_agent_type roster_agent_##name;
AGENTS
#undef AGENT

#define AGENT(name) &roster_agent_##name,
const roster_agent_type *const roster_agent_types[] = {AGENTS NULL};

const roster_agent_info *roster_agent_info_at(size_t i)
{
    for (size_t j = 0; roster_agent_types[j] != NULL; j++)
        if (j == i)
            return &roster_agent_types[j]->info;
    return NULL;
}

const roster_agent_info *roster_agent_stand_in(const char *name, const roster_experts *experts)
{
    const roster_agent_type *type;
    return roster_find_type(name, experts, &type, NULL) == ROSTER_OK ? &type->info : NULL;
}
