/*
 * movielens_write.c: the instance as JSON, and a summary for people.
 *
 * Paper: none.
 *
 * Rewards have 5 decimals at most, so that the mean of a cell is off by less than 5e-6.
 *
 * Cost: one pass.
 * Check: tests/unit/test_movielens.c: follows_the_law reads the JSON, summary_says_it_all the summary.
 */
#include "movielens_internal.h"

#include "common_json.h"

/* 0.8, not 0.80000; 1, not 1.00000. */
static void write_number(double x, FILE *out)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.5f", x);
    while (text[n - 1] == '0')
        n--;
    n -= text[n - 1] == '.';
    fwrite(text, 1, (size_t)n, out);
}

static void write_cell(const movielens_cell *cell, common_json *json)
{
    common_json_key(json, NULL);
    fputs("[", json->out);
    for (size_t i = 0; i < cell->n; i++) {
        fputs(i > 0 ? "," : "", json->out);
        write_number(cell->values[i], json->out);
    }
    fputs("]", json->out);
}

void movielens_write_rewards(const movielens *self, FILE *out)
{
    common_json json = {.out = out, .document = true};
    char text[400];
    snprintf(text, sizeof text,
             "Ratings / 5 of MovieLens data, completed by SoftImpute (rank %zu, lambda %.6g), of the %zu movies with "
             "the highest median; by age and genre: means of slices of equal weight of the sorted ratings. Seed %llu.",
             self->completion.rank, self->completion.lambda, self->completion.kept, (unsigned long long)self->seed);
    common_json_open_lines(&json, NULL, '{');
    common_json_text(&json, "description", text);
    common_json_texts(&json, "contexts", movielens_ages, MOVIELENS_AGES);
    common_json_texts(&json, "actions", movielens_genres, MOVIELENS_GENRES);
    common_json_open_lines(&json, "rewards", '[');
    for (size_t age = 0; age < MOVIELENS_AGES; age++) {
        common_json_open_lines(&json, NULL, '[');
        for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
            write_cell(&self->cells[age * MOVIELENS_GENRES + genre], &json);
        common_json_close(&json);
    }
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}

static void write_completion(const movielens_completion *c, double tolerance, FILE *out)
{
    fprintf(out, "largest singular value %.6g, lambda %.6g (a fiftieth)\n", c->norm, c->lambda);
    fprintf(out, "rank %zu%s, %zu iterations, %s %g\n", c->rank, c->limited ? " (the limit; more were wanted)" : "",
            c->iterations, c->converged ? "converged to" : "stopped before converging to", tolerance);
    fprintf(out, "error on the known ratings %.4f of 1, %.3f stars (root mean square)\n", c->known_rmse,
            c->known_rmse * MOVIELENS_STARS);
    if (c->held > 0)
        fprintf(out, "error on %zu held out ratings %.4f of 1, %.3f stars\n", c->held, c->held_rmse,
                c->held_rmse * MOVIELENS_STARS);
    else
        fputs("too few ratings to hold any out\n", out);
    fprintf(out, "%zu movies kept, the last with median %.4f\n", c->kept, c->cut);
}

static void write_means(const movielens_cell *cells, FILE *out)
{
    fputs("\nmean reward     users", out);
    for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
        fprintf(out, "%10s", movielens_genres[genre]);
    for (size_t age = 0; age < MOVIELENS_AGES; age++) {
        const movielens_cell *row = cells + age * MOVIELENS_GENRES;
        fprintf(out, "\n%-11s%10zu", movielens_ages[age], row->users);
        for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
            fprintf(out, "%10.4f", row[genre].mean);
    }
    fputs("\nmovies               ", out);
    for (size_t genre = 0; genre < MOVIELENS_GENRES; genre++)
        fprintf(out, "%10zu", cells[genre].movies);
    fputs("\n", out);
}

void movielens_write_summary(const movielens *self, FILE *out)
{
    fprintf(out, "%zu users, %zu movies, %zu ratings\n", self->users, self->movies, self->ratings);
    write_completion(&self->completion, self->tolerance, out);
    write_means(self->cells, out);
}
