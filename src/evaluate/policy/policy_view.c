/*
 * policy_view.c: what each policy would have done in an event, and what greedy learns from it.
 *
 *   greedy   in a context the action with the largest (s + m)/(n + 1), s rewards of n events before this one, m the
 *            mean of all rewards; looked up anew when the context's events have doubled. It never knows the event that
 *            it is judged by, so its value is not flattered by having learnt from it.
 *
 * Paper: none. Cost: O(1) per policy; O(actions) where all probabilities of an event are known.
 * Check: tests/unit/test_evaluation.c: greedy_*.
 */
#include "policy_internal.h"

#include "common_error.h"
#include "grow.h"

#include <math.h>
#include <stdio.h>

double policies_probability(const policies *self, size_t i, uint32_t context, uint32_t action)
{
    const policy *p = &self->list[i];
    if (p->kind == POLICY_UNIFORM)
        return action < policies_actions(self) ? 1 / (double)policies_actions(self) : 0;
    return roster_experts_probability(self->roster.experts, p->place, context, action);
}

static uint32_t action_of(const policies *self, const policy *p, const log_event *e)
{
    if (p->greedy && e->context < self->n_best && self->best[e->context] != LOG_NONE)
        return self->best[e->context];
    if (p->greedy)
        return self->best_of_all;
    return p->action != LOG_NONE ? p->action : (uint32_t)e->policies[p->place];
}

static void view_one(const policies *self, size_t i, const log_event *e, policy_view *view)
{
    const policy *p = &self->list[i];
    *view = (policy_view){.pi = 1, .most = 1, .reach = NAN, .action = LOG_NONE};
    if (p->kind == POLICY_ACTION) {
        view->action = action_of(self, p, e);
        view->pi = view->action == e->action;
    } else if (p->kind == POLICY_COLUMN) {
        view->pi = e->policies[p->place];
    } else if (p->kind == POLICY_UNIFORM) {
        view->pi = 1 / (double)(e->n_choices > 0 ? e->n_choices : policies_actions(self));
        view->most = view->pi;
    } else if (p->kind == POLICY_TABLE) {
        view->pi = policies_probability(self, i, e->context, e->action);
        view->most = self->most[p->place * self->n_contexts + e->context];
    }
}

/* The probability of any choice, where it can be told. */
static double probability_of(const policies *self, size_t i, const policy_view *view, const log_event *e, uint32_t a)
{
    const policy *p = &self->list[i];
    if (p->kind == POLICY_ACTION)
        return view->action == a;
    if (p->kind == POLICY_UNIFORM)
        return view->pi;
    return p->kind == POLICY_TABLE ? policies_probability(self, i, e->context, a) : 1;
}

/* The largest weight that this event could have had, where all probabilities are known. */
static double reach_of(const policies *self, size_t i, const policy_view *view, const log_event *e)
{
    double reach = 0;
    for (size_t c = 0; c < e->n_choices; c++)
        if (e->probabilities[c] > 0 || probability_of(self, i, view, e, e->choices[c]) > 0)
            reach = fmax(reach, probability_of(self, i, view, e, e->choices[c]) / e->probabilities[c]);
    return reach;
}

/* The same where an expert of the roster acted. */
static double reach_of_expert(const policies *self, size_t i, const policy_view *view, const log_event *e)
{
    double reach = 0;
    for (size_t v = 0; v < self->n_roster_actions; v++) {
        double pi = probability_of(self, i, view, e, (uint32_t)v);
        if (pi > 0)
            reach = fmax(reach, pi / roster_experts_probability(self->roster.experts, e->expert, e->context, v));
    }
    return view->action != LOG_NONE && view->action >= self->n_roster_actions ? INFINITY : reach;
}

