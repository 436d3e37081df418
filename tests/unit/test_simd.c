/*
 * test_simd.c: every path of simd_path.h, forced by ROSTER_SIMD, does the same to the bit, and what the plain form
 * does.
 *
 * Skipped where there is one path only: it would be compared with itself.
 */
#include "estimator.h"

#include "clipped_simd.h"
#include "lazy.h"

#include <stdlib.h>
#include <string.h>

static const char *const paths[] = {"baseline", "avx2"};
enum { PATHS = sizeof paths / sizeof *paths };

typedef struct contender {
    const char *name;
    roster_setting settings[8];
} contender;

static const contender contenders[] = {
    {"d-ucb", {{"C", .02, NULL}}},
    {"d-ucb", {{"C", .5, NULL}}},
    {"d-ucb", {{"C", 2, NULL}, {"support", 0, "shared"}}},
    {"ed-ucb", {{"C", .02, NULL}, {"p_V", .01, NULL}, {"p_X", .02, NULL}, {"xi", 1e-5, NULL}}},
    {"ed-ucb", {{"C", .3, NULL}, {"p_V", .05, NULL}, {"p_X", .02, NULL}, {"xi", 2e-3, NULL}, {"support", 0, "shared"}}},
    {"d-ucb-lite", {{"C", .3, NULL}}},
    {"direct", {{NULL, 0, NULL}}},
    {"direct", {{"contexts", 0, "learnt"}, {"kappa", 1, NULL}}},
    {"ed-ucb-lite", {{"C", .3, NULL}, {"p_V", .05, NULL}, {"p_X", .02, NULL}, {"xi", 2e-3, NULL}}},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

static void force(const char *path)
{
    assert_int_equal(setenv("ROSTER_SIMD", path, 1), 0);
}

/* The same agent on every path. */
static void create(roster_agent *agents[PATHS], const instance *in, const contender *c)
{
    roster_problem problem = {in->experts, in->p, NULL};
    roster_error err;
    for (size_t p = 0; p < PATHS; p++) {
        force(paths[p]);
        in->experts->avx2 = roster_avx2();
        assert_ok(roster_agent_create(&agents[p], c->name, &problem, c->settings, 7, 0, &err), &err);
    }
}

static void drop(roster_agent *agents[PATHS])
{
    for (size_t p = 0; p < PATHS; p++)
        roster_agent_free(agents[p]);
}

static void assert_same_indices(roster_agent *agents[PATHS], size_t n)
{
    double *u[PATHS];
    for (size_t p = 0; p < PATHS; p++) {
        u[p] = calloc(n, sizeof **u);
        roster_agent_index(agents[p], u[p]);
        assert_int_equal(roster_agent_choose(agents[p]), roster_agent_choose(agents[0]));
        assert_memory_equal(u[p], u[0], n * sizeof **u);
    }
    for (size_t p = 0; p < PATHS; p++)
        free(u[p]);
}

/* The same snapshots; from here on each goes on from another's. */
static void pass_on(roster_agent *agents[PATHS])
{
    roster_error err;
    void *first = NULL;
    size_t size = roster_agent_save(agents[0], NULL, 0);
    for (size_t p = 0; p < PATHS; p++) {
        void *bytes = malloc(size);
        assert_int_equal(roster_agent_save(agents[p], bytes, size), size);
        first = p == 0 ? bytes : first;
        assert_memory_equal(bytes, first, size);
        assert_ok(roster_agent_load(agents[p], first, size, &err), &err);
        if (p > 0)
            free(bytes);
    }
    free(first);
}

static void create_lazy(roster_lazy *lazy[PATHS], roster_agent *agents[PATHS])
{
    roster_error err;
    for (size_t p = 0; p < PATHS; p++)
        assert_ok(roster_lazy_create(&lazy[p], agents[p], &err), &err);
}

/* Equal certificates; some rounds are learnt by all. */
static void certify_together(roster_lazy *lazy[PATHS], const instance *in, roster_rng *rng)
{
    size_t cells = in->x * in->v;
    double *gain = calloc(PATHS * cells, sizeof *gain);
    roster_certificate certificates[PATHS];
    roster_batch batch;
    roster_error err;
    for (size_t p = 0; p < PATHS; p++) {
        certificates[p] = (roster_certificate){.gain = gain + p * cells};
        roster_lazy_certify(lazy[p], &certificates[p]);
        assert_true(certificates[p].k == certificates[0].k && certificates[p].rounds == certificates[0].rounds);
        assert_memory_equal(&certificates[p].cost, &certificates[0].cost, sizeof certificates[p].cost);
        assert_memory_equal(certificates[p].gain, gain, cells * sizeof *gain);
    }
    assert_int_equal(roster_batch_init(&batch, cells), ROSTER_OK);
    for (size_t b = 1 + (size_t)roster_rng_below(rng, 9); b > 0 && batch.n < roster_lazy_most(lazy[0]); b--) {
        roster_event event = random_event(in, rng, certificates[0].k, true);
        roster_batch_add(&batch, certificates[0].k, event.context * in->v + event.action, event.reward);
    }
    for (size_t p = 0; p < PATHS; p++)
        assert_ok(roster_lazy_learn(lazy[p], &batch, &err), &err);
    roster_batch_fini(&batch);
    free(gain);
}

/* The agents learn a few batches, and know the same after that. */
static void learn_batches(roster_agent *agents[PATHS], const instance *in, roster_rng *rng, size_t batches)
{
    roster_lazy *lazy[PATHS];
    roster_error err;
    create_lazy(lazy, agents);
    for (size_t i = 0; i < batches; i++)
        certify_together(lazy, in, rng);
    for (size_t p = 0; p < PATHS; p++)
        assert_ok(roster_lazy_finish(lazy[p], agents[p], &err), &err);
    assert_same_indices(agents, in->n);
}

static void play(const instance *in, const contender *c, roster_rng *rng, size_t rounds)
{
    roster_agent *agents[PATHS];
    roster_error err;
    create(agents, in, c);
    for (size_t t = 0; t < rounds; t++) {
        size_t k = t % 5 == 4 ? (size_t)roster_rng_below(rng, in->n) : roster_agent_choose(agents[0]);
        roster_event event = random_event(in, rng, k, t % 2 == 0);
        for (size_t p = 0; p < PATHS; p++)
            assert_ok(roster_agent_learn(agents[p], &event, &err), &err);
        assert_same_indices(agents, in->n);
        if (t % 7 == 6 && roster_lazy_possible(agents[0]))
            learn_batches(agents, in, rng, 1 + t % 3);
        if (t % 101 == 100)
            pass_on(agents);
    }
    pass_on(agents);
    drop(agents);
}

static void play_batches(const instance *in, const contender *c, roster_rng *rng, size_t batches)
{
    roster_agent *agents[PATHS];
    create(agents, in, c);
    learn_batches(agents, in, rng, batches);
    pass_on(agents);
    drop(agents);
}

/* M_ik as divergence.c has it, one expert at a time. */
static double plain_m(const instance *in, size_t i, size_t k)
{
    double top = 0, sum = 0;
    const size_t cells = in->x * in->v;
    const double *pi = in->pi + i * cells, *pk = in->pi + k * cells;
    for (size_t c = 0; c < cells; c++)
        top = pi[c] / pk[c] > top ? pi[c] / pk[c] : top;
    for (size_t c = 0; c < cells; c++)
        sum += in->p[c / in->v] * pi[c] * roster_exp(pi[c] / pk[c] - top);
    double m = top + roster_ln(sum);
    return m > 1 ? m : 1;
}

/* The same evidence on every path; from here on each goes on from the first one's snapshot. */
static void pass_evidence_on(roster_evidence *evidence[PATHS])
{
    roster_error err;
    size_t size = roster_evidence_save(evidence[0], NULL, 0);
    void *first = malloc(size), *bytes = malloc(size);
    assert_int_equal(roster_evidence_save(evidence[0], first, size), size);
    for (size_t p = 1; p < PATHS; p++) {
        assert_int_equal(roster_evidence_save(evidence[p], bytes, size), size);
        assert_memory_equal(bytes, first, size);
        assert_ok(roster_evidence_load(evidence[p], first, size, &err), &err);
    }
    free(first);
    free(bytes);
}

static void assert_same_findings(roster_evidence *evidence[PATHS], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        roster_finding found[PATHS];
        for (size_t p = 0; p < PATHS; p++) {
            roster_evidence_find(evidence[p], k, &found[p]);
            assert_memory_equal(&found[p].value, &found[0].value, sizeof found->value);
            assert_true(found[p].worse == found[0].worse && found[p].behind == found[0].behind);
        }
    }
    for (size_t p = 1; p < PATHS; p++)
        assert_int_equal(roster_evidence_leader(evidence[p]), roster_evidence_leader(evidence[0]));
}

