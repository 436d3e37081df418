/*
 * test_model_test.c: the test whether rewards depend on who acts equals its formula, finds an expert for whom they do,
 * adds up, and goes on from a snapshot.
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { N = 3, X = 3, V = 2, CELLS = X * V };

static const double DELTA = 1e-3;

/* ---- the formula, from sums of all rounds ---- */

typedef struct sums {
    long double a[N][CELLS], b[N][CELLS];
} sums;

static long double ln_kt(long double a, long double b)
{
    return lgammal(a + .5L) + lgammal(b + .5L) - lgammal(a + b + 1) - 2 * lgammal(.5L);
}

static long double ln_ml(long double a, long double b)
{
    return (a > 0 ? a * logl(a / (a + b)) : 0) + (b > 0 ? b * logl(b / (a + b)) : 0);
}

static long double literal_evidence(const sums *s, size_t k, const uint64_t *rejected)
{
    long double sum = 0;
    for (size_t c = 0; c < CELLS; c++) {
        long double a = 0, b = 0;
        for (size_t i = 0; i < N; i++) {
            if (rejected[i] > 0)
                continue;
            a += s->a[i][c];
            b += s->b[i][c];
        }
        sum += ln_kt(s->a[k][c], s->b[k][c]) + ln_kt(a - s->a[k][c], b - s->b[k][c]) - ln_ml(a, b);
    }
    return sum;
}

static void add(sums *s, const roster_event *event)
{
    size_t c = event->context * V + event->action;
    s->a[event->expert][c] += event->reward;
    s->b[event->expert][c] += 1 - (long double)event->reward;
}

/* An event whose reward is multiplied where expert 0 acts. */
static roster_event next_event(const instance *world, roster_rng *rng, bool continuous, double factor)
{
    size_t k = (size_t)roster_rng_below(rng, N);
    roster_event event = random_event(world, rng, k, continuous);
    if (k == 0 && continuous)
        event.reward *= factor;
    if (k == 0 && !continuous)
        event.reward = roster_rng_uniform(rng) < factor ? event.reward : 0;
    return event;
}

static bool is_look(uint64_t t, uint64_t *next)
{
    if (t < *next)
        return false;
    *next = t + (t / 4 > 64 ? t / 4 : 64);
    return true;
}

/* Rejects the one with the most evidence while that is enough; whether any is. */
static bool literal_look(const sums *s, uint64_t t, uint64_t *rejected)
{
    for (bool any = false;; any = true) {
        size_t most = N;
        for (size_t k = 0; k < N; k++)
            if (rejected[k] == 0 &&
                (most == N || literal_evidence(s, k, rejected) > literal_evidence(s, most, rejected)))
                most = k;
        if (most == N || literal_evidence(s, most, rejected) < logl(N / DELTA))
            return any;
        rejected[most] = t;
    }
}

/* At every look all experts that are not rejected have the formula's evidence; which are rejected follows from it. */
static uint64_t compare(uint64_t seed, bool continuous, double factor)
{
    roster_error err;
    roster_rng rng;
    instance world;
    roster_model_test *test;
    sums s = {0};
    uint64_t next = 64, rejected[N] = {0};
    roster_rng_init(&rng, seed, 0, 0);
    instance_random(&world, &rng, N, X, V, .05);
    assert_ok(roster_model_test_create(&test, world.experts, DELTA, &err), &err);
    for (uint64_t t = 1; t <= 4000; t++) {
        roster_event event = next_event(&world, &rng, continuous, factor);
        bool rejects, expected;
        add(&s, &event);
        assert_ok(roster_model_test_learn(test, &event, &rejects, &err), &err);
        bool looks = is_look(t, &next);
        expected = looks && literal_look(&s, t, rejected);
        for (size_t k = 0; looks && k < N; k++) {
            roster_verdict verdict;
            roster_model_test_verdict(test, k, &verdict);
            if (rejected[k] == 0)
                assert_close(verdict.evidence, (double)literal_evidence(&s, k, rejected), 1e-9);
            assert_int_equal(verdict.rejected, rejected[k]);
        }
        assert_int_equal(rejects, expected);
    }
    assert_int_equal(roster_model_test_rounds(test), 4000);
    roster_model_test_free(test);
    instance_free(&world);
    return rejected[0];
}

static void equals_literal(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        found += compare(seed, seed % 2 == 0, .5) > 0;
        compare(seed, seed % 2 == 0, 1);
    }
    assert_true(found >= 4);
}

/* One cell, two experts, of which one always earns and the other never. */
static void two_experts_by_hand(void **state)
{
    (void)state;
    roster_error err;
    roster_model_test *test;
    roster_verdict verdict;
    roster_experts *experts;
    char text[300] = "";
    bool rejects = false;
    const double pi[] = {1, 1};
    const char *names[] = {"fast", "slow"};
    assert_ok(roster_experts_tables(&experts, 2, 1, 1, pi, names, &err), &err);
    assert_ok(roster_model_test_create(&test, experts, DELTA, &err), &err);
    roster_model_test_sentence(test, 1, text, sizeof text);
    assert_string_equal(text, "");
    for (size_t t = 0; t < 64; t++) {
        roster_event event = {.expert = t % 2, .reward = t % 2 == 0 ? 1 : 0};
        assert_false(rejects);
        assert_ok(roster_model_test_learn(test, &event, &rejects, &err), &err);
    }
    assert_true(rejects);
    roster_model_test_verdict(test, 1, &verdict); /* both have the same evidence: the first is rejected */
    assert_true(verdict.rejected == 0);
    roster_model_test_verdict(test, 0, &verdict);
    /* KT(0, 32) is the product of (i - 1/2)/i, i = 1..32, and ML(32, 32) is 2^-64. */
    double kt = 0;
    for (int i = 1; i <= 32; i++)
        kt += log((i - .5) / i);
    assert_close(verdict.evidence, 2 * kt + 64 * log(2), 1e-12);
    assert_int_equal(verdict.rejected, 64);
    assert_true(verdict.own == 1 && verdict.others == 0 && verdict.rounds == 32);
    roster_model_test_sentence(test, 0, text, sizeof text);
    assert_string_equal(text, "The reward depends on whether fast acts: it earns more than its actions explain, 1 a "
                              "round where others earn 0 with the same actions in the same contexts (32 rounds). It is "
                              "judged by its own rewards alone.");
    roster_model_test_sentence(test, 0, text, 12);
    assert_string_equal(text, "The reward ");
    roster_model_test_verdict(test, 9, &verdict);
    assert_true(verdict.rejected == 0 && isnan(verdict.own));
    roster_model_test_free(test);
    roster_experts_free(experts);
}

