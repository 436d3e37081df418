/*
 * softimpute.c: fills a matrix of which few entries are known by one of low rank.
 *
 * Paper: none. Mazumder, Hastie, Tibshirani (2010): Spectral regularization algorithms for learning large incomplete
 * matrices. The momentum is Beck, Teboulle (2009), its restart O'Donoghue, Candes (2015).
 *
 * Finds the Z that minimises
 *   F(Z) = 1/2 sum over known (i, j) of (Y(i, j) - Z(i, j))^2 + lambda (sum of Z's singular values)
 * by
 *   Z_new = S(P(Y - X) + X),   X = Z + beta (Z - Z_before)
 * where P keeps the known entries alone and S lowers singular values by lambda, to no less than 0. With beta = 0 this
 * is SoftImpute as published, which ends at the same Z, F being convex, but slowly: where 4 entries in 100 are known,
 * the unknown ones follow them by a few per cent per iteration.
 *
 *   beta       (theta_before - 1) / theta, theta = (1 + sqrt(1 + 4 theta_before^2)) / 2, theta = 1 at first and again
 *              whenever F has risen
 *   S          P(Y - X) + X is sparse plus low rank; its singular values above lambda are followed by one step of
 *              orthogonal iteration for each new Z (subspace.c), in a block with spare directions that widens until it
 *              shows values below lambda
 *   lambda     starts near the largest singular value and falls to its place by .7 per iteration: the first Z would
 *              otherwise be of high rank for nothing
 *   change     ||Z_new - Z|| / ||Z|| (Frobenius), as in Python's fancyimpute but over all entries, not the unknown
 *              ones alone. It must stay below the tolerance for 10 iterations: right after a restart steps are short.
 *
 * ||Z_new - Z|| comes from the factors. With Z = U D V', Z_new = Un Dn Vn', M = Un' U D, N = Vn' V:
 *   ||Z_new - Z||^2 = ||Dn - M N'||^2 + ||(V - Vn N) D||^2 + ||(U D - Un M) N'||^2
 * each of which is as small as the change itself, so that nothing cancels.
 *
 * Cost: per iteration three passes over the known entries, each times the rank, and O((rows + columns) rank^2);
 * 52 bytes per entry, and some ten rows x rank and columns x rank matrices.
 * Check: equals a dense computation to 1e-7, finds a matrix of rank 3 from 30 of 100 entries
 * (tests/unit/test_softimpute.c: equals_dense_reference, recovers_low_rank).
 */
#include "softimpute.h"

#include "datasets_internal.h"
#include "subspace.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16, SPARE = 8, WARM_UP = 5, STEADY = 10, MOST_STEPS = 1000 };
static const double FALL = .7, SETTLED = 1e-12;

typedef struct fit {
    const sparse *known;               /* borrowed */
    const softimpute_options *options; /* borrowed */
    softimpute now, before;
    double *gap, *gap_before; /* Y - Z at the known entries               */
    tall left, right;         /* X = left right'                          */
    double *residual;         /* Y - X at the known entries               */
    subspace block;
    size_t most;      /* directions the block may have */
    double level;     /* lambda, or what it still is   */
    double objective; /* F of the last Z; infinite before lambda is in its place */
    double theta;
    size_t steady; /* iterations in a row that changed little */
} fit;

void softimpute_fini(softimpute *self)
{
    tall_fini(&self->left);
    tall_fini(&self->right);
    free(self->d);
    *self = (softimpute){.d = NULL};
}

