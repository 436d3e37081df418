/*
 * test_alarm_rates.c: how often there is a false alarm, and how long a change goes unnoticed; how often the test of the
 * model rejects an expert wrongly, and how soon rightly. By simulation with fixed seeds, on several laws of rewards,
 * with a player that reacts to every reward. docs/alarms.md has the tables that this prints.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>

enum { N = 4, RUNS = 400, ROUNDS = 8000, CHANGE = 4000, DELAYS = 60 };

static const double LOOSE = .05, STRICT = 1e-3;

/* What a reward of a given mean looks like. */
typedef enum law { BERNOULLI, RARE, UNIFORM, TWO_VALUES, CERTAIN, LAWS } law;
static const char *const names[] = {"0 or 1", "0 or 1, rarely 1", "uniform", "two values", "always the same"};

static double draw(law which, double mean, roster_rng *rng)
{
    double u = roster_rng_uniform(rng);
    if (which == CERTAIN)
        return mean;
    if (which == UNIFORM) /* on 0..2 mean, or on 2 mean - 1..1 */
        return mean < .5 ? 2 * mean * u : 1 - 2 * (1 - mean) * u;
    if (which == TWO_VALUES)
        return u < .5 ? mean * .5 : mean * 1.5 < 1 ? mean * 1.5 : 1;
    return u < (which == RARE ? mean / 50 : mean) ? 1 : 0;
}

/* A world, and a player that stays with an expert while it earns, and drops it after a disappointment. */
typedef struct game {
    instance world;
    law which;
    size_t k;
    double factor; /* on the means where expert 0 acts */
} game;

static void game_init(game *g, roster_rng *rng, law which, size_t x)
{
    *g = (game){.which = which, .factor = 1};
    instance_random(&g->world, rng, N, x, 4, .02);
}

static roster_event play(game *g, roster_rng *rng)
{
    roster_event event = random_event(&g->world, rng, g->k, false);
    double mean = g->world.means[event.context * 4 + event.action] * (g->k == 0 ? g->factor : 1);
    event.reward = draw(g->which, mean, rng);
    if (event.reward < mean || roster_rng_below(rng, 10) == 0)
        g->k = (size_t)roster_rng_below(rng, N);
    return event;
}

/* Rounds from a change after `quiet` rounds until an alarm of that kind; SIZE_MAX: none came, 0: too early. */
static size_t wait_for(game *g, roster_rng *rng, double delta, size_t quiet, void (*change)(game *, roster_rng *),
                       unsigned kind)
{
    roster_error err;
    roster_alarms *alarms;
    size_t delay = SIZE_MAX;
    assert_ok(roster_alarms_create(&alarms, g->world.experts, delta, &err), &err);
    for (size_t t = 0; t < ROUNDS && delay == SIZE_MAX; t++) {
        unsigned raised;
        if (t == quiet && change != NULL)
            change(g, rng);
        roster_event event = play(g, rng);
        assert_ok(roster_alarms_learn(alarms, &event, &raised, &err), &err);
        if (raised != 0)
            delay = t < quiet || (raised & kind) == 0 ? 0 : t + 1 - quiet;
    }
    roster_alarms_free(alarms);
    return delay;
}

static size_t count_false(law which, size_t x, double delta, size_t runs)
{
    size_t wrong = 0;
    for (uint64_t run = 0; run < runs; run++) {
        game g;
        roster_rng rng;
        roster_rng_init(&rng, 1000 + x, run, which);
        game_init(&g, &rng, which, x);
        wrong += wait_for(&g, &rng, delta, ROUNDS, NULL, 0) != SIZE_MAX;
        instance_free(&g.world);
    }
    return wrong;
}

static void false_alarms_are_rare(void **state)
{
    (void)state;
    const size_t sizes[] = {3, 40};
    for (law which = 0; which < LAWS; which++)
        for (size_t i = 0; i < 2; i++) {
            size_t loose = count_false(which, sizes[i], LOOSE, RUNS),
                   strict = count_false(which, sizes[i], STRICT, 100);
            print_message("| %s | %zu | %.2f%% | %.2f%% |\n", names[which], sizes[i] * 4, 100. * (double)loose / RUNS,
                          (double)strict);
            assert_true((double)loose <= LOOSE * RUNS);
            assert_int_equal(strict, 0);
        }
}

