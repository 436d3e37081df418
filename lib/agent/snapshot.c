/*
 * snapshot.c: an agent's state as bytes that travel, and the sum of two agents.
 *
 * Paper: none.
 *
 *   "ROSTERSN" | format version | agent's name, padded to 16 | fingerprint | seed | run | t | state | checksum
 *
 * All numbers are 8 bytes, little endian. The fingerprint ties the state to problem and settings, the checksum to
 * itself. Loading and merging build a second state and put it in place only when it is whole, so a refused snapshot
 * or a lack of memory leaves the agent as it was.
 *
 * Cost: linear in the state; divergences and error terms, which belong to the problem, are not computed again.
 * Check: every single changed byte is refused (tests/unit/test_snapshot.c: damaged_snapshots_refused).
 */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'N'};
enum { FORMAT = 2, NAME_SIZE = 16, HEADER = sizeof MAGIC + 8 + NAME_SIZE + 4 * 8, CHECKSUM = 8 };

size_t roster_agent_save(const roster_agent *agent, void *buf, size_t size)
{
    char name[NAME_SIZE] = "";
    roster_writer w = {.data = buf, .size = size};
    memcpy(name, agent->type->info.name, strlen(agent->type->info.name));
    roster_put_bytes(&w, MAGIC, sizeof MAGIC);
    roster_put_u64(&w, FORMAT);
    roster_put_bytes(&w, name, sizeof name);
    roster_put_u64(&w, agent->fingerprint);
    roster_put_u64(&w, agent->seed);
    roster_put_u64(&w, agent->run);
    roster_put_u64(&w, agent->t);
    agent->type->save(agent->state, &w);
    bool fits = buf != NULL && w.used <= size && CHECKSUM <= size - w.used;
    roster_put_u64(&w, fits ? roster_hash(ROSTER_HASH_START, buf, w.used) : 0);
    return w.used;
}

static int damaged(roster_error *err, const char *why)
{
    return roster_fail(err, ROSTER_EDAMAGED, "the snapshot %s", why);
}

/* Magic, version, checksum, name and fingerprint; leaves the reader at the seed. */
static int check_envelope(const roster_agent *agent, roster_reader *r, roster_error *err)
{
    if (r->size < HEADER + CHECKSUM || memcmp(r->data, MAGIC, sizeof MAGIC) != 0)
        return damaged(err, "is not a roster snapshot: it must begin with ROSTERSN and be complete");
    r->size -= CHECKSUM;
    roster_reader end = {.data = r->data + r->size, .size = CHECKSUM};
    if (roster_get_u64(&end) != roster_hash(ROSTER_HASH_START, r->data, r->size))
        return damaged(err, "is damaged: its checksum does not fit its content");
    roster_get_bytes(r, sizeof MAGIC);
    if (roster_get_u64(r) != FORMAT)
        return damaged(err, "has a format version that this library does not read");
    const char *name = (const char *)roster_get_bytes(r, NAME_SIZE);
    if (strncmp(name, agent->type->info.name, NAME_SIZE) != 0)
        return roster_fail(err, ROSTER_EDAMAGED, "the snapshot is of agent %.16s, not of %s", name,
                           agent->type->info.name);
    if (roster_get_u64(r) != agent->fingerprint)
        return damaged(err, "is of an agent with another problem or other settings");
    return ROSTER_OK;
}

/* A new state from the reader's bytes. */
static int read_state(roster_agent *agent, roster_reader *r, void **state, roster_error *err)
{
    int code = roster_agent_new_state(agent, state, err);
    if (code != ROSTER_OK)
        return code;
    if (agent->type->load(*state, r) != ROSTER_OK)
        code = roster_fail_memory(err);
    else if (r->failed || r->used != r->size)
        code = damaged(err, "is damaged: its content is inconsistent");
    if (code != ROSTER_OK)
        roster_agent_drop_state(agent, *state);
    return code;
}

int roster_agent_load(roster_agent *agent, const void *buf, size_t size, roster_error *err)
{
    roster_reader r = {.data = buf, .size = buf != NULL ? size : 0};
    uint64_t seed = agent->seed, run = agent->run;
    void *state;
    int code = check_envelope(agent, &r, err);
    if (code != ROSTER_OK)
        return code;
    uint64_t saved_seed = roster_get_u64(&r), saved_run = roster_get_u64(&r), t = roster_get_u64(&r);
    roster_agent_set_stream(agent, saved_seed, saved_run);
    code = read_state(agent, &r, &state, err);
    if (code != ROSTER_OK) {
        roster_agent_set_stream(agent, seed, run);
        return code;
    }
    roster_agent_drop_state(agent, agent->state);
    agent->state = state;
    agent->t = t;
    return ROSTER_OK;
}

/* A copy of the agent's state, by way of its bytes. */
static int copy_state(roster_agent *agent, void **state, roster_error *err)
{
    roster_writer measure = {0};
    agent->type->save(agent->state, &measure);
    unsigned char *bytes = roster_alloc(measure.used, 1);
    if (bytes == NULL)
        return roster_fail_memory(err);
    roster_writer w = {.data = bytes, .size = measure.used};
    agent->type->save(agent->state, &w);
    roster_reader r = {.data = bytes, .size = w.used};
    int code = read_state(agent, &r, state, err);
    free(bytes);
    return code;
}

int roster_agent_merge(roster_agent *into, const roster_agent *from, roster_error *err)
{
    void *state;
    if (into->type->merge == NULL)
        return roster_fail(err, ROSTER_EINVAL, "two %s agents cannot be merged: their states cannot be added",
                           into->type->info.name);
    if (into->type != from->type)
        return roster_fail(err, ROSTER_EINVAL, "a %s agent cannot be merged into a %s agent", from->type->info.name,
                           into->type->info.name);
    if (into->fingerprint != from->fingerprint)
        return roster_fail(err, ROSTER_EINVAL, "the agents to merge differ in problem or settings");
    int code = copy_state(into, &state, err);
    if (code != ROSTER_OK)
        return code;
    if (into->type->merge(state, from->state) != ROSTER_OK) {
        roster_agent_drop_state(into, state);
        return roster_fail_memory(err);
    }
    roster_agent_drop_state(into, into->state);
    into->state = state;
    into->t += from->t;
    return ROSTER_OK;
}
