/*
 * test_movielens.c: the MovieLens instance (data/movielens*.c) on a small made-up data set, against the same computed
 * literally: completed ratings, kept movies, rewards, errors; and what is written.
 */
#include "support.h"
#include "movielens_folder.h"

#include <math.h>
#include <stdio.h>

#include "movielens_internal.h"
#include "softimpute.h"

/* Every user gives 4 to the first SAME movies: their medians are equal, and KEPT cuts through them. */
enum { USERS = 60, MOVIES = 50, SAME = 6, KEPT = 20, CELLS = MOVIELENS_AGES * MOVIELENS_GENRES };

typedef struct world {
    unsigned stars[USERS][MOVIES]; /* 0: not rated */
    unsigned age[USERS];
    bool genre[MOVIES][MOVIELENS_GENRES];
    size_t ratings;
} world;

static unsigned user_id(size_t i)
{
    return (unsigned)(3 * i + 2);
}

static unsigned movie_id(size_t j)
{
    return (unsigned)(10 * j + 7);
}

static void invent(world *w)
{
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_WORLD);
    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < USERS; i++) {
        w->age[i] = (unsigned)(i % 7);
        for (size_t j = 0; j < MOVIES; j++) {
            double taste = 3.8 + 1.2 * sin((double)j) + .8 * cos((double)(i * j)) + roster_rng_uniform(&rng);
            if (j < SAME)
                w->stars[i][j] = 4;
            else if (roster_rng_uniform(&rng) < .4)
                w->stars[i][j] = (unsigned)fmin(5, fmax(1, taste));
            w->ratings += w->stars[i][j] > 0;
        }
    }
    for (size_t j = 0; j < MOVIES; j++)
        for (size_t g = 0; g < MOVIELENS_GENRES; g++)
            w->genre[j][g] = roster_rng_uniform(&rng) < .4;
}

/* The last users and movies first: the order of lines must not matter. */
static void write_world(const world *w)
{
    static const unsigned codes[] = {1, 18, 25, 35, 45, 50, 56};
    static const char *const words[] = {"Action", "Children's", "Comedy", "Drama", "Horror", "Romance", "Thriller"};
    FILE *users = fopen("ml/users.dat", "w"), *movies = fopen("ml/movies.dat", "w"),
         *ratings = fopen("ml/ratings.dat", "w");
    assert_true(users != NULL && movies != NULL && ratings != NULL);
    for (size_t i = USERS; i-- > 0;) {
        fprintf(users, "%u::F::%u::0::0\n", user_id(i), codes[w->age[i]]);
        for (size_t j = MOVIES; j-- > 0;)
            if (w->stars[i][j] > 0)
                fprintf(ratings, "%u::%u::%u::0\n", user_id(i), movie_id(j), w->stars[i][j]);
    }
    for (size_t j = MOVIES; j-- > 0;) {
        fprintf(movies, "%u::T::War", movie_id(j));
        for (size_t g = 0; g < MOVIELENS_GENRES; g++)
            if (w->genre[j][g])
                fprintf(movies, "|%s", words[g]);
        fputs("\n", movies);
    }
    assert_true(fclose(users) == 0 && fclose(movies) == 0 && fclose(ratings) == 0);
}

static world invented;

static int begin(void **state)
{
    int code = enter_movielens(state);
    if (code == 0) {
        invent(&invented);
        write_world(&invented);
    }
    return code;
}

static const movielens_options usual = {.folder = "ml",
                                        .seed = 5,
                                        .movies = KEPT,
                                        .quantiles = 7,
                                        .rank = 60,
                                        .tolerance = 1e-10,
                                        .iterations = 5000,
                                        .threads = 1};

static movielens *new_movielens(const movielens_options *options)
{
    movielens *m;
    roster_error err;
    assert_ok(movielens_create(&m, options, &err), &err);
    return m;
}

