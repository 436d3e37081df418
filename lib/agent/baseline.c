/*
 * baseline.c: what the oracle and the uniform agent share: counting rounds.
 *
 * Paper: none.
 *
 * Check: the contract of all agents (tests/unit/test_contract.c).
 */
#include "baseline.h"

int roster_yardstick_init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    ((roster_yardstick *)self)->setup = setup;
    return ROSTER_OK;
}

void roster_yardstick_fini(void *self)
{
    (void)self;
}

void roster_yardstick_reset(void *self)
{
    ((roster_yardstick *)self)->t = 0;
}

int roster_yardstick_reserve(void *self, size_t rounds)
{
    (void)self;
    (void)rounds;
    return ROSTER_OK;
}

int roster_yardstick_learn(void *self, const roster_sample *sample)
{
    (void)sample;
    ((roster_yardstick *)self)->t++;
    return ROSTER_OK;
}

void roster_yardstick_save(const void *self, roster_writer *w)
{
    roster_put_u64(w, ((const roster_yardstick *)self)->t);
}

int roster_yardstick_load(void *self, roster_reader *r)
{
    ((roster_yardstick *)self)->t = roster_get_u64(r);
    return ROSTER_OK;
}

int roster_yardstick_merge(void *self, const void *from)
{
    ((roster_yardstick *)self)->t += ((const roster_yardstick *)from)->t;
    return ROSTER_OK;
}
