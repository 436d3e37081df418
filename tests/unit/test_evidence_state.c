/*
 * test_evidence_state.c: evidence saved, loaded, merged and reset. What is damaged, foreign or hostile is refused and
 * changes nothing.
 */
#include "support.h"

#include "evidence_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, X = 3, V = 3 };

static instance world;
static roster_experts *external;

static int setup(void **state)
{
    (void)state;
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 1, 0, 0);
    instance_random(&world, &rng, N, X, V, .01);
    assert_ok(roster_experts_external(&external, N, X, V, world.pi, NULL, &err), &err);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    instance_free(&world);
    roster_experts_free(external);
    return 0;
}

static roster_evidence *fresh(const roster_experts *experts)
{
    roster_error err;
    roster_evidence *evidence;
    assert_ok(roster_evidence_create(&evidence, experts, .9, &err), &err);
    return evidence;
}

/* Rounds `first` to `last` of a fixed story; some drawn. */
static void learn(roster_evidence *evidence, uint64_t first, uint64_t last)
{
    static const double choice[N] = {.7, .1, .1, .1};
    for (uint64_t t = first; t < last; t++) {
        roster_error err;
        roster_rng rng;
        double pi[N];
        roster_rng_init(&rng, 3, t, 0);
        roster_event event = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N - 1), true);
        for (size_t i = 0; i < N; i++)
            pi[i] = world.pi[(i * X + event.context) * V + event.action];
        event.probabilities = pi;
        event.choice = t % 4 == 3 ? choice : NULL;
        assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
    }
}

static unsigned char *bytes_of(const roster_evidence *evidence, size_t *size)
{
    *size = roster_evidence_save(evidence, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(roster_evidence_save(evidence, bytes, *size), *size);
    return bytes;
}

static void assert_same(const roster_evidence *a, const roster_evidence *b)
{
    size_t size, other;
    unsigned char *one = bytes_of(a, &size), *two = bytes_of(b, &other);
    assert_int_equal(size, other);
    assert_memory_equal(one, two, size);
    free(one);
    free(two);
}

/* Learning goes on from a snapshot as it would have without. */
/* What is left is told by a copy as by what was saved; also where expert 3 never acts. */
static void copies_tell_until(void **state)
{
    (void)state;
    roster_error err;
    size_t size, told = 0;
    roster_evidence *live = fresh(world.experts), *copy = fresh(world.experts);
    learn(live, 0, 600);
    unsigned char *bytes = bytes_of(live, &size);
    assert_ok(roster_evidence_load(copy, bytes, size, &err), &err);
    for (size_t k = 0; k < N; k++) {
        roster_interval a = roster_evidence_until(live, k), b = roster_evidence_until(copy, k);
        assert_memory_equal(&a, &b, sizeof a);
        told += a.value > 0;
    }
    assert_true(told > 0);
    free(bytes);
    roster_evidence_free(live);
    roster_evidence_free(copy);
}

static void snapshots_go_on(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t cut = 0; cut < 70; cut += 23) {
            roster_error err;
            size_t size;
            const roster_experts *experts = kind == 0 ? world.experts : external;
            roster_evidence *live = fresh(experts), *copy = fresh(experts);
            learn(live, 0, cut);
            learn(copy, 100, 120); /* what was there is replaced */
            unsigned char *bytes = bytes_of(live, &size);
            assert_ok(roster_evidence_load(copy, bytes, size, &err), &err);
            assert_same(live, copy);
            learn(live, cut, 200);
            learn(copy, cut, 200);
            assert_same(live, copy);
            free(bytes);
            roster_evidence_free(live);
            roster_evidence_free(copy);
        }
}

