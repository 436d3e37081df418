/*
 * lazy_direct.c: a direct estimate that learns in batches, with certificates between them.
 *
 * Paper: none.
 *
 * While a certificate lasts (direct_certificate.c) batches go into the pool alone; what rests on it stays behind. A
 * certificate may take several batches: the test of declared contexts has to be looked at more often than the
 * leader changes (roster_direct_most). Rounds one by one are learnt as ever. To look for a certificate costs as much as
 * X V / 4 rounds or so; where it lasted for fewer, or none was found, the next is looked for later, twice as late every
 * time.
 *
 * Cost: per batch O(cells in it) and X logarithms of the gamma function; O(N X V) per certificate.
 * Check: the agent that learnt round by round (tests/unit/test_contract.c: lazy_interfaces,
 *        tests/unit/test_certificate.c: random_instances).
 */
#include "lazy_direct.h"

#include <stdlib.h>
#include <string.h>

int roster_lazy_direct_start(roster_lazy_direct *self, const roster_direct *from)
{
    size_t cells = from->pool.x * from->pool.v;
    self->held.gain = roster_alloc(cells, sizeof *self->held.gain);
    self->held.loss = roster_alloc(cells, sizeof *self->held.loss);
    self->lines = roster_alloc(roster_times(from->up, ROSTER_DIRECT_LINE), sizeof *self->lines);
    if (roster_direct_init(&self->direct, &from->problem) != ROSTER_OK || self->held.gain == NULL ||
        self->held.loss == NULL || self->lines == NULL)
        return ROSTER_ENOMEM;
    roster_direct_copy(&self->direct, from);
    roster_certificate_for_one_round(&self->held, self->direct.leader);
    return ROSTER_OK;
}

void roster_lazy_direct_stop(roster_lazy_direct *self)
{
    roster_direct_fini(&self->direct);
    free(self->held.gain);
    free(self->held.loss);
    free(self->lines);
}

void roster_lazy_direct_certify(const roster_lazy_direct *self, roster_certificate *certificate)
{
    size_t cells = self->direct.pool.x * self->direct.pool.v;
    roster_certificate_for_one_round(certificate, self->held.k);
    if (!self->found || certificate->loss == NULL)
        return;
    uint64_t most = roster_direct_most(&self->direct);
    certificate->rounds = self->held.rounds < most ? self->held.rounds : most;
    certificate->slack = self->held.slack;
    certificate->loses = true;
    memcpy(certificate->gain, self->held.gain, cells * sizeof *certificate->gain);
    memcpy(certificate->loss, self->held.loss, cells * sizeof *certificate->loss);
}

uint64_t roster_lazy_direct_most(const roster_lazy_direct *self)
{
    return roster_direct_most(&self->direct);
}

/* What a batch takes from the certificate. */
static void spend(roster_lazy_direct *self, const roster_batch *batch)
{
    roster_certificate *held = &self->held;
    for (size_t i = 0; i < batch->n_touched; i++) {
        size_t c = batch->touched[i];
        held->slack += batch->cells[c].s * held->gain[c] - (double)batch->cells[c].n * held->loss[c];
    }
    held->rounds -= batch->n < held->rounds ? batch->n : held->rounds;
    self->since += batch->n;
}

/* The last one paid, or it did not. */
static void set_pause(roster_lazy_direct *self, bool paid)
{
    uint64_t t = self->direct.pool.t, longer = 2 * self->pause + 1;
    self->pause = paid ? 0 : longer < t / 16 ? longer : t / 16;
    self->resume = t + self->pause;
}

/* Looks for the next one, unless none paid of late. */
static void look(roster_lazy_direct *self)
{
    if (self->found)
        set_pause(self, self->since > self->direct.pool.x * self->direct.pool.v / 4);
    self->found = false;
    self->since = 0;
    roster_certificate_for_one_round(&self->held, self->direct.leader);
    if (self->direct.pool.t < self->resume)
        return;
    roster_direct_certify(&self->direct, self->lines, &self->held);
    self->found = self->held.rounds > 1;
    if (!self->found)
        set_pause(self, false);
}

static void learn_one(roster_lazy_direct *self, const roster_batch *batch)
{
    size_t cell = batch->touched[0];
    roster_direct_learn(&self->direct, batch->k, cell, batch->cells[cell].s);
}

void roster_lazy_direct_learn_batch(roster_lazy_direct *self, const roster_batch *batch)
{
    bool held = self->found && batch->k == self->held.k;
    if (batch->n == 1 && !self->behind && !held) {
        learn_one(self, batch);
        look(self);
        return;
    }
    roster_direct_collect(&self->direct, batch);
    self->behind = true;
    if (held)
        spend(self, batch);
    bool rejected = self->direct.test.rejected && !self->direct.learnt;
    if (held && !rejected && self->held.slack > 1e-9 && self->held.rounds > 0)
        return;
    roster_direct_settle(&self->direct);
    self->behind = false;
    look(self);
}

void roster_lazy_direct_finish(roster_lazy_direct *self, roster_direct *to)
{
    if (self->behind)
        roster_direct_settle(&self->direct);
    roster_direct before = *to;
    *to = self->direct;
    self->direct = before;
}
