/*
 * evidence.c: the life of the evidence.
 *
 * Paper: none.
 *
 * What follows from the experts alone (the ratios) is kept apart from what was learnt (state), so that loading can
 * build a second state and put it in place only when it is whole.
 *
 * Check: tests/unit/test_evidence.c: refused; tests/unit/test_alloc.c: every_allocation_fails.
 */
#include "evidence_internal.h"

#include <stdlib.h>
#include <string.h>

/* All arrays of the state, in one block: those that are saved come first, in the order in which they are. */
static void place_arrays(roster_evidence_state *self, double *block, size_t up)
{
    double **const derived[] = {&self->low, &self->high, &self->value, &self->apart, &self->claim};
    for (size_t side = 0; side < ROSTER_SIDES; side++) {
        self->psi[side] = block + side * 3 * up;
        self->lambda[side] = self->psi[side] + up;
        self->charge[side] = self->lambda[side] + up;
    }
    self->worse = block + 3 * ROSTER_SIDES * up;
    for (size_t side = 0; side < ROSTER_SIDES; side++)
        self->mean[side] = self->worse + (1 + side) * up;
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        *derived[i] = self->worse + (1 + ROSTER_SIDES + i) * up;
}

int roster_evidence_state_init(roster_evidence_state *self, const roster_evidence *evidence)
{
    const roster_experts *e = evidence->experts;
    *self = (roster_evidence_state){.t = 0};
    double *block = roster_alloc(roster_times(ROSTER_EVIDENCE_ARRAYS, evidence->up), sizeof *block);
    if (block != NULL) {
        place_arrays(self, block, evidence->up);
        roster_evidence_look(evidence, self);
    }
    self->spread = roster_alloc(roster_plus(e->n, 1), sizeof *self->spread);
    const roster_experts *tables = e->kind == ROSTER_TABLES && !evidence->own ? e : NULL;
    int code = roster_means_init(&self->means, tables);
    if (roster_past_init(&self->past, e->n, tables) != ROSTER_OK)
        code = ROSTER_ENOMEM;
    return block != NULL && self->spread != NULL ? code : ROSTER_ENOMEM;
}

void roster_evidence_state_fini(roster_evidence_state *self, size_t n)
{
    for (size_t k = 0; self->spread != NULL && k <= n; k++)
        free(self->spread[k].count[0]);
    free(self->spread);
    free(self->psi[0]);
    roster_means_fini(&self->means);
    roster_past_fini(&self->past);
}

