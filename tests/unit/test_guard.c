/*
 * test_guard.c: studies whose episodes end unannounced, and worlds in which the reward depends on who acts.
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { N = 3, X = 2, V = 2 };

static const double pi[N * X * V] = {.9, .1, .1, .9, .1, .9, .9, .1, .5, .5, .5, .5};
static const double first[X] = {.8, .2}, second[X] = {.1, .9}, means[X * V] = {.9, .1, .2, .3},
                    other_means[X * V] = {.1, .9, .8, .2};

typedef struct fixture {
    roster_experts *experts;
    roster_world *worlds[3];
    roster_episode episodes[3];
    roster_study study;
} fixture;

/* Contexts change, then rewards. */
static int setup(void **state)
{
    static fixture f;
    roster_error err;
    const double *p[3] = {first, second, second}, *m[3] = {means, means, other_means};
    f = (fixture){.experts = NULL};
    assert_ok(roster_experts_tables(&f.experts, N, X, V, pi, NULL, &err), &err);
    for (size_t e = 0; e < 3; e++) {
        assert_ok(roster_world_create(&f.worlds[e], f.experts, p[e], m[e], &err), &err);
        f.episodes[e] = (roster_episode){.world = f.worlds[e], .rounds = 4000, .declaration = ROSTER_DECLARE_NONE};
    }
    f.study = (roster_study){.experts = f.experts,
                             .episodes = f.episodes,
                             .n_episodes = 3,
                             .agent = "direct",
                             .seed = 1,
                             .restart = ROSTER_RESTART_ALARM};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    for (size_t e = 0; e < 3; e++)
        roster_world_free(f->worlds[e]);
    roster_experts_free(f->experts);
    return 0;
}

static roster_outcome run(const roster_study *study, uint64_t number)
{
    roster_error err;
    roster_outcome outcome;
    assert_ok(roster_simulate(study, number, NULL, NULL, &outcome, NULL, &err), &err);
    return outcome;
}

static void alarms_are_counted(void **state)
{
    fixture *f = *state;
    for (uint64_t number = 0; number < 20; number++) {
        roster_outcome outcome = run(&f->study, number);
        assert_true(outcome.contexts.raised == 1 && outcome.contexts.wrong == 0);
        assert_true(outcome.rewards.raised == 1 && outcome.rewards.wrong == 0);
        assert_true(outcome.contexts.delay > 0 && outcome.contexts.delay < 500);
        assert_true(outcome.rewards.delay > 0 && outcome.rewards.delay < 500);
    }
}

/* In the mean, being told is best, then alarms, then nothing. */
static void restarting_pays(void **state)
{
    fixture *f = *state;
    double regret[3] = {0, 0, 0};
    for (roster_restart restart = ROSTER_RESTART_KNOWN; restart <= ROSTER_RESTART_NEVER; restart++) {
        f->study.restart = restart;
        for (uint64_t number = 0; number < 20; number++)
            regret[restart] += run(&f->study, number).regret / 20;
    }
    f->study.restart = ROSTER_RESTART_ALARM;
    print_message("known %.1f, alarm %.1f, never %.1f\n", regret[0], regret[1], regret[2]);
    assert_true(regret[0] < regret[1] && 4 * regret[1] < regret[2]);
}

/* What an observer sees is what is counted, and the run is the same with or without. */
typedef struct seen {
    unsigned contexts, rewards, rejections;
} seen;

static bool observe(void *context, const roster_step *step)
{
    seen *s = context;
    roster_alarm alarm;
    s->contexts += (step->raised & ROSTER_CONTEXTS_CHANGED) != 0;
    s->rewards += (step->raised & ROSTER_REWARDS_CHANGED) != 0;
    s->rejections += step->rejects;
    assert_int_equal(step->raised != 0, step->raised != 0 && (roster_alarms_last(step->alarms, 1, &alarm) ||
                                                              roster_alarms_last(step->alarms, 2, &alarm)));
    return true;
}

static void observers_see_alarms(void **state)
{
    fixture *f = *state;
    roster_error err;
    seen s = {0, 0, 0};
    roster_outcome outcome, expected = run(&f->study, 5);
    assert_ok(roster_simulate(&f->study, 5, observe, &s, &outcome, NULL, &err), &err);
    assert_true(outcome.regret == expected.regret);
    assert_int_equal(s.contexts, outcome.contexts.raised);
    assert_int_equal(s.rewards, outcome.rewards.raised);
}

