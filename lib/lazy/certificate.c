/*
 * certificate.c: for how long D-UCB's and ED-UCB's leader is certain.
 *
 * Paper: none.
 *
 * The plain form computes every index after every round (greedy.c). Its choice is argmax_i U_i, and nearly always that
 * is the expert of the round before. So we ask once, for many rounds to come: if only the leader k plays, in which of
 * the next rounds can U_k(t + b) > U_i(t + b) for all i != k, (1), cease to hold? Until then nothing need be computed.
 * The choices are those of the plain form; only the work is less.
 *
 * Let B be a number of rounds, at most t/8; m_i = 1/M_ik; S_i, Z_i, eps_i, L_i as in clipped.c and mu_i = S_i/Z_i, all
 * as of now, after round t. For b = 1..B:
 *
 * Time.    root(t) = sqrt(t ln t). (t+b) ln(t+b) / (t ln t) <= (1 + b/t)(1 + b/(t ln t)) and sqrt(1 + a) <= 1 + a/2
 *            give root(t+b)/root(t) <= 1 + rho b,   rho = (1 + 9/(8 ln t)) / (2 t)                                  (2)
 * Width.   eps = C w(root/Z). w(x) grows, w(x)/x falls; Z_i grows by m_i a round (or not, with shared support). So
 *            eps_i(t+b) <= eps_i (1 + rho b)                     eps_k(t+b) >= eps_k (1 - m_k b/Z_k)                (3)
 * Level.   L = ln(2/eps), so (3) is also
 *            L_i - rho b <= L_i(t+b) <= L_i + m_i b/Z_i                                                             (4)
 * Steps.   B is so small that by (4) no cell from before enters a rival's gate, none leaves the leader's, no rival's
 *          e_i rises a step and the leader's does not fall one. A round of these that would do good may happen.     (5)
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
 * and 1 (at y = 0 the cell does not matter). So the hold starts with a slack of 1 and a round takes
 *
 *   idle + y (danger(c) - idle)                                                                                     (9)
 *
 * from it. At y = 1 a rival's danger is, as a function of the cell's r_lo, the higher of the two lines of (6),
 *
 *   max( m_i r_lo/Z_i - ..., m_i r_lo/(Z_i + m_i B) - ... ) / (U_k - U_i),   r_lo = 0 where r is too large to pass (10)
 *
 * of which five numbers per rival are known before any cell is looked at. Indices nearer than 1e-12 (1 + |U|) tie, and
 * the first of them leads (agent.h): U_k - U_i is taken smaller by twice that, levels are taken wider by 1e-12, and the
 * ratio of the leader's own sample as 1; rounding loses far less.
 *
 * How much this saves: samples of k are fair, so that the sum of (9) is about a random walk. It takes a share of t
 * rounds to use the slack up, and the number of times that anything is computed grows like ln t instead of t.
 *
 * Cost: N X V times about ten flops, by vectors (simd.c); no logarithm.
 * Check: choices equal the plain form's in every round, also when nature plays against the leader (tests/unit/test_certificate.c).
 */
#include "lazy_index.h"

#include <stdlib.h>

static const double CLOSE = 4; /* idle of a lead so small that one round nearly always uses it up */

int roster_batch_init(roster_batch *self, size_t cells)
{
    *self = (roster_batch){.cells = roster_alloc(cells, sizeof *self->cells),
                           .touched = roster_alloc(roster_plus(cells, 1), sizeof *self->touched)};
    return self->cells != NULL && self->touched != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_batch_fini(roster_batch *self)
{
    free(self->cells);
    free(self->touched);
}

void roster_batch_clear(roster_batch *self)
{
    for (size_t i = 0; i < self->n_touched; i++)
        self->cells[self->touched[i]] = (roster_batch_cell){0, 0};
    self->n_touched = 0;
    self->n = 0;
    self->s = 0;
}

/* (5) for the leader. */
static double leader_steps(const roster_lead_bounds *o)
{
    const roster_clipped *e = o->est;
    double level = roster_clipped_level(e, o->k);
    double rounds = (level - roster_clip_heap_next_in(&e->heaps[o->k]) - ROSTER_LEVEL_ROUNDING) / o->rho;
    if (e->prepared->problem.empirical) {
        double above =
            (roster_bias_step_above(&e->prepared->bias, o->k, level) - level - ROSTER_LEVEL_ROUNDING) / o->fall;
        rounds = above < rounds ? above : rounds;
    }
    return rounds;
}

/* (7) with a reward of 1: the leader's own sample has the ratio 1. */
static double leader_loss(const roster_lead_bounds *o, double own)
{
    const roster_clipped *e = o->est;
    const roster_ratio *bounds = &e->prepared->ratio;
    double z = roster_clipped_z(e, o->k), m = e->prepared->inverse_m[o->k][o->k];
    double level = roster_clipped_level(e, o->k) - o->rounds * o->rho - ROSTER_LEVEL_ROUNDING;
    double weight = roster_ratio_high(bounds, 1) * m * 0.5 <= level ? roster_ratio_low(bounds, 1) * m : 0;
    return own > weight ? (own - weight) / z : (own - weight) / (z + o->rounds * m);
}

bool roster_lead_bounds_init(const roster_greedy *g, roster_lead_bounds *o)
{
    const roster_clipped *e = &g->est;
    const roster_prepared *prepared = e->prepared;
    size_t k = g->leader;
    double t = (double)e->tally.t;
    if (e->tally.t < 8 || prepared->inverse_m[k] == NULL || prepared->by_expert == NULL || !(g->u[k] < INFINITY))
        return false;
    *o = (roster_lead_bounds){.est = e, .u = g->u, .k = k, .rho = roster_rho(t, e->ln_t), .rivals = g->rivals};
    o->n = e->tally.n;
    o->fall = prepared->inverse_m[k][k] / roster_clipped_z(e, k);
    o->bar = g->u[k] - 2 * roster_tie(g->u[k]);
    double steps = leader_steps(o);
    o->rounds = steps < ROSTER_SHARE * t ? steps : ROSTER_SHARE * t;
    return o->rounds >= 1;
}

void roster_lead_bounds_of_leader(roster_lead_bounds *o)
{
    const roster_clipped *e = o->est;
    double z = roster_clipped_z(e, o->k), m = e->prepared->inverse_m[o->k][o->k],
           own = roster_clipped_sum(e, o->k) / z * m;
    o->width = 1.5 * roster_clipped_eps(e, o->k) * o->fall;
    o->lose_by_0 = own / z;
    o->lose_by_1 = leader_loss(o, own);
}

void roster_greedy_certify(void *self, roster_certificate *certificate)
{
    roster_greedy *g = self;
    const roster_simd *simd = g->est.prepared->simd;
    roster_lead_bounds o;
    if (g->lazy != NULL) {
        roster_lazy_index_certify(g->lazy, certificate);
        return;
    }
    roster_certificate_for_one_round(certificate, g->leader);
    if (!roster_lead_bounds_init(g, &o))
        return;
    o.rounds = simd->steps(&o, o.rounds);
    if (!(o.rounds >= 4))
        return;
    roster_lead_bounds_of_leader(&o);
    double idle = g->est.tally.n > 1 ? simd->rivals(&o) : 0;
    if (idle >= CLOSE)
        return; /* to look at every cell would cost more than it saves */
    simd->gains(&o, idle, certificate->gain);
    certificate->cost = idle;
    certificate->rounds = 1 + (uint64_t)o.rounds;
}
