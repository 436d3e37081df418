/*
 * event_choose.c: which expert decides, and its action.
 *
 *   expert   the pinned one; else the agent's choice, where decisions that wait for their rewards count as plays
 *            (roster_agent_choose_waiting), or a draw where experts are capped; else, where there is no agent or no
 *            distribution, the fallback
 *   action   the inverse of the chosen expert's running sums at the event's uniform number (event_key.c)
 *
 * Paper: none.
 *
 * Caps. A probability of 1 is given away in the order of the indices: an expert takes what is left, but not more than
 * its cap. Experts whose indices tie share what is left equally, as far as their caps allow. What is left when all are
 * at their caps is the first one's. So no decision goes to an expert with a probability above its cap, whatever the
 * context and whatever came before. Where every expert keeps a share of the decisions (the agent's setting `verify`),
 * that is given away first, as far as the caps allow.
 *
 * Cost: that of roster_agent_choose_waiting and V additions; with caps N indices, and ln N steps per expert that is
 *       passed over.
 * Check: the choices are those of a simulated run (tests/unit/test_service_simulation.c); shares and contexts under
 *        caps, and the rule written down literally (tests/unit/test_service_choose.c).
 */
#include "service_internal.h"

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

/* ---- experts in the order of their indices: a heap, so that those who are not reached are not sorted ---- */

/* By index, the largest first, then by number; u NULL: by number alone. */
static bool comes_before(const double *u, uint32_t a, uint32_t b)
{
    return u != NULL && u[a] != u[b] ? u[a] > u[b] : a < b;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t was = *a;
    *a = *b;
    *b = was;
}

static void sink(uint32_t *heap, size_t n, size_t at, const double *u)
{
    for (size_t child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
        child += child + 1 < n && comes_before(u, heap[child + 1], heap[child]);
        if (!comes_before(u, heap[child], heap[at]))
            return;
        swap(&heap[child], &heap[at]);
    }
}

static void make_heap(uint32_t *heap, size_t n, const double *u)
{
    for (size_t i = n / 2; i-- > 0;)
        sink(heap, n, i, u);
}

/* Puts the first behind the n - 1 others. */
static void take_first(uint32_t *heap, size_t n, const double *u)
{
    swap(&heap[0], &heap[n - 1]);
    sink(heap, n - 1, 0, u);
}

/* Takes those that tie for the largest index from the heap: behind the `left` others, by number, the smallest last.
   Rounding makes no difference, as in the library. */
static size_t take_tie(uint32_t *heap, size_t n, const double *u)
{
    double high = u[heap[0]], low = high - 1e-12 * (1 + fabs(high));
    size_t left = n;
    for (; left > 0 && u[heap[0]] >= low; left--)
        take_first(heap, left, u);
    make_heap(heap + left, n - left, NULL);
    for (size_t i = n - left; i > 1; i--)
        take_first(heap + left, i, NULL);
    return left;
}

/* What expert k may take beyond the share that it keeps. */
static double room_of(const service_campaign *c, double kept, size_t k)
{
    return c->caps[k] - fmin(c->caps[k], kept);
}

/* How much each of the experts that tie may take such that they take what is left: less than this only if capped. */
static double equal_share(const service_campaign *c, double kept, const uint32_t *tied, size_t n, double left)
{
    double level = 0;
    for (size_t free = 0, before = SIZE_MAX; free != before;) {
        double taken = 0;
        before = free;
        free = 0;
        for (size_t i = n; i-- > 0;) {
            double room = room_of(c, kept, tied[i]);
            bool full = room <= level;
            taken += full ? room : 0;
            free += !full;
        }
        level = free > 0 ? (left - taken) / (double)free : level;
    }
    return level;
}

static bool is_capped(const service_campaign *c)
{
    for (size_t i = 0; c->caps != NULL && i < c->n; i++)
        if (c->caps[i] < 1)
            return true;
    return false;
}