static void threads_do_not_matter(void **state)
{
    fixture *f = *state;
    roster_error err;
    roster_results *results[2];
    for (size_t i = 0; i < 2; i++) {
        roster_contest contest = {.studies = &f->study, .agents = 1, .runs = 12, .threads = 1 + 2 * i, .points = 50};
        assert_ok(roster_contest_run(&contest, &results[i], &err), &err);
    }
    assert_memory_equal(&results[0]->total[0], &results[1]->total[0], sizeof(roster_moments));
    assert_memory_equal(&results[0]->contexts[0], &results[1]->contexts[0], sizeof(roster_alarm_counts));
    assert_int_equal(results[0]->contexts[0].raised, 12);
    assert_int_equal(results[0]->rewards[0].raised, 12);
    roster_results_free(results[0]);
    roster_results_free(results[1]);
}

/* Expert 0 seems best by what others earn with its actions, but earns less. */
static void who_earns_less_stands_alone(void **state)
{
    fixture *f = *state;
    roster_error err;
    const double factors[N] = {.6, 1, 1}, wrong[N] = {1, 2, 1};
    const roster_setting verify[] = {{"verify", .1, NULL}, {NULL, 0, NULL}};
    double mu[N], before[N], regret[2] = {0, 0};
    uint64_t rejected = 0;
    roster_world_values(f->worlds[0], before);
    assert_refused(roster_world_set_factors(f->worlds[0], wrong, &err), &err, ROSTER_EINVAL,
                   "factors[1] is 2, must be in [0, 1]");
    assert_ok(roster_world_set_factors(f->worlds[0], factors, &err), &err);
    roster_world_values(f->worlds[0], mu);
    assert_close(mu[0], .6 * before[0], 1e-12);
    assert_true(mu[1] == before[1] && before[0] > before[2] && mu[0] < mu[2]);
    f->episodes[0].rounds = 20000;
    f->study.n_episodes = 1;
    f->study.restart = ROSTER_RESTART_KNOWN;
    f->study.settings = verify;
    for (int tested = 0; tested < 2; tested++)
        for (uint64_t number = 0; number < 10; number++) {
            f->study.model_test = tested == 1;
            roster_outcome outcome = run(&f->study, number);
            regret[tested] += outcome.regret / 10;
            rejected += outcome.rejected;
        }
    print_message("not tested %.1f, tested %.1f, %llu rejected\n", regret[0], regret[1], (unsigned long long)rejected);
    assert_true(rejected == 10);
    assert_true(regret[1] < regret[0]);
}

/* What is declared is what the agent is told: d-ucb believes it, and a distribution it must be. */
static void declarations(void **state)
{
    fixture *f = *state;
    roster_error err;
    roster_outcome outcome;
    const double wrong[X] = {.5, .6};
    f->study.restart = ROSTER_RESTART_KNOWN;
    f->study.agent = "d-ucb";
    f->episodes[1].declaration = ROSTER_DECLARE_OTHER;
    assert_refused(roster_simulate(&f->study, 0, NULL, NULL, &outcome, NULL, &err), &err, ROSTER_EINVAL,
                   "episodes[1].declared is missing: what is declared");
    f->episodes[1].declared = wrong;
    assert_refused(roster_simulate(&f->study, 0, NULL, NULL, &outcome, NULL, &err), &err, ROSTER_EINVAL,
                   "context_probabilities sums to 1.1, must be 1");
    f->episodes[1].declared = first;
    assert_ok(roster_simulate(&f->study, 0, NULL, NULL, &outcome, NULL, &err), &err);
    f->study.delta = 2;
    f->study.restart = ROSTER_RESTART_ALARM;
    assert_refused(roster_simulate(&f->study, 0, NULL, NULL, &outcome, NULL, &err), &err, ROSTER_EINVAL,
                   "delta is 2, must be in [1e-300, 1)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(alarms_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(restarting_pays, setup, teardown),
        cmocka_unit_test_setup_teardown(observers_see_alarms, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(who_earns_less_stands_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(declarations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
