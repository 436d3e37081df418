/*
 * test_choice.c: the share of plays that every expert keeps, and the probabilities with which experts are chosen.
 */
#include "support.h"

#include "lazy.h"

#include <math.h>
#include <string.h>

enum { N = 5, ROUNDS = 40000 };

static instance world;

static int setup(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 21, 0, 0);
    instance_random(&world, &rng, N, 3, 4, .05);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    instance_free(&world);
    return 0;
}

static bool takes(const roster_agent_info *info, const char *setting)
{
    for (size_t i = 0; info->params[i] != NULL; i++)
        if (strcmp(info->params[i]->name, setting) == 0)
            return true;
    return false;
}

static const roster_agent_info *info_of(const char *name)
{
    size_t i = 0;
    while (strcmp(roster_agent_info_at(i)->name, name) != 0)
        i++;
    return roster_agent_info_at(i);
}

static roster_agent *create(const char *name, double verify)
{
    static const roster_setting bounds[] = {{"p_V", .01, NULL}, {"p_X", .05, NULL}, {"xi", 1e-4, NULL}};
    const double values[N] = {0};
    roster_setting settings[8] = {{NULL, 0, NULL}};
    size_t n = 0;
    roster_agent *agent;
    roster_error err;
    if (verify > 0)
        settings[n++] = (roster_setting){"verify", verify, NULL};
    for (size_t i = 0; i < 3 && takes(info_of(name), "p_V"); i++)
        settings[n++] = bounds[i];
    roster_problem problem = {world.experts, world.p, values};
    assert_ok(roster_agent_create(&agent, name, &problem, settings, 4, 2, &err), &err);
    return agent;
}

/* The agent plays; how often each expert did into plays, less what its own choice was into others. */
static void play(const char *name, double verify, uint64_t seed, size_t rounds, size_t *plays, size_t *others)
{
    roster_agent *agent = create(name, verify);
    roster_error err;
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, 0);
    memset(plays, 0, N * sizeof *plays);
    memset(others, 0, N * sizeof *others);
    for (size_t t = 0; t < rounds; t++) {
        size_t k = roster_agent_choose(agent);
        assert_int_equal(roster_agent_choose(agent), k); /* a read */
        plays[k]++;
        others[k] += k != agent->type->choose(agent->state);
        roster_event event = random_event(&world, &rng, k, false);
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
    }
    roster_agent_free(agent);
}

/* Every agent that takes the setting lets every expert have its share. */
static void shares_are_kept(void **state)
{
    (void)state;
    const double share = .03;
    size_t agents = 0, plays[N], others[N];
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_info_at(i);
        if (!takes(info, "verify"))
            continue;
        agents++;
        play(info->name, share, 5, ROUNDS, plays, others);
        double sd = sqrt(ROUNDS * share * (1 - share)), total = 0;
        for (size_t k = 0; k < N; k++) {
            assert_true((double)plays[k] > ROUNDS * share - 5 * sd);
            total += (double)others[k];
        }
        /* N s of the rounds draw anybody, one in N of them the agent's own choice. */
        assert_true(fabs(total - ROUNDS * (N - 1) * share) < 5 * sqrt(N) * sd);
    }
    assert_true(agents >= 5);
}

static void replays_are_exact(void **state)
{
    (void)state;
    size_t a[N], b[N], others[N];
    play("d-ucb", .1, 6, 2000, a, others);
    play("d-ucb", .1, 6, 2000, b, others);
    assert_memory_equal(a, b, sizeof a);
    play("d-ucb", .2, 6, 2000, a, others); /* all of them: uniform */
    for (size_t k = 0; k < N; k++)
        assert_true(a[k] > 300 && a[k] < 500);
}

/* They sum to 1, say s for all but one, and are those by which choose_waiting draws: given what the agent itself would
   choose, whether that is drawn or not. */
static void probabilities_are_those_of_drawing(void **state)
{
    (void)state;
    enum { DRAWS = 200000 };
    const double share = .05;
    static const uint64_t waiting[N] = {0, 2, 1, 0, 5};
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 7, 0, 0);
    for (size_t rounds = 0; rounds < 2; rounds++) { /* with nothing learnt the agent's own choice is drawn, too */
        roster_agent *agent = create("d-ucb", share);
        double together[N][N] = {{0}}, expected[N][N] = {{0}};
        for (size_t t = 0; t < 100 * rounds; t++) {
            roster_event event = random_event(&world, &rng, t % N, false);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
        }
        for (size_t i = 0; i < DRAWS; i++) {
            double u = roster_rng_uniform(&rng), p[N], sum = 0;
            size_t k = roster_agent_choose_waiting(agent, waiting, u), own = 0;
            roster_agent_choice_waiting(agent, waiting, u, p);
            for (size_t j = 0; j < N; j++) {
                sum += p[j];
                own = p[j] > p[own] ? j : own;
                assert_true(p[j] >= share);
            }
            assert_close(sum, 1, 1e-12);
            assert_close(p[own], 1 - (N - 1) * share, 1e-12);
            together[own][k]++;
            for (size_t j = 0; j < N; j++)
                expected[own][j] += p[j];
        }
        for (size_t own = 0; own < N; own++)
            for (size_t k = 0; k < N; k++)
                assert_true(fabs(together[own][k] - expected[own][k]) <= 5 * sqrt(expected[own][k]) + 1e-9);
        roster_agent_free(agent);
    }
}

