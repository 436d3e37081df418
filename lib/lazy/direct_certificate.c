/*
 * direct_certificate.c: for how long the leader of the direct estimate is certain.
 *
 * Paper: none.
 *
 * As in certificate.c we ask once, for many rounds to come: if only the leader k plays, in which of the next rounds can
 * U_k > U_i for all i != k, (1), cease to hold? Here for experts that are known and context probabilities that are
 * declared, while m0 and the weights of cells do not change and p is not rejected (roster_direct_most); and as long as
 * nothing was forgotten and no expert stands alone.
 *
 * Let B be a number of rounds, at most t/8; n, m, SS = q - s^2/n, Q = SS + 1/4 of a cell, phi_i = p(x) pi_i, mu_i, V_i,
 * B_i, z_i, ell as of now, after round t; j <= b the samples that a cell has got in rounds 1..b <= B.
 *
 * Mean.    m(t+b) = m + sum (y - m)/(n + 1 + j), over the new samples of the cell. With a = d (y - m) a sample moves
 *            sum_c d(c) m(c) by at most a/(n + 2) if a > 0, by at most a/(n + 1 + B) if a < 0                       (2)
 *          for any weights d of the cells.
 * Spread.  SS(t+b) <= SS + sum (y - ybar)^2, ybar the cell's mean (1/2 where n = 0), and 1/(n + 1 + j)^2 <=
 *          1/(n+1)^2 - 2 j/(n + 1 + B)^3, convex as it is in j. So a sample moves the cell's z u by at most
 *            h(y) = (y - ybar)^2/(n + 2)^2 - 2 Q/(n + 1 + B)^3                                                      (3)
 *          and V_i by phi_i^2 h. B_i falls. SS does not, so z_i(t+b) >= z'_i = sum phi_i Q/(n + 1 + B).
 * Time.    ell(t+b) <= ell' = ell + B/t (1 + 2/ln t)                                               (arms.c, (3))
 * Bonus.   While V_i(t+b) <= F V_i, L_i(t+b) <= L' = max( ln( (t + 1 + B) F V_i/(kappa z'_i) ), eta ell' ). F is the
 *          largest that leaves the second term larger, or 2 if that is more. V >= B_i/4, since z >= u/4, so that
 *          2 L V + (L^2 - L/2) B grows with L, and the root of it is at most
 *            sqrt(2 L' V_i(t+b) + max(L'^2 - L'/2, 0) B_i) <= r_i + (L'/r_i) (V_i(t+b) - V_i), r_i the same at V_i  (4)
 * Rival.   U_i = min(D_i, A_i). Rival i does not play, so A_i(t+b) <= ybar_i + sqrt(ell'/(2 n_i)) =: A'. Either D_i is
 *          bounded by its mean, which moves by (2), and by (4), which moves by (3); or U_i by A', which does not move:
 *          whichever is less now. A rival whose cells are thin is bounded by A': it may become one whose are not.
 *          A rival whose cells are not thin stays one, and so does the leader, of whom it is demanded: cells only get
 *          more samples.
 * Leader.  D_k >= mu_k + margin, and mu_k moves by (2). A_k >= ybar_k(t+b) + sqrt(ell/(2 (n_k + B))), and a reward y
 *          moves ybar_k by at least (y - ybar_k)/(n_k + B) if y > ybar_k, else (y - ybar_k)/(n_k + 1)              (5)
 *
 * With top_i the rival's bound as of now, a round with (c, y) brings it nearer to D_k by (2) with d = phi_i - phi_k, or
 * d = -phi_k if A' bounds it, and (L'/r_i) phi_i^2 h(y); and to A_k by the same with d = phi_i, less (5). Each of these
 * sums must stay below its lead, for all rivals the least one over A_k, and that of phi_i^2 h(y) below (F - 1) V_i:
 *
 *   mu_k + margin - top_i,          ybar_k + sqrt(ell/(2 (n_k + B))) - top_i,          (F - 1) V_i                  (6)
 *
 * The danger of a round is the largest of these steps, each divided by its lead, and (1) holds while the sum of dangers
 * is below 1. Since 0 < m < 1 all steps at y = 1 have one sign of y - m and all at y = 0 the other; steps are convex in
 * y, and so is the danger: at most (1 - y) danger(c, 0) + y danger(c, 1). So a slack of 1 loses in a round
 *
 *   loss(c) - y gain(c),   loss = danger(c, 0),   gain = danger(c, 0) - danger(c, 1)                                (7)
 *
 * Indices nearer than 1e-12 (1 + |U|) tie: leads are taken smaller by twice that; rounding loses far less.
 *
 * Cost: about thirty flops for each of N X V, two roots and at most one logarithm per expert.
 * Check: choices equal the plain form's in every round, also when nature plays against the leader
 *        (tests/unit/test_certificate.c: certified_against_the_worst).
 */
