/*
 * model_test.c: does the reward depend on who acts?
 *
 * Paper: Beyond 16 (test of the model).
 *
 *   ln E_k = sum over cells [ lnKT(cell, played by k) + lnKT(cell, played by others) - lnML(cell) ]
 *
 * If the reward depends on context and action alone, ln E_k ever reaches ln(N/delta) with probability at most delta/N,
 * for every reward in [0, 1] and whatever is played (marginal.c; product over the cells): so any expert is ever wrongly
 * rejected with probability at most delta. A rejection stands, and what the expert earned is taken out of the cells:
 * the others are compared among themselves.
 *
 * What E_k is may be looked at whenever one likes. Of cells that k never played the terms are the same for every k; the
 * rest are computed at rounds 64, 128, 192, 256, 320 and then whenever the rounds have grown by a quarter.
 *
 * Cost: a few operations a round; at a look six ln G per expert and cell that it played; 24 bytes per cell and expert.
 * Check: tests/unit/test_model_test.c: equals_literal, two_experts_by_hand.
 */
#include "event.h"
#include "marginal.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_LEAST = 64, LOOK_SHARE = 4 };

struct roster_model_test {
    const roster_experts *experts; /* borrowed */
    double delta;
    roster_tally tally;
    roster_cell *pooled; /* owned, [cells]: of experts that are not rejected             */
    double *together;    /* owned, [cells]: lnKT of the pooled cell, as of the last look  */
    double *evidence;    /* owned, [experts]: ln E_k of the last look, or of the rejection */
    uint64_t *rejected;  /* owned, [experts]: in which round; 0: not                     */
    uint64_t next;       /* round of the next look                                       */
};

static int check_create(const roster_experts *experts, double delta, roster_error *err)
{
    if (experts == NULL || experts->kind != ROSTER_TABLES)
        return roster_fail(err, ROSTER_EINVAL,
                           "the test whether rewards depend on who acts needs experts that are tables");
    if (!(delta >= 1e-300 && delta < 1))
        return roster_fail(err, ROSTER_EINVAL, "delta is %g, must be in [1e-300, 1)", delta);
    return ROSTER_OK;
}

static size_t cells_of(const roster_model_test *self)
{
    return self->experts->x * self->experts->v;
}

static int allocate(roster_model_test *self)
{
    size_t n = self->experts->n, cells = cells_of(self);
    int code = roster_tally_init(&self->tally, n, cells);
    self->pooled = roster_alloc(cells, sizeof *self->pooled);
    self->together = roster_alloc(cells, sizeof *self->together);
    self->evidence = roster_alloc(n, sizeof *self->evidence);
    self->rejected = roster_alloc(n, sizeof *self->rejected);
    bool fits = self->pooled != NULL && self->together != NULL && self->evidence != NULL && self->rejected != NULL;
    return fits ? code : ROSTER_ENOMEM;
}

int roster_model_test_create(roster_model_test **out, const roster_experts *experts, double delta, roster_error *err)
{
    *out = NULL;
    int code = check_create(experts, delta, err);
    if (code != ROSTER_OK)
        return code;
    roster_model_test *self = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return roster_fail_memory(err);
    self->experts = experts;
    self->delta = delta;
    self->next = LOOK_LEAST;
    if (allocate(self) != ROSTER_OK) {
        roster_model_test_free(self);
        return roster_fail_memory(err);
    }
    *out = self;
    return ROSTER_OK;
}

void roster_model_test_free(roster_model_test *self)
{
    if (self == NULL)
        return;
    roster_tally_fini(&self->tally);
    free(self->pooled);
    free(self->together);
    free(self->evidence);
    free(self->rejected);
    free(self);
}

void roster_model_test_reset(roster_model_test *self)
{
    roster_tally_reset(&self->tally);
    memset(self->pooled, 0, cells_of(self) * sizeof *self->pooled);
    memset(self->evidence, 0, self->experts->n * sizeof *self->evidence);
    memset(self->rejected, 0, self->experts->n * sizeof *self->rejected);
    self->next = LOOK_LEAST;
}

/* Number and sum of the rewards of a cell. */
typedef struct heap {
    double n, s;
} heap;

