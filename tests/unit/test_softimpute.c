/*
 * test_softimpute.c: completing a matrix (data/softimpute.c) and what it is made of (data/tall.c, sparse.c,
 * subspace.c), against the same computed densely.
 */
#include "support.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "softimpute.h"
#include "subspace.h"

static double normal(roster_rng *rng)
{
    double sum = -6;
    for (size_t i = 0; i < 12; i++)
        sum += roster_rng_uniform(rng);
    return sum;
}

static roster_rng new_rng(uint64_t seed)
{
    roster_rng rng;
    roster_rng_init(&rng, seed, 0, ROSTER_ROLE_WORLD);
    return rng;
}

static tall new_tall(roster_rng *rng, size_t rows, size_t columns)
{
    tall a = {.x = NULL};
    roster_error err;
    assert_ok(tall_shape(&a, rows, columns, &err), &err);
    for (size_t i = 0; i < rows * columns; i++)
        a.x[i] = normal(rng);
    return a;
}

/* Of low rank plus noise; each entry is known with probability `share`. `whole` (may be NULL) gets all of it. */
static sparse new_sparse(roster_rng *rng, size_t rows, size_t columns, size_t rank, double noise, double share,
                         double *whole)
{
    tall a = new_tall(rng, rows, rank), b = new_tall(rng, columns, rank);
    sparse s;
    roster_error err;
    size_t n = 0;
    assert_ok(sparse_init(&s, rows, columns, rows * columns, &err), &err);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            double y = noise * normal(rng);
            for (size_t l = 0; l < rank; l++)
                y += a.x[i * rank + l] * b.x[j * rank + l];
            if (whole != NULL)
                whole[i * columns + j] = y;
            if (roster_rng_uniform(rng) < share) {
                s.column[n] = (uint32_t)j;
                s.value[n++] = y;
            }
        }
        s.start[i + 1] = n;
    }
    s.n = n;
    sparse_index(&s);
    tall_fini(&a);
    tall_fini(&b);
    return s;
}

static double *dense_of(const sparse *s, const double *values)
{
    double *out = calloc(s->rows * s->columns, sizeof *out);
    assert_non_null(out);
    for (size_t i = 0; i < s->rows; i++)
        for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
            out[i * s->columns + s->column[e]] = values[e];
    return out;
}

/* ---- the parts ---- */

static void tall_products(void **state)
{
    (void)state;
    enum { ROWS = 1300, A = 5, B = 7 };
    roster_rng rng = new_rng(1);
    roster_error err;
    tall a = new_tall(&rng, ROWS, A), b = new_tall(&rng, ROWS, B), out = new_tall(&rng, ROWS, B),
         first = tall_first(&a, 3);
    double small[A * B], gram[A * B], again[A * B];
    for (size_t i = 0; i < A * B; i++)
        small[i] = normal(&rng);
    double before = out.x[1200 * B + 6], expected = 2 * before;
    tall_times(&out, &first, small, 2, 2);
    for (size_t l = 0; l < 3; l++)
        expected += a.x[1200 * A + l] * small[l * B + 6];
    assert_close(out.x[1200 * B + 6], expected, 1e-13);
    assert_ok(tall_gram(gram, &a, &b, 2, &err), &err);
    assert_ok(tall_gram(again, &a, &b, 1, &err), &err);
    assert_memory_equal(gram, again, sizeof gram);
    for (size_t i = 0; i < A; i++)
        for (size_t j = 0; j < B; j++) {
            double sum = 0;
            for (size_t l = 0; l < ROWS; l++)
                sum += a.x[l * A + i] * b.x[l * B + j];
            assert_true(fabs(gram[i * B + j] - sum) < 1e-10);
        }
    tall_fini(&a);
    tall_fini(&b);
    tall_fini(&out);
}