#include "direct_certificate.h"

/* What is the same for all rivals, and the least of the leads over A_k. */
typedef struct bounds {
    const roster_direct *direct;
    size_t k;
    double rounds;         /* B                              */
    double mu, own, plays; /* the leader's mu_k, ybar_k, n_k */
    double ell;            /* ell'                           */
    double lead;           /* the least lead over A_k        */
} bounds;

/* What is kept of a rival: 1 over its lead, 1 or 0 for whether its mean moves, L'/r_i, 1 over (F - 1) V_i. */
enum { INVERSE, MOVES, SLOPE, CAP };

/* What a cell says, and how it moves. */
typedef struct cell_bounds {
    double m, mean, Q;
    double soon, late; /* 1/(n + 2), 1/(n + 1 + B) */
} cell_bounds;

static cell_bounds bound_cell(const bounds *b, size_t c)
{
    const roster_pool_cell *cell = &b->direct->pool.cells[c];
    double n = (double)cell->n, s = cell->s + cell->s_lo, mean = cell->n > 0 ? s / n : 0.5;
    double SS = cell->n > 0 ? (cell->q + cell->q_lo) - s * mean : 0;
    return (cell_bounds){.m = (s + b->direct->m0) / (n + 1),
                         .mean = mean,
                         .Q = (SS > 0 ? SS : 0) + 0.25,
                         .soon = 1 / (n + 2),
                         .late = 1 / (n + 1 + b->rounds)};
}

/* (3). */
static double spread_step(const cell_bounds *cell, double y)
{
    double far = (y - cell->mean) * cell->soon;
    return far * far - 2 * cell->Q * cell->late * cell->late * cell->late;
}

/* z' of all experts, where their lines will be. */
static void bound_noise(const bounds *b, double *lines)
{
    const roster_direct *d = b->direct;
    const roster_pool *pool = &d->pool;
    for (size_t i = 0; i < pool->n; i++)
        lines[ROSTER_DIRECT_LINE * i] = 0;
    for (size_t c = 0; c < pool->x * pool->v; c++) {
        const double *pi = roster_direct_pi(d, c);
        cell_bounds cell = bound_cell(b, c);
        double noise = d->problem.p[c / pool->v] * cell.Q * cell.late;
        for (size_t i = 0; i < pool->n; i++)
            lines[ROSTER_DIRECT_LINE * i] += pi[i] * noise;
    }
}

/* (4): r_i; and what moves it, into the rival's line, which has z' first. */
static double bound_bonus(const bounds *b, size_t i, double *line)
{
    const roster_direct_problem *problem = &b->direct->problem;
    double V = b->direct->sums[ROSTER_DIRECT_V][i], L = problem->eta * b->ell;
    double ratio = ((double)b->direct->pool.t + 1 + b->rounds) * V / (problem->kappa * line[0]);
    double F = (L < 700 ? roster_exp(L) : INFINITY) / ratio;
    if (!(F > 2)) {
        double log = roster_ln(2 * ratio);
        F = 2;
        L = log > L ? log : L;
    }
    double curve = L * L - L / 2;
    double root = sqrt(2 * L * V + (curve > 0 ? curve : 0) * b->direct->sums[ROSTER_DIRECT_B][i]);
    line[SLOPE] = root > 0 ? L / root : 0; /* a root of 0 has L' = 0, and stays so */
    line[CAP] = 1 / ((F - 1) * V);
    return root;
}

/* The line of each rival. False: there is no lead. */
static bool find_leads(bounds *b, double *lines)
{
    const roster_direct *d = b->direct;
    double margin = d->problem.margin, arm = b->own + sqrt(d->ell / (2 * (b->plays + b->rounds)));
    b->lead = INFINITY;
    for (size_t i = 0; i < d->pool.n; i++) {
        double *line = lines + ROSTER_DIRECT_LINE * i, plays = (double)d->pool.plays[i];
        if (i == b->k)
            continue;
        double top = d->sums[ROSTER_DIRECT_MU][i] + bound_bonus(b, i, line) + margin;
        double held = plays > 0 ? roster_pool_mean(&d->pool, i) + sqrt(b->ell / (2 * plays)) : INFINITY;
        line[MOVES] = !roster_direct_is_thin(d, i) && top < held;
        top = line[MOVES] > 0 ? top : held;
        double room = 2 * roster_tie(top), lead = b->mu + margin - top - room, over_arm = arm - top - room;
        if (!(lead > 0 && over_arm > 0))
            return false;
        b->lead = over_arm < b->lead ? over_arm : b->lead;
        line[INVERSE] = 1 / lead;
    }
    return true;
}

