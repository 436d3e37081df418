/*
 * direct_duel.h: random instances on which the agent `direct` meets its literal form, for the tests of it.
 */
#ifndef ROSTER_DIRECT_DUEL_H
#define ROSTER_DIRECT_DUEL_H

#include "support.h"

#include "direct_literal.h"

#include <math.h>
#include <string.h>

enum { FIVE = 5 };

/* The five rounds of SPEC section 3, so many times in a row. */
static inline roster_agent *after_spec_rounds(const roster_experts *e, const double *p, const roster_setting *settings,
                                              size_t times)
{
    roster_error err;
    roster_agent *agent;
    assert_ok(roster_agent_create(&agent, "direct", &(roster_problem){e, p, NULL}, settings, 1, 0, &err), &err);
    for (size_t t = 0; t < FIVE * times; t++)
        assert_ok(roster_agent_learn(agent, &spec_rounds[t % FIVE], &err), &err);
    return agent;
}

/* What an instance of a duel is like. */
typedef struct duel {
    instance world;
    double declared[64];
    roster_setting settings[6];
    roster_direct_problem problem;
    bool continuous;
    double meddling; /* share of rounds in which somebody else chose the expert */
} duel;

/* Actions that an expert never takes: all but `keep` of each row. */
static inline void thin_out(instance *self, roster_rng *rng, size_t keep)
{
    roster_error err;
    for (size_t row = 0; row < self->n * self->x; row++) {
        double *pi = self->pi + row * self->v, sum = 0;
        for (size_t gone = keep; gone < self->v; gone++) {
            size_t v = (size_t)roster_rng_below(rng, self->v);
            pi[v] = pi[v] < 1 ? 0 : pi[v];
        }
        for (size_t v = 0; v < self->v; v++)
            sum += pi[v];
        pi[0] = sum > 0 ? pi[0] : 1;
        for (size_t v = 0; v < self->v && sum > 0; v++)
            pi[v] /= sum;
    }
    roster_experts_free(self->experts);
    assert_ok(roster_experts_tables(&self->experts, self->n, self->x, self->v, self->pi, NULL, &err), &err);
}

static inline void start_duel(duel *d, roster_rng *rng, size_t number)
{
    *d = (duel){.continuous = number % 2 == 0, .meddling = number % 3 == 0 ? 1 : .1};
    size_t n = random_size(rng, 1, 12), x = random_size(rng, 1, number % 5 == 0 ? 60 : 6), v = random_size(rng, 2, 8);
    instance_random(&d->world, rng, n, x, v, number % 4 == 0 ? 1e-6 : .05);
    if (number % 4 >= 2)
        thin_out(&d->world, rng, number % 4 == 2 ? 1 : (v + 1) / 2);
    memcpy(d->declared, d->world.p, x * sizeof *d->declared);
    if (number % 7 >= 5) /* a wrong p, that will be rejected */
        for (size_t i = 0; i < x; i++)
            d->declared[i] = d->world.p[x - 1 - i];
    double kappa = number % 5 < 3 ? 2 * (double)n : roster_rng_uniform(rng) * 4 + .01;
    double eta = number % 6 < 4 ? 1. / 16 : roster_rng_uniform(rng);
    d->problem = (roster_direct_problem){d->world.experts, number % 3 == 1 ? NULL : d->declared, kappa, eta,
                                         number % 8 == 7 ? .01 : 0};
    d->settings[0] = (roster_setting){"kappa", kappa, NULL};
    d->settings[1] = (roster_setting){"eta", eta, NULL};
    d->settings[2] = (roster_setting){"margin", d->problem.margin, NULL};
    d->settings[3] = (roster_setting){"contexts", 0, d->problem.p != NULL ? "declared" : "learnt"};
}

/* Of the experts only so many samples are known. */
static inline roster_experts *estimate(const instance *world, roster_rng *rng, uint64_t samples)
{
    roster_error err;
    roster_estimates *counts;
    roster_experts *e;
    assert_ok(roster_estimates_create(&counts, world->n, world->x, world->v, NULL, &err), &err);
    assert_ok(roster_estimates_draw(counts, world->experts, NULL, samples, rng, &err), &err);
    assert_ok(roster_estimates_experts(counts, &e, &err), &err);
    roster_estimates_free(counts);
    return e;
}

/* How often each case was met. */
static size_t corrected, held, rejected, plain;

static inline void compare(const roster_agent *agent, roster_direct_literal *literal, size_t n)
{
    double u[64], w[64];
    roster_direct_literal_look(literal);
    roster_agent_index(agent, u);
    for (size_t i = 0; i < n; i++) {
        w[i] = (double)literal->experts[i].u;
        assert_close(u[i], w[i], 1e-9);
        corrected += literal->experts[i].corrected;
        held += literal->experts[i].held;
        plain += !literal->experts[i].corrected;
    }
    size_t k = roster_agent_choose(agent), leader = roster_leader(w, n);
    assert_true(k == leader || fabs(w[k] - w[leader]) <= 1e-11 * (1 + fabs(w[leader])));
}

static inline void play_duel(duel *d, roster_rng *rng, size_t rounds)
{
    roster_error err;
    roster_agent *agent;
    roster_direct_literal literal;
    roster_problem problem = {d->problem.experts, d->declared, NULL};
    assert_ok(roster_agent_create(&agent, "direct", &problem, d->settings, 1, 0, &err), &err);
    assert_int_equal(roster_direct_literal_init(&literal, &d->problem, rounds), ROSTER_OK);
    for (size_t t = 0; t < rounds; t++) {
        size_t k = roster_agent_choose(agent);
        if (roster_rng_uniform(rng) < d->meddling)
            k = (size_t)roster_rng_below(rng, d->world.n);
        roster_event event = random_event(&d->world, rng, k, d->continuous);
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        roster_direct_literal_add(&literal, k, event.context * d->world.v + event.action, event.reward);
        compare(agent, &literal, d->world.n);
    }
    rejected += literal.rejected;
    roster_direct_literal_fini(&literal);
    roster_agent_free(agent);
    instance_free(&d->world);
}

#endif
