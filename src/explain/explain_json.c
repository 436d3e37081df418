/*
 * explain_json.c: all that `roster explain` found out as one JSON object.
 *
 * Experts, contexts and actions are numbers from 0 into the lists of names; what is infinite or does not exist is null.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"
#include "common_json.h"

static void put_roster(common_json *json, const explanation *self)
{
    common_json_open(json, "experts", '[');
    for (size_t k = 0; k < self->n; k++)
        common_json_text(json, NULL, roster_experts_name(self->chosen->experts, k));
    common_json_close(json);
    common_json_texts(json, "contexts", self->file->contexts, self->x);
    common_json_texts(json, "actions", self->file->actions, self->v);
    common_json_open(json, "smallest_probability", '{');
    common_json_number(json, "value", self->floor);
    common_json_count(json, "expert", self->floor_k);
    common_json_count(json, "context", self->floor_x);
    common_json_count(json, "action", self->floor_v);
    common_json_close(json);
    common_json_count(json, "same_pairs", self->n_same);
    common_json_open(json, "same", '[');
    for (size_t i = 0; i < self->n_same && i < EXPLAIN_SHOWN; i++) {
        common_json_open(json, NULL, '[');
        common_json_count(json, NULL, self->same[i][0]);
        common_json_count(json, NULL, self->same[i][1]);
        common_json_close(json);
    }
    common_json_close(json);
}

static void put_samples(common_json *json, const char *key, const explain_samples *samples)
{
    common_json_open(json, key, '{');
    common_json_number(json, "xi", samples->xi);
    common_json_number(json, "per_context", samples->per_context);
    common_json_number(json, "per_expert", samples->per_expert);
    common_json_close(json);
}

static void put_learning(common_json *json, const explanation *self)
{
    common_json_open(json, "learning", '[');
    for (size_t i = 0; i < self->n_learning; i++) {
        const explain_learning *learning = &self->learning[i];
        common_json_open(json, NULL, '{');
        common_json_text(json, "agent", learning->agent->label);
        common_json_number(json, "p_V", learning->p_V);
        common_json_number(json, "p_X", learning->p_X);
        common_json_number(json, "gamma", learning->gamma);
        if (learning->agent->samples > 0)
            common_json_count(json, "samples", learning->agent->samples);
        else
            common_json_text(json, "samples", "theory");
        common_json_text(json, "sampling", learning->agent->sampling == ROSTER_ONLINE ? "online" : "offline");
        put_samples(json, "file", &learning->file);
        put_samples(json, "theory", &learning->theory);
        put_samples(json, "tight", &learning->tight);
        common_json_close(json);
    }
    common_json_close(json);
}

static void put_times(common_json *json, const char *key, const explain_times *times, size_t n)
{
    common_json_open(json, key, '{');
    common_json_number(json, "C", times->C);
    common_json_number(json, "tau_1", times->tau_1);
    if (times->tau != NULL)
        common_json_numbers(json, "tau", times->tau, n);
    else
        common_json_null(json, "tau");
    common_json_number(json, "known_after", times->known);
    common_json_number(json, "regret_bound", times->regret);
    common_json_close(json);
}

static void put_bounds(common_json *json, const explain_episode *episode, size_t n)
{
    common_json_open(json, "bounds", '[');
    for (size_t b = 0; b < episode->n_bounds; b++) {
        const explain_bound *bound = &episode->bounds[b];
        common_json_open(json, NULL, '{');
        common_json_text(json, "agent", bound->label);
        common_json_truth(json, "in_file", bound->in_file);
        common_json_text(json, "source", bound->theorem);
        common_json_number(json, "M", bound->constants.M);
        common_json_number(json, "gamma", bound->constants.gamma);
        common_json_number(json, "C", bound->constants.C);
        common_json_truth(json, "applies", bound->applies);
        put_times(json, "theory", &bound->times, n);
        common_json_close(json);
    }
    common_json_close(json);
    common_json_number(json, "ucb_bound", episode->ucb);
    common_json_number(json, "most", episode->most);
}

static void put_spread(common_json *json, const char *key, const explain_spread *spread)
{
    common_json_open(json, key, '{');
    common_json_number(json, "median", spread->median);
    common_json_number(json, "high", spread->high);
    common_json_close(json);
}

/* Of one episode; e beyond the last: of all together, which have no common round to settle at. */
static void put_agents(common_json *json, const explanation *self, size_t e)
{
    char sentence[480];
    common_json_open(json, "simulated", '[');
    for (size_t i = 0; i < self->file->n_agents; i++) {
        const explain_agent *agent = &self->agents[i];
        common_json_open(json, NULL, '{');
        common_json_text(json, "agent", agent->label);
        if (e == self->chosen->n_episodes) {
            put_spread(json, "lost", &agent->total);
        } else {
            put_spread(json, "settled_after", &agent->settled[e]);
            put_spread(json, "lost", &agent->lost[e]);
            explain_agent_sentence(self, i, e, sentence, sizeof sentence);
            common_json_text(json, "sentence", sentence);
        }
        common_json_close(json);
    }
    common_json_close(json);
}

