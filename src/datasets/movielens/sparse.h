/*
 * sparse.h: a matrix of which few entries are known, by rows and by columns.
 */
#ifndef ROSTER_DATA_SPARSE_H
#define ROSTER_DATA_SPARSE_H

#include "tall.h"

/* Entry e of row i: start[i] <= e < start[i + 1]. Only the columns are in any order. All owned. */
typedef struct sparse {
    size_t rows, columns, n;
    size_t *start;    /* rows + 1                             */
    uint32_t *column; /* of each entry                        */
    double *value;    /* of each entry                        */
    /* The same by columns; made by sparse_index. */
    size_t *from;  /* columns + 1: where each column's list begins */
    uint32_t *row; /* of each entry, by columns            */
    size_t *entry; /* its number by rows                   */
} sparse;

/* Room for n entries; the caller fills start, column and value, and calls sparse_index. */
int sparse_init(sparse *self, size_t rows, size_t columns, size_t n, roster_error *err);
void sparse_fini(sparse *self);
void sparse_index(sparse *self);

/* What follows takes the place of the values: `values` has one number per entry, in the order of the rows. */

/* values = value - left right', at the entries alone. left: rows x r, right: columns x r. */
void sparse_residual(const sparse *self, const tall *left, const tall *right, double *values, unsigned threads);
/* out += (values) x */
void sparse_times(const sparse *self, const double *values, const tall *x, const tall *out, unsigned threads);
/* out += (values)' x */
int sparse_transposed_times(const sparse *self, const double *values, const tall *x, const tall *out, unsigned threads,
                            roster_error *err);

#endif
