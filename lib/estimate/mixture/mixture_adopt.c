/*
 * mixture_adopt.c: the mixture estimate when experts come and go.
 *
 * Paper: Beyond 18 (mixture).
 *
 * The samples that are kept are learnt again, in their order, with the probabilities that the new experts have in their
 * cells; where contexts are not numbered these are not known, and 0: who comes starts without samples. Of samples that
 * are no longer kept the former experts have their sums, and who comes has nothing; all are then weighted anew.
 *
 * Cost: O(samples kept x N), five times.
 * Check: tests/unit/test_experts_change.c: as_if_always_there.
 */
#include "mixture.h"

#include <stdlib.h>
#include <string.h>

/* A sample of `from` as one of the new experts. */
static roster_sample sample_of(const roster_mixture *from, size_t j, const roster_experts *e, double *pi)
{
    const double *kept = roster_mixture_at(from, j), *behind = kept + from->n;
    bool cell = e->kind == ROSTER_TABLES && behind[ROSTER_MIXTURE_CELL] >= 0;
    roster_sample sample = {.k = behind[ROSTER_MIXTURE_WHO] >= 0 ? (size_t)behind[ROSTER_MIXTURE_WHO] : 0,
                            .cell = cell ? (size_t)behind[ROSTER_MIXTURE_CELL] : ROSTER_NO_CELL,
                            .pi = pi,
                            .n = 1,
                            .s = behind[ROSTER_MIXTURE_Y]};
    memset(pi, 0, e->n * sizeof *pi);
    memcpy(pi, cell ? e->pi + sample.cell * e->n : kept, (cell ? e->n : from->n) * sizeof *pi);
    return sample;
}

static bool all_are_kept(const roster_mixture *from)
{
    bool known = from->count == from->t;
    for (size_t j = 0; j < from->count && known; j++)
        known = roster_mixture_at(from, j)[from->n + ROSTER_MIXTURE_WHO] >= 0;
    return known;
}

int roster_mixture_adopt(roster_mixture *self, const roster_mixture *from, const roster_experts *experts)
{
    bool again = all_are_kept(from);
    double *pi = roster_alloc(experts->n, sizeof *pi);
    int code = pi != NULL ? roster_mixture_reserve(self, from->count) : ROSTER_ENOMEM;
    for (size_t j = 0; j < from->count && code == ROSTER_OK; j++) {
        roster_sample sample = sample_of(from, j, experts, pi);
        code = again ? roster_mixture_absorb(self, &sample) : ROSTER_OK;
        if (!again) /* who may not be known */
            roster_mixture_keep(self, &sample)[self->n + ROSTER_MIXTURE_WHO] =
                roster_mixture_at(from, j)[from->n + ROSTER_MIXTURE_WHO];
    }
    free(pi);
    if (again || code != ROSTER_OK)
        return code;
    roster_mixture_add_sums(&self->old, &from->old, from->n);
    for (size_t k = 0; k < from->n; k++)
        roster_mixture_count(self, k, from->plays[k]);
    roster_mixture_reweigh(self);
    return ROSTER_OK;
}
