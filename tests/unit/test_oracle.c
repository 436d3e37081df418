/*
 * test_oracle.c: the running form equals the literal form at every round, on random instances.
 *
 * Usage: test_oracle [instances rounds [test]]. Every index within 1e-9, every choice identical (ties within 1e-12
 * aside).
 */
#include "support.h"

#include "lite.h"
#include "literal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* most_pairs: N^2 X V of ed-ucb's instances, whose literal error term costs as much per round. */
static size_t instances = 24, rounds = 400, most_pairs = 20000;

/* One duel between an agent and its literal form. */
typedef struct duel {
    const char *name;
    instance world;        /* the truth: contexts, actions and rewards         */
    roster_experts *known; /* what the agent is told; NULL: the truth            */
    roster_setting settings[8];
    double beta; /* 0: not a lite agent */
    bool shared, empirical, continuous;
    roster_error_bounds bounds;
    double meddling;      /* share of rounds in which somebody else chose the expert */
    roster_softmax model; /* features > 0: contexts are feature vectors              */
    bool external;
} duel;

/* How often clipping was at work, over all duels of a kind. */
static size_t clipped_duels, all_duels;

static double pick(roster_rng *rng, size_t n, const double *values)
{
    return values[roster_rng_below(rng, n)];
}

static void add_setting(duel *d, roster_setting setting)
{
    size_t i = 0;
    while (d->settings[i].name != NULL)
        i++;
    d->settings[i] = setting;
}

/* C in 0.02, 0.5, 2, theory. */
static void add_C(duel *d, roster_rng *rng)
{
    double C = pick(rng, 4, (const double[]){.02, .5, 2, 0});
    if (C > 0) {
        add_setting(d, (roster_setting){"C", C, NULL});
    } else {
        add_setting(d, (roster_setting){"C", 0, "theory"});
        add_setting(d, (roster_setting){"gamma", .1 + .8 * roster_rng_uniform(rng), NULL});
    }
}

static void start_duel(duel *d, const char *name, roster_rng *rng, size_t most_cells)
{
    *d = (duel){.name = name};
    size_t n, x, v;
    do {
        n = random_size(rng, 1, 64);
        x = random_size(rng, 1, 50);
        v = random_size(rng, 2, 50);
    } while (n * n * x * v > most_cells);
    instance_random(&d->world, rng, n, x, v, pick(rng, 3, (const double[]){.1, 1e-3, 1e-6}));
    d->continuous = roster_rng_below(rng, 2) == 1;
    d->meddling = pick(rng, 3, (const double[]){0, .2, 1});
    add_C(d, rng);
}

static void finish_duel(duel *d)
{
    instance_free(&d->world);
    roster_experts_free(d->known);
    free((void *)d->model.weights);
    free((void *)d->model.sample);
}

static roster_estimator_problem knowledge_of(const duel *d, const roster_agent *agent)
{
    return (roster_estimator_problem){.experts = d->known != NULL ? d->known : d->world.experts,
                                      .p = d->known != NULL ? NULL : d->world.p,
                                      .shared = d->shared,
                                      .empirical = d->empirical,
                                      .bounds = d->bounds,
                                      .C = roster_agent_setting(agent, "C")};
}

/* What round t brings: an event for the agent and the same as a sample for the literal form. */
typedef struct moment {
    roster_event event;
    roster_sample sample;
    double features[8], *pi, row[64];
} moment;

/* Feature contexts: the action comes from the model itself. */
static void feature_moment(const duel *d, roster_rng *rng, size_t k, moment *m)
{
    const roster_experts *e = d->known;
    for (size_t f = 0; f < d->model.features; f++)
        m->features[f] = 2 * roster_rng_uniform(rng) - 1;
    roster_experts_distribution(e, k, m->features, m->row);
    size_t v = roster_experts_draw(m->row, e->v, roster_rng_uniform(rng));
    for (size_t i = 0; i < e->n; i++) {
        roster_experts_distribution(e, i, m->features, m->row);
        m->pi[i] = m->row[v];
    }
    double u = roster_rng_uniform(rng);
    m->event = (roster_event){.expert = k, .action = v, .reward = d->continuous ? u : u < .5, .features = m->features};
    m->sample = (roster_sample){.k = k, .cell = ROSTER_NO_CELL, .pi = m->pi, .n = 1, .s = m->event.reward};
}