/* The expert in whose kept share the number lies; n: in none, and it is what is left of it then. */
static size_t draw_kept(const service_campaign *c, double kept, double *number, double *left)
{
    for (size_t k = 0; kept > 0 && k < c->n; k++) {
        double part = service_expert_retired(c, k) ? 0 : fmin(c->caps[k], kept);
        if (*number < part)
            return k;
        *number -= part;
        *left -= part;
    }
    return c->n;
}

/* The expert in whose part of the probability the number lies. */
static size_t draw_capped(service_campaign *c, const service_episode_state *e, double number, service_how *how)
{
    double *u = c->scratch, left = 1;
    uint32_t *order = c->order;
    double verify = roster_agent_setting(e->agent, "verify"), kept = isnan(verify) ? 0 : verify;
    size_t first = draw_kept(c, kept, &number, &left);
    if (first < c->n)
        return first;
    roster_agent_index_waiting(e->agent, e->waiting, u);
    for (size_t i = 0; i < c->n; i++) {
        u[i] = service_expert_retired(c, i) ? -INFINITY : u[i] < 1e301 ? u[i] : 1e301; /* infinite ones have an order */
        order[i] = (uint32_t)i;
    }
    make_heap(order, c->n, u);
    for (size_t n = c->n, rest; n > 0 && u[order[0]] > -INFINITY; n = rest) {
        rest = take_tie(order, n, u);
        double share = equal_share(c, kept, order + rest, n - rest, left);
        *how = n == c->n ? SERVICE_AGENT : SERVICE_CAPPED;
        for (size_t i = n; i-- > rest;) {
            double part = fmin(room_of(c, kept, order[i]), share);
            if (number < part)
                return order[i];
            number -= part;
            left -= part;
        }
    }
    *how = SERVICE_AGENT;
    return order[c->n - 1];
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
    return service_fail(err, SERVICE_CANNOT_SAY,
                        "expert %.60s was never seen in this context, so its probabilities there are unknown%s",
                        c->experts_names.table.names[k],
                        has_fallback(c) ? "; so are the fallback's"
                                        : "; name a fallback expert, or add samples and start an episode");
}

service_code service_act(service_campaign *c, const service_episode_state *e, uint32_t k, double u,
                         service_choice *choice, service_error *err)
{
    double *pi = c->scratch;
    bool known = k < c->n && service_distribution(c, e->experts, choice, k, pi);
    if (!known && has_fallback(c)) {
        choice->how = SERVICE_FALLBACK;
        k = c->fall_back;
        known = service_distribution(c, e->experts, choice, k, pi);
    }
    if (!known)
        return cannot_say(c, e, k, err);
    choice->expert = k;
    choice->action = (uint32_t)roster_experts_draw(pi, c->v, u);
    choice->propensity = pi[choice->action];
    return SERVICE_OK;
}

/* The pinned one, or the agent's; UINT32_MAX: there is none. */
static uint32_t pick(service_campaign *c, const service_episode_state *e, double u, service_how *how)
{
    *how = c->pin == UINT32_MAX ? SERVICE_AGENT : SERVICE_PINNED;
    if (c->pin != UINT32_MAX || e->agent == NULL)
        return c->pin;
    return (uint32_t)(is_capped(c) ? draw_capped(c, e, u, how) : roster_agent_choose_waiting(e->agent, e->waiting, u));
}

service_code service_choose(service_campaign *c, const service_episode_state *e, service_uniforms u,
                            service_choice *choice, service_error *err)
{
    uint32_t k = pick(c, e, u.expert, &choice->how);
    return service_act(c, e, k, u.action, choice, err);
}

service_code service_choose_expert(service_campaign *c, const service_episode_state *e, service_uniforms u,
                                   service_choice *choice, service_error *err)
{
    choice->expert = pick(c, e, u.expert, &choice->how);
    if (choice->expert < c->n)
        return SERVICE_OK;
    if (!has_fallback(c))
        return cannot_say(c, e, choice->expert, err);
    choice->how = SERVICE_FALLBACK;
    choice->expert = c->fall_back;
    return SERVICE_OK;
}
