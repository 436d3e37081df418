/*
 * roster_file.c: estimated experts as JSON.
 *
 *   {"description": .., "contexts": [names], "actions": [names],
 *    "experts": [{"name": .., "table": [[V numbers] per context], "counts": [[V counts] per context]}],
 *    "min_samples": .., "xi": ..}
 *
 *   f(v)   = count / samples of the row, pi(v) = floor + (1 - V floor) f(v)
 *   a row without samples: null without a floor, 1/V with one. A file must not claim what nobody saw.
 *   xi     of the frequencies, whatever the floor: roster_estimates_xi_exact; null where a row has no samples (it is
 *          infinite)
 *
 * Paper: none. Cost: N X V.
 * Check: counts 3 and 1 with floor 0.1 become 0.7 and 0.3 (tests/cli/estimate.t).
 */
#include "roster_file.h"
#include "common_json.h"

#include <inttypes.h>
#include <math.h>

static size_t actions_of(const roster_file *self)
{
    return counts_size(self->counts, COUNTS_ACTION);
}

uint64_t roster_file_samples(const roster_file *self, size_t k, size_t x)
{
    uint64_t samples = 0;
    for (size_t v = 0; v < actions_of(self); v++)
        samples += roster_estimates_count(self->estimates, k, x, v);
    return samples;
}

double roster_file_least(const roster_file *self)
{
    size_t X = counts_size(self->counts, COUNTS_CONTEXT), rows = counts_size(self->counts, COUNTS_EXPERT) * X;
    double least = 1;
    for (size_t row = 0; row < rows; row++)
        for (size_t v = 0; v < actions_of(self); v++) {
            double seen = (double)roster_estimates_count(self->estimates, row / X, row % X, v);
            least = fmin(least, seen / fmax(1, (double)roster_file_samples(self, row / X, row % X)));
        }
    return least;
}

/* What stands in one line: without spaces, with 17 digits. The lines are laid out by another writer. */
static common_json line_of(const common_json *file)
{
    return (common_json){.out = file->out};
}

static void write_names(const roster_file *self, const char *key, counts_kind kind, common_json *file)
{
    common_json line = line_of(file);
    common_json_key(file, key);
    common_json_open(&line, NULL, '[');
    for (size_t i = 0; i < counts_size(self->counts, kind); i++)
        common_json_text(&line, NULL, counts_name(self->counts, kind, i));
    common_json_close(&line);
}

static void write_row(const roster_file *self, size_t k, size_t x, common_json *line)
{
    size_t V = actions_of(self);
    double floor = self->floor, samples = (double)roster_file_samples(self, k, x);
    if (samples == 0 && floor == 0) {
        common_json_null(line, NULL);
        return;
    }
    common_json_open(line, NULL, '[');
    for (size_t v = 0; v < V; v++) {
        double f = samples > 0 ? (double)roster_estimates_count(self->estimates, k, x, v) / samples : 1 / (double)V;
        common_json_number(line, NULL, floor + (1 - (double)V * floor) * f);
    }
    common_json_close(line);
}

static void write_counts(const roster_file *self, size_t k, size_t x, common_json *line)
{
    common_json_open(line, NULL, '[');
    for (size_t v = 0; v < actions_of(self); v++)
        common_json_count(line, NULL, roster_estimates_count(self->estimates, k, x, v));
    common_json_close(line);
}

/* A line per context, so that people and diff can read it. */
static void write_table(const roster_file *self, const char *key, size_t k, common_json *file,
                        void (*write)(const roster_file *, size_t, size_t, common_json *))
{
    common_json_open_lines(file, key, '[');
    for (size_t x = 0; x < counts_size(self->counts, COUNTS_CONTEXT); x++) {
        common_json line = line_of(file);
        common_json_key(file, NULL);
        write(self, k, x, &line);
    }
    common_json_close(file);
}

static void write_expert(const roster_file *self, size_t k, common_json *file)
{
    common_json line = line_of(file);
    common_json_open_hanging(file, NULL, '{');
    common_json_key(file, "name");
    common_json_text(&line, NULL, counts_name(self->counts, COUNTS_EXPERT, k));
    write_table(self, "table", k, file, write_row);
    write_table(self, "counts", k, file, write_counts);
    common_json_close(file);
}

/* In words, because xi means nothing without delta, and a table with a floor is not the frequencies. */
static void write_description(const roster_file *self, common_json *file)
{
    char text[240];
    int n = snprintf(text, sizeof text,
                     "estimated from %" PRIu64 " samples; xi holds for all of them with probability 1 - %g",
                     counts_total(self->counts), self->delta);
    if (self->floor > 0)
        snprintf(text + n, sizeof text - (size_t)n, "; no probability is below %g, rows without samples are uniform",
                 self->floor);
    common_json_text(file, "description", text);
}

void roster_file_write(const roster_file *self, FILE *out)
{
    common_json file = {.out = out, .document = true, .indent = 1}, line = line_of(&file);
    common_json_open_lines(&file, NULL, '{');
    write_description(self, &file);
    write_names(self, "contexts", COUNTS_CONTEXT, &file);
    write_names(self, "actions", COUNTS_ACTION, &file);
    common_json_open_lines(&file, "experts", '[');
    for (size_t k = 0; k < counts_size(self->counts, COUNTS_EXPERT); k++)
        write_expert(self, k, &file);
    common_json_close(&file);
    common_json_key(&file, "min_samples");
    common_json_count(&line, NULL, roster_estimates_min_samples(self->estimates));
    common_json_key(&file, "xi");
    common_json_number(&line, NULL, roster_estimates_xi_exact(self->estimates, self->delta));
    common_json_close(&file);
    common_json_end(&file);
}
