/*
 * lite.c: intermittent updates, the rule that makes D-UCB-lite of D-UCB and ED-UCB-lite of ED-UCB.
 *
 * Paper: none.
 *
 *   B_i(1) = U_i(1), n_i = 1.  In round t: play argmax B, then for k_t and ceil(ln N) - 1 random others:
 *   if n_i <= m := floor(t^(1/beta)):  B_i = U_i(m), n_i = m
 *
 * U_i(m) uses the first m rounds alone. m grows by at most 1 per round, so one running estimator that lags behind
 * serves all: it absorbs round m from a queue of rounds that were played and not yet used.
 *
 * Cost: per round O(ln N) indices and at most one absorb; memory grows with t - t^(1/beta) rounds, 24 bytes each
 *       (and N probabilities each where contexts are not finite).
 * Departs: none.
 * Check: beta = 1, N = 2 refreshes the played expert with all rounds (tests/unit/test_oracle.c:
 *        ducb_lite_equals_literal).
 */
#include "lite.h"
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_PER_ROUND = 16 }; /* 64 numbers: more than a round's draws can use up */

uint64_t roster_lite_rounds(uint64_t t, double beta)
{
    if (beta == 1)
        return t;
    uint64_t m = (uint64_t)roster_exp(roster_ln((double)t) / beta);
    double next = roster_exp(beta * roster_ln((double)(m + 1)));
    return next <= (double)t * (1 + 1e-14) ? m + 1 : m;
}

/* Floyd's sampling of a set: each subset of the wanted size is equally likely. */
size_t roster_lite_others(const roster_rng *stream, uint64_t t, size_t n, size_t k, size_t others[ROSTER_LITE_MOST])
{
    double wanted = ceil(roster_ln((double)n)) - 1;
    size_t size = wanted > 0 ? (size_t)wanted : 0, count = 0;
    roster_rng rng = *stream;
    roster_rng_seek(&rng, t * BLOCKS_PER_ROUND);
    for (size_t last = n - 1 - size; count < size; last++) {
        size_t pick = (size_t)roster_rng_below(&rng, last + 1);
        for (size_t j = 0; j < count; j++)
            pick = others[j] == pick ? last : pick;
        others[count++] = pick;
    }
    for (size_t j = 0; j < count; j++)
        others[j] += others[j] >= k;
    return count;
}

static bool finite_contexts(const roster_lite *self)
{
    return self->est.tally.block > 0;
}

static void restart(roster_lite *self)
{
    const roster_experts *e = self->est.prepared->problem.experts;
    self->t = 0;
    self->head = self->count = 0;
    for (size_t i = 0; i < e->n; i++) {
        self->b[i] = INFINITY;
        self->used[i] = 0;
    }
    roster_experts_mask(e, self->b);
    self->leader = roster_random_start(self->stream, e);
}

int roster_lite_init(void *self, const roster_setup *setup, roster_error *err)
{
    roster_lite *l = self;
    (void)err;
    l->stream = setup->stream;
    l->beta = setup->settings->beta.number;
    l->b = roster_alloc(setup->experts->n, sizeof *l->b);
    l->used = roster_alloc(setup->experts->n, sizeof *l->used);
    if (roster_clipped_init(&l->est, setup->prepared) != ROSTER_OK || l->b == NULL || l->used == NULL)
        return ROSTER_ENOMEM;
    restart(l);
    return ROSTER_OK;
}

void roster_lite_fini(void *self)
{
    roster_lite *l = self;
    roster_clipped_fini(&l->est);
    free(l->b);
    free(l->used);
    free(l->queue);
    free(l->pi);
}

void roster_lite_reset(void *self)
{
    roster_lite *l = self;
    roster_clipped_reset(&l->est);
    restart(l);
}

/* Move what is pending to the front, so that the space of used rounds is found again. */
static void compact(roster_lite *self)
{
    size_t n = self->est.prepared->problem.experts->n;
    if (self->count > 0)
        memmove(self->queue, self->queue + self->head, self->count * sizeof *self->queue);
    if (self->count > 0 && self->pi != NULL)
        memmove(self->pi, self->pi + self->head * n, self->count * n * sizeof *self->pi);
    self->head = 0;
}

