/*
 * fuzz_snapshot.c: whatever a snapshot holds, loading it is refused or leaves an agent that works.
 *
 * The first byte picks the agent, the rest is the state. Header and checksum are put right around it, so that the
 * fuzzer gets past them to the code that reads the state. A state that is taken must go on: choose, learn, save, load.
 */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

enum { N = 3, X = 2, V = 2, HEADER = 64, MOST = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double pi[N * X * V] = {.9, .1, .5, .5, .001, .999, .3, .7, .6, .4, .2, .8};
static const double across[N] = {.5, .001, .9};

static roster_agent *create(size_t which)
{
    const char *const names[] = {"d-ucb", "d-ucb-lite", "ed-ucb", "ed-ucb-lite", "kl-ucb", "uniform"};
    const roster_setting known[] = {{"C", .5, NULL}, {NULL, 0, NULL}};
    const roster_setting estimated[] = {
        {"C", .5, NULL}, {"p_V", .1, NULL}, {"p_X", .5, NULL}, {"xi", .01, NULL}, {NULL, 0, NULL}};
    static roster_experts *tables, *external;
    roster_agent *agent;
    if (tables == NULL && (roster_experts_tables(&tables, N, X, V, pi, NULL, NULL) != ROSTER_OK ||
                           roster_experts_external(&external, N, X, V, pi, NULL, NULL) != ROSTER_OK))
        abort();
    const char *name = names[which % 6];
    const roster_setting *settings = which % 6 >= 4 ? NULL : name[0] == 'e' ? estimated : known;
    roster_problem problem = {.experts = which / 6 % 2 == 0 ? tables : external};
    if (roster_agent_create(&agent, name, &problem, settings, 1, 0, NULL) != ROSTER_OK)
        abort();
    return agent;
}

static void go_on(roster_agent *agent, unsigned char *bytes)
{
    for (size_t t = 0; t < 4; t++) {
        roster_event event = {.expert = roster_agent_choose(agent),
                              .context = t % X,
                              .action = t % V,
                              .reward = .7,
                              .probabilities = across};
        if (event.expert >= N || roster_agent_learn(agent, &event, NULL) != ROSTER_OK)
            abort();
    }
    size_t size = roster_agent_save(agent, NULL, 0);
    if (size <= MOST && roster_agent_load(agent, bytes, roster_agent_save(agent, bytes, MOST), NULL) == ROSTER_ENOMEM)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[MOST];
    if (size < 1 || size > MOST - HEADER - 8)
        return 0;
    roster_agent *agent = create(data[0]);
    roster_agent_save(agent, bytes, sizeof bytes);
    memcpy(bytes + HEADER, data + 1, size - 1);
    uint64_t hash = roster_hash(ROSTER_HASH_START, bytes, HEADER + size - 1);
    roster_writer seal = {.data = bytes + HEADER + size - 1, .size = 8};
    roster_put_u64(&seal, hash);
    if (roster_agent_load(agent, bytes, HEADER + size - 1 + 8, NULL) == ROSTER_OK)
        go_on(agent, bytes);
    roster_agent_free(agent);
    return 0;
}
