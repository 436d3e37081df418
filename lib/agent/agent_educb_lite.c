/*
 * agent_educb_lite.c: the intermittent form of ed-ucb.
 *
 * Paper: Section 5 (intermittent updates).
 *
 *   the rule of lite.c over the index of ed-ucb
 *
 * Cost: O(ln N) indices per round and at most one absorb; a log of the rounds not yet used.
 * Departs: none.
 * Check: equal to its literal form round by round (tests/unit/test_oracle.c: educb_lite_equals_literal).
 */
#include "lite.h"

static const roster_param *const params[] = {&roster_param_C,       &roster_param_beta,   &roster_param_p_V,
                                             &roster_param_p_X,     &roster_param_xi,     &roster_param_gamma,
                                             &roster_param_support, &roster_param_verify, NULL};

const roster_agent_type roster_agent_educb_lite = {
    .info = {.name = "ed-ucb-lite",
             .source = "Algorithm 2 on Algorithm 3",
             .summary = "ed-ucb that computes few indices per round, from fewer rounds",
             .empirical = true,
             .params = params},
    .prepare = roster_prepare_estimates,
    ROSTER_LITE_FUNCTIONS,
};
