/*
 * test_lazy_index.c: a lazy index over very many experts makes the choices that the plain form makes.
 *
 * Usage: test_lazy_index [instances rounds]. Two agents meet the same events: one is told of them in batches by its
 * lazy interface, the other round by round, all indices computed after each. Events come as from a world, or are the
 * worst that the leader can meet, or all rewards are 0 for a while. In the end both know the same.
 */
#include "support.h"

#include "lazy.h"

#include <stdlib.h>
#include <string.h>

static size_t instances = 4, rounds = 1500;

/* Experts of a kind: any; the same but for a little; each several times. */
typedef enum kind { ANY, ALIKE, TWINS, KINDS } kind;

static void blend(instance *self, kind k)
{
    size_t cells = self->x * self->v;
    for (size_t i = 1; i < self->n; i++) {
        double *pi = self->pi + i * cells;
        const double *first = self->pi + (k == TWINS ? i % 16 : 0) * cells;
        for (size_t c = 0; c < cells && k == ALIKE; c++)
            pi[c] = (1 - 1e-6) * first[c] + 1e-6 * pi[c];
        if (k == TWINS && i >= 16)
            memcpy(pi, first, cells * sizeof *pi);
    }
}

/* A cell that takes most of the slack. */
static size_t worst_cell(const roster_certificate *certificate, size_t cells)
{
    size_t worst = 0;
    for (size_t c = 1; c < cells; c++)
        worst = certificate->gain[c] < certificate->gain[worst] ? c : worst;
    return worst;
}

static roster_event next_event(const instance *self, roster_rng *rng, const roster_certificate *certificate, size_t t)
{
    roster_event event = random_event(self, rng, certificate->k, t / 64 % 2 == 0);
    if (t / 32 % 4 == 1) {
        size_t cell = worst_cell(certificate, self->x * self->v);
        event =
            (roster_event){.expert = certificate->k, .context = cell / self->v, .action = cell % self->v, .reward = 1};
    }
    if (t / 32 % 8 == 3)
        event.reward = 0;
    event.propensity = 0;
    return event;
}

/* One certificate of the lazy index, round by round with the plain agent. */
static size_t play_certificate(const instance *self, roster_rng *rng, roster_lazy *lazy, roster_agent *plain,
                               double *gain, roster_batch *batch, size_t t)
{
    roster_certificate certificate = {.gain = gain};
    roster_error err;
    uint64_t b = 0;
    roster_lazy_certify(lazy, &certificate);
    for (; b < certificate.rounds && certificate.slack > 0; b++) {
        roster_event event = next_event(self, rng, &certificate, t + b);
        size_t cell = event.context * self->v + event.action, choice = roster_agent_choose(plain);
        if (choice != certificate.k)
            fail_msg("%zu experts, round %zu: the lazy index plays %zu, the plain form %zu", self->n, t + (size_t)b,
                     certificate.k, choice);
        assert_ok(roster_agent_learn(plain, &event, &err), &err);
        roster_batch_add(batch, certificate.k, cell, event.reward);
        certificate.slack += event.reward * certificate.gain[cell] - certificate.cost;
    }
    assert_ok(roster_lazy_learn(lazy, batch, &err), &err);
    roster_batch_clear(batch);
    return (size_t)b;
}

static void assert_equal_indices(const roster_agent *a, const roster_agent *b, size_t n)
{
    double *u = calloc(2 * n, sizeof *u);
    roster_agent_index(a, u);
    roster_agent_index(b, u + n);
    for (size_t i = 0; i < n; i++)
        assert_true(close_enough(u[i], u[n + i]));
    assert_int_equal(roster_agent_choose(a), roster_agent_choose(b));
    assert_int_equal(roster_agent_rounds(a), roster_agent_rounds(b));
    free(u);
}

/* Both go on round by round, the one that learnt in batches from its snapshot. */
static void go_on(const instance *self, roster_rng *rng, roster_agent *agent, roster_agent *plain)
{
    roster_error err;
    size_t size = roster_agent_save(agent, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(roster_agent_save(agent, bytes, size), size);
    roster_agent_reset(agent, 1);
    assert_ok(roster_agent_load(agent, bytes, size, &err), &err);
    for (size_t t = 0; t < 50; t++) {
        roster_event event = random_event(self, rng, roster_agent_choose(plain), true);
        event.propensity = 0;
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        assert_ok(roster_agent_learn(plain, &event, &err), &err);
        assert_int_equal(roster_agent_choose(agent), roster_agent_choose(plain));
    }
    assert_equal_indices(agent, plain, self->n);
    assert_ok(roster_agent_merge(agent, plain, &err), &err);
    assert_int_equal(roster_agent_rounds(agent), 2 * roster_agent_rounds(plain));
    free(bytes);
}

static void meet(const instance *self, double C, size_t length, uint64_t seed)
{
    roster_agent *agent, *plain;
    roster_lazy *lazy;
    roster_batch batch;
    roster_rng rng;
    roster_error err;
    size_t cells = self->x * self->v;
    double *gain = calloc(cells, sizeof *gain);
    roster_setting settings[] = {{"C", C, NULL}, {NULL, 0, NULL}};
    roster_problem problem = {self->experts, self->p, NULL};
    assert_ok(roster_agent_create(&agent, "d-ucb", &problem, settings, seed, 0, &err), &err);
    assert_ok(roster_agent_create(&plain, "d-ucb", &problem, settings, seed, 0, &err), &err);
    assert_ok(roster_lazy_create(&lazy, agent, &err), &err);
    assert_int_equal(roster_batch_init(&batch, cells), ROSTER_OK);
    roster_rng_init(&rng, seed, 1, 0);
    for (size_t c = 0; c < cells; c++)
        gain[c] = 1;
    for (size_t t = 0; t < length;)
        t += play_certificate(self, &rng, lazy, plain, gain, &batch, t);
    assert_int_equal(roster_agent_rounds(agent), 0);
    assert_ok(roster_lazy_finish(lazy, agent, &err), &err);
    assert_equal_indices(agent, plain, self->n);
    go_on(self, &rng, agent, plain);
    roster_batch_fini(&batch);
    roster_agent_free(agent);
    roster_agent_free(plain);
    free(gain);
}

static void instances_of(kind k)
{
    static const double floors[] = {.001, .02, .05}, Cs[] = {.001, .02, .3};
    roster_rng rng;
    roster_rng_init(&rng, 21 + (uint64_t)k, 0, 0);
    for (size_t i = 0; i < instances; i++) {
        instance self;
        roster_error err;
        size_t n = random_size(&rng, 64, 300), x = random_size(&rng, 1, 6), v = random_size(&rng, 2, 6);
        instance_random(&self, &rng, n, x, v, floors[i % 3] < .9 / (double)v ? floors[i % 3] : .01);
        blend(&self, k);
        roster_experts_free(self.experts);
        assert_ok(roster_experts_tables(&self.experts, n, x, v, self.pi, NULL, &err), &err);
        for (size_t c = 0; c < 3; c++)
            meet(&self, Cs[c], rounds, i);
        instance_free(&self);
    }
}

static void any_experts(void **state)
{
    (void)state;
    instances_of(ANY);
}

static void nearly_the_same_experts(void **state)
{
    (void)state;
    instances_of(ALIKE);
}

static void the_same_expert_many_times(void **state)
{
    (void)state;
    instances_of(TWINS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_experts),
        cmocka_unit_test(nearly_the_same_experts),
        cmocka_unit_test(the_same_expert_many_times),
    };
    if (argc > 2) {
        instances = (size_t)atol(argv[1]);
        rounds = (size_t)atol(argv[2]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
