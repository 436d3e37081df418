/*
 * fuzz_movielens.c: whatever the three files hold, they are read whole or refused with a sentence that names the file.
 *
 * An input is a byte that says whether the ratings are packed, then users.dat, movies.dat and ratings.dat with a byte
 * 0xff in between. What was read is in order and refers to what there is.
 */
#include "movielens_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"users.dat", "movies.dat", "ratings.dat"};

static void check_items(const movielens_item *items, size_t n, uint32_t groups)
{
    for (size_t i = 0; i < n; i++)
        if (items[i].id == 0 || items[i].line == 0 || items[i].group >= groups ||
            (i > 0 && items[i - 1].id >= items[i].id))
            abort();
}

static void check(const movielens_raw *raw)
{
    check_items(raw->users, raw->n_users, MOVIELENS_AGES);
    check_items(raw->movies, raw->n_movies, 1u << MOVIELENS_GENRES);
    for (size_t i = 0; i < raw->n_ratings; i++) {
        const movielens_rating *r = &raw->ratings[i];
        if (r->user >= raw->n_users || r->movie >= raw->n_movies || r->stars < 1 || r->stars > MOVIELENS_STARS)
            abort();
    }
}

static int read_part(movielens_raw *raw, size_t part, FILE *file, bool packed, roster_error *err)
{
    if (part == 0)
        return movielens_read_users(raw, file, names[part], err);
    if (part == 1)
        return movielens_read_movies(raw, file, names[part], err);
    return movielens_read_ratings(raw, file, names[part], packed, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    movielens_raw raw = {NULL, NULL, NULL, 0, 0, 0};
    if (size < 1)
        return 0;
    const uint8_t *at = data + 1, *end = data + size;
    int code = ROSTER_OK;
    for (size_t part = 0; part < 3 && code == ROSTER_OK && at < end; part++) {
        const uint8_t *stop = part < 2 ? memchr(at, 0xff, (size_t)(end - at)) : NULL;
        size_t length = (size_t)((stop != NULL ? stop : end) - at);
        FILE *file = length > 0 ? fmemopen((void *)(uintptr_t)at, length, "r") : NULL;
        if (file == NULL)
            break;
        roster_error err = {.code = 0};
        code = read_part(&raw, part, file, data[0] % 2 == 1, &err);
        if (code != ROSTER_OK && strncmp(err.msg, names[part], strlen(names[part])) != 0)
            abort();
        if (code == ROSTER_OK && part == 2)
            check(&raw);
        fclose(file);
        at += length + 1;
    }
    movielens_raw_fini(&raw);
    return 0;
}
