/*
 * guard.c: alarms and the test of the model beside an agent, and what it does about them.
 *
 * Paper: Beyond 17 (restarts).
 *
 * At an alarm the agent forgets what no longer holds (roster_agent_forget); at a rejection the expert stands alone
 * (roster_agent_stand_alone). The test of the model starts afresh where rewards have changed, as far as that is known:
 * at a reward alarm, or with an episode whose beginning is announced.
 *
 * An alarm counts as false unless such a change came with the present episode and was not noticed before.
 *
 * Cost: that of the two tests.
 * Check: tests/unit/test_guard.c: alarms_are_counted, who_earns_less_stands_alone.
 */
#include "guard.h"

#include <string.h>

static const double DELTA = 1e-3;

int roster_guard_init(roster_guard *self, const roster_study *study, roster_error *err)
{
    double delta = study->delta != 0 ? study->delta : DELTA;
    int code = ROSTER_OK;
    if (study->restart == ROSTER_RESTART_ALARM)
        code = roster_alarms_create(&self->alarms, study->experts, delta, err);
    if (code == ROSTER_OK && study->model_test)
        code = roster_model_test_create(&self->test, study->experts, delta, err);
    return code;
}

void roster_guard_fini(roster_guard *self)
{
    roster_alarms_free(self->alarms);
    roster_model_test_free(self->test);
}

static bool same(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Whether a cell pays otherwise; lists with the same means are taken to be the same. */
static bool pays_otherwise(const roster_world *a, const roster_world *b)
{
    size_t n = a->experts->n, cells = a->experts->x * a->experts->v;
    bool factors = a->factors != NULL && b->factors != NULL;
    return !same(a->means, b->means, cells) || (a->factors != NULL) != (b->factors != NULL) ||
           (factors && !same(a->factors, b->factors, n));
}

void roster_guard_episode(roster_guard *self, const roster_world *before, const roster_world *now)
{
    self->pending = 0;
    if (self->test != NULL && self->alarms == NULL)
        roster_model_test_reset(self->test);
    if (before == NULL)
        return;
    self->pending |= same(before->p, now->p, now->experts->x) ? 0 : ROSTER_CONTEXTS_CHANGED;
    self->pending |= pays_otherwise(before, now) ? ROSTER_REWARDS_CHANGED : 0;
}

static void count_alarm(roster_guard *self, unsigned kind, uint64_t t, roster_alarm_counts *counts)
{
    if ((self->raised & kind) == 0)
        return;
    bool right = (self->pending & kind) != 0;
    counts->raised++;
    counts->wrong += !right;
    counts->delay += right ? t : 0;
    self->pending &= ~kind;
}

static void let_stand_alone(const roster_guard *self, roster_agent *agent, roster_outcome *outcome)
{
    for (size_t k = 0; k < agent->setup.experts->n; k++) {
        roster_verdict verdict;
        roster_model_test_verdict(self->test, k, &verdict);
        if (verdict.rejected != roster_model_test_rounds(self->test))
            continue;
        outcome->rejected++;
        roster_agent_stand_alone(agent, k);
    }
}

int roster_guard_learn(roster_guard *self, roster_agent *agent, const roster_event *event, uint64_t run, uint64_t t,
                       roster_outcome *outcome, roster_error *err)
{
    int code = ROSTER_OK;
    self->raised = 0;
    self->rejects = false;
    if (self->alarms != NULL)
        code = roster_alarms_learn(self->alarms, event, &self->raised, err);
    if (code == ROSTER_OK && self->test != NULL)
        code = roster_model_test_learn(self->test, event, &self->rejects, err);
    if (code != ROSTER_OK)
        return code;
    if (self->rejects)
        let_stand_alone(self, agent, outcome);
    if (self->raised == 0)
        return ROSTER_OK;
    count_alarm(self, ROSTER_CONTEXTS_CHANGED, t, &outcome->contexts);
    count_alarm(self, ROSTER_REWARDS_CHANGED, t, &outcome->rewards);
    if (self->test != NULL && (self->raised & ROSTER_REWARDS_CHANGED) != 0)
        roster_model_test_reset(self->test);
    roster_agent_forget(agent, self->raised, run + (++self->restarts << 48));
    return ROSTER_OK;
}
