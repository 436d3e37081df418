/*
 * evidence_literal.h: the evidence as it is defined. Slow and plain: the oracle the running form is tested by.
 */
#ifndef ROSTER_EVIDENCE_LITERAL_H
#define ROSTER_EVIDENCE_LITERAL_H

#include "evidence_internal.h"

/* The sums of one process. */
typedef struct roster_literal_process {
    long double psi, lambda, charge;
} roster_literal_process;

typedef struct roster_evidence_literal {
    const roster_experts *experts;
    bool own;
    long double delta;
    size_t t, capacity, leader;
    roster_event *events;            /* owned: those so far; what they point to is borrowed       */
    roster_literal_process *process; /* owned, [n][ROSTER_SIDES]                                  */
    long double *spread;             /* owned, [n][ROSTER_SIDES][n + 1][2]: rounds, squares        */
    long double *lost;               /* owned, [n][n + 1][2]: rounds of k, what clipping left out    */
    long double *worse;              /* owned, [n]                                                */
} roster_evidence_literal;

int roster_evidence_literal_init(roster_evidence_literal *self, const roster_experts *experts, double level, bool own,
                                 size_t rounds);
void roster_evidence_literal_fini(roster_evidence_literal *self);
/* A legal event; there must be room for it. fixed: the reference to take; SIZE_MAX: the leader. */
void roster_evidence_literal_learn(roster_evidence_literal *self, const roster_event *event, size_t fixed);
/* Centre and half width of a process; its miss has probability delta / 2, of a value delta / (2N). */
void roster_evidence_literal_interval(const roster_evidence_literal *self, size_t i, int side, double *centre,
                                      double *half);

#endif
