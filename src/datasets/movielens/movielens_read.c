/*
 * movielens_read.c: reads MovieLens 1M and believes nothing.
 *
 * Paper: none.
 *
 *   users.dat        UserID::Gender::Age::Occupation::Zip-code      Age: 1 18 25 35 45 50 56, the first year of a span
 *   movies.dat       MovieID::Title (Year)::Genre|Genre...          latin-1
 *   ratings.dat(.xz) UserID::MovieID::Rating::Timestamp             Rating: 1..5
 *
 * Gender, occupation, zip code, title and timestamp must be there and are not looked at. Ids may have gaps. Users and
 * movies without a single rating are left out: nothing is known of what they think or of what is thought of them.
 *
 * Cost: one pass and one sort of 24 bytes per rating.
 * Check: tests/unit/test_movielens_refused.c: reads_what_is_there, and every sentence.
 */
#include "movielens_internal.h"

#include "datasets_internal.h"
#include "grow.h"
#include "lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 5, SHOWN = 40, PATH = 4096, NONE = -1 };

const char *const movielens_ages[MOVIELENS_AGES] = {"0-17", "18-24", "25-49", "50+"};
const char *const movielens_genres[MOVIELENS_GENRES] = {"Action", "Children", "Comedy",  "Drama",
                                                        "Horror", "Romance",  "Thriller"};

/* The words of the files, and what they are to us. */
static const struct {
    uint32_t code, age;
} age_codes[] = {{1, 0}, {18, 1}, {25, 2}, {35, 2}, {45, 2}, {50, 3}, {56, 3}};

static const struct {
    const char *word;
    int genre;
} genre_words[] = {
    {"Action", 0},   {"Adventure", NONE},   {"Animation", NONE}, {"Children's", 1}, {"Comedy", 2},
    {"Crime", NONE}, {"Documentary", NONE}, {"Drama", 3},        {"Fantasy", NONE}, {"Film-Noir", NONE},
    {"Horror", 4},   {"Musical", NONE},     {"Mystery", NONE},   {"Romance", 5},    {"Sci-Fi", NONE},
    {"Thriller", 6}, {"War", NONE},         {"Western", NONE},
};

typedef struct shown {
    char text[SHOWN + 1];
} shown;

/* A field as it can be repeated to a person: short, and printable. */
static shown show(const char *field)
{
    shown out = {"empty"};
    size_t n = 0;
    for (; field[n] != '\0' && n < SHOWN; n++)
        out.text[n] = isprint((unsigned char)field[n]) ? field[n] : '?';
    if (n > 0)
        out.text[n] = '\0';
    return out;
}

/* Cuts the line at every "::". */
static int split(const lines *in, char *text, char **fields, size_t expected, const char *form, roster_error *err)
{
    size_t n = 0;
    for (char *field = text; field != NULL; n++) {
        char *end = strstr(field, "::");
        if (n < FIELDS)
            fields[n] = field;
        if (end != NULL)
            *end = '\0';
        field = end != NULL ? end + 2 : NULL;
    }
    if (n != expected)
        return lines_fail(in, err, "has %zu field%s, must have %zu: %s", n, n == 1 ? "" : "s", expected, form);
    return ROSTER_OK;
}

static bool is_number(const char *text, uint32_t *out)
{
    uint64_t value = 0;
    size_t n = strlen(text);
    if (n == 0 || n > 10 || strspn(text, "0123456789") != n)
        return false;
    for (size_t i = 0; i < n; i++)
        value = 10 * value + (uint64_t)(text[i] - '0');
    *out = (uint32_t)value;
    return value <= UINT32_MAX;
}

static int take_id(const lines *in, const char *what, const char *field, uint32_t *out, roster_error *err)
{
    if (is_number(field, out) && *out > 0)
        return ROSTER_OK;
    return lines_fail(in, err, "%s is %s, must be a whole number from 1 to 4294967295", what, show(field).text);
}

/* ---- users and movies ---- */

