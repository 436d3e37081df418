/*
 * evidence_snapshot.c: the evidence as bytes that travel, and the sum of two.
 *
 * Paper: Beyond 15 (replicas).
 *
 *   envelope "evidence" | t | leader | sums of the three processes, worse | columns of those that acted | means | past
 *
 * Merging adds all sums. That is valid because replicas are independent: each one's process is a supermartingale
 * whatever the other sees, and so is their product; it starts at `into` and then takes in the rounds of `from`. What
 * `from` has excluded is not taken over: that would be a second chance to be wrong.
 *
 * Cost: linear in the state.
 * Check: every changed byte is refused (tests/unit/test_evidence_state.c: damaged_snapshots_refused); the sums add
 * (merged_sums_add).
 */
#include "evidence_internal.h"

#include <float.h>

static roster_envelope envelope_of(const roster_evidence *self)
{
    return (roster_envelope){"evidence", self->fingerprint, "evidence about other experts or at another level"};
}

/* n of every `up` numbers. */
static void put_arrays(roster_writer *w, const double *block, size_t arrays, const roster_evidence *self)
{
    for (size_t j = 0; j < arrays; j++)
        roster_put_doubles(w, block + j * self->up, self->experts->n);
}

static void get_arrays(roster_reader *r, double *block, size_t arrays, const roster_evidence *self)
{
    for (size_t j = 0; j < arrays; j++)
        roster_get_doubles(r, block + j * self->up, self->experts->n);
}

static void save_state(const roster_evidence *self, roster_writer *w)
{
    const roster_evidence_state *state = &self->state;
    roster_put_u64(w, state->t);
    roster_put_u64(w, state->leader);
    put_arrays(w, state->psi[0], ROSTER_EVIDENCE_SAVED, self);
    for (size_t k = 0; k <= self->experts->n; k++) {
        roster_put_u64(w, state->spread[k].plays);
        if (state->spread[k].plays > 0)
            put_arrays(w, state->spread[k].count[0], ROSTER_SPREAD_ARRAYS, self);
    }
    roster_means_save(&state->means, w);
    roster_past_save(&state->past, w);
}

size_t roster_evidence_save(const roster_evidence *self, void *buf, size_t size)
{
    roster_writer w = {.data = buf, .size = size};
    roster_envelope envelope = envelope_of(self);
    roster_envelope_begin(&w, &envelope);
    save_state(self, &w);
    return roster_envelope_end(&w);
}

static bool all_finite(const double *numbers, size_t n, double least)
{
    bool fine = true;
    for (size_t i = 0; i < n; i++)
        fine &= numbers[i] >= least && numbers[i] < INFINITY;
    return fine;
}

static int load_spread(const roster_evidence *self, roster_evidence_state *state, size_t k, roster_reader *r)
{
    uint64_t plays = roster_get_u64(r);
    if (plays == 0 || r->failed)
        return ROSTER_OK;
    if (roster_evidence_open(self, state, k) != ROSTER_OK)
        return ROSTER_ENOMEM;
    state->spread[k].plays = plays;
    get_arrays(r, state->spread[k].count[0], ROSTER_SPREAD_ARRAYS, self);
    r->failed |= !all_finite(state->spread[k].count[0], 2 * ROSTER_SIDES * self->up, 0) ||
                 !all_finite(state->spread[k].lost, self->up, -DBL_MAX);
    return ROSTER_OK;
}

/* Into an empty state. */
static int load_state(const roster_evidence *self, roster_evidence_state *state, roster_reader *r)
{
    size_t n = self->experts->n;
    uint64_t plays = 0;
    state->t = roster_get_u64(r);
    uint64_t leader = roster_get_u64(r);
    state->leader = leader < n ? (size_t)leader : 0;
    get_arrays(r, state->psi[0], ROSTER_EVIDENCE_SAVED, self);
    r->failed |= leader >= n || state->t > UINT64_C(1) << 53 || !all_finite(state->worse, n, 0);
    for (size_t side = 0; side < ROSTER_SIDES; side++)
        r->failed |= !all_finite(state->psi[side], n, -DBL_MAX) || !all_finite(state->lambda[side], 2 * self->up, 0);
    for (size_t k = 0; k <= n && !r->failed; k++) {
        if (load_spread(self, state, k, r) != ROSTER_OK)
            return ROSTER_ENOMEM;
        plays += state->spread[k].plays;
    }
    state->means.t = state->t;
    roster_means_load(&state->means, r);
    r->failed |= plays != state->t;
    roster_evidence_look(self, state);
    return roster_past_load(&state->past, r);
}

/* A new state from the reader's bytes. */
static int read_state(const roster_evidence *self, roster_reader *r, roster_evidence_state *state, roster_error *err)
{
    int code = roster_evidence_state_init(state, self);
    if (code == ROSTER_OK)
        code = load_state(self, state, r);
    if (code != ROSTER_OK)
        code = roster_fail_memory(err);
    else if (r->failed || !roster_reader_ended(r))
        code = roster_fail_inconsistent(err);
    if (code != ROSTER_OK)
        roster_evidence_state_fini(state, self->experts->n);
    return code;
}

static void replace(roster_evidence *self, const roster_evidence_state *state)
{
    roster_evidence_state_fini(&self->state, self->experts->n);
    self->state = *state;
}

int roster_evidence_load(roster_evidence *self, const void *buf, size_t size, roster_error *err)
{
    roster_reader r;
    roster_evidence_state state;
    roster_envelope envelope = envelope_of(self);
    int code = roster_envelope_open(&r, buf, size, &envelope, err);
    if (code == ROSTER_OK)
        code = read_state(self, &r, &state, err);
    if (code == ROSTER_OK)
        replace(self, &state);
    return code;
}

/* All memory that adding needs; what is opened in vain holds zeros and is not saved. */
static int make_room(roster_evidence *into, const roster_evidence *from)
{
    int code = ROSTER_OK;
    for (size_t k = 0; k <= into->experts->n && code == ROSTER_OK; k++)
        if (from->state.spread[k].plays > 0)
            code = roster_evidence_open(into, &into->state, k);
    for (size_t k = 0; k < into->experts->n && code == ROSTER_OK; k++) /* of rounds whose expert was drawn */
        if (from->state.past.cells[k] != NULL)
            code = roster_past_open(&into->state.past, k);
    return code;
}

static void add(double *into, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] += from[i];
}

int roster_evidence_merge(roster_evidence *into, const roster_evidence *from, roster_error *err)
{
    roster_evidence_state *state = &into->state;
    size_t n = into->experts->n;
    if (into->fingerprint != from->fingerprint)
        return roster_fail(err, ROSTER_EINVAL, "the evidence to merge is about other experts or at another level");
    if (make_room(into, from) != ROSTER_OK)
        return roster_fail_memory(err);
    add(state->psi[0], from->state.psi[0], 3 * ROSTER_SIDES * into->up);
    for (size_t k = 0; k <= n; k++) {
        state->spread[k].plays += from->state.spread[k].plays;
        if (from->state.spread[k].plays > 0)
            add(state->spread[k].count[0], from->state.spread[k].count[0], ROSTER_SPREAD_ARRAYS * into->up);
    }
    roster_means_merge(&state->means, &from->state.means);
    roster_past_merge(&state->past, &from->state.past); /* for which there is room */
    state->t += from->state.t;
    roster_evidence_judge(into, state);
    return ROSTER_OK;
}
