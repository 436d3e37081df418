/*
 * cifar10_read.c: the six binary batches of CIFAR-10.
 *
 *   batch  = records, record = class (1 byte, 0..9), then 32 x 32 bytes each of red, green, blue, row by row
 *
 * A batch of the official size must be the official batch, by its 64-bit FNV-1a checksum:
 *
 *   h <- 14695981039346656037, then for each byte: h <- (h xor byte) 1099511628211 mod 2^64
 *
 * Other sizes are taken as they are: a part of a batch serves for a quick look, and tests make their own. Images are
 * counted from 0, as everywhere here.
 *
 * Paper: none. Cost: one pass over the bytes; 3073 bytes per image.
 * Check: every sentence in tests/unit/test_cifar10.c: batches_refused; FNV-1a of "a" is af63dc4c8601ec8c.
 */
#include "cifar10_internal.h"
#include "common_hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 5, OFFICIAL_SIZE = 10000 * CIFAR10_RECORD };

typedef struct batch {
    const char *name;
    uint64_t checksum; /* of the official file */
} batch;

static const batch train_batches[BATCHES] = {
    {"data_batch_1.bin", UINT64_C(0x10f4a61099617e38)}, {"data_batch_2.bin", UINT64_C(0x30cae754abe1e1a2)},
    {"data_batch_3.bin", UINT64_C(0xc359e8f7748b8513)}, {"data_batch_4.bin", UINT64_C(0xa9f09c953a84806a)},
    {"data_batch_5.bin", UINT64_C(0x555f7a0f0906135f)},
};
static const batch test_batch = {"test_batch.bin", UINT64_C(0x3fbccbebe9a2e075)};

uint8_t cifar10_class(const cifar10_images *images, size_t i)
{
    return images->records[i * CIFAR10_RECORD];
}

const uint8_t *cifar10_pixels(const cifar10_images *images, size_t i)
{
    return images->records + i * CIFAR10_RECORD + 1;
}

static int check(const batch *self, const char *path, const uint8_t *bytes, size_t size, roster_error *err)
{
    if (size == 0)
        return common_fail(err, ROSTER_EINVAL, "%.300s is empty, must hold images of %d bytes each", path,
                           CIFAR10_RECORD);
    if (size % CIFAR10_RECORD != 0)
        return common_fail(
            err, ROSTER_EINVAL,
            "%.300s has %zu bytes, must have a multiple of %d: one for the class of an image, 3072 for its pixels",
            path, size, CIFAR10_RECORD);
    uint64_t checksum = size == OFFICIAL_SIZE ? common_hash_fnv(bytes, size) : self->checksum;
    if (checksum != self->checksum)
        return common_fail(err, ROSTER_EINVAL,
                           "%.300s is damaged: its checksum is %016" PRIx64 ", that of the official file %016" PRIx64
                           "; download it again",
                           path, checksum, self->checksum);
    for (size_t i = 0; i < size / CIFAR10_RECORD; i++)
        if (bytes[i * CIFAR10_RECORD] >= CIFAR10_CLASSES)
            return common_fail(err, ROSTER_EINVAL, "%.300s: image %zu has class %u, must be in 0..%d", path, i,
                               bytes[i * CIFAR10_RECORD], CIFAR10_CLASSES - 1);
    return ROSTER_OK;
}

/* Appends the file's bytes to the images, up to one byte more than the official size: more is never right. */
static int append(cifar10_images *images, FILE *file, size_t *size)
{
    size_t used = images->n * CIFAR10_RECORD;
    uint8_t *more = realloc(images->records, used + OFFICIAL_SIZE + 1);
    if (more == NULL)
        return ROSTER_ENOMEM;
    images->records = more;
    *size = fread(more + used, 1, OFFICIAL_SIZE + 1, file);
    return ROSTER_OK;
}

static int read_batch(const batch *self, const char *folder, cifar10_images *images, roster_error *err)
{
    size_t size = 0, room = strlen(folder) + strlen(self->name) + 2;
    char *path = malloc(room);
    if (path == NULL)
        return common_fail_memory(err);
    snprintf(path, room, "%s/%s", folder, self->name);
    FILE *file = fopen(path, "rb");
    int code = file == NULL ? ROSTER_EINVAL : append(images, file, &size);
    int reason = errno;
    if (code == ROSTER_ENOMEM)
        common_fail_memory(err);
    else if (file == NULL || ferror(file))
        code = common_fail(
            err, ROSTER_EINVAL,
            "%.300s cannot be read: %s; the folder must hold data_batch_1.bin to data_batch_5.bin and test_batch.bin",
            path, strerror(reason));
    else if (size > OFFICIAL_SIZE)
        code = common_fail(err, ROSTER_EINVAL, "%.300s is larger than %d bytes, must hold at most 10000 images", path,
                           OFFICIAL_SIZE);
    else
        code = check(self, path, images->records + images->n * CIFAR10_RECORD, size, err);
    if (file != NULL)
        fclose(file);
    images->n += code == ROSTER_OK ? size / CIFAR10_RECORD : 0;
    free(path);
    return code;
}

/* Every class has at least `least` images. */
static int check_classes(const cifar10_images *images, const char *folder, const char *which, size_t least,
                         roster_error *err)
{
    size_t count[CIFAR10_CLASSES] = {0};
    for (size_t i = 0; i < images->n; i++)
        count[cifar10_class(images, i)]++;
    for (size_t class = 0; class < CIFAR10_CLASSES; class ++)
        if (count[class] < least)
            return common_fail(err, ROSTER_EINVAL, "%.300s has %zu %s images of class %s, must have at least %zu",
                               folder, count[class], which, cifar10_names[class], least);
    return ROSTER_OK;
}

int cifar10_read(const char *folder, size_t kept, cifar10_images *train, cifar10_images *test, roster_error *err)
{
    int code = ROSTER_OK;
    *train = *test = (cifar10_images){.n = 0};
    for (size_t i = 0; i < BATCHES && code == ROSTER_OK; i++)
        code = read_batch(&train_batches[i], folder, train, err);
    if (code == ROSTER_OK)
        code = read_batch(&test_batch, folder, test, err);
    if (code == ROSTER_OK)
        code = check_classes(train, folder, "training", 1, err);
    if (code == ROSTER_OK)
        code = check_classes(test, folder, "test", kept, err);
    if (code != ROSTER_OK) {
        free(train->records);
        free(test->records);
    }
    return code;
}