static int take_age(const lines *in, const char *field, uint32_t *out, roster_error *err)
{
    uint32_t code;
    for (size_t i = 0; i < sizeof age_codes / sizeof *age_codes; i++)
        if (is_number(field, &code) && code == age_codes[i].code) {
            *out = age_codes[i].age;
            return ROSTER_OK;
        }
    return lines_fail(in, err, "age code is %s, must be 1, 18, 25, 35, 45, 50 or 56", show(field).text);
}

static int take_genre(const lines *in, const char *word, uint32_t *out, roster_error *err)
{
    enum { WORDS = sizeof genre_words / sizeof *genre_words };
    char list[240] = "";
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(word, genre_words[i].word) == 0) {
            *out |= genre_words[i].genre != NONE ? 1u << genre_words[i].genre : 0;
            return ROSTER_OK;
        }
    for (size_t i = 0; i < WORDS; i++) {
        strcat(list, i == 0 ? "" : i + 1 < WORDS ? ", " : " or ");
        strcat(list, genre_words[i].word);
    }
    return lines_fail(in, err, "genre is %s, must be %s", show(word).text, list);
}

static int take_genres(const lines *in, char *field, uint32_t *out, roster_error *err)
{
    int code = ROSTER_OK;
    for (char *word = field; word != NULL && code == ROSTER_OK;) {
        char *end = strchr(word, '|');
        if (end != NULL)
            *end = '\0';
        code = take_genre(in, word, out, err);
        word = end != NULL ? end + 1 : NULL;
    }
    return code;
}

static int take_user(const lines *in, char *text, movielens_item *out, roster_error *err)
{
    char *fields[FIELDS];
    int code = split(in, text, fields, 5, "UserID::Gender::Age::Occupation::Zip-code", err);
    if (code == ROSTER_OK)
        code = take_id(in, "user id", fields[0], &out->id, err);
    return code == ROSTER_OK ? take_age(in, fields[2], &out->group, err) : code;
}

static int take_movie(const lines *in, char *text, movielens_item *out, roster_error *err)
{
    char *fields[FIELDS];
    int code = split(in, text, fields, 3, "MovieID::Title::Genre|Genre", err);
    if (code == ROSTER_OK)
        code = take_id(in, "movie id", fields[0], &out->id, err);
    return code == ROSTER_OK ? take_genres(in, fields[2], &out->group, err) : code;
}

static int by_id(const void *a, const void *b)
{
    const movielens_item *one = a, *other = b;
    if (one->id != other->id)
        return one->id < other->id ? -1 : 1;
    return (one->line > other->line) - (one->line < other->line);
}

/* Sorted by id, then line. The sentence is about the first line that repeats another. */
static int refuse_same_ids(const movielens_item *items, size_t n, const char *what, const char *name, roster_error *err)
{
    const movielens_item *found = NULL;
    for (size_t i = 1; i < n; i++)
        if (items[i].id == items[i - 1].id && (found == NULL || items[i].line < found->line))
            found = &items[i];
    if (found == NULL)
        return ROSTER_OK;
    return common_fail(err, ROSTER_EINVAL, "%s:%zu: %s %u is on line %zu already", name, found->line, what,
                       (unsigned)found->id, found[-1].line);
}

typedef int take_item(const lines *in, char *text, movielens_item *out, roster_error *err);

static int read_items(movielens_item **items, size_t *n, take_item *take, lines *in, roster_error *err)
{
    char *text;
    size_t room = 0;
    int code = lines_next(in, &text, err);
    for (; code == ROSTER_OK && text != NULL; ++*n) {
        movielens_item item = {.line = lines_number(in)};
        code = take(in, text, &item, err);
        if (code == ROSTER_OK && !common_grow(items, &room, *n + 1, sizeof item))
            code = common_fail_memory(err);
        if (code != ROSTER_OK)
            return code;
        (*items)[*n] = item;
        code = lines_next(in, &text, err);
    }
    return code;
}