static void save_measures(void **state)
{
    (void)state;
    roster_evidence *evidence = fresh(world.experts);
    unsigned char guarded[64];
    learn(evidence, 0, 10);
    memset(guarded, 0xAA, sizeof guarded);
    size_t size = roster_evidence_save(evidence, NULL, 0);
    assert_int_equal(roster_evidence_save(evidence, guarded, 32), size);
    for (size_t i = 32; i < sizeof guarded; i++)
        assert_int_equal(guarded[i], 0xAA);
    roster_evidence_free(evidence);
}

/* Loading fails with a sentence, and the evidence stays what it was. */
static void assert_load_refused(roster_evidence *evidence, const roster_evidence *same, const unsigned char *bytes,
                                size_t size)
{
    roster_error err = {0};
    assert_int_equal(roster_evidence_load(evidence, bytes, size, &err), ROSTER_EDAMAGED);
    assert_true(strncmp(err.msg, "the snapshot is", 15) == 0);
    assert_same(evidence, same);
}

static void damaged_snapshots_refused(void **state)
{
    (void)state;
    roster_evidence *from = fresh(world.experts), *into = fresh(world.experts), *same = fresh(world.experts);
    size_t size;
    learn(from, 0, 40);
    learn(into, 50, 60);
    learn(same, 50, 60);
    unsigned char *bytes = bytes_of(from, &size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (unsigned char)(1 << (i % 8));
        assert_load_refused(into, same, bytes, size);
        bytes[i] ^= (unsigned char)(1 << (i % 8));
    }
    for (size_t cut = 0; cut < size; cut += 1 + cut / 50)
        assert_load_refused(into, same, bytes, cut);
    assert_load_refused(into, same, NULL, size);
    assert_int_equal(roster_evidence_load(into, bytes, size, NULL), ROSTER_OK);
    free(bytes);
    roster_evidence_free(from);
    roster_evidence_free(into);
    roster_evidence_free(same);
}

static void seal(unsigned char *bytes, size_t size)
{
    roster_writer end = {.data = bytes + size - 8, .size = 8};
    roster_put_u64(&end, roster_hash(ROSTER_HASH_START, bytes, size - 8));
}

/* Bytes that somebody changed and sealed again with a right checksum: refused or harmless, never a crash. */
static void forged_snapshots_do_no_harm(void **state)
{
    (void)state;
    roster_rng rng;
    roster_evidence *from = fresh(world.experts), *into = fresh(world.experts);
    size_t size, header = 40, refused = 0, taken = 0;
    roster_rng_init(&rng, 2, 0, 0);
    learn(from, 0, 60);
    unsigned char *bytes = bytes_of(from, &size), *forged = malloc(size);
    assert_non_null(forged);
    for (int trial = 0; trial < 3000; trial++) {
        memcpy(forged, bytes, size);
        for (uint64_t change = 1 + roster_rng_below(&rng, 3); change > 0; change--)
            forged[header + roster_rng_below(&rng, size - 8 - header)] = (unsigned char)roster_rng_u64(&rng);
        seal(forged, size);
        int code = roster_evidence_load(into, forged, size, NULL);
        refused += code != ROSTER_OK;
        taken += code == ROSTER_OK;
        learn(into, 0, code == ROSTER_OK ? 5 : 0);
        assert_in_range(roster_evidence_leader(into), 0, N - 1);
    }
    assert_true(refused > 300 && taken > 300);
    free(bytes);
    free(forged);
    roster_evidence_free(from);
    roster_evidence_free(into);
}