double softimpute_at(const softimpute *self, size_t i, size_t j)
{
    return cblas_ddot((int)self->left.columns, self->left.x + i * self->left.stride, 1,
                      self->right.x + j * self->right.stride, 1);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Room for a Z of this rank. */
static int shape(softimpute *z, const sparse *known, size_t rank, roster_error *err)
{
    double *d = realloc(z->d, (rank + 1) * sizeof *d);
    int code = d != NULL ? tall_shape(&z->left, known->rows, rank, err) : common_fail_memory(err);
    z->d = d != NULL ? d : z->d;
    return code == ROSTER_OK ? tall_shape(&z->right, known->columns, rank, err) : code;
}

static void fini(fit *f)
{
    softimpute_fini(&f->now);
    softimpute_fini(&f->before);
    tall_fini(&f->left);
    tall_fini(&f->right);
    subspace_fini(&f->block);
    free(f->gap);
    free(f->gap_before);
    free(f->residual);
}

static int step(fit *f, roster_error *err)
{
    subspace_matrix w = {f->known, f->residual, &f->left, &f->right};
    return subspace_step(&f->block, &w, f->options->threads, err);
}

/* Z = Z_before = X = 0, and a block that has seen Y. */
static int init(fit *f, const sparse *known, const softimpute_options *options, roster_error *err)
{
    size_t bytes = (known->n + 1) * sizeof(double);
    *f = (fit){.known = known, .options = options, .objective = INFINITY, .theta = 1};
    size_t side = smaller(known->rows, known->columns);
    f->most = smaller(side, smaller(side, options->rank) + SPARE);
    f->gap = malloc(bytes);
    f->gap_before = malloc(bytes);
    f->residual = malloc(bytes);
    subspace_init(&f->block, options->seed);
    if (f->gap == NULL || f->gap_before == NULL || f->residual == NULL)
        return common_fail_memory(err);
    memcpy(f->gap, known->value, known->n * sizeof *f->gap);
    memcpy(f->residual, known->value, known->n * sizeof *f->residual);
    int code = shape(&f->now, known, 0, err);
    if (code == ROSTER_OK)
        code = shape(&f->before, known, 0, err);
    if (code == ROSTER_OK)
        code = tall_shape(&f->left, known->rows, 0, err);
    if (code == ROSTER_OK)
        code = tall_shape(&f->right, known->columns, 0, err);
    if (code == ROSTER_OK)
        code = subspace_resize(&f->block, known->columns, smaller(f->most, BLOCK), err);
    for (size_t i = 0; code == ROSTER_OK && i < WARM_UP; i++)
        code = step(f, err);
    f->level = code == ROSTER_OK ? f->block.sigma[0] : 0;
    return code;
}

/* The new Z: the block's singular values, lowered. The old one becomes Z_before. */
static int lower(fit *f, roster_error *err)
{
    softimpute old = f->now;
    double *gap = f->gap;
    size_t rank = 0;
    f->now = f->before;
    f->before = old;
    f->gap = f->gap_before;
    f->gap_before = gap;
    while (rank < f->block.v.columns && f->block.sigma[rank] > f->level)
        rank++;
    f->now.limited = rank > f->options->rank;
    rank = smaller(rank, f->options->rank);
    int code = shape(&f->now, f->known, rank, err);
    if (code != ROSTER_OK)
        return code;
    for (size_t j = 0; j < rank; j++)
        f->now.d[j] = f->block.sigma[j] - f->level;
    tall_copy(&f->now.left, &f->block.u, f->now.d);
    tall_copy(&f->now.right, &f->block.v, NULL);
    sparse_residual(f->known, &f->now.left, &f->now.right, f->gap, f->options->threads);
    return ROSTER_OK;
}

static double objective_of(const fit *f)
{
    double squares = 0, sum = 0;
    for (size_t e = 0; e < f->known->n; e++)
        squares += f->gap[e] * f->gap[e];
    for (size_t j = 0; j < f->now.left.columns; j++)
        sum += f->now.d[j];
    return squares / 2 + f->options->lambda * sum;
}

/* The next beta. There is none while lambda is on its way: F is another one every time. */
static double momentum(fit *f)
{
    bool arrived = f->level <= f->options->lambda;
    double objective = arrived ? objective_of(f) : INFINITY;
    double theta = arrived && objective <= f->objective ? f->theta : 1;
    f->objective = objective;
    f->theta = (1 + sqrt(1 + 4 * theta * theta)) / 2;
    return (theta - 1) / f->theta;
}

/* [a fa, b fb], side by side. */
static int join(tall *out, const tall *a, double fa, const tall *b, double fb, roster_error *err)
{
    int code = tall_shape(out, a->rows, a->columns + b->columns, err);
    for (size_t i = 0; code == ROSTER_OK && i < out->rows; i++) {
        double *row = out->x + i * out->stride;
        for (size_t j = 0; j < a->columns; j++)
            row[j] = fa * a->x[i * a->stride + j];
        for (size_t j = 0; j < b->columns; j++)
            row[a->columns + j] = fb * b->x[i * b->stride + j];
    }
    return code;
}

/* X = (1 + beta) Z - beta Z_before */
static int extrapolate(fit *f, double beta, roster_error *err)
{
    size_t kept = beta > 0 ? f->before.left.columns : 0;
    tall left = tall_first(&f->before.left, kept), right = tall_first(&f->before.right, kept);
    for (size_t e = 0; e < f->known->n; e++)
        f->residual[e] = (1 + beta) * f->gap[e] - beta * f->gap_before[e];
    int code = join(&f->left, &f->now.left, 1 + beta, &left, -beta, err);
    return code == ROSTER_OK ? join(&f->right, &f->now.right, 1, &right, 1, err) : code;
}

static double square(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* Row i of a small matrix divided by d[i]. */
static void divide_rows(double *a, size_t rows, size_t columns, const double *d)
{
    for (size_t i = 0; i < rows * columns; i++)
        a[i] /= d[i / columns];
}

/* -Dn + M N' */
static double middle(const softimpute *new, const double *m, const double *n, size_t rank, double *scratch)
{
    int a = (int)new->left.columns, b = (int)rank;
    memset(scratch, 0, new->left.columns *new->left.columns * sizeof *scratch);
    for (size_t i = 0; i < new->left.columns; i++)
        scratch[i * new->left.columns + i] = -new->d[i];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, a, a, b, 1, m, b, n, b, 1, scratch, a);
    return square(new->left.columns *new->left.columns, scratch);
}

/* ||Z_new - Z||^2 as in the head comment; Z is spoilt. small has room for 4 squares of the larger rank. Signs are
   turned so that U D - Un M and V - Vn N are made by adding. */
static int distance(double *out, const softimpute *new, softimpute *old, double *small, unsigned threads,
                    roster_error *err)
{
    size_t a = new->left.columns, b = old->left.columns, room = a > b ? a *a : b *b;
    double *m = small, *n = m + room, *c = n + room, *gram = c + room;
    int code = tall_gram(m, &new->left, &old->left, threads, err);
    if (code == ROSTER_OK)
        code = tall_gram(n, &new->right, &old->right, threads, err);
    if (code != ROSTER_OK)
        return code;
    divide_rows(m, a, b, new->d);
    *out = middle(new, m, n, b, c);
    cblas_dscal((int)(a * b), -1, n, 1);
    tall_times(&old->right, &new->right, n, 1, threads);
    tall_copy(&old->right, &old->right, old->d);
    *out += square(old->right.rows * b, old->right.x);
    divide_rows(m, a, b, new->d);
    cblas_dscal((int)(a * b), -1, m, 1);
    tall_times(&old->left, &new->left, m, 1, threads);
    code = tall_gram(gram, &old->left, &old->left, threads, err);
    if (code == ROSTER_OK)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)a, (int)b, (int)b, 1, n, (int)b, gram, (int)b, 0, c,
                    (int)b);
    *out += cblas_ddot((int)(a * b), c, 1, n, 1);
    return code;
}

