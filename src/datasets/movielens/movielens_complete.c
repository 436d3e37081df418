/*
 * movielens_complete.c: what every user thinks of the movies that are kept.
 *
 * Paper: none.
 *
 *   Y(i, j)   rating / 5, where user i rated movie j
 *   lambda    (largest singular value of Y with 0 for what is not known) / 50, as fancyimpute chooses it
 *   Z         SoftImpute's matrix of low rank (softimpute.c)
 *   C(i, j)   Y(i, j) where it is known, Z(i, j) cut to [0, 1] elsewhere
 *   kept      the movies with the highest median of C(., j), ties by id: a movie that is "mostly 0" is so for more than
 *             half of the users
 *
 * To see what Z is worth, every 20th rating is held out by chance and foretold by a Z made from the others, with a
 * lambda of their own. The Z that is used is made from all.
 *
 * Cost: two completions; users x movies x rank for the medians. C is never whole in memory, only its kept columns.
 * Check: tests/unit/test_movielens.c: follows_the_law computes all of it again, literally.
 */
#include "movielens_internal.h"

#include "datasets_internal.h"
#include "softimpute.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 20 };
static const double LAMBDAS = 50; /* in the largest singular value */

/* Y and Z. */
typedef struct matrix {
    sparse y;
    softimpute z;
    double norm;
} matrix;

static double scaled(const movielens_rating *rating)
{
    return rating->stars / (double)MOVIELENS_STARS;
}

static double cut(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* held[i] (NULL: none): rating i is not known. */
static int fill(sparse *y, const movielens_raw *raw, const bool *held, roster_error *err)
{
    size_t n = 0;
    int code = sparse_init(y, raw->n_users, raw->n_movies, raw->n_ratings, err);
    if (code != ROSTER_OK)
        return code;
    for (size_t i = 0; i < raw->n_ratings; i++)
        if (held == NULL || !held[i]) {
            y->start[raw->ratings[i].user + 1]++;
            y->column[n] = raw->ratings[i].movie;
            y->value[n++] = scaled(&raw->ratings[i]);
        }
    for (size_t i = 0; i < y->rows; i++)
        y->start[i + 1] += y->start[i];
    y->n = n;
    sparse_index(y);
    return ROSTER_OK;
}

static void matrix_fini(matrix *self)
{
    sparse_fini(&self->y);
    softimpute_fini(&self->z);
}

static int matrix_init(matrix *self, const movielens_raw *raw, const bool *held, const char *what,
                       const movielens_options *options, roster_error *err)
{
    *self = (matrix){.norm = 0};
    int code = fill(&self->y, raw, held, err);
    if (code == ROSTER_OK)
        code = softimpute_norm(&self->norm, &self->y, options->seed, options->threads, err);
    softimpute_options wanted = {.lambda = self->norm / LAMBDAS,
                                 .rank = options->rank,
                                 .tolerance = options->tolerance,
                                 .iterations = options->iterations,
                                 .seed = options->seed,
                                 .threads = options->threads,
                                 .watch = &options->watch,
                                 .what = what};
    if (code == ROSTER_OK)
        code = softimpute_init(&self->z, &self->y, &wanted, err);
    if (code != ROSTER_OK)
        matrix_fini(self);
    return code;
}

/* Root of the mean square of Y - Z, with Z cut to [0, 1], over the ratings held out, or over all (NULL). */
static double rmse(const movielens_raw *raw, const bool *held, const softimpute *z)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < raw->n_ratings; i++)
        if (held == NULL || held[i]) {
            const movielens_rating *r = &raw->ratings[i];
            double gap = scaled(r) - cut(softimpute_at(z, r->user, r->movie));
            sum += gap * gap;
            n++;
        }
    return sqrt(sum / (double)n);
}

/* Of n ratings, n / SHARE, all such choices equally likely. */
static size_t hold_out(bool *held, size_t n, uint64_t seed)
{
    roster_rng rng;
    size_t wanted = n / SHARE;
    roster_rng_init(&rng, seed, 0, ROSTER_ROLE_INSTANCE);
    for (size_t i = 0; i < n; i++) {
        held[i] = roster_rng_below(&rng, n - i) < wanted;
        wanted -= held[i];
    }
    return n / SHARE;
}

static int test(movielens_completion *out, const movielens_raw *raw, const movielens_options *options,
                roster_error *err)
{
    matrix m;
    bool *held = malloc(raw->n_ratings * sizeof *held);
    if (held == NULL)
        return common_fail_memory(err);
    out->held = hold_out(held, raw->n_ratings, options->seed);
    int code = out->held > 0 ? matrix_init(&m, raw, held, "completing 95% of the ratings", options, err) : ROSTER_OK;
    if (code == ROSTER_OK && out->held > 0) {
        out->held_rmse = rmse(raw, held, &m.z);
        matrix_fini(&m);
    }
    free(held);
    return code;
}

