/*
 * movielens_internal.h: what the files of the MovieLens instance share: what is read, completed, and drawn from.
 */
#ifndef ROSTER_DATA_MOVIELENS_H
#define ROSTER_DATA_MOVIELENS_H

#include "datasets.h"

enum { MOVIELENS_AGES = 4, MOVIELENS_GENRES = 7, MOVIELENS_STARS = 5 };

extern const char *const movielens_ages[MOVIELENS_AGES];     /* "0-17", ...   */
extern const char *const movielens_genres[MOVIELENS_GENRES]; /* "Action", ... */

/* ---- movielens_read.c ---- */

/* A user or a movie. */
typedef struct movielens_item {
    uint32_t id;
    uint32_t group; /* a user's age; a movie's genres, bit g for genre g */
    size_t line;    /* of its file                                       */
} movielens_item;

typedef struct movielens_rating {
    uint32_t user, movie; /* places in the lists */
    uint32_t stars;
    size_t line;
} movielens_rating;

/* Users and movies by id, ratings by user and movie. All owned. */
typedef struct movielens_raw {
    movielens_item *users, *movies;
    movielens_rating *ratings;
    size_t n_users, n_movies, n_ratings;
} movielens_raw;

/* Reads a folder. What fails leaves nothing to free. */
int movielens_read(movielens_raw *out, const char *folder, roster_error *err);
void movielens_raw_fini(movielens_raw *self);
/* File by file, into what is all zero at first; ratings last. `name` begins the sentences. movielens_raw_fini frees,
   also after a failure. */
int movielens_read_users(movielens_raw *self, FILE *file, const char *name, roster_error *err);
int movielens_read_movies(movielens_raw *self, FILE *file, const char *name, roster_error *err);
int movielens_read_ratings(movielens_raw *self, FILE *file, const char *name, bool packed, roster_error *err);

/* ---- movielens_complete.c ---- */

typedef struct movielens_completion {
    double norm, lambda; /* largest singular value; by which they shrink */
    size_t rank, iterations;
    bool limited, converged;
    double known_rmse, held_rmse; /* in fifths of a rating                   */
    size_t held;                  /* ratings that were held out, may be 0    */
    double cut;                   /* median of the last movie that is kept   */
    size_t kept;
    uint32_t *movies; /* that are kept: places in the list, rising       */
    double *ratings;  /* kept x users: what each user thinks, in [0, 1]  */
} movielens_completion;

/* Kept movies and all their ratings. What fails leaves nothing to free. */
int movielens_complete(movielens_completion *out, const movielens_raw *raw, const movielens_options *options,
                       roster_error *err);
void movielens_completion_fini(movielens_completion *self);

/* ---- movielens_rewards.c ---- */

/* The reward's law for one age and genre. */
typedef struct movielens_cell {
    size_t users, movies;
    double mean;
    size_t n;
    double *values; /* owned; rising, all equally likely */
} movielens_cell;

/* The cells by age, then genre; all zero at first; movielens_cells_fini frees, also after a failure. */
int movielens_cells_fill(movielens_cell *cells, const movielens_raw *raw, const movielens_completion *completion,
                         const movielens_options *options, roster_error *err);
void movielens_cells_fini(movielens_cell *cells);

/* ---- movielens.c ---- */

struct movielens {
    size_t users, movies, ratings;
    uint64_t seed;
    double tolerance;
    movielens_completion completion; /* without its lists */
    movielens_cell cells[MOVIELENS_AGES * MOVIELENS_GENRES];
};

int movielens_compare(const void *a, const void *b); /* two doubles, for qsort */

#endif