/* All that it writes, in a string to be freed. */
static char *written(const movielens *m, void (*write)(const movielens *, FILE *))
{
    FILE *out = tmpfile();
    assert_non_null(out);
    write(m, out);
    size_t size = (size_t)ftell(out);
    char *text = calloc(size + 1, 1);
    rewind(out);
    assert_int_equal(fread(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* ---- the same, literally ---- */

static double cut(double x)
{
    return fmin(1, fmax(0, x));
}

/* Z from the ratings that are not held out. */
static softimpute literal_fit(const bool *held, double *norm)
{
    sparse y;
    softimpute z;
    roster_error err;
    data_watch unwatched = {NULL, NULL};
    size_t n = 0, at = 0;
    assert_ok(sparse_init(&y, USERS, MOVIES, invented.ratings, &err), &err);
    for (size_t i = 0; i < USERS; i++) {
        for (size_t j = 0; j < MOVIES; j++)
            if (invented.stars[i][j] > 0 && !held[at++]) {
                y.column[n] = (uint32_t)j;
                y.value[n++] = invented.stars[i][j] / 5.;
            }
        y.start[i + 1] = n;
    }
    y.n = n;
    sparse_index(&y);
    assert_ok(softimpute_norm(norm, &y, 77, 1, &err), &err);
    softimpute_options options = {*norm / 50, 60, 1e-10, 5000, 77, 1, &unwatched, NULL};
    assert_ok(softimpute_init(&z, &y, &options, &err), &err);
    sparse_fini(&y);
    return z;
}

static double literal_rmse(const softimpute *z, const bool *held, bool of_held)
{
    double sum = 0, n = 0;
    size_t at = 0;
    for (size_t i = 0; i < USERS; i++)
        for (size_t j = 0; j < MOVIES; j++)
            if (invented.stars[i][j] > 0 && held[at++] == of_held) {
                sum += pow(invented.stars[i][j] / 5. - cut(softimpute_at(z, i, j)), 2);
                n++;
            }
    return sqrt(sum / n);
}

typedef struct literal {
    double norm, c[USERS][MOVIES], median[MOVIES], cut;
    bool kept[MOVIES];
} literal;

static int rising(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* A movie is kept if fewer than KEPT are better, or as good with a smaller id. */
static void literal_selection(literal *l)
{
    for (size_t j = 0; j < MOVIES; j++) {
        double column[USERS];
        for (size_t i = 0; i < USERS; i++)
            column[i] = l->c[i][j];
        qsort(column, USERS, sizeof *column, rising);
        l->median[j] = (column[USERS / 2 - 1] + column[USERS / 2]) / 2;
    }
    l->cut = 1;
    for (size_t j = 0; j < MOVIES; j++) {
        size_t better = 0;
        for (size_t k = 0; k < MOVIES; k++)
            better += l->median[k] > l->median[j] || (l->median[k] == l->median[j] && k < j);
        l->kept[j] = better < KEPT;
        l->cut = l->kept[j] ? fmin(l->cut, l->median[j]) : l->cut;
    }
}

static void compute(literal *l)
{
    bool *none = calloc(invented.ratings, sizeof *none);
    softimpute z = literal_fit(none, &l->norm);
    for (size_t i = 0; i < USERS; i++)
        for (size_t j = 0; j < MOVIES; j++)
            l->c[i][j] = invented.stars[i][j] > 0 ? invented.stars[i][j] / 5. : cut(softimpute_at(&z, i, j));
    literal_selection(l);
    softimpute_fini(&z);
    free(none);
}

/* The values of (age, genre), sorted; returns how many. */
static size_t literal_cell(const literal *l, size_t age, size_t genre, double *out)
{
    static const unsigned ages[] = {0, 1, 2, 2, 2, 3, 3};
    static const size_t liked[][2] = {{0, 1}, {1, 4}, {1, 6}, {2, 0}, {2, 3}};
    size_t n = 0;
    double bonus = 0;
    for (size_t b = 0; b < 5; b++)
        bonus += liked[b][0] == age && liked[b][1] == genre ? .008 : 0;
    for (size_t i = 0; i < USERS; i++)
        for (size_t j = 0; j < MOVIES; j++)
            if (ages[invented.age[i]] == age && l->kept[j] && invented.genre[j][genre])
                out[n++] = cut(l->c[i][j] + bonus);
    qsort(out, n, sizeof *out, rising);
    return n;
}

/* Slice s of q: of every value q times in a row, the s-th n numbers. */
static double literal_slice(const double *values, size_t n, size_t q, size_t s)
{
    double sum = 0;
    for (size_t i = s * n; i < (s + 1) * n; i++)
        sum += values[i / q];
    return sum / (double)n;
}

static void check_cell(const literal *l, const movielens_cell *cell, size_t place, size_t quantiles)
{
    double *values = malloc(USERS * MOVIES * sizeof *values), sum = 0;
    size_t n = literal_cell(l, place / MOVIELENS_GENRES, place % MOVIELENS_GENRES, values);
    assert_int_equal(cell->users * cell->movies, n);
    assert_int_equal(cell->n, n / 4 < 1 ? 1 : n / 4 < quantiles ? n / 4 : quantiles);
    for (size_t s = 0; s < cell->n; s++)
        assert_true(fabs(cell->values[s] - literal_slice(values, n, cell->n, s)) < 1e-7);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    assert_true(fabs(cell->mean - sum / (double)n) < 1e-7);
    free(values);
}

static void follows_the_law(void **state)
{
    (void)state;
    static const size_t quantiles[] = {7, 100000, 1};
    literal *l = malloc(sizeof *l);
    compute(l);
    assert_true(l->cut == .8); /* among those that all gave 4 */
    for (size_t k = 0; k < 3; k++) {
        movielens_options options = usual;
        options.quantiles = quantiles[k];
        movielens *m = new_movielens(&options);
        assert_true(m->users == USERS && m->movies == MOVIES && m->ratings == invented.ratings);
        assert_true(m->completion.kept == KEPT && m->completion.cut == .8 && m->completion.converged);
        assert_close(m->completion.norm, l->norm, 1e-9);
        assert_close(m->completion.lambda, l->norm / 50, 1e-9);
        for (size_t i = 0; i < CELLS; i++)
            check_cell(l, &m->cells[i], i, quantiles[k]);
        movielens_free(m);
    }
    free(l);
}

/* Every kept rating, also those that have to be cut to 1; and the median at the cut wherever that is. */
static void completes_what_is_kept(void **state)
{
    (void)state;
    literal *l = malloc(sizeof *l);
    movielens_raw raw;
    movielens_completion c;
    roster_error err;
    movielens_options options = usual;
    size_t cuts = 0;
    compute(l);
    qsort(l->median, MOVIES, sizeof *l->median, rising);
    assert_ok(movielens_read(&raw, "ml", &err), &err);
    for (options.movies = 5; options.movies <= MOVIES; options.movies += 15) {
        assert_ok(movielens_complete(&c, &raw, &options, &err), &err);
        assert_true(fabs(c.cut - l->median[MOVIES - options.movies]) < 1e-7);
        for (size_t k = 0; k < c.kept; k++)
            for (size_t i = 0; i < USERS; i++) {
                assert_true(fabs(c.ratings[k * USERS + i] - l->c[i][c.movies[k]]) < 1e-7);
                cuts += c.ratings[k * USERS + i] == 1 && invented.stars[i][c.movies[k]] == 0;
            }
        movielens_completion_fini(&c);
    }
    assert_true(cuts > 0);
    movielens_raw_fini(&raw);
    free(l);
}

static void slices_keep_the_mean(void **state)
{
    (void)state;
    for (size_t q = 1; q < 40; q += 3) {
        movielens_options options = usual;
        options.quantiles = q;
        options.iterations = 20;
        movielens *m = new_movielens(&options);
        for (size_t i = 0; i < CELLS; i++) {
            double sum = 0;
            for (size_t s = 0; s < m->cells[i].n; s++) {
                sum += m->cells[i].values[s];
                assert_true(s == 0 || m->cells[i].values[s] >= m->cells[i].values[s - 1] - 1e-15);
            }
            assert_close(sum / (double)m->cells[i].n, m->cells[i].mean, 1e-13);
        }
        movielens_free(m);
    }
}

static void errors_are_measured(void **state)
{
    (void)state;
    roster_rng rng;
    bool *held = calloc(invented.ratings, sizeof *held);
    size_t wanted = invented.ratings / 20;
    double norm;
    movielens *m = new_movielens(&usual);
    softimpute all = literal_fit(held, &norm);
    assert_true(fabs(m->completion.known_rmse - literal_rmse(&all, held, false)) < 1e-7);
    assert_int_equal(m->completion.rank, all.left.columns);
    roster_rng_init(&rng, usual.seed, 0, ROSTER_ROLE_INSTANCE);
    for (size_t i = 0; i < invented.ratings; i++)
        if (roster_rng_below(&rng, invented.ratings - i) < wanted) {
            held[i] = true;
            wanted--;
        }
    assert_int_equal(wanted, 0);
    softimpute most = literal_fit(held, &norm);
    assert_int_equal(m->completion.held, invented.ratings / 20);
    assert_true(fabs(m->completion.held_rmse - literal_rmse(&most, held, true)) < 1e-7);
    assert_true(m->completion.held_rmse > m->completion.known_rmse);
    softimpute_fini(&all);
    softimpute_fini(&most);
    movielens_free(m);
    free(held);
}

/* ---- what is written ---- */

/* One line per cell, numbers as short as they can be with 5 decimals. */
static void rewards_are_json(void **state)
{
    (void)state;
    movielens *m = new_movielens(&usual);
    char *text = written(m, movielens_write_rewards), *line = strstr(text, "  \"contexts\"");
    static const char head[] =
        "  \"contexts\": [\"0-17\", \"18-24\", \"25-49\", \"50+\"],\n"
        "  \"actions\": [\"Action\", \"Children\", \"Comedy\", \"Drama\", \"Horror\", \"Romance\", "
        "\"Thriller\"],\n  \"rewards\": [\n    [\n";
    assert_int_equal(strncmp(text, "{\n  \"description\": \"", 20), 0);
    assert_non_null(line);
    assert_int_equal(strncmp(line, head, strlen(head)), 0);
    line += strlen(head);
    for (size_t i = 0; i < CELLS; i++) {
        char *at = line + strlen("      [");
        assert_int_equal(strncmp(line, "      [", strlen("      [")), 0);
        for (size_t s = 0; s < m->cells[i].n; s++) {
            char *end;
            assert_true(fabs(strtod(at, &end) - m->cells[i].values[s]) <= 5.0001e-6);
            assert_true(end - at <= 7 && (end[-1] != '0' || end == at + 1) && end[-1] != '.');
            assert_int_equal(*end, s + 1 < m->cells[i].n ? ',' : ']');
            at = end + 1;
        }
        bool last = i % MOVIELENS_GENRES + 1 == MOVIELENS_GENRES;
        const char *then = !last ? ",\n" : i + 1 < CELLS ? "\n    ],\n    [\n" : "\n    ]\n  ]\n}\n";
        assert_int_equal(strncmp(at, then, strlen(then)), 0);
        line = at + strlen(then);
    }
    assert_int_equal(*line, '\0');
    free(text);
    movielens_free(m);
}

static void says(const movielens_options *options, const char *words)
{
    movielens *m = new_movielens(options);
    char *text = written(m, movielens_write_summary);
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" is not in:\n%s", words, text);
    free(text);
    movielens_free(m);
}

static void summary_says_it_all(void **state)
{
    (void)state;
    movielens_options options = usual;
    char words[200];
    snprintf(words, sizeof words, "60 users, 50 movies, %zu ratings\nlargest singular value ", invented.ratings);
    says(&options, words);
    says(&options, " iterations, converged to 1e-10\nerror on the known ratings 0.");
    snprintf(words, sizeof words, "error on %zu held out ratings 0.", invented.ratings / 20);
    says(&options, words);
    says(&options,
         "20 movies kept, the last with median 0.8000\n\nmean reward     users    Action  Children    Comedy");
    says(&options, "\n0-17                9");
    says(&options, "\n50+                16");
    options.iterations = 3;
    says(&options, "3 iterations, stopped before converging to 1e-10\n");
    options.rank = 1;
    options.iterations = 100;
    says(&options, "rank 1 (the limit; more were wanted), ");
}

static void same_for_any_threads_and_seeded(void **state)
{
    (void)state;
    movielens_options options = usual;
    options.iterations = 30;
    movielens *m = new_movielens(&options);
    char *rewards = written(m, movielens_write_rewards), *summary = written(m, movielens_write_summary);
    for (unsigned threads = 0; threads <= 3; threads++) {
        options.threads = threads;
        movielens *other = new_movielens(&options);
        char *again = written(other, movielens_write_rewards), *text = written(other, movielens_write_summary);
        for (size_t i = 0; i < CELLS; i++)
            assert_memory_equal(m->cells[i].values, other->cells[i].values, m->cells[i].n * sizeof(double));
        assert_string_equal(again, rewards);
        assert_string_equal(text, summary);
        free(again);
        free(text);
        movielens_free(other);
    }
    options.seed = 6;
    movielens *seeded = new_movielens(&options);
    assert_true(seeded->completion.held_rmse != m->completion.held_rmse);
    movielens_free(seeded);
    movielens_free(m);
    free(rewards);
    free(summary);
}

typedef struct seen {
    char what[64];
    size_t begun, ended;
} seen;

static void see(void *user, const char *what, uint64_t done, uint64_t total)
{
    seen *s = user;
    assert_true(done <= total);
    if (strcmp(what, s->what) != 0) {
        assert_int_equal(done, 0);
        s->begun++;
    }
    s->ended += done == total;
    snprintf(s->what, sizeof s->what, "%s", what);
}

static void progress_is_shown(void **state)
{
    (void)state;
    seen s = {"", 0, 0};
    movielens_options options = usual;
    options.watch = (data_watch){see, &s};
    movielens_free(new_movielens(&options));
    assert_int_equal(s.begun, 4);
    assert_int_equal(s.ended, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_law),
        cmocka_unit_test(completes_what_is_kept),
        cmocka_unit_test(slices_keep_the_mean),
        cmocka_unit_test(errors_are_measured),
        cmocka_unit_test(rewards_are_json),
        cmocka_unit_test(summary_says_it_all),
        cmocka_unit_test(same_for_any_threads_and_seeded),
        cmocka_unit_test(progress_is_shown),
    };
    return cmocka_run_group_tests(tests, begin, leave_movielens);
}
