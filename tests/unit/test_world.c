/*
 * test_world.c: simulated worlds (lib/sim/world.c): values, refusals, and rounds as pure functions with the right law.
 *
 * Every chi-square runs twice on fixed seeds: against the law of the world, where its tail must exceed 1e-4, and
 * against one that is off by .01, where it must not.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "world.h"

enum { N = 3, X = 4, V = 5, ROUNDS = 200000 };
static const double REJECT = 1e-4;

/* Outcomes of probability 0 first, last and in the middle, of contexts and of actions; sure and impossible rewards. */
static const double pi[N * X * V] = {
    0,  .5, 0, .5, 0,  .2, .2, .2, .2, .2, 1,  0, 0, 0,   0,   .1,  .2,  .3,  .4,  0,
    0,  .5, 0, .5, 0,  .6, .1, .1, .1, .1, 0,  0, 0, 0,   1,   .25, .25, 0,   .25, .25,
    .9, 0,  0, 0,  .1, 0,  .3, .3, .4, 0,  .5, 0, 0, .25, .25, 0,   0,   .05, .05, .9,
};
static const double p[X] = {0, .3, 0, .7};
static const double everywhere[X] = {.1, .2, .3, .4};
static const double means[X * V] = {.5, .5, .5, .5, .5, 0, .1, .5, .9, 1, .2, .4, .6, .8, 1, 1, .75, .5, .25, 0};

static roster_experts *new_experts(void)
{
    roster_experts *experts;
    roster_error err;
    assert_ok(roster_experts_tables(&experts, N, X, V, pi, NULL, &err), &err);
    return experts;
}

static roster_world *new_world(const roster_experts *experts, const double *contexts, const double *rewards)
{
    roster_world *world;
    roster_error err;
    assert_ok(roster_world_create(&world, experts, contexts, rewards, &err), &err);
    return world;
}

static roster_event round_of(const roster_world *world, uint64_t seed, uint64_t t, size_t k)
{
    roster_rng stream;
    roster_event event;
    roster_rng_init(&stream, seed, 0, ROSTER_ROLE_WORLD);
    roster_world_round(world, &stream, t, k, &event);
    return event;
}

static bool same_event(const roster_event *a, const roster_event *b)
{
    return a->expert == b->expert && a->context == b->context && a->action == b->action && a->reward == b->reward &&
           a->propensity == b->propensity && a->features == b->features && a->probabilities == b->probabilities;
}

/* Setting 1: mu_0 = .55 (.8 .9 + .1 .1 + .1 .1) + .45 (the same) = .74, mu_1 = .2 .9 + .8 .1 = .26 in both contexts;
   setting 2: mu_0 = .9 .1 + .1 .9 = .18, mu_1 = .1. */
static void world_values(void **state)
{
    (void)state;
    static const double expected[2][2] = {{.74, .26}, {.18, .1}};
    static const double *const rewards[2] = {toy_means_1, toy_means_2};
    roster_experts *experts;
    roster_error err;
    assert_ok(roster_experts_tables(&experts, 2, 2, 3, toy_pi, NULL, &err), &err);
    for (size_t setting = 0; setting < 2; setting++) {
        roster_world *world = new_world(experts, toy_p, rewards[setting]);
        double mu[2] = {-1, -1};
        roster_world_values(world, mu);
        assert_close(mu[0], expected[setting][0], 1e-15);
        assert_close(mu[1], expected[setting][1], 1e-15);
        roster_list list = {mu, 1};
        assert_true(roster_world_reward(world, 2, 0, &list) == 0 && list.values == NULL && list.n == 0);
        assert_true(roster_world_reward(world, 0, SIZE_MAX, NULL) == 0);
        roster_rng stream;
        roster_event event;
        roster_rng_init(&stream, 1, 0, ROSTER_ROLE_WORLD);
        roster_world_round(world, &stream, 1, SIZE_MAX, &event); /* nobody: an event that agents refuse */
        assert_true(event.expert == SIZE_MAX && event.reward == 0);
        roster_world_free(world);
    }
    roster_experts_free(experts);
}

