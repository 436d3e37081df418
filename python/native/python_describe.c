/*
 * python_describe.c: what an experiment says once it was read, as JSON for Python.
 *
 * Paper: none.
 */
#include "common_json.h"
#include "python_study.h"

#include <stdlib.h>

static void put_settings(common_json *json, const roster_setting *settings)
{
    common_json_open(json, "settings", '{');
    for (; settings->name != NULL; settings++)
        if (settings->word != NULL)
            common_json_text(json, settings->name, settings->word);
        else
            common_json_number(json, settings->name, settings->number);
    common_json_close(json);
}

static void put_agents(common_json *json, const experiment_case *c, size_t n)
{
    common_json_open(json, "agents", '[');
    for (size_t i = 0; i < n; i++) {
        common_json_open(json, NULL, '{');
        common_json_text(json, "label", c->agents[i].label);
        common_json_text(json, "agent", c->agents[i].name);
        put_settings(json, c->agents[i].settings);
        common_json_close(json);
    }
    common_json_close(json);
}

static void put_episode(common_json *json, const experiment_case *c, size_t e, double *values)
{
    common_json_open(json, NULL, '{');
    common_json_count(json, "rounds", c->episodes[e].rounds);
    common_json_count(json, "min_rounds", c->episodes[e].min_rounds);
    common_json_numbers(json, "context_probabilities", c->probabilities[e], roster_experts_contexts(c->experts));
    roster_world_values(c->episodes[e].world, values);
    common_json_numbers(json, "values", values, roster_experts_count(c->experts));
    common_json_close(json);
}

static void put_case(common_json *json, const experiment *file, const experiment_case *c, double *values)
{
    common_json_open(json, NULL, '{');
    common_json_text(json, "title", c->title);
    common_json_number(json, "value", c->value);
    common_json_open(json, "experts", '[');
    for (size_t k = 0; k < roster_experts_count(c->experts); k++)
        common_json_text(json, NULL, roster_experts_name(c->experts, k));
    common_json_close(json);
    put_agents(json, c, file->n_agents);
    common_json_open(json, "episodes", '[');
    for (size_t e = 0; e < c->n_episodes; e++)
        put_episode(json, c, e, values);
    common_json_close(json);
    common_json_close(json);
}

static void put_study(common_json *json, const experiment *file, double *values)
{
    common_json_open(json, NULL, '{');
    common_json_text(json, "name", file->name);
    common_json_text(json, "description", file->description);
    common_json_count(json, "runs", file->runs);
    common_json_count(json, "seed", file->seed);
    common_json_texts(json, "contexts", file->contexts, file->n_contexts);
    common_json_texts(json, "actions", file->actions, file->n_actions);
    if (file->sweep != NULL)
        common_json_text(json, "sweep", file->sweep);
    else
        common_json_null(json, "sweep");
    common_json_open(json, "cases", '[');
    for (size_t i = 0; i < file->n_cases; i++)
        put_case(json, file, &file->cases[i], values);
    common_json_close(json);
    common_json_close(json);
}

static size_t most_experts(const experiment *file)
{
    size_t most = 0;
    for (size_t i = 0; i < file->n_cases; i++) {
        size_t n = roster_experts_count(file->cases[i].experts);
        most = n > most ? n : most;
    }
    return most;
}

char *roster_python_study_describe(const roster_python_study *self)
{
    char *text = NULL;
    size_t size;
    double *values = calloc(most_experts(self->file), sizeof *values);
    FILE *out = values != NULL ? open_memstream(&text, &size) : NULL;
    if (out != NULL) {
        common_json json = {.out = out};
        put_study(&json, self->file, values);
    }
    free(values);
    if (out == NULL || fclose(out) != 0) {
        roster_python_fail(ROSTER_ENOMEM, "out of memory");
        free(text);
        return NULL;
    }
    return text;
}
