/*
 * snapshot.c: an agent's state as bytes that travel, and the sum of two agents.
 *
 * Paper: none.
 *
 *   envelope with the agent's name | seed | run | t | state
 *
 * The fingerprint of the envelope (base/envelope.c) ties the state to problem and settings. Loading and merging build a
 * second state and put it in place only when it is whole, so a refused snapshot or a lack of memory leaves the agent as
 * it was.
 *
 * Cost: linear in the state; divergences and error terms, which belong to the problem, are not computed again.
 * Check: every single changed byte is refused (tests/unit/test_snapshot.c: damaged_snapshots_refused).
 */
#include "agent.h"

#include <stdlib.h>

static roster_envelope envelope_of(const roster_agent *agent)
{
    return (roster_envelope){agent->type->info.name, agent->fingerprint,
                             "an agent with another problem or other settings"};
}

size_t roster_agent_save(const roster_agent *agent, void *buf, size_t size)
{
    roster_writer w = {.data = buf, .size = size};
    roster_envelope envelope = envelope_of(agent);
    roster_envelope_begin(&w, &envelope);
    roster_put_u64(&w, agent->seed);
    roster_put_u64(&w, agent->run);
    roster_put_u64(&w, agent->t);
    agent->type->save(agent->state, &w);
    return roster_envelope_end(&w);
}

size_t roster_agent_memory(const roster_agent *agent)
{
    roster_writer w = {.data = NULL};
    agent->type->save(agent->state, &w);
    return w.used;
}

/* A new state from the reader's bytes. */
static int read_state(roster_agent *agent, roster_reader *r, void **state, roster_error *err)
{
    int code = roster_agent_new_state(agent, state, err);
    if (code != ROSTER_OK)
        return code;
    if (agent->type->load(*state, r) != ROSTER_OK)
        code = roster_fail_memory(err);
    else if (r->failed || !roster_reader_ended(r))
        code = roster_fail_inconsistent(err);
    if (code != ROSTER_OK)
        roster_agent_drop_state(agent, *state);
    return code;
}

void roster_agent_take_state(roster_agent *agent, void *state, uint64_t rounds)
{
    roster_agent_drop_state(agent, agent->state);
    agent->state = state;
    agent->t = rounds;
}

int roster_agent_load(roster_agent *agent, const void *buf, size_t size, roster_error *err)
{
    roster_reader r;
    uint64_t seed = agent->seed, run = agent->run;
    void *state;
    roster_envelope envelope = envelope_of(agent);
    int code = roster_envelope_open(&r, buf, size, &envelope, err);
    if (code != ROSTER_OK)
        return code;
    uint64_t saved_seed = roster_get_u64(&r), saved_run = roster_get_u64(&r), t = roster_get_u64(&r);
    roster_agent_set_stream(agent, saved_seed, saved_run);
    code = read_state(agent, &r, &state, err);
    if (code != ROSTER_OK) {
        roster_agent_set_stream(agent, seed, run);
        return code;
    }
    roster_agent_take_state(agent, state, t);
    return ROSTER_OK;
}

/* By way of its bytes. */
int roster_agent_copy_state(roster_agent *agent, void **state, roster_error *err)
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
    int code = roster_agent_copy_state(into, &state, err);
    if (code != ROSTER_OK)
        return code;
    if (into->type->merge(state, from->state) != ROSTER_OK) {
        roster_agent_drop_state(into, state);
        return roster_fail_memory(err);
    }
    roster_agent_take_state(into, state, into->t + from->t);
    return ROSTER_OK;
}
