/*
 * python_watch.c: what looks at the events beside an agent: evidence, the test of the model, alarms.
 *
 * Paper: none.
 *
 * They see an event after the agent has learnt it, so that a refused event changes nothing. Memory may run out between
 * the two: then they are lost until the next reset, and asking them is refused, rather than told from a part of the
 * events that nobody chose.
 *
 * After an alarm nothing that was seen of values holds any longer: evidence starts afresh. The test of the model
 * compares rewards of the same context and action, so that it starts afresh where these changed.
 *
 * Cost: that of its parts.
 * Check: tests/python/test_evidence.py.
 */
#include "python_watch.h"

#include <math.h>
#include <stdlib.h>

static const double ALARM_DELTA = 1e-3, TEST_DELTA = 1e-3;

int roster_python_watch_init(roster_python_watch *self, const roster_experts *experts, double level, bool own,
                             bool alarm)
{
    roster_error *err = roster_python_error();
    int code = ROSTER_OK;
    *self = (roster_python_watch){.experts = experts, .own = own, .own_at_first = own};
    if (!isnan(level)) {
        code = own ? roster_evidence_create_own(&self->evidence, experts, level, err)
                   : roster_evidence_create(&self->evidence, experts, level, err);
        if (code == ROSTER_OK && roster_experts_kind(experts) == ROSTER_TABLES)
            code = roster_model_test_create(&self->test, experts, TEST_DELTA, err);
    }
    if (code == ROSTER_OK && alarm)
        code = roster_alarms_create(&self->alarms, experts, ALARM_DELTA, err);
    return code;
}

void roster_python_watch_fini(roster_python_watch *self)
{
    roster_evidence_free(self->evidence);
    roster_model_test_free(self->test);
    roster_alarms_free(self->alarms);
    free(self->raised);
}

int roster_python_watch_reset(roster_python_watch *self)
{
    roster_python_watch fresh;
    const double level = self->evidence != NULL ? roster_evidence_level(self->evidence) : NAN;
    int code = roster_python_watch_init(&fresh, self->experts, level, self->own_at_first, self->alarms != NULL);
    if (code != ROSTER_OK) {
        roster_python_watch_fini(&fresh);
        self->lost = true;
        return code;
    }
    roster_python_watch_fini(self);
    *self = fresh;
    return ROSTER_OK;
}

void roster_python_watch_set_experts(roster_python_watch *self, const roster_experts *experts)
{
    roster_error *err = roster_python_error();
    bool kept = (self->evidence == NULL || roster_evidence_set_experts(self->evidence, experts, err) == ROSTER_OK) &&
                (self->test == NULL || roster_model_test_set_experts(self->test, experts, err) == ROSTER_OK) &&
                (self->alarms == NULL || roster_alarms_set_experts(self->alarms, experts, err) == ROSTER_OK);
    self->experts = experts;
    self->lost |= !kept;
}

bool roster_python_watch_keep(roster_python_watch *self, unsigned kind)
{
    if (self->n_raised == self->room) {
        size_t room = 2 * self->room + 8;
        roster_alarm *grown = realloc(self->raised, room * sizeof *grown);
        if (grown == NULL)
            return false;
        self->raised = grown;
        self->room = room;
    }
    if (roster_alarms_last(self->alarms, kind, &self->raised[self->n_raised]))
        self->n_raised++;
    return true;
}

/* What no longer holds is forgotten. */
static bool act_on(roster_python_watch *self, roster_agent *agent, unsigned changed, uint64_t run)
{
    bool kept = true;
    for (unsigned kind = ROSTER_CONTEXTS_CHANGED; kind <= ROSTER_REWARDS_CHANGED; kind <<= 1)
        if (changed & kind)
            kept = roster_python_watch_keep(self, kind) && kept;
    roster_agent_forget(agent, changed, run);
    if (self->evidence != NULL)
        roster_evidence_reset(self->evidence);
    if (self->test != NULL && (changed & ROSTER_REWARDS_CHANGED))
        roster_model_test_reset(self->test);
    return kept;
}

/* Evidence starts afresh from each expert's own rounds. */
static bool rest_on_own(roster_python_watch *self)
{
    roster_evidence *own;
    if (self->own || self->evidence == NULL)
        return true;
    double level = roster_evidence_level(self->evidence);
    if (roster_evidence_create_own(&own, self->experts, level, roster_python_error()) != ROSTER_OK)
        return false;
    roster_evidence_free(self->evidence);
    self->evidence = own;
    self->own = true;
    return true;
}

/* An expert that earns more or less than its actions explain stands on its own plays from now on, and so does evidence,
   which would carry its rewards over to others. */
static bool judge(roster_python_watch *self, roster_agent *agent)
{
    roster_verdict verdict;
    bool doubts = false;
    for (size_t k = 0; k < roster_experts_count(self->experts); k++) {
        roster_model_test_verdict(self->test, k, &verdict);
        if (verdict.rejected == 0)
            continue;
        roster_agent_stand_alone(agent, k);
        doubts = true;
    }
    return !doubts || rest_on_own(self);
}

void roster_python_watch_learn(roster_python_watch *self, roster_agent *agent, const roster_event *event, uint64_t run)
{
    unsigned changed = 0;
    bool rejects = false;
    roster_error *err = roster_python_error();
    if (self->lost)
        return;
    bool kept = (self->evidence == NULL || roster_evidence_learn(self->evidence, event, err) == ROSTER_OK) &&
                (self->test == NULL || roster_model_test_learn(self->test, event, &rejects, err) == ROSTER_OK) &&
                (self->alarms == NULL || roster_alarms_learn(self->alarms, event, &changed, err) == ROSTER_OK);
    if (kept && rejects)
        kept = judge(self, agent);
    if (changed != 0)
        kept = act_on(self, agent, changed, run) && kept;
    self->lost = !kept;
}

int roster_python_watch_same(const roster_python_watch *into, const roster_python_watch *from)
{
    if (into->evidence == NULL || from->evidence == NULL)
        return ROSTER_OK;
    double level = roster_evidence_level(into->evidence), other = roster_evidence_level(from->evidence);
    if (level == other)
        return ROSTER_OK;
    return roster_python_fail(ROSTER_EINVAL, "the agent to merge has level %g, must be %g as here", other, level);
}

/* Where one of them doubts an expert, evidence of both is that of own rounds; what the other had pooled is left out. */
int roster_python_watch_merge(roster_python_watch *into, roster_agent *agent, const roster_python_watch *from)
{
    roster_error *err = roster_python_error();
    int code = !from->own || rest_on_own(into) ? ROSTER_OK : ROSTER_ENOMEM;
    if (code == ROSTER_OK && into->evidence != NULL && from->evidence != NULL && into->own == from->own)
        code = roster_evidence_merge(into->evidence, from->evidence, err);
    if (code == ROSTER_OK && into->test != NULL && from->test != NULL) {
        code = roster_model_test_merge(into->test, from->test, err);
        if (code == ROSTER_OK && !judge(into, agent))
            code = ROSTER_ENOMEM;
    }
    into->lost |= from->lost || code != ROSTER_OK;
    return code;
}
