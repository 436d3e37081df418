/*
 * test_waiting.c: choosing while rewards are late: as the rule says when it is written down literally, and every expert
 * gets its share.
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { N = 5, LATE = 1000, BATCHES = 4 };

static double kl(double p, double q)
{
    double low = p > 0 ? p * log(p / q) : 0, high = p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0;
    return low + high;
}

/* The largest q with kl(mean, q) <= d, by bisection. */
static double kl_index(double mean, double d)
{
    double low = mean, high = 1;
    for (int i = 0; i < 200; i++) {
        double q = (low + high) / 2;
        if (q < 1 && kl(mean, q) <= d)
            low = q;
        else
            high = q;
    }
    return low;
}

/* What was learnt of each expert. */
typedef struct learnt {
    double plays[N], sum[N];
} learnt;

/* Everybody's index if waiting decisions are plays; infinite without a reward. */
static void literal(const learnt *l, const uint64_t *waiting, bool is_kl, double *u)
{
    double t = 0;
    for (size_t i = 0; i < N; i++)
        t += l->plays[i] + (double)waiting[i];
    double ln_f = log(1 + t * log(t > 0 ? t : 1) * log(t > 0 ? t : 1));
    for (size_t i = 0; i < N; i++) {
        double n = l->plays[i] + (double)waiting[i], mean = l->sum[i] / l->plays[i];
        u[i] = l->plays[i] == 0 ? INFINITY : is_kl ? kl_index(mean, ln_f / n) : mean + sqrt(ln_f / (2 * n));
    }
}

/* The largest index; of those that tie the ones with the fewest waiting, of these the one that u draws; where nothing
   waits the first. */
static size_t literal_choice(const double *index, const uint64_t *waiting, double u)
{
    double most = -INFINITY;
    uint64_t fewest = UINT64_MAX, sum = 0;
    size_t tied[N], n = 0;
    for (size_t i = 0; i < N; i++) {
        most = fmax(most, index[i]);
        sum += waiting[i];
    }
    for (size_t i = 0; i < N; i++)
        if (index[i] >= most - 1e-9 && waiting[i] < fewest)
            fewest = waiting[i];
    for (size_t i = 0; i < N; i++)
        if (index[i] >= most - 1e-9 && waiting[i] == fewest)
            tied[n++] = i;
    return sum == 0 ? tied[0] : tied[(size_t)(u * (double)n)];
}

static roster_agent *create(const char *name, const roster_experts *experts, const roster_setting *settings)
{
    roster_agent *agent;
    roster_error err;
    roster_problem problem = {.experts = experts};
    assert_ok(roster_agent_create(&agent, name, &problem, settings, 1, 0, &err), &err);
    return agent;
}

static void as_literal(const char *name, uint64_t seed)
{
    roster_rng rng;
    instance world;
    roster_error err;
    learnt l = {{0}, {0}};
    roster_rng_init(&rng, seed, 0, 0);
    instance_random(&world, &rng, N, 2, 3, .05);
    roster_agent *agent = create(name, world.experts, NULL);
    for (int t = 0; t < 400; t++) {
        uint64_t waiting[N];
        double u = roster_rng_uniform(&rng), expected[N], index[N];
        for (size_t i = 0; i < N; i++)
            waiting[i] = t % 3 == 0 ? 0 : roster_rng_below(&rng, t % 3 == 1 ? 3 : 300);
        literal(&l, waiting, strcmp(name, "kl-ucb") == 0, expected);
        assert_int_equal(roster_agent_choose_waiting(agent, waiting, u), literal_choice(expected, waiting, u));
        roster_agent_index_waiting(agent, waiting, index);
        for (size_t i = 0; i < N; i++)
            assert_true(close_enough(index[i], expected[i] < INFINITY || waiting[i] == 0 ? expected[i]
                                                                                         : 1e300 / (double)waiting[i]));
        /* Rewards of 1 alone at first: ties of kl-ucb. */
        roster_event event = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
        event.reward = t < 40 ? 1 : event.reward;
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        l.plays[event.expert]++;
        l.sum[event.expert] += event.reward;
    }
    roster_agent_free(agent);
    instance_free(&world);
}

static void as_the_literal_rule(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        as_literal("ucb", seed);
        as_literal("kl-ucb", seed);
    }
}

/* Five experts, each with an action of its own, so that nobody learns from another. */
static roster_experts *strangers(void)
{
    double pi[N * N];
    roster_experts *experts;
    roster_error err;
    for (size_t i = 0; i < N * N; i++)
        pi[i] = i % (N + 1) == 0;
    assert_ok(roster_experts_tables(&experts, N, 1, N, pi, NULL, &err), &err);
    return experts;
}

