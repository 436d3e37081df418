/*
 * test_settings.c: the checks of roster_agent_create: every refusal with its sentence (lib/agent/settings.c, agent.c,
 * agent_ducb.c, agent_educb.c, agent_oracle.c), defaults, words that become numbers, and the registry.
 */
#include "support.h"

#include "agent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct fixture {
    roster_experts *spec, *toy;
    roster_problem problem, toy_problem;
} fixture;

static int setup(void **state)
{
    static fixture f;
    roster_error err;
    f.spec = spec_experts();
    assert_ok(roster_experts_tables(&f.toy, 2, 2, 3, toy_pi, NULL, &err), &err);
    f.problem = (roster_problem){.experts = f.spec, .context_probabilities = spec_p};
    f.toy_problem = (roster_problem){.experts = f.toy, .context_probabilities = toy_p};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    roster_experts_free(f->spec);
    roster_experts_free(f->toy);
    return 0;
}

static void refuse(const char *name, const roster_problem *problem, const roster_setting *settings,
                   const char *sentence)
{
    roster_agent *agent = (roster_agent *)&problem;
    roster_error err;
    assert_refused(roster_agent_create(&agent, name, problem, settings, 1, 2, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(agent);
    assert_int_equal(roster_agent_create(&agent, name, problem, settings, 1, 2, NULL), ROSTER_EINVAL);
}

static roster_agent *create(const char *name, const roster_problem *problem, const roster_setting *settings)
{
    roster_agent *agent;
    roster_error err;
    assert_ok(roster_agent_create(&agent, name, problem, settings, 1, 2, &err), &err);
    return agent;
}

/* A list of settings, its end included. */
#define LIST(...) ((const roster_setting[]){__VA_ARGS__, {NULL, 0, NULL}})
#define P_V                                                                                                            \
    {                                                                                                                  \
        "p_V", .05, NULL                                                                                               \
    }
#define P_X                                                                                                            \
    {                                                                                                                  \
        "p_X", .2, NULL                                                                                                \
    }
#define GAMMA                                                                                                          \
    {                                                                                                                  \
        "gamma", .3, NULL                                                                                              \
    }

static void agents_refused(void **state)
{
    const fixture *f = *state;
    const roster_problem nobody = {.context_probabilities = spec_p};
    refuse("ducb", &f->problem, NULL, "there is no agent 'ducb'; there are " ALL_AGENTS);
    refuse(NULL, &f->problem, NULL, "there is no agent ''; there are " ALL_AGENTS);
    refuse("a name of which nobody wants to see more than forty letters", &f->problem, NULL,
           "there is no agent 'a name of which nobody wants to see more'; there are " ALL_AGENTS);
    refuse("d-ucb", &nobody, NULL, "the problem has no experts");
    refuse("uniform", NULL, NULL, "the problem has no experts");
}

static void problems_refused(void **state)
{
    const fixture *f = *state;
    const double bad[][2] = {{.6, .3}, {-.5, 1.5}, {NAN, 1}, {.4, INFINITY}};
    const double values[][3] = {{.5, 1.5, .5}, {.5, .5, NAN}, {-.1, .5, .5}};
    const char *const sentences[] = {"context_probabilities sums to 0.9, must be 1",
                                     "context_probabilities[0] is -0.5, must be a probability",
                                     "context_probabilities[0] is nan, must be a probability",
                                     "context_probabilities[1] is inf, must be a probability"};
    const char *const about_values[] = {"values[1] is 1.5, must be in [0, 1]", "values[2] is nan, must be in [0, 1]",
                                        "values[0] is -0.1, must be in [0, 1]"};
    roster_problem problem = f->problem;
    for (size_t i = 0; i < 4; i++) {
        problem.context_probabilities = bad[i];
        refuse("d-ucb", &problem, NULL, sentences[i]);
        refuse("ucb", &problem, NULL, sentences[i]);
    }
    problem = f->problem;
    for (size_t i = 0; i < 3; i++) {
        problem.values = values[i];
        refuse("oracle", &problem, NULL, about_values[i]);
        refuse("d-ucb", &problem, NULL, about_values[i]);
    }
    refuse("oracle", &f->problem, NULL, "oracle needs the experts' true values: set the problem's values");
}

static void settings_refused(void **state)
{
    const fixture *f = *state;
    const roster_problem *p = &f->problem;
    refuse("d-ucb", p, LIST({"c", 1, NULL}), "d-ucb has no setting 'c'; it takes C, gamma, support, verify");
    refuse("d-ucb", p, LIST({"beta", 1, NULL}), "d-ucb has no setting 'beta'; it takes C, gamma, support, verify");
    refuse("d-ucb-lite", p, LIST({"xi", 1, NULL}),
           "d-ucb-lite has no setting 'xi'; it takes C, beta, gamma, support, verify");
    refuse("ed-ucb", p, LIST({"", 1, NULL}),
           "ed-ucb has no setting ''; it takes C, p_V, p_X, xi, gamma, support, verify");
    refuse("ed-ucb-lite", p, LIST({"T", 1, NULL}),
           "ed-ucb-lite has no setting 'T'; it takes C, beta, p_V, p_X, xi, gamma, support, verify");
    refuse("ucb", p, LIST({"C", 1, NULL}), "ucb has no setting 'C': it takes none");
    refuse("d-ucb", p, LIST({"C", 1, NULL}, {"gamma", 1, NULL}, {"C", 1, NULL}), "C is set twice");
    refuse("d-ucb", p, LIST({"C", 0, "tight"}),
           "C is \"tight\", must be a number above 0 and at most 1e+100 or \"theory\"");
    refuse("d-ucb", p, LIST({"C", 1, ""}), "C is \"\", must be a number above 0 and at most 1e+100 or \"theory\"");
    refuse("d-ucb-lite", p, LIST({"beta", 1, "theory"}), "beta is \"theory\", must be a number at least 1 and below 2");
    refuse("d-ucb", p, LIST({"support", 0, "none"}), "support is \"none\", must be \"full\" or \"shared\"");
    refuse("d-ucb", p, LIST({"support", 1, NULL}), "support is 1, must be \"full\" or \"shared\"");
    refuse("ed-ucb", p, LIST({"xi", 0, "printed"}),
           "xi is \"printed\", must be a number at least 0 and below 1 or \"theory\" or \"tight\" or \"data\"");
    refuse("ed-ucb", p, LIST({"p_X", 0, "even"}),
           "p_X is \"even\", must be a number above 0 and at most 1 or \"uniform\"");
}

static void numbers_out_of_range_refused(void **state)
{
    const fixture *f = *state;
    const struct {
        const char *name, *range;
        double bad[4];
    } cases[] = {
        {"C", "a number above 0 and at most 1e+100 or \"theory\"", {0, -1, 1e101, INFINITY}},
        {"beta", "a number at least 1 and below 2", {.999, 2, -INFINITY, 3}},
        {"gamma", "a number above 0 and at most 1", {0, -.1, 1.5, INFINITY}},
        {"p_V", "a number above 0 and at most 1", {0, -.1, 1.5, INFINITY}},
        {"p_X", "a number above 0 and at most 1 or \"uniform\"", {0, -.1, 1.5, INFINITY}},
        {"xi", "a number at least 0 and below 1 or \"theory\" or \"tight\" or \"data\"", {-.1, 1, 1.5, INFINITY}},
    };
    char sentence[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t j = 0; j < 5; j++) {
            double number = j < 4 ? cases[i].bad[j] : NAN;
            snprintf(sentence, sizeof sentence, "%s is %g, must be %s", cases[i].name, number, cases[i].range);
            refuse("ed-ucb-lite", &f->problem, LIST({cases[i].name, number, NULL}), sentence);
        }
}

static void missing_settings_refused(void **state)
{
    const fixture *f = *state;
    const roster_problem *p = &f->problem;
    const char *p_V = "ed-ucb needs p_V: lower bound of every true probability of an action";
    const char *p_X =
        "ed-ucb needs p_X: lower bound of every context's probability; \"uniform\" is 1 / number of contexts";
    const char *gamma =
        "ed-ucb needs gamma: lower bound of every expert's value; required if a setting is \"theory\" or \"tight\"";
    refuse("d-ucb", p, LIST({"C", 0, "theory"}), "d-ucb needs gamma where C is \"theory\"");
    refuse("d-ucb-lite", p, LIST({"C", 0, "theory"}), "d-ucb-lite needs gamma where C is \"theory\"");
    refuse("ed-ucb", p, NULL, p_V);
    refuse("ed-ucb", p, LIST(P_X, GAMMA), p_V);
    refuse("ed-ucb", p, LIST(P_V, GAMMA), p_X);
    refuse("ed-ucb", p, LIST(P_V, P_X), gamma);
    refuse("ed-ucb", p, LIST(P_V, P_X, {"xi", 0, "tight"}), gamma);
    refuse("ed-ucb", p, LIST(P_V, P_X, {"xi", .001, NULL}, {"C", 0, "theory"}), gamma);
    refuse("ed-ucb-lite", p, NULL, "ed-ucb-lite needs p_V: lower bound of every true probability of an action");
}

/* From the counts behind the experts: the same as roster_estimates_xi_exact; 0 where experts are known. */
static void xi_from_counts(void **state)
{
    const fixture *f = *state;
    roster_estimates *counts;
    roster_experts *estimated;
    roster_error err;
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, ROSTER_ROLE_ESTIMATES);
    assert_ok(roster_estimates_create(&counts, 3, 2, 3, NULL, &err), &err);
    assert_ok(roster_estimates_draw(counts, f->problem.experts, NULL, 50000, &rng, &err), &err);
    assert_ok(roster_estimates_experts(counts, &estimated, &err), &err);
    roster_problem problem = {.experts = estimated};
    roster_agent *agent = create("ed-ucb", &problem, LIST(P_V, P_X, {"xi", 0, "data"}));
    assert_true(roster_agent_setting(agent, "xi") == roster_estimates_xi_exact(counts, 0.01));
    roster_agent_free(agent);
    roster_experts_free(estimated);
    agent = create("ed-ucb", &f->problem, LIST(P_V, P_X, {"xi", 0, "data"}));
    assert_true(roster_agent_setting(agent, "xi") == 0);
    roster_agent_free(agent);
    roster_estimates_free(counts);
    assert_ok(roster_estimates_create(&counts, 3, 2, 3, NULL, &err), &err);
    assert_ok(roster_estimates_experts(counts, &estimated, &err), &err);
    problem.experts = estimated;
    refuse("ed-ucb", &problem, LIST(P_V, P_X, {"xi", 0, "data"}),
           "xi is inf, must be below p_V = 0.05: draw more samples of the experts, or use direct");
    roster_experts_free(estimated);
    roster_estimates_free(counts);
}

static void contradictions_refused(void **state)
{
    const fixture *f = *state;
    const roster_problem *p = &f->problem;
    refuse("ed-ucb", p, LIST(P_V, P_X, {"xi", .05, NULL}),
           "xi is 0.05, must be below p_V = 0.05: draw more samples of the experts, or use direct");
    refuse("ed-ucb", p, LIST(P_V, P_X, {"xi", .3, NULL}),
           "xi is 0.3, must be below p_V = 0.05: draw more samples of the experts, or use direct");
    refuse("ed-ucb", p, LIST(P_V, {"p_X", .6, NULL}, GAMMA), "p_X is 0.6, must be at most 1/2: there are 2 contexts");
    refuse("ed-ucb", p, LIST({"p_V", 1, NULL}, P_X, GAMMA, {"C", 0, "theory"}),
           "p_V is 1, must be below 1 where C is \"theory\"");
    roster_agent_free(create("ed-ucb", p, LIST({"p_V", 1, NULL}, P_X, GAMMA)));
    roster_agent_free(create("ed-ucb", p, LIST(P_V, {"p_X", .5, NULL}, {"xi", nextafter(.05, 0), NULL})));
}

static void infinite_divergence_refused(void **state)
{
    const fixture *f = *state;
    const char *const names[] = {"popular", "novel"};
    const double first[] = {1, 0}, pi[] = {.5, .5, 1, 0, .2, .8, .3, .7};
    const char *remedy =
        "experts[1] (expert 2) never plays action 2 in context 0, but experts[0] (expert 1) does, so their "
        "divergence is infinite: give every action a small probability, or set support to \"shared\"";
    roster_experts *named;
    roster_error err;
    refuse("d-ucb", &f->toy_problem, NULL, remedy);
    refuse("d-ucb", &f->toy_problem, LIST({"support", 0, "full"}), remedy);
    refuse("d-ucb-lite", &f->toy_problem, NULL, remedy);
    roster_agent_free(create("d-ucb", &f->toy_problem, LIST({"support", 0, "shared"})));
    roster_agent_free(create("ucb", &f->toy_problem, NULL));
    assert_ok(roster_experts_tables(&named, 2, 2, 2, pi, names, &err), &err);
    roster_problem problem = {.experts = named};
    refuse(
        "d-ucb", &problem, NULL,
        "experts[0] (popular) never plays action 1 in context 1, but experts[1] (novel) does, so their divergence is "
        "infinite: give every action a small probability, or set support to \"shared\"");
    problem.context_probabilities = first; /* context 1 never occurs */
    roster_agent_free(create("d-ucb", &problem, NULL));
    roster_experts_free(named);
}

static void defaults(void **state)
{
    const fixture *f = *state;
    roster_agent *ducb = create("d-ucb", &f->problem, NULL), *lite = create("d-ucb-lite", &f->problem, LIST(GAMMA));
    roster_agent *educb =
        create("ed-ucb", &f->problem, LIST(P_V, {"p_X", 0, "uniform"}, GAMMA, {"support", 0, "shared"}));
    assert_true(roster_agent_setting(ducb, "C") == 0.02);
    assert_true(roster_agent_setting(ducb, "support") == 0);
    assert_true(isnan(roster_agent_setting(ducb, "gamma")));
    assert_true(isnan(roster_agent_setting(ducb, "beta")) && isnan(roster_agent_setting(ducb, "no such thing")));
    assert_true(roster_agent_setting(lite, "beta") == 1.25);
    assert_true(roster_agent_setting(lite, "C") == 0.02);
    assert_true(roster_agent_setting(lite, "gamma") == .3);
    assert_true(roster_agent_setting(educb, "C") == 0.02);
    assert_true(roster_agent_setting(educb, "p_V") == .05);
    assert_true(roster_agent_setting(educb, "p_X") == .5);
    assert_true(roster_agent_setting(educb, "support") == 1);
    assert_true(roster_agent_setting(educb, "xi") == roster_theory_xi(.05, .3, false));
    assert_string_equal(roster_agent_about(lite)->name, "d-ucb-lite");
    assert_true(roster_agent_about(educb)->empirical && !roster_agent_about(ducb)->empirical);
    assert_true(roster_agent_about(ducb)->additive && !roster_agent_about(lite)->additive);
    roster_agent_free(ducb);
    roster_agent_free(lite);
    roster_agent_free(educb);
}

/* The largest divergence of SPEC's experts; with bounds, of their lower ones. */
static double largest(const roster_experts *e, const double *p, const roster_error_bounds *known)
{
    double m[3], most = 1;
    for (size_t k = 0; k < 3; k++) {
        if (known != NULL)
            roster_divergence_lower_column(e, known, k, m);
        else
            roster_divergence_column(e, p, false, k, m);
        for (size_t i = 0; i < 3; i++)
            most = fmax(most, m[i]);
    }
    return most;
}

static void theory_becomes_numbers(void **state)
{
    const fixture *f = *state;
    const roster_setting theory_C = {"C", 0, "theory"};
    roster_agent *agent = create("d-ucb", &f->problem, LIST(theory_C, GAMMA));
    assert_true(roster_agent_setting(agent, "C") == roster_theory_C(largest(f->spec, spec_p, NULL), .3));
    assert_true(roster_agent_setting(agent, "C") > 100);
    roster_agent_free(agent);
    roster_error_bounds known = {.xi = .001, .p_V = .05, .p_X = .2};
    agent = create("ed-ucb", &f->problem, LIST(P_V, P_X, GAMMA, theory_C, {"xi", .001, NULL}));
    assert_true(roster_agent_setting(agent, "xi") == .001);
    assert_true(roster_agent_setting(agent, "C") == roster_theory_C_empirical(largest(f->spec, NULL, &known), .3, .05));
    roster_agent_free(agent);
    agent = create("ed-ucb-lite", &f->problem, LIST(P_V, P_X, GAMMA, theory_C, {"xi", 0, "tight"}));
    known.xi = roster_theory_xi(.05, .3, true);
    assert_true(roster_agent_setting(agent, "xi") == known.xi && known.xi < roster_theory_xi(.05, .3, false));
    assert_true(roster_agent_setting(agent, "C") == roster_theory_C_empirical(largest(f->spec, NULL, &known), .3, .05));
    roster_agent_free(agent);
}

/* Of a parameter's description: help, and a default that its own range allows. */
static void check_param(const roster_param *param)
{
    assert_true(strlen(param->name) > 0 && strlen(param->help) > 20);
    if (!isnan(param->preset))
        assert_true(param->preset >= param->low && param->preset <= param->high);
    bool listed = param->preset_word == NULL;
    for (size_t i = 0; param->words != NULL && param->words[i] != NULL; i++)
        listed |= param->preset_word != NULL && strcmp(param->words[i], param->preset_word) == 0;
    assert_true(listed);
}

static void registry_walk(void **state)
{
    (void)state;
    size_t agents = 0;
    for (const roster_agent_info *info; (info = roster_agent_info_at(agents)) != NULL; agents++) {
        assert_true(strlen(info->name) > 0 && strlen(info->name) < 16); /* a snapshot has 16 bytes for it */
        assert_true(strlen(info->source) > 0 && strlen(info->summary) > 0);
        for (size_t j = 0; j < agents; j++)
            assert_string_not_equal(info->name, roster_agent_info_at(j)->name);
        if (roster_agent_types[agents]->stand_in == NULL)
            assert_int_equal(info->additive, roster_agent_types[agents]->merge != NULL);
        for (size_t j = 0; info->params[j] != NULL; j++)
            check_param(info->params[j]);
    }
    assert_true(agents > 0 && roster_agent_types[agents] == NULL);
    assert_null(roster_agent_info_at(SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_refused),
        cmocka_unit_test(problems_refused),
        cmocka_unit_test(settings_refused),
        cmocka_unit_test(numbers_out_of_range_refused),
        cmocka_unit_test(missing_settings_refused),
        cmocka_unit_test(xi_from_counts),
        cmocka_unit_test(contradictions_refused),
        cmocka_unit_test(infinite_divergence_refused),
        cmocka_unit_test(defaults),
        cmocka_unit_test(theory_becomes_numbers),
        cmocka_unit_test(registry_walk),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
