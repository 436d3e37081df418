/*
 * movielens_rewards.c: the law of the reward for every age and genre.
 *
 * Paper: none.
 *
 *   reward of (age, genre) = C(i, j) + bonus(age, genre), cut to [0, 1], i uniform on the users of the age, j uniform
 *   on the kept movies of the genre. A movie with several of the genres belongs to each.
 *
 * Its n = users x movies values are sorted and cut into q slices of equal weight, of four values or more each; what is
 * stored is the mean of each slice. With v(0) <= v(1) <= ... and everything in units of 1 / (n q), value i covers
 * [i q, (i + 1) q) and slice s covers [s n, (s + 1) n):
 *   stored(s) = (1 / n) sum over i of v(i) (length of what both cover)
 * so the mean of what is stored is the mean of the values, and nothing that is stored is one user's rating of one
 * movie.
 *
 * Cost: one sort per cell.
 * Check: tests/unit/test_movielens.c: follows_the_law, slices_keep_the_mean.
 */
#include "movielens_internal.h"

#include "datasets_internal.h"

#include <stdlib.h>

enum { CELLS = MOVIELENS_AGES * MOVIELENS_GENRES, SLICE = 4 };

/* To induce some diversity, as the paper says, where all means are close to each other. */
static const double bonus[MOVIELENS_AGES][MOVIELENS_GENRES] = {
    /* Action Children Comedy Drama Horror Romance Thriller */
    {0, .008, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, .008, 0, .008},
    {.008, 0, 0, .008, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0},
};

typedef struct work {
    movielens_cell *cells;
    const movielens_raw *raw;
    const movielens_completion *completion;
    double *values[CELLS]; /* of each cell, all of them */
} work;

int movielens_compare(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static bool has_genre(const work *w, size_t kept, size_t genre)
{
    return w->raw->movies[w->completion->movies[kept]].group >> genre & 1;
}

/* All values of a cell; returns their mean. */
static double gather(const work *w, size_t age, size_t genre, double *out)
{
    size_t n = 0, users = w->raw->n_users;
    double sum = 0;
    for (size_t j = 0; j < w->completion->kept; j++)
        for (size_t i = 0; has_genre(w, j, genre) && i < users; i++)
            if (w->raw->users[i].group == age) {
                double value = w->completion->ratings[j * users + i] + bonus[age][genre];
                out[n] = value < 1 ? value : 1;
                sum += out[n++];
            }
    return sum / (double)n;
}

/* As in the head comment. */
static void slice(const double *values, uint64_t n, uint64_t q, double *out)
{
    for (uint64_t s = 0; s < q; s++) {
        double sum = 0;
        for (uint64_t i = s * n / q; i * q < (s + 1) * n; i++) {
            uint64_t from = i * q > s * n ? i * q : s * n;
            uint64_t to = (i + 1) * q < (s + 1) * n ? (i + 1) * q : (s + 1) * n;
            sum += values[i] * (double)(to - from);
        }
        out[s] = sum / (double)n;
    }
}

static void fill_cell(void *context, size_t piece, unsigned worker)
{
    work *w = context;
    movielens_cell *cell = &w->cells[piece];
    size_t n = cell->users * cell->movies;
    (void)worker;
    cell->mean = gather(w, piece / MOVIELENS_GENRES, piece % MOVIELENS_GENRES, w->values[piece]);
    qsort(w->values[piece], n, sizeof *w->values[piece], movielens_compare);
    slice(w->values[piece], n, cell->n, cell->values);
}

static int count(work *w, roster_error *err)
{
    size_t users[MOVIELENS_AGES] = {0}, movies[MOVIELENS_GENRES] = {0};
    for (size_t i = 0; i < w->raw->n_users; i++)
        users[w->raw->users[i].group]++;
    for (size_t j = 0; j < w->completion->kept; j++)
        for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
            movies[genre] += has_genre(w, j, genre);
    for (size_t age = 0; age < MOVIELENS_AGES; age++)
        if (users[age] == 0)
            return common_fail(err, ROSTER_EINVAL, "no user of age %s has rated a movie", movielens_ages[age]);
    for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
        if (movies[genre] == 0)
            return common_fail(err, ROSTER_EINVAL, "none of the %zu movies that are kept has the genre %s",
                               w->completion->kept, movielens_genres[genre]);
    for (size_t i = 0; i < CELLS; i++)
        w->cells[i] = (movielens_cell){.users = users[i / MOVIELENS_GENRES], .movies = movies[i % MOVIELENS_GENRES]};
    return ROSTER_OK;
}

static int reserve(work *w, size_t quantiles, roster_error *err)
{
    for (size_t i = 0; i < CELLS; i++) {
        movielens_cell *cell = &w->cells[i];
        size_t n = cell->users * cell->movies;
        cell->n = n / SLICE < quantiles ? n / SLICE : quantiles;
        cell->n = cell->n > 0 ? cell->n : 1;
        cell->values = malloc(cell->n * sizeof *cell->values);
        w->values[i] = malloc(n * sizeof *w->values[i]);
        if (cell->values == NULL || w->values[i] == NULL)
            return common_fail_memory(err);
    }
    return ROSTER_OK;
}

int movielens_cells_fill(movielens_cell *cells, const movielens_raw *raw, const movielens_completion *completion,
                         const movielens_options *options, roster_error *err)
{
    work w = {.cells = cells, .raw = raw, .completion = completion};
    int code = count(&w, err);
    if (code == ROSTER_OK)
        code = reserve(&w, options->quantiles, err);
    if (code == ROSTER_OK)
        data_parallel(options->threads, CELLS, fill_cell, &w, &options->watch, "rewards");
    for (size_t i = 0; i < CELLS; i++)
        free(w.values[i]);
    return code;
}

void movielens_cells_fini(movielens_cell *cells)
{
    for (size_t i = 0; i < CELLS; i++)
        free(cells[i].values);
}
