/*
 * agent_klucb.c: KL-UCB, the sharper yardstick that shares nothing between experts.
 *
 * Paper: Section 7 (KL-UCB baseline).
 *
 *   U_i = the largest q with kl(mean_i, q) <= d,  d = ln f(t) / n_i,  f(t) = 1 + t ln^2 t
 *   kl(p, q) = p ln(p/q) + (1 - p) ln((1 - p)/(1 - q))
 *
 * kl(p, .) is convex and increasing on [p, 1) and close to a parabola at p, so its root is nearly linear: Newton's
 * method on sqrt(kl(p, q)) - sqrt(d), q' = q - 2 (kl - sqrt(kl d)) / kl', needs few steps. They are kept inside a bracket:
 * p is left of the solution, and two points are right of it, p + sqrt(d/2) (Pinsker) and
 * 1 - exp(-(d + H(p)) / (1 - p)) (leaving out -p ln q >= 0), H the entropy; the smaller is the start.
 *
 * Cost: N roots of three or four steps per round.
 * Departs: none.
 * Check: n = (2, 1, 2), s = (2, 1, .4), t = 5 give 1, 1, 0.894045237535509 (tests/test_agents.c: klucb_check_values).
 */
#include "arms.h"

/* x ln(x / y), 0 at x = 0. */
static double term(double x, double y)
{
    return x > 0 ? x * roster_ln(x / y) : 0;
}

static double start_right_of_root(double p, double d)
{
    double entropy = -term(p, 1) - term(1 - p, 1);
    double pinsker = p + sqrt(d / 2), limit = 1 - roster_exp(-(d + entropy) / (1 - p));
    return pinsker < limit ? pinsker : limit;
}

static double score(double mean, double plays, double ln_f)
{
    double p = mean < 1 ? mean : 1, d = ln_f / plays;
    if (p == 1 || d == 0)
        return p;
    double left = p, right = start_right_of_root(p, d), q = right;
    for (int step = 0; step < 60 && q < 1 && q > p; step++) {
        double kl = term(p, q) + term(1 - p, 1 - q), slope = (q - p) / (q * (1 - q));
        double move = 2 * (kl - sqrt(kl * d)) / slope;
        if (fabs(move) <= 1e-8 * (q - p) * (1 - q))
            return q - move; /* the error left is of the order of its square */
        if (kl > d)
            right = q;
        else
            left = q;
        q -= move;
        if (!(q > left && q < right))
            q = left + (right - left) / 2;
    }
    return q;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    return roster_arms_init(self, setup->experts->n, score);
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_klucb = {
    .info = {.name = "kl-ucb",
             .source = "Garivier & Cappe 2011",
             .summary = "every expert an arm, with the Bernoulli confidence bound",
             .params = params,
             .additive = true},
    .init = init,
    ROSTER_ARMS_FUNCTIONS,
};
