/*
 * test_changes.c: changes over time in logs (src/evaluate/changes.c): found where they are, and hardly ever where not.
 */
#include "support.h"

#include "changes.h"

#include <math.h>

enum { V = 3, EVENTS = 4000 };

/* A log whose logger takes action 0 ever more often; from some event on action 1 in context 1 pays .7 in the place of
   .2, or context 1 comes three times in four in the place of once in two. */
static changes *write_log(uint64_t number, int contexts_change, int rewards_change)
{
    roster_rng rng;
    changes *c = changes_create();
    assert_non_null(c);
    roster_rng_init(&rng, 21, number, 0);
    for (int t = 0; t < EVENTS; t++) {
        uint32_t x = roster_rng_uniform(&rng) < (t < contexts_change ? 0.5 : 0.75);
        double u = roster_rng_uniform(&rng), often = 0.2 + 0.6 * t / EVENTS;
        uint32_t v = u < often ? 0 : u < often + (1 - often) / 2 ? 1 : 2;
        double m = x == 1 && v == 1 && t >= rewards_change ? 0.7 : 0.2;
        assert_true(changes_learn(c, x, v, roster_rng_uniform(&rng) < m));
    }
    return c;
}

static void changes_are_found(void **state)
{
    (void)state;
    change_found found;
    changes *c = write_log(0, EVENTS, EVENTS / 2);
    assert_true(changes_contexts(c, &found) && found.count == 0);
    assert_true(changes_rewards(c, &found) && found.count == 1);
    assert_true(found.context == 1 && found.action == 1 && found.before < 0.3 && found.after > 0.5);
    assert_in_range(found.since, EVENTS / 2 - 200, EVENTS / 2 + 200);
    assert_in_range(found.noticed, EVENTS / 2, EVENTS / 2 + 1000);
    changes_free(c);
    c = write_log(0, EVENTS / 4, EVENTS);
    assert_true(changes_rewards(c, &found) && found.count == 0);
    assert_true(changes_contexts(c, &found) && found.count == 1);
    assert_true(fabs(found.before - 0.5) < 0.1 && fabs(fabs(found.after - 0.5) - 0.25) < 0.1);
    assert_in_range(found.since, EVENTS / 4 - 200, EVENTS / 4 + 200);
    changes_free(c);
}

/* At most 1 in 1,000 is allowed for: two in 300 would be a surprise of 4%, and with these seeds there is none. */
static void without_change_hardly_ever(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 300; number++) {
        change_found contexts, rewards;
        changes *c = write_log(number, EVENTS, EVENTS);
        assert_true(changes_contexts(c, &contexts) && changes_rewards(c, &rewards));
        assert_true(contexts.count == 0 && rewards.count == 0);
        changes_free(c);
    }
}

/* The first context alone for a while: those events count too when another comes. */
static void late_contexts_change(void **state)
{
    (void)state;
    change_found found;
    changes *c = changes_create();
    for (int t = 0; t < 2000; t++)
        assert_true(changes_learn(c, t >= 1000, 0, 0));
    assert_true(changes_contexts(c, &found) && found.count == 1);
    assert_int_equal(found.since, 992); /* whole blocks of 32 */
    assert_true(found.before == 1 || found.before == 0);
    changes_free(c);
}

static void too_many_are_not_looked_at(void **state)
{
    (void)state;
    change_found found;
    changes *c = changes_create();
    for (uint32_t t = 0; t < CHANGES_CONTEXTS; t++)
        assert_true(changes_learn(c, t, 0, 0.5));
    assert_true(changes_contexts(c, &found) && changes_rewards(c, &found));
    for (uint32_t t = 0; t < 2 * CHANGES_CELLS; t++)
        assert_true(changes_learn(c, t, 0, 0.5));
    assert_false(changes_contexts(c, &found) || changes_rewards(c, &found));
    changes_free(c);
    changes_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(without_change_hardly_ever),
        cmocka_unit_test(late_contexts_change),
        cmocka_unit_test(too_many_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
