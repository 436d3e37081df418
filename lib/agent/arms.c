/*
 * arms.c: what UCB and KL-UCB share.
 *
 * Paper: none.
 *
 *   f(t) = 1 + t ln^2 t;  every expert once first, then the largest score(mean_i, n_i, ln f(t))
 *
 * An expert not yet played has an infinite index, so that the smallest such goes next.
 *
 * Cost: O(N) per round, because f(t) moves every index.
 * Check: after n = (2, 1, 2) the order of first plays was 0, 1, 2 (tests/test_agents.c: arms_start_in_order).
 */
#include "arms.h"

#include <stdlib.h>
#include <string.h>

static void refresh(roster_arms *self)
{
    double t = (double)self->tally.t, ln_t = t > 0 ? roster_ln(t) : 0;
    double ln_f = roster_ln(1 + t * ln_t * ln_t);
    for (size_t i = 0; i < self->tally.n; i++) {
        double plays = (double)self->tally.plays[i];
        self->u[i] = plays > 0 ? self->score(roster_tally_mass(&self->tally, i) / plays, plays, ln_f) : INFINITY;
    }
    self->leader = roster_largest(self->u, self->tally.n);
}

/* One cell per expert, in the experts' order. */
static void restart(roster_arms *self)
{
    roster_tally_reset(&self->tally);
    for (size_t i = 0; i < self->tally.n; i++)
        self->tally.first[i] = roster_tally_append(&self->tally);
    refresh(self);
}

int roster_arms_init(roster_arms *self, size_t n, roster_score score)
{
    self->score = score;
    self->u = roster_alloc(n, sizeof *self->u);
    if (roster_tally_init(&self->tally, n, 1) != ROSTER_OK || self->u == NULL ||
        roster_tally_reserve(&self->tally, n) != ROSTER_OK)
        return ROSTER_ENOMEM;
    restart(self);
    return ROSTER_OK;
}

void roster_arms_fini(void *self)
{
    roster_arms *a = self;
    roster_tally_fini(&a->tally);
    free(a->u);
}

void roster_arms_reset(void *self)
{
    restart(self);
}

int roster_arms_reserve(void *self, size_t rounds)
{
    (void)self;
    (void)rounds;
    return ROSTER_OK;
}

int roster_arms_learn(void *self, const roster_sample *sample)
{
    roster_arms *a = self;
    roster_tally_add(&a->tally, sample->k, 1, sample->s);
    roster_tally_count(&a->tally, sample->k, 1);
    refresh(a);
    return ROSTER_OK;
}

size_t roster_arms_choose(const void *self)
{
    return ((const roster_arms *)self)->leader;
}

void roster_arms_index(const void *self, double *u)
{
    const roster_arms *a = self;
    memcpy(u, a->u, a->tally.n * sizeof *u);
}

void roster_arms_save(const void *self, roster_writer *w)
{
    roster_tally_save(&((const roster_arms *)self)->tally, w);
}

int roster_arms_load(void *self, roster_reader *r)
{
    roster_arms *a = self;
    roster_tally_reset(&a->tally);
    int code = roster_tally_load(&a->tally, r);
    for (size_t i = 0; i < a->tally.n; i++)
        r->failed |= a->tally.first[i] != i;
    if (code == ROSTER_OK && !r->failed)
        refresh(a);
    return code;
}

int roster_arms_merge(void *self, const void *from)
{
    roster_arms *a = self;
    const roster_tally *other = &((const roster_arms *)from)->tally;
    for (size_t i = 0; i < other->n; i++) {
        roster_tally_add(&a->tally, i, other->cells[i].n, roster_tally_mass(other, i));
        roster_tally_count(&a->tally, i, other->plays[i]);
    }
    refresh(a);
    return ROSTER_OK;
}
