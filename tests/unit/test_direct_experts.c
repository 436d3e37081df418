/*
 * test_direct_experts.c: the agent `direct` on experts that are known from counts, or from nothing.
 */
#include "direct_duel.h"

static const size_t instances = 20, rounds = 300;

static void learnt_experts_equal_literal(void **state)
{
    (void)state;
    static const uint64_t samples[] = {0, 3, 100, 100000};
    roster_rng rng;
    roster_rng_init(&rng, 13, 0, 0);
    corrected = plain = held = rejected = 0;
    for (size_t i = 0; i < instances; i++) {
        duel d;
        do
            start_duel(&d, &rng, i);
        while (d.world.n * d.world.x * d.world.v > 120 && (instance_free(&d.world), true));
        roster_experts *known = estimate(&d.world, &rng, samples[roster_rng_below(&rng, 4)]);
        d.problem.experts = known;
        play_duel(&d, &rng, rounds);
        roster_experts_free(known);
    }
    print_message("# corrected %zu, not %zu, held by their own plays %zu, p rejected in %zu\n", corrected, plain, held,
                  rejected);
    assert_true(corrected > 100 && plain > 100 && held > 100);
}

/* With a great many samples the estimates are those of known experts; what explores is not, since a row's spread counts
   among what a sample may say. */
static void many_counts_are_knowledge(void **state)
{
    (void)state;
    roster_error err;
    roster_estimates *counts;
    roster_experts *known = spec_experts(), *estimated;
    assert_ok(roster_estimates_create(&counts, 3, 2, 3, NULL, &err), &err);
    for (size_t i = 0; i < 18; i++)
        assert_ok(roster_estimates_add(counts, i / 6, i % 6 / 3, i % 3, (uint64_t)(1e12 * spec_pi[i] + .5), &err),
                  &err);
    assert_ok(roster_estimates_experts(counts, &estimated, &err), &err);
    roster_agent *one = after_spec_rounds(estimated, spec_p, NULL, 40),
                 *other = after_spec_rounds(known, spec_p, NULL, 40);
    for (size_t i = 0; i < 3; i++) {
        roster_insight a, b;
        roster_agent_insight(one, i, &a);
        roster_agent_insight(other, i, &b);
        assert_close(a.estimate, b.estimate, 1e-9);
    }
    assert_true(roster_agent_setting(one, "kappa") == 1);
    roster_agent_free(one);
    roster_agent_free(other);
    roster_estimates_free(counts);
    roster_experts_free(known);
    roster_experts_free(estimated);
}

/* What an expert was never seen to do may happen where it is known from counts, and is refused where it is known. */
static void impossible_events(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    roster_agent *agent;
    const double pi[4] = {1, 0, .5, .5};
    instance world = {.n = 2, .x = 1, .v = 2};
    roster_event event = {.expert = 0, .action = 1, .reward = 1, .propensity = .25};
    roster_rng_init(&rng, 1, 0, 0);
    assert_ok(roster_experts_tables(&world.experts, 2, 1, 2, pi, NULL, &err), &err);
    roster_experts *counted = estimate(&world, &rng, 10);
    assert_ok(roster_agent_create(&agent, "direct", &(roster_problem){.experts = world.experts}, NULL, 1, 0, &err),
              &err);
    assert_refused(roster_agent_learn(agent, &event, &err), &err, ROSTER_EINVAL,
                   "event.expert 0 never takes action 1 there, so the event is impossible");
    roster_agent_free(agent);
    assert_ok(roster_agent_create(&agent, "direct", &(roster_problem){.experts = counted}, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_learn(agent, &event, &err), &err);
    roster_agent_free(agent);
    roster_experts_free(world.experts);
    roster_experts_free(counted);
}

/* A snapshot of learnt experts goes on as the live agent, and is refused by one that knows more of them. */
static void learnt_experts_are_saved(void **state)
{
    (void)state;
    enum { EVENTS = 300 };
    roster_error err;
    roster_rng rng;
    instance world;
    double u[2][8];
    roster_agent *a, *b, *other;
    roster_rng_init(&rng, 21, 0, 0);
    instance_random(&world, &rng, 4, 3, 3, .05);
    roster_experts *few = estimate(&world, &rng, 5), *more = estimate(&world, &rng, 6);
    assert_ok(roster_agent_create(&a, "direct", &(roster_problem){.experts = few}, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&b, "direct", &(roster_problem){.experts = few}, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&other, "direct", &(roster_problem){.experts = more}, NULL, 1, 0, &err), &err);
    for (size_t t = 0; t < EVENTS; t++) {
        roster_event event = random_event(&world, &rng, t % 4, true);
        assert_ok(roster_agent_learn(a, &event, &err), &err);
        if (t >= EVENTS / 2)
            assert_ok(roster_agent_learn(b, &event, &err), &err);
        if (t + 1 != EVENTS / 2)
            continue;
        unsigned char bytes[8192];
        size_t size = roster_agent_save(a, bytes, sizeof bytes);
        assert_ok(roster_agent_load(b, bytes, size, &err), &err);
        assert_refused(roster_agent_load(other, bytes, size, &err), &err, ROSTER_EDAMAGED,
                       "the snapshot is of an agent with another problem or other settings");
    }
    roster_agent_index(a, u[0]);
    roster_agent_index(b, u[1]);
    assert_memory_equal(u[0], u[1], 4 * sizeof **u);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_agent_free(other);
    roster_experts_free(few);
    roster_experts_free(more);
    instance_free(&world);
}

/* A study of an agent that knows the experts, nothing of them, or what samples say, also of its own first rounds. */
static void studies_of_learnt_experts(void **state)
{
    (void)state;
    enum { ROUNDS = 1000 };
    roster_error err;
    toy_study toy;
    roster_outcome known, none, offline, online;
    toy_init(&toy, "direct", NULL, ROUNDS);
    assert_ok(roster_simulate(&toy.study, 0, NULL, NULL, &known, NULL, &err), &err);
    toy.study.estimated = true;
    assert_ok(roster_simulate(&toy.study, 0, NULL, NULL, &none, NULL, &err), &err);
    toy.study.samples = 100;
    assert_ok(roster_simulate(&toy.study, 0, NULL, NULL, &offline, NULL, &err), &err);
    toy.study.sampling = ROSTER_ONLINE;
    assert_ok(roster_simulate(&toy.study, 0, NULL, NULL, &online, NULL, &err), &err);
    assert_true(none.rounds == 2 * ROUNDS && online.rounds == 2 * ROUNDS && none.xi == 0 && online.xi == 0);
    assert_true(none.regret != known.regret && offline.regret != none.regret);
    assert_true(online.regret > offline.regret && none.regret < 200);
    toy_fini(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learnt_experts_equal_literal),
        cmocka_unit_test(many_counts_are_knowledge),
        cmocka_unit_test(impossible_events),
        cmocka_unit_test(learnt_experts_are_saved),
        cmocka_unit_test(studies_of_learnt_experts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