static void put_divergences(common_json *json, const explain_episode *episode, size_t n)
{
    common_json_open(json, "divergences", '{');
    if (episode->m != NULL) {
        common_json_open(json, "matrix", '[');
        for (size_t i = 0; i < n; i++)
            common_json_numbers(json, NULL, episode->m + i * n, n);
        common_json_close(json);
    } else {
        common_json_null(json, "matrix");
    }
    common_json_numbers(json, "probabilities", explain_quantile, EXPLAIN_QUANTILES);
    common_json_numbers(json, "quantiles", episode->quantiles, EXPLAIN_QUANTILES);
    common_json_number(json, "largest", episode->largest);
    common_json_count(json, "of", episode->largest_i);
    common_json_count(json, "from", episode->largest_j);
    common_json_close(json);
}

/* What the floor and randomness cost the best. */
static void put_price(common_json *json, const explanation *self, size_t e)
{
    const explain_episode *episode = &self->episodes[e];
    char sentence[480];
    common_json_open(json, "randomness", '{');
    common_json_number(json, "uniform_share", self->floor * (double)self->v);
    common_json_number(json, "without_floor", episode->without_floor);
    common_json_number(json, "greedy", episode->greedy);
    common_json_count(json, "greedy_expert", episode->greedy_k);
    explain_price_sentence(self, e, sentence, sizeof sentence);
    common_json_text(json, "sentence", sentence);
    common_json_close(json);
}

static void put_episode(common_json *json, const explanation *self, size_t e)
{
    const explain_episode *episode = &self->episodes[e];
    char sentence[480];
    common_json_open(json, NULL, '{');
    common_json_count(json, "rounds", episode->rounds);
    if (episode->min_rounds > 0)
        common_json_count(json, "min_rounds", episode->min_rounds);
    common_json_numbers(json, "context_probabilities", episode->p, self->x);
    common_json_numbers(json, "values", episode->values, self->n);
    common_json_numbers(json, "gaps", episode->gaps, self->n);
    common_json_count(json, "best", episode->best);
    common_json_number(json, "smallest_gap", episode->smallest_gap);
    put_price(json, self, e);
    put_agents(json, self, e);
    put_divergences(json, episode, self->n);
    put_bounds(json, episode, self->n);
    explain_sentence(self, e, sentence, sizeof sentence);
    common_json_text(json, "sentence", sentence);
    common_json_close(json);
}

static void put_warning(void *context, const char *sentence)
{
    common_json_text(context, NULL, sentence);
}

void explain_json(const explanation *self, FILE *out)
{
    common_json json = {.out = out};
    common_json_open(&json, NULL, '{');
    common_json_text(&json, "name", self->file->name);
    common_json_text(&json, "case", self->chosen->title);
    put_roster(&json, self);
    common_json_text(&json, "support", self->shared ? "shared" : "full");
    common_json_count(&json, "runs", self->runs);
    common_json_number(&json, "share", EXPLAIN_SHARE);
    common_json_number(&json, "confidence", self->confidence);
    common_json_open(&json, "episodes", '[');
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        put_episode(&json, self, e);
    common_json_close(&json);
    put_agents(&json, self, self->chosen->n_episodes);
    put_learning(&json, self);
    common_json_open(&json, "warnings", '[');
    explain_warn(self, put_warning, &json);
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}
