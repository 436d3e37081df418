/*
 * test_cifar10_features.c: from pixels to features (src/datasets/cifar10/patches.c, whitening.c, dictionary.c,
 * features.c), each step by itself.
 */
#include "cifar10_batches.h"

#include <math.h>

enum { SIZE = PATCH_SIZE };

static const data_watch nobody = {NULL, NULL};

static cifar10_images new_images(size_t n, uint64_t seed)
{
    cifar10_images images = {.n = n, .records = malloc(n * CIFAR10_RECORD)};
    roster_rng rng;
    assert_non_null(images.records);
    roster_rng_init(&rng, seed, 0, ROSTER_ROLE_SETUP);
    for (size_t i = 0; i < n; i++)
        batch_record((uint8_t)(i % CIFAR10_CLASSES), &rng, images.records + i * CIFAR10_RECORD);
    return images;
}

static void patches_by_hand(void **state)
{
    (void)state;
    static float all[SIZE * PATCH_PLACES];
    cifar10_images images = new_images(1, 3);
    const uint8_t *pixels = cifar10_pixels(&images, 0);
    patches_of(pixels, all);
    for (size_t place = 0; place < PATCH_PLACES; place += 13) {
        size_t top = place / PATCH_ACROSS, left = place % PATCH_ACROSS;
        double p[SIZE], mean = 0, variance = 0;
        for (size_t d = 0; d < SIZE; d++) {
            p[d] = pixels[d / 36 * 1024 + (top + d / 6 % 6) * 32 + left + d % 6];
            mean += p[d] / SIZE;
        }
        for (size_t d = 0; d < SIZE; d++)
            variance += (p[d] - mean) * (p[d] - mean) / (SIZE - 1);
        for (size_t d = 0; d < SIZE; d++)
            assert_true(fabs(all[d * PATCH_PLACES + place] - (p[d] - mean) / sqrt(variance + 10)) < 1e-5);
    }
    free(images.records);
}

/* A flat image has no contrast to divide by. */
static void patches_of_nothing(void **state)
{
    (void)state;
    static float all[SIZE * PATCH_PLACES];
    static uint8_t flat[3 * CIFAR10_PLANE];
    memset(flat, 255, sizeof flat);
    patches_of(flat, all);
    for (size_t i = 0; i < SIZE * PATCH_PLACES; i++)
        assert_true(fabsf(all[i]) < 1e-4f);
}

/* As many from each image of classes 1, 3, 5, 7, 9, and each a patch of that image. */
static void samples_are_of_shared_classes(void **state)
{
    (void)state;
    static float all[SIZE * PATCH_PLACES];
    cifar10_images images = new_images(20, 4);
    roster_rng rng;
    roster_error err;
    float *sample;
    size_t n;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_INSTANCE);
    assert_ok(patches_sample(&images, 25, &rng, &sample, &n, &err), &err);
    assert_int_equal(n, 30);
    for (size_t i = 0; i < n; i++) {
        size_t image = i / 3 * 2 + 1, place = 0, d = 0;
        patches_of(cifar10_pixels(&images, image), all);
        for (; place < PATCH_PLACES && d < SIZE; place += d < SIZE)
            for (d = 0; d < SIZE && sample[i * SIZE + d] == all[d * PATCH_PLACES + place];)
                d++;
        assert_true(place < PATCH_PLACES);
    }
    free(sample);
    assert_ok(patches_sample(&images, 1000000, &rng, &sample, &n, &err), &err);
    assert_int_equal(n, 10 * PATCH_PLACES);
    free(sample);
    free(images.records);
}

/* Correlated patches, each followed by its mirror image. */
static float *correlated(size_t n, uint64_t seed)
{
    float *sample = malloc(n * SIZE * sizeof *sample);
    roster_rng rng;
    assert_non_null(sample);
    roster_rng_init(&rng, seed, 0, ROSTER_ROLE_SETUP);
    for (size_t i = 0; i < n; i += 2) {
        float common = noise(&rng), *x = sample + i * SIZE;
        for (size_t d = 0; d < SIZE; d++)
            x[d] = 3 * common + (1 + (float)(d % 5)) * noise(&rng) + (float)d / 10;
        for (size_t d = 0; d < SIZE; d++)
            x[SIZE + d] = x[patches_mirror(d)];
    }
    return sample;
}

