/*
 * roster_file.c: estimated experts as JSON.
 *
 *   {"description": .., "contexts": [names], "actions": [names],
 *    "experts": [{"name": .., "table": [[V numbers] per context], "counts": [[V counts] per context]}],
 *    "min_samples": .., "xi": ..}
 *
 *   f(v)   = count / samples of the row, pi(v) = floor + (1 - V floor) f(v)
 *   a row without samples: null without a floor, 1/V with one. A file must not claim what nobody saw.
 *   xi     of the frequencies, whatever the floor; null where a row has no samples (it is infinite)
 *
 * Paper: none. Cost: N X V.
 * Check: counts 3 and 1 with floor 0.1 become 0.7 and 0.3 (tests/cli/estimate.t).
 */
#include "roster_file.h"
#include "common_json.h"

#include <inttypes.h>

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

static void write_names(const roster_file *self, counts_kind kind, FILE *out)
{
    common_json json = {.out = out};
    common_json_open(&json, NULL, '[');
    for (size_t i = 0; i < counts_size(self->counts, kind); i++)
        common_json_text(&json, NULL, counts_name(self->counts, kind, i));
    common_json_close(&json);
}

static void write_row(const roster_file *self, size_t k, size_t x, FILE *out)
{
    common_json json = {.out = out};
    size_t V = actions_of(self);
    double floor = self->floor, samples = (double)roster_file_samples(self, k, x);
    if (samples == 0 && floor == 0) {
        common_json_null(&json, NULL);
        return;
    }
    common_json_open(&json, NULL, '[');
    for (size_t v = 0; v < V; v++) {
        double f = samples > 0 ? (double)roster_estimates_count(self->estimates, k, x, v) / samples : 1 / (double)V;
        common_json_number(&json, NULL, floor + (1 - (double)V * floor) * f);
    }
    common_json_close(&json);
}

static void write_counts(const roster_file *self, size_t k, size_t x, FILE *out)
{
    common_json json = {.out = out};
    common_json_open(&json, NULL, '[');
    for (size_t v = 0; v < actions_of(self); v++)
        common_json_count(&json, NULL, roster_estimates_count(self->estimates, k, x, v));
    common_json_close(&json);
}

/* A line per context, so that people and diff can read it. */
static void write_table(const roster_file *self, size_t k, FILE *out,
                        void (*write)(const roster_file *, size_t, size_t, FILE *))
{
    size_t X = counts_size(self->counts, COUNTS_CONTEXT);
    fputs("[\n", out);
    for (size_t x = 0; x < X; x++) {
        fputs("    ", out);
        write(self, k, x, out);
        fputs(x + 1 < X ? ",\n" : "\n   ]", out);
    }
}

static void write_expert(const roster_file *self, size_t k, FILE *out)
{
    common_json json = {.out = out};
    fputs("  {\"name\": ", out);
    common_json_text(&json, NULL, counts_name(self->counts, COUNTS_EXPERT, k));
    fputs(",\n   \"table\": ", out);
    write_table(self, k, out, write_row);
    fputs(",\n   \"counts\": ", out);
    write_table(self, k, out, write_counts);
    fputs("}", out);
}

/* In words, because xi means nothing without delta, and a table with a floor is not the frequencies. */
static void write_description(const roster_file *self, FILE *out)
{
    fprintf(out,
            " \"description\": \"estimated from %" PRIu64 " samples; xi holds with probability 1 - %g for each row",
            counts_total(self->counts), self->delta);
    if (self->floor > 0)
        fprintf(out, "; no probability is below %g, rows without samples are uniform", self->floor);
    fputs("\",\n", out);
}

void roster_file_write(const roster_file *self, FILE *out)
{
    size_t N = counts_size(self->counts, COUNTS_EXPERT);
    common_json json = {.out = out};
    fputs("{\n", out);
    write_description(self, out);
    fputs(" \"contexts\": ", out);
    write_names(self, COUNTS_CONTEXT, out);
    fputs(",\n \"actions\": ", out);
    write_names(self, COUNTS_ACTION, out);
    fputs(",\n \"experts\": [\n", out);
    for (size_t k = 0; k < N; k++) {
        write_expert(self, k, out);
        fputs(k + 1 < N ? ",\n" : "\n ],\n", out);
    }
    fprintf(out, " \"min_samples\": %" PRIu64 ",\n \"xi\": ", roster_estimates_min_samples(self->estimates));
    common_json_number(&json, NULL, roster_estimates_xi(self->estimates, self->delta));
    fputs("\n}\n", out);
}
