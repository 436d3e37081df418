/*
 * patches.c: 6 x 6 patches of images, without their brightness and contrast.
 *
 *   patch p of 3 x 6 x 6 pixels 0..255, d = (plane, row, column)
 *   x_d = (p_d - m) / sqrt(var + 10),  m = mean of p,  var = sum_d (p_d - m)^2 / 107
 *
 * (Coates, Ng and Lee, 2011, with their 10.) Sums of pixels and of their squares stay below 2^24, so they are exact in
 * float and the order of adding does not matter.
 *
 * All 27 x 27 patches of an image are made at once as a matrix with a row per d: a row is 27 pieces of the image,
 * copied as they lie.
 *
 * Paper: none. Cost: 108 x 729 numbers per image, a few operations each.
 * Check: tests/unit/test_cifar10_features.c: patches_by_hand.
 */
#include "cifar10_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t patches_mirror(size_t d)
{
    return d / PATCH_SIDE * PATCH_SIDE + PATCH_SIDE - 1 - d % PATCH_SIDE;
}

/* Row d of the matrix. */
static void copy_row(const float *image, size_t d, float *row)
{
    size_t plane = d / (PATCH_SIDE * PATCH_SIDE), y = d / PATCH_SIDE % PATCH_SIDE, x = d % PATCH_SIDE;
    const float *from = image + plane * CIFAR10_PLANE + y * CIFAR10_SIDE + x;
    for (size_t top = 0; top < PATCH_ACROSS; top++)
        memcpy(row + top * PATCH_ACROSS, from + top * CIFAR10_SIDE, PATCH_ACROSS * sizeof *row);
}

void patches_of(const uint8_t *pixels, float patches[PATCH_SIZE * PATCH_PLACES])
{
    float image[3 * CIFAR10_PLANE], mean[PATCH_PLACES] = {0}, scale[PATCH_PLACES] = {0};
    for (size_t i = 0; i < 3 * CIFAR10_PLANE; i++)
        image[i] = pixels[i];
    for (size_t d = 0; d < PATCH_SIZE; d++) {
        float *row = patches + d * PATCH_PLACES;
        copy_row(image, d, row);
        for (size_t i = 0; i < PATCH_PLACES; i++) {
            mean[i] += row[i];
            scale[i] += row[i] * row[i];
        }
    }
    for (size_t i = 0; i < PATCH_PLACES; i++) {
        float sum = mean[i], variance = (scale[i] - sum * (sum / PATCH_SIZE)) / (PATCH_SIZE - 1);
        mean[i] = sum / PATCH_SIZE;
        scale[i] = 1 / sqrtf((variance > 0 ? variance : 0) + 10);
    }
    for (size_t d = 0; d < PATCH_SIZE; d++)
        for (size_t i = 0; i < PATCH_PLACES; i++)
            patches[d * PATCH_PLACES + i] = (patches[d * PATCH_PLACES + i] - mean[i]) * scale[i];
}

static size_t count_shared(const cifar10_images *images)
{
    size_t shared = 0;
    for (size_t i = 0; i < images->n; i++)
        shared += cifar10_is_shared(cifar10_class(images, i));
    return shared;
}

int patches_sample(const cifar10_images *images, size_t wanted, roster_rng *rng, float **sample, size_t *n,
                   roster_error *err)
{
    size_t shared = count_shared(images), each = (wanted + shared - 1) / shared;
    each = each < PATCH_PLACES ? each : PATCH_PLACES;
    float *all = malloc(PATCH_SIZE * PATCH_PLACES * sizeof *all);
    float *next = *sample = malloc(shared * each * PATCH_SIZE * sizeof **sample);
    *n = shared * each;
    for (size_t i = 0; i < images->n && all != NULL && next != NULL; i++) {
        if (!cifar10_is_shared(cifar10_class(images, i)))
            continue;
        patches_of(cifar10_pixels(images, i), all);
        for (size_t j = 0; j < each; j++, next += PATCH_SIZE) {
            size_t place = roster_rng_below(rng, PATCH_PLACES);
            for (size_t d = 0; d < PATCH_SIZE; d++)
                next[d] = all[d * PATCH_PLACES + place];
        }
    }
    bool failed = all == NULL || next == NULL;
    free(all);
    return failed ? common_fail_memory(err) : ROSTER_OK;
}
