/*
 * timer_wheel.c: the inactive experts, and how they learn what was seen while they were.
 *
 * Paper: none.
 *
 * many_experts.c says when levels expire and which expert is put into which. Here is what happens then: (4) of that
 * file,
 *
 *   Z_i += n / M_ik,   S_i += 1/M_ik sum_c s(c) pi_i(c)/pi_k(c)  over the cells with theta <= cap_i
 *
 * for every expert k with n rounds and rewards s(c) in the level, in single precision, rounded up. After that what was
 * seen is passed on to the next level. Lower levels expire whenever a higher one does, and before it, so each level
 * holds all that was seen since it expired.
 *
 * Cost: a member of a level that expires reads a row of X V floats, or, of a level with few cells, those cells.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c: any_experts).
 */
#include "timer_wheel.h"

#include <stdlib.h>
#include <string.h>

int roster_timer_wheel_init(roster_timer_wheel *self, const roster_clipped *est, const roster_lazy_simd *simd,
                            const size_t *played)
{
    const roster_experts *x = est->prepared->problem.experts;
    *self = (roster_timer_wheel){.est = est, .simd = simd, .played = played, .n = x->n, .cells = x->x * x->v};
    self->stride = (self->cells + 15) / 16 * 16;
    self->words = (self->n + 63) / 64;
    /* Every rounding 2^-24: stride/16 + 16 additions of a product of three; before that two in each level. Twice that.
    */
    self->single = 0x1p-23 * ((double)(self->stride / 16) + 2 * ROSTER_WHEEL_LEVELS + 32);
    self->rows = roster_alloc(roster_times(self->n, self->stride), sizeof *self->rows);
    self->inactive = roster_alloc(self->n, sizeof *self->inactive);
    self->expired = roster_alloc(self->words, sizeof *self->expired);
    bool fits = self->rows != NULL && self->inactive != NULL && self->expired != NULL;
    for (size_t j = 0; j < ROSTER_WHEEL_LEVELS && fits; j++) {
        self->levels[j].bits = roster_alloc(self->words, sizeof *self->levels[j].bits);
        fits = self->levels[j].bits != NULL;
    }
    for (size_t c = 0; c < self->cells && fits; c++)
        for (size_t i = 0; i < self->n; i++)
            self->rows[i * self->stride + c] = (float)x->pi[c * self->n + i];
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

void roster_timer_wheel_fini(roster_timer_wheel *self)
{
    for (size_t j = 0; j < ROSTER_WHEEL_LEVELS; j++) {
        free(self->levels[j].bits);
        free(self->levels[j].s);
        free(self->levels[j].n);
        free(self->levels[j].touched);
    }
    free(self->rows);
    free(self->inactive);
    free(self->expired);
    free(self->inverse);
    free(self->sums);
    free(self->seen);
}

/* ---- slots ---- */

/* Room for `slots` slots of so many floats in a level. */
static int make_room(roster_wheel_level *level, size_t slots, size_t stride)
{
    size_t from = level->room;
    if (from >= slots)
        return ROSTER_OK;
    if (roster_extend(&level->s, from * stride, roster_times(slots, stride), sizeof *level->s) != ROSTER_OK ||
        roster_extend(&level->n, from, slots, sizeof *level->n) != ROSTER_OK ||
        roster_extend(&level->touched, from, slots, sizeof *level->touched) != ROSTER_OK)
        return ROSTER_ENOMEM;
    level->room = slots;
    return ROSTER_OK;
}

int roster_timer_wheel_open_slot(roster_timer_wheel *self)
{
    size_t from = self->room, to = 2 * from + 16, slot = self->slots, floats = roster_times(to, self->stride);
    if (slot == from) {
        if (roster_extend(&self->inverse, from * self->stride, floats, sizeof *self->inverse) != ROSTER_OK ||
            roster_extend(&self->sums, from * self->stride, floats, sizeof *self->sums) != ROSTER_OK ||
            roster_extend(&self->seen, from, to, sizeof *self->seen) != ROSTER_OK)
            return ROSTER_ENOMEM;
        self->room = to;
    }
    for (size_t c = 0; c < self->cells; c++)
        self->inverse[slot * self->stride + c] = (float)self->est->prepared->inverse_pi[self->played[slot]][c];
    self->slots++;
    return ROSTER_OK;
}

/* ---- what was seen ---- */

static void count_rounds(roster_wheel_level *level, size_t slot, uint64_t n)
{
    if (level->n[slot] == 0)
        level->touched[level->n_touched++] = slot;
    level->n[slot] += n;
}

static void count_reward(roster_wheel_level *level, size_t stride, size_t slot, size_t c, float s)
{
    float *sum = level->s + slot * stride + c;
    if (*sum == 0 && s > 0 && level->n_few <= ROSTER_WHEEL_FEW) {
        if (level->n_few < ROSTER_WHEEL_FEW) {
            level->few[level->n_few].slot = slot;
            level->few[level->n_few].c = c;
        }
        level->n_few++;
    }
    *sum += s;
}

int roster_timer_wheel_learn(roster_timer_wheel *self, size_t slot, const roster_batch *batch)
{
    roster_wheel_level *lowest = &self->levels[0];
    if (make_room(lowest, self->room, self->stride) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t j = 0; j < batch->n_touched; j++) {
        size_t c = batch->touched[j];
        count_reward(lowest, self->stride, slot, c, (float)batch->cells[c].s);
    }
    count_rounds(lowest, slot, batch->n);
    return ROSTER_OK;
}

/* What was seen since level j expired is seen by the next level too. */
static int pass_on(roster_timer_wheel *self, size_t j)
{
    const roster_wheel_level *from = &self->levels[j];
    roster_wheel_level *to = &self->levels[j + 1];
    if (make_room(to, self->room, self->stride) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t i = 0; i < from->n_touched; i++) {
        size_t slot = from->touched[i];
        count_rounds(to, slot, from->n[slot]);
        for (size_t c = 0; c < self->cells; c++)
            count_reward(to, self->stride, slot, c, from->s[slot * self->stride + c]);
    }
    return ROSTER_OK;
}

static void forget(roster_wheel_level *level, size_t stride)
{
    for (size_t j = 0; j < level->n_touched; j++) {
        level->n[level->touched[j]] = 0;
        memset(level->s + level->touched[j] * stride, 0, stride * sizeof *level->s);
    }
    level->n_touched = level->n_few = 0;
}

/* ---- sums ---- */

/* 1/M_ik for the expert k in a slot. */
static double inverse_m(const roster_timer_wheel *self, size_t slot, size_t i)
{
    return self->est->prepared->inverse_m[self->played[slot]][i];
}

/* What rewards s of the expert in a slot add to the bound of S_i. */
static double gained(const roster_timer_wheel *self, size_t i, size_t slot, const float *s)
{
    double m = inverse_m(self, slot, i), limit = 2 * self->inactive[i].cap / m * (1 + self->single);
    const float *pi = self->rows + i * self->stride, *inverse = self->inverse + slot * self->stride;
    return m * (1 + self->single) * self->simd->passing(pi, inverse, s, (float)limit, self->stride);
}

/* The same of the few cells that a level has. */
static double gained_by_few(const roster_timer_wheel *self, const roster_wheel_level *level, size_t i)
{
    double sum = 0, most = 2 * self->inactive[i].cap * (1 + self->single);
    for (size_t j = 0; j < level->n_few; j++) {
        size_t slot = level->few[j].slot, c = level->few[j].c, at = slot * self->stride + c;
        double weight = inverse_m(self, slot, i) * (double)(self->rows[i * self->stride + c] * self->inverse[at]);
        sum += weight <= most ? weight * (double)level->s[at] : 0;
    }
    return sum * (1 + self->single);
}

/* All rewards of the expert in a slot, taken from the tally anew when it has played since. */
static const float *all_rewards(roster_timer_wheel *self, size_t slot)
{
    const roster_tally *tally = &self->est->tally;
    float *sums = self->sums + slot * self->stride;
    uint64_t plays = tally->plays[self->played[slot]];
    for (size_t c = 0; c < self->cells && self->seen[slot] != plays; c++)
        sums[c] = (float)roster_tally_mass(tally, slot * self->cells + c);
    self->seen[slot] = plays;
    return sums;
}

void roster_timer_wheel_sum_up(roster_timer_wheel *self, size_t i)
{
    self->inactive[i].s = 0;
    for (size_t slot = 0; slot < self->slots; slot++)
        self->inactive[i].s += gained(self, i, slot, all_rewards(self, slot));
}

/* A member learns what its level has seen. */
static void catch_up(roster_timer_wheel *self, const roster_wheel_level *level, size_t i)
{
    roster_inactive *one = &self->inactive[i];
    for (size_t j = 0; j < level->n_touched; j++)
        one->z += (double)level->n[level->touched[j]] * inverse_m(self, level->touched[j], i);
    if (level->n_few <= ROSTER_WHEEL_FEW)
        one->s += gained_by_few(self, level, i);
    for (size_t j = 0; j < level->n_touched && level->n_few > ROSTER_WHEEL_FEW; j++)
        one->s += gained(self, i, level->touched[j], level->s + level->touched[j] * self->stride);
}

/* In the order of their numbers, so that memory is read in order. */
static void expire_members(roster_timer_wheel *self, roster_wheel_level *level)
{
    for (size_t word = 0; word < self->words; word++) {
        for (uint64_t left = level->bits[word]; left != 0; left &= left - 1)
            catch_up(self, level, 64 * word + roster_lowest_bit(left));
        self->expired[word] |= level->bits[word];
        level->bits[word] = 0;
    }
    level->members = 0;
}

/* The number of levels up to the highest that has members. */
static size_t levels_in_use(const roster_timer_wheel *self)
{
    size_t n = ROSTER_WHEEL_LEVELS;
    while (n > 0 && self->levels[n - 1].members == 0)
        n--;
    return n;
}

int roster_timer_wheel_expire(roster_timer_wheel *self, size_t last)
{
    size_t n = levels_in_use(self);
    int code = ROSTER_OK;
    for (size_t j = 0; j <= last && code == ROSTER_OK; j++) {
        if (self->levels[j].members > 0)
            expire_members(self, &self->levels[j]);
        if (j + 1 < n)
            code = pass_on(self, j);
        forget(&self->levels[j], self->stride);
    }
    return code;
}

void roster_timer_wheel_schedule(roster_timer_wheel *self, size_t i, size_t j)
{
    self->levels[j].bits[i / 64] |= UINT64_C(1) << i % 64;
    self->levels[j].members++;
}

size_t roster_timer_wheel_lowest(const roster_timer_wheel *self)
{
    size_t j = 0;
    while (j < ROSTER_WHEEL_LEVELS && self->levels[j].members == 0)
        j++;
    return j;
}
