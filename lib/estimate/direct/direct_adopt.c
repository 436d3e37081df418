/*
 * direct_adopt.c: the direct estimate when experts come and go.
 *
 * Paper: Beyond 18 (direct).
 *
 * Cells and contexts are the same whoever is there; who comes has not acted. What is left to find are the shares of
 * plays as of the last re-weighting, in which 1/N has become 1/N':
 *
 *   alpha_k = (n_k + 1/N)/(t_w + 1),  so  n_k = alpha_k (t_w + 1) - 1/N,  alpha'_k = (n_k + 1/N')/(t_w + 1)
 *
 * where t_w is the round before the next one in the row of re-weightings. If the n_k are not whole, samples were merged
 * or forgotten since, and all is weighted anew as of now.
 *
 * Cost: that of a sum over all cells seen, O(N) each.
 * Departs: experts that are learnt weigh cells as of now, not as of the last re-weighting, until the next.
 * Check: tests/unit/test_experts_change.c: as_if_always_there.
 */
#include "direct.h"

#include <string.h>

static void adopt_experts(roster_direct *self, const roster_direct *from, size_t n)
{
    const roster_pool *pool = &self->pool;
    for (size_t x = 0; x < pool->x; x++)
        memcpy(self->totals + x * pool->n, from->totals + x * n, n * sizeof *self->totals);
    for (size_t c = 0; c < pool->x * pool->v; c++)
        memcpy(self->counts + c * pool->n, from->counts + c * n, n * sizeof *self->counts);
    roster_direct_experts_divide(self);
}

/* False: the shares are not those of a re-weighting that was due. */
static bool adopt_shares(roster_direct *self, const roster_direct *from, size_t n)
{
    double weighed = (double)roster_direct_weighed_before(from->next_weighting), prior = 1 / (double)self->pool.n;
    for (size_t k = 0; k < self->pool.n; k++) {
        double plays = k < n ? from->alpha[k] * (weighed + 1) - 1 / (double)n : 0;
        if (!(fabs(plays - floor(plays + 0.5)) < 1e-6))
            return false;
        self->alpha[k] = (floor(plays + 0.5) + prior) / (weighed + 1);
    }
    return true;
}

void roster_direct_adopt(roster_direct *self, const roster_direct *from, size_t n)
{
    roster_pool_copy(&self->pool, &from->pool);
    self->test = from->test;
    memcpy(self->alone, from->alone, n * sizeof *self->alone);
    self->learnt = from->learnt;
    self->m0 = from->m0;
    self->next_weighting = from->next_weighting;
    if (roster_direct_learns(self))
        adopt_experts(self, from, n);
    memset(self->mixture, 0, self->pool.x * self->pool.v * sizeof *self->mixture);
    roster_direct_find_unseen(self);
    roster_direct_rebuild(self);
    if (!adopt_shares(self, from, n))
        roster_direct_weigh_plays(self);
    roster_direct_correct(self, true); /* who comes may need it, whatever was kept before */
    roster_direct_refresh(self);
}
