/*
 * whitening.c: turns patches so that their pixels are uncorrelated and still look like pixels (ZCA).
 *
 *   m = mean,  C = covariance = E diag(l) E',  turn = E diag(1 / sqrt(l + epsilon)) E',  x -> turn (x - m)
 *
 * An image and its mirror image show the same thing, so mean and covariance are those of the sample together with its
 * mirror images M x: of second moments S that is (S + M S M) / 2. Then turn M = M turn, and the dictionary can be
 * closed under mirroring.
 *
 * Paper: none. Cost: n 108^2 to learn and to apply.
 * Check: tests/unit/test_cifar10_features.c: whitening_gives_identity.
 */
#include "cifar10_internal.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

enum { SIZE = PATCH_SIZE, CHUNK = 1024 };

/* Mean and second moments of the sample as it is. */
static int moments(const float *sample, size_t n, double *mean, double *second, roster_error *err)
{
    double *chunk = malloc(sizeof(double[CHUNK * SIZE])), share = 1 / (double)n;
    if (chunk == NULL)
        return common_fail_memory(err);
    for (size_t from = 0; from < n; from += CHUNK) {
        size_t rows = n - from < CHUNK ? n - from : CHUNK;
        for (size_t i = 0; i < rows * SIZE; i++) {
            chunk[i] = sample[from * SIZE + i];
            mean[i % SIZE] += chunk[i] * share;
        }
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, SIZE, SIZE, (int)rows, share, chunk, SIZE, chunk, SIZE, 1,
                    second, SIZE);
    }
    free(chunk);
    return ROSTER_OK;
}

/* As if each patch had come with its mirror image; second moments become the covariance. */
static void mirror_moments(const double *mean, const double *second, double *both, double *covariance)
{
    for (size_t d = 0; d < SIZE; d++)
        both[d] = (mean[d] + mean[patches_mirror(d)]) / 2;
    for (size_t d = 0; d < SIZE; d++)
        for (size_t e = 0; e < SIZE; e++) {
            double mirrored = second[patches_mirror(d) * SIZE + patches_mirror(e)];
            covariance[d * SIZE + e] = (second[d * SIZE + e] + mirrored) / 2 - both[d] * both[e];
        }
}

/* turn = E diag(1 / sqrt(l + epsilon)) E'; E in the columns of `vectors`. */
static void fill_turn(whitening *self, const double *vectors, const double *l, double epsilon)
{
    double weight[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        weight[i] = 1 / sqrt((l[i] > 0 ? l[i] : 0) + epsilon);
    for (size_t d = 0; d < SIZE; d++)
        for (size_t e = 0; e < SIZE; e++) {
            double sum = 0;
            for (size_t i = 0; i < SIZE; i++)
                sum += vectors[d * SIZE + i] * weight[i] * vectors[e * SIZE + i];
            self->turn[d * SIZE + e] = sum;
        }
}

int whitening_learn(whitening *self, const float *sample, size_t n, double epsilon, roster_error *err)
{
    double *scratch = calloc(2 * SIZE * SIZE + 2 * SIZE, sizeof *scratch);
    if (scratch == NULL)
        return common_fail_memory(err);
    double *second = scratch, *covariance = second + SIZE * SIZE, *mean = covariance + SIZE * SIZE, *l = mean + SIZE;
    int code = moments(sample, n, mean, second, err);
    if (code == ROSTER_OK) {
        mirror_moments(mean, second, self->mean, covariance);
        if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', SIZE, covariance, SIZE, l) != 0)
            code = common_fail_memory(err); /* of a finite symmetric matrix, that is all that can go wrong */
        else
            fill_turn(self, covariance, l, epsilon);
    }
    free(scratch);
    return code;
}

int whitening_apply(const whitening *self, float *sample, size_t n, roster_error *err)
{
    float *turn = malloc((SIZE + CHUNK) * SIZE * sizeof *turn);
    if (turn == NULL)
        return common_fail_memory(err);
    float *chunk = turn + SIZE * SIZE;
    for (size_t i = 0; i < SIZE * SIZE; i++)
        turn[i] = (float)self->turn[i];
    for (size_t from = 0; from < n; from += CHUNK) {
        size_t rows = n - from < CHUNK ? n - from : CHUNK;
        for (size_t i = 0; i < rows * SIZE; i++)
            chunk[i] = sample[from * SIZE + i] - (float)self->mean[i % SIZE];
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, SIZE, SIZE, 1, chunk, SIZE, turn, SIZE, 0,
                    sample + from * SIZE, SIZE);
    }
    free(turn);
    return ROSTER_OK;
}