static void learn_evidence(const instance *in, roster_rng *rng, bool own, size_t rounds)
{
    roster_evidence *evidence[PATHS];
    roster_error err;
    double *choice = calloc(in->n, sizeof *choice);
    for (size_t p = 0; p < PATHS; p++) {
        force(paths[p]);
        in->experts->avx2 = roster_avx2();
        int code = own ? roster_evidence_create_own(&evidence[p], in->experts, .9, &err)
                       : roster_evidence_create(&evidence[p], in->experts, .9, &err);
        assert_ok(code, &err);
    }
    for (size_t t = 0; t < rounds; t++) {
        size_t k = t % 3 == 0 ? (size_t)roster_rng_below(rng, in->n) : roster_evidence_leader(evidence[0]);
        roster_event event = random_event(in, rng, k, t % 2 == 0);
        for (size_t i = 0; i < in->n; i++)
            choice[i] = (i == k ? .5 : 0) + .5 / (double)in->n;
        event.choice = t % 4 == 3 ? choice : NULL;
        for (size_t p = 0; p < PATHS; p++)
            assert_ok(roster_evidence_learn(evidence[p], &event, &err), &err);
        assert_same_findings(evidence, in->n);
        if (t % 101 == 100)
            pass_evidence_on(evidence);
    }
    pass_evidence_on(evidence);
    for (size_t p = 0; p < PATHS; p++)
        roster_evidence_free(evidence[p]);
    free(choice);
}

