/*
 * certificate.c: for how long D-UCB's and ED-UCB's leader is certain.
 *
 * Paper: none.
 *
 * The plain form computes every index after every round (ranking.c). Its choice is argmax_i U_i, and nearly always that
 * is the expert of the round before. So we ask once, for many rounds to come: if only the leader k plays, in which of
 * the next rounds can U_k(t + b) > U_i(t + b) for all i != k, (1), cease to hold? Until then nothing need be computed.
 * The choices are those of the plain form; only the work is less.
 *
 * Let B be a number of rounds, at most t/8; m_i = 1/M_ik; S_i, Z_i, eps_i, L_i as in clipped.c and mu_i = S_i/Z_i, all
 * as of now, after round t. For b = 1..B:
 *
 * Time.    root(t) = sqrt(t ln t). (t+b) ln(t+b) / (t ln t) <= (1 + b/t)(1 + b/(t ln t)) and sqrt(1 + a) <= 1 + a/2
 *            give root(t+b)/root(t) <= 1 + rho b,   rho = (1 + (1 + 1/8)/ln t) / (2 t)                              (2)
 * Width.   eps = C w(root/Z). w(x) grows, w(x)/x falls; Z_i grows by m_i a round (or not, with shared support). So
 *            eps_i(t+b) <= eps_i (1 + rho b)                     eps_k(t+b) >= eps_k (1 - m_k b/Z_k)                (3)
 * Level.   L = ln(2/eps), so (3) is also
 *            L_i - rho b <= L_i(t+b) <= L_i + m_i b/Z_i                                                             (4)
 * Steps.   B is so small that by (4) no cell from before moves into a rival's estimate, none out of the leader's, no
 *          rival's e_i rises a step and the leader's does not fall one. A round of these that would do good may happen.
 *              (5)
 * Rival.   A sample in cell c with reward y adds y w_i(c) to S_i, w_i(c) = r_lo/M if it can pass at all by (4), else 0,
 *          and m_i to Z_i (nothing to either where it does not touch i). With a = y w_i(c) - mu_i m_i
 *            mu_i(t+b) = mu_i + sum a / Z_i(t+b) <= mu_i + sum ( a/Z_i if a > 0, a/(Z_i + m_i B) if a < 0 )         (6)
 *          where a < 0 is taken as 0 with shared support.
 * Leader.  The same from the other side, with w_k(c) = r_lo/M at ratio 1 if it surely passes:
 *            mu_k(t+b) >= mu_k + sum ( a/(Z_k + m_k B) if a > 0, a/Z_k if a < 0 )                                   (7)
 *
 * By (3), (6) and (7) a round with (c, y) brings rival i nearer by at most
 *
 *   d_i(c, y) = rival's term of (6) - leader's term of (7) + 3/2 (eps_i rho + eps_k m_k/Z_k)                        (8)
 *
 * and (1) holds while for every i the sum of d_i over the rounds is below U_k - U_i. One number for all rivals: the
 * danger of a round is max_i d_i(c, y) / (U_k - U_i), and (1) holds while the sum of dangers is below 1. d_i is convex
 * in y, and so is their largest: it is at most (1 - y) idle + y danger(c), with idle and danger(c) its values at y = 0
 * and 1 (at y = 0 the cell does not matter). So a certificate starts with a slack of 1 and a round takes
 *
 *   idle + y (danger(c) - idle)                                                                                     (9)
 *
 * from it. At y = 1 a rival's danger is, as a function of the cell's r_lo, the higher of the two lines of (6),
 *
 *   max( m_i r_lo/Z_i - ..., m_i r_lo/(Z_i + m_i B) - ... ) / (U_k - U_i),   r_lo = 0 where r is too large to pass (10)
 *
 * of which five numbers per rival are known before any cell is looked at. Indices nearer than 1e-12 (1 + |U|) tie, and
 * the first of them leads (base.h): U_k - U_i is taken smaller by twice that, levels are taken wider by 1e-12, and the
 * ratio of the leader's own sample as 1; rounding loses far less.
 *
 * How much this saves: samples of k are fair, so that the sum of (9) is about a random walk. It takes a share of t
 * rounds to use the slack up, and the number of times that anything is computed grows like ln t instead of t.
 *
 * Cost: N X V times about ten flops, by vectors (lazy_simd.c); no logarithm.
 * Check: choices equal the plain form's in every round, also when nature plays against the leader
 *        (tests/unit/test_certificate.c: certified_against_the_worst).
 */