static void other_contexts(game *g, roster_rng *rng)
{
    (void)rng;
    double first = g->world.p[0];
    for (size_t x = 0; x + 1 < g->world.x; x++)
        g->world.p[x] = g->world.p[x + 1];
    g->world.p[g->world.x - 1] = first;
}

static void other_rewards(game *g, roster_rng *rng)
{
    for (size_t c = 0; c < g->world.x * 4; c++)
        if (roster_rng_below(rng, 2) == 0)
            g->world.means[c] = 1 - g->world.means[c];
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Delays of both kinds; most changes are noticed, and as what they are. */
static void changes_are_noticed(void **state)
{
    (void)state;
    for (unsigned kind = ROSTER_CONTEXTS_CHANGED; kind <= ROSTER_REWARDS_CHANGED; kind++)
        for (law which = 0; which <= UNIFORM; which += 2) {
            size_t delays[DELAYS], found = 0;
            for (uint64_t run = 0; run < DELAYS; run++) {
                game g;
                roster_rng rng;
                roster_rng_init(&rng, 2000 + kind, run, which);
                game_init(&g, &rng, which, 5);
                delays[run] = wait_for(&g, &rng, STRICT, CHANGE,
                                       kind == ROSTER_CONTEXTS_CHANGED ? other_contexts : other_rewards, kind);
                found += delays[run] > 0 && delays[run] < SIZE_MAX;
                instance_free(&g.world);
            }
            qsort(delays, DELAYS, sizeof *delays, by_size);
            print_message("| %s | %s | %zu of %d | %zu | %zu |\n", kind == 1 ? "contexts" : "rewards", names[which],
                          found, DELAYS, delays[DELAYS / 2], delays[DELAYS * 9 / 10]);
            assert_true(found >= DELAYS * 9 / 10);
        }
}

/* In which round an expert is rejected, and which; 0: none. */
static uint64_t rejection(game *g, roster_rng *rng, double delta, size_t rounds, size_t *who)
{
    roster_error err;
    roster_model_test *test;
    uint64_t round = 0;
    assert_ok(roster_model_test_create(&test, g->world.experts, delta, &err), &err);
    for (size_t t = 0; t < rounds && round == 0; t++) {
        bool rejects;
        roster_event event = play(g, rng);
        assert_ok(roster_model_test_learn(test, &event, &rejects, &err), &err);
        round = rejects ? t + 1 : 0;
    }
    for (size_t k = 0; k < N; k++) {
        roster_verdict verdict;
        roster_model_test_verdict(test, k, &verdict);
        *who = verdict.rejected > 0 ? k : *who;
    }
    roster_model_test_free(test);
    return round;
}

static void false_rejections_are_rare(void **state)
{
    (void)state;
    for (law which = 0; which < LAWS; which++) {
        size_t wrong = 0, who = N;
        for (uint64_t run = 0; run < RUNS; run++) {
            game g;
            roster_rng rng;
            roster_rng_init(&rng, 3000, run, which);
            game_init(&g, &rng, which, 3);
            wrong += rejection(&g, &rng, LOOSE, ROUNDS, &who) > 0;
            instance_free(&g.world);
        }
        print_message("| %s | %.2f%% |\n", names[which], 100. * (double)wrong / RUNS);
        assert_true((double)wrong <= LOOSE * RUNS);
    }
}

/* Expert 0 earns half of what its actions would; it is found, and nobody else. */
static void who_earns_less_is_found(void **state)
{
    (void)state;
    for (law which = 0; which <= UNIFORM; which += 2) {
        size_t rounds[DELAYS], others = 0;
        for (uint64_t run = 0; run < DELAYS; run++) {
            game g;
            size_t who = N;
            roster_rng rng;
            roster_rng_init(&rng, 4000, run, which);
            game_init(&g, &rng, which, 3);
            g.factor = .5;
            rounds[run] = (size_t)rejection(&g, &rng, STRICT, 4 * ROUNDS, &who);
            others += who != 0;
            instance_free(&g.world);
        }
        qsort(rounds, DELAYS, sizeof *rounds, by_size);
        print_message("| %s | %zu | %zu |\n", names[which], rounds[DELAYS / 2], rounds[DELAYS * 9 / 10]);
        assert_true(rounds[0] > 0);
        assert_true(others <= DELAYS / 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_are_rare),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(false_rejections_are_rare),
        cmocka_unit_test(who_earns_less_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
