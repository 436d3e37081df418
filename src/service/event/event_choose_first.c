/*
 * event_choose_first.c: which expert decided, and its action, by the rules of roster 0.1: for the audit of records that
 * it made.
 *
 *   expert   the pinned one; else the agent's choice, or, where that one's cap is reached, the uncapped one with the
 *            largest index; else, where there is no agent or no distribution, the fallback
 *
 * A cap s was reached where plays >= s (decisions + 1), both of the present episode.
 *
 * Paper: none.
 * Check: a log of roster 0.1 passes the audit (tests/unit/test_service_first.c).
 */
#include "service_internal.h"

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

service_code service_choose_first(service_campaign *c, service_uniforms u, service_choice *choice, service_error *err)
{
    const service_episode_state *e = service_present(c);
    uint32_t k = c->pin;
    choice->how = SERVICE_PINNED;
    if (k == UINT32_MAX && e->agent != NULL) {
        choice->how = SERVICE_AGENT;
        k = (uint32_t)roster_agent_choose(e->agent);
        if (reached(c, e, k)) {
            choice->how = SERVICE_CAPPED;
            k = (uint32_t)next_best(c, e, k, c->scratch);
        }
    }
    return service_act(c, e, k, u.action, choice, err);
}
