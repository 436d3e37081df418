/*
 * context_test.h: whether contexts come as they were declared to.
 */
#ifndef ROSTER_CONTEXT_TEST_H
#define ROSTER_CONTEXT_TEST_H

#include "base.h"

typedef struct roster_context_test {
    const double *p; /* borrowed, [x]: as declared                   */
    size_t x;
    double e, ln;  /* ln E = ln + ln e; e is kept near 1           */
    double limit;  /* of e: ln E is ln 1e4                         */
    bool rejected; /* ever                                         */
} roster_context_test;

void roster_context_test_init(roster_context_test *self, const double *p, size_t x);
void roster_context_test_reset(roster_context_test *self);
/* Context x came, after it had come n_x times in t rounds. */
void roster_context_test_learn(roster_context_test *self, size_t x, uint64_t n_x, uint64_t t);
double roster_context_test_ln(const roster_context_test *self);
/* How many rounds may come, whatever their contexts, that surely leave p unrejected, but for the last. At least 1. */
double roster_context_test_room(const roster_context_test *self, const uint64_t *counts, uint64_t t);
/* ln E from counts alone, of t rounds in all, in whatever order they came. */
void roster_context_test_set(roster_context_test *self, const uint64_t *counts, uint64_t t);
void roster_context_test_save(const roster_context_test *self, roster_writer *w);
void roster_context_test_load(roster_context_test *self, roster_reader *r);

#endif
