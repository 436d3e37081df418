/*
 * choose.c: who decides, and what.
 *
 *   expert   the pinned one; else the agent's choice, or, where that one's cap is reached, the uncapped one with the
 *            largest index; else, where there is no agent or no distribution, the fallback
 *   action   the inverse of the chosen expert's running sums at the event's uniform number (key.c)
 *
 * Paper: none.
 *
 * A cap s is reached where plays >= s (decisions + 1), both of the present episode: the share of an expert exceeds its
 * cap by less than one decision.
 *
 * Cost: that of roster_agent_choose and V additions; with caps an index per expert where one is reached.
 * Check: the choices are those of a simulated run (tests/unit/test_service_simulation.c).
 */
#include "engine.h"

bool service_distribution(const service_campaign *c, const roster_experts *experts, const service_choice *choice,
                          uint32_t k, double *pi)
{
    if (c->kind == ROSTER_SOFTMAX) {
        roster_experts_distribution(experts, k, choice->numbers, pi);
        return true;
    }
    bool some = false;
    for (size_t a = 0; a < c->v; a++) {
        pi[a] = c->kind == ROSTER_EXTERNAL ? choice->numbers[k * c->v + a]
                                           : roster_experts_probability(experts, k, choice->context, a);
        some |= pi[a] > 0;
    }
    return some;
}

static bool reached(const service_campaign *c, const service_episode_state *e, size_t k)
{
    return c->caps != NULL && c->caps[k] < 1 && !((double)e->plays[k] < c->caps[k] * (double)(e->decisions + 1));
}

/* The first of the largest indices among the experts whose cap is not reached. */
static size_t next_best(const service_campaign *c, const service_episode_state *e, size_t k, double *u)
{
    size_t best = c->n;
    roster_agent_index(e->agent, u);
    for (size_t i = 0; i < c->n; i++)
        if (!reached(c, e, i) && (best == c->n || u[i] > u[best]))
            best = i;
    return best < c->n ? best : k;
}

static bool has_fallback(const service_campaign *c)
{
    return c->fall_back != UINT32_MAX;
}

static service_code cannot_say(const service_campaign *c, const service_episode_state *e, uint32_t k,
                               service_error *err)
{
    if (k >= c->n)
        return service_fail(err, SERVICE_CANNOT_SAY,
                            "campaign %s has no agent in episode %u, since its samples do not suffice, and no fallback "
                            "expert; add samples and start an episode, or name a fallback",
                            c->name, e->number);
    return service_fail(
        err, SERVICE_CANNOT_SAY, "expert %.60s was never seen in this context, so what it does there is not known%s",
        c->experts_names.names[k], has_fallback(c) ? ", and the fallback's neither" : "; name a fallback expert");
}

service_code service_choose(const service_campaign *c, service_key key, service_choice *choice, service_error *err)
{
    const service_episode_state *e = service_present(c);
    double *pi = c->scratch;
    uint32_t k = c->pin;
    choice->how = SERVICE_PINNED;
    if (k == UINT32_MAX && e->agent != NULL) {
        choice->how = SERVICE_AGENT;
        k = (uint32_t)roster_agent_choose(e->agent);
        if (reached(c, e, k)) {
            choice->how = SERVICE_CAPPED;
            k = (uint32_t)next_best(c, e, k, pi);
        }
    }
    bool known = k < c->n && service_distribution(c, e->experts, choice, k, pi);
    if (!known && has_fallback(c)) {
        choice->how = SERVICE_FALLBACK;
        k = c->fall_back;
        known = service_distribution(c, e->experts, choice, k, pi);
    }
    if (!known)
        return cannot_say(c, e, k, err);
    choice->expert = k;
    choice->action = (uint32_t)roster_experts_draw(pi, c->v, service_key_uniform(key, c->seed));
    choice->propensity = pi[choice->action];
    return SERVICE_OK;
}
