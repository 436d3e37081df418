/*
 * test_detect.c: the traffic that `roster explain --detect` names is enough: evidence excludes the worse expert by then
 * in at least the share of campaigns that is named, whoever of the two ways of playing was asked for.
 *
 * The rewards are those for which the two values differ by exactly the amount to be detected: r + a where the first
 * expert is the likelier one to act, r - a elsewhere, a = D / (2 at_most).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "explain_detect.h"
#include "support.h"

enum { X = 2, V = 3, CAMPAIGNS = 200 };

typedef struct duel {
    double pi[2 * X * V], p[X], reward, detect;
} duel;

static const duel duels[] = {
    {{.8, .1, .1, .7, .2, .1, .1, .2, .7, .2, .1, .7}, {.6, .4}, .5, .1},
    {{.34, .33, .33, .34, .33, .33, .1, .8, .1, .15, .7, .15}, {.3, .7}, .2, .03},
    {{.5, .3, .2, .1, .6, .3, .4, .4, .2, .2, .4, .4}, {.5, .5}, .1, .02},
};

/* The two as an experiment, and what is said of its one pair. */
static experiment *read_duel(const duel *in, detect_pair *pair, detect_rounds *rounds)
{
    char text[1200];
    size_t used =
        (size_t)snprintf(text, sizeof text, "{\"name\":\"t\",\"contexts\":2,\"actions\":3,\"runs\":1,\"experts\":[");
    for (size_t k = 0; k < 2; k++) {
        const double *t = in->pi + k * X * V;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"table\":[[%g,%g,%g],[%g,%g,%g]]}",
                                 k > 0 ? "," : "", t[0], t[1], t[2], t[3], t[4], t[5]);
    }
    snprintf(text + used, sizeof text - used,
             "],\"episodes\":[{\"rounds\":1,\"context_probabilities\":[%g,%g],\"reward_means\":{\"random\":{}}}],"
             "\"agents\":[{\"agent\":\"uniform\"}]}",
             in->p[0], in->p[1]);
    experiment *file;
    detection found;
    roster_error err;
    experiment_changes none = {0};
    detect_question question = {in->reward, sqrt(in->reward * (1 - in->reward)), in->detect};
    assert_ok(experiment_parse(&file, text, "t.json", &none, &err), &err);
    assert_ok(detect_find(&found, file, &file->cases[0], &question, &err), &err);
    *pair = found.pairs[0];
    *rounds = detect_judge(&found, pair);
    detect_free(&found);
    return file;
}

static roster_world *make_world(const roster_experts *experts, const duel *in, double at_most)
{
    double means[X * V], a = in->detect / (2 * at_most), values[2];
    roster_world *world;
    roster_error err;
    for (size_t c = 0; c < X * V; c++)
        means[c] = in->reward + (in->pi[c] > in->pi[X * V + c] ? a : in->pi[c] < in->pi[X * V + c] ? -a : 0);
    assert_ok(roster_world_create(&world, experts, in->p, means, &err), &err);
    roster_world_values(world, values);
    assert_true(fabs(values[0] - values[1] - in->detect) < 1e-9);
    return world;
}

/* Whether the worse expert, 1, is excluded within that many rounds; `leader`: the better one plays all of them. */
static bool is_excluded(const roster_world *world, const roster_experts *experts, uint64_t rounds, bool leader,
                        uint64_t run)
{
    static const double halves[2] = {.5, .5};
    roster_evidence *evidence;
    roster_finding finding;
    roster_error err;
    roster_rng stream, coin;
    roster_rng_init(&stream, 8, run, ROSTER_ROLE_WORLD);
    roster_rng_init(&coin, 8, run, ROSTER_ROLE_AGENT);
    assert_ok(roster_evidence_create(&evidence, experts, DETECT_LEVEL, &err), &err);
    for (uint64_t t = 1; t <= rounds; t++) {
        roster_event event;
        roster_world_round(world, &stream, t, leader ? 0 : (size_t)roster_rng_below(&coin, 2), &event);
        event.choice = leader ? NULL : halves;
        assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
    }
    roster_evidence_find(evidence, 1, &finding);
    roster_evidence_free(evidence);
    return finding.excluded;
}

static void named_traffic_is_enough(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof duels / sizeof *duels; i++) {
        detect_pair pair;
        detect_rounds rounds;
        experiment *file = read_duel(&duels[i], &pair, &rounds);
        roster_world *world = make_world(file->cases[0].experts, &duels[i], pair.at_most);
        double alone =
            detect_any_time(pair.alone[0] * duels[i].reward * (1 - duels[i].reward), pair.reach[0], duels[i].detect);
        for (size_t leader = 0; leader < 2; leader++) {
            uint64_t n = (uint64_t)(leader ? alone : rounds.any_time);
            double excluded = 0, half = 0;
            for (uint64_t run = 0; run < CAMPAIGNS; run++) {
                excluded += is_excluded(world, file->cases[0].experts, n, leader, run) / (double)CAMPAIGNS;
                half += is_excluded(world, file->cases[0].experts, n / 3, leader, run) / (double)CAMPAIGNS;
            }
            print_message("# duel %zu, %s, %llu rounds: excluded in %g of campaigns, in a third of them in %g\n", i,
                          leader ? "leader" : "split", (unsigned long long)n, excluded, half);
            assert_true(excluded >= DETECT_POWER && half < DETECT_POWER);
        }
        roster_world_free(world);
        experiment_free(file);
    }
}

/* A reward of .05 and a difference of .005: what every A/B calculator says. The pooled figure follows from S. */
static void as_an_ab_calculator(void **state)
{
    (void)state;
    duel in = duels[0];
    detect_pair pair;
    detect_rounds rounds;
    in.reward = .05;
    in.detect = .005;
    experiment *file = read_duel(&in, &pair, &rounds);
    assert_true(rounds.split == 59652);
    assert_true(fabs(pair.at_most - (.6 * .7 + .4 * .6)) < 1e-12);
    double S = .6 * (.49 / .45 + .01 / .15 + .36 / .4) + .4 * (.25 / .45 + .01 / .15 + .36 / .4);
    assert_true(fabs(pair.pooled - S) < 1e-12 && fabs(rounds.one_look - S / 4 * rounds.split) < 2);
    assert_true(rounds.one_look < rounds.any_time && rounds.any_time < rounds.leader);
    experiment_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_an_ab_calculator),
                                       cmocka_unit_test(named_traffic_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