int roster_evidence_open(const roster_evidence *self, roster_evidence_state *state, size_t k)
{
    size_t up = self->up;
    roster_spread *spread = &state->spread[k];
    if (k < self->experts->n && roster_reach_open(&self->ratio[k], self->experts, k, NULL, 0) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (k < self->experts->n && roster_past_open(&state->past, k) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (spread->count[0] != NULL)
        return ROSTER_OK;
    double *block = roster_alloc(roster_times(ROSTER_SPREAD_ARRAYS, up), sizeof *block);
    for (size_t side = 0; side < ROSTER_SIDES && block != NULL; side++) {
        spread->count[side] = block + 2 * side * up;
        spread->square[side] = spread->count[side] + up;
    }
    spread->lost = block != NULL ? block + 2 * ROSTER_SIDES * up : NULL;
    return block != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

static uint64_t fingerprint(const roster_evidence *self)
{
    const roster_experts *e = self->experts;
    double shape[] = {(double)e->kind, (double)e->n, (double)e->x, (double)e->v,
                      (double)e->d,    e->floor,     self->level,  self->own};
    uint64_t hash = roster_hash_doubles(ROSTER_HASH_START, shape, sizeof shape / sizeof *shape);
    return roster_experts_hash(hash, e);
}

static int check(const roster_experts *experts, double level, bool own, roster_error *err)
{
    if (experts == NULL)
        return roster_fail(err, ROSTER_EINVAL, "the experts are missing");
    if (!(level > 0 && level < 1))
        return roster_fail(err, ROSTER_EINVAL, "level is %g, must be above 0 and below 1, such as 0.95", level);
    if (experts->rows != NULL && !own)
        return roster_fail(err, ROSTER_EINVAL,
                           "the experts are estimates, and evidence across experts needs what they really do; use "
                           "roster_evidence_create_own, which takes each expert's own rounds alone");
    return ROSTER_OK;
}

static int create(roster_evidence **out, const roster_experts *experts, double level, bool own, roster_error *err)
{
    *out = NULL;
    int code = check(experts, level, own, err);
    if (code != ROSTER_OK)
        return code;
    roster_evidence *self = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return roster_fail_memory(err);
    size_t n = experts->n;
    self->simd = roster_evidence_simd_choose(experts->avx2);
    self->up = roster_simd_up(n);
    self->experts = experts;
    self->own = own;
    self->level = level;
    self->ln_versus = roster_ln(2 / (1 - level));
    self->ln_value = roster_ln(2 * (double)n / (1 - level));
    self->ratio = roster_alloc(n, sizeof *self->ratio);
    size_t scratch = roster_times(experts->v, experts->kind == ROSTER_SOFTMAX ? roster_plus(3, n) : 2);
    self->scratch = roster_alloc(roster_plus(scratch, ROSTER_ROOM_BEHIND), sizeof *self->scratch);
    code = roster_evidence_state_init(&self->state, self);
    if (self->ratio == NULL || self->scratch == NULL || code != ROSTER_OK) {
        roster_evidence_free(self);
        return roster_fail_memory(err);
    }
    self->fingerprint = fingerprint(self);
    *out = self;
    return ROSTER_OK;
}

int roster_evidence_create(roster_evidence **out, const roster_experts *experts, double level, roster_error *err)
{
    return create(out, experts, level, false, err);
}

int roster_evidence_create_own(roster_evidence **out, const roster_experts *experts, double level, roster_error *err)
{
    return create(out, experts, level, true, err);
}

void roster_evidence_free(roster_evidence *self)
{
    if (self == NULL)
        return;
    for (size_t k = 0; self->ratio != NULL && k < self->experts->n; k++)
        free(self->ratio[k]);
    free(self->ratio);
    free(self->scratch);
    roster_evidence_state_fini(&self->state, self->experts->n);
    free(self);
}

int roster_evidence_prepare(roster_evidence *self, size_t k, roster_error *err)
{
    if (k >= self->experts->n)
        return roster_fail(err, ROSTER_EINVAL, "expert is %zu, must be below %zu", k, self->experts->n);
    return roster_evidence_open(self, &self->state, k) == ROSTER_OK ? ROSTER_OK : roster_fail_memory(err);
}

uint64_t roster_evidence_plays(const roster_evidence *self, size_t k)
{
    return k < self->experts->n ? self->state.spread[k].plays : 0;
}

int roster_evidence_reserve(roster_evidence *self, roster_error *err)
{
    int code = roster_evidence_open(self, &self->state, self->experts->n);
    if (code != ROSTER_OK)
        return roster_fail_memory(err);
    for (size_t k = 0; k < self->experts->n && code == ROSTER_OK; k++)
        code = roster_evidence_prepare(self, k, err);
    return code;
}

void roster_evidence_reset(roster_evidence *self)
{
    roster_evidence_state *state = &self->state;
    size_t n = self->experts->n;
    state->t = 0;
    state->leader = 0;
    memset(state->psi[0], 0, ROSTER_EVIDENCE_SAVED * self->up * sizeof *state->psi[0]);
    roster_evidence_look(self, state);
    for (size_t k = 0; k <= n; k++) {
        state->spread[k].plays = 0;
        if (state->spread[k].count[0] != NULL)
            memset(state->spread[k].count[0], 0, ROSTER_SPREAD_ARRAYS * self->up * sizeof(double));
    }
    roster_means_reset(&state->means);
    roster_past_reset(&state->past);
}

uint64_t roster_evidence_rounds(const roster_evidence *self)
{
    return self->state.t;
}

double roster_evidence_level(const roster_evidence *self)
{
    return self->level;
}

const roster_experts *roster_evidence_experts(const roster_evidence *self)
{
    return self->experts;
}
