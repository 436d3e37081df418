/*
 * campaign_episode.c: episodes of a campaign: each a fresh agent on the same experts.
 *
 * Paper: none.
 *
 *   agent of episode e: the stream (draws, run e 2^48), as a simulated run 0 has it where the campaign's stream is ""
 *   context probabilities: as declared; or the frequencies of all decisions before the episode; or uniform
 *   experts known from samples alone: the relative frequencies of the samples there are when the episode starts
 *
 *   "warm_start" is learnt by the agent of the first episode, before its first decision
 *
 * A past episode keeps its agent while events of it are open, so that their rewards are learnt where they belong. The
 * experts and what learns about them never change within an episode.
 *
 * Check: tests/unit/test_service_episodes.c.
 */
#include "campaign_shadow.h"

#include <stdlib.h>
#include <string.h>

service_episode_state *service_episode_find(const service_campaign *c, uint32_t number)
{
    for (size_t i = c->n_episodes; i-- > 0;)
        if (c->episodes[i].number == number)
            return &c->episodes[i];
    return NULL;
}

void service_episode_free(service_episode_state *e)
{
    roster_agent_free(e->agent);
    service_evidence_free(e);
    service_watch_free(e->shadow);
    roster_experts_free(e->made);
    free(e->p);
    free(e->counts);
    free(e->plays);
    free(e->waiting);
}

bool service_is_estimated(const service_campaign *c)
{
    return c->roster != NULL && c->roster->experts == NULL;
}

/* Streams of episodes are 2^48 runs apart. */
static uint64_t run_of(uint32_t number)
{
    return (uint64_t)number << 48 | number >> 16;
}

/* Whether the settings alone are wrong: an agent on experts that are known completely is refused too. */
static service_code try_settings(const service_campaign *c, service_error *err)
{
    size_t n = c->n * c->x * c->v;
    double *pi = calloc(n, sizeof *pi);
    roster_experts *experts = NULL;
    roster_agent *agent = NULL;
    roster_error wrong;
    if (pi == NULL)
        return service_no_memory(err);
    for (size_t i = 0; i < n; i++)
        pi[i] = 1 / (double)c->v;
    int code = roster_experts_tables(&experts, c->n, c->x, c->v, pi, NULL, &wrong);
    roster_problem problem = {experts, c->p, NULL};
    if (code == ROSTER_OK)
        code = roster_agent_create(&agent, c->agent->name, &problem, c->settings, c->draws, 0, &wrong);
    roster_agent_free(agent);
    roster_experts_free(experts);
    free(pi);
    return code == ROSTER_OK ? SERVICE_OK : service_pass(&wrong, SERVICE_INVALID, err);
}

void service_episode_weigh(service_episode_state *e)
{
    if (e->learnt < e->count_again)
        return;
    e->agent_bytes = roster_agent_memory(e->agent);
    e->count_again = e->learnt + e->learnt / 4 + 1024;
}

/* The first episode's agent learns what the campaign's log says. Evidence, alarms and the test of the model start
   empty: they rest on decisions of this service alone. */
static service_code warm_up(const service_campaign *c, service_episode_state *e, service_error *err)
{
    roster_error wrong;
    if (e->number > 0 || c->warm.rows == NULL)
        return SERVICE_OK;
    int code = roster_agent_learn_tally(e->agent, c->warm.rows, c->warm.n, c->warm.discount, &wrong);
    if (code == ROSTER_ENOMEM)
        return service_no_memory(err);
    return code == ROSTER_OK ? SERVICE_OK : service_fail(err, SERVICE_INVALID, "campaign: warm_start: %s", wrong.msg);
}

service_code service_episode_make(const service_campaign *c, service_episode_state *e, service_error *err)
{
    service_code code = SERVICE_OK;
    roster_error wrong;
    if (service_is_estimated(c))
        code = service_roster_made(c->roster, e->counts, &e->made, err);
    if (code != SERVICE_OK)
        return code;
    e->experts = e->made != NULL ? e->made : c->roster != NULL ? c->roster->experts : c->own;
    roster_problem problem = {e->experts, e->prior == SERVICE_SEEN ? e->p : c->p, NULL};
    int made =
        roster_agent_create(&e->agent, c->agent->name, &problem, c->settings, c->draws, run_of(e->number), &wrong);
    if (made == ROSTER_OK)
        made = service_evidence_make(c, e, &wrong);
    if (made == ROSTER_OK) {
        code = warm_up(c, e, err);
        if (code == SERVICE_OK)
            service_episode_weigh(e);
        return code;
    }
    if (made == ROSTER_ENOMEM)
        return service_no_memory(err);
    if (e->number > 0)
        return SERVICE_OK;
    if (!service_is_estimated(c))
        return service_fail(err, SERVICE_INVALID, "campaign: agent: %s", wrong.msg);
    if (c->warm.rows != NULL)
        return service_fail(err, SERVICE_INVALID, "campaign: warm_start needs an agent from the start: %s", wrong.msg);
    return try_settings(c, err);
}

