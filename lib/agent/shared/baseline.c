/*
 * baseline.c: what the oracle and the uniform agent share: counting rounds.
 *
 * Paper: none.
 *
 * Check: the contract of all agents (tests/unit/test_contract.c).
 */
#include "baseline.h"

int roster_baseline_init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    ((roster_baseline *)self)->setup = setup;
    return ROSTER_OK;
}

void roster_baseline_fini(void *self)
{
    (void)self;
}

void roster_baseline_reset(void *self)
{
    ((roster_baseline *)self)->t = 0;
}

int roster_baseline_learn(void *self, const roster_sample *sample)
{
    (void)sample;
    ((roster_baseline *)self)->t++;
    return ROSTER_OK;
}

void roster_baseline_save(const void *self, roster_writer *w)
{
    roster_put_u64(w, ((const roster_baseline *)self)->t);
}

int roster_baseline_load(void *self, roster_reader *r)
{
    ((roster_baseline *)self)->t = roster_get_u64(r);
    return ROSTER_OK;
}

int roster_baseline_learn_tally(void *self, const roster_tally_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((roster_baseline *)self)->t += rows[i].count;
    return ROSTER_OK;
}

int roster_baseline_merge(void *self, const void *from)
{
    ((roster_baseline *)self)->t += ((const roster_baseline *)from)->t;
    return ROSTER_OK;
}

int roster_baseline_adopt(void *self, const void *from, size_t n)
{
    (void)n;
    return roster_baseline_merge(self, from);
}