/* Rows may sum to a little more than 1; a value may not. */
static void values_stay_probabilities(void **state)
{
    (void)state;
    static const double generous[4] = {.5, .5 + 5e-10, .25, .75}, ones[2] = {1, 1};
    roster_experts *experts;
    roster_error err;
    double mu[2];
    assert_ok(roster_experts_tables(&experts, 2, 1, 2, generous, NULL, &err), &err);
    roster_world *world = new_world(experts, NULL, ones);
    roster_world_values(world, mu);
    assert_true(mu[0] == 1 && mu[1] == 1);
    roster_world_free(world);
    roster_experts_free(experts);
}

static void uniform_contexts_when_null(void **state)
{
    (void)state;
    static const double quarter[X] = {.25, .25, .25, .25};
    roster_experts *experts = new_experts();
    roster_world *assumed = new_world(experts, NULL, means), *told = new_world(experts, quarter, means);
    double a[N], b[N];
    roster_world_values(assumed, a);
    roster_world_values(told, b);
    /* Expert 0 by hand: (.5 + (.1 + .5 + .9 + 1) .2 + .2 + (.1 + .15 + .15 + .1)) / 4 */
    assert_close(a[0], (.5 + .5 + .2 + .5) / 4, 1e-15);
    assert_memory_equal(a, b, sizeof a);
    for (uint64_t t = 1; t <= 1000; t++)
        for (size_t k = 0; k < N; k++) {
            roster_event one = round_of(assumed, 3, t, k), other = round_of(told, 3, t, k);
            assert_true(same_event(&one, &other));
        }
    roster_world_free(assumed);
    roster_world_free(told);
    roster_experts_free(experts);
}