static void foreign_evidence_refused(void **state)
{
    (void)state;
    roster_error err;
    size_t size;
    roster_evidence *a = fresh(world.experts), *b = fresh(external), *c;
    roster_agent *agent;
    assert_ok(roster_evidence_create(&c, world.experts, .95, &err), &err);
    assert_ok(roster_agent_create(&agent, "ucb", &(roster_problem){.experts = external}, NULL, 1, 0, &err), &err);
    unsigned char *bytes = bytes_of(a, &size);
    const char *other = "the snapshot is of evidence about other experts or at another level";
    assert_refused(roster_evidence_load(b, bytes, size, &err), &err, ROSTER_EDAMAGED, other);
    assert_refused(roster_evidence_load(c, bytes, size, &err), &err, ROSTER_EDAMAGED, other);
    assert_int_equal(roster_agent_load(agent, bytes, size, &err), ROSTER_EDAMAGED);
    assert_refused(roster_evidence_merge(a, c, &err), &err, ROSTER_EINVAL,
                   "the evidence to merge is about other experts or at another level");
    free(bytes);
    roster_agent_free(agent);
    roster_evidence_free(a);
    roster_evidence_free(b);
    roster_evidence_free(c);
}

static void merged_sums_add(void **state)
{
    (void)state;
    roster_error err;
    roster_evidence *a = fresh(world.experts), *b = fresh(world.experts), *sum = fresh(world.experts);
    size_t size;
    learn(a, 0, 150);
    learn(b, 150, 300);
    unsigned char *bytes = bytes_of(a, &size);
    assert_ok(roster_evidence_load(sum, bytes, size, &err), &err);
    assert_ok(roster_evidence_merge(sum, b, &err), &err);
    for (size_t i = 0; i < 3 * ROSTER_SIDES * N; i++)
        assert_true(sum->state.psi[0][i] == a->state.psi[0][i] + b->state.psi[0][i]);
    for (size_t k = 0; k <= N; k++)
        for (size_t i = 0; i < ROSTER_SPREAD_ARRAYS * N && sum->state.spread[k].plays > 0; i++) {
            double one = a->state.spread[k].plays > 0 ? a->state.spread[k].count[0][i] : 0;
            double two = b->state.spread[k].plays > 0 ? b->state.spread[k].count[0][i] : 0;
            assert_true(sum->state.spread[k].count[0][i] == one + two);
        }
    for (size_t c = 0; c < X * V; c++)
        assert_true(sum->state.means.n[c] == a->state.means.n[c] + b->state.means.n[c]);
    assert_int_equal(roster_evidence_rounds(sum), 300);
    learn(sum, 300, 310);
    assert_int_equal(roster_evidence_rounds(sum), 310);
    free(bytes);
    roster_evidence_free(a);
    roster_evidence_free(b);
    roster_evidence_free(sum);
}

/* Both halves say more together than each alone, and nothing changes by adding nothing. */
static void merging_narrows(void **state)
{
    (void)state;
    roster_error err;
    roster_evidence *a = fresh(world.experts), *b = fresh(world.experts), *none = fresh(world.experts);
    roster_finding before, after;
    learn(a, 0, 400);
    learn(b, 400, 800);
    roster_evidence_find(a, 0, &before);
    assert_ok(roster_evidence_merge(a, none, &err), &err);
    roster_evidence_find(a, 0, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_ok(roster_evidence_merge(a, b, &err), &err);
    roster_evidence_find(a, 0, &after);
    assert_true(after.value.high - after.value.low < .85 * (before.value.high - before.value.low));
    roster_evidence_free(a);
    roster_evidence_free(b);
    roster_evidence_free(none);
}

static void reset_forgets(void **state)
{
    (void)state;
    roster_evidence *used = fresh(world.experts), *unused = fresh(world.experts);
    learn(used, 0, 300);
    roster_evidence_reset(used);
    assert_same(used, unused);
    learn(used, 0, 50);
    learn(unused, 0, 50);
    assert_same(used, unused);
    roster_evidence_free(used);
    roster_evidence_free(unused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(copies_tell_until),
        cmocka_unit_test(save_measures),
        cmocka_unit_test(damaged_snapshots_refused),
        cmocka_unit_test(forged_snapshots_do_no_harm),
        cmocka_unit_test(foreign_evidence_refused),
        cmocka_unit_test(merged_sums_add),
        cmocka_unit_test(merging_narrows),
        cmocka_unit_test(reset_forgets),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
