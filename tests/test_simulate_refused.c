/*
 * test_simulate_refused.c: studies that make no sense (lib/sim/simulate.c), each with its exact sentence.
 */
#include "support.h"

/* The toy experts in two worlds, and a study of two episodes of them. */
typedef struct toy {
    roster_experts *experts;
    roster_world *worlds[2];
    roster_episode episodes[2];
    roster_study study;
} toy;

static void toy_init(toy *self, const char *agent, const roster_setting *settings, uint64_t rounds)
{
    static const double *const means[2] = {toy_means_1, toy_means_2};
    roster_error err;
    assert_ok(roster_experts_tables(&self->experts, 2, 2, 3, toy_pi, NULL, &err), &err);
    for (size_t e = 0; e < 2; e++) {
        assert_ok(roster_world_create(&self->worlds[e], self->experts, toy_p, means[e], &err), &err);
        self->episodes[e] = (roster_episode){self->worlds[e], rounds, 0};
    }
    self->study = (roster_study){.experts = self->experts,
                                 .episodes = self->episodes,
                                 .n_episodes = 2,
                                 .agent = agent,
                                 .settings = settings,
                                 .seed = 7};
}

static void toy_fini(toy *self)
{
    roster_world_free(self->worlds[0]);
    roster_world_free(self->worlds[1]);
    roster_experts_free(self->experts);
}

static void refuse(const roster_study *study, const char *sentence)
{
    roster_outcome outcome = {1, 1, 1, 1};
    roster_error err;
    assert_refused(roster_simulate(study, 0, NULL, NULL, &outcome, NULL, &err), &err, ROSTER_EINVAL, sentence);
    assert_int_equal(roster_simulate(study, 0, NULL, NULL, &outcome, NULL, NULL), ROSTER_EINVAL);
    assert_true(outcome.rounds == 0 && outcome.regret == 0 && outcome.best_rounds == 0);
}

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
    toy t;
    toy_init(&t, "ed-ucb", tiny, 1000);
    /* xi = 1e-13, n = 6 ln(2000) / 1e-26, A = 20 n and a little */
    refuse(&t.study, "the theory's budget of samples per expert is 9.12108e+28: set p_V, p_X and gamma to bring it "
                     "below 4.6e18, or give a number of samples");
    t.study.settings = beyond;
    refuse(&t.study, "the theory's budget of samples per expert is 4.65361e+18: set p_V, p_X and gamma to bring it "
                     "below 4.6e18, or give a number of samples");
    t.study.settings = within;
    assert_ok(roster_simulate(&t.study, 0, NULL, NULL, &outcome, NULL, &err), &err);
    assert_int_equal(outcome.rounds, 2000);
    t.study.settings = exact;
    refuse(&t.study, "the theory's budget of samples per expert is inf: set p_V, p_X and gamma to bring it below "
                     "4.6e18, or give a number of samples");
    t.study.samples = 501;
    t.study.sampling = ROSTER_ONLINE;
    refuse(&t.study, "online sampling needs 1002 rounds (2 experts, 501 samples each), but the first episode has 1000");
    t.study.settings = rough;
    t.study.samples = 10; /* no round is played for settings that are wrong on their own */
    refuse(&t.study, "xi is 0.2, must be below p_V = 0.1: draw more samples of the experts");
    t.study.sampling = ROSTER_OFFLINE;
    refuse(&t.study, "xi is 0.2, must be below p_V = 0.1: draw more samples of the experts");
    t.study.settings = floorless;
    refuse(&t.study, "ed-ucb needs p_V: lower bound of every true probability of an action");
    t.study.samples = 0;
    refuse(&t.study, "ed-ucb needs p_V: lower bound of every true probability of an action");
    t.study.samples = 10;
    t.study.settings = exact;
    t.study.prior = short_of_one;
    refuse(&t.study, "prior sums to 0.9, must be 1");
    t.study.prior = NULL;
    t.study.samples = (UINT64_C(1) << 62) + 1;
    refuse(&t.study, "samples is 4611686018427387905, must be at most 2^62");
    toy_fini(&t);
}

static void wrong_studies_refused(void **state)
{
    (void)state;
    static const char needs[] = "a study needs experts, an agent and at least one episode";
    toy t, other;
    toy_init(&t, "ucb", NULL, 100);
    toy_init(&other, "ucb", NULL, 100);
    roster_study wrong[4] = {t.study, t.study, t.study, t.study};
    wrong[0].experts = NULL;
    wrong[1].episodes = NULL;
    wrong[2].n_episodes = 0;
    wrong[3].agent = NULL;
    for (size_t i = 0; i < 4; i++)
        refuse(&wrong[i], needs);
    t.episodes[1].world = NULL;
    refuse(&t.study, "episodes[1].world must be made of the study's experts");
    t.episodes[1].world = other.worlds[1];
    refuse(&t.study, "episodes[1].world must be made of the study's experts");
    t.episodes[1] = (roster_episode){t.worlds[1], 0, 0};
    refuse(&t.study, "episodes[1].rounds is 0, must be at least 1");
    t.episodes[1] = (roster_episode){t.worlds[1], 10, 11};
    refuse(&t.study, "episodes[1].min_rounds is 11, must be at most rounds = 10");
    toy_fini(&t);
    toy_fini(&other);
}

static void wrong_agents_refused(void **state)
{
    (void)state;
    static const roster_setting unknown[] = {{"alpha", 1, NULL}, {NULL, 0, NULL}};
    toy t;
    toy_init(&t, "d_ucb", NULL, 100);
    refuse(&t.study, "there is no agent 'd_ucb'; there are d-ucb, d-ucb-lite, ed-ucb, ed-ucb-lite, ucb, kl-ucb, "
                     "oracle, uniform");
    t.study.agent = "d-ucb";
    refuse(&t.study, "experts[1] (expert 2) never plays action 2 in context 0, but experts[0] (expert 1) does, so "
                     "their divergence is infinite: give every action a small probability, or set support to "
                     "\"shared\"");
    t.study.settings = unknown;
    refuse(&t.study, "d-ucb has no setting 'alpha'; it takes C, gamma, support");
    t.study.agent = "ucb";
    refuse(&t.study, "ucb has no setting 'alpha': it takes none");
    t.study.agent = "ed-ucb";
    refuse(&t.study, "ed-ucb has no setting 'alpha'; it takes C, p_V, p_X, xi, gamma, support");
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
