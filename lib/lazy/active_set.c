/*
 * active_set.c: the active ones of very many experts: exact sums, exact indices, and for how long their leader is
 * certain.
 *
 * Paper: none.
 *
 * Everything is as in clipped.c and certificate.c, whose letters are used, for a list of known experts instead of all:
 * r_lo = r_hi = r, e_i = 0. A few of thousands are active, so only what is done for every cell is done by vectors.
 *
 * Besides its rivals two more can end the leader's certificate: the bar, which its index must stay above, is a rival
 * that does not move, and the clock, which must not reach the time at which the next inactive experts are looked at. In
 * a round with reward y in cell c they take at most
 *
 *   (what the leader's index loses) / (U_k - bar)         (idle + y gain(c)) / limit
 *
 * of the slack: (8) and (9) of certificate.c with these among the rivals.
 *
 * Cost: per batch O(active (X V + cells of the batch)). To activate an expert: the cells that have a reward.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c: any_experts).
 */
#include "active_set.h"

#include <stdlib.h>

int roster_active_set_init(roster_active_set *self, roster_ranking *ranking)
{
    const roster_tally *tally = &ranking->est.tally;
    size_t n = tally->n;
    *self = (roster_active_set){.ranking = ranking, .n = n};
    self->experts = roster_alloc(roster_simd_up(n), sizeof *self->experts);
    self->played = roster_alloc(n, sizeof *self->played);
    if (self->experts == NULL || self->played == NULL ||
        roster_grow(&self->rewarded, &self->room, 0, tally->count, sizeof *self->rewarded) != ROSTER_OK)
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
    roster_clipped *e = &self->ranking->est;
    *added = e->tally.first[k] == ROSTER_NO_CELL;
    if (!*added)
        return ROSTER_OK;
    if (roster_grow(&self->rewarded, &self->room, e->tally.count, e->tally.block, sizeof *self->rewarded) !=
            ROSTER_OK ||
        roster_prepared_open(e->prepared, k) != ROSTER_OK ||
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
    roster_clipped *e = &self->ranking->est;
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
    roster_clipped *e = &self->ranking->est;
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
    roster_ranking *r = self->ranking;
    double most = -INFINITY;
    for (size_t a = 0; a < self->n; a++) {
        double u = r->u[self->experts[a]] = roster_clipped_index(&r->est, self->experts[a]);
        most = u > most ? u : most;
    }
    double least = most < INFINITY ? most - roster_tie(most) : most;
    r->leader = SIZE_MAX;
    for (size_t a = 0; a < self->n; a++)
        if (r->u[self->experts[a]] >= least && self->experts[a] < r->leader)
            r->leader = self->experts[a];
}

int roster_active_set_activate(roster_active_set *self, size_t i)
{
    roster_clipped *e = &self->ranking->est;
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
    self->ranking->u[i] = roster_clipped_index(e, i);
    self->experts[self->n++] = i;
    return code;
}

void roster_active_set_deactivate(roster_active_set *self, size_t position)
{
    roster_clip_heap *heap = &self->ranking->est.heaps[self->experts[position]];
    roster_clip_heap_fini(heap);
    *heap = (roster_clip_heap){0};
    self->experts[position] = self->experts[--self->n];
}

/* ---- the certificate ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* What the inactive experts leave of the gains. */
static void lower_gains(const roster_lead_bounds *b, const roster_inactive_bounds *inactive, double idle, double *gain)
{
    const double *inverse_pi = b->est->prepared->inverse_pi[b->k];
    double tick = 1 / inactive->limit, lost = (b->lose_by_1 + b->width) / (b->bar - inactive->bar);
    for (size_t c = 0; c < b->est->tally.block; c++) {
        double advance = inactive->idle + (inactive->gain[c] < inactive->most ? inactive->gain[c] : inactive->most);
        double left = idle - larger(lost, advance * tick);
        gain[c] = inverse_pi[c] > 0 && left < gain[c] ? left : gain[c];
    }
}

void roster_active_set_certify(const roster_active_set *self, const roster_lazy_simd *simd, double *rivals,
                               const roster_inactive_bounds *inactive, roster_certificate *certificate)
{
    roster_lead_bounds b;
    roster_certificate_for_one_round(certificate, self->ranking->leader);
    if (!roster_lead_bounds_init(&b, self->ranking))
        return;
    b.experts = self->experts;
    b.n = self->n;
    b.rounds = simd->steps(&b, b.rounds);
    if (!(b.rounds >= 1))
        return;
    roster_lead_bounds_of_leader(&b);
    double idle = larger((b.lose_by_0 + b.width) / (b.bar - inactive->bar), inactive->idle / inactive->limit);
    idle = larger(idle, simd->rivals(&b, rivals));
    if (idle >= 1)
        return; /* a round with reward 0 ends it */
    simd->gains(&b, rivals, idle, certificate->gain);
    lower_gains(&b, inactive, idle, certificate->gain);
    certificate->cost = idle;
    certificate->rounds = 1 + (uint64_t)b.rounds;
}
