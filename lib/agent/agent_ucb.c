/*
 * agent_ucb.c: UCB, the baseline that shares nothing between experts.
 *
 * Paper: Section 7 (UCB baseline).
 *
 *   U_i = mean_i + sqrt( ln f(t) / (2 n_i) ),  f(t) = 1 + t ln^2 t        (Lattimore & Szepesvari)
 *
 * As a function of ln f the width w has the derivatives w / (2 ln f) and -w / (4 ln^2 f), and with b more plays it is
 * w sqrt(n / (n + b)) >= w (1 - b / (2n)).                                                                         (1)
 *
 * Cost: a root and two divisions.
 * Departs: none.
 * Check: n = (2, 1, 2), s = (2, 1, .4), t = 5 give 1.81172402741247, 2.14795112847083, 1.01172402741247
 *        (tests/unit/test_agents.c: ucb_check_values).
 */
#include "arms.h"

static void score(roster_arm *arm, double mean, double plays, double ln_f)
{
    double width = sqrt(ln_f / (2 * plays)), slope = ln_f > 0 ? width / (2 * ln_f) : 0;
    *arm = (roster_arm){.mean = mean, .plays = plays, .at = ln_f, .u = mean + width, .slope = slope};
    arm->bend = ln_f > 0 ? slope / (4 * ln_f) : 0;
}

/* (1), w as of now. */
static double mean_for(const roster_arm *arm, double u, double low, double rounds, double ln_f)
{
    (void)ln_f;
    return u - (low - arm->mean) * (1 - rounds / (2 * arm->plays));
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    return roster_arms_init(self, setup->experts, score, mean_for, NULL);
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_ucb = {
    .info = {.name = "ucb",
             .source = "Auer et al. 2002",
             .summary = "learns about each expert from its own rewards alone",
             .params = params,
             .additive = true},
    .init = init,
    ROSTER_ARMS_FUNCTIONS,
};
