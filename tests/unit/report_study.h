/*
 * report_study.h: studies to report on, and what is written of them, for the tests of report/.
 */
#ifndef ROSTER_REPORT_STUDY_H
#define ROSTER_REPORT_STUDY_H

#include "support.h"

#include "report_internal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOY(AGENTS, MORE)                                                                                              \
    "{\"name\": \"toy\", \"description\": \"two of them\", \"contexts\": [\"X1\", \"X2\"], \"actions\": "              \
    "[\"A1\", \"A2\", \"A3\"], \"experts\": [{\"name\": \"one\", \"table\": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]}, "     \
    "{\"name\": \"two\", \"table\": [[0.2, 0.8, 0], [0.8, 0.2, 0]]}], \"episodes\": ["                                 \
    "{\"rounds\": 300, \"context_probabilities\": [0.55, 0.45], \"reward_means\": [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]]}" \
    ", {\"rounds\": 200, \"context_probabilities\": [0.55, 0.45], \"reward_means\": [[0.1, 0.1, 0.9], [0.1, 0.1, "     \
    "0.9]]}], \"agents\": [" AGENTS "], \"seed\": 1, " MORE "}"
#define SHARED "{\"agent\": \"d-ucb\", \"support\": \"shared\"}"

static const char *const toy = TOY(SHARED ", {\"agent\": \"ucb\"}", "\"runs\": 10");
/* A study that was run, or a part of it. */
typedef struct done {
    experiment *experiment;
    roster_results *results[4];
    report report;
} done;

static inline roster_contest contest_of(const experiment *x, size_t c, uint64_t shard, uint64_t shards)
{
    return (roster_contest){.studies = x->cases[c].studies,
                            .agents = x->n_agents,
                            .first = shard,
                            .runs = x->runs - shard,
                            .step = shards,
                            .points = 40};
}

static inline void run_part(done *self, const char *text, const experiment_changes *changes, uint64_t shard,
                            uint64_t shards)
{
    roster_error err;
    assert_ok(experiment_parse(&self->experiment, text, "toy.json", changes, &err), &err);
    for (size_t c = 0; c < self->experiment->n_cases; c++) {
        roster_contest contest = contest_of(self->experiment, c, shard, shards);
        assert_ok(roster_contest_run(&contest, &self->results[c], &err), &err);
    }
    self->report = (report){self->experiment, self->results, "roster run toy.json --seed 1", false, shard, shards};
}

static inline void run_all(done *self, const char *text, uint64_t runs)
{
    experiment_changes changes = {.runs = runs};
    run_part(self, text, &changes, 0, 1);
}

static inline void fini(done *self)
{
    for (size_t c = 0; c < self->experiment->n_cases; c++)
        roster_results_free(self->results[c]);
    experiment_free(self->experiment);
}

/* What one of the writers writes, as a string to be freed. */
static inline char *written(int (*write)(const report *, FILE *, roster_error *), const report *self)
{
    roster_error err;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_ok(write(self, out, &err), &err);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    char *copy = strdup(text);
    free(text);
    return copy;
}

/* A file with this text; its name is to be freed. */
static inline char *saved(const char *text)
{
    char *path = strdup("report-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(file), 0);
    return path;
}

static inline void forget(char *path)
{
    remove(path);
    free(path);
}

static inline json_t *parsed(const char *text)
{
    json_error_t err;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &err);
    if (value == NULL)
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    return value;
}

/* The agent of the first case of a parsed results.json. */
static inline json_t *agent_of(json_t *file, size_t a)
{
    json_t *first = json_array_get(json_object_get(file, "cases"), 0);
    return json_array_get(json_object_get(first, "agents"), a);
}

static inline double real_of(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

#endif