static unsigned char bytes[1 << 14], again[1 << 14];

static void same_state(const roster_model_test *a, const roster_model_test *b)
{
    size_t size = roster_model_test_save(a, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    assert_int_equal(roster_model_test_save(b, again, sizeof again), size);
    assert_memory_equal(bytes, again, size);
}

/* A copy made half-way ends where the original does. */
static void snapshots_go_on(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    instance world;
    roster_model_test *a, *b;
    bool rejects;
    roster_rng_init(&rng, 3, 0, 0);
    instance_random(&world, &rng, N, X, V, .05);
    assert_ok(roster_model_test_create(&a, world.experts, DELTA, &err), &err);
    assert_ok(roster_model_test_create(&b, world.experts, DELTA, &err), &err);
    for (size_t t = 0; t < 3000; t++) {
        roster_event event = next_event(&world, &rng, true, .8);
        assert_ok(roster_model_test_learn(a, &event, &rejects, &err), &err);
        if (t >= 1111)
            assert_ok(roster_model_test_learn(b, &event, &rejects, &err), &err);
        if (t == 1110)
            assert_ok(roster_model_test_load(b, bytes, roster_model_test_save(a, bytes, sizeof bytes), &err), &err);
    }
    same_state(a, b);
    size_t size = roster_model_test_save(a, bytes, sizeof bytes);
    for (size_t i = 0; i < size; i += 3) {
        bytes[i] ^= 1;
        assert_int_equal(roster_model_test_load(b, bytes, size, &err), ROSTER_EDAMAGED);
        bytes[i] ^= 1;
    }
    same_state(a, b);
    roster_model_test_free(a);
    roster_model_test_free(b);
    instance_free(&world);
}

/* Two halves added up look at what the whole looks at. */
static void halves_add_up(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    instance world;
    roster_model_test *part[2], *other;
    bool rejects;
    sums s = {0};
    const uint64_t none[N] = {0};
    roster_rng_init(&rng, 4, 0, 0);
    instance_random(&world, &rng, N, X, V, .05);
    assert_ok(roster_model_test_create(&part[0], world.experts, DELTA, &err), &err);
    assert_ok(roster_model_test_create(&part[1], world.experts, DELTA, &err), &err);
    for (size_t t = 0; t < 600; t++) {
        roster_event event = next_event(&world, &rng, true, .9);
        add(&s, &event);
        assert_ok(roster_model_test_learn(part[t % 2], &event, &rejects, &err), &err);
    }
    assert_ok(roster_model_test_merge(part[0], part[1], &err), &err);
    for (size_t k = 0; k < N; k++) {
        roster_verdict verdict;
        roster_model_test_verdict(part[0], k, &verdict);
        assert_close(verdict.evidence, (double)literal_evidence(&s, k, none), 1e-9);
    }
    assert_int_equal(roster_model_test_rounds(part[0]), 600);
    assert_ok(roster_model_test_create(&other, world.experts, .01, &err), &err);
    assert_refused(roster_model_test_merge(part[0], other, &err), &err, ROSTER_EINVAL,
                   "the tests to merge are for other experts or another delta");
    roster_model_test_free(part[0]);
    roster_model_test_free(part[1]);
    roster_model_test_free(other);
    instance_free(&world);
}

static void wrong_calls_refused(void **state)
{
    (void)state;
    roster_error err;
    roster_model_test *test;
    bool rejects;
    roster_experts *external, *experts = spec_experts();
    assert_ok(roster_experts_external(&external, 3, 2, 3, spec_pi, NULL, &err), &err);
    assert_refused(roster_model_test_create(&test, external, DELTA, &err), &err, ROSTER_EINVAL,
                   "the test whether rewards depend on who acts needs experts that are tables");
    assert_refused(roster_model_test_create(&test, experts, NAN, &err), &err, ROSTER_EINVAL,
                   "delta is nan, must be in [1e-300, 1)");
    assert_ok(roster_model_test_create(&test, experts, DELTA, &err), &err);
    roster_event event = spec_rounds[0];
    event.reward = 2;
    assert_refused(roster_model_test_learn(test, &event, &rejects, &err), &err, ROSTER_EINVAL,
                   "event.reward is 2, must be in [0, 1]");
    assert_int_equal(roster_model_test_rounds(test), 0);
    roster_model_test_free(test);
    roster_experts_free(external);
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_literal), cmocka_unit_test(two_experts_by_hand), cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(halves_add_up),  cmocka_unit_test(wrong_calls_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
