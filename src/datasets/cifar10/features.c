/*
 * features.c: what an image is to the classifiers: how much of each word of the dictionary is where.
 *
 *   t_k   = c_k . turn (x - m)                        at each of the 27 x 27 places of a patch x
 *   both signs:  max(0, t_k - 1/2), max(0, -t_k - 1/2)
 *   pooled: summed over each cell of a 3 x 3 grid of 9 x 9 places
 *   an image and its mirror image are one: what c_k has in a left cell and M c_k in the right cell of the same row are
 *   added, likewise c_k and M c_k in the middle column
 *   standardised: (f - mean) / sqrt(variance + .01), from the training images of the classes that all classifiers see
 *   last: 1, in place of a bias
 *
 * (Coates and Ng, 2011, "The importance of encoding versus training".) A linear classifier of twice the images, each
 * with its mirror image, has the same weight for c_k on the left and M c_k on the right: adding first says the same at
 * half the size.
 *
 * Departs from the triangle activation and the four quadrants of Coates, Ng and Lee (2011): with the fifth training
 * batch held out, 400 words and 3 x 3 cells, a classifier of all ten classes had 76.2% right, with quadrants 73.2%;
 * with 200 words and quadrants 70.1%, with the triangle 68.0%.
 *
 * turn and c_k are multiplied out beforehand: t_k = filter_k . (x, 1).
 *
 * Paper: none. Cost: 729 x 109 multiplications per image and word; 18 numbers per learnt word and image.
 * Check: against the formulas place by place, and mirror images alike (tests/unit/test_cifar10_features.c:
 * features_by_hand, features_of_mirror_images).
 */
#include "cifar10_internal.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE = PATCH_SIZE,
    GRID = 3,
    CELLS = GRID * GRID,
    CELL = PATCH_ACROSS / GRID,
    BLOCK = 128, /* filters at a time: their answers stay in the cache */
    PIECE = 16,  /* images                                             */
    SLICES = 16  /* of all images, for sums in a fixed order           */
};
_Static_assert(CELL *GRID == PATCH_ACROSS, "cells cover all places");

static const float THRESHOLD = .5f;

static void fill_filter(const whitening *white, const float *word, float *filter)
{
    double last = 0;
    for (size_t d = 0; d < SIZE; d++) {
        double sum = 0;
        for (size_t e = 0; e < SIZE; e++)
            sum += word[e] * white->turn[e * SIZE + d];
        filter[d] = (float)sum;
        last -= sum * white->mean[d];
    }
    filter[SIZE] = (float)last;
}

int features_init(features *self, const whitening *white, const dictionary *words, roster_error *err)
{
    *self = (features){.filters = 2 * words->half, .width = 18 * words->half + 1};
    self->filter = malloc(self->filters * FEATURES_FILTER * sizeof(float));
    self->mean = calloc(self->width, sizeof(float));
    self->scale = calloc(self->width, sizeof(float));
    if (self->filter == NULL || self->mean == NULL || self->scale == NULL)
        return common_fail_memory(err);
    for (size_t k = 0; k < self->filters; k++)
        fill_filter(white, words->words + k * SIZE, self->filter + k * FEATURES_FILTER);
    return ROSTER_OK;
}

void features_fini(features *self)
{
    free(self->filter);
    free(self->mean);
    free(self->scale);
}

/* Patches with a row of ones, answers of a block of filters, and [cells][signs][filters] that is pooled. */
size_t features_scratch(const features *self)
{
    return (FEATURES_FILTER + BLOCK) * PATCH_PLACES + CELLS * 2 * self->filters;
}

static size_t cell_of(size_t place)
{
    return place / PATCH_ACROSS / CELL * GRID + place % PATCH_ACROSS / CELL;
}

/* answers[place][n], of n filters from `first` on. */
static void pool(const features *self, const float *answers, size_t first, size_t n, float *pooled)
{
    for (size_t place = 0; place < PATCH_PLACES; place++) {
        const float *t = answers + place * n;
        float *plus = pooled + cell_of(place) * 2 * self->filters + first, *minus = plus + self->filters;
        for (size_t k = 0; k < n; k++) {
            float up = t[k] - THRESHOLD, down = -t[k] - THRESHOLD;
            plus[k] += up > 0 ? up : 0;
            minus[k] += down > 0 ? down : 0;
        }
    }
}

/* out[i] = one[i] + other[the mirror image of i], of the first n filters. */
static void add_mirrored(const features *self, const float *one, const float *other, size_t n, float *out)
{
    size_t half = self->filters / 2;
    for (size_t k = 0; k < n; k++)
        out[k] = one[k] + other[k < half ? k + half : k - half];
}

/* Per row of cells and sign: the left cells with the right ones, then the middle ones, where half the filters say
   all. */
