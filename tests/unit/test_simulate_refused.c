/*
 * test_simulate_refused.c: studies that make no sense (lib/sim/simulate.c), each with its exact sentence.
 */
#include "support.h"

static void budgets_refused(void **state)
{
    (void)state;
    static const roster_setting tiny[] = {{"p_V", 1e-4, NULL}, {"p_X", .1, NULL}, {"gamma", .1, NULL}, {NULL, 0, NULL}};
    static const roster_setting within[] = {
        {"xi", 1.41e-8, NULL}, {"p_V", .1, NULL}, {"p_X", .1, NULL}, {NULL, 0, NULL}};
    static const roster_setting beyond[] = {
        {"xi", 1.4e-8, NULL}, {"p_V", .1, NULL}, {"p_X", .1, NULL}, {NULL, 0, NULL}};
    static const roster_setting exact[] = {{"p_V", .1, NULL}, {"p_X", .1, NULL}, {"xi", 0, NULL}, {NULL, 0, NULL}};
    static const roster_setting rough[] = {{"p_V", .1, NULL}, {"p_X", .1, NULL}, {"xi", .2, NULL}, {NULL, 0, NULL}};
    static const roster_setting floorless[] = {{"p_X", .1, NULL}, {"gamma", .1, NULL}, {NULL, 0, NULL}};
    static const double short_of_one[2] = {.5, .4};
    roster_outcome outcome;
    roster_error err;
    toy_study t;
    toy_init(&t, "ed-ucb", tiny, 1000);
    /* xi = 1e-13, n = 6 ln(2000) / 1e-26, A = 20 n and a little */
    toy_refused(&t.study,
                "the theory's budget of samples per expert is 9.12108e+28: set p_V, p_X and gamma to bring it "
                "below 4.6e18, or give a number of samples");
    t.study.settings = beyond;
    toy_refused(&t.study,
                "the theory's budget of samples per expert is 4.65361e+18: set p_V, p_X and gamma to bring it "
                "below 4.6e18, or give a number of samples");
    t.study.settings = within;
    assert_ok(roster_simulate(&t.study, 0, NULL, NULL, &outcome, NULL, &err), &err);
    assert_int_equal(outcome.rounds, 2000);
    t.study.settings = exact;
    toy_refused(&t.study, "the theory's budget of samples per expert is inf: set p_V, p_X and gamma to bring it below "
                          "4.6e18, or give a number of samples");
    t.study.samples = 501;
    t.study.sampling = ROSTER_ONLINE;
    toy_refused(&t.study,
                "online sampling needs 1002 rounds (2 experts, 501 samples each), but the first episode has 1000");
    t.study.settings = rough;
    t.study.samples = 10; /* no round is played for settings that are wrong on their own */
    toy_refused(&t.study, "xi is 0.2, must be below p_V = 0.1: draw more samples of the experts, or use direct");
    t.study.sampling = ROSTER_OFFLINE;
    toy_refused(&t.study, "xi is 0.2, must be below p_V = 0.1: draw more samples of the experts, or use direct");
    t.study.settings = floorless;
    toy_refused(&t.study, "ed-ucb needs p_V: lower bound of every true probability of an action");
    t.study.samples = 0;
    toy_refused(&t.study, "ed-ucb needs p_V: lower bound of every true probability of an action");
    t.study.samples = 10;
    t.study.settings = exact;
    t.study.prior = short_of_one;
    toy_refused(&t.study, "prior sums to 0.9, must be 1");
    t.study.prior = NULL;
    t.study.samples = (UINT64_C(1) << 62) + 1;
    toy_refused(&t.study, "samples is 4611686018427387905, must be at most 2^62");
    toy_fini(&t);
}

static void wrong_studies_refused(void **state)
{
    (void)state;
    static const char needs[] = "a study needs experts, an agent and at least one episode";
    toy_study t, other;
    toy_init(&t, "ucb", NULL, 100);
    toy_init(&other, "ucb", NULL, 100);
    roster_study wrong[4] = {t.study, t.study, t.study, t.study};
    wrong[0].experts = NULL;
    wrong[1].episodes = NULL;
    wrong[2].n_episodes = 0;
    wrong[3].agent = NULL;
    for (size_t i = 0; i < 4; i++)
        toy_refused(&wrong[i], needs);
    t.episodes[1].world = NULL;
    toy_refused(&t.study, "episodes[1].world must be made of the study's experts");
    t.episodes[1].world = other.worlds[1];
    toy_refused(&t.study, "episodes[1].world must be made of the study's experts");
    t.episodes[1] = (roster_episode){.world = t.worlds[1]};
    toy_refused(&t.study, "episodes[1].rounds is 0, must be at least 1");
    t.episodes[1] = (roster_episode){.world = t.worlds[1], .rounds = 10, .min_rounds = 11};
    toy_refused(&t.study, "episodes[1].min_rounds is 11, must be at most rounds = 10");
    toy_fini(&t);
    toy_fini(&other);
}

static void wrong_agents_refused(void **state)
{
    (void)state;
    static const roster_setting unknown[] = {{"alpha", 1, NULL}, {NULL, 0, NULL}};
    toy_study t;
    toy_init(&t, "d_ucb", NULL, 100);
    toy_refused(&t.study, "there is no agent 'd_ucb'; there are " ALL_AGENTS);
    t.study.agent = "d-ucb";
    toy_refused(&t.study, "experts[1] (expert 2) never plays action 2 in context 0, but experts[0] (expert 1) does, so "
                          "their divergence is infinite: give every action a small probability, or set support to "
                          "\"shared\"");
    t.study.settings = unknown;
    toy_refused(&t.study, "d-ucb has no setting 'alpha'; it takes C, gamma, support, verify");
    t.study.agent = "ucb";
    toy_refused(&t.study, "ucb has no setting 'alpha': it takes none");
    t.study.agent = "ed-ucb";
    toy_refused(&t.study, "ed-ucb has no setting 'alpha'; it takes C, p_V, p_X, xi, gamma, support, verify");
    toy_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_refused),
        cmocka_unit_test(wrong_studies_refused),
        cmocka_unit_test(wrong_agents_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