static void whitening_gives_identity(void **state)
{
    (void)state;
    enum { N = 2000 };
    static whitening white;
    roster_error err;
    float *sample = correlated(N, 5);
    assert_ok(whitening_learn(&white, sample, N, 1e-9, &err), &err);
    assert_ok(whitening_apply(&white, sample, N, &err), &err);
    for (size_t d = 0; d < SIZE; d++)
        for (size_t e = 0; e < SIZE; e++) {
            double sum = 0, mean = 0;
            for (size_t i = 0; i < N; i++) {
                sum += (double)sample[i * SIZE + d] * sample[i * SIZE + e] / N;
                mean += (double)sample[i * SIZE + d] / N;
            }
            assert_true(fabs(sum - (d == e)) < 1e-4);
            assert_true(fabs(mean) < 1e-4);
            assert_true(fabs(white.turn[d * SIZE + e] - white.turn[e * SIZE + d]) < 1e-12);
        }
    for (size_t i = 0; i < N; i += 2) /* mirror images stay mirror images */
        for (size_t d = 0; d < SIZE; d++)
            assert_true(fabsf(sample[i * SIZE + d] - sample[(i + 1) * SIZE + patches_mirror(d)]) < 1e-3f);
    free(sample);
}

/* Half of the sample alone gives the same: each patch counts with its mirror image. */
static void whitening_knows_mirror_images(void **state)
{
    (void)state;
    enum { N = 1000 };
    static whitening both, one;
    roster_error err;
    float *sample = correlated(N, 6);
    assert_ok(whitening_learn(&both, sample, N, .1, &err), &err);
    for (size_t i = 0; i < N / 2; i++)
        memcpy(sample + i * SIZE, sample + 2 * i * SIZE, SIZE * sizeof *sample);
    assert_ok(whitening_learn(&one, sample, N / 2, .1, &err), &err);
    for (size_t i = 0; i < SIZE * SIZE; i++)
        assert_true(fabs(both.turn[i] - one.turn[i]) < 1e-9);
    free(sample);
}

/* Noise around multiples of four directions, some of them mirrored. */
static float *planted(size_t n, float directions[4][SIZE])
{
    float *sample = malloc(n * SIZE * sizeof *sample);
    roster_rng rng;
    assert_non_null(sample);
    roster_rng_init(&rng, 8, 0, ROSTER_ROLE_SETUP);
    for (size_t k = 0; k < 4; k++) {
        float square = 0;
        for (size_t d = 0; d < SIZE; d++) {
            directions[k][d] = noise(&rng);
            square += directions[k][d] * directions[k][d];
        }
        for (size_t d = 0; d < SIZE; d++)
            directions[k][d] /= sqrtf(square);
    }
    for (size_t i = 0; i < n; i++) {
        float much = (5 + (float)(i % 7)) * (i / 8 % 3 == 0 ? -1 : 1);
        for (size_t d = 0; d < SIZE; d++)
            sample[i * SIZE + d] = much * directions[i % 4][i % 8 < 4 ? d : patches_mirror(d)] + .1f * noise(&rng);
    }
    return sample;
}

static void dictionary_finds_directions(void **state)
{
    (void)state;
    enum { N = 1500, HALF = 12 };
    float directions[4][SIZE], *sample = planted(N, directions);
    roster_rng rng;
    roster_error err;
    dictionary words;
    roster_rng_init(&rng, 2, 0, ROSTER_ROLE_INSTANCE);
    assert_ok(dictionary_init(&words, HALF, sample, N, &rng, &err), &err);
    assert_ok(dictionary_learn(&words, sample, N, 10, &rng, 2, &nobody, NULL, &err), &err);
    for (size_t k = 0; k < 4; k++) {
        double best = 0;
        for (size_t j = 0; j < 2 * HALF; j++) {
            double along = 0;
            for (size_t d = 0; d < SIZE; d++)
                along += words.words[j * SIZE + d] * directions[k][d];
            best = fmax(best, fabs(along));
        }
        assert_true(best > .99);
    }
    dictionary_fini(&words);
    free(sample);
}