/* (2) of a sample that moves the mean by d times its distance. */
static double mean_step(const cell_bounds *cell, double d)
{
    return d > 0 ? d * cell->soon : d * cell->late;
}

/* The danger of reward y in cell c: d times the distance y - m is of that sign for all rivals. */
static double danger_of(const bounds *b, const double *lines, size_t c, const cell_bounds *cell, double y)
{
    const roster_direct *d = b->direct;
    const double *pi = roster_direct_pi(d, c), w = d->problem.p[c / d->pool.v], phi_k = w * pi[b->k];
    double distance = y - cell->m, h = spread_step(cell, y), most = -INFINITY, over_arm = -INFINITY;
    for (size_t i = 0; i < d->pool.n; i++) {
        const double *line = lines + ROSTER_DIRECT_LINE * i;
        if (i == b->k)
            continue;
        double phi = w * pi[i] * line[MOVES], more = phi * phi * h, wider = line[SLOPE] * more,
               capped = line[CAP] * more;
        double step = (mean_step(cell, (phi - phi_k) * distance) + wider) * line[INVERSE];
        double up = mean_step(cell, phi * distance) + wider;
        step = capped > step ? capped : step;
        most = step > most ? step : most;
        over_arm = up > over_arm ? up : over_arm;
    }
    over_arm += y > b->own ? (b->own - y) / (b->plays + b->rounds) : (b->own - y) / (b->plays + 1);
    over_arm /= b->lead;
    return most > over_arm ? most : over_arm;
}

/* Whether it is worth while to look: by the indices as they are, for which there is room in u. */
static bool may_lead(const bounds *b, double *u)
{
    const roster_direct *d = b->direct;
    double bar = b->mu + d->problem.margin, arm = b->own + sqrt(d->ell / (2 * (b->plays + b->rounds)));
    bar = arm < bar ? arm : bar;
    roster_direct_indices(d, u);
    for (size_t i = 0; i < d->pool.n; i++)
        if (i != b->k && u[i] >= bar)
            return false;
    return true;
}

static bool find_bounds(const roster_direct *d, bounds *b, double *u)
{
    double t = (double)d->pool.t, most = (double)roster_direct_steady(d) - 1, share = ROSTER_SHARE * t;
    size_t k = d->leader;
    bool whole = d->pool.aside == 0 && d->pool.arrivals == d->pool.t; /* nothing was forgotten, none stands alone */
    if (!whole || d->learnt || roster_direct_learns(d) || t < 8 || d->pool.plays[k] == 0 || roster_direct_is_thin(d, k))
        return false;
    *b = (bounds){.direct = d, .k = k, .rounds = floor(most < share ? most : share)};
    b->mu = d->sums[ROSTER_DIRECT_MU][k];
    b->own = roster_pool_mean(&d->pool, k);
    b->plays = (double)d->pool.plays[k];
    if (!(b->rounds >= 4 && may_lead(b, u)))
        return false;
    b->ell = d->ell + b->rounds / t * (1 + 2 / roster_ln(t));
    return true;
}

void roster_direct_certify(const roster_direct *d, double *lines, roster_certificate *certificate)
{
    bounds b;
    roster_certificate_for_one_round(certificate, d->leader);
    if (certificate->loss == NULL || !find_bounds(d, &b, lines))
        return;
    bound_noise(&b, lines);
    if (!find_leads(&b, lines))
        return;
    for (size_t c = 0; c < d->pool.x * d->pool.v; c++) {
        cell_bounds cell = bound_cell(&b, c);
        bool alone = d->pool.n == 1;
        certificate->loss[c] = alone ? 0 : danger_of(&b, lines, c, &cell, 0);
        certificate->gain[c] = alone ? 0 : certificate->loss[c] - danger_of(&b, lines, c, &cell, 1);
    }
    certificate->loses = true;
    certificate->rounds = 1 + (uint64_t)b.rounds;
}
