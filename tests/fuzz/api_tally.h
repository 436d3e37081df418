/*
 * api_tally.h: tallies, for fuzz_api.c, and what tells one state of an agent from another.
 */
#ifndef ROSTER_API_TALLY_H
#define ROSTER_API_TALLY_H

#include "api_input.h"

static inline uint64_t print(const roster_agent *agent)
{
    static unsigned char state[BYTES];
    size_t n = roster_agent_save(agent, state, sizeof state);
    uint64_t hash = n;
    for (size_t i = 0; i < n && n <= sizeof state; i++)
        hash = (hash ^ state[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Mostly places and numbers that fit; what is refused changes nothing. */
static inline void learn_tally(player *p)
{
    roster_error err;
    roster_agent *agent = p->agents[byte(p) % PLACES];
    roster_tally_row rows[SMALL];
    size_t n = byte(p) % (SMALL + 1);
    if (agent == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        bool any = byte(p) % 8 == 0;
        uint64_t count = any ? u64(p) : 1 + byte(p);
        rows[i] = (roster_tally_row){.expert = any ? (size_t)u64(p) : byte(p) % SMALL,
                                     .context = any ? (size_t)u64(p) : byte(p) % SMALL,
                                     .action = any ? (size_t)u64(p) : byte(p) % SMALL,
                                     .propensity = any ? number(p) : 0,
                                     .count = count,
                                     .sum = any ? number(p) : (double)count / 2,
                                     .squares = any ? number(p) : (double)count / 2};
    }
    uint64_t before = print(agent);
    double discount = byte(p) % 4 == 0 ? number(p) : 0.5;
    const roster_tally_row *given = byte(p) % 16 == 0 ? NULL : rows;
    if (check(roster_agent_learn_tally(agent, given, n, discount, &err), &err) != ROSTER_OK && print(agent) != before)
        abort();
}

#endif