static heap heap_with(double n, double s)
{
    n = n > 0 ? n : 0;
    return (heap){n, s < 0 ? 0 : s < n ? s : n};
}

static heap heap_of(const roster_cell *cell)
{
    return heap_with((double)cell->n, cell->s + cell->lo);
}

/* What others than k earned in a cell. */
static heap others_of(const roster_model_test *self, size_t k, size_t c, heap own)
{
    heap all = heap_of(&self->pooled[c]);
    return self->rejected[k] > 0 ? all : heap_with(all.n - own.n, all.s - own.s);
}

static double ln_kt(heap h)
{
    return roster_ln_kt(h.s, h.n - h.s);
}

/* lnKT of every pooled cell; the sum of lnKT - lnML, which is ln E of an expert that never acted. */
static double pool(roster_model_test *self)
{
    double sum = 0;
    for (size_t c = 0; c < cells_of(self); c++) {
        heap all = heap_of(&self->pooled[c]);
        if (all.n == 0)
            continue;
        self->together[c] = ln_kt(all);
        sum += self->together[c] - roster_ln_ml(all.s, all.n - all.s);
    }
    return sum;
}

static double evidence_of(const roster_model_test *self, size_t k, double sum)
{
    for (size_t c = 0; c < cells_of(self); c++) {
        heap own = heap_of(&self->tally.cells[self->tally.first[k] + c]);
        if (own.n > 0)
            sum += ln_kt(own) + ln_kt(others_of(self, k, c, own)) - self->together[c];
    }
    return sum;
}

/* Of the experts that are not rejected the one with the most evidence; of those that tie the first. */
static size_t most_suspect(roster_model_test *self)
{
    double sum = pool(self), most = -INFINITY;
    size_t suspect = 0;
    for (size_t k = 0; k < self->experts->n; k++) {
        if (self->rejected[k] > 0 || self->tally.plays[k] == 0)
            continue;
        double e = self->evidence[k] = evidence_of(self, k, sum);
        suspect = e > most + roster_tie(most) || most == -INFINITY ? k : suspect;
        most = e > most + roster_tie(most) || most == -INFINITY ? e : most;
    }
    return suspect;
}

/* What a rejected expert earned is taken out of the pooled cells: the others are compared without it. */
static void take_out(roster_model_test *self, size_t k)
{
    for (size_t c = 0; c < cells_of(self); c++) {
        const roster_cell *own = &self->tally.cells[self->tally.first[k] + c];
        self->pooled[c].n -= own->n;
        roster_add(&self->pooled[c].s, &self->pooled[c].lo, -own->s);
        self->pooled[c].lo -= own->lo;
    }
}

/* Looks at every expert; whether one more is rejected. One by one, since whoever is compared with an expert that earns
   less seems to earn more. */
static bool look(roster_model_test *self)
{
    double threshold = roster_ln((double)self->experts->n) - roster_ln(self->delta);
    bool rejects = false;
    size_t k = most_suspect(self);
    while (self->rejected[k] == 0 && self->evidence[k] >= threshold) {
        self->rejected[k] = self->tally.t;
        take_out(self, k);
        rejects = true;
        k = most_suspect(self);
    }
    uint64_t share = self->tally.t / LOOK_SHARE;
    self->next = self->tally.t + (share > LOOK_LEAST ? share : LOOK_LEAST);
    return rejects;
}

int roster_model_test_prepare(roster_model_test *self, size_t k, roster_error *err)
{
    if (k >= self->experts->n)
        return roster_fail(err, ROSTER_EINVAL, "expert is %zu, must be below %zu", k, self->experts->n);
    bool fits =
        self->tally.first[k] != ROSTER_NO_CELL || roster_tally_reserve(&self->tally, cells_of(self)) == ROSTER_OK;
    return fits ? ROSTER_OK : roster_fail_memory(err);
}

