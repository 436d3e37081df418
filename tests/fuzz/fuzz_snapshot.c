/*
 * fuzz_snapshot.c: whatever a snapshot holds, loading it is refused or leaves an agent, or evidence, that works.
 *
 * The first byte picks the agent (from 128 on: evidence), the rest is the state. Header and checksum are put right
 * around it, so that the fuzzer gets past them to the code that reads the state. A state that is taken must go on:
 * choose, learn, save, load.
 */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

enum { N = 3, X = 2, V = 2, HEADER = 64, MOST = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double pi[N * X * V] = {.9, .1, .5, .5, .001, .999, .3, .7, .6, .4, .2, .8};
static const double across[N] = {.5, .001, .9};

static roster_experts *tables, *external;

static void create_experts(void)
{
    if (tables == NULL && (roster_experts_tables(&tables, N, X, V, pi, NULL, NULL) != ROSTER_OK ||
                           roster_experts_external(&external, N, X, V, pi, NULL, NULL) != ROSTER_OK))
        abort();
}

static roster_agent *create(size_t which)
{
    const char *const names[] = {"d-ucb", "d-ucb-lite", "ed-ucb", "ed-ucb-lite", "kl-ucb", "uniform"};
    const roster_setting known[] = {{"C", .5, NULL}, {NULL, 0, NULL}};
    const roster_setting estimated[] = {
        {"C", .5, NULL}, {"p_V", .1, NULL}, {"p_X", .5, NULL}, {"xi", .01, NULL}, {NULL, 0, NULL}};
    roster_agent *agent;
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

/* The state into the place of that in `bytes`, behind a header of that many bytes, and sealed: the size of all. */
static size_t put(unsigned char *bytes, size_t header, const uint8_t *state, size_t size)
{
    memcpy(bytes + header, state, size);
    uint64_t hash = roster_hash(ROSTER_HASH_START, bytes, header + size);
    roster_writer seal = {.data = bytes + header + size, .size = 8};
    roster_put_u64(&seal, hash);
    return header + size + 8;
}

static void try_evidence(const uint8_t *data, size_t size, unsigned char *bytes)
{
    enum { BEFORE = 40 };
    roster_evidence *evidence;
    if (roster_evidence_create(&evidence, data[0] % 2 == 0 ? tables : external, .95, NULL) != ROSTER_OK)
        abort();
    roster_evidence_save(evidence, bytes, MOST);
    int code = roster_evidence_load(evidence, bytes, put(bytes, BEFORE, data + 1, size - 1), NULL);
    for (size_t t = 0; t < 4 && code == ROSTER_OK; t++) {
        roster_finding finding;
        roster_event event = {.expert = t % N, .context = t % X, .action = t % V, .probabilities = across};
        if (roster_evidence_learn(evidence, &event, NULL) != ROSTER_OK || roster_evidence_leader(evidence) >= N)
            abort();
        roster_evidence_find(evidence, t % N, &finding);
        roster_evidence_until_known(evidence);
    }
    roster_evidence_free(evidence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[MOST];
    create_experts();
    if (size < 1 || size > MOST - HEADER - 8)
        return 0;
    if (data[0] >= 128) {
        try_evidence(data, size, bytes);
        return 0;
    }
    roster_agent *agent = create(data[0]);
    roster_agent_save(agent, bytes, sizeof bytes);
    if (roster_agent_load(agent, bytes, put(bytes, HEADER, data + 1, size - 1), NULL) == ROSTER_OK)
        go_on(agent, bytes);
    roster_agent_free(agent);
    return 0;
}
