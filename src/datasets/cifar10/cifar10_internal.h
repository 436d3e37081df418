/*
 * cifar10_internal.h: what the files behind cifar10_create share, in the order of the data's path.
 *
 * records -> normalised patches -> whitening -> dictionary -> features -> five classifiers -> the instance
 */
#ifndef ROSTER_CIFAR10_INTERNAL_H
#define ROSTER_CIFAR10_INTERNAL_H

#include "datasets_internal.h"

/* What has an _init has a _fini, which is due after a failed _init too. */

/* ---- cifar10_classes.c ---- */

extern const char *const cifar10_names[CIFAR10_CLASSES];
/* The class that each classifier never sees. */
extern const uint8_t cifar10_left_out[CIFAR10_EXPERTS];

/* Whether no classifier leaves this class out: what all of them share is learnt from such images alone. */
bool cifar10_is_shared(uint8_t class);

/* ---- cifar10_read.c ---- */

enum { CIFAR10_SIDE = 32, CIFAR10_PLANE = CIFAR10_SIDE * CIFAR10_SIDE, CIFAR10_RECORD = 1 + 3 * CIFAR10_PLANE };

typedef struct cifar10_images {
    size_t n;
    uint8_t *records; /* [n][CIFAR10_RECORD]: class, then the planes R, G, B; owned */
} cifar10_images;

/* Every class then has a training image, and `kept` test images. On failure there is nothing to free. */
int cifar10_read(const char *folder, size_t kept, cifar10_images *train, cifar10_images *test, roster_error *err);
uint8_t cifar10_class(const cifar10_images *images, size_t i);
const uint8_t *cifar10_pixels(const cifar10_images *images, size_t i);

/* ---- elementary.c ---- */

/* x[i] = e^x[i] for x[i] <= 88; below -87 it stays at e^-87. */
void elementary_exp(float *x, size_t n);
/* The natural logarithm of a normal positive number. */
double elementary_log(double x);

/* ---- patches.c ---- */

enum {
    PATCH_SIDE = 6,
    PATCH_SIZE = 3 * PATCH_SIDE * PATCH_SIDE,
    PATCH_ACROSS = CIFAR10_SIDE - PATCH_SIDE + 1,
    PATCH_PLACES = PATCH_ACROSS * PATCH_ACROSS
};

/* All patches of an image, each with mean 0 and about variance 1: patches[d][place]. */
void patches_of(const uint8_t *pixels, float patches[PATCH_SIZE * PATCH_PLACES]);
/* The place in a patch where d stands in its mirror image, left for right. */
size_t patches_mirror(size_t d);
/* About `wanted` patches at random places, as many from each image of a shared class: (*sample)[*n][PATCH_SIZE]. */
int patches_sample(const cifar10_images *images, size_t wanted, roster_rng *rng, float **sample, size_t *n,
                   roster_error *err);

/* ---- whitening.c ---- */

typedef struct whitening {
    double mean[PATCH_SIZE];
    double turn[PATCH_SIZE * PATCH_SIZE]; /* symmetric: x -> turn (x - mean) */
} whitening;

/* From the sample and its mirror images; epsilon is added to each variance. */
int whitening_learn(whitening *self, const float *sample, size_t n, double epsilon, roster_error *err);
int whitening_apply(const whitening *self, float *sample, size_t n, roster_error *err);

/* ---- dictionary.c ---- */

/* Directions of length 1 in the space of whitened patches: `half` that are learnt, then their mirror images. */
typedef struct dictionary {
    size_t half;
    float *words; /* [2 half][PATCH_SIZE], owned */
} dictionary;

/* Starts with patches of the whitened sample, drawn at random. */
int dictionary_init(dictionary *self, size_t half, const float *sample, size_t n, roster_rng *rng, roster_error *err);
void dictionary_fini(dictionary *self);
/* `rounds` rounds of k-means. Where `explained` is given, [rounds]: the mean square of the sample along the nearest
   word before each round. */
int dictionary_learn(dictionary *self, const float *sample, size_t n, unsigned rounds, roster_rng *rng,
                     unsigned threads, const data_watch *watch, double *explained, roster_error *err);

/* ---- features.c ---- */

enum { FEATURES_FILTER = PATCH_SIZE + 1 };

typedef struct features {
    size_t filters, width; /* width: features per image, the last one always 1 */
    float *filter;         /* [filters][FEATURES_FILTER], owned                 */
    float *mean, *scale;   /* [width], owned                                    */
} features;

int features_init(features *self, const whitening *white, const dictionary *words, roster_error *err);
void features_fini(features *self);
/* Rows of features for images first .. first + n - 1; `scratch` holds features_scratch() numbers. */
void features_encode(const features *self, const cifar10_images *images, size_t first, size_t n, float *scratch,
                     float *rows);
size_t features_scratch(const features *self);
/* All training images into rows[n][width], and the constants for standardising from those of shared classes. */
int features_train(features *self, const cifar10_images *images, unsigned threads, const data_watch *watch, float *rows,
                   roster_error *err);
void features_standardise(const features *self, float *rows, size_t n);

/* ---- lbfgs.c ---- */

typedef struct lbfgs lbfgs;

/* Minimises a smooth convex function of n numbers, from 0 on. It writes each point it wants to know about into
   point[n] (borrowed); the caller answers with lbfgs_tell. */
int lbfgs_create(lbfgs **out, size_t n, float *point, roster_error *err);
void lbfgs_free(lbfgs *self);
/* Value and gradient[n] at the point. True: there is a new point to be answered. False: the point is the minimum as far
   as can be told, and stays. */
bool lbfgs_tell(lbfgs *self, double value, const float *gradient);
/* Puts the best point so far into `point`; nothing more is answered. */
void lbfgs_stop(lbfgs *self);

/* ---- logistic.c ---- */

/* Several classifiers over the same features; each has never seen one class and never answers it. */
typedef struct softmax {
    size_t width;
    double penalty;
    float *weights; /* [CIFAR10_EXPERTS][CIFAR10_CLASSES][width], owned */
} softmax;

/* What they learn from; all borrowed. */
typedef struct softmax_lesson {
    const float *rows; /* [n][width] */
    const cifar10_images *images;
    unsigned threads;
} softmax_lesson;

int softmax_init(softmax *self, size_t width, double penalty, roster_error *err);
void softmax_fini(softmax *self);
/* At most `evaluations` passes over the features. */
int softmax_train(softmax *self, const softmax_lesson *lesson, unsigned evaluations, const data_watch *watch,
                  roster_error *err);
/* Each classifier's loss, and its gradient in the shape of the weights. */
int softmax_evaluate(const softmax *self, const softmax_lesson *lesson, double loss[CIFAR10_EXPERTS], float *gradient,
                     roster_error *err);
/* said[n][CIFAR10_EXPERTS]; `scores` has room for SOFTMAX_OUTPUTS numbers per row. */
enum { SOFTMAX_OUTPUTS = CIFAR10_EXPERTS * CIFAR10_CLASSES };
void softmax_predict(const softmax *self, const float *rows, size_t n, float *scores, uint8_t *said);

#endif
