/*
 * estimator.h: a running estimator that owns its prepared problem, for tests that look inside one.
 */
#ifndef ROSTER_TEST_ESTIMATOR_H
#define ROSTER_TEST_ESTIMATOR_H

#include "support.h"

#include "clipped.h"

#include <string.h>

static inline void estimator_init(roster_clipped *self, const roster_estimator_problem *problem)
{
    roster_prepared *prepared;
    memset(self, 0, sizeof *self);
    assert_int_equal(roster_prepared_create(&prepared, problem), ROSTER_OK);
    assert_int_equal(roster_clipped_init(self, prepared), ROSTER_OK);
}

static inline void estimator_fini(roster_clipped *self)
{
    roster_prepared *prepared = self->prepared;
    roster_clipped_fini(self);
    roster_prepared_free(prepared);
}

#endif