static void next_moment(const duel *d, roster_rng *rng, const roster_agent *agent, moment *m)
{
    bool meddle = roster_rng_uniform(rng) < d->meddling;
    size_t k = meddle ? (size_t)roster_rng_below(rng, d->world.n) : roster_agent_choose(agent);
    if (d->model.features > 0) {
        feature_moment(d, rng, k, m);
        return;
    }
    const roster_experts *e = d->known != NULL ? d->known : d->world.experts;
    m->event = random_event(&d->world, rng, k, d->continuous);
    size_t cell = m->event.context * d->world.v + m->event.action;
    m->sample = (roster_sample){.k = k, .cell = cell, .pi = e->pi + cell * e->n, .n = 1, .s = m->event.reward};
    if (d->external)
        m->event.probabilities = m->sample.pi;
}

/* The literal form of the lite rule: B and n of SPEC section 4. True if something was clipped. */
static bool literal_lite(const duel *d, roster_literal *literal, const roster_rng *stream, double *b, size_t *used)
{
    bool clipped = false;
    size_t t = literal->count, n = d->world.n, k = literal->k[t - 1], others[ROSTER_LITE_MOST];
    size_t m = (size_t)powl((long double)t, 1.0L / d->beta);
    while (powl((long double)(m + 1), d->beta) <= (long double)t * (1 + 1e-15L))
        m++;
    size_t count = t == 1 ? n : roster_lite_others(stream, t, n, k, others) + 1;
    for (size_t j = 0; j < count; j++) {
        size_t i = t == 1 ? j : j == 0 ? k : others[j - 1];
        if (used[i] <= m) {
            b[i] = roster_literal_index(literal, i, m);
            used[i] = m;
            clipped |= literal->clipped > 0;
        }
    }
    return clipped;
}

static size_t largest(const double *u, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        best = u[i] > u[best] ? i : best;
    return best;
}

static void compare(const duel *d, const roster_agent *agent, const double *expected, size_t t)
{
    double u[64];
    size_t n = d->world.n, choice = roster_agent_choose(agent), best = largest(expected, n);
    roster_agent_index(agent, u);
    for (size_t i = 0; i < n; i++)
        if (!close_enough(u[i], expected[i]))
            fail_msg("%s: round %zu, expert %zu of %zu: %.17g, literal %.17g", d->name, t, i, n, u[i], expected[i]);
    bool tie = expected[best] - expected[choice] <= 1e-12 * fmax(1, fabs(expected[best]));
    if (choice != best && !tie)
        fail_msg("%s: round %zu: chooses %zu, literal %zu", d->name, t, choice, best);
}

static void fight(duel *d)
{
    roster_error err;
    roster_agent *agent;
    roster_rng rng, stream;
    roster_literal literal;
    double expected[64] = {0}, pi[64];
    size_t used[64] = {0};
    bool clipped = false;
    roster_problem problem = {d->known != NULL ? d->known : d->world.experts, d->known != NULL ? NULL : d->world.p,
                              NULL};
    assert_ok(roster_agent_create(&agent, d->name, &problem, d->settings, 7, all_duels, &err), &err);
    roster_rng_init(&rng, 11, all_duels, 99);
    roster_rng_init(&stream, 7, all_duels, ROSTER_ROLE_AGENT);
    roster_estimator_problem known = knowledge_of(d, agent);
    assert_int_equal(roster_literal_init(&literal, &known, rounds), ROSTER_OK);
    for (size_t t = 1; t <= rounds; t++) {
        moment m = {.pi = pi};
        next_moment(d, &rng, agent, &m);
        assert_ok(roster_agent_learn(agent, &m.event, &err), &err);
        roster_literal_add(&literal, &m.sample);
        if (d->beta > 0)
            clipped |= literal_lite(d, &literal, &stream, expected, used) && t > rounds / 2;
        for (size_t i = 0; i < d->world.n && d->beta == 0; i++) {
            expected[i] = roster_literal_index(&literal, i, t);
            clipped |= t > rounds / 2 && literal.clipped > 0;
        }
        compare(d, agent, expected, t);
    }
    clipped_duels += clipped;
    all_duels++;
    roster_literal_fini(&literal);
    roster_agent_free(agent);
}