/* Frequencies of contexts so far. */
static bool take_frequencies(const service_campaign *c, service_episode_state *e)
{
    double total = 0;
    for (size_t x = 0; x < c->x; x++)
        total += (double)c->seen[x];
    e->prior = total > 0 ? SERVICE_SEEN : SERVICE_UNIFORM;
    if (total == 0)
        return true;
    e->p = calloc(c->x, sizeof *e->p);
    for (size_t x = 0; e->p != NULL && x < c->x; x++)
        e->p[x] = (double)c->seen[x] / total;
    return e->p != NULL;
}

/* What the episode starts from; false: no memory. */
static bool take_knowledge(const service_campaign *c, const uint64_t *counts, service_episode_state *e)
{
    size_t cells = c->n * c->x * c->v;
    e->plays = calloc(c->n, sizeof *e->plays);
    e->waiting = calloc(c->n, sizeof *e->waiting);
    if (e->plays == NULL || e->waiting == NULL || (c->prior == SERVICE_SEEN && !take_frequencies(c, e)))
        return false;
    if (!service_is_estimated(c))
        return true;
    e->counts = calloc(cells, sizeof *e->counts);
    if (e->counts != NULL)
        memcpy(e->counts, counts != NULL ? counts : c->roster->counts, cells * sizeof *e->counts);
    return e->counts != NULL;
}

static bool reserve(service_campaign *c)
{
    return common_grow(&c->episodes, &c->episodes_room, c->n_episodes + 1, sizeof *c->episodes);
}

service_past service_episode_figures(const service_episode_state *e)
{
    return (service_past){e->number, e->reason, e->prior, e->at, e->decisions, e->learnt, e->reward};
}

void service_episode_sweep(service_campaign *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n_episodes; i++) {
        service_episode_state *e = &c->episodes[i];
        if (i + 1 == c->n_episodes || e->open > 0) {
            c->episodes[kept++] = *e;
            continue;
        }
        c->past[e->number % SERVICE_EPISODES_KEPT] = service_episode_figures(e);
        service_episode_free(e);
    }
    c->n_episodes = kept;
}

void service_episode_date(service_campaign *c, int64_t at)
{
    service_present(c)->at = at;
    c->next = service_rules_next(&c->rules, at);
}

void service_episodes_free(service_campaign *c)
{
    for (size_t i = 0; i < c->n_episodes; i++)
        service_episode_free(&c->episodes[i]);
    c->n_episodes = 0;
}

service_code service_episode_take(const service_campaign *c, service_reason reason, const uint64_t *counts, int64_t at,
                                  service_episode_state *out, service_error *err)
{
    *out = (service_episode_state){.reason = (uint8_t)reason, .prior = (uint8_t)c->prior, .at = at};
    out->number = c->n_episodes > 0 ? service_present(c)->number + 1 : 0;
    if (out->number == UINT32_MAX)
        return service_fail(err, SERVICE_LIMIT, "campaign %s has had 4294967295 episodes, the most that is allowed",
                            c->name);
    if (take_knowledge(c, counts, out))
        return SERVICE_OK;
    service_episode_free(out);
    *out = (service_episode_state){0};
    return service_no_memory(err);
}

service_code service_episode_draft(service_campaign *c, service_reason reason, const uint64_t *counts, int64_t at,
                                   service_episode_state *out, service_error *err)
{
    if (!reserve(c))
        return service_no_memory(err);
    service_code code = service_episode_take(c, reason, counts, at, out, err);
    if (code != SERVICE_OK)
        return code;
    code = service_episode_make(c, out, err);
    if (code == SERVICE_OK)
        code = service_watch_fit(c, out, err);
    if (code == SERVICE_OK && reason >= SERVICE_CONTEXTS)
        code = service_alarm_inherit(c, out, run_of(out->number), err);
    if (code != SERVICE_OK)
        service_episode_free(out);
    return code;
}