/* From ratios that are never clipped to some in the hundreds. */
static void evidence_to_the_bit(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 6, 0, 0);
    for (size_t n = 1; n <= 20; n++) {
        instance in;
        instance_random(&in, &rng, n, random_size(&rng, 1, 4), random_size(&rng, 2, 6), n % 3 == 0 ? .1 : .001);
        learn_evidence(&in, &rng, n % 5 == 4, 600);
        instance_free(&in);
    }
}

static void divergences(void **state)
{
    (void)state;
    enum { N = 70 };
    roster_rng rng;
    instance in;
    double m[N];
    for (size_t p = 0; p < PATHS; p++) {
        force(paths[p]);
        roster_rng_init(&rng, 8, 0, 0);
        instance_random(&in, &rng, N, 3, 5, .0005); /* ratios in the hundreds */
        assert_int_equal(in.experts->avx2, roster_avx2());
        for (size_t k = 0; k < N; k++) {
            roster_divergence_column(in.experts, in.p, false, k, m);
            for (size_t i = 0; i < N; i++) {
                double plain = plain_m(&in, i, k);
                assert_memory_equal(&m[i], &plain, sizeof plain);
            }
        }
        instance_free(&in);
    }
}

static void random_instances(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    for (size_t n = 1; n <= 24; n++)
        for (size_t c = 0; c < CONTENDERS; c++) {
            instance in;
            instance_random(&in, &rng, n, random_size(&rng, 1, 6), random_size(&rng, 2, 6), n % 3 == 0 ? .05 : .01);
            play(&in, &contenders[c], &rng, 400);
            instance_free(&in);
        }
}

/* Late rounds, in which levels move little and every path goes its whole way. */
static void long_run(void **state)
{
    (void)state;
    roster_rng rng;
    instance in;
    roster_rng_init(&rng, 2, 0, 0);
    instance_random(&in, &rng, 13, 3, 5, .02);
    for (size_t c = 0; c < CONTENDERS; c++)
        play(&in, &contenders[c], &rng, 20000);
    instance_free(&in);
}

/* All experts are the first one, but for a little. */
static void near_ties(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, 0);
    for (int digits = 4; digits <= 16; digits += 4) {
        instance in;
        roster_error err;
        instance_random(&in, &rng, 9, 2, 4, .05);
        for (size_t k = 1; k < in.n; k++)
            for (size_t row = 0; row < in.x; row++) {
                double *pi = in.pi + (k * in.x + row) * in.v, shift = (double)k * pow(10, -digits);
                memcpy(pi, in.pi + row * in.v, in.v * sizeof *pi);
                pi[k % in.v] += shift;
                pi[(k + 1) % in.v] -= shift;
            }
        roster_experts_free(in.experts);
        assert_ok(roster_experts_tables(&in.experts, in.n, in.x, in.v, in.pi, NULL, &err), &err);
        for (size_t c = 0; c < CONTENDERS; c++)
            play(&in, &contenders[c], &rng, 1000);
        instance_free(&in);
    }
}

