/*
 * tall.c: matrices of many rows and few columns: products, cross products, orthonormal columns.
 *
 * Paper: none.
 *
 *   out = a b     a: rows x k, b: k x l; each piece of rows is a product of its own
 *   a' b          the sum of the pieces' cross products, in the order of the pieces
 *   a = q r       Householder. Stored by rows, a is what LAPACK, which stores by columns, calls a'; the LQ
 *                 factorisation of a' is the QR factorisation of a, so nothing is transposed.
 *
 * Pieces have a fixed number of rows, hence the same bits for any number of threads.
 *
 * Cost: rows k l multiplications by BLAS; 4 rows k^2 for the orthonormal columns, on one thread.
 * Check: q'q = 1, q r = a, and products by hand (tests/unit/test_softimpute.c: tall_products, tall_orthonormal).
 */
#include "tall.h"

#include "datasets_internal.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 512 };

int tall_shape(tall *self, size_t rows, size_t columns, roster_error *err)
{
    size_t room = rows * columns > 0 ? rows * columns : 1;
    if (room > self->room) {
        free(self->x);
        self->x = malloc(room * sizeof *self->x);
        self->room = self->x != NULL ? room : 0;
    }
    self->rows = rows;
    self->columns = self->stride = columns;
    return self->x != NULL ? ROSTER_OK : common_fail_memory(err);
}

void tall_fini(tall *self)
{
    free(self->x);
    *self = (tall){.x = NULL};
}

tall tall_first(const tall *self, size_t columns)
{
    return (tall){self->rows, columns, self->stride, self->x, 0};
}

void tall_copy(const tall *to, const tall *from, const double *scale)
{
    for (size_t i = 0; i < to->rows; i++)
        for (size_t j = 0; j < to->columns; j++)
            to->x[i * to->stride + j] = from->x[i * from->stride + j] * (scale != NULL ? scale[j] : 1);
}

static size_t pieces_of(const tall *self)
{
    return (self->rows + PIECE - 1) / PIECE;
}

static size_t rows_of(const tall *self, size_t piece)
{
    size_t left = self->rows - piece * PIECE;
    return left < PIECE ? left : PIECE;
}

static double *start_of(const tall *self, size_t piece)
{
    return self->x + piece * PIECE * self->stride;
}

typedef struct product {
    const tall *out, *a, *b; /* b: for a' b */
    const double *small;     /* b of a b    */
    double *parts;           /* of a' b     */
    double beta;
} product;

static void times_piece(void *context, size_t piece, unsigned worker)
{
    const product *p = context;
    const tall *a = p->a, *out = p->out;
    (void)worker;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows_of(a, piece), (int)out->columns, (int)a->columns,
                1, start_of(a, piece), (int)a->stride, p->small, (int)out->columns, p->beta, start_of(out, piece),
                (int)out->stride);
}

void tall_times(const tall *out, const tall *a, const double *b, double beta, unsigned threads)
{
    product p = {.out = out, .a = a, .small = b, .beta = beta};
    if (out->columns > 0 && a->columns > 0)
        data_parallel(threads, pieces_of(a), times_piece, &p, NULL, NULL);
    else if (beta == 0)
        for (size_t i = 0; i < out->rows; i++)
            memset(out->x + i * out->stride, 0, out->columns * sizeof *out->x);
}

static void gram_piece(void *context, size_t piece, unsigned worker)
{
    const product *p = context;
    const tall *a = p->a, *b = p->b;
    (void)worker;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)a->columns, (int)b->columns, (int)rows_of(a, piece), 1,
                start_of(a, piece), (int)a->stride, start_of(b, piece), (int)b->stride, 0,
                p->parts + piece * a->columns * b->columns, (int)b->columns);
}

int tall_gram(double *out, const tall *a, const tall *b, unsigned threads, roster_error *err)
{
    size_t size = a->columns * b->columns, pieces = pieces_of(a);
    product p = {.a = a, .b = b};
    if (size == 0)
        return ROSTER_OK;
    p.parts = malloc(pieces * size * sizeof *p.parts);
    if (p.parts == NULL)
        return common_fail_memory(err);
    data_parallel(threads, pieces, gram_piece, &p, NULL, NULL);
    memcpy(out, p.parts, size * sizeof *out);
    for (size_t piece = 1; piece < pieces; piece++)
        cblas_daxpy((int)size, 1, p.parts + piece * size, 1, out, 1);
    free(p.parts);
    return ROSTER_OK;
}

int tall_orthonormalise(const tall *a, double *r, roster_error *err)
{
    int k = (int)a->columns, rows = (int)a->rows;
    double *tau = malloc((a->columns + 1) * sizeof *tau);
    int code = tau != NULL ? LAPACKE_dgelqf(LAPACK_COL_MAJOR, k, rows, a->x, k, tau) : LAPACK_WORK_MEMORY_ERROR;
    for (size_t i = 0; code == 0 && r != NULL && i < a->columns * a->columns; i++)
        r[i] = i % a->columns >= i / a->columns ? a->x[i] : 0;
    if (code == 0)
        code = LAPACKE_dorglq(LAPACK_COL_MAJOR, k, rows, k, a->x, k, tau);
    free(tau);
    return code == 0 ? ROSTER_OK : common_fail_memory(err);
}
