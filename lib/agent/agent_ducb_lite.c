/*
 * agent_ducb_lite.c: the intermittent form of d-ucb.
 *
 * Paper: Algorithm 2.
 *
 *   the rule of lite.c over the index of d-ucb
 *
 * Cost: O(ln N) indices per round and at most one absorb; a log of the rounds not yet used.
 * Departs: none.
 * Check: equal to its literal form round by round (tests/unit/test_oracle.c: ducb_lite_equals_literal).
 */
#include "lite.h"

static const roster_param *const params[] = {&roster_param_C,       &roster_param_beta,   &roster_param_gamma,
                                             &roster_param_support, &roster_param_verify, NULL};

const roster_agent_type roster_agent_ducb_lite = {
    .info = {.name = "d-ucb-lite",
             .source = "Algorithm 2",
             .summary = "d-ucb that computes few indices per round, from fewer rounds",
             .params = params},
    .prepare = roster_prepare_experts,
    ROSTER_LITE_FUNCTIONS,
};