static void dictionary_explains_more(void **state)
{
    (void)state;
    enum { N = 3000, HALF = 20, ROUNDS = 12 };
    float *sample = correlated(N, 7);
    double explained[ROUNDS];
    roster_rng rng;
    roster_error err;
    dictionary words;
    roster_rng_init(&rng, 2, 0, ROSTER_ROLE_INSTANCE);
    assert_ok(dictionary_init(&words, HALF, sample, N, &rng, &err), &err);
    assert_ok(dictionary_learn(&words, sample, N, ROUNDS, &rng, 2, &nobody, explained, &err), &err);
    for (size_t i = 1; i < ROUNDS; i++)
        assert_true(explained[i] >= explained[i - 1] * (1 - 1e-6));
    assert_true(explained[ROUNDS - 1] > 1.05 * explained[0]);
    for (size_t k = 0; k < 2 * HALF; k++) {
        double square = 0;
        for (size_t d = 0; d < SIZE; d++) {
            square += (double)words.words[k * SIZE + d] * words.words[k * SIZE + d];
            assert_true(words.words[k * SIZE + d] == words.words[(k + HALF) % (2 * HALF) * SIZE + patches_mirror(d)]);
        }
        assert_close(square, 1, 1e-5);
    }
    dictionary_fini(&words);
    free(sample);
}

/* More words than patches, most of them alike, and a sample of zeros: still words of length 1. */
static void dictionary_of_little(void **state)
{
    (void)state;
    float sample[3 * SIZE] = {0};
    roster_rng rng;
    roster_error err;
    dictionary words;
    for (int full = 0; full < 2; full++) {
        sample[5] = full ? 2.f : 0;
        roster_rng_init(&rng, 2, 0, ROSTER_ROLE_INSTANCE);
        assert_ok(dictionary_init(&words, 8, sample, 3, &rng, &err), &err);
        assert_ok(dictionary_learn(&words, sample, 3, 4, &rng, 1, &nobody, NULL, &err), &err);
        for (size_t k = 0; k < 16; k++) {
            float square = 0;
            for (size_t d = 0; d < SIZE; d++)
                square += words.words[k * SIZE + d] * words.words[k * SIZE + d];
            assert_true(square == 1);
        }
        dictionary_fini(&words);
    }
}

/* Words that are not aligned with pixels, and a whitening with a mean. */
static void make_features(features *found, whitening *white, dictionary *words, size_t half)
{
    enum { N = 1000 };
    float *sample = correlated(N, 9);
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 3, 0, ROSTER_ROLE_INSTANCE);
    assert_ok(whitening_learn(white, sample, N, .1, &err), &err);
    assert_ok(whitening_apply(white, sample, N, &err), &err);
    assert_ok(dictionary_init(words, half, sample, N, &rng, &err), &err);
    assert_ok(features_init(found, white, words, &err), &err);
    free(sample);
}

/* c_k . turn (x - m) at a place. */
static double answer(const whitening *white, const float *word, const float *all, size_t place)
{
    double t = 0;
    for (size_t d = 0; d < SIZE; d++)
        for (size_t e = 0; e < SIZE; e++)
            t += word[d] * white->turn[d * SIZE + e] * (all[e * PATCH_PLACES + place] - white->mean[e]);
    return t;
}

/* More filters than are done at a time. */
static void features_by_hand(void **state)
{
    (void)state;
    enum { HALF = 80 };
    static float all[SIZE * PATCH_PLACES], row[18 * HALF + 1];
    static const size_t shown[] = {0, 3, 79, 80, 140, 159};
    static whitening white;
    cifar10_images images = new_images(1, 12);
    dictionary words;
    features found;
    make_features(&found, &white, &words, HALF);
    assert_int_equal(found.width, 18 * HALF + 1);
    float *scratch = malloc(features_scratch(&found) * sizeof *scratch);
    assert_non_null(scratch);
    features_encode(&found, &images, 0, 1, scratch, row);
    patches_of(cifar10_pixels(&images, 0), all);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        size_t k = shown[i], mirrored = (k + HALF) % (2 * HALF);
        double sides[3][2] = {{0}}, middle[3][2] = {{0}};
        for (size_t place = 0; place < PATCH_PLACES; place++) {
            size_t y = place / 27 / 9, x = place % 27 / 9;
            double own = answer(&white, words.words + k * SIZE, all, place);
            double other = answer(&white, words.words + mirrored * SIZE, all, place);
            for (int sign = 0; sign < 2; sign++) {
                double up = fmax(0, (sign ? -own : own) - .5), down = fmax(0, (sign ? -other : other) - .5);
                sides[y][sign] += x == 0 ? up : x == 2 ? down : 0;
                middle[y][sign] += x == 1 ? up + down : 0;
            }
        }
        for (size_t y = 0; y < 3; y++)
            for (size_t sign = 0; sign < 2; sign++) {
                const float *part = row + (y * 2 + sign) * 3 * HALF;
                assert_true(fabs(part[k] - sides[y][sign]) < 1e-3 * (1 + sides[y][sign]));
                if (k < HALF)
                    assert_true(fabs(part[2 * HALF + k] - middle[y][sign]) < 1e-3 * (1 + middle[y][sign]));
            }
    }
    assert_true(row[18 * HALF] == 1);
    free(scratch);
    dictionary_fini(&words);
    features_fini(&found);
    free(images.records);
}