static void tall_orthonormal(void **state)
{
    (void)state;
    enum { ROWS = 700, K = 6 };
    roster_rng rng = new_rng(2);
    roster_error err;
    tall a = new_tall(&rng, ROWS, K), q = new_tall(&rng, ROWS, K), back = new_tall(&rng, ROWS, K);
    double r[K * K], unit[K * K];
    for (size_t i = 0; i < ROWS; i++)
        a.x[i * K + 4] = a.x[i * K + 1]; /* of deficient rank */
    tall_copy(&q, &a, NULL);
    assert_ok(tall_orthonormalise(&q, r, &err), &err);
    assert_ok(tall_gram(unit, &q, &q, 1, &err), &err);
    for (size_t i = 0; i < K * K; i++) {
        assert_true(fabs(unit[i] - (i / K == i % K)) < 1e-13);
        assert_true(i / K <= i % K || r[i] == 0);
    }
    tall_times(&back, &q, r, 0, 1);
    for (size_t i = 0; i < ROWS * K; i++)
        assert_true(fabs(back.x[i] - a.x[i]) < 1e-12);
    tall_fini(&a);
    tall_fini(&q);
    tall_fini(&back);
}

/* More rows and columns than a piece has lists, more than are walked through at a time. */
static void sparse_products(void **state)
{
    (void)state;
    enum { ROWS = 1100, COLUMNS = 600, K = 3 };
    roster_rng rng = new_rng(3);
    roster_error err;
    sparse s = new_sparse(&rng, ROWS, COLUMNS, 1, 1, .02, NULL);
    tall left = new_tall(&rng, ROWS, K), right = new_tall(&rng, COLUMNS, K);
    tall out = new_tall(&rng, ROWS, K), across = new_tall(&rng, COLUMNS, K);
    double *dense = dense_of(&s, s.value), *residual = malloc(s.n * sizeof *residual);
    memset(out.x, 0, ROWS * K * sizeof *out.x);
    memset(across.x, 0, COLUMNS * K * sizeof *across.x);
    sparse_times(&s, s.value, &right, &out, 2);
    assert_ok(sparse_transposed_times(&s, s.value, &left, &across, 2, &err), &err);
    sparse_residual(&s, &left, &right, residual, 2);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t l = 0; l < K; l++) {
                out.x[i * K + l] -= dense[i * COLUMNS + j] * right.x[j * K + l];
                across.x[j * K + l] -= dense[i * COLUMNS + j] * left.x[i * K + l];
            }
    for (size_t i = 0; i < ROWS * K; i++)
        assert_true(fabs(out.x[i]) < 1e-12 && (i >= COLUMNS * K || fabs(across.x[i]) < 1e-12));
    for (size_t i = 0; i < ROWS; i++)
        for (size_t e = s.start[i]; e < s.start[i + 1]; e++) {
            double sum = s.value[e];
            for (size_t l = 0; l < K; l++)
                sum -= left.x[i * K + l] * right.x[s.column[e] * K + l];
            assert_true(fabs(residual[e] - sum) < 1e-13);
        }
    free(dense);
    free(residual);
    tall_fini(&left);
    tall_fini(&right);
    tall_fini(&out);
    tall_fini(&across);
    sparse_fini(&s);
}

/* Singular values (and, where wanted, vectors) of rows x columns numbers, which are lost. rows >= columns. */
static void decompose(double *a, size_t rows, size_t columns, double *sigma, double *u, double *vt)
{
    int m = (int)rows, n = (int)columns;
    assert_int_equal(LAPACKE_dgesdd(LAPACK_ROW_MAJOR, u != NULL ? 'S' : 'N', m, n, a, n, sigma, u, n, vt, n), 0);
}