/* Plays per expert in each batch of decisions, whose rewards, the same for all experts, are learnt after the batch. */
static void play_late(const char *name, const roster_setting *settings, uint64_t plays[BATCHES][N])
{
    roster_experts *experts = strangers();
    roster_agent *agent = create(name, experts, settings);
    roster_error err;
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    for (int b = 0; b < BATCHES; b++) {
        memset(plays[b], 0, sizeof plays[b]);
        for (int i = 0; i < LATE; i++) {
            size_t k = roster_agent_choose_waiting(agent, plays[b], roster_rng_uniform(&rng));
            assert_true(k < N);
            plays[b][k]++;
        }
        for (size_t k = 0; k < N; k++)
            for (uint64_t i = 0; i < plays[b][k]; i++) {
                roster_event event = {.expert = k, .action = k, .reward = (double)(i % 2)};
                assert_ok(roster_agent_learn(agent, &event, &err), &err);
            }
    }
    roster_agent_free(agent);
    roster_experts_free(experts);
}

static void everybody_gets_a_share(void **state)
{
    (void)state;
    static const char *const names[] = {"uniform", "ucb", "kl-ucb"};
    for (size_t i = 0; i < 3; i++) {
        uint64_t plays[BATCHES][N];
        play_late(names[i], NULL, plays);
        for (int b = 0; b < BATCHES; b++)
            for (size_t k = 0; k < N; k++)
                if (plays[b][k] < 150 || plays[b][k] > 250)
                    fail_msg("%s: batch %d has %d plays of expert %zu", names[i], b, (int)plays[b][k], k);
    }
}

/* Agents that share rewards explore no expert anew, but unknown ones come in turn. */
static void the_unknown_come_in_turn(void **state)
{
    (void)state;
    static const roster_setting shared[] = {{"support", 0, "shared"}, {NULL, 0, NULL}};
    static const char *const names[] = {"d-ucb", "d-ucb-lite"};
    for (size_t i = 0; i < 2; i++) {
        uint64_t plays[BATCHES][N];
        play_late(names[i], shared, plays);
        for (size_t k = 0; k < N; k++)
            assert_in_range(plays[0][k], 200, 200);
    }
}

enum { MANY = 1000, ROUNDS = 400 };

/* An agent that has learnt twice about every expert, means all over (0, 1), and as many that wait as balance them. */
static roster_agent *crowd(const char *name, roster_experts **experts, uint64_t *waiting)
{
    static double pi[2 * MANY];
    roster_error err;
    for (size_t i = 0; i < 2 * MANY; i++)
        pi[i] = .5;
    assert_ok(roster_experts_tables(experts, MANY, 1, 2, pi, NULL, &err), &err);
    roster_agent *agent = create(name, *experts, NULL);
    for (size_t i = 0; i < 2 * MANY; i++) {
        roster_event event = {.expert = i % MANY, .reward = (double)(i * 7919 % 1009) / 1009};
        assert_ok(roster_agent_learn(agent, &event, &err), &err);
        waiting[i % MANY] = 0;
    }
    waiting[0] = 1;
    for (size_t i = 0; i < 3 * MANY; i++)
        waiting[roster_agent_choose_waiting(agent, waiting, .5)]++;
    return agent;
}

/* With many experts the choice is that of all their indices, and kl-ucb does not compute them all. */
static void of_many(void **state)
{
    (void)state;
    static const char *const names[] = {"ucb", "kl-ucb"};
    for (size_t a = 0; a < 2; a++) {
        static uint64_t waiting[MANY];
        static double index[MANY];
        double choosing = 0, computing = 0;
        roster_experts *experts;
        roster_agent *agent = crowd(names[a], &experts, waiting);
        for (int i = 0; i < ROUNDS; i++) {
            double begun = thread_seconds(), most = -INFINITY;
            size_t k = roster_agent_choose_waiting(agent, waiting, 0), ties = 0;
            double chosen = thread_seconds();
            roster_agent_index_waiting(agent, waiting, index);
            computing += thread_seconds() - chosen;
            choosing += chosen - begun;
            for (size_t j = 0; j < MANY; j++)
                most = fmax(most, index[j]);
            for (size_t j = 0; j < MANY; j++)
                ties += index[j] >= most - 1e-9;
            assert_true(index[k] >= most - 1e-9);
            assert_true(ties < MANY / 10); /* else this says little */
            waiting[k]++;
        }
        if (a == 1 && choosing > computing / 2)
            fail_msg("kl-ucb takes %g s for choices, %g s for all indices", choosing, computing);
        roster_agent_free(agent);
        roster_experts_free(experts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_literal_rule),
        cmocka_unit_test(everybody_gets_a_share),
        cmocka_unit_test(the_unknown_come_in_turn),
        cmocka_unit_test(of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