static void assert_clipping(const char *kind, double share)
{
    printf("%s: %zu of %zu instances with clipping in the second half\n", kind, clipped_duels, all_duels);
    assert_true((double)clipped_duels >= share * (double)all_duels);
}

static roster_rng begin(uint64_t seed)
{
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, 98);
    clipped_duels = all_duels = 0;
    return rng;
}

static void ducb_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(1);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "d-ucb", &rng, SIZE_MAX);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("d-ucb", .2);
}

/* Takes the actions above a random one away from some experts. */
static void make_shared(duel *d, roster_rng *rng)
{
    roster_error err;
    size_t v = d->world.v;
    roster_experts_free(d->world.experts);
    for (size_t row = 0; row < d->world.n * d->world.x; row++) {
        double *pi = d->world.pi + row * v, sum = 0;
        for (size_t a = 0; a < v; a++) {
            pi[a] = a > 0 && roster_rng_uniform(rng) < .3 ? 0 : pi[a];
            sum += pi[a];
        }
        for (size_t a = 0; a < v; a++)
            pi[a] /= sum;
    }
    assert_ok(roster_experts_tables(&d->world.experts, d->world.n, d->world.x, v, d->world.pi, NULL, &err), &err);
    d->shared = true;
    add_setting(d, (roster_setting){"support", 0, "shared"});
}

static void shared_ducb_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(2);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "d-ucb", &rng, SIZE_MAX);
        make_shared(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("d-ucb, shared support", .2);
}

/* Estimates from few samples, so that some counts are 0, and the floors that go with them. */
static void make_empirical(duel *d, roster_rng *rng)
{
    roster_error err;
    roster_estimates *counts;
    uint64_t samples = (uint64_t)pick(rng, 3, (const double[]){30, 1e4, 1e12});
    assert_ok(roster_estimates_create(&counts, d->world.n, d->world.x, d->world.v, NULL, &err), &err);
    assert_ok(roster_estimates_draw(counts, d->world.experts, d->world.p, samples, rng, &err), &err);
    assert_ok(roster_estimates_experts(counts, &d->known, &err), &err);
    roster_estimates_free(counts);
    d->empirical = true;
    d->bounds.p_V = pick(rng, 3, (const double[]){.3, .05, .002});
    d->bounds.xi = d->bounds.p_V * pick(rng, 5, (const double[]){0, 1e-6, 1e-3, .3, .95});
    d->bounds.p_X = (.1 + .9 * roster_rng_uniform(rng)) / (double)d->world.x;
    add_setting(d, (roster_setting){"p_V", d->bounds.p_V, NULL});
    add_setting(d, (roster_setting){"p_X", d->bounds.p_X, NULL});
    add_setting(d, (roster_setting){"xi", d->bounds.xi, NULL});
}

static void educb_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(3);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "ed-ucb", &rng, most_pairs);
        make_empirical(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("ed-ucb", .3);
}

static void shared_educb_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(4);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "ed-ucb", &rng, most_pairs);
        make_shared(&d, &rng);
        make_empirical(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("ed-ucb, shared support", .3);
}

static void make_lite(duel *d, roster_rng *rng)
{
    d->beta = pick(rng, 4, (const double[]){1, 1.25, 1.5, 1.75});
    add_setting(d, (roster_setting){"beta", d->beta, NULL});
}

static void ducb_lite_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(5);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "d-ucb-lite", &rng, SIZE_MAX);
        if (i % 4 == 3)
            make_shared(&d, &rng);
        make_lite(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("d-ucb-lite", .2);
}

static void educb_lite_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(9);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "ed-ucb-lite", &rng, 400000);
        if (i % 4 == 3)
            make_shared(&d, &rng);
        make_empirical(&d, &rng);
        make_lite(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("ed-ucb-lite", .3);
}

