/*
 * agent_educb.c: ED-UCB, for experts known only from samples.
 *
 * Paper: Algorithm 3, Appendix (modified ED-UCB).
 *
 *   U'_i = Y_i + e_i + 3/2 eps_i                       play argmax_i U'_i(t - 1)
 *   Y_i  the clipped estimator with r_lo in the sum, r_hi in the clip and M_lo for M (clipped.c), e_i from bias.c
 *   xi   "theory": 2 (sqrt(1 + p_V^4 gamma^2) - 1) / (p_V gamma), "tight": with gamma^2 / 4, or a number; xi < p_V;
 *        "data": the exact bound of estimates.c from the counts behind the estimates, missed in 1% of cases at most
 *   C    0.02, or "theory": 32 M / (gamma (1 - p_V)), M the largest M_lo
 *
 * An estimate of 0 is taken as "not seen", not as "never": the cell counts as clipped. With support "shared" an expert
 * whose own estimate is 0 is not touched by the sample at all.
 *
 * Cost: O(N + log N steps) per round; N^2 X V once, for e_i.
 * Departs: M in the theory's C is the largest M_lo, since true divergences are not known.
 * Check: SPEC section 5: U' = 1.95260622752802, 1.62958608556417, 0.907097945855919
 *        (tests/unit/test_agents.c: educb_check_values).
 */
#include "greedy.h"

static const double XI_MISSED = 0.01;

static int need(const roster_setup *setup, const roster_value *value, const roster_param *param, roster_error *err)
{
    if (!isnan(value->number) || value->word != NULL)
        return ROSTER_OK;
    return roster_fail(err, ROSTER_EINVAL, "%s needs %s: %s", setup->name, param->name, param->help);
}

static int check_given(const roster_setup *setup, roster_error *err)
{
    const roster_settings *s = setup->settings;
    bool theory = (s->xi.word != NULL && !roster_value_is(&s->xi, "data")) || s->C.word != NULL;
    int code = need(setup, &s->p_V, &roster_param_p_V, err);
    if (code == ROSTER_OK)
        code = need(setup, &s->p_X, &roster_param_p_X, err);
    if (code == ROSTER_OK && theory)
        code = need(setup, &s->gamma, &roster_param_gamma, err);
    return code;
}

void roster_settings_bounds(const roster_settings *s, const roster_experts *experts, roster_error_bounds *known)
{
    known->p_V = s->p_V.number;
    known->p_X = roster_value_is(&s->p_X, "uniform") ? 1 / (double)experts->x : s->p_X.number;
    known->xi = s->xi.word == NULL ? s->xi.number
                : roster_value_is(&s->xi, "data")
                    ? roster_experts_xi(experts, XI_MISSED)
                    : roster_theory_xi(known->p_V, s->gamma.number, roster_value_is(&s->xi, "tight"));
}

static int check_bounds(const roster_error_bounds *known, size_t contexts, roster_error *err)
{
    if (known->p_X * (double)contexts > 1 + 1e-9)
        return roster_fail(err, ROSTER_EINVAL, "p_X is %g, must be at most 1/%zu: there are %zu contexts", known->p_X,
                           contexts, contexts);
    if (!(known->xi < known->p_V))
        return roster_fail(err, ROSTER_EINVAL,
                           "xi is %g, must be below p_V = %g: draw more samples of the experts, or use direct",
                           known->xi, known->p_V);
    return ROSTER_OK;
}

static int theory_C(roster_prepared *prepared, const roster_setup *setup, roster_error *err)
{
    double m = prepared->bias.m, p_V = prepared->problem.bounds.p_V;
    if (p_V == 1)
        return roster_fail(err, ROSTER_EINVAL, "p_V is 1, must be below 1 where C is \"theory\"");
    return roster_take_theory_C(prepared, roster_theory_C_empirical(m, setup->settings->gamma.number, p_V), m, err);
}

int roster_prepare_estimates(roster_prepared **prepared, const roster_setup *setup, roster_settings *s,
                             roster_error *err)
{
    bool theory = roster_value_is(&s->C, "theory");
    roster_estimator_problem problem = {.experts = setup->experts, .empirical = true, .C = s->C.number};
    problem.shared = roster_value_is(&s->support, "shared");
    int code = roster_check_reference(setup, err);
    if (code == ROSTER_OK)
        code = check_given(setup, err);
    if (code != ROSTER_OK)
        return code;
    roster_settings_bounds(s, setup->experts, &problem.bounds);
    code = check_bounds(&problem.bounds, setup->experts->x, err);
    if (code == ROSTER_OK)
        code = roster_prepared_create(prepared, &problem);
    if (code == ROSTER_OK && theory)
        code = theory_C(*prepared, setup, err);
    if (code != ROSTER_OK)
        return code;
    s->p_X = (roster_value){problem.bounds.p_X, NULL};
    s->xi = (roster_value){problem.bounds.xi, NULL};
    s->C = (roster_value){(*prepared)->problem.C, NULL};
    return ROSTER_OK;
}

static const roster_param *const params[] = {
    &roster_param_C,     &roster_param_p_V,     &roster_param_p_X,    &roster_param_xi,
    &roster_param_gamma, &roster_param_support, &roster_param_verify, NULL};

const roster_agent_type roster_agent_educb = {
    .info = {.name = "ed-ucb",
             .source = "Algorithm 3",
             .summary = "d-ucb on estimated experts, with intervals for every ratio",
             .params = params,
             .empirical = true,
             .additive = true},
    .prepare = roster_prepare_estimates,
    ROSTER_GREEDY_FUNCTIONS,
};
