/*
 * alarms.c: has the world changed? Events in, alarms out.
 *
 * Paper: Beyond 17 (alarms).
 *
 *   every 32 rounds, over 24 checkpoints: contexts (drift_contexts.c) with ln(2/delta), rewards (drift_rewards.c) with
 *   ln(2 cells/delta); both raised by the checkpoint's price
 *
 * Tables: a cell is a (context, action). Contexts that are not finite: a cell is an expert, whose plays are chosen
 * before the context is seen and so have one mean as long as nothing changes; contexts are not looked at.
 *
 * After an alarm that test starts afresh, so that between two changes a false alarm is ever raised with probability at
 * most delta, however long that takes.
 *
 * Cost: see the two tests; 32 rounds are kept and learnt at once.
 * Check: tests/unit/test_alarms.c: alarms_equal_literal; tests/unit/test_alarm_rates.c: false_alarms_are_rare.
 */
#include "drift.h"
#include "event.h"

#include <stdlib.h>

struct roster_alarms {
    const roster_experts *experts; /* borrowed */
    double delta;
    uint64_t rounds;
    size_t contexts[ROSTER_BLOCK], cells[ROSTER_BLOCK]; /* of the block under way: rounds % ROSTER_BLOCK of them */
    double rewards[ROSTER_BLOCK];
    roster_drift_contexts by_context; /* without contexts where they are not finite */
    roster_drift_rewards by_cell;
    uint64_t started[2]; /* rounds before each test's first                    */
    roster_alarm last[2];
};

static bool has_contexts(const roster_alarms *self)
{
    return self->experts->kind == ROSTER_TABLES;
}

static int check_create(const roster_experts *experts, double delta, roster_error *err)
{
    if (experts == NULL)
        return roster_fail(err, ROSTER_EINVAL, "alarms need experts");
    if (!(delta >= 1e-300 && delta < 1))
        return roster_fail(err, ROSTER_EINVAL, "delta is %g, must be in [1e-300, 1)", delta);
    return ROSTER_OK;
}

int roster_alarms_create(roster_alarms **out, const roster_experts *experts, double delta, roster_error *err)
{
    *out = NULL;
    int code = check_create(experts, delta, err);
    if (code != ROSTER_OK)
        return code;
    roster_alarms *self = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return roster_fail_memory(err);
    self->experts = experts;
    self->delta = delta;
    bool tables = has_contexts(self);
    size_t cells = tables ? experts->x * experts->v : experts->n;
    double base = roster_ln(2) - roster_ln(delta);
    if (roster_drift_contexts_init(&self->by_context, tables ? experts->x : 0, base) != ROSTER_OK ||
        roster_drift_rewards_init(&self->by_cell, cells, base + roster_ln((double)cells)) != ROSTER_OK) {
        roster_alarms_free(self);
        return roster_fail_memory(err);
    }
    *out = self;
    return ROSTER_OK;
}

void roster_alarms_free(roster_alarms *self)
{
    if (self == NULL)
        return;
    roster_drift_contexts_fini(&self->by_context);
    roster_drift_rewards_fini(&self->by_cell);
    free(self);
}

void roster_alarms_reset(roster_alarms *self)
{
    roster_drift_contexts_reset(&self->by_context);
    roster_drift_rewards_reset(&self->by_cell);
    self->rounds = self->started[0] = self->started[1] = 0;
    self->last[0] = self->last[1] = (roster_alarm){0};
}

/* The change as the caller sees it; its test starts afresh after this round. */
static unsigned raise_alarm(roster_alarms *self, unsigned kind, const roster_change *change, double threshold)
{
    size_t i = kind == ROSTER_CONTEXTS_CHANGED ? 0 : 1, v = self->experts->v;
    bool cell = kind == ROSTER_REWARDS_CHANGED && has_contexts(self);
    self->last[i] = (roster_alarm){.kind = kind,
                                   .round = self->rounds,
                                   .since = self->started[i] + change->since,
                                   .context = cell ? change->which / v : change->which,
                                   .action = cell ? change->which % v : 0,
                                   .before = change->before,
                                   .after = change->after,
                                   .rounds_before = change->n_before,
                                   .rounds_after = change->n_after,
                                   .evidence = change->evidence - threshold - roster_ln(self->delta)};
    if (!has_contexts(self)) {
        self->last[i].context = 0;
        self->last[i].expert = change->which;
    }
    self->started[i] = self->rounds;
    return kind;
}

/* A block is complete. */
static unsigned look(roster_alarms *self)
{
    roster_change change;
    unsigned raised = 0;
    if (has_contexts(self) && roster_drift_contexts_learn(&self->by_context, self->contexts, &change))
        raised |= raise_alarm(self, ROSTER_CONTEXTS_CHANGED, &change, self->by_context.threshold);
    if (roster_drift_rewards_learn(&self->by_cell, self->cells, self->rewards, &change))
        raised |= raise_alarm(self, ROSTER_REWARDS_CHANGED, &change, self->by_cell.threshold);
    return raised;
}

int roster_alarms_learn(roster_alarms *self, const roster_event *event, unsigned *raised, roster_error *err)
{
    *raised = 0;
    int code = roster_event_check(self->experts, event, err);
    if (code != ROSTER_OK)
        return code;
    size_t i = (size_t)(self->rounds % ROSTER_BLOCK);
    bool tables = has_contexts(self);
    self->contexts[i] = tables ? event->context : 0;
    self->cells[i] = tables ? event->context * self->experts->v + event->action : event->expert;
    self->rewards[i] = event->reward;
    self->rounds++;
    if (i + 1 == ROSTER_BLOCK)
        *raised = look(self);
    return ROSTER_OK;
}

