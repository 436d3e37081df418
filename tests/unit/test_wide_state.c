/*
 * test_wide_state.c: states of wide tables of which little was seen, which end in long runs of zeros, are saved and
 * loaded like all others: of every agent, of evidence, of the test of the model and of alarms.
 */
#include "support.h"

#include <stdlib.h>

enum { X = 2, V = 16, MOST = 40 };

/* What all of them have: a state that is learnt, saved and loaded. */
typedef struct kind {
    int (*learn)(void *self, const roster_event *event, roster_error *err);
    size_t (*save)(const void *self, void *buf, size_t size);
    int (*load)(void *self, const void *buf, size_t size, roster_error *err);
    void (*free)(void *self);
} kind;

#define KIND(name, ...)                                                                                                \
    static int name##_learns(void *self, const roster_event *event, roster_error *err)                                 \
    {                                                                                                                  \
        return roster_##name##_learn(self, event, __VA_ARGS__ err);                                                    \
    }                                                                                                                  \
    static size_t name##_saves(const void *self, void *buf, size_t size)                                               \
    {                                                                                                                  \
        return roster_##name##_save(self, buf, size);                                                                  \
    }                                                                                                                  \
    static int name##_loads(void *self, const void *buf, size_t size, roster_error *err)                               \
    {                                                                                                                  \
        return roster_##name##_load(self, buf, size, err);                                                             \
    }                                                                                                                  \
    static void name##_frees(void *self)                                                                               \
    {                                                                                                                  \
        roster_##name##_free(self);                                                                                    \
    }                                                                                                                  \
    static const kind name = {name##_learns, name##_saves, name##_loads, name##_frees}

static unsigned raised;
static bool rejects;
KIND(agent, );
KIND(evidence, );
KIND(model_test, &rejects, );
KIND(alarms, &raised, );

static instance world;

static unsigned char *bytes_of(const kind *k, const void *self, size_t *size)
{
    *size = k->save(self, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(k->save(self, bytes, *size), *size);
    return bytes;
}

/* Both are new; the first expert alone acts. */
static void check(const kind *k, void *live, void *copy, size_t rounds)
{
    roster_error err;
    roster_rng rng;
    size_t size, again;
    roster_rng_init(&rng, 5, rounds, 0);
    for (size_t t = 0; t < rounds; t++) {
        roster_event event = random_event(&world, &rng, 0, true);
        assert_ok(k->learn(live, &event, &err), &err);
    }
    unsigned char *bytes = bytes_of(k, live, &size);
    assert_ok(k->load(copy, bytes, size, &err), &err);
    unsigned char *same = bytes_of(k, copy, &again);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    free(bytes);
    free(same);
    k->free(live);
    k->free(copy);
}

static roster_agent *agent_of(const roster_agent_info *info)
{
    static const double values[MOST] = {.5};
    const roster_setting offered[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    roster_setting settings[SETTINGS];
    roster_error err;
    roster_agent *made;
    assert_ok(roster_agent_create(&made, info->name, &(roster_problem){world.experts, NULL, values},
                                  settings_taken(info, offered, settings), 1, 0, &err),
              &err);
    return made;
}

static void check_all(size_t rounds)
{
    roster_error err;
    roster_evidence *e[2];
    roster_model_test *m[2];
    roster_alarms *a[2];
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++)
        check(&agent, agent_of(roster_agent_info_at(i)), agent_of(roster_agent_info_at(i)), rounds);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(roster_evidence_create(&e[i], world.experts, .95, &err), &err);
        assert_ok(roster_model_test_create(&m[i], world.experts, .01, &err), &err);
        assert_ok(roster_alarms_create(&a[i], world.experts, .01, &err), &err);
    }
    check(&evidence, e[0], e[1], rounds);
    check(&model_test, m[0], m[1], rounds);
    check(&alarms, a[0], a[1], rounds);
    for (size_t i = 0; i < 2; i++)
        assert_ok(roster_evidence_create_own(&e[i], world.experts, .95, &err), &err);
    check(&evidence, e[0], e[1], rounds);
}

static void little_seen_is_loaded(void **state)
{
    (void)state;
    static const size_t experts[] = {1, 3, MOST};
    for (size_t i = 0; i < sizeof experts / sizeof *experts; i++) {
        roster_rng rng;
        roster_rng_init(&rng, 2, i, 0);
        instance_random(&world, &rng, experts[i], X, V, .001);
        check_all(0);
        check_all(5);
        instance_free(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(little_seen_is_loaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
