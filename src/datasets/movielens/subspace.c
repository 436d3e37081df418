/*
 * subspace.c: the largest singular values of a sparse matrix plus one of low rank, by orthogonal iteration.
 *
 * Paper: none. (Golub, Van Loan: Matrix Computations, 8.2.4; Halko, Martinsson, Tropp 2011, Algorithm 4.4.)
 *
 *   W = S + left right', never formed:  W x = S x + left (right' x),  W' y = S' y + right (left' y)
 *
 *   one step:  q r0 = W v         q: orthonormal columns
 *              b r  = W' q        b: orthonormal columns
 *              r'   = t diag(sigma) p'
 *              u = q t,  v = b p  so that q q' W = u diag(sigma) v'
 *
 * Called again with the same W, the error of direction i falls by (sigma_(k+1) / sigma_i)^2 each time. Called with a W
 * that changes little, it starts from what the last one was like, and one step follows it.
 *
 * Cost: per step two products with S, 4 k^2 (rows + columns) for the orthonormal columns, O(k^3).
 * Check: against LAPACK on the whole matrix (tests/unit/test_softimpute.c: subspace_finds_singular_values).
 */
#include "subspace.h"

#include "datasets_internal.h"

#include <lapacke.h>
#include <stdlib.h>

void subspace_init(subspace *self, uint64_t seed)
{
    *self = (subspace){.sigma = NULL};
    roster_rng_init(&self->rng, seed, 1, ROSTER_ROLE_INSTANCE);
}

void subspace_fini(subspace *self)
{
    tall_fini(&self->u);
    tall_fini(&self->v);
    tall_fini(&self->q);
    tall_fini(&self->b);
    free(self->sigma);
    self->sigma = NULL;
}

int subspace_resize(subspace *self, size_t columns, size_t k, roster_error *err)
{
    size_t kept = self->v.columns < k ? self->v.columns : k;
    tall v = {.x = NULL}, from = tall_first(&self->v, kept);
    double *sigma = calloc(k + 1, sizeof *sigma);
    int code = sigma != NULL ? tall_shape(&v, columns, k, err) : common_fail_memory(err);
    if (code != ROSTER_OK) {
        free(sigma);
        return code;
    }
    tall to = tall_first(&v, kept);
    tall_copy(&to, &from, NULL);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = kept; j < k; j++)
            v.x[i * k + j] = 2 * roster_rng_uniform(&self->rng) - 1;
    tall_fini(&self->v);
    free(self->sigma);
    self->v = v;
    self->sigma = sigma;
    return ROSTER_OK;
}

/* out = W x, or W' x. */
static int apply(const subspace_matrix *w, bool transposed, const tall *x, const tall *out, unsigned threads,
                 roster_error *err)
{
    const tall *left = transposed ? w->right : w->left, *right = transposed ? w->left : w->right;
    double *inner = malloc((right->columns * x->columns + 1) * sizeof *inner);
    int code = inner != NULL ? tall_gram(inner, right, x, threads, err) : common_fail_memory(err);
    if (code == ROSTER_OK)
        tall_times(out, left, inner, 0, threads);
    free(inner);
    if (code == ROSTER_OK && transposed)
        code = sparse_transposed_times(w->known, w->values, x, out, threads, err);
    else if (code == ROSTER_OK)
        sparse_times(w->known, w->values, x, out, threads);
    return code;
}

static void transpose(double *a, size_t k)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = a[i * k + j];
            a[i * k + j] = a[j * k + i];
            a[j * k + i] = kept;
        }
}

/* b r = W' q is known: turns q and b into u and v. r, t and p are k x k; LAPACK, which stores by columns, reads r as
   r', gives p as wanted and t transposed. */
static int rotate(subspace *self, double *r, double *t, double *p, unsigned threads, roster_error *err)
{
    int k = (int)self->v.columns;
    if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', k, k, r, k, self->sigma, t, k, p, k) != 0)
        return common_fail_memory(err);
    transpose(t, self->v.columns);
    tall_times(&self->u, &self->q, t, 0, threads);
    tall_times(&self->v, &self->b, p, 0, threads);
    return ROSTER_OK;
}

int subspace_step(subspace *self, const subspace_matrix *w, unsigned threads, roster_error *err)
{
    size_t k = self->v.columns, size = k * k;
    double *small = malloc((3 * size + 1) * sizeof *small);
    int code = small != NULL ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK)
        code = tall_shape(&self->u, w->known->rows, k, err);
    if (code == ROSTER_OK)
        code = tall_shape(&self->q, w->known->rows, k, err);
    if (code == ROSTER_OK)
        code = tall_shape(&self->b, w->known->columns, k, err);
    if (code == ROSTER_OK)
        code = apply(w, false, &self->v, &self->q, threads, err);
    if (code == ROSTER_OK)
        code = tall_orthonormalise(&self->q, NULL, err);
    if (code == ROSTER_OK)
        code = apply(w, true, &self->q, &self->b, threads, err);
    if (code == ROSTER_OK)
        code = tall_orthonormalise(&self->b, small, err);
    if (code == ROSTER_OK)
        code = rotate(self, small, small + size, small + 2 * size, threads, err);
    free(small);
    return code;
}