int roster_model_test_learn(roster_model_test *self, const roster_event *event, bool *rejects, roster_error *err)
{
    *rejects = false;
    int code = roster_event_check(self->experts, event, err);
    if (code != ROSTER_OK)
        return code;
    if (self->tally.first[event->expert] == ROSTER_NO_CELL &&
        roster_tally_reserve(&self->tally, cells_of(self)) != ROSTER_OK)
        return roster_fail_memory(err);
    size_t c = event->context * self->experts->v + event->action;
    roster_tally_add(&self->tally, roster_tally_open(&self->tally, event->expert) + c, 1, event->reward);
    roster_tally_count(&self->tally, event->expert, 1);
    if (self->rejected[event->expert] == 0) {
        self->pooled[c].n++;
        roster_add(&self->pooled[c].s, &self->pooled[c].lo, event->reward);
    }
    if (self->tally.t >= self->next)
        *rejects = look(self);
    return ROSTER_OK;
}

/* What k earned, and what others would have, where both were seen. */
static void compare(const roster_model_test *self, size_t k, roster_verdict *out)
{
    double own_sum = 0, others_sum = 0;
    for (size_t c = 0; c < cells_of(self); c++) {
        heap own = heap_of(&self->tally.cells[self->tally.first[k] + c]), others = others_of(self, k, c, own);
        if (own.n == 0 || others.n == 0)
            continue;
        out->rounds += own.n;
        own_sum += own.s;
        others_sum += own.n * others.s / others.n;
    }
    if (out->rounds > 0) {
        out->own = own_sum / out->rounds;
        out->others = others_sum / out->rounds;
    }
}

void roster_model_test_verdict(const roster_model_test *self, size_t k, roster_verdict *out)
{
    *out = (roster_verdict){.own = NAN, .others = NAN};
    if (k >= self->experts->n || self->tally.plays[k] == 0)
        return;
    out->rejected = self->rejected[k];
    out->evidence = self->evidence[k];
    compare(self, k, out);
}

void roster_model_test_sentence(const roster_model_test *self, size_t k, char *text, size_t size)
{
    roster_verdict verdict;
    if (size == 0)
        return;
    text[0] = '\0';
    roster_model_test_verdict(self, k, &verdict);
    if (verdict.rejected == 0)
        return;
    roster_append(text, size, "The reward depends on whether %.80s acts: it earns %s than its actions explain",
                  roster_experts_name(self->experts, k), verdict.own < verdict.others ? "less" : "more");
    if (verdict.rounds > 0)
        roster_append(text, size,
                      ", %.3g a round where others earn %.3g with the same actions in the same contexts "
                      "(%.0f rounds)",
                      verdict.own, verdict.others, verdict.rounds);
    roster_append(text, size, ". It is judged by its own rewards alone.");
}

uint64_t roster_model_test_rounds(const roster_model_test *self)
{
    return self->tally.t;
}

static roster_envelope envelope_of(const roster_model_test *self)
{
    const roster_experts *e = self->experts;
    double shape[] = {(double)e->n, (double)e->x, (double)e->v, self->delta};
    return (roster_envelope){"model test", roster_hash_doubles(ROSTER_HASH_START, shape, sizeof shape / sizeof *shape),
                             "a test for other experts or another delta"};
}

size_t roster_model_test_save(const roster_model_test *self, void *buf, size_t size)
{
    roster_writer w = {.data = buf, .size = size};
    roster_envelope envelope = envelope_of(self);
    roster_envelope_begin(&w, &envelope);
    roster_put_u64(&w, self->next);
    roster_put_doubles(&w, self->evidence, self->experts->n);
    for (size_t k = 0; k < self->experts->n; k++)
        roster_put_u64(&w, self->rejected[k]);
    roster_tally_save(&self->tally, &w);
    return roster_envelope_end(&w);
}

/* The cells of all experts that are not rejected, added up. */
static void pool_tally(roster_model_test *self)
{
    const roster_tally *from = &self->tally;
    memset(self->pooled, 0, cells_of(self) * sizeof *self->pooled);
    for (size_t k = 0; k < from->n; k++)
        for (size_t c = 0; self->rejected[k] == 0 && from->first[k] != ROSTER_NO_CELL && c < from->block; c++) {
            const roster_cell *cell = &from->cells[from->first[k] + c];
            self->pooled[c].n += cell->n;
            roster_add(&self->pooled[c].s, &self->pooled[c].lo, cell->s);
            self->pooled[c].lo += cell->lo;
        }
}

