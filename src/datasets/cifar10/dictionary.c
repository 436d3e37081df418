/*
 * dictionary.c: the directions in which whitened patches like to lie, by spherical k-means.
 *
 *   words c_k of length 1, closed under mirroring: c_{half + k} = M c_k
 *   nearest word of x: the k with the largest |c_k . x|
 *   round:  c_k <- sum over the x nearest to c_k of (c_k . x) x, those nearest to M c_k mirrored, scaled to length 1
 *   explained = mean over x of max_k (c_k . x)^2, which no round makes smaller
 *
 * (Coates and Ng, 2012, "Learning feature representations with k-means"; that -x is as near as x is ours and goes with
 * features of both signs.) A word that nothing is nearest to starts again as a patch drawn at random.
 *
 * Paper: none. Cost per round: 2 n half 108 multiplications; 2 half numbers per patch of a piece.
 * Check: explained never falls, and four directions planted in noise are found again
 * (tests/unit/test_cifar10_features.c: dictionary_explains_more, dictionary_finds_directions).
 */
#include "cifar10_internal.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = PATCH_SIZE, PIECE = 256 };

/* The nearest word of every patch. */
typedef struct assignment {
    const dictionary *words;
    const float *sample;
    size_t n;
    float *scratch; /* [threads][PIECE][2 half] */
    float *along;   /* [n]: c_k . x             */
    uint32_t *nearest;
} assignment;

static void scale_to_one(float *word)
{
    double square = 0;
    for (size_t d = 0; d < SIZE; d++)
        square += (double)word[d] * word[d];
    double factor = square > 0 ? 1 / sqrt(square) : 0;
    for (size_t d = 0; d < SIZE; d++)
        word[d] = (float)(word[d] * factor);
    word[0] = square > 0 ? word[0] : 1; /* where all is flat, any direction will do */
}

static void mirror(const float *x, float *mirrored)
{
    for (size_t d = 0; d < SIZE; d++)
        mirrored[d] = x[patches_mirror(d)];
}

/* To length 1, and its mirror image into its place. */
static void finish_word(dictionary *self, size_t k)
{
    float *word = self->words + k * SIZE;
    scale_to_one(word);
    mirror(word, word + self->half * SIZE);
}

static void start_word(dictionary *self, size_t k, const float *sample, size_t n, roster_rng *rng)
{
    memcpy(self->words + k * SIZE, sample + roster_rng_below(rng, n) * SIZE, SIZE * sizeof(float));
    finish_word(self, k);
}

int dictionary_init(dictionary *self, size_t half, const float *sample, size_t n, roster_rng *rng, roster_error *err)
{
    *self = (dictionary){.half = half, .words = malloc(2 * half * SIZE * sizeof(float))};
    if (self->words == NULL)
        return common_fail_memory(err);
    for (size_t k = 0; k < half; k++)
        start_word(self, k, sample, n, rng);
    return ROSTER_OK;
}

void dictionary_fini(dictionary *self)
{
    free(self->words);
}

static void assign_piece(void *context, size_t piece, unsigned worker)
{
    assignment *self = context;
    size_t words = 2 * self->words->half, from = piece * PIECE;
    size_t rows = self->n - from < PIECE ? self->n - from : PIECE;
    float *answers = self->scratch + worker * PIECE * words;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)words, SIZE, 1, self->sample + from * SIZE,
                SIZE, self->words->words, SIZE, 0, answers, (int)words);
    for (size_t i = 0; i < rows; i++) {
        const float *row = answers + i * words;
        size_t best = 0;
        for (size_t k = 1; k < words; k++)
            best = fabsf(row[k]) > fabsf(row[best]) ? k : best;
        self->nearest[from + i] = (uint32_t)best;
        self->along[from + i] = row[best];
    }
}

static double explained_by(const assignment *self)
{
    double sum = 0;
    for (size_t i = 0; i < self->n; i++)
        sum += (double)self->along[i] * self->along[i];
    return sum / (double)self->n;
}

/* In the order of the sample; sums[half][SIZE] in double. */
static void update(dictionary *self, const assignment *all, double *sums, roster_rng *rng)
{
    memset(sums, 0, self->half * SIZE * sizeof *sums);
    for (size_t i = 0; i < all->n; i++) {
        bool mirrored = all->nearest[i] >= self->half;
        double *sum = sums + (all->nearest[i] - (mirrored ? self->half : 0)) * SIZE, along = all->along[i];
        const float *x = all->sample + i * SIZE;
        float turned[SIZE];
        if (mirrored)
            mirror(x, turned);
        for (size_t d = 0; d < SIZE; d++)
            sum[d] += along * (mirrored ? turned[d] : x[d]);
    }
    for (size_t k = 0; k < self->half; k++) {
        bool any = false;
        for (size_t d = 0; d < SIZE; d++) {
            self->words[k * SIZE + d] = (float)sums[k * SIZE + d];
            any = any || sums[k * SIZE + d] != 0;
        }
        if (any)
            finish_word(self, k);
        else
            start_word(self, k, all->sample, all->n, rng);
    }
}

int dictionary_learn(dictionary *self, const float *sample, size_t n, unsigned rounds, roster_rng *rng,
                     unsigned threads, const data_watch *watch, double *explained, roster_error *err)
{
    static const char what[] = "learning a dictionary of patches";
    assignment all = {.words = self, .sample = sample, .n = n};
    double *sums = malloc(self->half * SIZE * sizeof *sums);
    all.scratch = malloc(threads * PIECE * 2 * self->half * sizeof(float));
    all.along = malloc(n * sizeof *all.along);
    all.nearest = malloc(n * sizeof *all.nearest);
    bool enough = sums != NULL && all.scratch != NULL && all.along != NULL && all.nearest != NULL;
    for (unsigned i = 0; i < rounds && enough; i++) {
        data_step(watch, what, i, rounds);
        data_parallel(threads, (n + PIECE - 1) / PIECE, assign_piece, &all, watch, NULL);
        if (explained != NULL)
            explained[i] = explained_by(&all);
        update(self, &all, sums, rng);
    }
    data_step(watch, what, rounds, rounds);
    free(sums);
    free(all.scratch);
    free(all.along);
    free(all.nearest);
    return enough ? ROSTER_OK : common_fail_memory(err);
}
