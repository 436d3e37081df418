/*
 * estimator.h: a running estimator that owns its facts, for tests that look inside one.
 */
#ifndef ROSTER_TEST_ESTIMATOR_H
#define ROSTER_TEST_ESTIMATOR_H

#include "support.h"

#include "clipped.h"

#include <string.h>

static inline void estimator_init(roster_clipped *self, const roster_knowledge *known)
{
    roster_facts *facts;
    memset(self, 0, sizeof *self);
    assert_int_equal(roster_facts_create(&facts, known), ROSTER_OK);
    assert_int_equal(roster_clipped_init(self, facts), ROSTER_OK);
}

static inline void estimator_fini(roster_clipped *self)
{
    roster_facts *facts = self->facts;
    roster_clipped_fini(self);
    roster_facts_free(facts);
}

#endif
