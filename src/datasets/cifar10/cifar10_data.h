/*
 * cifar10_data.h: what is left of CIFAR-10 when the classifiers have spoken.
 */
#ifndef ROSTER_CIFAR10_DATA_H
#define ROSTER_CIFAR10_DATA_H

#include "cifar10_internal.h"

typedef struct cifar10_kept {
    size_t image; /* its number in the test batch */
    uint8_t class, said[CIFAR10_EXPERTS];
} cifar10_kept;

/* How often classifier k says v to images of class c: [k][c][v]. */
typedef size_t cifar10_answers[CIFAR10_EXPERTS][CIFAR10_CLASSES][CIFAR10_CLASSES];

struct cifar10 {
    uint64_t seed;
    size_t patches, kept_per_class, train, test; /* train, test: numbers of images */
    cifar10_answers answers, kept_answers;       /* of all test images, of those that are kept */
    cifar10_kept *kept;                          /* [CIFAR10_CLASSES kept_per_class], by image; owned */
};

#endif
