/*
 * mixture.h: every expert's value from all samples, each weighted as if the mixture of all who played had acted.
 *
 * Needs each expert's probability of the actions taken, and nothing else of contexts or experts.
 */
#ifndef ROSTER_MIXTURE_H
#define ROSTER_MIXTURE_H

#include "clipped.h"

enum { ROSTER_MIXTURE_SUMS = 6 };

/* Behind the probabilities of a sample that is kept: the reward, its weight's denominator, who acted, in which cell. */
enum { ROSTER_MIXTURE_Y, ROSTER_MIXTURE_INVERSE, ROSTER_MIXTURE_WHO, ROSTER_MIXTURE_CELL, ROSTER_MIXTURE_KEPT };
/* Neither is known, of an earlier snapshot; there are no cells. */
#define ROSTER_MIXTURE_NONE (-1.0)

/* Over samples, of expert i, [up(n)] each. */
typedef struct roster_mixture_sums {
    double *hi[ROSTER_MIXTURE_SUMS]; /* sum w, w y, w y^2, w^2, w^2 y, w^2 y^2 */
    double *lo[ROSTER_MIXTURE_SUMS]; /* their carried errors                   */
    double *top;                     /* max w                                  */
} roster_mixture_sums;

typedef struct roster_mixture {
    size_t n, memory;              /* experts; how many samples keep their probabilities     */
    double kappa, eta;             /* of the index                                           */
    uint64_t t, next;              /* rounds; the round in which all samples are weighted anew */
    double *prior;                 /* owned, [n]: plays + 1/n                                */
    uint64_t *plays;               /* owned, [n]                                             */
    double *kept;                  /* owned, [capacity][n + 4]: see mixture.c                */
    size_t count, capacity, first; /* samples kept; room; the oldest             */
    double *block;                 /* owned: the arrays of both sums             */
    roster_mixture_sums all;       /* over all samples                           */
    roster_mixture_sums old;       /* over those that are no longer kept         */
} roster_mixture;

/* What an index rests on. */
typedef struct roster_mixture_view {
    double mean, width; /* mu_i, and what the index adds to it */
    double samples;     /* (sum w)^2 / sum w^2                 */
} roster_mixture_view;

/* The round after t in which all samples are weighted anew. */
uint64_t roster_mixture_next(uint64_t t);

/* Nothing is learnt yet. On failure the caller still calls fini. */
int roster_mixture_init(roster_mixture *self, size_t n, size_t memory, double kappa, double eta);
void roster_mixture_fini(roster_mixture *self);
/* Forget all samples. */
void roster_mixture_reset(roster_mixture *self);
/* Room for so many more samples. */
int roster_mixture_reserve(roster_mixture *self, size_t rounds);
/* Learn one sample, whose expert can have acted so; ROSTER_ENOMEM leaves everything as it was. */
int roster_mixture_absorb(roster_mixture *self, const roster_sample *sample);
/* U_i of all experts into u; INFINITY before the first sample. */
void roster_mixture_indices(const roster_mixture *self, double *u);
/* Of one expert, after the first sample. */
roster_mixture_view roster_mixture_look(const roster_mixture *self, size_t i);

void roster_mixture_save(const roster_mixture *self, roster_writer *w);
/* Into one without samples; on failure half done. */
int roster_mixture_load(roster_mixture *self, roster_reader *r);
/* mixture_adopt.c: into an empty one for the same experts, n of them, and perhaps more: it knows what `from` knows. */
int roster_mixture_adopt(roster_mixture *self, const roster_mixture *from, const roster_experts *experts);
/* Add all that `from` has learnt, then weigh all anew; on failure half done. */
int roster_mixture_merge(roster_mixture *self, const roster_mixture *from);

/* For mixture_state.c: a place for one more sample, for which there is room, behind the others; plays of expert k; all
   samples weighted anew. */
double *roster_mixture_slot(roster_mixture *self);
/* The sample in such a place, without a weight. */
double *roster_mixture_keep(roster_mixture *self, const roster_sample *sample);
void roster_mixture_count(roster_mixture *self, size_t k, uint64_t plays);
void roster_mixture_reweigh(roster_mixture *self);
/* The sums of `from`, which may be of fewer experts, the first ones, added. */
void roster_mixture_add_sums(const roster_mixture_sums *sums, const roster_mixture_sums *from, size_t n);
/* The j-th oldest of the samples kept. */
static inline double *roster_mixture_at(const roster_mixture *self, size_t j)
{
    size_t place = self->first + j;
    return self->kept + (place < self->capacity ? place : place - self->capacity) * (self->n + ROSTER_MIXTURE_KEPT);
}

#endif
