/*
 * agent_klucb.c: KL-UCB, the sharper yardstick that shares nothing between experts.
 *
 * Paper: Section 7 (KL-UCB baseline).
 *
 *   U_i = the largest q with kl(mean_i, q) <= d,  d = ln f(t) / n_i,  f(t) = 1 + t ln^2 t
 *   kl(p, q) = p ln(p/q) + (1 - p) ln((1 - p)/(1 - q))
 *
 * kl(p, .) is convex and increasing on [p, 1) and close to a parabola at p, so its root is nearly linear: Newton's
 * method on sqrt(kl(p, q)) - sqrt(d), q' = q - 2 (kl - sqrt(kl d)) / kl', needs few steps. They start from
 * p + sqrt(2 p (1-p) d) + 2/3 (1-2p) d, the solution's expansion in sqrt(d), or, where that leaves the bracket, from
 * 1 - exp(-(d + H(p)) / (1 - p)), H the entropy, which is right of the solution since -p ln q >= 0. The bracket is
 * p on the left and p + sqrt(d/2) (Pinsker) or 1 on the right; a step that leaves it becomes a bisection.
 *
 * Cost: N roots of two or three steps per round.
 * Departs: none.
 * Check: n = (2, 1, 2), s = (2, 1, .4), t = 5 give 1, 1, 0.894045237535509 (tests/test_agents.c: klucb_check_values).
 */
#include "arms.h"

/* x ln(x / y), 0 at x = 0. */
static double term(double x, double y)
{
    return x > 0 ? x * roster_ln(x / y) : 0;
}

static double start(double p, double d, double right)
{
    double guess = p + sqrt(2 * p * (1 - p) * d) + 2.0 / 3 * (1 - 2 * p) * d;
    if (guess < right && guess > p)
        return guess;
    double entropy = -term(p, 1) - term(1 - p, 1);
    return 1 - roster_exp(-(d + entropy) / (1 - p));
}

/* The root, for p in (0, 1) and d > 0. */
static double solve(double p, double d)
{
    double left = p, right = p + sqrt(d / 2);
    right = right < 1 ? right : 1;
    double q = start(p, d, right);
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

/* dq/dd = 1 / kl'(p, q) = q (1 - q) / (q - p). */
static double score(double mean, double plays, double ln_f, double *slope)
{
    double p = mean < 1 ? mean : 1, d = ln_f / plays;
    *slope = 0;
    if (p == 1)
        return p;
    if (d == 0) {
        *slope = INFINITY;
        return p;
    }
    double q = p > 0 ? solve(p, d) : 1 - roster_exp(-d); /* kl(0, q) = -ln(1 - q) */
    *slope = q > p ? q * (1 - q) / ((q - p) * plays) : 0;
    return q;
}

/* kl(., u) falls on [0, u] from -ln(1 - u) to 0, and its root is nearly linear there too: Newton's method as above,
   kept in a bracket whose right end, where kl <= d, is the answer. */
static double mean_for(double u, double plays, double ln_f)
{
    double d = ln_f / plays, left = 0, right = u;
    if (u >= 1)
        return 1;
    if (-roster_ln(1 - u) <= d)
        return 0;
    double p = u - sqrt(2 * u * (1 - u) * d);
    for (int step = 0; step < 60 && right - left > 1e-9 * u; step++) {
        if (!(p > left && p < right))
            p = left + (right - left) / 2;
        double kl = term(p, u) + term(1 - p, 1 - u);
        if (kl <= d)
            right = p;
        else
            left = p;
        double slope = roster_ln(p * (1 - u) / (u * (1 - p)));
        p -= 2 * (kl - sqrt(kl * d)) / slope;
        p += step < 4 ? 1e-9 * u : 0; /* a little too far, so that the right end follows */
    }
    return right;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    return roster_arms_init(self, setup->experts->n, score, mean_for);
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
