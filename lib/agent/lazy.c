/*
 * lazy.c: the lazy interface of a whole agent.
 *
 * Paper: none.
 *
 * A lazy state is a second one, beside the agent's, so no function of the agent need know whether there is one.
 *
 * Cost: that of the type's functions.
 * Check: what every lazy interface of the registry keeps (tests/unit/test_contract.c: lazy_interfaces).
 */
#include "lazy.h"

#include <stdlib.h>

struct roster_lazy {
    const roster_agent *agent;     /* borrowed                        */
    const roster_agent_lazy *type; /* of the agent                    */
    uint64_t from, run;            /* the agent's rounds and run when this was created */
    uint64_t rounds;               /* learnt since                                  */
    void *state;                   /* owned                           */
};

bool roster_lazy_possible(const roster_agent *agent)
{
    const roster_experts *e = agent->setup.experts;
    return roster_agent_verify(agent) == 0 && agent->type->lazy != NULL && e->kind == ROSTER_TABLES &&
           e->active == e->n;
}

int roster_lazy_create(roster_lazy **out, const roster_agent *agent, roster_error *err)
{
    const roster_agent_lazy *type = agent->type->lazy;
    *out = NULL;
    roster_lazy *self = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return roster_fail_memory(err);
    *self = (roster_lazy){.agent = agent, .type = type, .from = agent->t, .run = agent->run};
    self->state = roster_alloc(1, type->state_size);
    if (self->state == NULL || type->start(self->state, agent->state) != ROSTER_OK) {
        roster_lazy_free(self);
        return roster_fail_memory(err);
    }
    *out = self;
    return ROSTER_OK;
}

void roster_lazy_free(roster_lazy *self)
{
    if (self == NULL)
        return;
    if (self->state != NULL)
        self->type->stop(self->state);
    free(self->state);
    free(self);
}

void roster_lazy_certify(roster_lazy *self, roster_certificate *certificate)
{
    self->type->certify(self->state, certificate);
}

uint64_t roster_lazy_most(const roster_lazy *self)
{
    return self->type->most != NULL ? self->type->most(self->state) : UINT64_MAX;
}

int roster_lazy_learn(roster_lazy *self, const roster_batch *batch, roster_error *err)
{
    if (self->type->learn_batch(self->state, batch) != ROSTER_OK)
        return roster_fail_memory(err);
    self->rounds += batch->n;
    return ROSTER_OK;
}

int roster_lazy_finish(roster_lazy *self, roster_agent *agent, roster_error *err)
{
    int code = ROSTER_OK;
    if (agent != self->agent || agent->t != self->from || agent->run != self->run)
        code = roster_fail(err, ROSTER_EINVAL, "the agent is not where its lazy index was started");
    else if (self->type->finish(self->state, agent->state) != ROSTER_OK)
        code = roster_fail_memory(err);
    else
        agent->t += self->rounds;
    roster_lazy_free(self);
    return code;
}
