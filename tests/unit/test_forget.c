/*
 * test_forget.c: what agents keep and what they forget after an alarm, and when an expert stands alone. `direct` is
 * compared with its formulas, from the rounds that each part of it should still know.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3, X = 3, V = 2, CELLS = X * V, ROUNDS = 4000 };

/* The rounds that each part knows. */
typedef struct knowledge {
    roster_event cells[ROUNDS], contexts[ROUNDS], plays[ROUNDS];
    size_t n_cells, n_contexts, n_plays, rounds;
} knowledge;

static instance world;
static roster_rng rng;
static knowledge known;

static int setup(void **state)
{
    (void)state;
    roster_rng_init(&rng, 9, 0, 0);
    instance_random(&world, &rng, N, X, V, .2);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    instance_free(&world);
    return 0;
}

typedef struct pooled {
    double n[CELLS], s[CELLS], q[CELLS], W[X], m0;
} pooled;

static void pool(const knowledge *k, pooled *p)
{
    size_t power = 1;
    double sum = 0;
    *p = (pooled){.m0 = .5};
    while (power * 2 <= k->n_cells)
        power *= 2;
    for (size_t i = 0; i < k->n_cells; i++) {
        size_t c = k->cells[i].context * V + k->cells[i].action;
        double y = k->cells[i].reward;
        p->n[c]++;
        p->s[c] += y;
        p->q[c] += y * y;
        sum += y;
        if (i + 1 == power)
            p->m0 = (sum + 5) / ((double)power + 10);
    }
    for (size_t x = 0; x < X; x++)
        p->W[x] = .5 / ((double)k->n_contexts + X / 2.);
    for (size_t i = 0; i < k->n_contexts; i++)
        p->W[k->contexts[i].context] += 1 / ((double)k->n_contexts + X / 2.);
}

static double ell(double t)
{
    return t > 1 ? log(1 + t * log(t) * log(t)) : 0;
}

/* D_i of cells that are not thin. */
static double from_cells(const pooled *p, size_t i, double rounds)
{
    double mu = 0, VV = 0, B = 0, z = 0;
    for (size_t c = 0; c < CELLS; c++) {
        assert_true(p->n[c] >= 3);
        double w = p->W[c / V] * world.pi[i * CELLS + c], u = 1 / (p->n[c] + 1);
        double zc = (p->q[c] - p->s[c] * p->s[c] / p->n[c] + .25) * u;
        mu += w * (p->s[c] + p->m0) * u;
        VV += w * w * zc * u;
        B += w * w * u * u;
        z += w * zc;
    }
    double L = fmax(fmax(log((rounds + 1) * VV / (2 * N * z)), 0), ell(rounds) / 16);
    return mu + sqrt(fmax(2 * L * VV + (L * L - L / 2) * B, 0));
}

/* A_i. */
static double from_plays(const knowledge *k, size_t i)
{
    double n = 0, s = 0;
    for (size_t t = 0; t < k->n_plays; t++)
        if (k->plays[t].expert == i) {
            n++;
            s += k->plays[t].reward;
        }
    return n > 0 ? s / n + sqrt(ell((double)k->rounds) / (2 * n)) : INFINITY;
}

static void assert_index(const roster_agent *agent, const knowledge *k, size_t alone)
{
    double u[N];
    pooled p;
    roster_agent_index(agent, u);
    pool(k, &p);
    for (size_t i = 0; i < N; i++) {
        double own = i == alone ? INFINITY : from_cells(&p, i, (double)k->rounds);
        assert_close(u[i], fmin(own, from_plays(k, i)), 1e-9);
    }
}

static roster_agent *create(const char *name, const double *p)
{
    roster_error err;
    roster_agent *agent;
    const double values[N] = {.1, .2, .3};
    const roster_setting offered[] = {
        {"p_V", .01, NULL}, {"p_X", .2, NULL}, {"xi", 1e-4, NULL}, {"horizon", 1e4, NULL}, {NULL, 0, NULL}};
    roster_setting settings[SETTINGS];
    const roster_agent_info *info = NULL;
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++)
        info = strcmp(roster_agent_info_at(i)->name, name) == 0 ? roster_agent_info_at(i) : info;
    assert_ok(roster_agent_create(&agent, name, &(roster_problem){world.experts, p, values},
                                  settings_taken(info, offered, settings), 1, 0, &err),
              &err);
    return agent;
}

