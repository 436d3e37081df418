/*
 * agent_klucb.c: KL-UCB, the sharper baseline that shares nothing between experts.
 *
 * Paper: Section 7 (KL-UCB baseline).
 *
 *   U_i = the largest q with kl(mean_i, q) <= d,  d = ln f(t) / n_i,  f(t) = 1 + t ln^2 t
 *   kl(p, q) = p ln(p/q) + (1 - p) ln((1 - p)/(1 - q))
 *
 * The root. kl(p, .) is convex and increasing on [p, 1) and close to a parabola at p, so its root is nearly linear:
 * Halley's method on g(q) = sqrt(kl(p, q)) - sqrt(d),
 *
 *   q' = q - w / (1 - w g''/(2 g')),  w = g/g' = 2 (kl - sqrt(kl d)) / kl',  g''/g' = kl''/kl' - kl'/(2 kl)         (1)
 *   kl' = (q - p) / (q (1-q)),  kl''/kl' = 1/(q - p) - (1 - 2q) / (q (1-q))
 *
 * most often needs one step from the tangent at the arm's last index: dU/dd = 1/kl' and dU/dp = G/kl', with the pull
 * G = -dkl/dp = ln(q/p) + ln((1-p)/(1-q)). Without a last index it starts from p + sqrt(2 p (1-p) d) + 2/3 (1-2p) d,
 * the solution's expansion in sqrt(d), or, where that leaves the bracket, from 1 - exp(-(d + H(p)) / (1 - p)), H the
 * entropy, which is right of the solution since -p ln q >= 0. The bracket is p on the left and p + sqrt(d/2) (Pinsker)
 * or 1 on the right; a step that leaves it becomes a bisection.
 *
 * Its bend. U' = dU/dd = q (1-q) / (q - p) falls at the rate -(ln U')' = U' (1/(1-q) + 1/(q-p) - 1/q), less than
 *
 *   R = q / (q - p) + q (1-q) / (q - p)^2                                                                          (2)
 *
 * and R falls as q grows. So U(d + y) >= U + U' (y - R y^2 / 2) for all y >= 0.
 *
 * The other way round. A mean m < p has an index of at least u, p < u, after n + b plays if kl(m, u) <= ln f / (n + b).
 * With kl(p, U) = d, convexity in q, and Taylor in p, where d^2 kl/dp^2 = 1/(p (1-p)) at most doubles down to p/2,
 *
 *   kl(m, u) <= d - kl'(p, u) (U - u) + G(u) (p - m) + (p - m)^2 / (p (1-p))                                       (3)
 *
 * and G(u) <= G(q) + (u - q) / min(q (1-q), u (1-u)) if u > q. So m solves a quadratic equation, without a logarithm.
 *
 * Cost: two logarithms per step of a root.
 * Departs: none.
 * Check: n = (2, 1, 2), s = (2, 1, .4), t = 5 give 1, 1, 0.894045237535509 (tests/unit/test_agents.c:
 *        klucb_check_values).
 */
#include "arms.h"

/* ln(x / y). Near 1 from the difference alone, since kl is what is left of two logarithms that nearly cancel. */
static double log_ratio(double x, double y, double difference)
{
    double sum = x + y;
    if (fabs(difference) * 32 > sum)
        return roster_ln(x / y);
    double s = difference / sum, z = s * s;
    return 2 * s * (1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11))))));
}

/* Where nothing better is known. */
static double start(double p, double d, double right)
{
    double guess = p + sqrt(2 * p * (1 - p) * d) + 2.0 / 3 * (1 - 2 * p) * d;
    if (guess < right && guess > p)
        return guess;
    double entropy = -p * roster_ln(p) - (1 - p) * roster_ln(1 - p);
    return 1 - roster_exp(-(d + entropy) / (1 - p));
}

/* The root, for p in (0, 1) and d > 0, from a guess. Its pull is not less than the true one. */
static double solve(double p, double d, double guess, double *pull)
{
    double left = p, right = p + sqrt(d / 2);
    right = right < 1 ? right : 1;
    double q = guess > left && guess < right ? guess : start(p, d, right);
    *pull = INFINITY;
    for (int step = 0; step < 60 && q < 1 && q > p; step++) {
        double gap = q - p, spread = q * (1 - q);
        double odds = log_ratio(q, p, gap), against = log_ratio(1 - p, 1 - q, gap);
        double kl = (1 - p) * against - p * odds, slope = gap / spread;
        double newton = 2 * (kl - sqrt(kl * d)) / slope;
        double move = newton / (1 - 0.5 * newton * (1 / gap - (1 - 2 * q) / spread - slope / (2 * kl)));
        if (fabs(move) <= 3e-6 * spread) {
            *pull = odds + against + 2 * fabs(move) / spread;
            return q - move; /* the error left is of the order of its cube */
        }
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

/* Since d = ln f / n, slope and bend are U' / n and (2)'s U' R / (2 n^2). */
static void score(roster_arm *arm, double mean, double plays, double ln_f)
{
    double p = mean < 1 ? mean : 1, d = ln_f / plays, q = p, pull = 0;
    if (p <= 0)
        q = 1 - roster_exp(-d); /* kl(0, q) = -ln(1 - q) */
    else if (p < 1 && d > 0) {
        double was = arm->plays > 0 ? arm->at / arm->plays : 0;
        double guess = arm->u + arm->slope * arm->plays * (arm->pull * (p - arm->mean) + d - was);
        q = solve(p, d, guess, &pull);
    }
    *arm = (roster_arm){.mean = p, .plays = plays, .at = ln_f, .u = q, .pull = pull};
    if (q > p) {
        arm->slope = q * (1 - q) / ((q - p) * plays);
        arm->bend = 0.5 * arm->slope * (q + q * (1 - q) / (q - p)) / ((q - p) * plays);
    }
}

/* (3). */
static double mean_for(const roster_arm *arm, double u, double low, double rounds, double ln_f)
{
    double p = arm->mean, n = arm->plays, spread = u * (1 - u), was = arm->u * (1 - arm->u);
    if (u <= p)
        return u;
    double room = (u - p) / spread * (low - u) - ln_f * rounds / (n * (n + rounds));
    if (!(u < 1 && p > 0 && arm->pull < INFINITY && room > 0))
        return p;
    double pull = arm->pull + (u > arm->u ? (u - arm->u) / (was < spread ? was : spread) : 0);
    double step = 2 * room / (pull + sqrt(pull * pull + 4 * room / (p * (1 - p))));
    return step < p / 2 ? p - step : p / 2;
}

/* kl(mean, u) <= d, first by Pinsker's bound, which needs no logarithm; with room for what rounding takes. */
static bool may_reach(double mean, double plays, double ln_f, double u)
{
    double d = ln_f / plays * (1 + 1e-6) + 1e-13, gap = u - mean;
    if (!(mean > 0 && gap > 0 && u < 1))
        return true;
    return 2 * gap * gap <= d && (1 - mean) * log_ratio(1 - mean, 1 - u, gap) - mean * log_ratio(u, mean, gap) <= d;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    return roster_arms_init(self, setup->experts, score, mean_for, may_reach);
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_klucb = {
    .info = {.name = "kl-ucb",
             .source = "Garivier & Cappe 2011",
             .summary = "like ucb, with the confidence bound for Bernoulli rewards",
             .params = params,
             .additive = true},
    .init = init,
    ROSTER_ARMS_FUNCTIONS,
};