static void subspace_finds_singular_values(void **state)
{
    (void)state;
    enum { ROWS = 70, COLUMNS = 40, K = 8, RANK = 2 };
    roster_rng rng = new_rng(4);
    roster_error err;
    sparse s = new_sparse(&rng, ROWS, COLUMNS, 2, .5, .3, NULL);
    tall left = new_tall(&rng, ROWS, RANK), right = new_tall(&rng, COLUMNS, RANK);
    double *dense = dense_of(&s, s.value), sigma[COLUMNS];
    subspace block;
    subspace_matrix w = {&s, s.value, &left, &right};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t l = 0; l < RANK; l++)
                dense[i * COLUMNS + j] += left.x[i * RANK + l] * right.x[j * RANK + l];
    decompose(dense, ROWS, COLUMNS, sigma, NULL, NULL);
    subspace_init(&block, 9);
    assert_ok(subspace_resize(&block, COLUMNS, 3, &err), &err);
    assert_ok(subspace_step(&block, &w, 1, &err), &err);
    assert_ok(subspace_resize(&block, COLUMNS, K, &err), &err);
    for (size_t i = 0; i < 400; i++) {
        assert_ok(subspace_step(&block, &w, 1, &err), &err);
        for (size_t j = 0; j < K; j++)
            assert_true(block.sigma[j] <= sigma[j] * (1 + 1e-12));
    }
    for (size_t j = 0; j < K - 2; j++)
        assert_close(block.sigma[j], sigma[j], 1e-10);
    free(dense);
    subspace_fini(&block);
    tall_fini(&left);
    tall_fini(&right);
    sparse_fini(&s);
}

static void norm_is_largest_singular_value(void **state)
{
    (void)state;
    enum { ROWS = 50, COLUMNS = 30 };
    roster_rng rng = new_rng(5);
    roster_error err;
    for (size_t i = 0; i < 5; i++) {
        sparse s = new_sparse(&rng, ROWS, COLUMNS, 3, .5, .4, NULL);
        double *dense = dense_of(&s, s.value), sigma[COLUMNS], norm;
        decompose(dense, ROWS, COLUMNS, sigma, NULL, NULL);
        assert_ok(softimpute_norm(&norm, &s, 1, 2, &err), &err);
        assert_close(norm, sigma[0], 1e-9);
        free(dense);
        sparse_fini(&s);
    }
}

/* ---- the whole ---- */

static softimpute complete(const sparse *s, double lambda, size_t rank, size_t iterations, unsigned threads)
{
    static const data_watch unwatched = {NULL, NULL};
    softimpute_options options = {lambda, rank, 1e-11, iterations, 1, threads, &unwatched, "completing"};
    softimpute z;
    roster_error err;
    assert_ok(softimpute_init(&z, s, &options, &err), &err);
    return z;
}

/* F as in the head comment of softimpute.c. */
static double objective(const sparse *s, const softimpute *z, double lambda)
{
    double sum = 0;
    for (size_t i = 0; i < s->rows; i++)
        for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
            sum += pow(s->value[e] - softimpute_at(z, i, s->column[e]), 2) / 2;
    for (size_t j = 0; j < z->left.columns; j++)
        sum += lambda * z->d[j];
    return sum;
}

/* One step of SoftImpute as published, on the filled matrix; returns the squared change. */
static double dense_step(const sparse *s, double lambda, double *z, double *filled, double *u, double *vt)
{
    size_t m = s->rows, n = s->columns;
    double *sigma = malloc(n * sizeof *sigma), change = 0;
    memcpy(filled, z, m * n * sizeof *z);
    for (size_t i = 0; i < m; i++)
        for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
            filled[i * n + s->column[e]] = s->value[e];
    decompose(filled, m, n, sigma, u, vt);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < n && sigma[l] > lambda; l++)
                sum += u[i * n + l] * (sigma[l] - lambda) * vt[l * n + j];
            change += (sum - z[i * n + j]) * (sum - z[i * n + j]);
            z[i * n + j] = sum;
        }
    free(sigma);
    return change;
}

