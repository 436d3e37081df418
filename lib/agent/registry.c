/*
 * registry.c: the list of all agents. A new one is its file and one line here.
 *
 * Paper: none.
 */
#include "agent.h"

extern const roster_agent_type roster_agent_ducb, roster_agent_ducb_lite, roster_agent_educb, roster_agent_educb_lite,
    roster_agent_ucb, roster_agent_klucb, roster_agent_oracle, roster_agent_uniform;

const roster_agent_type *const roster_agent_types[] = {
    &roster_agent_ducb,       &roster_agent_ducb_lite, &roster_agent_educb,
    &roster_agent_educb_lite, &roster_agent_ucb,       &roster_agent_klucb,
    &roster_agent_oracle,     &roster_agent_uniform,   NULL,
};

const roster_agent_info *roster_agent_info_at(size_t i)
{
    for (size_t j = 0; roster_agent_types[j] != NULL; j++)
        if (j == i)
            return &roster_agent_types[j]->info;
    return NULL;
}
