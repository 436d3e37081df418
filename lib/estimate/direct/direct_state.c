/*
 * direct_state.c: the direct estimate as bytes, and the sum of two.
 *
 * Paper: none.
 *
 * Merged, or with the rows of a tally added, cells and counts add; then all is as if it were the round of a power of
 * two and of a re-weighting: m0 and the shares of plays are those of all samples. So what is merged does not depend on
 * who learnt which part.
 *
 * Cost: linear in the state. Saved are also the sums as they are, so that learning goes on to the bit.
 * Check: parts merged in any way are alike (tests/unit/test_direct.c: merges_are_alike).
 */
#include "direct.h"

#include <string.h>

/* All that follows from the pool, to which samples were added in no order. */
static void settle_added(roster_direct *self)
{
    if (self->problem.p != NULL)
        roster_context_test_set(&self->test, self->pool.arrived, self->pool.arrivals);
    self->learnt |= self->test.rejected;
    roster_direct_take_m0(self);
    roster_direct_find_unseen(self);
    roster_direct_rebuild(self);
    roster_direct_weigh_plays(self);
    if (self->corrects)
        roster_direct_correct(self, true);
    roster_direct_refresh(self);
}

void roster_direct_merge(roster_direct *self, const roster_direct *from)
{
    roster_pool_merge(&self->pool, &from->pool);
    bool differ = false;
    for (size_t k = 0; k < self->pool.n; k++) {
        differ |= self->alone[k] != from->alone[k];
        self->alone[k] |= from->alone[k];
    }
    if (differ) /* the cells of one of them know of an expert that says nothing of cells */
        roster_pool_forget_cells(&self->pool);
    if (roster_pool_rounds(&self->pool) == 0)
        return;
    self->test.rejected |= from->test.rejected;
    if (roster_direct_learns(self))
        roster_direct_experts_merge(self, from);
    settle_added(self);
}

static void add_row(roster_direct *self, const roster_tally_row *row)
{
    bool known = row->expert != ROSTER_NO_EXPERT;
    if (known && self->alone[row->expert]) {
        roster_pool_add_aside(&self->pool, row->expert, row->count, row->sum);
        return;
    }
    roster_pool_add_row(&self->pool, row);
    if (known && roster_direct_learns(self))
        roster_direct_experts_see(self, row->expert, row->context * self->pool.v + row->action, row->count);
}

void roster_direct_learn_tally(roster_direct *self, const roster_tally_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_row(self, &rows[i]);
    if (n > 0)
        settle_added(self);
}

void roster_direct_copy(roster_direct *self, const roster_direct *from)
{
    const roster_pool *pool = &from->pool;
    size_t experts = self->up * (ROSTER_DIRECT_SAVED + 3), rows = pool->x * ROSTER_DIRECT_ROWS * self->up;
    roster_pool_copy(&self->pool, pool);
    self->test = from->test;
    memcpy(self->alone, from->alone, pool->n * sizeof *self->alone);
    self->learnt = from->learnt;
    self->corrects = from->corrects;
    self->m0 = from->m0;
    self->ell = from->ell;
    self->clock = from->clock;
    self->lonely = from->lonely;
    self->bar = from->bar;
    self->next_weighting = from->next_weighting;
    self->leader = from->leader;
    memcpy(self->block, from->block, (experts + pool->x * pool->v + rows) * sizeof *self->block);
    if (!roster_direct_learns(self))
        return;
    size_t all = pool->x * pool->v * pool->n;
    memcpy(self->totals, from->totals, pool->x * pool->n * sizeof *self->totals);
    memcpy(self->counts, from->counts, all * sizeof *self->counts);
    memcpy(self->learnt_pi, from->learnt_pi, all * sizeof *self->learnt_pi);
}

/* All but the pool, in one order for writing and reading: `each` gets n numbers at a time. */
typedef void (*each_array)(void *context, double *values, size_t n);

static void for_all(const roster_direct *self, each_array each, void *context)
{
    const roster_pool *pool = &self->pool;
    for (size_t i = 0; i < ROSTER_DIRECT_SAVED; i++)
        each(context, self->block + i * self->up, pool->n);
    for (size_t c = 0; c < pool->x * pool->v; c++)
        if (pool->cells[c].n > 0)
            each(context, &self->mixture[c], 1);
    for (size_t x = 0; x < pool->x && (self->learnt || roster_direct_learns(self)); x++)
        for (size_t j = 0; j < ROSTER_DIRECT_ROWS && pool->contexts[x] > 0; j++)
            each(context, self->rows + (x * ROSTER_DIRECT_ROWS + j) * self->up, pool->n);
}

static void put(void *writer, double *values, size_t n)
{
    roster_put_doubles(writer, values, n);
}

static void get(void *reader, double *values, size_t n)
{
    roster_reader *r = reader;
    roster_get_doubles(r, values, n);
    for (size_t i = 0; i < n; i++)
        r->failed |= !isfinite(values[i]);
}

void roster_direct_save(const roster_direct *self, roster_writer *w)
{
    roster_pool_save(&self->pool, w);
    roster_context_test_save(&self->test, w);
    for (size_t k = 0; k < self->pool.n; k++)
        roster_put_u64(w, self->alone[k]);
    roster_put_u64(w, self->learnt);
    roster_put_u64(w, self->corrects);
    roster_put_u64(w, self->next_weighting);
    roster_put_double(w, self->m0);
    roster_put_double(w, self->bar);
    for_all(self, put, w);
    if (roster_direct_learns(self))
        roster_direct_experts_save(self, w);
    if (self->pool.unnamed > 0) /* the last, so that all other snapshots are as they were without it */
        roster_put_u64(w, self->pool.unnamed);
}

void roster_direct_load(roster_direct *self, roster_reader *r)
{
    roster_pool_load(&self->pool, r);
    roster_context_test_load(&self->test, r);
    for (size_t k = 0; k < self->pool.n; k++) {
        uint64_t alone = roster_get_u64(r);
        self->alone[k] = alone == 1;
        r->failed |= alone > 1;
    }
    uint64_t learnt = roster_get_u64(r), corrects = roster_get_u64(r);
    self->next_weighting = roster_get_u64(r);
    self->m0 = roster_get_double(r);
    double bar = roster_get_double(r);
    self->learnt = learnt == 1;
    self->corrects = corrects == 1;
    r->failed |= learnt > 1 || corrects > 1 || !(self->m0 > 0 && self->m0 < 1) || !(bar >= 1);
    r->failed |= !self->learnt && self->problem.p == NULL;
    if (r->failed)
        return;
    for_all(self, get, r);
    if (roster_direct_learns(self))
        roster_direct_experts_load(self, r);
    if (!roster_reader_ended(r)) {
        self->pool.unnamed = roster_get_u64(r);
        r->failed |= self->pool.unnamed == 0 || self->pool.unnamed > self->pool.t;
    }
    roster_direct_refresh(self);
    self->bar = bar;
    roster_direct_find_leader(self, 0);
}