static int read_list(movielens_item **items, size_t *n, take_item *take, const char *what, FILE *file, const char *name,
                     roster_error *err)
{
    lines *in = NULL;
    int code = lines_create(&in, file, name, false, err);
    if (code == ROSTER_OK)
        code = read_items(items, n, take, in, err);
    lines_free(in);
    if (code == ROSTER_OK && *n == 0)
        code = common_fail(err, ROSTER_EINVAL, "%s: is empty", name);
    if (code != ROSTER_OK)
        return code;
    qsort(*items, *n, sizeof **items, by_id);
    return refuse_same_ids(*items, *n, what, name, err);
}

int movielens_read_users(movielens_raw *self, FILE *file, const char *name, roster_error *err)
{
    return read_list(&self->users, &self->n_users, take_user, "user", file, name, err);
}

int movielens_read_movies(movielens_raw *self, FILE *file, const char *name, roster_error *err)
{
    return read_list(&self->movies, &self->n_movies, take_movie, "movie", file, name, err);
}

/* ---- ratings ---- */

static int find(const lines *in, const movielens_item *items, size_t n, const char *what, const char *list,
                const char *field, uint32_t *out, roster_error *err)
{
    uint32_t id = 0;
    size_t from = 0, to = n;
    int code = take_id(in, what, field, &id, err);
    if (code != ROSTER_OK)
        return code;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (items[middle].id < id)
            from = middle + 1;
        else
            to = middle;
    }
    *out = (uint32_t)from;
    if (from < n && items[from].id == id)
        return ROSTER_OK;
    return lines_fail(in, err, "%s is %u, which is not in %s", what, (unsigned)id, list);
}

static int take_rating(const movielens_raw *self, const lines *in, char *text, movielens_rating *out, roster_error *err)
{
    char *fields[FIELDS];
    int code = split(in, text, fields, 4, "UserID::MovieID::Rating::Timestamp", err);
    if (code == ROSTER_OK)
        code = find(in, self->users, self->n_users, "user id", "users.dat", fields[0], &out->user, err);
    if (code == ROSTER_OK)
        code = find(in, self->movies, self->n_movies, "movie id", "movies.dat", fields[1], &out->movie, err);
    if (code == ROSTER_OK && !(is_number(fields[2], &out->stars) && out->stars >= 1 && out->stars <= MOVIELENS_STARS))
        code = lines_fail(in, err, "rating is %s, must be a whole number from 1 to %d", show(fields[2]).text,
                          MOVIELENS_STARS);
    return code;
}

static int read_ratings(movielens_raw *self, lines *in, roster_error *err)
{
    char *text;
    size_t room = 0;
    int code = lines_next(in, &text, err);
    for (; code == ROSTER_OK && text != NULL; self->n_ratings++) {
        movielens_rating rating = {.line = lines_number(in)};
        code = take_rating(self, in, text, &rating, err);
        if (code == ROSTER_OK && !common_grow(&self->ratings, &room, self->n_ratings + 1, sizeof rating))
            code = common_fail_memory(err);
        if (code != ROSTER_OK)
            return code;
        self->ratings[self->n_ratings] = rating;
        code = lines_next(in, &text, err);
    }
    return code;
}

static int by_user_and_movie(const void *a, const void *b)
{
    const movielens_rating *one = a, *other = b;
    if (one->user != other->user)
        return one->user < other->user ? -1 : 1;
    if (one->movie != other->movie)
        return one->movie < other->movie ? -1 : 1;
    return (one->line > other->line) - (one->line < other->line);
}

static int refuse_same_ratings(const movielens_raw *self, const char *name, roster_error *err)
{
    const movielens_rating *found = NULL;
    for (const movielens_rating *r = self->ratings + 1; r < self->ratings + self->n_ratings; r++)
        if (r->user == r[-1].user && r->movie == r[-1].movie && (found == NULL || r->line < found->line))
            found = r;
    if (found == NULL)
        return ROSTER_OK;
    return common_fail(err, ROSTER_EINVAL, "%s:%zu: user %u rated movie %u on line %zu already", name, found->line,
                       (unsigned)self->users[found->user].id, (unsigned)self->movies[found->movie].id, found[-1].line);
}

