/*
 * lazy_index.c: a ranking that learns in batches, with certificates between them.
 *
 * Paper: none.
 *
 * Few experts are all computed after every batch, and certificate.c says how long nothing need be computed. Many are
 * left to many_experts.c, which computes a few of them. What is learnt stays in a ranking of its own until finish()
 * brings every expert up to date and hands it over, so the ranking it was started from can be used at any time.
 *
 * Cost: to start, a copy of the ranking; to finish, for each inactive expert the cells that have a reward.
 * Check: the agent that learnt round by round (tests/unit/test_contract.c: lazy_interfaces,
 *        tests/unit/test_lazy_index.c: any_experts).
 */
#include "lazy_index.h"

#include "lazy_simd.h"

#include <stdlib.h>

int roster_lazy_index_start(roster_lazy_index *self, const roster_ranking *from)
{
    roster_prepared *prepared = from->est.prepared;
    self->simd = roster_lazy_simd_choose(prepared->avx2);
    self->rivals =
        roster_alloc(roster_times(roster_simd_up(prepared->problem.experts->n), ROSTER_RIVAL), sizeof *self->rivals);
    if (roster_ranking_init(&self->ranking, prepared, from->stream) != ROSTER_OK || self->rivals == NULL)
        return ROSTER_ENOMEM;
    return roster_ranking_copy(&self->ranking, from);
}

void roster_lazy_index_stop(roster_lazy_index *self)
{
    roster_many_experts_free(self->many);
    roster_ranking_fini(&self->ranking);
    free(self->rivals);
}

void roster_lazy_index_certify(roster_lazy_index *self, roster_certificate *certificate)
{
    if (self->many != NULL)
        roster_many_experts_certify(self->many, self->rivals, certificate);
    else
        roster_certify(&self->ranking, self->simd, self->rivals, certificate);
}

int roster_lazy_index_learn_batch(roster_lazy_index *self, const roster_batch *batch)
{
    if (self->many != NULL)
        return roster_many_experts_learn(self->many, batch);
    int code = roster_ranking_learn_batch(&self->ranking, batch);
    if (code == ROSTER_OK && roster_many_experts_pays(&self->ranking))
        code = roster_many_experts_create(&self->many, &self->ranking);
    return code;
}

int roster_lazy_index_finish(roster_lazy_index *self, roster_ranking *to)
{
    if (self->many != NULL && roster_many_experts_activate_all(self->many) != ROSTER_OK)
        return ROSTER_ENOMEM;
    roster_ranking_refresh(&self->ranking);
    roster_ranking before = *to;
    *to = self->ranking;
    self->ranking = before;
    return ROSTER_OK;
}
