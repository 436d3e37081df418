/*
 * explain_text.c: what `roster explain` found out, for people.
 *
 * First the roster, then each episode with its experts, divergences and bounds, then what it takes to learn the
 * experts, then what the file assumes and is not so. Bounds stand next to each other, the file's C above the theorem's,
 * and below them what cannot be exceeded, since a bound above that says nothing.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"
#include "cli.h"

#include <math.h>

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

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
    fprintf(out, "%s%s%s: %zu expert%s, %zu context%s, %zu action%s, %zu episode%s\n\n", self->file->name,
            self->chosen->title[0] != '\0' ? ", " : "", self->chosen->title, self->n, plural(self->n), self->x,
            plural(self->x), self->v, plural(self->v), self->chosen->n_episodes, plural(self->chosen->n_episodes));
    fprintf(out, "Smallest probability: %.6g, with which '%.60s' takes '%.40s' in '%.40s'\n", self->floor,
            roster_experts_name(experts, self->floor_k), self->file->actions[self->floor_v],
            self->file->contexts[self->floor_x]);
    put_same(self, out);
}

/* A line of the table of bounds; `width` is that of labels. */
static void put_line(FILE *out, size_t width, const char *label, const char *source, const char *whose,
                     const explain_times *times)
{
    char text[40];
    fputs("  ", out);
    explain_put(out, label, width);
    fprintf(out, " %-11s %-7s %9s", source, whose, explain_number(times->C, text));
    fprintf(out, " %11s", explain_rounds(times->tau_1, text));
    fprintf(out, " %11s", explain_rounds(times->known, text));
    fprintf(out, " %11s\n",
            times->regret < 999.95 ? explain_number(times->regret, text) : explain_rounds(times->regret, text));
}

static size_t label_width(const explain_episode *episode)
{
    size_t width = explain_letters("agent");
    for (size_t b = 0; b < episode->n_bounds; b++) {
        size_t length = explain_letters(episode->bounds[b].label);
        width = length > width ? length : width;
    }
    return width < 24 ? width : 24;
}

static void put_bounds(const explain_episode *episode, FILE *out)
{
    explain_times ucb = {NAN, NAN, episode->ucb, NAN, NULL}, most = {NAN, NAN, episode->most, NAN, NULL};
    size_t width = label_width(episode);
    char rounds[40];
    fprintf(out, "  Regret in %s rounds is at most\n", explain_rounds((double)episode->rounds, rounds));
    fputs("  ", out);
    explain_put(out, "agent", width);
    fprintf(out, " %-11s %-7s %9s %11s %11s %11s\n", "source", "C of", "C", "tau_1", "known after", "regret");
    for (size_t b = 0; b < episode->n_bounds; b++) {
        const explain_bound *bound = &episode->bounds[b];
        put_line(out, width, bound->label, bound->theorem, bound->in_file ? "file" : "default", &bound->file);
        put_line(out, width, "", bound->theorem, "theorem", &bound->theory);
    }
    put_line(out, width, "ucb", "Auer et al.", "-", &ucb);
    put_line(out, width, "any", "largest gap", "-", &most);
}

static void put_episode(const explanation *self, size_t e, FILE *out, bool terminal)
{
    const explain_episode *episode = &self->episodes[e];
    char rounds[40], text[400];
    fprintf(out, "\nEpisode %zu: ", e + 1);
    if (episode->min_rounds > 0)
        fprintf(out, "%llu to ", (unsigned long long)episode->min_rounds);
    fprintf(out, "%llu rounds; best is '%.60s', the smallest gap %s\n", (unsigned long long)episode->rounds,
            roster_experts_name(self->chosen->experts, episode->best),
            isinf(episode->smallest_gap) ? "0" : explain_number(episode->smallest_gap, rounds));
    explain_experts(self, episode, out);
    fputc('\n', out);
    explain_matrix(self, episode, out, terminal);
    fputc('\n', out);
    put_bounds(episode, out);
    explain_sentence(self, e, text, sizeof text);
    fputc('\n', out);
    cli_wrap(out, text, 2, 0);
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

void explain_text(const explanation *self, FILE *out, bool terminal)
{
    warnings to = {out, false};
    put_roster(self, out);
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        put_episode(self, e, out, terminal);
    for (size_t i = 0; i < self->n_learning; i++)
        put_learning(self, &self->learning[i], out);
    explain_warn(self, put_warning, &to);
    fputs("\n'known after' is the round from which the best is told apart from all others.\n"
          "A C below the theorem's is common in practice, but proves nothing: the formulas\n"
          "are only evaluated with it. A bound above that of 'any' agent, rounds times the\n"
          "largest gap, says nothing. UCB's bound is Theorem 1 of Auer, Cesa-Bianchi and\n"
          "Fischer (2002): the sum of 8 ln T / D_k + (1 + pi^2/3) D_k over gaps D_k.\n",
          out);
}
