/*
 * timer_wheel.c: who sleeps, and how it learns what it has slept through.
 *
 * Paper: none.
 *
 * lazy_index.c says when rings wake and who is put into which. Here is what happens then: (4) of lazy_index.c,
 *
 *   Z_i += n / M_ik,   S_i += 1/M_ik sum_c s(c) pi_i(c)/pi_k(c)  over the cells with theta <= cap_i
 *
 * for every expert k with n rounds and rewards s(c) in the ring's pile, in single precision, rounded up. After that the
 * pile goes to the next ring. Lower rings wake whenever a higher one does, and before it, so each pile holds all that
 * was seen since its ring woke.
 *
 * Cost: a member that wakes reads a row of X V floats, or, of a pile with few cells, those cells.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c: any_experts).
 */
#include "timer_wheel.h"

#include <stdlib.h>
#include <string.h>

int roster_rings_init(roster_rings *self, const roster_clipped *est, const size_t *played)
{
    const roster_experts *x = est->facts->known.experts;
    *self = (roster_rings){.est = est, .played = played, .n = x->n, .cells = x->x * x->v};
    self->stride = (self->cells + 15) / 16 * 16;
    self->words = (self->n + 63) / 64;
    /* Every rounding 2^-24: stride/16 + 16 additions of a product of three; before that two in each ring. Twice that. */
    self->single = 0x1p-23 * ((double)(self->stride / 16) + 2 * ROSTER_RINGS + 32);
    self->rows = roster_alloc(roster_times(self->n, self->stride), sizeof *self->rows);
    self->all = roster_alloc(self->n, sizeof *self->all);
    self->woken = roster_alloc(self->words, sizeof *self->woken);
    bool fits = self->rows != NULL && self->all != NULL && self->woken != NULL;
    for (size_t j = 0; j < ROSTER_RINGS && fits; j++) {
        self->rings[j].who = roster_alloc(self->words, sizeof *self->rings[j].who);
        fits = self->rings[j].who != NULL;
    }
    for (size_t c = 0; c < self->cells && fits; c++)
        for (size_t i = 0; i < self->n; i++)
            self->rows[i * self->stride + c] = (float)x->pi[c * self->n + i];
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_rings_fini(roster_rings *self)
{
    for (size_t j = 0; j < ROSTER_RINGS; j++) {
        free(self->rings[j].who);
        free(self->rings[j].s);
        free(self->rings[j].n);
        free(self->rings[j].touched);
    }
    free(self->rows);
    free(self->all);
    free(self->woken);
    free(self->inverse);
    free(self->sums);
    free(self->seen);
}

/* ---- slots ---- */

/* *array, a pointer of any type, has room for `to` instead of `from` elements, the new ones 0. */
static int grow(void *array, size_t from, size_t to, size_t size)
{
    void *old;
    memcpy(&old, array, sizeof old);
    unsigned char *bigger = to <= SIZE_MAX / size ? realloc(old, to * size) : NULL;
    if (bigger == NULL)
        return ROSTER_ENOMEM;
    memset(bigger + from * size, 0, (to - from) * size);
    memcpy(array, &bigger, sizeof bigger);
    return ROSTER_OK;
}

/* Room for every slot in a ring's pile. */
static int make_room(const roster_rings *self, roster_ring *r)
{
    size_t from = r->room, to = self->room;
    if (from >= to)
        return ROSTER_OK;
    if (grow(&r->s, from * self->stride, roster_times(to, self->stride), sizeof *r->s) != ROSTER_OK ||
        grow(&r->n, from, to, sizeof *r->n) != ROSTER_OK ||
        grow(&r->touched, from, to, sizeof *r->touched) != ROSTER_OK)
        return ROSTER_ENOMEM;
    r->room = to;
    return ROSTER_OK;
}

int roster_rings_open(roster_rings *self)
{
    size_t from = self->room, to = 2 * from + 16, slot = self->slots;
    if (slot == from) {
        if (grow(&self->inverse, from * self->stride, roster_times(to, self->stride), sizeof *self->inverse) != ROSTER_OK ||
            grow(&self->sums, from * self->stride, roster_times(to, self->stride), sizeof *self->sums) != ROSTER_OK ||
            grow(&self->seen, from, to, sizeof *self->seen) != ROSTER_OK)
            return ROSTER_ENOMEM;
        self->room = to;
    }
    for (size_t c = 0; c < self->cells; c++)
        self->inverse[slot * self->stride + c] = (float)self->est->facts->inverse_pi[self->played[slot]][c];
    self->slots++;
    return ROSTER_OK;
}

/* ---- piles ---- */

static void count_rounds(roster_ring *r, size_t slot, uint64_t n)
{
    if (r->n[slot] == 0)
        r->touched[r->n_touched++] = slot;
    r->n[slot] += n;
}

static void count_reward(const roster_rings *self, roster_ring *r, size_t slot, size_t c, float s)
{
    float *sum = r->s + slot * self->stride + c;
    if (*sum == 0 && s > 0 && r->n_few <= ROSTER_FEW) {
        if (r->n_few < ROSTER_FEW) {
            r->few[r->n_few].slot = slot;
            r->few[r->n_few].c = c;
        }
        r->n_few++;
    }
    *sum += s;
}

int roster_rings_learn(roster_rings *self, size_t slot, const roster_pile *pile)
{
    roster_ring *lowest = &self->rings[0];
    if (make_room(self, lowest) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t j = 0; j < pile->n_touched; j++) {
        size_t c = pile->touched[j];
        count_reward(self, lowest, slot, c, (float)pile->cells[c].s);
    }
    count_rounds(lowest, slot, pile->n);
    return ROSTER_OK;
}

/* What was seen since `from` woke is seen by the next ring too. */
static int hand_on(const roster_rings *self, const roster_ring *from, roster_ring *to)
{
    if (make_room(self, to) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t j = 0; j < from->n_touched; j++) {
        size_t slot = from->touched[j];
        count_rounds(to, slot, from->n[slot]);
        for (size_t c = 0; c < self->cells; c++)
            count_reward(self, to, slot, c, from->s[slot * self->stride + c]);
    }
    return ROSTER_OK;
}

static void forget(const roster_rings *self, roster_ring *r)
{
    for (size_t j = 0; j < r->n_touched; j++) {
        r->n[r->touched[j]] = 0;
        memset(r->s + r->touched[j] * self->stride, 0, self->stride * sizeof *r->s);
    }
    r->n_touched = r->n_few = 0;
}

/* ---- sums ---- */

/* 1/M_ik for the expert k in a slot. */
static double inverse_m(const roster_rings *self, size_t slot, size_t i)
{
    return self->est->facts->inverse_m[self->played[slot]][i];
}

/* What rewards s of the expert in a slot add to the bound of S_i. */
static double gained(const roster_rings *self, size_t i, size_t slot, const float *s)
{
    double m = inverse_m(self, slot, i), limit = 2 * self->all[i].cap / m * (1 + self->single);
    const float *pi = self->rows + i * self->stride, *inverse = self->inverse + slot * self->stride;
    return m * (1 + self->single) * self->est->facts->lanes->passing(pi, inverse, s, (float)limit, self->stride);
}

/* The same of the few cells that a pile has. */
static double gained_by_few(const roster_rings *self, const roster_ring *r, size_t i)
{
    double sum = 0, most = 2 * self->all[i].cap * (1 + self->single);
    for (size_t j = 0; j < r->n_few; j++) {
        size_t slot = r->few[j].slot, c = r->few[j].c, at = slot * self->stride + c;
        double weight = inverse_m(self, slot, i) * (double)(self->rows[i * self->stride + c] * self->inverse[at]);
        sum += weight <= most ? weight * (double)r->s[at] : 0;
    }
    return sum * (1 + self->single);
}

/* All rewards of the expert in a slot, taken from the tally anew when it has played since. */
static const float *all_rewards(roster_rings *self, size_t slot)
{
    const roster_tally *tally = &self->est->tally;
    float *sums = self->sums + slot * self->stride;
    uint64_t plays = tally->plays[self->played[slot]];
    for (size_t c = 0; c < self->cells && self->seen[slot] != plays; c++)
        sums[c] = (float)roster_tally_mass(tally, slot * self->cells + c);
    self->seen[slot] = plays;
    return sums;
}

void roster_rings_sum_up(roster_rings *self, size_t i)
{
    self->all[i].s = 0;
    for (size_t slot = 0; slot < self->slots; slot++)
        self->all[i].s += gained(self, i, slot, all_rewards(self, slot));
}

/* A member learns its ring's pile. */
static void catch_up(roster_rings *self, const roster_ring *r, size_t i)
{
    roster_sleeper *one = &self->all[i];
    for (size_t j = 0; j < r->n_touched; j++)
        one->z += (double)r->n[r->touched[j]] * inverse_m(self, r->touched[j], i);
    if (r->n_few <= ROSTER_FEW)
        one->s += gained_by_few(self, r, i);
    for (size_t j = 0; j < r->n_touched && r->n_few > ROSTER_FEW; j++)
        one->s += gained(self, i, r->touched[j], r->s + r->touched[j] * self->stride);
}

/* In the order of their numbers, so that memory is read in order. */
static void wake_members(roster_rings *self, roster_ring *r)
{
    for (size_t word = 0; word < self->words; word++) {
        for (uint64_t left = r->who[word]; left != 0; left &= left - 1)
            catch_up(self, r, 64 * word + roster_lowest_bit(left));
        self->woken[word] |= r->who[word];
        r->who[word] = 0;
    }
    r->members = 0;
}

/* The number of rings up to the highest that has members. */
static size_t inhabited(const roster_rings *self)
{
    size_t n = ROSTER_RINGS;
    while (n > 0 && self->rings[n - 1].members == 0)
        n--;
    return n;
}

int roster_rings_wake(roster_rings *self, size_t last)
{
    size_t n = inhabited(self);
    int code = ROSTER_OK;
    for (size_t j = 0; j <= last && code == ROSTER_OK; j++) {
        roster_ring *r = &self->rings[j];
        if (r->members > 0)
            wake_members(self, r);
        if (j + 1 < n)
            code = hand_on(self, r, r + 1);
        forget(self, r);
    }
    return code;
}

void roster_rings_put(roster_rings *self, size_t i, size_t j)
{
    self->rings[j].who[i / 64] |= UINT64_C(1) << i % 64;
    self->rings[j].members++;
}

size_t roster_rings_lowest(const roster_rings *self)
{
    size_t j = 0;
    while (j < ROSTER_RINGS && self->rings[j].members == 0)
        j++;
    return j;
}
