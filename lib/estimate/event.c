/*
 * event.c: the checks that every event passes before anything learns it.
 *
 * Paper: none.
 *
 * Shapes, ranges, and that the event could have happened.
 *
 * Check: every wrong event is refused by name (tests/unit/test_agents.c: events_refused).
 */
#include "event.h"

#include <float.h>

int roster_event_check(const roster_experts *e, const roster_event *event, roster_error *err)
{
    if (event->expert >= e->n)
        return roster_fail(err, ROSTER_EINVAL, "event.expert is %zu, must be below %zu", event->expert, e->n);
    if (event->action >= e->v)
        return roster_fail(err, ROSTER_EINVAL, "event.action is %zu, must be below %zu", event->action, e->v);
    if (e->kind == ROSTER_TABLES && event->context >= e->x)
        return roster_fail(err, ROSTER_EINVAL, "event.context is %zu, must be below %zu", event->context, e->x);
    if (!(event->reward >= 0 && event->reward <= 1))
        return roster_fail(err, ROSTER_EINVAL, "event.reward is %g, must be in [0, 1]", event->reward);
    if (!(event->propensity >= 0 && event->propensity <= 1))
        return roster_fail(err, ROSTER_EINVAL, "event.propensity is %g, must be in [0, 1], 0 for unknown",
                           event->propensity);
    return ROSTER_OK;
}

static int check_probabilities(const double *pi, size_t n, roster_error *err)
{
    if (pi == NULL)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.probabilities is missing: each expert's probability of the action");
    for (size_t i = 0; i < n; i++)
        if (!(pi[i] == 0 || (pi[i] >= DBL_MIN && pi[i] <= 1)))
            return roster_fail(err, ROSTER_EINVAL, "event.probabilities[%zu] is %g, must be a probability", i, pi[i]);
    return ROSTER_OK;
}

static int check_features(const double *features, size_t d, roster_error *err)
{
    if (features == NULL)
        return roster_fail(err, ROSTER_EINVAL, "event.features is missing: the context's %zu features", d);
    for (size_t f = 0; f < d; f++)
        if (!(fabs(features[f]) <= 1e100))
            return roster_fail(err, ROSTER_EINVAL,
                               "event.features[%zu] is %g, must be a number of at most 1e100 in size", f, features[f]);
    return ROSTER_OK;
}

int roster_event_check_payload(const roster_experts *e, const roster_event *event, roster_error *err)
{
    if (e->kind == ROSTER_TABLES)
        return ROSTER_OK;
    return e->kind == ROSTER_EXTERNAL ? check_probabilities(event->probabilities, e->n, err)
                                      : check_features(event->features, e->d, err);
}

int roster_event_sample(const roster_experts *e, const roster_event *event, double *scratch, roster_sample *sample,
                        roster_error *err)
{
    int code = roster_event_check_payload(e, event, err);
    sample->cell = ROSTER_NO_CELL;
    if (e->kind == ROSTER_TABLES) {
        sample->cell = event->context * e->v + event->action;
        sample->pi = roster_experts_across(e, event->context, event->action);
    } else if (e->kind == ROSTER_EXTERNAL) {
        sample->pi = event->probabilities;
    } else {
        if (code == ROSTER_OK)
            roster_experts_across_at(e, event->features, event->action, scratch + e->n, scratch);
        sample->pi = scratch;
    }
    return code;
}

int roster_event_possible(const roster_event *event, double known, roster_error *err)
{
    if (known == 0)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.expert %zu never takes action %zu there, so the event is impossible", event->expert,
                           event->action);
    if (event->propensity > 0 && fabs(event->propensity - known) > 1e-9 * known)
        return roster_fail(err, ROSTER_EINVAL,
                           "event.propensity is %.12g, but expert %zu takes action %zu there with %.12g",
                           event->propensity, event->expert, event->action, known);
    return ROSTER_OK;
}
