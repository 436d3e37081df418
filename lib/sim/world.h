/*
 * world.h: inside a simulated world, for the loop that runs it.
 */
#ifndef ROSTER_WORLD_H
#define ROSTER_WORLD_H

#include "expert.h"
#include "rng.h"

struct roster_world {
    const roster_experts *experts; /* borrowed */
    double *p;                     /* owned, [x] */
    double *means;                 /* owned, [x][v] */
    size_t *start;                 /* owned, [x * v + 1]: each cell's part of rewards; NULL: Bernoulli */
    double *rewards;               /* owned: all lists, one behind the other */
    double *context_cdf;           /* owned, [x] */
    double *action_cdf;            /* owned, [k][x][v] */
    uint32_t *context_guide;       /* owned, [guide + 1] */
    uint32_t *action_guide;        /* owned, [k][x][guide + 1] */
    size_t guide;                  /* how many slices of [0, 1) a guide tells apart */
    double *values;                /* owned, [k]: mu_k */
    double *factors;               /* owned, [k]: on what expert k earns; NULL: 1 */
};

/* The first i with u < cdf[i]: never an outcome of probability 0. The guide narrows it down: it is one of
   at[floor(u guide)] .. at[floor(u guide) + 1]. */
static inline size_t roster_invert(const double *cdf, const uint32_t *at, size_t guide, double u)
{
    size_t slice = (size_t)(u * (double)guide), from = at[slice], n = at[slice + 1] - from;
    while (n > 0) {
        size_t half = n / 2;
        bool right = u >= cdf[from + half];
        from = right ? from + half + 1 : from;
        n = right ? n - half - 1 : half;
    }
    return from;
}

/* What a draw u of the reward comes to in a cell where expert k acts. */
static inline double roster_world_earn(const roster_world *w, size_t k, size_t cell, double u)
{
    double factor = w->factors != NULL ? w->factors[k] : 1;
    if (w->start == NULL)
        return u < factor * w->means[cell] ? 1 : 0;
    size_t n = w->start[cell + 1] - w->start[cell], i = (size_t)(u * (double)n);
    return factor * w->rewards[w->start[cell] + (i < n ? i : n - 1)];
}

/* Context x and action v of expert k: the cell x V + v, from the first two words of a round. */
static inline size_t roster_world_cell(const roster_world *w, size_t k, const uint64_t words[4])
{
    const roster_experts *e = w->experts;
    size_t x = roster_invert(w->context_cdf, w->context_guide, w->guide, roster_unit(words[0]));
    size_t row = k * e->x + x;
    return x * e->v + roster_invert(w->action_cdf + row * e->v, w->action_guide + row * (w->guide + 1), w->guide,
                                    roster_unit(words[1]));
}

#endif