/* Drops the items that no rating names: moved[i] becomes the new place of item i. Comes in as 1 for those named. */
static size_t drop_unrated(movielens_item *items, size_t n, uint32_t *moved)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (moved[i] > 0) {
            items[kept] = items[i];
            moved[i] = (uint32_t)kept++;
        }
    return kept;
}

static int keep_rated(movielens_raw *self, roster_error *err)
{
    uint32_t *users = calloc(self->n_users, sizeof *users), *movies = calloc(self->n_movies, sizeof *movies);
    bool room = users != NULL && movies != NULL;
    for (size_t i = 0; room && i < self->n_ratings; i++)
        users[self->ratings[i].user] = movies[self->ratings[i].movie] = 1;
    if (room) {
        self->n_users = drop_unrated(self->users, self->n_users, users);
        self->n_movies = drop_unrated(self->movies, self->n_movies, movies);
    }
    for (size_t i = 0; room && i < self->n_ratings; i++) {
        self->ratings[i].user = users[self->ratings[i].user];
        self->ratings[i].movie = movies[self->ratings[i].movie];
    }
    free(users);
    free(movies);
    return room ? ROSTER_OK : common_fail_memory(err);
}

int movielens_read_ratings(movielens_raw *self, FILE *file, const char *name, bool packed, roster_error *err)
{
    lines *in = NULL;
    int code = lines_create(&in, file, name, packed, err);
    if (code == ROSTER_OK)
        code = read_ratings(self, in, err);
    lines_free(in);
    if (code == ROSTER_OK && self->n_ratings == 0)
        code = common_fail(err, ROSTER_EINVAL, "%s: is empty", name);
    if (code != ROSTER_OK)
        return code;
    qsort(self->ratings, self->n_ratings, sizeof *self->ratings, by_user_and_movie);
    code = refuse_same_ratings(self, name, err);
    return code == ROSTER_OK ? keep_rated(self, err) : code;
}

/* ---- the folder ---- */

typedef int read_into(movielens_raw *self, FILE *file, const char *name, roster_error *err);

static int read_plain(movielens_raw *self, FILE *file, const char *name, roster_error *err)
{
    return movielens_read_ratings(self, file, name, false, err);
}

static int read_packed(movielens_raw *self, FILE *file, const char *name, roster_error *err)
{
    return movielens_read_ratings(self, file, name, true, err);
}

static int read_file(movielens_raw *self, const char *folder, const char *name, read_into *read, roster_error *err)
{
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH)
        return common_fail(err, ROSTER_EINVAL, "the path of %s is longer than %d bytes", name, PATH - 1);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return common_fail(err, ROSTER_EINVAL, "%.300s: cannot be opened (%s)", path, strerror(errno));
    int code = read(self, file, path, err);
    fclose(file);
    return code;
}

static bool exists(const char *folder, const char *name)
{
    char path[PATH];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < PATH && access(path, F_OK) == 0;
}

int movielens_read(movielens_raw *out, const char *folder, roster_error *err)
{
    *out = (movielens_raw){.n_users = 0};
    int code = read_file(out, folder, "users.dat", movielens_read_users, err);
    if (code == ROSTER_OK)
        code = read_file(out, folder, "movies.dat", movielens_read_movies, err);
    bool packed = !exists(folder, "ratings.dat") && exists(folder, "ratings.dat.xz");
    if (code == ROSTER_OK)
        code = packed ? read_file(out, folder, "ratings.dat.xz", read_packed, err)
                      : read_file(out, folder, "ratings.dat", read_plain, err);
    if (code != ROSTER_OK)
        movielens_raw_fini(out);
    return code;
}

void movielens_raw_fini(movielens_raw *self)
{
    free(self->users);
    free(self->movies);
    free(self->ratings);
    *self = (movielens_raw){.n_users = 0};
}