static void choices_of_those_that_draw(void **state)
{
    (void)state;
    static const uint64_t waiting[N] = {0};
    const char *const names[] = {"uniform", "exp4"};
    double p[N], u[N];
    for (size_t i = 0; i < 2; i++) {
        roster_agent *agent = create(names[i], 0);
        roster_agent_choice(agent, p);
        for (size_t k = 0; k < N; k++)
            assert_close(p[k], 1. / N, 1e-12);
        roster_agent_choice_waiting(agent, waiting, .7, u);
        assert_memory_equal(p, u, sizeof p);
        roster_agent_free(agent);
    }
    roster_agent *agent = create("ucb", 0);
    roster_agent_choice(agent, p);
    for (size_t k = 0; k < N; k++)
        assert_true(p[k] == (k == roster_agent_choose(agent)));
    roster_agent_free(agent);
}

/* It changes who is chosen and not what is known: states go from one to the other, and no round is played unseen. */
static void states_are_the_same(void **state)
{
    (void)state;
    roster_agent *with = create("d-ucb", .1), *without = create("d-ucb", 0);
    roster_error err;
    assert_ok(roster_agent_merge(with, without, &err), &err);
    assert_false(roster_lazy_possible(with));
    assert_true(roster_lazy_possible(without));
    assert_close(roster_agent_setting(with, "verify"), .1, 0);
    roster_agent_free(with);
    roster_agent_free(without);
}

/* By the kind of the experts; what is created, saved and simulated is the other one. */
static void auto_takes_another(void **state)
{
    (void)state;
    roster_experts *external;
    roster_agent *agent, *direct;
    roster_error err;
    roster_problem problem = {.experts = world.experts};
    const roster_setting memory[] = {{"memory", 5, NULL}, {NULL, 0, NULL}};
    assert_ok(roster_experts_external(&external, N, 0, 4, NULL, NULL, &err), &err);
    assert_string_equal(roster_agent_stand_in("auto", world.experts)->name, "direct");
    assert_string_equal(roster_agent_stand_in("auto", external)->name, "mixture");
    assert_string_equal(roster_agent_stand_in("ucb", external)->name, "ucb");
    assert_null(roster_agent_stand_in("else", external));
    assert_ok(roster_agent_create(&agent, "auto", &problem, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&direct, "direct", &problem, NULL, 1, 0, &err), &err);
    assert_string_equal(roster_agent_about(agent)->name, "direct");
    assert_ok(roster_agent_merge(direct, agent, &err), &err);
    roster_agent_free(direct);
    roster_agent_free(agent);
    assert_int_equal(roster_agent_create(&agent, "auto", &problem, memory, 1, 0, &err), ROSTER_EINVAL);
    assert_true(strncmp(err.msg, "direct has no setting 'memory'", 30) == 0);
    problem.experts = external;
    assert_ok(roster_agent_create(&agent, "auto", &problem, memory, 1, 0, &err), &err);
    assert_string_equal(roster_agent_about(agent)->name, "mixture");
    roster_agent_free(agent);
    problem.experts = NULL;
    assert_refused(roster_agent_create(&agent, "auto", &problem, NULL, 1, 0, &err), &err, ROSTER_EINVAL,
                   "the problem has no experts");
    roster_experts_free(external);
}

static void refused(void **state)
{
    (void)state;
    roster_agent *agent;
    roster_error err;
    roster_problem problem = {.experts = world.experts};
    roster_setting settings[] = {{"verify", .25, NULL}, {NULL, 0, NULL}};
    assert_refused(roster_agent_create(&agent, "mixture", &problem, settings, 1, 0, &err), &err, ROSTER_EINVAL,
                   "verify is 0.25, must be at most 0.2: each of 5 experts keeps that share");
    settings[0].number = -.1;
    assert_refused(roster_agent_create(&agent, "mixture", &problem, settings, 1, 0, &err), &err, ROSTER_EINVAL,
                   "verify is -0.1, must be a number at least 0 and at most 1");
    assert_refused(roster_agent_create(&agent, "ucb", &problem, settings, 1, 0, &err), &err, ROSTER_EINVAL,
                   "ucb has no setting 'verify': it takes none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_kept),
        cmocka_unit_test(replays_are_exact),
        cmocka_unit_test(probabilities_are_those_of_drawing),
        cmocka_unit_test(choices_of_those_that_draw),
        cmocka_unit_test(states_are_the_same),
        cmocka_unit_test(auto_takes_another),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
