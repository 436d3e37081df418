/*
 * clipped_state.c: the running estimator's state as bytes, as a sum of two, and made ready ahead of time.
 *
 * Paper: none.
 *
 * Finite contexts: the tally says everything, and merging is absorbing the other's cells as batches. Otherwise the
 * other's sums are added as they are, less what is inside its heaps, which is then inserted into ours.
 *
 * Cost: saving and merging O(N + cells + entries). Reserving O(N^2 X V) for tables.
 * Check: a merged estimator equals one that saw both streams (tests/unit/test_contract.c: merges).
 */
#include "clipped.h"

#include <string.h>

static roster_sample sample_of_cell(const roster_clipped *self, size_t k, size_t cell)
{
    const roster_experts *e = self->prepared->problem.experts;
    return (roster_sample){.k = k, .cell = cell, .pi = e->pi + cell * e->n};
}

/* How many of all finite cells could ever wait in expert i's heap. */
static size_t count_movable(const roster_clipped *self, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < self->prepared->problem.experts->n; k++)
        for (size_t cell = 0; cell < self->tally.block; cell++) {
            roster_sample sample = sample_of_cell(self, k, cell);
            count += roster_clipped_can_wait(self, &sample, i);
        }
    return count;
}

int roster_clipped_reserve(roster_clipped *self, size_t rounds)
{
    size_t n = self->prepared->problem.experts->n, block = self->tally.block;
    bool fits = n <= SIZE_MAX / (block > 0 ? block : 1);
    for (size_t k = 0; fits && k < n; k++)
        fits = roster_prepared_open(self->prepared, k) == ROSTER_OK;
    fits = fits && roster_tally_reserve(&self->tally, block > 0 ? n * block - self->tally.count : rounds) == ROSTER_OK;
    for (size_t i = 0; fits && i < n; i++) {
        roster_clip_heap *heap = &self->heaps[i];
        size_t more = block > 0 ? count_movable(self, i) - heap->in - heap->out : rounds;
        fits = roster_clip_heap_reserve(heap, more) == ROSTER_OK;
    }
    return fits ? ROSTER_OK : ROSTER_ENOMEM;
}

static int merge_cells(roster_clipped *self, const roster_tally *from)
{
    for (size_t k = 0; k < from->n; k++)
        for (size_t cell = 0; from->first[k] != ROSTER_NO_CELL && cell < from->block; cell++) {
            size_t at = from->first[k] + cell;
            roster_sample batch = sample_of_cell(self, k, cell);
            batch.n = from->cells[at].n;
            batch.s = roster_tally_mass(from, at);
            if (batch.n > 0 && roster_clipped_absorb(self, &batch) != ROSTER_OK)
                return ROSTER_ENOMEM;
        }
    return ROSTER_OK;
}

/* Expert i's sums of `from`, and its entries, whose cells were appended to our tally from `offset` on. */
static int merge_expert(roster_clipped *self, const roster_clipped *from, size_t i, size_t offset)
{
    const roster_clip_heap *heap = &from->heaps[i];
    double s = from->s[i], lo = from->s_lo[i];
    if (roster_clip_heap_reserve(&self->heaps[i], heap->in + heap->out) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t j = 0; j < heap->in + heap->out; j++) {
        bool was_in = j < heap->in;
        roster_clip_entry entry = heap->at[was_in ? j : heap->capacity - 1 - (j - heap->in)];
        double mass = entry.coef * roster_tally_mass(&from->tally, entry.cell);
        bool is_in = entry.theta <= roster_clipped_level(self, i);
        if (was_in != is_in)
            roster_add(&s, &lo, is_in ? mass : -mass);
        entry.cell += offset;
        roster_clip_heap_insert(&self->heaps[i], roster_clipped_level(self, i), entry);
    }
    roster_clipped_invalidate(self, i);
    roster_add(&self->s[i], &self->s_lo[i], s);
    roster_add(&self->s[i], &self->s_lo[i], lo);
    roster_add(&self->z[i], &self->z_lo[i], from->z[i]);
    roster_add(&self->z[i], &self->z_lo[i], from->z_lo[i]);
    return ROSTER_OK;
}

static int merge_samples(roster_clipped *self, const roster_clipped *from)
{
    size_t offset = self->tally.count;
    if (roster_tally_reserve(&self->tally, from->tally.count) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t c = 0; c < from->tally.count; c++)
        self->tally.cells[roster_tally_append(&self->tally)] = from->tally.cells[c];
    for (size_t i = 0; i < from->tally.n; i++)
        if (merge_expert(self, from, i, offset) != ROSTER_OK)
            return ROSTER_ENOMEM;
    for (size_t k = 0; k < from->tally.n; k++)
        roster_tally_count(&self->tally, k, from->tally.plays[k]);
    roster_clipped_set_time(self);
    return ROSTER_OK;
}

int roster_clipped_merge(roster_clipped *self, const roster_clipped *from)
{
    return self->tally.block > 0 ? merge_cells(self, &from->tally) : merge_samples(self, from);
}

int roster_clipped_copy(roster_clipped *self, const roster_clipped *from)
{
    size_t n = self->tally.n;
    self->root = from->root;
    self->ln_t = from->ln_t;
    memcpy(self->z, from->z, ROSTER_CLIPPED_ARRAYS * roster_simd_up(n) * sizeof *self->z);
    int code = roster_tally_copy(&self->tally, &from->tally);
    for (size_t i = 0; i < n && code == ROSTER_OK; i++)
        code = roster_clip_heap_copy(&self->heaps[i], &from->heaps[i]);
    return code;
}

void roster_clipped_save(const roster_clipped *self, roster_writer *w)
{
    size_t n = self->prepared->problem.experts->n;
    roster_tally_save(&self->tally, w);
    for (size_t i = 0; i < n; i++) {
        double sums[] = {self->z[i], self->z_lo[i], self->s[i], self->s_lo[i], self->w[i]};
        roster_put_doubles(w, sums, 5);
        roster_clip_heap_save(&self->heaps[i], w);
    }
}

int roster_clipped_load(roster_clipped *self, roster_reader *r)
{
    int code = roster_tally_load(&self->tally, r);
    for (size_t i = 0; code == ROSTER_OK && !r->failed && i < self->prepared->problem.experts->n; i++) {
        double sums[5];
        roster_get_doubles(r, sums, 5);
        r->failed |=
            !(sums[0] >= 0 && isfinite(sums[0]) && isfinite(sums[1]) && isfinite(sums[2]) && isfinite(sums[3]));
        r->failed |= !(sums[4] >= 0 && isfinite(sums[4]));
        self->z[i] = sums[0];
        self->z_lo[i] = sums[1];
        self->s[i] = sums[2];
        self->s_lo[i] = sums[3];
        self->w[i] = sums[4];
        roster_clipped_invalidate(self, i);
        code = roster_clip_heap_load(&self->heaps[i], r, roster_clipped_level(self, i), self->tally.count);
    }
    roster_clipped_set_time(self);
    return code;
}
