/*
 * movielens.c: from the files of MovieLens 1M to rewards by age and genre.
 *
 * Paper: none.
 *
 *   files -> ratings (movielens_read.c) -> completed ratings of the kept movies (movielens_complete.c)
 *         -> the reward's law for each of 4 ages x 7 genres (movielens_rewards.c) -> JSON, summary (movielens_write.c)
 *
 * Once it is made only aggregates are left.
 *
 * Cost: that of two completions; about 140 MB for MovieLens 1M.
 * Check: tests/unit/test_movielens.c: same_for_any_threads_and_seeded.
 */
#include "movielens_internal.h"

#include "datasets_internal.h"

#include <math.h>
#include <stdlib.h>

static int check(const movielens_options *options, roster_error *err)
{
    if (options->movies < 1)
        return common_fail(err, ROSTER_EINVAL, "movies is 0, must be at least 1");
    if (options->quantiles < 1)
        return common_fail(err, ROSTER_EINVAL, "quantiles is 0, must be at least 1");
    if (options->rank < 1)
        return common_fail(err, ROSTER_EINVAL, "rank is 0, must be at least 1");
    if (options->iterations < 1)
        return common_fail(err, ROSTER_EINVAL, "iterations is 0, must be at least 1");
    if (!(options->tolerance > 0 && isfinite(options->tolerance)))
        return common_fail(err, ROSTER_EINVAL, "tolerance is %g, must be above 0", options->tolerance);
    return ROSTER_OK;
}

static int make(movielens *self, const movielens_raw *raw, const movielens_options *options, roster_error *err)
{
    self->users = raw->n_users;
    self->movies = raw->n_movies;
    self->ratings = raw->n_ratings;
    self->seed = options->seed;
    self->tolerance = options->tolerance;
    int code = movielens_complete(&self->completion, raw, options, err);
    if (code == ROSTER_OK)
        code = movielens_cells_fill(self->cells, raw, &self->completion, options, err);
    movielens_completion_fini(&self->completion);
    return code;
}

int movielens_create(movielens **out, const movielens_options *options, roster_error *err)
{
    movielens_raw raw;
    *out = NULL;
    int code = check(options, err);
    if (code == ROSTER_OK)
        code = movielens_read(&raw, options->folder, err);
    if (code != ROSTER_OK)
        return code;
    movielens *self = calloc(1, sizeof *self);
    code = self != NULL ? make(self, &raw, options, err) : common_fail_memory(err);
    movielens_raw_fini(&raw);
    if (code == ROSTER_OK)
        *out = self;
    else
        movielens_free(self);
    return code;
}

void movielens_free(movielens *self)
{
    if (self == NULL)
        return;
    movielens_cells_fini(self->cells);
    free(self);
}