static int make_room(roster_lite *self, size_t rounds)
{
    size_t n = self->est.prepared->problem.experts->n;
    if (self->head > self->count)
        compact(self); /* at least half of the space is used rounds: amortised O(1) */
    size_t used = self->head + self->count;
    int code = roster_grow(&self->queue, &self->capacity, used, rounds, sizeof *self->queue);
    if (code == ROSTER_OK && !finite_contexts(self))
        code = roster_grow(&self->pi, &self->pi_capacity, used * n, roster_times(rounds, n), sizeof *self->pi);
    return code;
}

int roster_lite_reserve(void *self, size_t rounds)
{
    roster_lite *l = self;
    int code = roster_clipped_reserve(&l->est, rounds);
    return code == ROSTER_OK ? make_room(l, rounds) : code;
}

/* Behind the last pending round; it is pending only once count says so. */
static void write_last(roster_lite *self, const roster_sample *sample)
{
    size_t at = self->head + self->count, n = self->est.prepared->problem.experts->n;
    self->queue[at] = (roster_pending){sample->k, sample->cell, sample->s};
    if (!finite_contexts(self))
        memcpy(self->pi + at * n, sample->pi, n * sizeof *self->pi);
}

static int absorb_first(roster_lite *self)
{
    const roster_experts *e = self->est.prepared->problem.experts;
    const roster_pending *round = &self->queue[self->head];
    const double *pi = finite_contexts(self) ? e->pi + round->cell * e->n : self->pi + self->head * e->n;
    roster_sample sample = {.k = round->k, .cell = round->cell, .pi = pi, .n = 1, .s = round->y};
    return roster_clipped_absorb(&self->est, &sample);
}

static void update(roster_lite *self, size_t i, uint64_t m)
{
    if (self->used[i] <= m) {
        double index = roster_clipped_index(&self->est, i);
        self->b[i] = roster_is_retired(self->est.prepared->problem.experts, i) ? -INFINITY : index;
        self->used[i] = m;
    }
}

static void update_indices(roster_lite *self, size_t k, uint64_t m)
{
    size_t n = self->est.prepared->problem.experts->n, others[ROSTER_LITE_MOST];
    if (self->t == 1) {
        for (size_t i = 0; i < n; i++)
            update(self, i, m);
        return;
    }
    size_t count = roster_lite_others(self->stream, self->t, n, k, others);
    update(self, k, m);
    for (size_t j = 0; j < count; j++)
        update(self, others[j], m);
}

int roster_lite_learn(void *self, const roster_sample *sample)
{
    roster_lite *l = self;
    uint64_t m = roster_lite_rounds(l->t + 1, l->beta);
    bool next = m > l->est.tally.t;
    if (make_room(l, 1) != ROSTER_OK)
        return ROSTER_ENOMEM;
    write_last(l, sample);
    if (next && absorb_first(l) != ROSTER_OK)
        return ROSTER_ENOMEM;
    l->count++;
    l->head += next;
    l->count -= next;
    l->t++;
    update_indices(l, sample->k, m);
    l->leader = roster_leader(l->b, l->est.prepared->problem.experts->n);
    return ROSTER_OK;
}

/* The rounds that are still to be used; who comes is not known in them where contexts are not finite. */
static int adopt_queue(roster_lite *self, const roster_lite *from, size_t n)
{
    size_t more = self->est.prepared->problem.experts->n;
    if (make_room(self, from->count) != ROSTER_OK)
        return ROSTER_ENOMEM;
    if (from->count > 0)
        memcpy(self->queue, from->queue + from->head, from->count * sizeof *self->queue);
    for (size_t j = 0; j < from->count && !finite_contexts(self); j++) {
        memset(self->pi + j * more, 0, more * sizeof *self->pi);
        memcpy(self->pi + j * more, from->pi + (from->head + j) * n, n * sizeof *self->pi);
    }
    self->count = from->count;
    return ROSTER_OK;
}