static void many_experts(void **state)
{
    (void)state;
    roster_rng rng;
    instance in;
    roster_rng_init(&rng, 4, 0, 0);
    instance_random(&in, &rng, 1000, 4, 5, .02);
    play(&in, &contenders[0], &rng, 600);
    play(&in, &contenders[1], &rng, 300);
    play_batches(&in, &contenders[0], &rng, 2000);
    play_batches(&in, &contenders[1], &rng, 1000);
    instance_free(&in);
}

/* Probabilities that the caller has, with nothing behind the last one. */
static void external_experts(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 6, 0, 0);
    for (size_t n = 1; n <= 9; n++) {
        instance in;
        roster_agent *agents[PATHS];
        roster_error err;
        instance_random(&in, &rng, n, 4, 3, .02);
        roster_experts *tables = in.experts;
        assert_ok(roster_experts_external(&in.experts, n, 4, 3, in.pi, NULL, &err), &err);
        create(agents, &in, &contenders[1]);
        double *pi = malloc(n * sizeof *pi);
        for (size_t t = 0; t < 500; t++) {
            roster_event event = random_event(&in, &rng, roster_agent_choose(agents[0]), true);
            for (size_t i = 0; i < n; i++)
                pi[i] = in.pi[(i * in.x + event.context) * in.v + event.action];
            event.probabilities = pi;
            for (size_t p = 0; p < PATHS; p++)
                assert_ok(roster_agent_learn(agents[p], &event, &err), &err);
            assert_same_indices(agents, n);
        }
        pass_on(agents);
        drop(agents);
        free(pi);
        roster_experts_free(tables);
        instance_free(&in);
    }
}

/* Every index at once is every index by itself, on every path, from round 1 on and when a guess is far off. */
static void equal_to_plain(void **state)
{
    (void)state;
    enum { N = 11, UP = 16 };
    roster_rng rng;
    instance in;
    roster_rng_init(&rng, 5, 0, 0);
    instance_random(&in, &rng, N, 3, 4, .003);
    for (size_t trial = 0; trial < 2 * PATHS; trial++) {
        roster_clipped at_once, one_by_one;
        force(paths[trial / 2]);
        roster_estimator_problem known = {.experts = in.experts, .p = in.p, .C = trial % 2 == 0 ? .3 : 1};
        estimator_init(&at_once, &known);
        estimator_init(&one_by_one, &known);
        for (size_t t = 0; t < 3000; t++) {
            double u[UP], v[N];
            size_t cell = (size_t)roster_rng_below(&rng, 12);
            roster_sample a = {.k = t % N, .cell = cell, .pi = in.experts->pi + cell * N, .n = 1, .s = (double)(t % 3)};
            a.n = t % 500 == 499 ? 10 * t : 1 + t % 2;
            assert_int_equal(roster_clipped_absorb(&at_once, &a), ROSTER_OK);
            assert_int_equal(roster_clipped_absorb(&one_by_one, &a), ROSTER_OK);
            roster_clipped_indices(&at_once, u);
            for (size_t i = 0; i < N; i++)
                v[i] = roster_clipped_index(&one_by_one, i);
            assert_memory_equal(u, v, sizeof v);
            assert_memory_equal(at_once.w, one_by_one.w, sizeof v);
        }
        estimator_fini(&at_once);
        estimator_fini(&one_by_one);
    }
    instance_free(&in);
}

/* A word that means nothing, and none, take the best path that there is. */
static void forced_by_name(void **state)
{
    (void)state;
    force("baseline");
    assert_string_equal(roster_clipped_simd_choose(roster_avx2())->name, "baseline");
    unsetenv("ROSTER_SIMD");
    const roster_clipped_simd *best = roster_clipped_simd_choose(roster_avx2());
    force("abacus");
    assert_ptr_equal(roster_clipped_simd_choose(roster_avx2()), best);
    force(best->name);
    assert_ptr_equal(roster_clipped_simd_choose(roster_avx2()), best);
    assert_string_equal(best->name, "avx2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_to_the_bit), cmocka_unit_test(forced_by_name),   cmocka_unit_test(equal_to_plain),
        cmocka_unit_test(random_instances),    cmocka_unit_test(external_experts), cmocka_unit_test(near_ties),
        cmocka_unit_test(many_experts),        cmocka_unit_test(long_run),         cmocka_unit_test(divergences),
    };
    enum { SKIPPED = 77 };
    unsetenv("ROSTER_SIMD");
    return roster_avx2() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
