/*
 * clipped.h: the clipped importance-sampling estimator of every expert's value, kept up to date.
 *
 * One struct serves known experts (D-UCB) and estimated ones (ED-UCB): known experts are the case xi = 0.
 */
#ifndef ROSTER_CLIPPED_H
#define ROSTER_CLIPPED_H

#include "batch.h"
#include "clip_heap.h"
#include "prepared.h"

/* n samples of one cell: expert k took an action that the experts take with probabilities pi[0..N-1]. */
typedef struct roster_sample {
    size_t k;
    size_t cell;      /* x * V + v, or ROSTER_NO_CELL where contexts are not finite */
    const double *pi; /* borrowed */
    uint64_t n;
    double s; /* sum of the n rewards */
} roster_sample;

enum { ROSTER_CLIPPED_ARRAYS = 10 };

typedef struct roster_clipped {
    roster_prepared *prepared; /* borrowed                                             */
    double floor_level;        /* ln(1/C): the level is never below                    */
    double root;               /* sqrt(t ln t)                                         */
    double ln_t;               /* ln t                                                 */
    void *block;               /* owned: all arrays of doubles, each with room for whole vectors (simd_path.h) */
    double *z, *z_lo;          /* [n]: Z_i and its carried error                       */
    double *s, *s_lo;          /* [n]: the estimator's sum at the present level        */
    double *w;                 /* [n]: W of the last index: s_i is summed at the level L_i = W - ln C */
    double *low, *high;  /* [n]: levels from low on and below high move nothing in the heap and leave e_i as it is;
                            low = INFINITY: not known                            */
    double *out, *below; /* [n], where that is known: the level at which the next cell enters; below which e_i rises */
    double *bias;        /* [n], the same: e_i                                   */
    roster_clip_heap *heaps; /* owned, [n]                                           */
    roster_tally tally;
} roster_clipped;

/* Allocates; on failure the caller still calls fini. The estimator starts empty. The problem must outlive it. */
int roster_clipped_init(roster_clipped *self, roster_prepared *prepared);
void roster_clipped_fini(roster_clipped *self);
/* Forget all samples. */
void roster_clipped_reset(roster_clipped *self);
/* Learn; ROSTER_ENOMEM leaves everything as it was. O(N). */
int roster_clipped_absorb(roster_clipped *self, const roster_sample *sample);
/* Learn all of a batch, which must be about finite contexts; on failure half done. */
int roster_clipped_absorb_batch(roster_clipped *self, const roster_batch *batch);
/* U_i(t) after the samples absorbed so far; brings the level of expert i up to date. INFINITY: nothing known of i. */
double roster_clipped_index(roster_clipped *self, size_t i);
/* All of them, into u, which has room for whole vectors. The same bits. */
void roster_clipped_indices(roster_clipped *self, double *u);
/* What the last index of expert i rests on; estimate and width are NAN while nothing is known of i. */
void roster_clipped_insight(const roster_clipped *self, size_t i, roster_insight *out);
/* Do now what absorbing `rounds` more samples would allocate. */
int roster_clipped_reserve(roster_clipped *self, size_t rounds);
/* Into one that was initialised for the same problem: now it is equal; on failure half done. */
int roster_clipped_copy(roster_clipped *self, const roster_clipped *from);
/* Add all that `from` has absorbed, which may be of fewer experts: the first ones; on failure half done. */
int roster_clipped_merge(roster_clipped *self, const roster_clipped *from);

/* Z_i, the estimator's sum, and of the last index L_i and eps_i. */
static inline double roster_clipped_z(const roster_clipped *self, size_t i)
{
    return self->z[i] + self->z_lo[i];
}

static inline double roster_clipped_sum(const roster_clipped *self, size_t i)
{
    double sum = self->s[i] + self->s_lo[i];
    return sum > 0 ? sum : 0; /* taking everything back can leave a rounding error below 0 */
}

static inline double roster_clipped_level(const roster_clipped *self, size_t i)
{
    return self->w[i] + self->floor_level;
}

static inline double roster_clipped_eps(const roster_clipped *self, size_t i)
{
    return self->prepared->problem.C * self->w[i] * (self->root / roster_clipped_z(self, i));
}

/* A cell was inserted into i's heap: the next index has to look at it. */
static inline void roster_clipped_invalidate(roster_clipped *self, size_t i)
{
    self->low[i] = INFINITY;
}

/* For clipped_state.c: whether a sample could wait in expert i's heap (column k is open); sqrt(t ln t) from the tally.
   */
bool roster_clipped_can_wait(const roster_clipped *self, const roster_sample *sample, size_t i);
void roster_clipped_set_time(roster_clipped *self);

void roster_clipped_save(const roster_clipped *self, roster_writer *w);
/* Into an empty estimator; on failure half done. */
int roster_clipped_load(roster_clipped *self, roster_reader *r);

#endif
