/*
 * cifar10_classes.c: the ten classes of CIFAR-10 in their order, and which classifier leaves out which.
 *
 * The paper says that each of five classifiers is trained without a different class, not which; we take every other
 * one.
 *
 * Paper: none.
 * Check: tests/unit/test_cifar10.c: files_as_written.
 */
#include "cifar10_internal.h"

#include <string.h>

const char *const cifar10_names[CIFAR10_CLASSES] = {"airplane", "automobile", "bird",  "cat",  "deer",
                                                    "dog",      "frog",       "horse", "ship", "truck"};
const uint8_t cifar10_left_out[CIFAR10_EXPERTS] = {0, 2, 4, 6, 8};

bool cifar10_is_shared(uint8_t class)
{
    return memchr(cifar10_left_out, class, CIFAR10_EXPERTS) == NULL;
}
