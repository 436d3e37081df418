/*
 * checkpoints.c: at most 24 checkpoints, thinned to geometric ages.
 *
 * Paper: Beyond 17 (checkpoints).
 *
 * A checkpoint is made after every block of 32 rounds. Where there are 24 already, one goes first: the one whose
 * neighbours' ages have the smallest ratio, the older by the younger; the neighbours of the outermost are the start and
 * the new one, whose age is 0, so that the newest never goes. After m blocks the ages are then about m^(1/24) apart.
 *
 *   price of a checkpoint with j - 1 blocks before it: ln(j (j + 1)); the sum of 1/(j (j + 1)) over all j is 1, so that
 *   a threshold raised by its price makes all of them together cost no more than one
 *
 * Cost: 24 comparisons a block.
 * Check: tests/unit/test_alarms.c: checkpoints_are_geometric.
 */
#include "checkpoints.h"

#include <string.h>

void roster_checkpoints_reset(roster_checkpoints *self)
{
    memset(self, 0, sizeof *self);
}

static double age(const roster_checkpoints *self, size_t i)
{
    return (double)(int64_t)(self->block - self->at[self->order[i]]); /* signed, which is quicker to convert */
}

/* Takes the place of the one that is missed least out of the order; its slot. */
static size_t drop(roster_checkpoints *self)
{
    size_t least = 0;
    double older = (double)(int64_t)self->block, above = 1, below = 0; /* the smallest ratio so far: above / below */
    for (size_t i = 0; i + 1 < self->count; i++) {
        double younger = age(self, i + 1);
        if (older * below < above * younger) {
            least = i;
            above = older;
            below = younger;
        }
        older = age(self, i);
    }
    size_t slot = self->order[least];
    self->count--;
    memmove(self->order + least, self->order + least + 1, (self->count - least) * sizeof *self->order);
    return slot;
}

static void place(roster_checkpoints *self, size_t slot, uint64_t at)
{
    double j = (double)at + 1;
    self->at[slot] = at;
    self->price[slot] = roster_ln(j) + roster_ln(j + 1);
    self->order[self->count++] = slot;
}

size_t roster_checkpoints_add(roster_checkpoints *self)
{
    size_t slot = self->count < ROSTER_CHECKPOINTS ? self->count : drop(self);
    place(self, slot, self->block);
    return slot;
}

void roster_checkpoints_save(const roster_checkpoints *self, roster_writer *w)
{
    roster_put_u64(w, self->block);
    roster_put_u64(w, self->count);
    for (size_t i = 0; i < self->count; i++)
        roster_put_u64(w, self->at[self->order[i]]);
}

void roster_checkpoints_load(roster_checkpoints *self, roster_reader *r)
{
    uint64_t before = 0;
    roster_checkpoints_reset(self);
    self->block = roster_get_u64(r);
    size_t count = roster_get_count(r, 8);
    r->failed |= count > ROSTER_CHECKPOINTS || self->block > UINT64_MAX / ROSTER_BLOCK / 2;
    for (size_t i = 0; i < count && !r->failed; i++) {
        uint64_t at = roster_get_u64(r);
        r->failed |= at <= before || at > self->block;
        place(self, i, at);
        before = at;
    }
}
