/*
 * softimpute.h: fills a matrix of which few entries are known by one of low rank.
 */
#ifndef ROSTER_DATA_SOFTIMPUTE_H
#define ROSTER_DATA_SOFTIMPUTE_H

#include "datasets.h"
#include "sparse.h"

typedef struct softimpute_options {
    double lambda;     /* >= 0: by which singular values shrink             */
    size_t rank;       /* limit, >= 1                                       */
    double tolerance;  /* stop when Z changes by less, relative to its size */
    size_t iterations; /* at most                                           */
    uint64_t seed;     /* of the directions that are tried first            */
    unsigned threads;
    const data_watch *watch; /* borrowed                                    */
    const char *what;        /* it is told; borrowed; NULL: nothing         */
} softimpute_options;

/* Z = left right' */
typedef struct softimpute {
    tall left;  /* U D                                            */
    tall right; /* V; as many columns as left: the rank           */
    double *d;  /* singular values of Z, falling                  */
    size_t iterations;
    double change;  /* the last one                               */
    bool converged; /* before the iterations ran out              */
    bool limited;   /* more singular values than `rank` were above lambda */
} softimpute;

int softimpute_init(softimpute *self, const sparse *known, const softimpute_options *options, roster_error *err);
void softimpute_fini(softimpute *self);
/* Z at row i, column j. */
double softimpute_at(const softimpute *self, size_t i, size_t j);

/* The largest singular value of the matrix with 0 for what is not known, to 10 digits or so. */
int softimpute_norm(double *out, const sparse *known, uint64_t seed, unsigned threads, roster_error *err);

#endif
