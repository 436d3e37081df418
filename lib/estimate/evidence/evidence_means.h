/*
 * evidence_means.h: what an action is expected to earn, from the rounds before, whoever acted.
 */
#ifndef ROSTER_EVIDENCE_MEANS_H
#define ROSTER_EVIDENCE_MEANS_H

#include "expert.h"

typedef struct roster_means {
    const roster_experts *experts; /* borrowed; NULL: one mean for all that is done */
    uint64_t t;                    /* rewards                                      */
    double sum;                    /* of all                                       */
    double m0;                     /* expected of a cell of which nothing is known */
    uint64_t since;                /* the t at which m0 was taken                  */
    double *n, *s;                 /* owned, [X V]: rewards of a cell, their sum   */
    double *g;                     /* owned, [X][N]: sum_v pi_i(v, x) m(x, v)       */
    uint64_t *built;               /* owned, [X]: since + 1 of the m0 that a row of g was built with; 0: none */
} roster_means;

int roster_means_init(roster_means *self, const roster_experts *tables);
void roster_means_fini(roster_means *self);
void roster_means_reset(roster_means *self);
/* The mean of all rewards so far, 1/2 before the first. */
static inline double roster_means_all(const roster_means *self)
{
    return self->t > 0 ? self->sum / (double)(int64_t)self->t : 0.5;
}

/* m of a cell, x * V + v. */
static inline double roster_means_of(const roster_means *self, size_t cell)
{
    if (self->experts == NULL)
        return roster_means_all(self);
    return (self->s[cell] + self->m0) / (self->n[cell] + 1);
}

/* g_i of context x, across the experts, with room behind (ROSTER_ROOM_BEHIND); NULL: m is the same everywhere, and so
   is g. Good until the next call. */
const double *roster_means_row(roster_means *self, size_t x);
void roster_means_add(roster_means *self, size_t cell, double y);
/* Into an empty one, all of one with fewer experts, the first ones. */
void roster_means_adopt(roster_means *self, const roster_means *from);
void roster_means_merge(roster_means *self, const roster_means *from);
void roster_means_save(const roster_means *self, roster_writer *w);
/* Into an empty one; sets r->failed where the bytes make no sense. */
void roster_means_load(roster_means *self, roster_reader *r);

#endif