static void refuse(const roster_experts *experts, const double *contexts, const double *rewards, const char *sentence)
{
    roster_world *world = (roster_world *)&world;
    roster_error err;
    assert_refused(roster_world_create(&world, experts, contexts, rewards, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(world);
    world = (roster_world *)&world;
    assert_int_equal(roster_world_create(&world, experts, contexts, rewards, NULL), ROSTER_EINVAL);
    assert_null(world);
}

static void wrong_means_refused(void **state)
{
    (void)state;
    roster_experts *experts = new_experts();
    double wrong[X * V];
    memcpy(wrong, means, sizeof wrong);
    refuse(experts, p, NULL, "the world has no reward means");
    wrong[1 * V + 3] = 1.25;
    refuse(experts, p, wrong, "reward_means[1][3] is 1.25, must be in [0, 1]");
    wrong[0 * V + 4] = -.5;
    refuse(experts, p, wrong, "reward_means[0][4] is -0.5, must be in [0, 1]");
    wrong[0 * V + 0] = NAN;
    refuse(experts, p, wrong, "reward_means[0][0] is nan, must be in [0, 1]");
    memcpy(wrong, means, sizeof wrong);
    wrong[X * V - 1] = INFINITY;
    refuse(experts, p, wrong, "reward_means[3][4] is inf, must be in [0, 1]");
    roster_experts_free(experts);
}

static void wrong_contexts_refused(void **state)
{
    (void)state;
    static const double negative[X] = {.5, -.5, .5, .5}, short_of_one[X] = {.2, .2, .2, .3};
    static const double large[X] = {0, 0, 1.5, 0}, not_a_number[X] = {.5, .5, 0, NAN};
    roster_experts *experts = new_experts();
    refuse(experts, negative, means, "context_probabilities[1] is -0.5, must be a probability");
    refuse(experts, large, means, "context_probabilities[2] is 1.5, must be a probability");
    refuse(experts, not_a_number, means, "context_probabilities[3] is nan, must be a probability");
    refuse(experts, short_of_one, means, "context_probabilities sums to 0.9, must be 1");
    roster_experts_free(experts);
}

static void experts_without_contexts_refused(void **state)
{
    (void)state;
    roster_experts *external;
    roster_error err;
    assert_ok(roster_experts_external(&external, N, 0, V, NULL, NULL, &err), &err);
    refuse(external, NULL, means, "a world needs experts that are known on at least one context");
    refuse(NULL, NULL, means, "a world needs experts that are known on at least one context");
    roster_experts_free(external);
    roster_world_free(NULL);
}

/* The same round twice, in any order, whatever was asked in between, from a stream that was used or not. */
static void rounds_are_pure(void **state)
{
    (void)state;
    enum { SHOWN = 500 };
    static roster_event first[SHOWN][N];
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, everywhere, means);
    roster_rng stream;
    roster_rng_init(&stream, 11, 5, ROSTER_ROLE_WORLD);
    const roster_rng before = stream;
    for (uint64_t t = 1; t <= SHOWN; t++)
        for (size_t k = 0; k < N; k++)
            roster_world_round(world, &stream, t, k, &first[t - 1][k]);
    assert_memory_equal(&stream, &before, sizeof stream);
    for (int i = 0; i < 7; i++)
        roster_rng_u64(&stream);
    for (size_t k = N; k-- > 0;)
        for (uint64_t t = SHOWN; t >= 1; t--) {
            roster_event again;
            roster_world_round(world, &stream, t, k, &again);
            assert_true(same_event(&again, &first[t - 1][k]));
        }
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Other runs, seeds and rounds are other worlds: their contexts agree as often as chance has it. */
static void streams_differ(void **state)
{
    (void)state;
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, everywhere, means);
    unsigned seeds = 0, runs = 0, next = 0;
    for (uint64_t t = 1; t <= 5000; t++) {
        roster_rng run_0, run_1;
        roster_event a, b;
        roster_rng_init(&run_0, 1, 0, ROSTER_ROLE_WORLD);
        roster_rng_init(&run_1, 1, 1, ROSTER_ROLE_WORLD);
        roster_world_round(world, &run_0, t, 0, &a);
        roster_world_round(world, &run_1, t, 0, &b);
        runs += a.context == b.context;
        seeds += a.context == round_of(world, 2, t, 0).context;
        next += a.context == round_of(world, 1, t + 1, 0).context;
    }
    /* .1^2 + .2^2 + .3^2 + .4^2 = .3; the standard deviation of the count is 32. */
    assert_in_range(runs, 1370, 1630);
    assert_in_range(seeds, 1370, 1630);
    assert_in_range(next, 1370, 1630);
    roster_world_free(world);
    roster_experts_free(experts);
}

static void events_are_consistent(void **state)
{
    (void)state;
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, everywhere, means);
    for (uint64_t t = 1; t <= 20000; t++)
        for (size_t k = 0; k < N; k++) {
            roster_event e = round_of(world, 21, t, k);
            assert_true(e.expert == k && e.context < X && e.action < V);
            assert_true(e.propensity == pi[(k * X + e.context) * V + e.action] && e.propensity > 0);
            assert_true(e.reward == 0 || e.reward == 1);
            double mean = means[e.context * V + e.action];
            assert_true((mean > 0 || e.reward == 0) && (mean < 1 || e.reward == 1));
            assert_true(e.features == NULL && e.probabilities == NULL);
        }
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Experts 0 and 1 have the same row in context 0. Whichever acts, the context is the same; acting alike earns alike. */
static void acting_alike_earns_alike(void **state)
{
    (void)state;
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, everywhere, means);
    unsigned shared = 0, apart = 0;
    for (uint64_t t = 1; t <= 20000; t++) {
        roster_event a = round_of(world, 31, t, 0), b = round_of(world, 31, t, 1), c = round_of(world, 31, t, 2);
        assert_true(a.context == b.context && a.context == c.context);
        if (a.context == 0) {
            assert_true(a.action == b.action && a.reward == b.reward);
            shared++;
        }
        assert_true(a.action != b.action || a.reward == b.reward);
        assert_true(a.action != c.action || a.reward == c.reward);
        apart += a.action != b.action;
    }
    assert_true(shared > 1500 && apart > 5000);
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Probability of a chi-square of d degrees above `value`, by Wilson and Hilferty. */
static double chi_square_tail(double value, double d)
{
    double z = (cbrt(value / d) - (1 - 2 / (9 * d))) / sqrt(2 / (9 * d));
    return 0.5 * erfc(z / sqrt(2));
}

/* Counts against probabilities; what cannot happen must not have happened. */
static double tail_of(const unsigned *count, const double *share, size_t cells)
{
    double value = 0, degrees = -1, total = 0;
    for (size_t i = 0; i < cells; i++)
        total += count[i];
    for (size_t i = 0; i < cells; i++) {
        double expected = share[i] * total;
        if (share[i] <= 0)
            assert_int_equal(count[i], 0);
        else
            value += (count[i] - expected) * (count[i] - expected) / expected;
        degrees += share[i] > 0;
    }
    return chi_square_tail(value, degrees);
}

static double towards_half(double probability)
{
    return probability > 0 && probability < 1 ? probability + (probability < .5 ? .01 : -.01) : probability;
}

/* Expert k's law of (context, action, reward), its means a little off where `off`. */
static void law_of(const double *contexts, size_t k, bool off, double share[X * V * 2])
{
    for (size_t cell = 0; cell < X * V; cell++) {
        double mean = off ? towards_half(means[cell]) : means[cell], acts = contexts[cell / V] * pi[k * X * V + cell];
        share[2 * cell] = acts * (1 - mean);
        share[2 * cell + 1] = acts * mean;
    }
}

static void frequencies_of(const double *contexts, uint64_t seed)
{
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, contexts, means);
    for (size_t k = 0; k < N; k++) {
        static unsigned joint[X * V * 2], by_context[X], by_action[X][V];
        double share[X * V * 2];
        memset(joint, 0, sizeof joint);
        memset(by_context, 0, sizeof by_context);
        memset(by_action, 0, sizeof by_action);
        for (uint64_t t = 1; t <= ROUNDS; t++) {
            roster_event e = round_of(world, seed + k, t, k);
            joint[2 * (e.context * V + e.action) + (e.reward > 0)]++;
            by_context[e.context]++;
            by_action[e.context][e.action]++;
        }
        law_of(contexts, k, false, share);
        assert_true(tail_of(joint, share, X * V * 2) > REJECT);
        law_of(contexts, k, true, share);
        assert_true(tail_of(joint, share, X * V * 2) < REJECT);
        assert_true(tail_of(by_context, contexts, X) > REJECT);
        for (size_t x = 0; x < X; x++) /* NAN where x never comes or the action is sure: then only the zeros count */
            assert_true(!(tail_of(by_action[x], pi + (k * X + x) * V, V) < REJECT));
    }
    roster_world_free(world);
    roster_experts_free(experts);
}

