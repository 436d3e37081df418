/*
 * choice.c: which expert acts next, and with what probability each could have been the one.
 *
 * Paper: Beyond 16 (verify).
 *
 *   verify = s > 0: with probability N s any expert, all equally likely, else the one B that the agent itself chooses
 *   P(k | B) = s + (1 - N s) 1{k = B}                                          N: experts that are not retired
 *
 * For worlds in which the reward depends on who acts: every expert keeps at least the share s of the plays, whatever is
 * thought of it, so that its own rewards can contradict. One uniform number u decides: below N s the expert is
 * floor(u / s) and the rest of u is what the agent would have drawn by, else the rest of u is. So B does not depend on
 * whether it is played, and the probabilities hold given all that was known and B. choose() takes u from the agent's
 * stream, from a block that belongs to the round and to nothing else: choosing stays a read.
 *
 * Cost: that of the agent's own choice; N for the probabilities.
 * Check: tests/unit/test_choice.c: shares_are_kept.
 */
#include "waiting.h"

static const uint64_t VERIFY_BLOCKS = UINT64_C(1) << 62; /* of the stream, beyond those of the rounds */

double roster_agent_verify(const roster_agent *agent)
{
    double share = agent->settings.verify.number;
    return share > 0 ? share : 0; /* NAN: the agent has no such setting */
}

/* u of the next round. */
static double own_number(const roster_agent *agent)
{
    roster_rng rng = agent->stream;
    roster_rng_seek(&rng, VERIFY_BLOCKS + agent->t);
    return roster_rng_uniform(&rng);
}

/* Whether u draws one of all experts, which it is, and what is left of u. */
static bool verifies(const roster_agent *agent, double u, size_t *k, double *rest)
{
    const roster_experts *e = agent->setup.experts;
    double share = roster_agent_verify(agent), n = (double)e->active;
    *rest = u;
    if (share == 0 || !(u >= 0 && u < 1))
        return false;
    bool any = u < n * share;
    *rest = any ? u / share : (u - n * share) / (1 - n * share);
    if (any) {
        size_t j = *rest < n ? (size_t)*rest : e->active - 1;
        *rest -= (double)j;
        *k = roster_experts_active_at(e, j);
    }
    return any;
}

static size_t own_choice(const roster_agent *agent, const uint64_t *waiting, double u)
{
    const roster_agent_type *type = agent->type;
    bool waits = waiting != NULL && type->choose_waiting != NULL;
    return waits ? type->choose_waiting(agent->state, waiting, u) : type->choose(agent->state);
}

size_t roster_agent_choose(const roster_agent *agent)
{
    size_t k;
    double rest;
    if (roster_agent_verify(agent) > 0 && verifies(agent, own_number(agent), &k, &rest))
        return k;
    return agent->type->choose(agent->state);
}

size_t roster_agent_choose_waiting(const roster_agent *agent, const uint64_t *waiting, double u)
{
    size_t k;
    double rest;
    return verifies(agent, u, &k, &rest) ? k : own_choice(agent, waiting, rest);
}

static void spread(const roster_agent *agent, size_t own, double *p)
{
    const roster_experts *e = agent->setup.experts;
    double share = roster_agent_verify(agent), rest = 1 - (double)e->active * share;
    for (size_t k = 0; k < e->n; k++)
        p[k] = roster_is_retired(e, k) ? 0 : share;
    p[own] += rest > 0 ? rest : 0;
}

void roster_agent_choice(const roster_agent *agent, double *p)
{
    if (agent->type->drawn_by_index)
        agent->type->index(agent->state, p);
    else
        spread(agent, agent->type->choose(agent->state), p);
}

void roster_agent_choice_waiting(const roster_agent *agent, const uint64_t *waiting, double u, double *p)
{
    size_t k;
    double rest;
    verifies(agent, u, &k, &rest);
    if (agent->type->drawn_by_index)
        agent->type->index(agent->state, p);
    else
        spread(agent, own_choice(agent, waiting, rest), p);
}
