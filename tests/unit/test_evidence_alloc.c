/*
 * test_evidence_alloc.c: every allocation of the evidence is made to fail in turn. What fails says so and changes
 * nothing, and once all is reserved nothing is asked for.
 *
 * Linked with --wrap=calloc and --wrap=realloc, so that the library's own calls come here.
 */
#include "failing_memory.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { N = 4, X = 3, V = 3, D = 2, ROUNDS = 30 };

static instance world;
static roster_experts *experts[3];
static roster_event events[ROUNDS];
static double features[ROUNDS][D], pi[ROUNDS][N];
static const double choice[N] = {.4, .3, .2, .1};

static int setup(void **state)
{
    (void)state;
    double weights[N * V * D];
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 1, 0, 0);
    instance_random(&world, &rng, N, X, V, .001);
    for (size_t i = 0; i < N * V * D; i++)
        weights[i] = 4 * roster_rng_uniform(&rng) - 2;
    for (size_t t = 0; t < ROUNDS; t++) {
        events[t] = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
        for (size_t i = 0; i < N; i++)
            pi[t][i] = world.pi[(i * X + events[t].context) * V + events[t].action];
        for (size_t f = 0; f < D; f++)
            features[t][f] = roster_rng_uniform(&rng);
        events[t].features = features[t];
        events[t].probabilities = pi[t];
        events[t].choice = t % 5 == 4 ? choice : NULL;
    }
    const roster_softmax model = {.experts = N,
                                  .actions = V,
                                  .features = D,
                                  .weights = weights,
                                  .floor = .01,
                                  .sample = features[0],
                                  .samples = ROUNDS};
    experts[0] = world.experts;
    assert_ok(roster_experts_softmax(&experts[1], &model, &err), &err);
    assert_ok(roster_experts_external(&experts[2], N, X, V, world.pi, NULL, &err), &err);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    roster_experts_free(experts[1]);
    roster_experts_free(experts[2]);
    instance_free(&world);
    return 0;
}

static unsigned char before[1 << 16], after[1 << 16], other[1 << 16];

/* What a failed call leaves is, to the byte, what it found. */
static void assert_unchanged(const roster_evidence *evidence, size_t size)
{
    assert_int_equal(roster_evidence_save(evidence, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

static int guarded_learn(roster_evidence *evidence, const roster_event *event, roster_error *err)
{
    size_t size = roster_evidence_save(evidence, before, sizeof before);
    int code = roster_evidence_learn(evidence, event, err);
    if (code != ROSTER_OK) {
        assert_unchanged(evidence, size);
        assert_ok(roster_evidence_learn(evidence, event, err), err); /* there is memory again */
    }
    return code;
}

static int guarded_load(roster_evidence *evidence, const roster_evidence *from, roster_error *err)
{
    size_t size = roster_evidence_save(evidence, before, sizeof before);
    int code = roster_evidence_load(evidence, other, roster_evidence_save(from, other, sizeof other), err);
    if (code != ROSTER_OK)
        assert_unchanged(evidence, size);
    return code;
}

static int guarded_merge(roster_evidence *evidence, const roster_evidence *from, roster_error *err)
{
    size_t size = roster_evidence_save(evidence, before, sizeof before);
    int code = roster_evidence_merge(evidence, from, err);
    if (code != ROSTER_OK)
        assert_unchanged(evidence, size);
    return code;
}

/* The life of evidence; ROSTER_ENOMEM as soon as something could not be had. */
static int live(const roster_experts *e, bool own, roster_error *err)
{
    roster_evidence *a = NULL, *b = NULL;
    int (*create)(roster_evidence **, const roster_experts *, double, roster_error *) =
        own ? roster_evidence_create_own : roster_evidence_create;
    int code = create(&a, e, .95, err);
    if (code == ROSTER_OK)
        code = create(&b, e, .95, err);
    for (size_t t = 0; t < ROUNDS && code == ROSTER_OK; t++)
        code = guarded_learn(t % 2 == 0 ? a : b, &events[t], err);
    if (code == ROSTER_OK)
        code = guarded_merge(a, b, err);
    if (code == ROSTER_OK)
        code = guarded_load(b, a, err);
    if (code == ROSTER_OK)
        code = roster_evidence_reserve(a, err);
    roster_evidence_free(a);
    roster_evidence_free(b);
    return code;
}

static void every_allocation_fails(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t kind = 0; kind < 6; kind++)
        for (size_t n = 1;; n++) {
            roster_error err = {0};
            asked = 0;
            fail_at = n;
            int code = live(experts[kind % 3], kind >= 3, &err);
            fail_at = 0;
            if (asked < n) {
                assert_ok(code, &err);
                break;
            }
            assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
            failures++;
        }
    assert_true(failures > 100);
}

static void nothing_is_allocated_in_the_loop(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < 3; kind++) {
        roster_error err;
        roster_evidence *evidence;
        roster_finding finding;
        assert_ok(roster_evidence_create(&evidence, experts[kind], .95, &err), &err);
        assert_ok(roster_evidence_reserve(evidence, &err), &err);
        asked = 0;
        for (size_t t = 0; t < ROUNDS; t++) {
            assert_ok(roster_evidence_learn(evidence, &events[t], &err), &err);
            roster_evidence_find(evidence, t % N, &finding);
            roster_evidence_until_known(evidence);
        }
        roster_evidence_reset(evidence);
        assert_ok(roster_evidence_learn(evidence, &events[0], &err), &err);
        assert_int_equal(asked, 0);
        roster_evidence_free(evidence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(nothing_is_allocated_in_the_loop),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