static int load_all(roster_model_test *self, roster_reader *r)
{
    self->next = roster_get_u64(r);
    roster_get_doubles(r, self->evidence, self->experts->n);
    for (size_t k = 0; k < self->experts->n; k++)
        self->rejected[k] = roster_get_u64(r);
    int code = roster_tally_load(&self->tally, r);
    r->failed |= !roster_reader_ended(r);
    for (size_t k = 0; k < self->experts->n; k++) /* an expert that acted has cells */
        r->failed |= (self->tally.plays[k] > 0) != (self->tally.first[k] != ROSTER_NO_CELL);
    if (code == ROSTER_OK && !r->failed)
        pool_tally(self);
    return code;
}

/* What is there now goes with the other. */
static void swap(roster_model_test *a, roster_model_test *b)
{
    roster_model_test old = *a;
    *a = *b;
    *b = old;
}

int roster_model_test_load(roster_model_test *self, const void *buf, size_t size, roster_error *err)
{
    roster_reader r;
    roster_model_test *fresh;
    roster_envelope envelope = envelope_of(self);
    int code = roster_envelope_open(&r, buf, size, &envelope, err);
    if (code == ROSTER_OK)
        code = roster_model_test_create(&fresh, self->experts, self->delta, err);
    if (code != ROSTER_OK)
        return code;
    if (load_all(fresh, &r) != ROSTER_OK)
        code = roster_fail_memory(err);
    else if (r.failed)
        code = roster_fail_inconsistent(err);
    else
        swap(self, fresh);
    roster_model_test_free(fresh);
    return code;
}

/* Room in `into` for all experts that acted in `from`. */
static int reserve_for(roster_tally *into, const roster_tally *from)
{
    size_t missing = 0;
    for (size_t k = 0; k < from->n; k++)
        missing += from->first[k] != ROSTER_NO_CELL && into->first[k] == ROSTER_NO_CELL;
    return roster_tally_reserve(into, missing * from->block);
}

static void add_tally(roster_tally *into, const roster_tally *from)
{
    for (size_t k = 0; k < from->n; k++) {
        roster_tally_count(into, k, from->plays[k]);
        for (size_t c = 0; from->first[k] != ROSTER_NO_CELL && c < from->block; c++) {
            roster_cell cell = from->cells[from->first[k] + c]; /* a copy: a test may be merged with itself */
            roster_tally_add(into, roster_tally_open(into, k) + c, cell.n, cell.s);
            into->cells[into->first[k] + c].lo += cell.lo;
        }
    }
}

int roster_model_test_set_experts(roster_model_test *self, const roster_experts *experts, roster_error *err)
{
    roster_model_test *fresh = NULL;
    size_t n = self->experts->n;
    int code = roster_experts_check_change(self->experts, experts, err);
    if (code == ROSTER_OK)
        code = roster_model_test_create(&fresh, experts, self->delta, err);
    if (code == ROSTER_OK && reserve_for(&fresh->tally, &self->tally) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK) {
        add_tally(&fresh->tally, &self->tally);
        memcpy(fresh->evidence, self->evidence, n * sizeof *self->evidence);
        memcpy(fresh->rejected, self->rejected, n * sizeof *self->rejected);
        fresh->next = self->next;
        pool_tally(fresh);
        swap(self, fresh);
    }
    roster_model_test_free(fresh);
    return code;
}

int roster_model_test_merge(roster_model_test *into, const roster_model_test *from, roster_error *err)
{
    roster_envelope mine = envelope_of(into), other = envelope_of(from);
    if (mine.fingerprint != other.fingerprint)
        return roster_fail(err, ROSTER_EINVAL, "the tests to merge are for other experts or another delta");
    if (reserve_for(&into->tally, &from->tally) != ROSTER_OK)
        return roster_fail_memory(err);
    add_tally(&into->tally, &from->tally);
    for (size_t k = 0; k < into->experts->n; k++)
        if (from->rejected[k] > 0 && into->rejected[k] == 0) {
            into->rejected[k] = from->rejected[k];
            into->evidence[k] = from->evidence[k];
        }
    pool_tally(into);
    look(into);
    return ROSTER_OK;
}
