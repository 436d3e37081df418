/*
 * tally_stage.h: what the tests of learning tallies share: events, and their tally.
 */
#ifndef ROSTER_TALLY_STAGE_H
#define ROSTER_TALLY_STAGE_H

#include "support.h"

#include "agent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, X = 3, V = 4, EVENTS = 512, ROWS = 2 * N * X * V };

/* Random experts, events of all of them, and the tally of the events: two rows for many cells, in no order. */
typedef struct stage {
    instance world;
    roster_event events[EVENTS];
    roster_tally_row rows[ROWS];
    size_t n;
} stage;

static inline void add(stage *s, const roster_event *e, size_t half)
{
    size_t i = 0;
    while (i < s->n && !(s->rows[i].expert == e->expert && s->rows[i].context == e->context &&
                         s->rows[i].action == e->action && (s->rows[i].propensity > 0) == (half == 1)))
        i++;
    roster_tally_row *row = &s->rows[i];
    if (i == s->n) {
        double pi = roster_experts_probability(s->world.experts, e->expert, e->context, e->action);
        *row = (roster_tally_row){e->expert, e->context, e->action, half == 1 ? pi : 0, 0, 0, 0};
        s->n++;
    }
    row->count++;
    row->sum += e->reward;
    row->squares += e->reward * e->reward;
}

static inline void set_stage(stage *s, uint64_t seed, size_t events)
{
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, 0);
    instance_random(&s->world, &rng, N, X, V, .02);
    s->n = 0;
    for (size_t t = 0; t < events; t++) {
        s->events[t] = random_event(&s->world, &rng, (size_t)roster_rng_below(&rng, N), seed % 2 == 0);
        add(s, &s->events[t], (size_t)roster_rng_below(&rng, 2));
    }
}

static inline roster_agent *create_on(const stage *s, const char *name, const roster_experts *experts, uint64_t run)
{
    const roster_setting offered[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    static const double values[N] = {.1, .2, .3, .4, .5};
    roster_setting settings[SETTINGS];
    roster_error err;
    roster_agent *agent;
    roster_problem problem = {.experts = experts, .context_probabilities = s->world.p, .values = values};
    const roster_agent_info *info = roster_agent_stand_in(name, experts);
    assert_ok(roster_agent_create(&agent, name, &problem, settings_taken(info, offered, settings), 3, run, &err), &err);
    return agent;
}

static inline roster_agent *create(const stage *s, const char *name)
{
    return create_on(s, name, s->world.experts, 1);
}

static inline void learn(roster_agent *agent, const stage *s, size_t from, size_t to)
{
    roster_error err;
    for (size_t t = from; t < to; t++)
        assert_ok(roster_agent_learn(agent, &s->events[t], &err), &err);
}

static inline void warm(roster_agent *agent, const stage *s, double discount)
{
    roster_error err;
    assert_ok(roster_agent_learn_tally(agent, s->rows, s->n, discount, &err), &err);
}

static inline void assert_alike(const roster_agent *a, const roster_agent *b)
{
    double u[N], w[N];
    roster_agent_index(a, u);
    roster_agent_index(b, w);
    for (size_t i = 0; i < N; i++)
        assert_true(close_enough(u[i], w[i]));
    assert_int_equal(roster_agent_choose(a), roster_agent_choose(b));
    assert_int_equal(roster_agent_rounds(a), roster_agent_rounds(b));
}

static inline void assert_same(const roster_agent *a, const roster_agent *b)
{
    size_t size = roster_agent_save(a, NULL, 0);
    unsigned char *one = malloc(size), *other = malloc(size);
    assert_int_equal(roster_agent_save(b, NULL, 0), size);
    roster_agent_save(a, one, size);
    roster_agent_save(b, other, size);
    assert_memory_equal(one, other, size);
    free(one);
    free(other);
}

static inline bool can(const roster_agent_info *info)
{
    for (size_t i = 0; roster_agent_types[i] != NULL; i++)
        if (strcmp(roster_agent_types[i]->info.name, info->name) == 0)
            return roster_agent_types[i]->learn_tally != NULL;
    return false;
}

#endif