/* Sets now.change. Z_before is spoilt. */
static int measure(fit *f, roster_error *err)
{
    size_t a = f->now.left.columns, b = f->before.left.columns, most = a > b ? a : b;
    double squared = 0;
    f->now.change = a + b > 0 ? INFINITY : 0;
    if (b == 0)
        return ROSTER_OK;
    if (a == 0) {
        f->now.change = 1;
        return ROSTER_OK;
    }
    double *small = malloc(4 * most * most * sizeof *small);
    int code = small != NULL ? distance(&squared, &f->now, &f->before, small, f->options->threads, err)
                             : common_fail_memory(err);
    if (code == ROSTER_OK)
        f->now.change = sqrt(squared / square(b, f->before.d));
    free(small);
    return code;
}

/* Wide enough to see values below lambda, narrow enough not to waste time. */
static int resize(fit *f, roster_error *err)
{
    size_t rank = f->now.left.columns, k = f->block.v.columns, wanted = rank + rank / 4 + SPARE;
    wanted = smaller(f->most, wanted > BLOCK ? wanted : BLOCK);
    bool narrow = rank + SPARE > k && k<f->most, wide = k> wanted + wanted / 4;
    return narrow || wide ? subspace_resize(&f->block, f->known->columns, wanted, err) : ROSTER_OK;
}

/* Whether Z has been what it is for long enough, at lambda itself and with all directions that count. */
static bool settled(fit *f)
{
    size_t k = f->block.v.columns;
    bool complete = f->block.sigma[k - 1] <= f->level || k == f->most;
    bool still = f->level <= f->options->lambda && complete && f->now.change < f->options->tolerance;
    f->steady = still ? f->steady + 1 : 0;
    return f->steady >= STEADY;
}

static int iterate(fit *f, roster_error *err)
{
    f->level = fmax(f->options->lambda, f->level * FALL);
    int code = step(f, err);
    if (code == ROSTER_OK)
        code = lower(f, err);
    if (code == ROSTER_OK)
        code = extrapolate(f, momentum(f), err);
    if (code == ROSTER_OK)
        code = measure(f, err);
    f->now.converged = code == ROSTER_OK && settled(f);
    return code == ROSTER_OK && !f->now.converged ? resize(f, err) : code;
}

static void show(const softimpute_options *options, size_t done)
{
    if (options->what != NULL)
        data_step(options->watch, options->what, done, options->iterations);
}

int softimpute_init(softimpute *self, const sparse *known, const softimpute_options *options, roster_error *err)
{
    fit f;
    size_t done = 0;
    data_parallel_init();
    show(options, 0);
    int code = init(&f, known, options, err);
    while (code == ROSTER_OK && done < options->iterations && !f.now.converged) {
        code = iterate(&f, err);
        show(options, ++done);
    }
    *self = (softimpute){.d = NULL};
    if (code == ROSTER_OK) {
        show(options, options->iterations);
        *self = f.now;
        self->iterations = done;
        f.now = (softimpute){.d = NULL};
    }
    fini(&f);
    return code;
}

int softimpute_norm(double *out, const sparse *known, uint64_t seed, unsigned threads, roster_error *err)
{
    softimpute_options options = {.rank = SPARE, .seed = seed, .threads = threads};
    fit f;
    double last = 0;
    data_parallel_init();
    int code = init(&f, known, &options, err);
    for (size_t i = 0; code == ROSTER_OK && i < MOST_STEPS && fabs(f.level - last) > SETTLED * f.level; i++) {
        last = f.level;
        code = step(&f, err);
        f.level = f.block.sigma[0];
    }
    *out = f.level;
    fini(&f);
    return code;
}