/* ---- from Z to the movies that are kept ---- */

/* Column j of C. */
static void complete_column(const matrix *m, size_t j, double *out)
{
    const tall *left = &m->z.left, *right = &m->z.right;
    memset(out, 0, left->rows * sizeof *out);
    if (left->columns > 0)
        cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)left->rows, (int)left->columns, 1, left->x, (int)left->stride,
                    right->x + j * right->stride, 1, 0, out, 1);
    for (size_t i = 0; i < left->rows; i++)
        out[i] = cut(out[i]);
    for (size_t e = m->y.from[j]; e < m->y.from[j + 1]; e++)
        out[m->y.row[e]] = m->y.value[m->y.entry[e]];
}

typedef struct candidate {
    uint32_t movie;
    double median;
} candidate;

typedef struct selection {
    const matrix *m;
    candidate *candidates; /* all movies, by id at first      */
    double *scratch;       /* users for each worker           */
    movielens_completion *out;
} selection;

static void find_median(void *context, size_t piece, unsigned worker)
{
    selection *s = context;
    size_t n = s->m->y.rows;
    double *column = s->scratch + worker * n;
    complete_column(s->m, piece, column);
    qsort(column, n, sizeof *column, movielens_compare);
    s->candidates[piece] = (candidate){(uint32_t)piece, (column[(n - 1) / 2] + column[n / 2]) / 2};
}

static void keep_column(void *context, size_t piece, unsigned worker)
{
    selection *s = context;
    (void)worker;
    complete_column(s->m, s->out->movies[piece], s->out->ratings + piece * s->m->y.rows);
}

/* Movies are in the order of their ids, so that their places break ties as their ids do. */
static int by_median(const void *a, const void *b)
{
    const candidate *one = a, *other = b;
    if (one->median != other->median)
        return one->median > other->median ? -1 : 1;
    return one->movie < other->movie ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void select_movies(selection *s, const movielens_options *options, unsigned threads)
{
    movielens_completion *out = s->out;
    data_parallel(threads, s->m->y.columns, find_median, s, &options->watch, "medians");
    qsort(s->candidates, s->m->y.columns, sizeof *s->candidates, by_median);
    out->cut = s->candidates[out->kept - 1].median;
    for (size_t i = 0; i < out->kept; i++)
        out->movies[i] = s->candidates[i].movie;
    qsort(out->movies, out->kept, sizeof *out->movies, by_place);
    data_parallel(threads, out->kept, keep_column, s, NULL, NULL);
}

static int keep(movielens_completion *out, const matrix *m, const movielens_options *options, roster_error *err)
{
    unsigned threads = data_threads(options->threads);
    selection s = {.m = m, .out = out};
    out->kept = options->movies;
    out->movies = malloc(out->kept * sizeof *out->movies);
    out->ratings = malloc(out->kept * m->y.rows * sizeof *out->ratings);
    s.candidates = malloc(m->y.columns * sizeof *s.candidates);
    s.scratch = malloc(threads * m->y.rows * sizeof *s.scratch);
    bool room = out->movies != NULL && out->ratings != NULL && s.candidates != NULL && s.scratch != NULL;
    if (room)
        select_movies(&s, options, threads);
    free(s.candidates);
    free(s.scratch);
    return room ? ROSTER_OK : common_fail_memory(err);
}

int movielens_complete(movielens_completion *out, const movielens_raw *raw, const movielens_options *options,
                       roster_error *err)
{
    matrix m;
    *out = (movielens_completion){.kept = 0};
    if (options->movies > raw->n_movies)
        return common_fail(err, ROSTER_EINVAL, "movies is %zu, must be at most %zu: no more have ratings",
                           options->movies, raw->n_movies);
    int code = test(out, raw, options, err);
    if (code == ROSTER_OK)
        code = matrix_init(&m, raw, NULL, "completing all ratings", options, err);
    if (code != ROSTER_OK)
        return code;
    out->norm = m.norm;
    out->lambda = m.norm / LAMBDAS;
    out->rank = m.z.left.columns;
    out->iterations = m.z.iterations;
    out->limited = m.z.limited;
    out->converged = m.z.converged;
    out->known_rmse = rmse(raw, NULL, &m.z);
    code = keep(out, &m, options, err);
    matrix_fini(&m);
    if (code != ROSTER_OK)
        movielens_completion_fini(out);
    return code;
}

void movielens_completion_fini(movielens_completion *self)
{
    free(self->movies);
    free(self->ratings);
    self->movies = NULL;
    self->ratings = NULL;
}
