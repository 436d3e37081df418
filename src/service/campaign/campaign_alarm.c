/*
 * campaign_alarm.c: episodes whose ends nobody announces: alarms, and what is told of them.
 *
 *   "restart": "alarm"    what an episode learns is watched for changes; an alarm begins another with the next decision
 *
 * Paper: none.
 *
 * An alarm is a function of what was learnt, so that it needs no record of its own: the record of the episode that it
 * begins says why, and the audit finds the same alarm, or says that there was none.
 *
 * Cost: about 450 bytes per context and action; a few operations per event, and every 32 events a look at all moments.
 * Check: tests/unit/test_service_alarms.c.
 */
#include "json_member.h"
#include "service_internal.h"

#include <stdlib.h>

static const double DELTA = 1e-3; /* ever a false alarm in an episode, at most with this probability */

int service_alarm_make(const service_campaign *c, service_episode_state *e, roster_error *err)
{
    return c->restart ? roster_alarms_create(&e->watch, e->experts, DELTA, err) : ROSTER_OK;
}

int service_alarm_learn(const service_campaign *c, service_episode_state *e, const roster_event *event,
                        roster_error *err)
{
    unsigned raised = 0;
    roster_alarm found;
    if (e->watch == NULL || e != service_present(c))
        return ROSTER_OK;
    int code = roster_alarms_learn(e->watch, event, &raised, err);
    if (raised == 0)
        return code;
    raised |= e->alarm.changed; /* another that no decision has followed yet */
    /* Where both are raised, rewards are the more that is forgotten. */
    bool rewards = (raised & ROSTER_REWARDS_CHANGED) != 0;
    roster_alarms_last(e->watch, rewards ? ROSTER_REWARDS_CHANGED : ROSTER_CONTEXTS_CHANGED, &found);
    e->alarm = (service_alarm){.why = (uint8_t)(rewards ? SERVICE_REWARDS : SERVICE_CONTEXTS),
                               .changed = (uint8_t)raised,
                               .episode = e->number,
                               .context = (uint32_t)found.context,
                               .action = (uint32_t)found.action,
                               .rounds = e->learnt + 1,
                               .before = found.before,
                               .after = found.after};
    return code;
}

/* The agent goes on with what still holds; one of other frequencies or samples is another agent, and begins anew. */
static int inherit_agent(const service_episode_state *from, service_episode_state *e, void *bytes, size_t size,
                         uint64_t run)
{
    roster_agent_save(from->agent, bytes, size);
    int code = roster_agent_load(e->agent, bytes, size, NULL);
    if (code == ROSTER_OK)
        roster_agent_forget(e->agent, from->alarm.changed, run);
    return code;
}

/* Where contexts alone have changed, what is known of who acts still holds. */
static int inherit_model(const service_campaign *c, service_episode_state *e, void *bytes, size_t size, bool anew)
{
    roster_model_test_save(service_present(c)->model, bytes, size);
    int code = roster_model_test_load(e->model, bytes, size, NULL);
    if (code == ROSTER_OK && anew)
        service_evidence_doubt(c, e);
    else if (code == ROSTER_OK)
        service_evidence_count(c, e);
    return code;
}

service_code service_alarm_inherit(const service_campaign *c, service_episode_state *e, uint64_t run,
                                   service_error *err)
{
    const service_episode_state *from = service_present(c);
    if (e->watch == NULL || from->watch == NULL) /* there is no agent, or the log is damaged */
        return SERVICE_OK;
    bool tested = from->alarm.changed == ROSTER_CONTEXTS_CHANGED && e->model != NULL && from->model != NULL;
    size_t agent = roster_agent_save(from->agent, NULL, 0), watch = roster_alarms_save(from->watch, NULL, 0);
    size_t model = tested ? roster_model_test_save(from->model, NULL, 0) : 0, most = agent > watch ? agent : watch;
    void *bytes = malloc(most > model ? most : model);
    if (bytes == NULL)
        return service_no_memory(err);
    int code = inherit_agent(from, e, bytes, agent, run);
    if (code != ROSTER_ENOMEM && tested)
        code = inherit_model(c, e, bytes, model, code != ROSTER_OK);
    /* The former watch itself would not do: it borrows experts that go with their episode. */
    if (code != ROSTER_ENOMEM) {
        roster_alarms_save(from->watch, bytes, watch);
        code = roster_alarms_load(e->watch, bytes, watch, NULL);
    }
    free(bytes);
    return code == ROSTER_ENOMEM ? service_no_memory(err) : SERVICE_OK;
}

void service_alarm_end(service_episode_state *e)
{
    roster_alarms_free(e->watch);
    e->watch = NULL;
}

void service_alarm_note(service_campaign *c, int64_t at)
{
    uint64_t n = c->counts.alarms[0] + c->counts.alarms[1];
    service_alarm alarm = service_present(c)->alarm;
    alarm.at = at;
    c->alarms[n % SERVICE_ALARMS_KEPT] = alarm;
    c->counts.alarms[alarm.why == SERVICE_REWARDS]++;
}

static void put_name(common_text *out, const char *key, const service_names *names, uint32_t i, bool known)
{
    json_member_key(out, key);
    common_put_text(out, known ? names->quoted[i] : "null");
}

static void put_alarm(common_text *out, const service_campaign *c, const service_alarm *a)
{
    bool rewards = a->why == SERVICE_REWARDS;
    json_member_open(out, NULL, '{');
    json_member_text(out, "what", service_reason_word(a->why));
    json_member_time(out, "at", a->at);
    json_member_count(out, "episode", a->episode);
    json_member_count(out, "rounds", a->rounds);
    put_name(out, "context", &c->contexts, a->context, a->context < c->x);
    put_name(out, "action", &c->actions, a->action, rewards && a->action < c->v);
    json_member_number(out, "before", a->before);
    json_member_number(out, "after", a->after);
    common_put_text(out, "}");
}

void service_alarms_json(const service_campaign *c, common_text *out)
{
    uint64_t n = c->counts.alarms[0] + c->counts.alarms[1];
    json_member_open(out, "alarms", '[');
    for (uint64_t i = n > SERVICE_ALARMS_KEPT ? n - SERVICE_ALARMS_KEPT : 0; i < n; i++)
        put_alarm(out, c, &c->alarms[i % SERVICE_ALARMS_KEPT]);
    common_put_text(out, "]");
}
