/*
 * bench_events.c: what an event costs in process, of everything that learns events: agents, evidence, alarms.
 *
 * The events are those that `direct` would have caused on random experts (bench_many.c). All learn the same ones, in
 * turns, and agents are asked what to do before each: choose + learn. Nothing but that is timed, as a whole and in work
 * of this thread, and of all turns the median counts. Rounds in which all samples are weighted anew, or sums rebuilt,
 * are among them.
 *
 * Paper: none.
 * Check: tests/cli/bench.t.
 */
#include "bench.h"
#include "common_error.h"

#include <math.h>
#include <stdlib.h>

enum { EVENTS = 20000, MANY_EXPERTS = 1000 };

static const size_t experts_of_row[BENCH_EVENT_ROWS] = {5, 32, 256, 1000};
const char *const bench_learners[BENCH_LEARNERS] = {"d-ucb", "direct", "mixture", "evidence", "alarms"};
enum { AGENTS = 3, QUICK = 2 }; /* the first two are measured on very many experts too */

/* What learns. */
typedef struct learners {
    roster_agent *agents[AGENTS]; /* owned */
    roster_evidence *evidence;    /* owned */
    roster_alarms *alarms;        /* owned */
} learners;

static void free_learners(learners *self)
{
    for (size_t i = 0; i < AGENTS; i++)
        roster_agent_free(self->agents[i]);
    roster_evidence_free(self->evidence);
    roster_alarms_free(self->alarms);
}

static int create_learners(learners *self, const bench_instance *instance, const double *p, roster_error *err)
{
    roster_problem problem = {.experts = instance->experts, .context_probabilities = p};
    int code = ROSTER_OK;
    *self = (learners){.evidence = NULL};
    for (size_t i = 0; i < AGENTS && code == ROSTER_OK; i++) {
        code = roster_agent_create(&self->agents[i], bench_learners[i], &problem, NULL, 1, 0, err);
    }
    if (code == ROSTER_OK)
        code = roster_evidence_create(&self->evidence, instance->experts, .95, err);
    if (code == ROSTER_OK)
        code = roster_evidence_reserve(self->evidence, err);
    return code == ROSTER_OK ? roster_alarms_create(&self->alarms, instance->experts, 1e-3, err) : code;
}

/* As `direct` causes them. */
static int draw_events(const bench_instance *instance, roster_agent *agent, roster_event *events, roster_error *err)
{
    roster_rng rng;
    int code = ROSTER_OK;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_WORLD);
    for (size_t t = 0; t < EVENTS && code == ROSTER_OK; t++) {
        roster_world_round(instance->world, &rng, t + 1, roster_agent_choose(agent), &events[t]);
        code = roster_agent_learn(agent, &events[t], err);
    }
    return code;
}

static int learn(const learners *self, size_t which, const roster_event *event, roster_error *err)
{
    unsigned raised;
    if (which == AGENTS)
        return roster_evidence_learn(self->evidence, event, err);
    if (which > AGENTS)
        return roster_alarms_learn(self->alarms, event, &raised, err);
    roster_agent_choose(self->agents[which]);
    return roster_agent_learn(self->agents[which], event, err);
}

static void forget(const learners *self, size_t which)
{
    if (which == AGENTS)
        roster_evidence_reset(self->evidence);
    else if (which > AGENTS)
        roster_alarms_reset(self->alarms);
    else
        roster_agent_reset(self->agents[which], 0);
}

/* One learner, all events: ns of one. */
static int time_events(const learners *self, size_t which, const roster_event *events, double *ns, roster_error *err)
{
    int code = ROSTER_OK;
    forget(self, which);
    uint64_t began = bench_work();
    for (size_t t = 0; t < EVENTS && code == ROSTER_OK; t++)
        code = learn(self, which, &events[t], err);
    *ns = (double)(bench_work() - began) / EVENTS;
    return code;
}

static int measure(const bench_plan *plan, const learners *self, const roster_event *events, bench_events *out,
                   roster_error *err)
{
    double ns[BENCH_LEARNERS][BENCH_MOST];
    size_t n = out->experts < MANY_EXPERTS ? BENCH_LEARNERS : QUICK;
    int code = ROSTER_OK;
    for (size_t repeat = 0; repeat < plan->repeats; repeat++)
        for (size_t which = 0; which < n && code == ROSTER_OK; which++)
            code = time_events(self, which, events, &ns[which][repeat], err);
    for (size_t which = 0; which < BENCH_LEARNERS && code == ROSTER_OK; which++)
        out->ns[which] = which < n ? bench_spread_of(ns[which], plan->repeats).median : NAN;
    return code;
}

static int measure_row(const bench_plan *plan, bench_events *out, roster_event *events, roster_error *err)
{
    bench_instance instance;
    learners all = {.evidence = NULL};
    double p[BENCH_SIDE];
    for (size_t x = 0; x < BENCH_SIDE; x++)
        p[x] = 1. / BENCH_SIDE;
    int code = bench_instance_init(&instance, (size_t)out->experts, err);
    if (code == ROSTER_OK)
        code = create_learners(&all, &instance, p, err);
    if (code == ROSTER_OK)
        code = draw_events(&instance, all.agents[1], events, err);
    if (code == ROSTER_OK)
        code = measure(plan, &all, events, out, err);
    free_learners(&all);
    bench_instance_fini(&instance);
    return code;
}

int bench_measure_events(const bench_plan *plan, bench_events *out, roster_error *err)
{
    roster_event *events = calloc(EVENTS, sizeof *events);
    int code = events != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t row = 0; row < BENCH_EVENT_ROWS && code == ROSTER_OK; row++) {
        out[row] = (bench_events){.experts = experts_of_row[row], .events = EVENTS};
        code = measure_row(plan, &out[row], events, err);
    }
    free(events);
    return code;
}
