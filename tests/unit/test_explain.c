/*
 * test_explain.c: what `roster explain` says before a campaign comes true as often as it says.
 *
 * settled is compared with its definition, written as a loop over all rounds. The ranges of 40 explanations, each of
 * 100 runs with a seed of its own, are compared with 2000 fresh runs: at least 95% of these are within the range in at
 * least 95% of the explanations, but for chance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "explain.h"
#include "support.h"

enum { ROUNDS = 400, FRESH = 2000, SEEDS = 40 };

static const char world[] =
    "{\"name\": \"t\", \"contexts\": 2, \"actions\": 2, \"runs\": 1, \"seed\": 1,"
    " \"experts\": [{\"table\": [[0.7, 0.3], [0.2, 0.8]]}, {\"table\": [[0.4, 0.6], [0.6, 0.4]]},"
    "               {\"table\": [[0.7, 0.3], [0.2, 0.8]]}, {\"table\": [[0.1, 0.9], [0.1, 0.9]]}],"
    " \"episodes\": [{\"rounds\": 400, \"context_probabilities\": [0.6, 0.4],"
    "                 \"reward_means\": [[0.8, 0.4], [0.2, 0.6]]}],"
    " \"agents\": [{\"agent\": \"d-ucb\"}, {\"agent\": \"kl-ucb\"}]}";

static experiment *read_world(uint64_t seed)
{
    experiment *file;
    roster_error err;
    experiment_changes changes = {.seed = &seed};
    assert_ok(experiment_parse(&file, world, "t.json", &changes, &err), &err);
    return file;
}

/* Whether the best experts, 0 and 2, played each round. */
typedef struct diary {
    bool best[ROUNDS + 1];
} diary;

static bool write_down(void *context, const roster_step *step)
{
    ((diary *)context)->best[step->t] = step->event->expert == 0 || step->event->expert == 2;
    return true;
}

/* The definition: the least n such that for every m from n to 0.9 T more than 95% of rounds m+1..2m are theirs. */
static double settled(const diary *d)
{
    double n = INFINITY;
    for (int m = ROUNDS * 9 / 10; m > 0; m--) {
        int to = 2 * m < ROUNDS ? 2 * m : ROUNDS, others = 0;
        for (int t = m + 1; t <= to; t++)
            others += !d->best[t];
        if (!(others < 0.05 * (to - m)))
            return n;
        n = m;
    }
    return n;
}

static double play(const experiment *file, size_t agent, uint64_t run, double *lost)
{
    diary d;
    roster_outcome outcome;
    roster_error err;
    assert_ok(roster_simulate(&file->cases[0].studies[agent], run, write_down, &d, &outcome, NULL, &err), &err);
    *lost = outcome.regret;
    return settled(&d);
}

static void explain_with(explanation *found, const experiment *file, uint64_t runs)
{
    roster_error err;
    explain_wishes wishes = {.runs = runs, .threads = 2};
    assert_ok(explain_find(found, file, &file->cases[0], &wishes, &err), &err);
}

static void settled_is_as_defined(void **state)
{
    (void)state;
    unsigned never = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        experiment *file = read_world(seed);
        explanation found;
        explain_with(&found, file, 1);
        for (size_t a = 0; a < 2; a++) {
            double lost, n = play(file, a, UINT64_C(1) << 32, &lost);
            assert_true(found.agents[a].settled[0].median == n && found.agents[a].settled[0].high == n);
            assert_true(fabs(found.agents[a].lost[0].high - lost) < 1e-9);
            never += isinf(n) ? 1 : 0;
        }
        explain_free(&found);
        experiment_free(file);
    }
    assert_true(never > 5 && never < 55); /* both kinds were met */
}

static void ranks_have_their_confidence(void **state)
{
    (void)state;
    double confidence;
    assert_int_equal(explain_rank(300, &confidence), 292);
    assert_true(fabs(confidence - 0.9659) < 1e-4);
    assert_int_equal(explain_rank(59, &confidence), 59);
    assert_true(fabs(confidence - (1 - pow(.95, 59))) < 1e-12);
    assert_int_equal(explain_rank(1, &confidence), 1);
    assert_true(fabs(confidence - 0.05) < 1e-12);
    assert_true(explain_rank(10000, &confidence) < 9545 && confidence >= 0.95);
}

/* Share of the fresh runs that are not above the bound. */
static double share_within(const double *fresh, double bound)
{
    double within = 0;
    for (size_t i = 0; i < FRESH; i++)
        within += fresh[i] <= bound;
    return within / FRESH;
}

static void fresh_runs_are_within(void **state)
{
    (void)state;
    static double lost[2][FRESH], round[2][FRESH];
    experiment *file = read_world(1000);
    for (size_t a = 0; a < 2; a++)
        for (uint64_t run = 0; run < FRESH; run++)
            round[a][run] = play(file, a, run, &lost[a][run]);
    experiment_free(file);
    unsigned kept[2] = {0, 0}, kept_round[2] = {0, 0};
    double mean[2] = {0, 0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        explanation found;
        file = read_world(seed);
        explain_with(&found, file, 100);
        for (size_t a = 0; a < 2; a++) {
            double share = share_within(lost[a], found.agents[a].lost[0].high);
            mean[a] += share / SEEDS;
            kept[a] += share >= 0.95;
            kept_round[a] += share_within(round[a], found.agents[a].settled[0].high) >= 0.95;
        }
        explain_free(&found);
        experiment_free(file);
    }
    for (size_t a = 0; a < 2; a++) {
        print_message(
            "# agent %zu: reward lost within the range in %.3f of fresh runs; kept by %u, rounds by %u of 40\n", a,
            mean[a], kept[a], kept_round[a]);
        /* 95% of 40 are 38; fewer than 35 have a probability of 0.3% */
        assert_true(kept[a] >= 35 && kept_round[a] >= 35 && mean[a] < 0.995);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settled_is_as_defined),
                                       cmocka_unit_test(ranks_have_their_confidence),
                                       cmocka_unit_test(fresh_runs_are_within)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