static void frequencies_everywhere(void **state)
{
    (void)state;
    frequencies_of(everywhere, 41);
}

static void frequencies_with_impossible_contexts(void **state)
{
    (void)state;
    frequencies_of(p, 51);
}

/* One round says nothing about the next: pairs of contexts have the product law. */
static void rounds_are_independent(void **state)
{
    (void)state;
    static unsigned pairs[X * X];
    double share[X * X];
    roster_experts *experts = new_experts();
    roster_world *world = new_world(experts, everywhere, means);
    for (uint64_t t = 2; t <= ROUNDS; t += 2)
        pairs[round_of(world, 61, t - 1, 0).context * X + round_of(world, 61, t, 1).context]++;
    for (size_t i = 0; i < X * X; i++)
        share[i] = everywhere[i / X] * everywhere[i % X];
    assert_true(tail_of(pairs, share, X * X) > REJECT);
    roster_world_free(world);
    roster_experts_free(experts);
}

/* A sum of probabilities that rounds to less than 1 leaves no uniform number for an outcome that cannot happen. */
static void nothing_lies_above_the_last_outcome(void **state)
{
    (void)state;
    static const double tenths[12] = {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 0, 0};
    static double rewards[144], table[12 * 12];
    roster_experts *experts;
    roster_error err;
    double sum = 0;
    for (size_t i = 0; i < 12; i++) {
        sum += tenths[i];
        memcpy(table + 12 * i, tenths, sizeof tenths);
    }
    assert_true(sum < 1);
    assert_ok(roster_experts_tables(&experts, 1, 12, 12, table, NULL, &err), &err);
    roster_world *world = new_world(experts, tenths, rewards);
    assert_true(world->context_cdf[8] < 1 && world->context_cdf[9] >= 1);
    for (size_t x = 0; x < 12; x++)
        assert_true(world->action_cdf[12 * x + 8] < 1 && world->action_cdf[12 * x + 9] >= 1);
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Values of a list come equally often, and their mean is the reward's. */
static void lists_are_drawn_from(void **state)
{
    (void)state;
    const double even[] = {.5, .5}, low[] = {0, .25, .25, 1}, high[] = {.9};
    const roster_list lists[] = {{low, 4}, {high, 1}};
    roster_error err;
    roster_experts *e;
    roster_world *world;
    roster_rng stream;
    double mu;
    size_t seen[3] = {0};
    assert_ok(roster_experts_tables(&e, 1, 1, 2, even, NULL, &err), &err);
    assert_ok(roster_world_create_lists(&world, e, NULL, lists, &err), &err);
    roster_world_values(world, &mu);
    assert_close(mu, .5 * .375 + .5 * .9, 1e-15);
    roster_list list;
    assert_true(roster_world_reward(world, 0, 0, &list) == .375 && list.n == 4 && list.values[3] == 1);
    assert_true(roster_world_reward(world, 0, 1, NULL) == .9);
    roster_rng_init(&stream, 1, 0, ROSTER_ROLE_WORLD);
    for (uint64_t t = 1; t <= 40000; t++) {
        roster_event event;
        roster_world_round(world, &stream, t, 0, &event);
        if (event.action == 1) {
            assert_true(event.reward == .9);
            continue;
        }
        size_t which = event.reward == 0 ? 0 : event.reward == .25 ? 1 : 2;
        assert_true(which < 2 || event.reward == 1);
        seen[which]++;
    }
    assert_in_range(seen[0], 4700, 5300);
    assert_in_range(seen[1], 9600, 10400);
    assert_in_range(seen[2], 4700, 5300);
    roster_world_free(world);
    roster_experts_free(e);
}

static void wrong_lists_refused(void **state)
{
    (void)state;
    const double even[] = {.5, .5}, fine[] = {.5}, wild[] = {.5, 1.5};
    const roster_list empty[] = {{fine, 1}, {fine, 0}}, outside[] = {{fine, 1}, {wild, 2}};
    roster_error err;
    roster_experts *e;
    roster_world *world;
    assert_ok(roster_experts_tables(&e, 1, 1, 2, even, NULL, &err), &err);
    assert_refused(roster_world_create_lists(&world, e, NULL, NULL, &err), &err, ROSTER_EINVAL,
                   "the world has no rewards");
    assert_refused(roster_world_create_lists(&world, e, NULL, empty, &err), &err, ROSTER_EINVAL,
                   "rewards[0][1] is empty, must hold at least one value");
    assert_refused(roster_world_create_lists(&world, e, NULL, outside, &err), &err, ROSTER_EINVAL,
                   "rewards[0][1][1] is 1.5, must be in [0, 1]");
    roster_experts_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_drawn_from),
        cmocka_unit_test(wrong_lists_refused),
        cmocka_unit_test(world_values),
        cmocka_unit_test(values_stay_probabilities),
        cmocka_unit_test(uniform_contexts_when_null),
        cmocka_unit_test(wrong_means_refused),
        cmocka_unit_test(wrong_contexts_refused),
        cmocka_unit_test(experts_without_contexts_refused),
        cmocka_unit_test(rounds_are_pure),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(events_are_consistent),
        cmocka_unit_test(acting_alike_earns_alike),
        cmocka_unit_test(frequencies_everywhere),
        cmocka_unit_test(frequencies_with_impossible_contexts),
        cmocka_unit_test(rounds_are_independent),
        cmocka_unit_test(nothing_lies_above_the_last_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
