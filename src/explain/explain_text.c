/*
 * explain_text.c: what `roster explain` found out, for people.
 *
 * First the roster, then each episode with its experts, what came of playing the agents, and the divergences; then what
 * is proven (explain_bounds.c), what it takes to learn the experts, and what the file assumes and is not so.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"
#include "cli.h"

#include <math.h>

static void put_same(const explanation *self, FILE *out)
{
    const roster_experts *experts = self->chosen->experts;
    char text[EXPLAIN_SHOWN * 140 + 160]; /* a pair takes at most 2 * 60 letters and 13 more */
    size_t used = (size_t)snprintf(text, sizeof text, "Practically the same (M_ij and M_ji below 1.001):%s",
                                   self->n_same == 0 ? " none" : "");
    for (size_t i = 0; i < self->n_same && i < EXPLAIN_SHOWN; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s '%.60s' and '%.60s'", i > 0 ? "," : "",
                                 roster_experts_name(experts, self->same[i][0]),
                                 roster_experts_name(experts, self->same[i][1]));
    if (self->n_same > EXPLAIN_SHOWN)
        snprintf(text + used, sizeof text - used, ", and %zu pairs more", self->n_same - EXPLAIN_SHOWN);
    cli_wrap(out, text, 0, 0);
}

static void put_roster(const explanation *self, FILE *out)
{
    const roster_experts *experts = self->chosen->experts;
    size_t episodes = self->chosen->n_episodes;
    explain_head(self->file, self->chosen, out);
    fprintf(out, ", %zu episode%s\n\n", episodes, episodes == 1 ? "" : "s");
    fprintf(out, "Smallest probability: %.6g, with which '%.60s' takes '%.40s' in '%.40s'\n", self->floor,
            roster_experts_name(experts, self->floor_k), self->file->actions[self->floor_v],
            self->file->contexts[self->floor_x]);
    put_same(self, out);
}

static size_t agent_width(const explanation *self)
{
    size_t width = explain_letters("agent");
    for (size_t i = 0; i < self->file->n_agents; i++) {
        size_t length = explain_letters(self->agents[i].label);
        width = length > width ? length : width;
    }
    return width < 24 ? width : 24;
}

static const char *settled_text(double round, char text[40])
{
    return isinf(round) ? "not in time" : explain_rounds_up(round, text);
}

static void put_agent(const explain_agent *agent, size_t e, size_t width, FILE *out)
{
    char text[40];
    fputs("  ", out);
    explain_put(out, agent->label, width);
    fprintf(out, " %12s", settled_text(agent->settled[e].median, text));
    fprintf(out, " %12s", settled_text(agent->settled[e].high, text));
    fprintf(out, " %14s", explain_number_up(agent->lost[e].median, text));
    fprintf(out, " %12s\n", explain_number_up(agent->lost[e].high, text));
}

/* What came of playing the agents. */
static void put_agents(const explanation *self, size_t e, FILE *out)
{
    size_t width = agent_width(self);
    char text[480];
    fprintf(out, "  Played %llu times\n", (unsigned long long)self->runs);
    fprintf(out, "  %*s %25s %27s\n", (int)width, "", "best has 95% after round", "reward lost");
    fputs("  ", out);
    explain_put(out, "agent", width);
    fprintf(out, " %12s %12s %14s %12s\n", "median", "95% of runs", "median", "95% of runs");
    for (size_t i = 0; i < self->file->n_agents; i++)
        put_agent(&self->agents[i], e, width, out);
    explain_sentence(self, e, text, sizeof text);
    fputc('\n', out);
    cli_wrap(out, text, 2, 0);
}

static void put_episode(const explanation *self, size_t e, FILE *out, bool terminal)
{
    const explain_episode *episode = &self->episodes[e];
    char rounds[40], text[480];
    fprintf(out, "\nEpisode %zu: ", e + 1);
    if (episode->min_rounds > 0)
        fprintf(out, "%llu to ", (unsigned long long)episode->min_rounds);
    fprintf(out, "%llu rounds; best is '%.60s', the smallest gap %s\n", (unsigned long long)episode->rounds,
            roster_experts_name(self->chosen->experts, episode->best),
            isinf(episode->smallest_gap) ? "0" : explain_number(episode->smallest_gap, rounds));
    explain_experts(self, episode, out);
    fputc('\n', out);
    explain_price_sentence(self, e, text, sizeof text);
    cli_wrap(out, text, 2, 0);
    fputc('\n', out);
    put_agents(self, e, out);
    fputc('\n', out);
    explain_matrix(self, episode, out, terminal);
}

