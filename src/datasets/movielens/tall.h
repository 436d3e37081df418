/*
 * tall.h: matrices of many rows and few columns, and what is done to them by pieces of rows.
 */
#ifndef ROSTER_DATA_TALL_H
#define ROSTER_DATA_TALL_H

#include <roster.h>

/* Row i starts at x + i stride. A view has room 0 and owns nothing. */
typedef struct tall {
    size_t rows, columns, stride;
    double *x;
    size_t room; /* numbers that x can hold */
} tall;

/* Gives an owner (all zero at first) another shape; what was in it is lost. */
int tall_shape(tall *self, size_t rows, size_t columns, roster_error *err);
void tall_fini(tall *self);
/* Its first columns, as a view. */
tall tall_first(const tall *self, size_t columns);
/* Column j of `to` becomes column j of `from`, times scale[j] (NULL: 1). The shapes are the same. */
void tall_copy(const tall *to, const tall *from, const double *scale);
/* out = a b + beta out; b has a's columns as rows and out's as columns, without gaps. */
void tall_times(const tall *out, const tall *a, const double *b, double beta, unsigned threads);
/* a' b, into a->columns x b->columns numbers. */
int tall_gram(double *out, const tall *a, const tall *b, unsigned threads, roster_error *err);
/* a = q r, q'q = 1: a becomes q. r (NULL: not wanted): a->columns squared numbers, 0 below the diagonal. Needs at least
   as many rows as columns, and a stride equal to the columns. */
int tall_orthonormalise(const tall *a, double *r, roster_error *err);

#endif
