/*
 * test_experiment_softmax.c: experiment files whose experts, and whose rewards, are models over features
 * (experiment/experiment_softmax.c).
 *
 * Texts are written with ' for ", for the eye.
 */
#include "support.h"

#include "experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPERTS "{'softmax':{'count':4,'features':2,'spread':3,'floor':0.02}}"
#define MEANS "{'softmax':{'spread':2}}"
#define FILE_OF(experts, means)                                                                                        \
    "{'contexts':6,'actions':3,'experts':" experts ",'episodes':[{'rounds':500,'repeat':2,'reward_means':" means       \
    "}],'agents':[{'agent':'mixture'},{'agent':'d-ucb'}],'runs':1}"

static int parse(experiment **e, const char *text, uint64_t seed, roster_error *err)
{
    const experiment_changes changes = {.seed = &seed};
    char *json = malloc(strlen(text) + 1);
    assert_non_null(json);
    strcpy(json, text);
    for (char *c = json; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    int code = experiment_parse(e, json, "toy.json", &changes, err);
    free(json);
    return code;
}

static experiment *parsed(const char *text, uint64_t seed)
{
    experiment *e;
    roster_error err;
    assert_ok(parse(&e, text, seed, &err), &err);
    return e;
}

/* Features and models are those of the seed; every episode has a nature of its own, whose means are a distribution over
   the actions; and what is described is played. */
static void softmax_worlds(void **state)
{
    (void)state;
    experiment *a = parsed(FILE_OF(EXPERTS, MEANS), 1), *b = parsed(FILE_OF(EXPERTS, MEANS), 1),
               *c = parsed(FILE_OF(EXPERTS, MEANS), 2);
    const experiment_case *one = &a->cases[0], *same = &b->cases[0], *other = &c->cases[0];
    roster_outcome outcome;
    roster_error err;
    assert_int_equal(roster_experts_kind(one->experts), ROSTER_SOFTMAX);
    assert_int_equal(roster_experts_features(one->experts), 2);
    assert_true(roster_experts_floor(one->experts) >= .02);
    const double *features = roster_experts_reference(one->experts, 0);
    assert_memory_equal(features, roster_experts_reference(same->experts, 0), 12 * sizeof *features);
    assert_true(features[0] != roster_experts_reference(other->experts, 0)[0]);
    for (size_t i = 0; i < 12; i++)
        assert_true(fabs(features[i]) <= 1);
    for (size_t x = 0; x < 6; x++) {
        double sum = 0;
        for (size_t v = 0; v < 3; v++) {
            double mean = roster_world_reward(one->episodes[0].world, x, v, NULL);
            assert_true(mean == roster_world_reward(same->episodes[0].world, x, v, NULL));
            assert_true(mean != roster_world_reward(one->episodes[1].world, x, v, NULL));
            sum += mean;
        }
        assert_close(sum, 1, 1e-12);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_ok(roster_simulate(&one->studies[i], 0, NULL, NULL, &outcome, NULL, &err), &err);
        assert_int_equal(outcome.rounds, 1000);
    }
    experiment_free(a);
    experiment_free(b);
    experiment_free(c);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } list[] = {
        {FILE_OF("{'softmax':3}", MEANS), "toy.json: experts.softmax is a number, must be an object"},
        {FILE_OF("{'softmax':{'count':4,'spread':1}}", MEANS), "toy.json: 'features' is missing in experts.softmax"},
        {FILE_OF("{'softmax':{'count':4,'features':0,'spread':1}}", MEANS),
         "toy.json: experts.softmax.features is 0, must be a whole number from 1 to 1000"},
        {FILE_OF("{'softmax':{'count':4,'features':2}}", MEANS), "toy.json: 'spread' is missing in experts.softmax"},
        {FILE_OF("{'softmax':{'count':4,'features':2,'spread':-1}}", MEANS),
         "toy.json: experts.softmax.spread is -1, must be in [0, 1000]"},
        {FILE_OF("{'softmax':{'count':4,'features':2,'spread':1,'floor':0.4}}", MEANS),
         "toy.json: experts.softmax.floor is 0.4, must be at least 0 and at most 1/3"},
        {FILE_OF("{'softmax':{'count':4,'features':2,'spread':1},'random':{'count':1}}", MEANS),
         "toy.json: experts must have one of 'random', 'gaps' and 'softmax'"},
        {FILE_OF("{'softmax':{'count':1000000,'features':1000,'spread':1}}", MEANS),
         "toy.json: experts.softmax.features makes tables of more than 134217728 numbers in all"},
        {FILE_OF(EXPERTS, "{'softmax':{}}"), "toy.json: 'spread' is missing in episodes[0].reward_means.softmax"},
        {FILE_OF(EXPERTS, "{'softmax':{'spread':1},'random':{}}"),
         "toy.json: unknown key 'random' in episodes[0].reward_means"},
        {FILE_OF("{'random':{'count':2}}", MEANS),
         "toy.json: episodes[0].reward_means.softmax needs features: experts from \"softmax\""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        experiment *e;
        roster_error err;
        assert_refused(parse(&e, list[i].text, 1, &err), &err, ROSTER_EINVAL, list[i].sentence);
        assert_null(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(softmax_worlds), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
