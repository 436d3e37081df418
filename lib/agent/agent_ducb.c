/*
 * agent_ducb.c: D-UCB, for experts that are known.
 *
 * Paper: Algorithm 1, Appendix (modified D-UCB).
 *
 *   U_i(t) = muhat_i(t) + 3/2 eps_i(t), eps_i = C w(sqrt(t ln t) / Z_i(t))       play argmax_i U_i(t - 1)
 *   C = 0.02, or "theory": 16 M / gamma with M the largest divergence
 *
 * Support "full" needs every divergence to be finite: no expert may play, in a context that occurs, what another never
 * plays. Support "shared" leaves such actions out of the divergences and such samples out of the estimates they say
 * nothing about.
 *
 * Cost: O(N) per round (clipped.c). C = "theory" needs all N^2 divergences once.
 * Departs: none.
 * Check: SPEC section 3: U = 1.32774665947924, 1.13479044097775, 0.234313704843432 after five rounds
 *        (tests/unit/test_agents.c: ducb_check_values).
 */
#include "greedy.h"

/* An expert, context and action for which some M_ij is infinite is named; the sentence says the remedy. */
static int check_support(const roster_setup *setup, roster_error *err)
{
    const roster_experts *e = setup->experts;
    for (size_t x = 0; x < e->x; x++)
        for (size_t v = 0; v < e->v && (setup->p == NULL || setup->p[x] > 0); v++) {
            const double *pi = roster_experts_across(e, x, v);
            size_t never = e->n, plays = e->n;
            for (size_t k = 0; k < e->n; k++) {
                never = pi[k] == 0 && never == e->n ? k : never;
                plays = pi[k] > 0 && plays == e->n ? k : plays;
            }
            if (never < e->n && plays < e->n)
                return roster_fail(
                    err, ROSTER_EINVAL,
                    "experts[%zu] (%.60s) never plays action %zu in context %zu, but experts[%zu] (%.60s) does, so "
                    "their divergence is infinite: give every action a small probability, or set support to "
                    "\"shared\"",
                    never, roster_experts_name(e, never), v, x, plays, roster_experts_name(e, plays));
        }
    return ROSTER_OK;
}

int roster_take_theory_C(roster_prepared *prepared, double C, double m, roster_error *err)
{
    if (!(C <= roster_param_C.high))
        return roster_fail(err, ROSTER_EINVAL,
                           "the theory's C is %g, must be at most %g: the largest divergence is %g; give C as a number",
                           C, roster_param_C.high, m);
    prepared->problem.C = C;
    return ROSTER_OK;
}

static int theory_C(roster_prepared *prepared, const roster_setup *setup, roster_error *err)
{
    double m, gamma = setup->settings->gamma.number;
    int code = roster_prepared_largest(prepared, &m);
    return code == ROSTER_OK ? roster_take_theory_C(prepared, roster_theory_C(m, gamma), m, err) : code;
}

int roster_check_reference(const roster_setup *setup, roster_error *err)
{
    if (setup->experts->x > 0)
        return ROSTER_OK;
    return roster_fail(err, ROSTER_EINVAL,
                       "%s needs a sample of contexts, from which it knows how the experts differ: give one, or take "
                       "the agent mixture, which needs none",
                       setup->name);
}

int roster_prepare_experts(roster_prepared **prepared, const roster_setup *setup, roster_settings *s, roster_error *err)
{
    bool theory = roster_value_is(&s->C, "theory");
    roster_estimator_problem problem = {.experts = setup->experts, .p = setup->p, .C = s->C.number};
    problem.shared = roster_value_is(&s->support, "shared");
    if (theory && isnan(s->gamma.number))
        return roster_fail(err, ROSTER_EINVAL, "%s needs gamma where C is \"theory\"", setup->name);
    int code = roster_check_reference(setup, err);
    if (code == ROSTER_OK && !problem.shared)
        code = check_support(setup, err);
    if (code == ROSTER_OK)
        code = roster_prepared_create(prepared, &problem);
    if (code == ROSTER_OK && theory)
        code = theory_C(*prepared, setup, err);
    if (code == ROSTER_OK)
        s->C = (roster_value){(*prepared)->problem.C, NULL};
    return code;
}

static const roster_param *const params[] = {&roster_param_C, &roster_param_gamma, &roster_param_support,
                                             &roster_param_verify, NULL};

const roster_agent_type roster_agent_ducb = {
    .info = {.name = "d-ucb",
             .source = "Algorithm 1",
             .summary = "every reward informs every expert, weighted by how likely each was to take the action",
             .params = params,
             .additive = true},
    .prepare = roster_prepare_experts,
    ROSTER_GREEDY_FUNCTIONS,
};