int roster_lite_adopt(void *self, const void *from, size_t n)
{
    roster_lite *l = self;
    const roster_lite *before = from;
    const roster_experts *e = l->est.prepared->problem.experts;
    if (roster_clipped_merge(&l->est, &before->est) != ROSTER_OK || adopt_queue(l, before, n) != ROSTER_OK)
        return ROSTER_ENOMEM;
    l->t = before->t;
    for (size_t i = 0; i < e->n && l->t > 0; i++) {
        l->b[i] = i < n ? before->b[i] : roster_clipped_index(&l->est, i);
        l->used[i] = i < n ? before->used[i] : l->est.tally.t;
    }
    roster_experts_mask(e, l->b);
    if (l->t > 0)
        l->leader = roster_leader(l->b, e->n);
    return ROSTER_OK;
}

size_t roster_lite_choose(const void *self)
{
    return ((const roster_lite *)self)->leader;
}

size_t roster_lite_choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const roster_lite *l = self;
    return roster_waiting_leader(l->b, l->est.tally.n, l->leader, waiting, u);
}

void roster_lite_index(const void *self, double *u)
{
    const roster_lite *l = self;
    memcpy(u, l->b, l->est.prepared->problem.experts->n * sizeof *u);
}

void roster_lite_insight(const void *self, size_t i, roster_insight *out)
{
    roster_clipped_insight(&((const roster_lite *)self)->est, i, out);
}

void roster_lite_save(const void *self, roster_writer *w)
{
    const roster_lite *l = self;
    size_t n = l->est.prepared->problem.experts->n;
    roster_clipped_save(&l->est, w);
    roster_put_u64(w, l->t);
    roster_put_doubles(w, l->b, n);
    for (size_t i = 0; i < n; i++)
        roster_put_u64(w, l->used[i]);
    roster_put_u64(w, l->count);
    for (size_t j = l->head; j < l->head + l->count; j++) {
        roster_put_u64(w, l->queue[j].k);
        roster_put_u64(w, l->queue[j].cell);
        roster_put_double(w, l->queue[j].y);
        if (!finite_contexts(l))
            roster_put_doubles(w, l->pi + j * n, n);
    }
}

static bool pending_is_sound(const roster_lite *self, const roster_pending *round)
{
    bool cell = finite_contexts(self) ? round->cell < self->est.tally.block : round->cell == ROSTER_NO_CELL;
    return cell && round->k < self->est.prepared->problem.experts->n && round->y >= 0 && round->y <= 1;
}

static void load_queue(roster_lite *self, roster_reader *r, size_t count)
{
    size_t n = self->est.prepared->problem.experts->n;
    for (size_t j = 0; j < count; j++) {
        roster_pending *round = &self->queue[j];
        round->k = (size_t)roster_get_u64(r);
        round->cell = (size_t)roster_get_u64(r);
        round->y = roster_get_double(r);
        r->failed |= !pending_is_sound(self, round);
        if (finite_contexts(self))
            continue;
        roster_get_doubles(r, self->pi + j * n, n);
        for (size_t i = 0; i < n; i++)
            r->failed |= !(self->pi[j * n + i] >= 0 && self->pi[j * n + i] <= 1);
    }
    self->count = count;
}

int roster_lite_load(void *self, roster_reader *r)
{
    roster_lite *l = self;
    size_t n = l->est.prepared->problem.experts->n;
    int code = roster_clipped_load(&l->est, r);
    if (code != ROSTER_OK || r->failed)
        return code;
    l->t = roster_get_u64(r);
    roster_get_doubles(r, l->b, n);
    for (size_t i = 0; i < n; i++) {
        l->used[i] = roster_get_u64(r);
        r->failed |= isnan(l->b[i]);
    }
    size_t count = roster_get_count(r, finite_contexts(l) ? 24 : 24 + 8 * n);
    r->failed |= l->est.tally.t + count != l->t;
    code = r->failed ? ROSTER_OK : make_room(l, count);
    if (code == ROSTER_OK && !r->failed)
        load_queue(l, r, count);
    if (l->t > 0)
        l->leader = roster_leader(l->b, n);
    return code;
}
