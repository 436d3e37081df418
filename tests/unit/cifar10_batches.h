/*
 * cifar10_batches.h: small batches in the format of CIFAR-10, for the tests of data/cifar10*.c.
 *
 * The ten classes are coloured stripes: each has its own direction, width and colours; where they begin is random, and
 * there is noise.
 */
#ifndef ROSTER_CIFAR10_BATCHES_H
#define ROSTER_CIFAR10_BATCHES_H

#include "support.h"

#include "cifar10_data.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_FILES = 6 };

static const char *const batch_files[BATCH_FILES] = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                                     "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"};

static inline void batch_path(const char *folder, size_t file, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, batch_files[file]);
}

/* About normal: the sum of twelve uniform numbers less 6. */
static inline float noise(roster_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += roster_rng_uniform(rng);
    return (float)sum;
}

/* An image of the class as a record. */
static inline void batch_record(uint8_t class, roster_rng *rng, uint8_t record[CIFAR10_RECORD])
{
    size_t across = class % 5, down = 4 - class % 5, width = class < 5 ? 12 : 20, phase = roster_rng_below(rng, width);
    record[0] = class;
    for (size_t i = 0; i < 3 * CIFAR10_PLANE; i++) {
        size_t plane = i / CIFAR10_PLANE, y = i / CIFAR10_SIDE % CIFAR10_SIDE, x = i % CIFAR10_SIDE;
        bool bright = (across * x + down * y + phase) % width < width / 2;
        size_t swing = plane == class % 3 ? 60 : 20;
        record[1 + i] = (uint8_t)(100 + (bright ? swing : 0) + roster_rng_below(rng, 40));
    }
}

/* n images whose classes go round; those of class `noise` (10: none) are noise alone, all others as they would be. */
static inline void batch_write(const char *folder, size_t file, size_t n, uint8_t noise)
{
    char path[64];
    uint8_t record[CIFAR10_RECORD];
    roster_rng rng;
    batch_path(folder, file, path);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    for (size_t i = 0; i < n; i++) {
        roster_rng_init(&rng, 100 + file, i, ROSTER_ROLE_SETUP);
        batch_record((uint8_t)(i % CIFAR10_CLASSES), &rng, record);
        for (size_t j = 1; j < CIFAR10_RECORD && record[0] == noise; j++)
            record[j] = (uint8_t)roster_rng_below(&rng, 256);
        assert_int_equal(fwrite(record, CIFAR10_RECORD, 1, out), 1);
    }
    assert_int_equal(fclose(out), 0);
}

static inline void batches_write(const char *folder, size_t train, size_t test, uint8_t noise)
{
    for (size_t file = 0; file < BATCH_FILES; file++)
        batch_write(folder, file, file + 1 < BATCH_FILES ? train : test, noise);
}

/* The folder and all batches in it. */
static inline void batches_remove(const char *folder)
{
    char path[64];
    for (size_t file = 0; file < BATCH_FILES; file++) {
        batch_path(folder, file, path);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

#endif