bool roster_alarms_last(const roster_alarms *self, unsigned kind, roster_alarm *out)
{
    *out = (roster_alarm){0};
    if (kind == ROSTER_CONTEXTS_CHANGED || kind == ROSTER_REWARDS_CHANGED)
        *out = self->last[kind == ROSTER_CONTEXTS_CHANGED ? 0 : 1];
    return out->kind != 0;
}

uint64_t roster_alarms_rounds(const roster_alarms *self)
{
    return self->rounds;
}

double roster_alarms_delta(const roster_alarms *self)
{
    return self->delta;
}

int roster_alarms_set_experts(roster_alarms *self, const roster_experts *experts, roster_error *err)
{
    roster_alarms *fresh;
    int code = roster_experts_check_change(self->experts, experts, err);
    if (code != ROSTER_OK || has_contexts(self)) {
        self->experts = code == ROSTER_OK ? experts : self->experts;
        return code;
    }
    code = roster_alarms_create(&fresh, experts, self->delta, err);
    if (code != ROSTER_OK)
        return code;
    roster_alarms before = *self;
    *self = *fresh;
    *fresh = before;
    roster_alarms_free(fresh);
    return ROSTER_OK;
}

static roster_envelope envelope_of(const roster_alarms *self)
{
    const roster_experts *e = self->experts;
    double shape[] = {(double)e->kind, (double)e->n, (double)e->x, (double)e->v, self->delta};
    return (roster_envelope){"alarms", roster_hash_doubles(ROSTER_HASH_START, shape, sizeof shape / sizeof *shape),
                             "alarms for other experts or another delta"};
}

static void save_alarm(const roster_alarm *a, roster_writer *w)
{
    const uint64_t whole[] = {a->kind, a->round, a->since, a->context, a->action, a->expert};
    const double numbers[] = {a->before, a->after, a->rounds_before, a->rounds_after, a->evidence};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        roster_put_u64(w, whole[i]);
    roster_put_doubles(w, numbers, sizeof numbers / sizeof *numbers);
}

static void load_alarm(roster_alarm *a, unsigned kind, roster_reader *r)
{
    a->kind = (unsigned)roster_get_u64(r);
    a->round = roster_get_u64(r);
    a->since = roster_get_u64(r);
    a->context = (size_t)roster_get_u64(r);
    a->action = (size_t)roster_get_u64(r);
    a->expert = (size_t)roster_get_u64(r);
    a->before = roster_get_double(r);
    a->after = roster_get_double(r);
    a->rounds_before = roster_get_double(r);
    a->rounds_after = roster_get_double(r);
    a->evidence = roster_get_double(r);
    r->failed |= a->kind != 0 && a->kind != kind;
}

size_t roster_alarms_save(const roster_alarms *self, void *buf, size_t size)
{
    roster_writer w = {.data = buf, .size = size};
    roster_envelope envelope = envelope_of(self);
    roster_envelope_begin(&w, &envelope);
    roster_put_u64(&w, self->rounds);
    for (size_t i = 0; i < self->rounds % ROSTER_BLOCK; i++) {
        roster_put_u64(&w, self->contexts[i]);
        roster_put_u64(&w, self->cells[i]);
        roster_put_double(&w, self->rewards[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        roster_put_u64(&w, self->started[i]);
        save_alarm(&self->last[i], &w);
    }
    if (has_contexts(self))
        roster_drift_contexts_save(&self->by_context, &w);
    roster_drift_rewards_save(&self->by_cell, &w);
    return roster_envelope_end(&w);
}

static void load_block(roster_alarms *self, roster_reader *r)
{
    size_t contexts = has_contexts(self) ? self->experts->x : 1;
    for (size_t i = 0; i < self->rounds % ROSTER_BLOCK && !r->failed; i++) {
        self->contexts[i] = (size_t)roster_get_u64(r);
        self->cells[i] = (size_t)roster_get_u64(r);
        self->rewards[i] = roster_get_double(r);
        bool possible = self->contexts[i] < contexts && self->cells[i] < self->by_cell.cells && self->rewards[i] >= 0 &&
                        self->rewards[i] <= 1;
        r->failed |= !possible;
    }
}

static void load_all(roster_alarms *self, roster_reader *r)
{
    const unsigned kinds[] = {ROSTER_CONTEXTS_CHANGED, ROSTER_REWARDS_CHANGED};
    self->rounds = roster_get_u64(r);
    load_block(self, r);
    for (size_t i = 0; i < 2; i++) {
        self->started[i] = roster_get_u64(r);
        load_alarm(&self->last[i], kinds[i], r);
    }
    if (has_contexts(self))
        roster_drift_contexts_load(&self->by_context, r);
    roster_drift_rewards_load(&self->by_cell, r);
    r->failed |= !roster_reader_ended(r);
}

int roster_alarms_load(roster_alarms *self, const void *buf, size_t size, roster_error *err)
{
    roster_reader r;
    roster_alarms *fresh;
    roster_envelope envelope = envelope_of(self);
    int code = roster_envelope_open(&r, buf, size, &envelope, err);
    if (code == ROSTER_OK)
        code = roster_alarms_create(&fresh, self->experts, self->delta, err);
    if (code != ROSTER_OK)
        return code;
    load_all(fresh, &r);
    if (!r.failed) { /* what is there now goes with the other */
        roster_alarms old = *self;
        *self = *fresh;
        *fresh = old;
    }
    roster_alarms_free(fresh);
    return r.failed ? roster_fail_inconsistent(err) : ROSTER_OK;
}