static double *dense_reference(const sparse *s, double lambda)
{
    size_t m = s->rows, n = s->columns, steps = 0;
    double *z = calloc(m * n, sizeof *z), *filled = malloc(m * n * sizeof *z), *u = malloc(m * n * sizeof *z),
           *vt = malloc(n * n * sizeof *z);
    while (dense_step(s, lambda, z, filled, u, vt) > 1e-24)
        assert_true(++steps < 20000);
    free(filled);
    free(u);
    free(vt);
    return z;
}

static void equals_dense_reference(void **state)
{
    (void)state;
    static const struct {
        size_t rows, columns, rank;
        double share, lambda;
    } cases[] = {{20, 12, 2, .5, 2}, {40, 30, 3, .6, 1}, {30, 30, 1, .4, 3}, {60, 25, 30, .5, 5}, {9, 1, 1, .8, .5}};
    roster_rng rng = new_rng(6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sparse s = new_sparse(&rng, cases[i].rows, cases[i].columns, cases[i].rank, .3, cases[i].share, NULL);
        double *expected = dense_reference(&s, cases[i].lambda);
        softimpute z = complete(&s, cases[i].lambda, 100, 5000, 1);
        assert_true(z.converged && !z.limited && z.iterations < 5000 && z.left.columns > 0);
        for (size_t j = 0; j < s.rows * s.columns; j++)
            assert_true(fabs(softimpute_at(&z, j / s.columns, j % s.columns) - expected[j]) < 1e-7);
        free(expected);
        softimpute_fini(&z);
        sparse_fini(&s);
    }
}

/* Relative error below 1 per cent where 30 entries in 100 are known. */
static void recovers_low_rank(void **state)
{
    (void)state;
    enum { ROWS = 150, COLUMNS = 100 };
    roster_rng rng = new_rng(7);
    double *whole = malloc(ROWS * COLUMNS * sizeof *whole), wrong = 0, all = 0;
    sparse s = new_sparse(&rng, ROWS, COLUMNS, 3, 0, .3, whole);
    softimpute z = complete(&s, .05, 50, 3000, 2);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        wrong += pow(softimpute_at(&z, i / COLUMNS, i % COLUMNS) - whole[i], 2);
        all += whole[i] * whole[i];
    }
    assert_true(sqrt(wrong / all) < .01);
    assert_true(z.iterations < 400); /* without momentum it takes 1793 */
    assert_int_equal(z.left.columns, 3);
    free(whole);
    softimpute_fini(&z);
    sparse_fini(&s);
}

static void objective_falls(void **state)
{
    (void)state;
    roster_rng rng = new_rng(8);
    sparse s = new_sparse(&rng, 80, 60, 4, .5, .3, NULL);
    double last = INFINITY, at[10];
    for (size_t i = 0; i < 10; i++) {
        softimpute z = complete(&s, 2, 100, (size_t)1 << i, 1);
        at[i] = objective(&s, &z, 2);
        assert_true(at[i] < last || (z.converged && at[i] <= last * (1 + 1e-12)));
        assert_true(z.iterations == (size_t)1 << i || z.converged);
        last = at[i];
        softimpute_fini(&z);
    }
    assert_true(at[0] > 2 * at[9] && at[8] < at[9] * (1 + 1e-6));
    sparse_fini(&s);
}

