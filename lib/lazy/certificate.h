/*
 * certificate.h: for how long the leader is certain, and what happened meanwhile.
 *
 * Most rounds do not change the leader. A hold is a proof of that for rounds to come, made once and used for all of
 * them: while it lasts, rounds are only collected, and then learnt at once. certificate.c has the proof for D-UCB and ED-UCB,
 * arms.c that for UCB and KL-UCB.
 */
#ifndef ROSTER_CERTIFICATE_H
#define ROSTER_CERTIFICATE_H

#include "base.h"

/* Expert k is chosen in each of the next `rounds` rounds, as long as it is the one that plays and slack stays above 0
   before each of them. A round changes slack by its reward * gain[cell] - cost. */
typedef struct roster_certificate {
    size_t k;
    uint64_t rounds; /* at least 1: the next round is always certain */
    double slack, cost;
    double *gain; /* borrowed, [X V]: the agent may write it, and finds what it wrote last; 1 at first */
} roster_certificate;

#define ROSTER_SHARE 0.125 /* of t that a hold may last, or an expert of a crowd may sleep */

/* (2) of certificate.c: in n rounds, n at most that share of t, sqrt(t ln t) grows by at most this times n of itself. */
static inline double roster_rho(double t, double ln_t)
{
    return (1 + 1.125 / ln_t) / (2 * t);
}

/* For the next round alone. */
static inline void roster_certificate_for_one_round(roster_certificate *certificate, size_t k)
{
    certificate->k = k;
    certificate->rounds = 1;
    certificate->slack = 1;
    certificate->cost = 0;
}

typedef struct roster_batch_cell {
    uint64_t n;
    double s;
} roster_batch_cell;

/* Rounds of one expert, by context and action. */
typedef struct roster_batch {
    size_t k;
    uint64_t n;               /* rounds                              */
    double s;                 /* sum of their rewards                */
    roster_batch_cell *cells; /* owned, [X V]                        */
    size_t *touched;          /* owned, [X V + 1]: cells with n > 0  */
    size_t n_touched;
} roster_batch;

int roster_batch_init(roster_batch *self, size_t cells);
void roster_batch_fini(roster_batch *self);
void roster_batch_clear(roster_batch *self);

#endif
