/*
 * datasets.h: the paper's two data sets, from the raw files to instances that an experiment can name.
 *
 * Each is made in memory from a folder of raw files and a seed, and written piece by piece into open streams. What is
 * made depends on the files, the options and the seed, never on the number of threads.
 */
#ifndef ROSTER_DATASETS_H
#define ROSTER_DATASETS_H

#include <roster.h>

#include <stdio.h>

/* Called with the progress of a long computation, on the thread that started it. step may be NULL. */
typedef struct data_watch {
    void (*step)(void *user, const char *what, uint64_t done, uint64_t total); /* a new `what` begins at done = 0 */
    void *user;                                                                /* borrowed                        */
} data_watch;

/* Has linear algebra done alike on all machines; where that needs it, starts the program anew and does not return. */
void data_pin_kernels(char **argv);

/* ---- CIFAR-10: five classifiers that never saw one class ---- */

enum {
    CIFAR10_CLASSES = 10,
    CIFAR10_EXPERTS = 5,
    CIFAR10_PATCHES = 400, /* that serve well, with 1.8 GB of memory */
    CIFAR10_KEPT = 100     /* as in the paper                        */
};

typedef struct cifar10_options {
    const char *folder; /* with data_batch_1.bin .. data_batch_5.bin and test_batch.bin */
    uint64_t seed;
    size_t patches; /* that the features are made of, 18 features each    */
    size_t kept;    /* test images per class that make up the instance    */
    unsigned threads;
    data_watch watch;
} cifar10_options;

typedef struct cifar10 cifar10;

int cifar10_create(cifar10 **out, const cifar10_options *options, roster_error *err);
void cifar10_free(cifar10 *self);
/* The five experts as a roster file; pi_k(v, c) = .8 share of the kept images of class c that k calls v + .02. */
void cifar10_write_roster(const cifar10 *self, FILE *out);
/* image,class,CLASSIFIER...: what each classifier says to every kept image, by its number in the test batch. */
void cifar10_write_predictions(const cifar10 *self, FILE *out);
/* Accuracies and confusion matrices on all test images, as JSON. */
void cifar10_write_accuracy(const cifar10 *self, FILE *out);
/* The same for people, a few lines. */
void cifar10_write_summary(const cifar10 *self, FILE *out);

/* ---- MovieLens 1M: completed ratings by age and genre ---- */

/* As in the paper, and as far as the completion of its data wants to go. */
enum { MOVIELENS_MOVIES = 618, MOVIELENS_QUANTILES = 1000, MOVIELENS_RANK = 200, MOVIELENS_ITERATIONS = 1000 };
#define MOVIELENS_TOLERANCE 1e-4

typedef struct movielens_options {
    const char *folder; /* with ratings.dat (or ratings.dat.xz), users.dat, movies.dat       */
    uint64_t seed;      /* of what is held out, and of where the completion starts           */
    size_t movies;      /* that are kept: those with the highest median after completion     */
    size_t quantiles;   /* per age and genre that are written                                */
    size_t rank;        /* limit; the default does not bind on MovieLens 1M                  */
    double tolerance;   /* relative change at which the completion ends                      */
    size_t iterations;  /* of it, at most                                                    */
    unsigned threads;
    data_watch watch;
} movielens_options;

typedef struct movielens movielens;

int movielens_create(movielens **out, const movielens_options *options, roster_error *err);
void movielens_free(movielens *self);
/* {"contexts": ages, "actions": genres, "rewards": [[[quantiles] per genre] per age], ...}: what an experiment's
   "rewards" can name. */
void movielens_write_rewards(const movielens *self, FILE *out);
/* Rank, iterations, errors, largest singular value, sizes of the groups, mean rewards: for people. */
void movielens_write_summary(const movielens *self, FILE *out);

#endif
