/*
 * test_agents.c: every agent against the check values of SPEC, and what events each refuses.
 */
#include "support.h"

#include <math.h>

static roster_agent *after_spec_rounds(const roster_experts *e, const char *name, const roster_setting *settings)
{
    roster_error err;
    roster_agent *agent;
    roster_problem problem = {e, spec_p, NULL};
    assert_ok(roster_agent_create(&agent, name, &problem, settings, 1, 0, &err), &err);
    for (size_t t = 0; t < 5; t++)
        assert_ok(roster_agent_learn(agent, &spec_rounds[t], &err), &err);
    assert_int_equal(roster_agent_rounds(agent), 5);
    return agent;
}

/* The index after the five rounds, and that the largest of it is played. */
static void check_index(const char *name, const roster_setting *settings, const double expected[3])
{
    double u[3];
    roster_experts *e = spec_experts();
    roster_agent *agent = after_spec_rounds(e, name, settings);
    roster_agent_index(agent, u);
    size_t best = 0;
    for (size_t i = 0; i < 3; i++) {
        assert_close(u[i], expected[i], 1e-13);
        best = expected[i] > expected[best] ? i : best;
    }
    assert_int_equal(roster_agent_choose(agent), best);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void ducb_check_values(void **state)
{
    (void)state;
    check_index("d-ucb", NULL, (const double[]){1.32774665947924, 1.13479044097775, 0.234313704843432});
    check_index("d-ucb", (const roster_setting[]){{"C", .5, NULL}, {NULL, 0, NULL}},
                (const double[]){1.97603803612966, 1.85895670641962, 0.873111507876713});
}

static void educb_check_values(void **state)
{
    (void)state;
    const roster_setting settings[] = {{"p_V", .05, NULL}, {"p_X", .2, NULL}, {"xi", .001, NULL}, {NULL, 0, NULL}};
    check_index("ed-ucb", settings, (const double[]){1.95260622752802, 1.62958608556417, 0.907097945855919});
}

/* With xi = 0 and estimates that are exact, only M_lo (p_X for p) tells ED-UCB from D-UCB. */
static void educb_without_error_has_no_error_term(void **state)
{
    (void)state;
    const double pi[6] = {.5, .3, .2, .2, .3, .5};
    const roster_setting settings[] = {{"p_V", .1, NULL}, {"p_X", 1, NULL}, {"xi", 0, NULL}, {NULL, 0, NULL}};
    roster_error err;
    roster_experts *e;
    roster_agent *known, *estimated;
    roster_rng rng;
    assert_ok(roster_experts_tables(&e, 2, 1, 3, pi, NULL, &err), &err);
    roster_problem problem = {.experts = e};
    assert_ok(roster_agent_create(&known, "d-ucb", &problem, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&estimated, "ed-ucb", &problem, settings, 1, 0, &err), &err);
    roster_rng_init(&rng, 3, 0, 0);
    for (int t = 0; t < 500; t++) {
        double a[2], b[2];
        size_t k = (size_t)roster_rng_below(&rng, 2);
        roster_event event = {.expert = k, .action = roster_experts_draw(pi + 3 * k, 3, roster_rng_uniform(&rng))};
        event.reward = roster_rng_uniform(&rng);
        assert_ok(roster_agent_learn(known, &event, &err), &err);
        assert_ok(roster_agent_learn(estimated, &event, &err), &err);
        roster_agent_index(known, a);
        roster_agent_index(estimated, b);
        assert_close(b[0], a[0], 1e-12);
        assert_close(b[1], a[1], 1e-12);
    }
    roster_agent_free(known);
    roster_agent_free(estimated);
    roster_experts_free(e);
}

/* n = (2, 1, 2), s = (2, 1, .4), t = 5 is what the five rounds leave. */
static void ucb_check_values(void **state)
{
    (void)state;
    check_index("ucb", NULL, (const double[]){1.81172402741247, 2.14795112847083, 1.01172402741247});
}

static void klucb_check_values(void **state)
{
    (void)state;
    check_index("kl-ucb", NULL, (const double[]){1, 1, 0.894045237535509});
}

static double kl(double p, double q)
{
    double a = p > 0 ? p * log(p / q) : 0, b = p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0;
    return a + b;
}

/* The index solves kl(mean, q) = ln f(t) / n, by libm, over means from 0 to 1 and up to many rounds. */
static void klucb_solves_its_equation(void **state)
{
    (void)state;
    roster_error err;
    roster_experts *e = spec_experts();
    roster_agent *agent;
    roster_rng rng;
    assert_ok(roster_agent_create(&agent, "kl-ucb", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err);
    roster_rng_init(&rng, 4, 0, 0);
    double n[3] = {0}, s[3] = {0}, u[3];
    const double means[3] = {.001, .5, .999};
    for (int t = 1; t <= 20000; t++) { /* in round 1 ln f = 0 */
        size_t k = (size_t)roster_rng_below(&rng, 3);
        double y = roster_rng_uniform(&rng) < means[k];
        assert_ok(roster_agent_learn(agent, &(roster_event){.expert = k, .reward = y}, &err), &err);
        n[k]++;
        s[k] += y;
        roster_agent_index(agent, u);
        double f = 1 + t * log(t) * log(t);
        for (size_t i = 0; i < 3; i++) {
            if (n[i] == 0 || t == 1 || u[i] >= 1 - 1e-13)
                continue;
            double d = log(f) / n[i];
            assert_true(u[i] >= s[i] / n[i]);
            /* Near 1 the last bit of q alone moves kl by slope * 2^-53. */
            double slope = (u[i] - s[i] / n[i]) / (u[i] * (1 - u[i]));
            assert_true(fabs(kl(s[i] / n[i], u[i]) - d) <= 1e-9 * fmax(d, 1e-4) + 4e-16 * slope);
        }
    }
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void arms_start_in_order(void **state)
{
    (void)state;
    const char *const names[] = {"ucb", "kl-ucb"};
    roster_experts *e = spec_experts();
    for (size_t a = 0; a < 2; a++) {
        roster_error err;
        roster_agent *agent;
        assert_ok(roster_agent_create(&agent, names[a], &(roster_problem){.experts = e}, NULL, 9, 0, &err), &err);
        for (size_t t = 0; t < 3; t++) {
            assert_int_equal(roster_agent_choose(agent), t);
            assert_ok(roster_agent_learn(agent, &(roster_event){.expert = t, .reward = 0}, &err), &err);
        }
        roster_agent_free(agent);
    }
    roster_experts_free(e);
}

static void oracle_and_uniform(void **state)
{
    (void)state;
    const double values[3] = {.2, .7, .7};
    double u[3];
    size_t plays[3] = {0};
    roster_error err;
    roster_experts *e = spec_experts();
    roster_agent *oracle, *uniform;
    roster_problem problem = {e, NULL, values};
    assert_ok(roster_agent_create(&oracle, "oracle", &problem, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&uniform, "uniform", &problem, NULL, 1, 0, &err), &err);
    roster_agent_index(oracle, u);
    assert_memory_equal(u, values, sizeof u);
    for (int t = 0; t < 30000; t++) {
        assert_int_equal(roster_agent_choose(oracle), 1);
        size_t k = roster_agent_choose(uniform);
        assert_int_equal(roster_agent_choose(uniform), k);
        plays[k]++;
        assert_ok(roster_agent_learn(uniform, &(roster_event){.expert = k}, &err), &err);
    }
    for (size_t k = 0; k < 3; k++)
        assert_in_range(plays[k], 9700, 10300);
    roster_agent_free(oracle);
    roster_agent_free(uniform);
    roster_experts_free(e);
}

/* Round 1 is uniformly random over the runs of a study. */
static void first_round_is_random(void **state)
{
    (void)state;
    const char *const names[] = {"d-ucb", "d-ucb-lite"};
    roster_experts *e = spec_experts();
    for (size_t a = 0; a < 2; a++) {
        size_t plays[3] = {0};
        for (uint64_t run = 0; run < 3000; run++) {
            roster_error err;
            roster_agent *agent;
            assert_ok(roster_agent_create(&agent, names[a], &(roster_problem){.experts = e}, NULL, 5, run, &err), &err);
            plays[roster_agent_choose(agent)]++;
            roster_agent_free(agent);
        }
        for (size_t k = 0; k < 3; k++)
            assert_in_range(plays[k], 900, 1100);
    }
    roster_experts_free(e);
}

/* Every way in which an event can be wrong, with its sentence; the agent is as before. */
static void events_refused(void **state)
{
    (void)state;
    const struct {
        roster_event event;
        const char *sentence;
    } wrong[] = {
        {{.expert = 3}, "event.expert is 3, must be below 3"},
        {{.action = 3}, "event.action is 3, must be below 3"},
        {{.context = 2}, "event.context is 2, must be below 2"},
        {{.reward = 1.5}, "event.reward is 1.5, must be in [0, 1]"},
        {{.reward = -1}, "event.reward is -1, must be in [0, 1]"},
        {{.reward = NAN}, "event.reward is nan, must be in [0, 1]"},
        {{.propensity = 2}, "event.propensity is 2, must be in [0, 1], 0 for unknown"},
        {{.propensity = .25}, "event.propensity is 0.25, but expert 0 takes action 0 there with 0.7"},
    };
    roster_experts *e = spec_experts();
    roster_agent *agent = after_spec_rounds(e, "d-ucb", NULL);
    double before[3], after[3];
    roster_agent_index(agent, before);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        roster_error err;
        assert_refused(roster_agent_learn(agent, &wrong[i].event, &err), &err, ROSTER_EINVAL, wrong[i].sentence);
        assert_int_equal(roster_agent_learn(agent, &wrong[i].event, NULL), ROSTER_EINVAL);
    }
    roster_agent_index(agent, after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(roster_agent_rounds(agent), 5);
    assert_int_equal(roster_agent_learn(agent, &(roster_event){.propensity = .7}, NULL), ROSTER_OK);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void impossible_event_refused(void **state)
{
    (void)state;
    const roster_setting shared[] = {{"support", 0, "shared"}, {NULL, 0, NULL}};
    roster_error err;
    roster_experts *e;
    roster_agent *agent;
    assert_ok(roster_experts_tables(&e, 2, 2, 3, toy_pi, NULL, &err), &err);
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){e, toy_p, NULL}, shared, 1, 0, &err), &err);
    roster_event event = {.expert = 1, .context = 0, .action = 2, .reward = 1};
    assert_refused(roster_agent_learn(agent, &event, &err), &err, ROSTER_EINVAL,
                   "event.expert 1 never takes action 2 there, so the event is impossible");
    /* Action 2 of expert 0 says nothing about expert 1, whose index stays unknown. */
    double u[2];
    event.expert = 0;
    assert_ok(roster_agent_learn(agent, &event, &err), &err);
    roster_agent_index(agent, u);
    assert_true(u[0] == 1 && u[1] == INFINITY);
    assert_int_equal(roster_agent_choose(agent), 1);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void events_of_other_kinds_refused(void **state)
{
    (void)state;
    const double weights[4] = {0, 1, 1, 0}, sample[1] = {.5}, bad[1] = {NAN}, wild[2] = {.5, 1.5};
    const roster_softmax model = {
        .experts = 2, .actions = 2, .features = 1, .weights = weights, .sample = sample, .samples = 1};
    roster_error err;
    roster_experts *softmax, *external;
    roster_agent *a, *b;
    assert_ok(roster_experts_softmax(&softmax, &model, &err), &err);
    assert_ok(roster_experts_external(&external, 2, 1, 2, (const double[]){.5, .5, .1, .9}, NULL, &err), &err);
    assert_ok(roster_agent_create(&a, "d-ucb", &(roster_problem){.experts = softmax}, NULL, 1, 0, &err), &err);
    assert_ok(roster_agent_create(&b, "d-ucb", &(roster_problem){.experts = external}, NULL, 1, 0, &err), &err);
    assert_refused(roster_agent_learn(a, &(roster_event){.expert = 0}, &err), &err, ROSTER_EINVAL,
                   "event.features is missing: the context's 1 features");
    assert_refused(roster_agent_learn(a, &(roster_event){.features = bad}, &err), &err, ROSTER_EINVAL,
                   "event.features[0] is nan, must be a number of at most 1e100 in size");
    assert_refused(roster_agent_learn(b, &(roster_event){.expert = 0}, &err), &err, ROSTER_EINVAL,
                   "event.probabilities is missing: each expert's probability of the action");
    assert_refused(roster_agent_learn(b, &(roster_event){.probabilities = wild}, &err), &err, ROSTER_EINVAL,
                   "event.probabilities[1] is 1.5, must be a probability");
    roster_agent_free(a);
    roster_agent_free(b);
    roster_experts_free(softmax);
    roster_experts_free(external);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ducb_check_values),
        cmocka_unit_test(educb_check_values),
        cmocka_unit_test(educb_without_error_has_no_error_term),
        cmocka_unit_test(ucb_check_values),
        cmocka_unit_test(klucb_check_values),
        cmocka_unit_test(klucb_solves_its_equation),
        cmocka_unit_test(arms_start_in_order),
        cmocka_unit_test(oracle_and_uniform),
        cmocka_unit_test(first_round_is_random),
        cmocka_unit_test(events_refused),
        cmocka_unit_test(impossible_event_refused),
        cmocka_unit_test(events_of_other_kinds_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