void service_episode_begin(service_campaign *c, const service_episode_state *draft)
{
    int64_t at = draft->at;
    service_episode_state *to = &c->episodes[c->n_episodes];
    *to = *draft;
    if (c->n_episodes > 0)
        service_alarm_end(to - 1);
    c->n_episodes++;
    service_episode_date(c, at);
    c->counts.episodes++;
    service_forget(c, at);
    service_episode_sweep(c);
}

service_code service_apply_episode(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_episode_state made, *draft = r->draft != NULL ? r->draft : &made;
    uint32_t number = service_present(c)->number + 1;
    service_code code = SERVICE_OK;
    if (r->episode != number)
        return service_differs(self, "episode", err, "is %u, must be %u", r->episode, number);
    if (r->reason >= SERVICE_CONTEXTS && r->reason != service_present(c)->alarm.why)
        return service_differs(self, "reason", err, "is %s, but what was learnt raises no such alarm",
                               service_reason_word(r->reason));
    if (r->draft == NULL)
        code = service_episode_draft(c, (service_reason)r->reason, NULL, r->at, draft, err);
    else if (!reserve(c)) /* others may have begun since it was made */
        code = service_no_memory(err);
    if (code == SERVICE_OK) /* the mode may have changed since it was made */
        code = service_watch_fit(c, draft, err);
    if (code != SERVICE_OK)
        return code;
    if (r->reason >= SERVICE_CONTEXTS)
        service_alarm_note(c, r->at);
    service_episode_begin(c, draft);
    const service_episode_state *e = service_present(c);
    if (self->verify && (r->prior != e->prior || r->flag != (e->agent != NULL)))
        return service_differs(self, "prior", err, "is %u, must be %u", r->prior, e->prior);
    r->prior = e->prior;
    r->flag = e->agent != NULL;
    r->draft = NULL;
    return SERVICE_OK;
}

/* The oldest of too many live episodes lets go of its open events. */
static service_code make_way(service *self, service_campaign *c, int64_t now, service_error *err)
{
    service_code code = SERVICE_OK;
    while (code == SERVICE_OK && c->n_episodes >= SERVICE_EPISODES_LIVE && c->table.head < c->table.end)
        code = self->pace > 0 ? service_close_early(self, c, c->episodes[0].open, SERVICE_CLOSE_EARLY, now, err)
                              : service_episode_busy(c, err);
    return code;
}

service_code service_episode_start(service *self, service_campaign *c, service_reason reason, int64_t now,
                                   service_episode_state *draft, service_error *err)
{
    service_record r = {
        .kind = SERVICE_RECORD_EPISODE, .campaign = c->number, .at = now, .reason = (uint8_t)reason, .draft = draft};
    service_code code = make_way(self, c, now, err);
    r.episode = service_present(c)->number + 1;
    if (code == SERVICE_OK)
        code = service_do(self, &r, err);
    if (r.draft != NULL)
        service_episode_free(r.draft);
    return code;
}

bool service_episode_waits(const service_campaign *c)
{
    return c->n_episodes >= SERVICE_EPISODES_LIVE && c->episodes[0].open > SERVICE_CLOSE_MOST;
}

bool service_episode_fits(const service *self, const service_campaign *c)
{
    return c->n_episodes < SERVICE_EPISODES_LIVE || c->episodes[0].open <= service_closable(self, c);
}

service_code service_episode_busy(const service_campaign *c, service_error *err)
{
    return service_fail(err, SERVICE_BUSY,
                        "campaign %s has %d episodes with open events, of which the oldest are being closed: ask "
                        "again in a second",
                        c->name, SERVICE_EPISODES_LIVE);
}

bool service_episode_is_due(const service_campaign *c, int64_t now, service_reason *why)
{
    const service_episode_state *e = service_present(c);
    *why = now >= c->next ? SERVICE_SCHEDULED : e->alarm.why != 0 ? (service_reason)e->alarm.why : SERVICE_ROUNDS;
    return now >= c->next || e->alarm.why != 0 || (c->rules.rounds > 0 && e->decisions >= c->rules.rounds);
}
