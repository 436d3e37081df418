/*
 * evidence_change.c: evidence when experts come and go.
 *
 * Paper: Beyond 18 (evidence).
 *
 * What was known of an expert's value stays, and goes on. Who comes begins with what past rounds say of it
 * (evidence_seed.c). The best is then the best of those that are there: where one goes, exclusions that rested on it no
 * longer hold, so all are forgotten, and those that the intervals still show are found again at once. Each list has
 * a promise of its own: l = ln(2N/delta) with the N of the list.
 *
 * Cost: that of creating it, and O(X V) per expert that has acted for each that comes.
 * Check: tests/unit/test_evidence_change.c.
 */
#include "evidence_internal.h"

#include <string.h>

static bool some_go(const roster_experts *before, const roster_experts *after)
{
    bool go = false;
    for (size_t k = 0; k < before->n; k++)
        go |= roster_is_retired(after, k) && !roster_is_retired(before, k);
    return go;
}

/* Column k of the former, which is column `to` now. */
static int adopt_column(roster_evidence *self, size_t to, const roster_spread *from, size_t n)
{
    roster_spread *spread = &self->state.spread[to];
    if (from->count[0] == NULL)
        return ROSTER_OK;
    if (roster_evidence_open(self, &self->state, to) != ROSTER_OK)
        return ROSTER_ENOMEM;
    spread->plays = from->plays;
    for (size_t side = 0; side < ROSTER_SIDES; side++) {
        memcpy(spread->count[side], from->count[side], n * sizeof *from->count[side]);
        memcpy(spread->square[side], from->square[side], n * sizeof *from->square[side]);
    }
    memcpy(spread->lost, from->lost, n * sizeof *from->lost);
    return ROSTER_OK;
}

static int adopt(roster_evidence *self, const roster_evidence *from, bool forget)
{
    roster_evidence_state *state = &self->state;
    const roster_evidence_state *old = &from->state;
    size_t n = from->experts->n;
    state->t = old->t;
    for (size_t side = 0; side < (forget ? ROSTER_VERSUS : ROSTER_SIDES); side++) {
        memcpy(state->psi[side], old->psi[side], n * sizeof *old->psi[side]);
        memcpy(state->lambda[side], old->lambda[side], n * sizeof *old->lambda[side]);
        memcpy(state->charge[side], old->charge[side], n * sizeof *old->charge[side]);
    }
    if (!forget)
        memcpy(state->worse, old->worse, n * sizeof *old->worse);
    int code = roster_past_merge(&state->past, &old->past);
    for (size_t k = 0; k < n && code == ROSTER_OK; k++)
        if (from->ratio[k] != NULL)
            code = roster_reach_open(&self->ratio[k], self->experts, k, from->ratio[k], n);
    for (size_t k = 0; k <= n && code == ROSTER_OK; k++)
        code = adopt_column(self, k < n ? k : self->experts->n, &old->spread[k], n);
    roster_means_adopt(&state->means, &old->means);
    return code;
}

static int seed(roster_evidence *self, size_t i)
{
    roster_evidence_state *state = &self->state;
    roster_seed from[2] = {{0}};
    int code = roster_past_seed(&state->past, self->experts, i, self->ln_value, &from[ROSTER_LOW], &from[ROSTER_HIGH]);
    for (int side = ROSTER_LOW; side <= ROSTER_HIGH && from[side].lambda > 0; side++) {
        state->psi[side][i] = from[side].psi;
        state->lambda[side][i] = from[side].lambda;
        state->charge[side][i] = from[side].charge;
        state->past.since[i] = state->t;
    }
    return code;
}

int roster_evidence_set_experts(roster_evidence *self, const roster_experts *experts, roster_error *err)
{
    roster_evidence *fresh = NULL;
    size_t n = self->experts->n;
    int code = roster_experts_check_change(self->experts, experts, err);
    if (code == ROSTER_OK)
        code = self->own ? roster_evidence_create_own(&fresh, experts, self->level, err)
                         : roster_evidence_create(&fresh, experts, self->level, err);
    if (code != ROSTER_OK)
        return code;
    int fits = adopt(fresh, self, some_go(self->experts, experts));
    for (size_t i = n; i < experts->n && fits == ROSTER_OK; i++)
        fits = seed(fresh, i);
    if (fits == ROSTER_OK) {
        roster_evidence_judge(fresh, &fresh->state);
        roster_evidence before = *self;
        *self = *fresh;
        *fresh = before;
    }
    roster_evidence_free(fresh);
    return fits == ROSTER_OK ? ROSTER_OK : roster_fail_memory(err);
}
