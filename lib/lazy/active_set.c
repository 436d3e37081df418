/*
 * active_set.c: of a crowd those who are awake: exact sums, exact indices, and for how long their leader is certain.
 *
 * Paper: none.
 *
 * Everything is as in clipped.c and certificate.c, whose letters are used, for a list of known experts instead of all: r_lo =
 * r_hi = r, e_i = 0. A few are awake of thousands, so only what is done for every cell is done by vectors.
 *
 * Besides its rivals two more can end the leader's hold: the bar, which its index must stay above, is a rival that does
 * not move, and the clock, which must not reach the time at which the next of those asleep wake up. In a round with
 * reward y in cell c they take at most
 *
 *   (what the leader's index loses) / (U_k - bar)         (idle + y gain(c)) / limit
 *
 * of the slack: certificate.c's (8) and (9) with these among the rivals.
 *
 * Cost: per stretch O(awake (X V + cells of the batch)). To rouse somebody: the cells that have a reward.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c).
 */
#include "lazy_index.h"

#include <stdlib.h>

int roster_active_set_init(roster_active_set *self, roster_greedy *g)
{
    const roster_tally *tally = &g->est.tally;
    size_t n = tally->n;
    *self = (roster_active_set){.g = g, .n = n};
    self->experts = roster_alloc(n, sizeof *self->experts);
    self->played = roster_alloc(n, sizeof *self->played);
    void *rewarded = NULL;
    int code = roster_grow(&rewarded, &self->room, 0, tally->count, sizeof *self->rewarded);
    self->rewarded = rewarded;
    if (self->experts == NULL || self->played == NULL || code != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        self->experts[i] = i;
        if (tally->first[i] == ROSTER_NO_CELL)
            continue;
        self->played[tally->first[i] / tally->block] = i;
        self->n_played++;
    }
    for (size_t cell = 0; cell < tally->count; cell++)
        if (tally->cells[cell].s > 0)
            self->rewarded[self->n_rewarded++] = cell;
    return ROSTER_OK;
}

void roster_active_set_fini(roster_active_set *self)
{
    free(self->experts);
    free(self->played);
    free(self->rewarded);
}