/* Of all episodes together, where there are several. */
static void put_totals(const explanation *self, FILE *out)
{
    size_t width = agent_width(self);
    char text[40];
    if (self->chosen->n_episodes < 2)
        return;
    fprintf(out, "\nAll %zu episodes: reward lost\n  ", self->chosen->n_episodes);
    explain_put(out, "agent", width);
    fprintf(out, " %12s %12s\n", "median", "95% of runs");
    for (size_t i = 0; i < self->file->n_agents; i++) {
        fputs("  ", out);
        explain_put(out, self->agents[i].label, width);
        fprintf(out, " %12s", explain_number_up(self->agents[i].total.median, text));
        fprintf(out, " %12s\n", explain_number_up(self->agents[i].total.high, text));
    }
}

static void put_samples(FILE *out, const char *what, const explain_samples *samples, size_t n)
{
    char text[40];
    fprintf(out, "  %-12s %11s", what, explain_number(samples->xi, text));
    fprintf(out, " %15s", explain_rounds(ceil(samples->per_context), text));
    fprintf(out, " %15s", explain_rounds(ceil(samples->per_expert), text));
    fprintf(out, " %15s\n", explain_rounds(ceil(samples->per_expert) * (double)n, text));
}

static void put_learning(const explanation *self, const explain_learning *learning, FILE *out)
{
    char samples[40];
    explain_rounds((double)learning->agent->samples, samples);
    fprintf(out, "\nLearning the experts for '%.60s': p_V = %.4g, p_X = %.4g, gamma = %.4g\n", learning->agent->label,
            learning->p_V, learning->p_X, learning->gamma);
    fprintf(out, "  The file draws %s samples of each expert %s.\n",
            learning->agent->samples > 0 ? samples : "the theory's",
            learning->agent->sampling == ROSTER_ONLINE ? "in the first episode" : "before round 1");
    fprintf(out, "  %-12s %11s %15s %15s %15s\n", "", "xi", "n, per context", "A, per expert", "all experts");
    put_samples(out, "in the file", &learning->file, self->n);
    put_samples(out, "theory", &learning->theory, self->n);
    put_samples(out, "tight", &learning->tight, self->n);
}

/* Where the sentences on assumptions go; the first one brings its heading. */
typedef struct warnings {
    FILE *out;
    bool headed;
} warnings;

static void put_warning(void *context, const char *sentence)
{
    warnings *self = context;
    if (!self->headed)
        fputs("\nAssumptions of the file that do not hold, so that the theorems do not apply:\n", self->out);
    self->headed = true;
    cli_wrap(self->out, sentence, 2, 0);
}

static void put_meaning(const explanation *self, FILE *out)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "Best has 95%% after round n: from every round m from n on to round 2m, or to the end of the episode, more "
        "than 95%% of the rounds are played by a best expert; m goes as far as a tenth of the episode is left. "
        "Reward lost: what the best "
        "expert would have earned in expectation, less what those that played did. Median: of %llu simulated "
        "runs; 95%% of runs: with a confidence of %.1f%%, at least 95%% of all runs of such a campaign do not "
        "exceed it. All this holds for the rewards that the file states.",
        (unsigned long long)self->runs, floor(1000 * self->confidence) / 10);
    fputc('\n', out);
    cli_wrap(out, text, 0, 0);
}

void explain_text(const explanation *self, FILE *out, bool terminal)
{
    warnings to = {out, false};
    put_roster(self, out);
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        put_episode(self, e, out, terminal);
    put_totals(self, out);
    put_meaning(self, out);
    explain_bounds(self, out);
    for (size_t i = 0; i < self->n_learning; i++)
        put_learning(self, &self->learning[i], out);
    explain_warn(self, put_warning, &to);
}