static void features_of_mirror_images(void **state)
{
    (void)state;
    enum { HALF = 5, WIDTH = 18 * HALF + 1 };
    float rows[3 * WIDTH], apart = 0;
    static whitening white;
    cifar10_images images = new_images(3, 13);
    dictionary words;
    features found;
    make_features(&found, &white, &words, HALF);
    uint8_t *mirrored = images.records + CIFAR10_RECORD;
    for (size_t i = 0; i < 3 * CIFAR10_PLANE; i++)
        mirrored[1 + i] = images.records[1 + i / 32 * 32 + 31 - i % 32];
    float *scratch = malloc(features_scratch(&found) * sizeof *scratch);
    assert_non_null(scratch);
    features_encode(&found, &images, 0, 3, scratch, rows);
    for (size_t j = 0; j < WIDTH; j++) {
        assert_true(fabsf(rows[j] - rows[WIDTH + j]) < 1e-3f * (1 + rows[j]));
        apart += fabsf(rows[j] - rows[2 * WIDTH + j]);
    }
    assert_true(apart > 1);
    free(scratch);
    dictionary_fini(&words);
    features_fini(&found);
    free(images.records);
}

/* Mean 0 and variance near 1 over the shared classes, whatever the others look like; the last one stays 1. */
static void features_are_standardised(void **state)
{
    (void)state;
    enum { HALF = 4, WIDTH = 18 * HALF + 1, N = 60 };
    static float rows[N * WIDTH], again[N * WIDTH];
    static whitening white;
    cifar10_images images = new_images(N, 14);
    roster_error err;
    dictionary words;
    features found;
    make_features(&found, &white, &words, HALF);
    for (unsigned threads = 1; threads <= 3; threads++) {
        assert_ok(features_train(&found, &images, threads, &nobody, again, &err), &err);
        if (threads == 1)
            memcpy(rows, again, sizeof rows);
        assert_memory_equal(rows, again, sizeof rows);
    }
    for (size_t j = 0; j < WIDTH - 1; j++) {
        double mean = 0, square = 0;
        for (size_t i = 1; i < N; i += 2) {
            mean += rows[i * WIDTH + j] / (N / 2.);
            square += (double)rows[i * WIDTH + j] * rows[i * WIDTH + j] / (N / 2.);
        }
        assert_true(fabs(mean) < 1e-4);
        assert_true(square < 1.0001 && (square > .9 || found.scale[j] > 3)); /* or it hardly varies */
    }
    for (size_t i = 0; i < N; i++)
        assert_true(rows[i * WIDTH + WIDTH - 1] == 1);
    dictionary_fini(&words);
    features_fini(&found);
    free(images.records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_by_hand),
        cmocka_unit_test(patches_of_nothing),
        cmocka_unit_test(samples_are_of_shared_classes),
        cmocka_unit_test(whitening_gives_identity),
        cmocka_unit_test(whitening_knows_mirror_images),
        cmocka_unit_test(dictionary_finds_directions),
        cmocka_unit_test(dictionary_explains_more),
        cmocka_unit_test(dictionary_of_little),
        cmocka_unit_test(features_by_hand),
        cmocka_unit_test(features_of_mirror_images),
        cmocka_unit_test(features_are_standardised),
    };
    data_parallel_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