/* The world's tables give way to linear models over features, known on a sample of contexts. */
static void make_features(duel *d, roster_rng *rng)
{
    roster_error err;
    roster_softmax *m = &d->model;
    *m = (roster_softmax){
        .experts = d->world.n, .actions = d->world.v, .features = 1 + roster_rng_below(rng, 6), .samples = 20};
    m->floor = pick(rng, 2, (const double[]){0, .001});
    double *weights = malloc(m->experts * m->actions * m->features * sizeof *weights);
    double *sample = malloc(m->samples * m->features * sizeof *sample);
    for (size_t i = 0; i < m->experts * m->actions * m->features; i++)
        weights[i] = 8 * roster_rng_uniform(rng) - 4;
    for (size_t i = 0; i < m->samples * m->features; i++)
        sample[i] = 2 * roster_rng_uniform(rng) - 1;
    m->weights = weights;
    m->sample = sample;
    assert_ok(roster_experts_softmax(&d->known, m, &err), &err);
}

static void features_equal_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(6);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "d-ucb", &rng, SIZE_MAX);
        make_features(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("features", .2);
}

static void lite_features_equal_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(10);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "d-ucb-lite", &rng, SIZE_MAX);
        make_features(&d, &rng);
        make_lite(&d, &rng);
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("features, lite", .1);
}

static void empirical_features_equal_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(7);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        start_duel(&d, "ed-ucb", &rng, most_pairs);
        make_features(&d, &rng);
        d.empirical = true;
        d.bounds = (roster_error_bounds){.xi = .002, .p_V = .01, .p_X = 1.0 / 20};
        add_setting(&d, (roster_setting){"p_V", .01, NULL});
        add_setting(&d, (roster_setting){"p_X", 0, "uniform"});
        add_setting(&d, (roster_setting){"xi", .002, NULL});
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("estimated features", .2);
}

/* The caller evaluates the experts: the same numbers, passed with the event. */
static void external_equals_literal(void **state)
{
    (void)state;
    roster_rng rng = begin(8);
    for (size_t i = 0; i < instances; i++) {
        duel d;
        roster_error err;
        start_duel(&d, "d-ucb", &rng, SIZE_MAX);
        for (size_t x = 0; x < d.world.x; x++)
            d.world.p[x] = 1 / (double)d.world.x;
        assert_ok(roster_experts_external(&d.known, d.world.n, d.world.x, d.world.v, d.world.pi, NULL, &err), &err);
        d.external = true;
        fight(&d);
        finish_duel(&d);
    }
    assert_clipping("external", .2);
}

/* The oracle itself, against SPEC sections 3 and 5. */
static void literal_check_values(void **state)
{
    (void)state;
    const double expected[2][3] = {{1.32774665947924, 1.13479044097775, 0.234313704843432},
                                   {1.95260622752802, 1.62958608556417, 0.907097945855919}};
    roster_experts *e = spec_experts();
    for (int empirical = 0; empirical < 2; empirical++) {
        roster_literal literal;
        roster_estimator_problem known = {.experts = e, .p = spec_p, .empirical = empirical == 1, .C = .02};
        known.bounds = (roster_error_bounds){.xi = .001, .p_V = .05, .p_X = .2};
        assert_int_equal(roster_literal_init(&literal, &known, 5), ROSTER_OK);
        for (size_t t = 0; t < 5; t++) {
            const roster_event *r = &spec_rounds[t];
            roster_sample sample = {
                .k = r->expert, .pi = roster_experts_across(e, r->context, r->action), .n = 1, .s = r->reward};
            roster_literal_add(&literal, &sample);
        }
        for (size_t i = 0; i < 3; i++)
            assert_close(roster_literal_index(&literal, i, 5), expected[empirical][i], 1e-13);
        roster_literal_fini(&literal);
    }
    roster_experts_free(e);
}

int main(int argc, char **argv)
{
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
    if (argc >= 3) {
        instances = strtoul(argv[1], NULL, 10);
        rounds = strtoul(argv[2], NULL, 10);
        most_pairs = 60000;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_check_values),        cmocka_unit_test(ducb_equals_literal),
        cmocka_unit_test(shared_ducb_equals_literal),  cmocka_unit_test(educb_equals_literal),
        cmocka_unit_test(shared_educb_equals_literal), cmocka_unit_test(ducb_lite_equals_literal),
        cmocka_unit_test(educb_lite_equals_literal),   cmocka_unit_test(lite_features_equal_literal),
        cmocka_unit_test(features_equal_literal),      cmocka_unit_test(empirical_features_equal_literal),
        cmocka_unit_test(external_equals_literal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