int roster_active_set_open(roster_active_set *self, size_t k, bool *added)
{
    roster_clipped *e = &self->g->est;
    void *rewarded = self->rewarded;
    *added = e->tally.first[k] == ROSTER_NO_CELL;
    if (!*added)
        return ROSTER_OK;
    int code = roster_grow(&rewarded, &self->room, e->tally.count, e->tally.block, sizeof *self->rewarded);
    self->rewarded = rewarded;
    if (code != ROSTER_OK || roster_prepared_open(e->prepared, k) != ROSTER_OK ||
        roster_tally_reserve(&e->tally, e->tally.block) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_tally_open(&e->tally, k);
    self->played[self->n_played++] = k;
    return ROSTER_OK;
}

/* Rewards s of a cell count for expert i; first: those before were 0. */
static int count_cell(roster_clipped *e, size_t i, size_t k, size_t c, double s, bool first)
{
    const roster_experts *x = e->prepared->problem.experts;
    double coef = x->pi[c * x->n + i] * e->prepared->inverse_pi[k][c] * e->prepared->inverse_m[k][i];
    double theta = coef * 0.5, level = roster_clipped_level(e, i);
    if (theta <= level)
        roster_add(&e->s[i], &e->s_lo[i], s * coef);
    if (!first || !(theta > e->floor_level))
        return ROSTER_OK;
    if (roster_clip_heap_reserve(&e->heaps[i], 1) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_clip_heap_insert(&e->heaps[i], level, (roster_clip_entry){theta, coef, e->tally.first[k] + c});
    roster_clipped_invalidate(e, i);
    return ROSTER_OK;
}

static int learn_cell(roster_active_set *self, size_t k, size_t c, roster_batch_cell some)
{
    roster_clipped *e = &self->g->est;
    size_t cell = e->tally.first[k] + c;
    bool first = some.s > 0 && !(e->tally.cells[cell].s > 0);
    int code = ROSTER_OK;
    if (first)
        self->rewarded[self->n_rewarded++] = cell;
    for (size_t a = 0; a < self->n && some.s > 0 && code == ROSTER_OK; a++)
        code = count_cell(e, self->experts[a], k, c, some.s, first);
    roster_tally_add(&e->tally, cell, some.n, some.s);
    return code;
}

int roster_active_set_learn(roster_active_set *self, const roster_batch *batch)
{
    roster_clipped *e = &self->g->est;
    const double *inverse_m = e->prepared->inverse_m[batch->k];
    int code = ROSTER_OK;
    for (size_t a = 0; a < self->n; a++)
        roster_add(&e->z[self->experts[a]], &e->z_lo[self->experts[a]], (double)batch->n * inverse_m[self->experts[a]]);
    for (size_t j = 0; j < batch->n_touched && code == ROSTER_OK; j++)
        code = learn_cell(self, batch->k, batch->touched[j], batch->cells[batch->touched[j]]);
    roster_tally_count(&e->tally, batch->k, batch->n);
    roster_clipped_set_time(e);
    return code;
}

void roster_active_set_lead(roster_active_set *self)
{
    roster_greedy *g = self->g;
    double most = -INFINITY;
    for (size_t a = 0; a < self->n; a++) {
        double u = g->u[self->experts[a]] = roster_clipped_index(&g->est, self->experts[a]);
        most = u > most ? u : most;
    }
    double least = most < INFINITY ? most - roster_tie(most) : most;
    g->leader = SIZE_MAX;
    for (size_t a = 0; a < self->n; a++)
        if (g->u[self->experts[a]] >= least && self->experts[a] < g->leader)
            g->leader = self->experts[a];
}

int roster_active_set_activate(roster_active_set *self, size_t i)
{
    roster_clipped *e = &self->g->est;
    int code = ROSTER_OK;
    e->z[i] = e->z_lo[i] = e->s[i] = e->s_lo[i] = 0;
    e->heaps[i].in = e->heaps[i].out = 0;
    for (size_t j = 0; j < self->n_played; j++) {
        size_t k = self->played[j];
        roster_add(&e->z[i], &e->z_lo[i], (double)e->tally.plays[k] * e->prepared->inverse_m[k][i]);
    }
    e->w[i] = roster_lambert(2 * roster_clipped_z(e, i) / e->root);
    roster_clipped_invalidate(e, i);
    for (size_t j = 0; j < self->n_rewarded && code == ROSTER_OK; j++) {
        size_t cell = self->rewarded[j], k = self->played[cell / e->tally.block];
        code = count_cell(e, i, k, cell % e->tally.block, roster_tally_mass(&e->tally, cell), true);
    }
    self->g->u[i] = roster_clipped_index(e, i);
    self->experts[self->n++] = i;
    return code;
}

void roster_active_set_deactivate(roster_active_set *self, size_t position)
{
    roster_clip_heap *heap = &self->g->est.heaps[self->experts[position]];
    roster_clip_heap_fini(heap);
    *heap = (roster_clip_heap){0};
    self->experts[position] = self->experts[--self->n];
}

/* ---- the hold ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* certificate.c's (5) over those awake. */
static double longest(const roster_lead_bounds *o)
{
    const roster_clipped *e = o->est;
    const double *inverse_m = e->prepared->inverse_m[o->k];
    double rounds = o->rounds;
    for (size_t a = 0; a < o->n && rounds >= 1; a++) {
        size_t i = o->experts[a];
        if (i == o->k)
            continue;
        if (!(o->bar - o->u[i] > 0))
            return 0;
        double room = e->out[i] - roster_clipped_level(e, i) - ROSTER_LEVEL_ROUNDING;
        double rise = room * roster_clipped_z(e, i) / inverse_m[i];
        rounds = rise < rounds ? rise : rounds;
    }
    return rounds;
}

/* certificate.c's (10) for the rival at a position; returns its danger in a round with reward 0. */
static double fill_rival(const roster_lead_bounds *o, size_t position)
{
    const roster_clipped *e = o->est;
    size_t i = o->experts[position];
    double *rival = o->rivals + position * ROSTER_RIVAL;
    double z = roster_clipped_z(e, i), m = e->prepared->inverse_m[o->k][i], up = 1 / z, down = 1 / (z + o->rounds * m);
    double own = roster_clipped_sum(e, i) * up * m, margin = 1 / (o->bar - o->u[i]);
    double widths = 1.5 * o->rho * roster_clipped_eps(e, i) + o->width, by_1 = widths + o->lose_by_1;
    double level = roster_clipped_level(e, i) + o->rounds * m * up + ROSTER_LEVEL_ROUNDING;
    rival[ROSTER_RISE_UP] = m * up * margin;
    rival[ROSTER_FALL_UP] = (own * up - by_1) * margin;
    rival[ROSTER_RISE_DOWN] = m * down * margin;
    rival[ROSTER_FALL_DOWN] = (own * down - by_1) * margin;
    rival[ROSTER_RATIO_MOST] = 2 * level / m;
    return (widths + o->lose_by_0 - own * down) * margin;
}

/* idle of (9): of the rivals, and of those asleep. */
static double find_idle(const roster_lead_bounds *o, const roster_inactive_bounds *inactive)
{
    double idle = larger((o->lose_by_0 + o->width) / (o->bar - inactive->bar), inactive->idle / inactive->limit);
    for (size_t a = 0; a < o->n; a++)
        if (o->experts[a] != o->k)
            idle = larger(idle, fill_rival(o, a));
    return idle;
}

/* What those asleep leave of the gains. */
static void lower_gains(const roster_lead_bounds *o, const roster_inactive_bounds *inactive, double idle, double *gain)
{
    const double *inverse_pi = o->est->prepared->inverse_pi[o->k];
    double tick = 1 / inactive->limit, lost = (o->lose_by_1 + o->width) / (o->bar - inactive->bar);
    for (size_t c = 0; c < o->est->tally.block; c++) {
        double advance = inactive->idle + (inactive->gain[c] < inactive->most ? inactive->gain[c] : inactive->most);
        double left = idle - larger(lost, advance * tick);
        gain[c] = inverse_pi[c] > 0 && left < gain[c] ? left : gain[c];
    }
}

void roster_active_set_certify(const roster_active_set *self, const roster_inactive_bounds *inactive,
                               roster_certificate *certificate)
{
    roster_lead_bounds o;
    roster_certificate_for_one_round(certificate, self->g->leader);
    if (!roster_lead_bounds_init(self->g, &o))
        return;
    o.experts = self->experts;
    o.n = self->n;
    o.rounds = longest(&o);
    if (!(o.rounds >= 1))
        return;
    roster_lead_bounds_of_leader(&o);
    double idle = find_idle(&o, inactive);
    if (idle >= 1)
        return; /* a round with reward 0 ends it */
    o.est->prepared->simd->gains(&o, idle, certificate->gain);
    lower_gains(&o, inactive, idle, certificate->gain);
    certificate->cost = idle;
    certificate->rounds = 1 + (uint64_t)o.rounds;
}