/* The change, from the factors, is that of the whole matrices; at 12 the rank still grows, at 60 it does not. */
static void change_is_relative_distance(void **state)
{
    (void)state;
    static const size_t iterations[] = {2, 12, 60};
    roster_rng rng = new_rng(12);
    sparse s = new_sparse(&rng, 50, 40, 4, .5, .4, NULL);
    for (size_t i = 0; i < 3; i++) {
        softimpute old = complete(&s, 1, 100, iterations[i] - 1, 1), z = complete(&s, 1, 100, iterations[i], 1);
        double moved = 0, all = 0;
        for (size_t j = 0; j < 2000; j++) {
            double from = softimpute_at(&old, j / 40, j % 40), to = softimpute_at(&z, j / 40, j % 40);
            moved += (to - from) * (to - from);
            all += from * from;
        }
        assert_close(z.change, sqrt(moved / all), 1e-9);
        softimpute_fini(&old);
        softimpute_fini(&z);
    }
    sparse_fini(&s);
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    roster_rng rng = new_rng(9);
    sparse s = new_sparse(&rng, 700, 600, 4, .5, .05, NULL);
    softimpute one = complete(&s, 10, 100, 30, 1), two = complete(&s, 10, 100, 30, 2);
    assert_true(one.left.columns > 1);
    assert_int_equal(one.left.columns, two.left.columns);
    assert_memory_equal(one.left.x, two.left.x, 700 * one.left.columns * sizeof *one.left.x);
    assert_memory_equal(one.right.x, two.right.x, 600 * one.left.columns * sizeof *one.right.x);
    assert_true(one.change == two.change);
    softimpute_fini(&one);
    softimpute_fini(&two);
    sparse_fini(&s);
}

static void rank_limit_is_kept(void **state)
{
    (void)state;
    roster_rng rng = new_rng(10);
    sparse s = new_sparse(&rng, 60, 50, 6, .1, .7, NULL);
    softimpute two = complete(&s, 1, 2, 400, 1), unlimited = complete(&s, 1, 50, 4000, 1);
    size_t rank = unlimited.left.columns;
    assert_int_equal(two.left.columns, 2);
    assert_true(two.limited && !unlimited.limited && rank > 2);
    softimpute exact = complete(&s, 1, rank, 4000, 1);
    assert_true(exact.converged && !exact.limited && exact.left.columns == rank);
    assert_close(exact.d[rank - 1], unlimited.d[rank - 1], 1e-6);
    softimpute_fini(&two);
    softimpute_fini(&unlimited);
    softimpute_fini(&exact);
    sparse_fini(&s);
}

/* Also: rows and columns of which nothing is known get 0. */
static void nothing_known_nothing_claimed(void **state)
{
    (void)state;
    roster_rng rng = new_rng(11);
    roster_error err;
    sparse s = new_sparse(&rng, 40, 30, 2, .1, .5, NULL), none;
    double norm;
    assert_ok(softimpute_norm(&norm, &s, 1, 1, &err), &err);
    softimpute z = complete(&s, norm * 1.0001, 10, 100, 1), some = complete(&s, norm * .9999, 10, 4000, 1);
    assert_true(z.converged && z.left.columns == 0 && softimpute_at(&z, 3, 3) == 0);
    assert_true(some.left.columns == 1 && some.d[0] > 0);
    softimpute_fini(&z);
    softimpute_fini(&some);
    sparse_fini(&s);
    assert_ok(sparse_init(&none, 40, 30, 1, &err), &err);
    for (size_t i = 8; i <= 40; i++)
        none.start[i] = 1;
    none.column[0] = 5;
    none.value[0] = 3;
    sparse_index(&none);
    z = complete(&none, 1, 10, 1000, 1);
    assert_close(softimpute_at(&z, 7, 5), 2, 1e-9);
    assert_true(fabs(softimpute_at(&z, 7, 4)) < 1e-12 && fabs(softimpute_at(&z, 6, 5)) < 1e-12);
    softimpute_fini(&z);
    sparse_fini(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tall_products),
        cmocka_unit_test(tall_orthonormal),
        cmocka_unit_test(sparse_products),
        cmocka_unit_test(subspace_finds_singular_values),
        cmocka_unit_test(norm_is_largest_singular_value),
        cmocka_unit_test(equals_dense_reference),
        cmocka_unit_test(recovers_low_rank),
        cmocka_unit_test(objective_falls),
        cmocka_unit_test(change_is_relative_distance),
        cmocka_unit_test(same_bits_for_any_threads),
        cmocka_unit_test(rank_limit_is_kept),
        cmocka_unit_test(nothing_known_nothing_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