#include "lazy_simd.h"

static const double CLOSE = 4; /* idle of a lead so small that one round nearly always uses it up */

/* (5) for the leader. */
static double leader_steps(const roster_lead_bounds *b)
{
    const roster_clipped *e = b->est;
    double level = roster_clipped_level(e, b->k);
    double rounds = (level - roster_clip_heap_next_in(&e->heaps[b->k]) - ROSTER_LEVEL_ROUNDING) / b->rho;
    if (e->prepared->problem.empirical) {
        double step = roster_bias_step_above(&e->prepared->bias, b->k, level);
        double above = (step - level - ROSTER_LEVEL_ROUNDING) / b->fall;
        rounds = above < rounds ? above : rounds;
    }
    return rounds;
}

/* (7) with a reward of 1: the leader's own sample has the ratio 1. */
static double leader_loss(const roster_lead_bounds *b, double own)
{
    const roster_clipped *e = b->est;
    const roster_ratio *ratio = &e->prepared->ratio;
    double z = roster_clipped_z(e, b->k), m = e->prepared->inverse_m[b->k][b->k];
    double level = roster_clipped_level(e, b->k) - b->rounds * b->rho - ROSTER_LEVEL_ROUNDING;
    double weight = roster_ratio_high(ratio, 1) * m * 0.5 <= level ? roster_ratio_low(ratio, 1) * m : 0;
    return own > weight ? (own - weight) / z : (own - weight) / (z + b->rounds * m);
}

bool roster_lead_bounds_init(roster_lead_bounds *self, const roster_ranking *ranking)
{
    const roster_clipped *e = &ranking->est;
    const roster_prepared *prepared = e->prepared;
    size_t k = ranking->leader;
    double t = (double)e->tally.t;
    if (e->tally.t < 8 || prepared->inverse_m[k] == NULL || !(ranking->u[k] < INFINITY))
        return false;
    *self = (roster_lead_bounds){.est = e, .u = ranking->u, .k = k, .rho = roster_rho(t, e->ln_t), .n = e->tally.n};
    self->fall = prepared->inverse_m[k][k] / roster_clipped_z(e, k);
    self->bar = ranking->u[k] - 2 * roster_tie(ranking->u[k]);
    double steps = leader_steps(self);
    self->rounds = steps < ROSTER_SHARE * t ? steps : ROSTER_SHARE * t;
    return self->rounds >= 1;
}

void roster_lead_bounds_of_leader(roster_lead_bounds *self)
{
    const roster_clipped *e = self->est;
    double z = roster_clipped_z(e, self->k), m = e->prepared->inverse_m[self->k][self->k],
           own = roster_clipped_sum(e, self->k) / z * m;
    self->width = 1.5 * roster_clipped_eps(e, self->k) * self->fall;
    self->lose_by_0 = own / z;
    self->lose_by_1 = leader_loss(self, own);
}

void roster_certify(const roster_ranking *ranking, const roster_lazy_simd *simd, double *rivals,
                    roster_certificate *certificate)
{
    roster_lead_bounds b;
    roster_certificate_for_one_round(certificate, ranking->leader);
    if (!roster_lead_bounds_init(&b, ranking))
        return;
    b.rounds = simd->steps(&b, b.rounds);
    if (!(b.rounds >= 4))
        return;
    roster_lead_bounds_of_leader(&b);
    double idle = b.n > 1 ? simd->rivals(&b, rivals) : 0;
    if (idle >= CLOSE)
        return; /* to look at every cell would cost more than it saves */
    simd->gains(&b, rivals, idle, certificate->gain);
    certificate->cost = idle;
    certificate->rounds = 1 + (uint64_t)b.rounds;
}
