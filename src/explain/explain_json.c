/*
 * explain_json.c: all that `roster explain` found out as one JSON object.
 *
 * Experts, contexts and actions are numbers from 0 into the lists of names; what is infinite or does not exist is null.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain.h"
#include "json.h"

static void put_names(cli_json *json, const char *key, const char *const *names, size_t n)
{
    cli_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++)
        cli_json_text(json, NULL, names[i]);
    cli_json_close(json, ']');
}

static void put_roster(cli_json *json, const explanation *self)
{
    cli_json_open(json, "experts", '[');
    for (size_t k = 0; k < self->n; k++)
        cli_json_text(json, NULL, roster_experts_name(self->chosen->experts, k));
    cli_json_close(json, ']');
    put_names(json, "contexts", self->file->contexts, self->x);
    put_names(json, "actions", self->file->actions, self->v);
    cli_json_open(json, "smallest_probability", '{');
    cli_json_number(json, "value", self->floor);
    cli_json_count(json, "expert", self->floor_k);
    cli_json_count(json, "context", self->floor_x);
    cli_json_count(json, "action", self->floor_v);
    cli_json_close(json, '}');
    cli_json_count(json, "same_pairs", self->n_same);
    cli_json_open(json, "same", '[');
    for (size_t i = 0; i < self->n_same && i < EXPLAIN_SHOWN; i++) {
        cli_json_open(json, NULL, '[');
        cli_json_count(json, NULL, self->same[i][0]);
        cli_json_count(json, NULL, self->same[i][1]);
        cli_json_close(json, ']');
    }
    cli_json_close(json, ']');
}

static void put_samples(cli_json *json, const char *key, const explain_samples *samples)
{
    cli_json_open(json, key, '{');
    cli_json_number(json, "xi", samples->xi);
    cli_json_number(json, "per_context", samples->per_context);
    cli_json_number(json, "per_expert", samples->per_expert);
    cli_json_close(json, '}');
}

static void put_learning(cli_json *json, const explanation *self)
{
    cli_json_open(json, "learning", '[');
    for (size_t i = 0; i < self->n_learning; i++) {
        const explain_learning *learning = &self->learning[i];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "agent", learning->agent->label);
        cli_json_number(json, "p_V", learning->p_V);
        cli_json_number(json, "p_X", learning->p_X);
        cli_json_number(json, "gamma", learning->gamma);
        if (learning->agent->samples > 0)
            cli_json_count(json, "samples", learning->agent->samples);
        else
            cli_json_text(json, "samples", "theory");
        cli_json_text(json, "sampling", learning->agent->sampling == ROSTER_ONLINE ? "online" : "offline");
        put_samples(json, "file", &learning->file);
        put_samples(json, "theory", &learning->theory);
        put_samples(json, "tight", &learning->tight);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_times(cli_json *json, const char *key, const explain_times *times, size_t n)
{
    cli_json_open(json, key, '{');
    cli_json_number(json, "C", times->C);
    cli_json_number(json, "tau_1", times->tau_1);
    if (times->tau != NULL)
        cli_json_numbers(json, "tau", times->tau, n);
    else
        cli_json_null(json, "tau");
    cli_json_number(json, "known_after", times->known);
    cli_json_number(json, "regret_bound", times->regret);
    cli_json_close(json, '}');
}

static void put_bounds(cli_json *json, const explain_episode *episode, size_t n)
{
    cli_json_open(json, "bounds", '[');
    for (size_t b = 0; b < episode->n_bounds; b++) {
        const explain_bound *bound = &episode->bounds[b];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "agent", bound->label);
        cli_json_truth(json, "in_file", bound->in_file);
        cli_json_text(json, "source", bound->theorem);
        cli_json_number(json, "M", bound->constants.M);
        cli_json_number(json, "gamma", bound->constants.gamma);
        put_times(json, "file", &bound->file, n);
        put_times(json, "theory", &bound->theory, n);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_number(json, "ucb_bound", episode->ucb);
    cli_json_number(json, "most", episode->most);
}

static void put_divergences(cli_json *json, const explain_episode *episode, size_t n)
{
    cli_json_open(json, "divergences", '{');
    if (episode->m != NULL) {
        cli_json_open(json, "matrix", '[');
        for (size_t i = 0; i < n; i++)
            cli_json_numbers(json, NULL, episode->m + i * n, n);
        cli_json_close(json, ']');
    } else {
        cli_json_null(json, "matrix");
    }
    cli_json_numbers(json, "probabilities", explain_quantile, EXPLAIN_QUANTILES);
    cli_json_numbers(json, "quantiles", episode->quantiles, EXPLAIN_QUANTILES);
    cli_json_number(json, "largest", episode->largest);
    cli_json_count(json, "of", episode->largest_i);
    cli_json_count(json, "from", episode->largest_j);
    cli_json_close(json, '}');
}

static void put_episode(cli_json *json, const explanation *self, size_t e)
{
    const explain_episode *episode = &self->episodes[e];
    char sentence[400];
    cli_json_open(json, NULL, '{');
    cli_json_count(json, "rounds", episode->rounds);
    if (episode->min_rounds > 0)
        cli_json_count(json, "min_rounds", episode->min_rounds);
    cli_json_numbers(json, "context_probabilities", episode->p, self->x);
    cli_json_numbers(json, "values", episode->values, self->n);
    cli_json_numbers(json, "gaps", episode->gaps, self->n);
    cli_json_count(json, "best", episode->best);
    cli_json_number(json, "smallest_gap", episode->smallest_gap);
    put_divergences(json, episode, self->n);
    put_bounds(json, episode, self->n);
    explain_sentence(self, e, sentence, sizeof sentence);
    cli_json_text(json, "sentence", sentence);
    cli_json_close(json, '}');
}

static void put_warning(void *context, const char *sentence)
{
    cli_json_text(context, NULL, sentence);
}

void explain_json(const explanation *self, FILE *out)
{
    cli_json json = {out, false};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", self->file->name);
    cli_json_text(&json, "case", self->chosen->title);
    put_roster(&json, self);
    cli_json_text(&json, "support", self->shared ? "shared" : "full");
    cli_json_open(&json, "episodes", '[');
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        put_episode(&json, self, e);
    cli_json_close(&json, ']');
    put_learning(&json, self);
    cli_json_open(&json, "warnings", '[');
    explain_warn(self, put_warning, &json);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    cli_json_end(&json);
}