static void learn(roster_agent *agent, knowledge *k, size_t rounds, size_t alone)
{
    roster_error err;
    for (size_t t = 0; t < rounds; t++) {
        roster_event e = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
        assert_ok(roster_agent_learn(agent, &e, &err), &err);
        k->plays[k->n_plays++] = e;
        k->rounds++;
        if (e.expert == alone)
            continue;
        k->cells[k->n_cells++] = e;
        k->contexts[k->n_contexts++] = e;
    }
}

static void contexts_are_forgotten(void **state)
{
    (void)state;
    for (int declared = 0; declared < 2; declared++) { /* a declared p is not used after it changed */
        roster_agent *agent = create("direct", declared ? world.p : NULL);
        known = (knowledge){.rounds = 0};
        learn(agent, &known, 1000, N);
        roster_agent_forget(agent, ROSTER_CONTEXTS_CHANGED, 1);
        known.n_contexts = known.n_plays = 0;
        learn(agent, &known, 300, N);
        assert_index(agent, &known, N);
        roster_agent_free(agent);
    }
}

static void rewards_are_forgotten(void **state)
{
    (void)state;
    roster_agent *agent = create("direct", NULL);
    known = (knowledge){.rounds = 0};
    learn(agent, &known, 1000, N);
    roster_agent_forget(agent, ROSTER_REWARDS_CHANGED, 1);
    known.n_cells = known.n_plays = known.rounds = 0;
    learn(agent, &known, 300, N);
    assert_index(agent, &known, N);
    roster_agent_free(agent);
}

/* Who earns otherwise than its actions explain is judged by its own plays, and says nothing of others. */
static void alone_by_its_own_plays(void **state)
{
    (void)state;
    roster_error err;
    static unsigned char bytes[1 << 14];
    roster_agent *agent = create("direct", NULL), *copy = create("direct", NULL);
    known = (knowledge){.rounds = 0};
    learn(agent, &known, 1000, N);
    assert_false(roster_agent_stand_alone(agent, N));
    assert_true(roster_agent_stand_alone(agent, 1));
    known.n_cells = 0;
    learn(agent, &known, 500, 1);
    assert_index(agent, &known, 1);
    assert_ok(roster_agent_load(copy, bytes, roster_agent_save(agent, bytes, sizeof bytes), &err), &err);
    assert_index(copy, &known, 1);
    learn(copy, &known, 200, 1);
    assert_index(copy, &known, 1);
    roster_agent_free(agent);
    roster_agent_free(copy);
}

/* Of one replica that let an expert stand alone and one that did not: it does, and cells are learnt anew. */
static void merged_with_one_alone(void **state)
{
    (void)state;
    roster_error err;
    roster_agent *a = create("direct", NULL), *b = create("direct", NULL);
    known = (knowledge){.rounds = 0};
    learn(a, &known, 500, N);
    learn(b, &known, 500, N);
    assert_true(roster_agent_stand_alone(b, 0));
    assert_ok(roster_agent_merge(a, b, &err), &err);
    known.n_cells = 0;
    learn(a, &known, 400, 0);
    assert_index(a, &known, 0);
    roster_agent_free(a);
    roster_agent_free(b);
}

/* Agents that cannot tell what changed, and direct when both did, are as if they were new. */
static void all_is_forgotten(void **state)
{
    (void)state;
    roster_error err;
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const char *name = roster_agent_info_at(i)->name;
        roster_agent *agent = create(name, NULL), *fresh = create(name, NULL);
        double u[N], expected[N];
        known = (knowledge){.rounds = 0};
        learn(agent, &known, 300, N);
        roster_agent_forget(agent, 0, 0);
        assert_int_equal(roster_agent_rounds(agent), 300);
        roster_agent_forget(agent, ROSTER_CONTEXTS_CHANGED | ROSTER_REWARDS_CHANGED, 0);
        for (size_t t = 0; t < 100; t++) {
            roster_event e = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
            assert_int_equal(roster_agent_choose(agent), roster_agent_choose(fresh));
            assert_ok(roster_agent_learn(agent, &e, &err), &err);
            assert_ok(roster_agent_learn(fresh, &e, &err), &err);
        }
        roster_agent_index(agent, u);
        roster_agent_index(fresh, expected);
        for (size_t k = 0; k < N; k++)
            assert_true(close_enough(u[k], expected[k]));
        roster_agent_free(agent);
        roster_agent_free(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_forgotten), cmocka_unit_test(rewards_are_forgotten),
        cmocka_unit_test(alone_by_its_own_plays), cmocka_unit_test(merged_with_one_alone),
        cmocka_unit_test(all_is_forgotten),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
