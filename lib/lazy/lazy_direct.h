/*
 * lazy_direct.h: a direct estimate that learns in batches, with certificates between them.
 */
#ifndef ROSTER_LAZY_DIRECT_H
#define ROSTER_LAZY_DIRECT_H

#include "direct_certificate.h"

typedef struct roster_lazy_direct {
    roster_direct direct;
    roster_certificate held; /* of now; gain and loss are owned, [X V]                 */
    bool found;              /* it is for more than one round                          */
    bool behind;             /* the pool has learnt what the rest has not              */
    uint64_t since;          /* rounds learnt by the certificate                       */
    uint64_t pause, resume;  /* rounds to wait where none paid; the next is looked for from this round on */
    double *lines;           /* owned: scratch                                          */
} roster_lazy_direct;

/* Knows what `from` knows, which must outlive nothing. ROSTER_ENOMEM: stop it. */
int roster_lazy_direct_start(roster_lazy_direct *self, const roster_direct *from);
void roster_lazy_direct_stop(roster_lazy_direct *self);
void roster_lazy_direct_certify(const roster_lazy_direct *self, roster_certificate *certificate);
uint64_t roster_lazy_direct_most(const roster_lazy_direct *self);
void roster_lazy_direct_learn_batch(roster_lazy_direct *self, const roster_batch *batch);
/* `to`, for the same problem, now knows what self does; self can only be stopped. */
void roster_lazy_direct_finish(roster_lazy_direct *self, roster_direct *to);

#endif
