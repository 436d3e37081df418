/*
 * pool.h: what was seen, summed up by context and action, whoever acted: the reward depends on these two alone.
 */
#ifndef ROSTER_POOL_H
#define ROSTER_POOL_H

#include "batch.h"
#include "expert.h"

/* Sums carry their rounding error: s + s_lo, q + q_lo. */
typedef struct roster_pool_cell {
    uint64_t n;     /* samples                   */
    double s, s_lo; /* sum of rewards            */
    double q, q_lo; /* sum of their squares      */
} roster_pool_cell;

typedef struct roster_pool {
    size_t n, x, v;          /* experts, contexts, actions              */
    uint64_t t;              /* samples in cells                        */
    uint64_t aside;          /* rounds that count, but are in no cell    */
    uint64_t unnamed;        /* samples in cells of which it is not known who acted */
    double sum, sum_lo;      /* of all rewards in cells                 */
    roster_pool_cell *cells; /* owned, [x * v]                          */
    uint64_t *contexts;      /* owned, [x]: samples in a context's cells */
    uint64_t *arrived;       /* owned, [x]: rounds by context, since contexts were last forgotten */
    uint64_t arrivals;       /* their sum                               */
    uint64_t *plays;         /* owned, [n]: samples by expert           */
    double *own, *own_lo;    /* owned, [n]: sum of an expert's rewards  */
} roster_pool;

int roster_pool_init(roster_pool *self, const roster_experts *experts);
void roster_pool_fini(roster_pool *self);
void roster_pool_reset(roster_pool *self);
/* Expert k acted in `cell`, x * V + v, and earned y. */
void roster_pool_add(roster_pool *self, size_t k, size_t cell, double y);
/* All samples of a batch. */
void roster_pool_add_batch(roster_pool *self, const roster_batch *batch);
/* All samples of a tally's row; of an expert that is not known they are nobody's plays. */
void roster_pool_add_row(roster_pool *self, const roster_tally_row *row);
/* Expert k acted n times and earned s, which says nothing of any cell. */
void roster_pool_add_aside(roster_pool *self, size_t k, uint64_t n, double s);
/* What is known of cells; of how often contexts come; of every expert's own plays. */
void roster_pool_forget_cells(roster_pool *self);
void roster_pool_forget_contexts(roster_pool *self);
void roster_pool_forget_plays(roster_pool *self);
/* All samples of another of the same shape. */
void roster_pool_merge(roster_pool *self, const roster_pool *from);
/* Now it is equal; `from` may have fewer experts, the first ones. */
void roster_pool_copy(roster_pool *self, const roster_pool *from);
void roster_pool_save(const roster_pool *self, roster_writer *w);
/* Into an empty one. Sets r->failed where the bytes make no sense. */
void roster_pool_load(roster_pool *self, roster_reader *r);

static inline uint64_t roster_pool_rounds(const roster_pool *self)
{
    return self->t + self->aside;
}

static inline double roster_pool_mean(const roster_pool *self, size_t k)
{
    return (self->own[k] + self->own_lo[k]) / (double)self->plays[k];
}

/* What a cell says: m and z of its reward, u = 1 / (n + 1). */
typedef struct roster_pool_terms {
    double u, m, z;
    double thin; /* 1 where n < 3, else 0 */
} roster_pool_terms;

/* q - s^2/n of n > 0 rewards; of equal rewards rounding leaves a little on either side. */
static inline double roster_pool_spread(const roster_pool_cell *cell, double s, double mean)
{
    double spread = (cell->q + cell->q_lo) - s * mean;
    return spread > 0 ? spread : 0;
}

/* m0: what is expected of a cell of which nothing is known. In every round, and so in line. */
static inline roster_pool_terms roster_pool_look(const roster_pool_cell *cell, double m0)
{
    if (cell->n == 0)
        return (roster_pool_terms){.u = 1, .m = m0, .z = 0.25, .thin = 1};
    double n = (double)(int64_t)cell->n, u = 1 / (n + 1), s = cell->s + cell->s_lo;
    return (roster_pool_terms){
        .u = u, .m = (s + m0) * u, .z = (roster_pool_spread(cell, s, s / n) + 0.25) * u, .thin = cell->n < 3};
}

/* What the correction for thin cells needs of one. */
typedef struct roster_pool_rest {
    double above;    /* s/n - m0, 0 where n = 0                  */
    double residual; /* ((n+1)/n) sum of (y - m)^2, 0 where n = 0 */
} roster_pool_rest;

roster_pool_rest roster_pool_look_on(const roster_pool_cell *cell, double m0);

#endif
