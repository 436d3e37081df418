/*
 * mixture_state.c: the mixture's state as bytes, and as a sum of two.
 *
 * Paper: none.
 *
 * Merging puts the other's samples behind our own, adds plays and the sums of what is no longer kept, and weighs all
 * anew: the merged state is that of one agent which has seen all samples and weighed them just now, whatever the order
 * and the number of parts, as long as `memory` holds them all. Beyond that samples of the agent merged into are the
 * older ones, and what left a memory keeps the weights it had there.
 *
 * Cost: O(samples kept x N).
 * Check: tests/unit/test_mixture.c: merged_equals_whole.
 */
#include "mixture.h"

#include <string.h>

static const double MOST = 1e100;

static void put_sums(const roster_mixture_sums *sums, size_t n, roster_writer *w)
{
    for (size_t j = 0; j < ROSTER_MIXTURE_SUMS; j++) {
        roster_put_doubles(w, sums->hi[j], n);
        roster_put_doubles(w, sums->lo[j], n);
    }
    roster_put_doubles(w, sums->top, n);
}

void roster_mixture_save(const roster_mixture *self, roster_writer *w)
{
    for (size_t k = 0; k < self->n; k++)
        roster_put_u64(w, self->plays[k]);
    roster_put_u64(w, self->next);
    put_sums(&self->all, self->n, w);
    put_sums(&self->old, self->n, w);
    roster_put_u64(w, self->count);
    for (size_t j = 0; j < self->count; j++)
        roster_put_doubles(w, roster_mixture_at(self, j), self->n + ROSTER_MIXTURE_KEPT);
}

/* n numbers that are not below `least` and so small that no index of them overflows. */
static void get_numbers(roster_reader *r, double *to, size_t n, double least)
{
    roster_get_doubles(r, to, n);
    for (size_t i = 0; i < n; i++)
        r->failed |= !(to[i] >= least && to[i] <= MOST);
}

static void get_sums(const roster_mixture_sums *sums, size_t n, roster_reader *r)
{
    for (size_t j = 0; j < ROSTER_MIXTURE_SUMS; j++) {
        get_numbers(r, sums->hi[j], n, 0);
        get_numbers(r, sums->lo[j], n, -MOST);
    }
    get_numbers(r, sums->top, n, 0);
}

/* In earlier snapshots a sample does not say who acted, nor where. */
static bool says_who(const roster_mixture *self, const roster_reader *r, size_t count)
{
    return !r->failed && r->size - r->used != 8 * count * (self->n + ROSTER_MIXTURE_WHO);
}

static void get_sample(roster_mixture *self, roster_reader *r, bool who)
{
    double *slot = roster_mixture_slot(self), *origin = slot + self->n + ROSTER_MIXTURE_WHO, largest = 0;
    get_numbers(r, slot, self->n + ROSTER_MIXTURE_WHO, 0);
    origin[0] = origin[1] = ROSTER_MIXTURE_NONE;
    if (who)
        get_numbers(r, origin, 2, ROSTER_MIXTURE_NONE);
    r->failed |= !(origin[0] < (double)self->n);
    for (size_t i = 0; i < self->n; i++)
        largest = slot[i] > largest ? slot[i] : largest;
    r->failed |= !(largest == 1 && slot[self->n + ROSTER_MIXTURE_Y] <= 1 && slot[self->n + ROSTER_MIXTURE_INVERSE] > 0);
}

int roster_mixture_load(roster_mixture *self, roster_reader *r)
{
    for (size_t k = 0; k < self->n; k++)
        roster_mixture_count(self, k, roster_get_u64(r));
    self->next = roster_get_u64(r);
    r->failed |= self->next <= self->t || self->next > roster_mixture_next(self->t);
    get_sums(&self->all, self->n, r);
    get_sums(&self->old, self->n, r);
    size_t count = roster_get_count(r, 8 * (self->n + ROSTER_MIXTURE_WHO));
    r->failed |= count > self->memory || count > self->t;
    if (r->failed)
        return ROSTER_OK;
    int code = roster_mixture_reserve(self, count);
    bool who = says_who(self, r, count);
    for (size_t j = 0; j < count && code == ROSTER_OK; j++)
        get_sample(self, r, who);
    return code;
}

void roster_mixture_add_sums(const roster_mixture_sums *sums, const roster_mixture_sums *from, size_t n)
{
    for (size_t j = 0; j < ROSTER_MIXTURE_SUMS; j++)
        for (size_t i = 0; i < n; i++) {
            roster_add(&sums->hi[j][i], &sums->lo[j][i], from->hi[j][i]);
            roster_add(&sums->hi[j][i], &sums->lo[j][i], from->lo[j][i]);
        }
    for (size_t i = 0; i < n; i++)
        sums->top[i] = from->top[i] > sums->top[i] ? from->top[i] : sums->top[i];
}

int roster_mixture_merge(roster_mixture *self, const roster_mixture *from)
{
    if (roster_mixture_reserve(self, from->count) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_mixture_add_sums(&self->old, &from->old, self->n);
    for (size_t j = 0; j < from->count; j++)
        memcpy(roster_mixture_slot(self), roster_mixture_at(from, j), (self->n + ROSTER_MIXTURE_KEPT) * sizeof(double));
    for (size_t k = 0; k < self->n; k++)
        roster_mixture_count(self, k, from->plays[k]);
    roster_mixture_reweigh(self);
    return ROSTER_OK;
}