static void fold(const features *self, const float *pooled, float *row)
{
    size_t all = self->filters, half = all / 2;
    for (size_t i = 0; i < GRID * 2; i++) {
        const float *left = pooled + (i / 2 * GRID * 2 + i % 2) * all, *middle = left + 2 * all;
        const float *right = middle + 2 * all;
        add_mirrored(self, left, right, all, row);
        add_mirrored(self, middle, middle, half, row + all);
        row += all + half;
    }
    *row = 1;
}

static void encode(const features *self, const uint8_t *pixels, float *scratch, float *row)
{
    float *patches = scratch, *answers = patches + FEATURES_FILTER * PATCH_PLACES;
    float *pooled = answers + BLOCK * PATCH_PLACES;
    patches_of(pixels, patches);
    for (size_t i = 0; i < PATCH_PLACES; i++)
        patches[SIZE * PATCH_PLACES + i] = 1;
    memset(pooled, 0, CELLS * 2 * self->filters * sizeof *pooled);
    for (size_t first = 0; first < self->filters; first += BLOCK) {
        size_t n = self->filters - first < BLOCK ? self->filters - first : BLOCK;
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasTrans, PATCH_PLACES, (int)n, FEATURES_FILTER, 1, patches,
                    PATCH_PLACES, self->filter + first * FEATURES_FILTER, FEATURES_FILTER, 0, answers, (int)n);
        pool(self, answers, first, n, pooled);
    }
    fold(self, pooled, row);
}

void features_encode(const features *self, const cifar10_images *images, size_t first, size_t n, float *scratch,
                     float *rows)
{
    for (size_t i = 0; i < n; i++)
        encode(self, cifar10_pixels(images, first + i), scratch, rows + i * self->width);
}

void features_standardise(const features *self, float *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < self->width - 1; j++)
            rows[i * self->width + j] = (rows[i * self->width + j] - self->mean[j]) * self->scale[j];
}

typedef struct job {
    const features *features;
    const cifar10_images *images;
    float *rows, *scratch; /* scratch: per thread           */
    double *sums;          /* [SLICES][2][width]            */
    size_t count[SLICES];  /* images of shared classes there */
} job;

static void encode_piece(void *context, size_t piece, unsigned worker)
{
    job *self = context;
    size_t first = piece * PIECE, left = self->images->n - first;
    features_encode(self->features, self->images, first, left < PIECE ? left : PIECE,
                    self->scratch + worker * features_scratch(self->features),
                    self->rows + first * self->features->width);
}

static size_t slice_start(const job *self, size_t slice)
{
    return self->images->n * slice / SLICES;
}

static void sum_slice(void *context, size_t slice, unsigned worker)
{
    (void)worker;
    job *self = context;
    size_t width = self->features->width;
    double *sum = self->sums + slice * 2 * width, *squares = sum + width;
    for (size_t i = slice_start(self, slice); i < slice_start(self, slice + 1); i++) {
        if (!cifar10_is_shared(cifar10_class(self->images, i)))
            continue;
        const float *row = self->rows + i * width;
        self->count[slice]++;
        for (size_t j = 0; j < width; j++) {
            sum[j] += row[j];
            squares[j] += (double)row[j] * row[j];
        }
    }
}

static void standardise_slice(void *context, size_t slice, unsigned worker)
{
    (void)worker;
    job *self = context;
    size_t first = slice_start(self, slice);
    features_standardise(self->features, self->rows + first * self->features->width,
                         slice_start(self, slice + 1) - first);
}

static void find_constants(features *self, const job *all)
{
    double n = 0;
    for (size_t slice = 0; slice < SLICES; slice++)
        n += (double)all->count[slice];
    for (size_t j = 0; j < self->width; j++) {
        double sum = 0, squares = 0;
        for (size_t slice = 0; slice < SLICES; slice++) {
            sum += all->sums[slice * 2 * self->width + j];
            squares += all->sums[(slice * 2 + 1) * self->width + j];
        }
        double mean = sum / n, variance = squares / n - mean * mean;
        self->mean[j] = (float)mean;
        self->scale[j] = (float)(1 / sqrt((variance > 0 ? variance : 0) + .01));
    }
}

int features_train(features *self, const cifar10_images *images, unsigned threads, const data_watch *watch, float *rows,
                   roster_error *err)
{
    job all = {.features = self, .images = images, .rows = rows};
    all.scratch = malloc(threads * features_scratch(self) * sizeof(float));
    all.sums = calloc(SLICES * 2 * self->width, sizeof(double));
    bool enough = all.scratch != NULL && all.sums != NULL;
    if (enough) {
        data_parallel(threads, (images->n + PIECE - 1) / PIECE, encode_piece, &all, watch, "encoding training images");
        data_parallel(threads, SLICES, sum_slice, &all, watch, NULL);
        find_constants(self, &all);
        data_parallel(threads, SLICES, standardise_slice, &all, watch, NULL);
    }
    free(all.scratch);
    free(all.sums);
    return enough ? ROSTER_OK : common_fail_memory(err);
}
