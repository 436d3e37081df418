/*
 * test_snapshot.c: snapshots that are damaged, foreign or hostile are refused and change nothing; merging, too.
 */
#include "support.h"

#include "agent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, X = 3, V = 3 };

static const roster_setting estimated[] = {
    {"p_V", .01, NULL}, {"p_X", .2, NULL}, {"xi", 1e-4, NULL}, {"C", .5, NULL}, {NULL, 0, NULL}};
static const roster_setting known[] = {{"C", .5, NULL}, {NULL, 0, NULL}};

static instance world;

static int setup(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    instance_random(&world, &rng, N, X, V, .001);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    instance_free(&world);
    return 0;
}

static roster_agent *agent_after(const char *name, const roster_setting *settings, size_t rounds, uint64_t seed)
{
    roster_error err;
    roster_agent *agent;
    roster_rng rng;
    const double values[N] = {.1, .2, .3, .4};
    assert_ok(
        roster_agent_create(&agent, name, &(roster_problem){world.experts, NULL, values}, settings, seed, 0, &err),
        &err);
    roster_rng_init(&rng, seed, 0, 7);
    for (size_t t = 0; t < rounds; t++) {
        roster_event event = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
    }
    return agent;
}

static unsigned char *bytes_of(const roster_agent *agent, size_t *size)
{
    *size = roster_agent_save(agent, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(roster_agent_save(agent, bytes, *size), *size);
    return bytes;
}

/* Loading fails with a sentence, and the agent's own snapshot stays what it was. */
static void assert_load_refused(roster_agent *agent, const unsigned char *bytes, size_t size)
{
    roster_error err = {0};
    size_t before_size, after_size;
    unsigned char *before = bytes_of(agent, &before_size);
    assert_int_equal(roster_agent_load(agent, bytes, size, &err), ROSTER_EDAMAGED);
    assert_true(strncmp(err.msg, "the snapshot is", 15) == 0);
    unsigned char *after = bytes_of(agent, &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    free(before);
    free(after);
}

/* The same number of bytes each time, and nothing written behind a buffer that is too small. */
static void save_measures(void **state)
{
    (void)state;
    roster_agent *agent = agent_after("d-ucb", known, 50, 1);
    unsigned char guarded[64];
    memset(guarded, 0xAA, sizeof guarded);
    size_t size = roster_agent_save(agent, NULL, 0);
    assert_true(size > 64);
    assert_int_equal(roster_agent_save(agent, guarded, 32), size);
    for (size_t i = 32; i < sizeof guarded; i++)
        assert_int_equal(guarded[i], 0xAA);
    roster_agent_free(agent);
}

static void damaged_snapshots_refused(void **state)
{
    (void)state;
    for (size_t a = 0; roster_agent_info_at(a) != NULL; a++) {
        const roster_agent_info *info = roster_agent_info_at(a);
        roster_setting settings[SETTINGS];
        settings_taken(info, estimated, settings);
        roster_agent *from = agent_after(info->name, settings, 40, 1), *into = agent_after(info->name, settings, 10, 2);
        size_t size;
        unsigned char *bytes = bytes_of(from, &size);
        for (size_t i = 0; i < size; i++) {
            bytes[i] ^= (unsigned char)(1 << (i % 8));
            assert_load_refused(into, bytes, size);
            bytes[i] ^= (unsigned char)(1 << (i % 8));
        }
        for (size_t cut = 0; cut < size; cut += 1 + cut / 50)
            assert_load_refused(into, bytes, cut);
        assert_load_refused(into, NULL, size);
        assert_int_equal(roster_agent_load(into, bytes, size, NULL), ROSTER_OK);
        free(bytes);
        roster_agent_free(from);
        roster_agent_free(into);
    }
}

static void seal(unsigned char *bytes, size_t size)
{
    uint64_t hash = roster_hash(ROSTER_HASH_START, bytes, size - 8);
    for (size_t i = 0; i < 8; i++)
        bytes[size - 8 + i] = (unsigned char)(hash >> (8 * i));
}

/* Bytes that somebody changed and sealed again with a right checksum: refused or harmless, never a crash. */
static void forged_snapshots_do_no_harm(void **state)
{
    (void)state;
    const char *const names[] = {"d-ucb", "d-ucb-lite", "ed-ucb", "ucb", "mixture"};
    roster_rng rng;
    size_t refused = 0, taken = 0;
    roster_rng_init(&rng, 2, 0, 0);
    for (size_t a = 0; a < 5; a++) {
        const roster_setting *settings = a >= 3 ? NULL : a == 2 ? estimated : known;
        roster_agent *from = agent_after(names[a], settings, 40, 1), *into = agent_after(names[a], settings, 10, 2);
        size_t size, header = 64;
        unsigned char *bytes = bytes_of(from, &size), *forged = malloc(size);
        for (int trial = 0; trial < 3000; trial++) {
            memcpy(forged, bytes, size);
            for (uint64_t change = 1 + roster_rng_below(&rng, 3); change > 0; change--)
                forged[header + roster_rng_below(&rng, size - 8 - header)] = (unsigned char)roster_rng_u64(&rng);
            seal(forged, size);
            int code = roster_agent_load(into, forged, size, NULL);
            refused += code != ROSTER_OK;
            taken += code == ROSTER_OK;
            assert_in_range(roster_agent_choose(into), 0, N - 1);
            for (int t = 0; code == ROSTER_OK && t < 5; t++) {
                roster_event event = random_event(&world, &rng, roster_agent_choose(into), true);
                assert_int_equal(roster_agent_learn(into, &event, NULL), ROSTER_OK);
            }
        }
        free(bytes);
        free(forged);
        roster_agent_free(from);
        roster_agent_free(into);
    }
    assert_true(refused > 1000 && taken > 1000);
}

static void foreign_snapshots_refused(void **state)
{
    (void)state;
    roster_error err;
    size_t size;
    roster_agent *ducb = agent_after("d-ucb", known, 20, 1), *ucb = agent_after("ucb", NULL, 20, 1);
    roster_agent *other = agent_after("d-ucb", NULL, 0, 1);
    unsigned char *bytes = bytes_of(ducb, &size);
    assert_refused(roster_agent_load(ucb, bytes, size, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot is of agent d-ucb, not of ucb");
    assert_refused(roster_agent_load(other, bytes, size, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot is of an agent with another problem or other settings");
    assert_refused(roster_agent_load(ducb, "ROSTER", 6, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot is not a roster snapshot: it must begin with ROSTERSN and be complete");
    bytes[8] = 4;
    assert_refused(roster_agent_load(ducb, bytes, size, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot is damaged: its checksum does not fit its content");
    seal(bytes, size);
    assert_refused(roster_agent_load(ducb, bytes, size, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot has a format version that this library does not read");
    free(bytes);
    roster_agent_free(ducb);
    roster_agent_free(ucb);
    roster_agent_free(other);
}

static void foreign_agents_not_merged(void **state)
{
    (void)state;
    roster_error err;
    roster_agent *a = agent_after("d-ucb", known, 20, 1), *b = agent_after("ucb", NULL, 20, 1),
                 *c = agent_after("d-ucb", NULL, 20, 1);
    assert_refused(roster_agent_merge(a, b, &err), &err, ROSTER_EINVAL,
                   "a ucb agent cannot be merged into a d-ucb agent");
    assert_refused(roster_agent_merge(a, c, &err), &err, ROSTER_EINVAL,
                   "the agents to merge differ in problem or settings");
    assert_int_equal(roster_agent_rounds(a), 20);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_agent_free(c);
}

/* A snapshot as it was written before runs of zeros were. */
static unsigned char *plain_bytes_of(const roster_agent *agent, size_t *size)
{
    *size = roster_agent_memory(agent) + 1000;
    unsigned char *bytes = malloc(*size);
    roster_writer w = {.data = bytes, .size = *size};
    roster_envelope_begin(&w, &(roster_envelope){agent->type->info.name, agent->fingerprint, ""});
    roster_put_packed(&w, false);
    roster_put_u64(&w, agent->seed);
    roster_put_u64(&w, agent->run);
    roster_put_u64(&w, agent->t);
    agent->type->save(agent->state, &w);
    *size = roster_envelope_end(&w);
    return bytes;
}

/* Ten thousand actions of which some hundred were seen: short, whole, and as good as a plain one. */
static void large_tables_are_short(void **state)
{
    (void)state;
    static const char *const names[] = {"d-ucb", "direct", "exp4"};
    enum { EXPERTS = 3, ACTIONS = 10000, ROUNDS = 300 };
    double *pi = malloc(EXPERTS * ACTIONS * sizeof *pi);
    roster_experts *experts;
    roster_error err;
    for (size_t i = 0; i < EXPERTS * ACTIONS; i++)
        pi[i] = 1.0 / ACTIONS;
    assert_ok(roster_experts_tables(&experts, EXPERTS, 1, ACTIONS, pi, NULL, &err), &err);
    roster_problem problem = {experts, NULL, NULL};
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        roster_agent *live, *other;
        roster_rng rng;
        size_t size, plain_size, again_size;
        double u[2][EXPERTS];
        assert_ok(roster_agent_create(&live, names[a], &problem, NULL, 1, 0, &err), &err);
        assert_ok(roster_agent_create(&other, names[a], &problem, NULL, 1, 0, &err), &err);
        roster_rng_init(&rng, 4, 0, 7);
        for (size_t t = 0; t < ROUNDS; t++) {
            roster_event event = {.expert = t % EXPERTS,
                                  .action = (size_t)roster_rng_below(&rng, ACTIONS),
                                  .reward = (double)(t % 3) / 2};
            assert_ok(roster_agent_learn(live, &event, &err), &err);
        }
        unsigned char *bytes = bytes_of(live, &size), *plain = plain_bytes_of(live, &plain_size);
        assert_true(size < 40 * 8 * ROUNDS && (a == 2 || plain_size > 8 * ACTIONS));
        assert_ok(roster_agent_load(other, plain, plain_size, &err), &err);
        assert_ok(roster_agent_load(other, bytes, size, &err), &err);
        unsigned char *again = bytes_of(other, &again_size);
        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
        roster_agent_index(live, u[0]);
        roster_agent_index(other, u[1]);
        assert_memory_equal(u[0], u[1], sizeof u[0]);
        for (size_t cut = 1; cut < 200 && cut < size; cut += 7)
            assert_load_refused(other, bytes, size - cut);
        free(again);
        free(plain);
        free(bytes);
        roster_agent_free(live);
        roster_agent_free(other);
    }
    roster_experts_free(experts);
    free(pi);
}

/* The format is a promise: these files were written by version 0.1.0 and must be read for ever. */
static void format_is_stable(void **state)
{
    (void)state;
    const char *const names[] = {"ucb", "d-ucb", "d-ucb-lite", "ed-ucb", "uniform"};
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        const roster_setting *settings = names[a][0] == 'u' ? NULL : names[a][0] == 'e' ? estimated : known;
        roster_agent *fresh = agent_after(names[a], settings, 0, 1), *live = agent_after(names[a], settings, 40, 1);
        unsigned char stored[8192];
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, "%s/%s.snapshot", GOLDEN, names[a]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t read = fread(stored, 1, sizeof stored, file);
        fclose(file);
        unsigned char *bytes = bytes_of(live, &size);
        assert_int_equal(read, size);
        assert_memory_equal(stored, bytes, size);
        roster_error err;
        assert_ok(roster_agent_load(fresh, stored, read, &err), &err);
        assert_int_equal(roster_agent_choose(fresh), roster_agent_choose(live));
        assert_int_equal(roster_agent_rounds(fresh), 40);
        free(bytes);
        roster_agent_free(fresh);
        roster_agent_free(live);
    }
}

/* Probabilities of contexts and values of experts, where both are as many, are not taken for each other. */
static void contexts_are_not_values(void **state)
{
    (void)state;
    const double four[N] = {.1, .2, .3, .4},
                 pi[N * N * 2] = {.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5,
                                  .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5};
    roster_error err;
    roster_experts *e;
    roster_agent *a, *b;
    size_t size;
    assert_ok(roster_experts_tables(&e, N, N, 2, pi, NULL, &err), &err);
    assert_ok(roster_agent_create(&a, "d-ucb", &(roster_problem){e, four, NULL}, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&b, "d-ucb", &(roster_problem){e, NULL, four}, NULL, 1, 0, &err), &err);
    unsigned char *bytes = bytes_of(a, &size);
    assert_load_refused(b, bytes, size);
    assert_int_equal(roster_agent_merge(b, a, NULL), ROSTER_EINVAL);
    free(bytes);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_experts_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(save_measures),
        cmocka_unit_test(damaged_snapshots_refused),
        cmocka_unit_test(forged_snapshots_do_no_harm),
        cmocka_unit_test(foreign_snapshots_refused),
        cmocka_unit_test(foreign_agents_not_merged),
        cmocka_unit_test(large_tables_are_short),
        cmocka_unit_test(format_is_stable),
        cmocka_unit_test(contexts_are_not_values),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