static bool refuse(const policies *self, const log_event *e, char *reason, size_t size)
{
    log_labels *contexts = log_contexts(self->log);
    if (self->n_actions > 0 && e->action >= self->n_actions)
        snprintf(reason, size, "the action '%.80s' is not among the %zu that there are",
                 log_labels_name(log_actions(self->log), e->action), self->n_actions);
    else if (e->context >= self->n_contexts)
        snprintf(reason, size, "the context '%.80s' is not in the roster", log_labels_name(contexts, e->context));
    else if (e->expert == LOG_NONE)
        snprintf(reason, size, "neither a propensity nor an expert is given");
    else if (e->expert >= self->n_experts)
        snprintf(reason, size, "the expert '%.80s' is not in the roster",
                 log_labels_name(log_experts(self->log), e->expert));
    else
        snprintf(reason, size, "the expert never takes the action '%.80s' in this context",
                 log_labels_name(log_actions(self->log), e->action));
    return false;
}

/* Whether the propensity on record is what the table of the expert who acted says: then all that it could have been is
   known. */
static bool is_of_expert(const policies *self, const log_event *e)
{
    if (e->expert >= self->n_experts || e->action >= self->n_roster_actions)
        return false;
    double p = roster_experts_probability(self->roster.experts, e->expert, e->context, e->action);
    return fabs(e->propensity - p) <= 1e-9 * p;
}

bool policies_view(policies *self, log_event *e, policy_view *views, char *reason, size_t size)
{
    bool tables = self->n_experts > 0;
    if ((self->n_actions > 0 && e->action >= self->n_actions) || (tables && e->context >= self->n_contexts))
        return refuse(self, e, reason, size);
    if (tables && isnan(e->propensity) && log_has(self->log, LOG_EXPERT)) {
        if (e->expert >= self->n_experts)
            return refuse(self, e, reason, size);
        e->propensity = roster_experts_probability(self->roster.experts, e->expert, e->context, e->action);
        if (!(e->propensity > 0))
            return refuse(self, e, reason, size);
    }
    bool by_expert = tables && is_of_expert(self, e);
    for (size_t i = 0; i < self->n; i++) {
        view_one(self, i, e, &views[i]);
        if (e->probabilities != NULL && e->choices != NULL)
            views[i].reach = reach_of(self, i, &views[i], e);
        else if (by_expert && self->list[i].kind != POLICY_COLUMN)
            views[i].reach = reach_of_expert(self, i, &views[i], e);
    }
    return true;
}

static uint32_t best_in(const policies *self, uint32_t context)
{
    double mean = self->total_reward / self->total, most = -INFINITY;
    uint32_t best = LOG_NONE;
    for (uint32_t at = self->seen.contexts[context].first; at != CELLS_END; at = self->seen.list[at].next) {
        const cell *c = &self->seen.list[at];
        double value = (c->r + mean) / (c->n + 1);
        if (value > most || (value == most && c->action < best)) {
            most = value;
            best = c->action;
        }
    }
    return best;
}

static bool is_power_of_two(double n)
{
    int exponent;
    return frexp(n, &exponent) == 0.5;
}

/* Actions alone, whatever the context, are kept as one more context. */
static bool learn_in(policies *self, uint32_t context, const log_event *e, uint32_t *best)
{
    uint32_t at = cells_add(&self->seen, context, e->action);
    if (at == CELLS_END)
        return false;
    cells_count(&self->seen, at, 1, e->reward, e->squares);
    if (is_power_of_two(self->seen.contexts[context].n))
        *best = best_in(self, context);
    return true;
}

bool policies_learn(policies *self, const log_event *e)
{
    if (!self->learns)
        return true;
    if (!common_grow(&self->best, &self->best_room, (size_t)e->context + 1, sizeof *self->best))
        return false;
    for (; self->n_best <= e->context; self->n_best++)
        self->best[self->n_best] = LOG_NONE;
    self->total++;
    self->total_reward += e->reward;
    return learn_in(self, 0, e, &self->best_of_all) && learn_in(self, e->context + 1, e, &self->best[e->context]);
}
