/*
 * explain_bounds.c: what the theorems say, in a section of its own, for people.
 *
 * A theorem is about its own C, some 1000 times what is used in practice. An agent with a smaller one is listed with
 * the bound that the theorem's C would have, and it is said that this is no bound for it. Below stands what cannot be
 * exceeded, since a bound above that says nothing.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"
#include "cli.h"

#include <math.h>

/* A line of the table; `width` is that of labels. */
static void put_line(FILE *out, size_t width, const char *label, const char *source, double used,
                     const explain_times *times)
{
    char text[40];
    fputs("  ", out);
    explain_put(out, label, width);
    fprintf(out, " %-11s %9s", source, explain_number(used, text));
    fprintf(out, " %9s", explain_number(times->C, text));
    fprintf(out, " %11s", explain_rounds(times->tau_1, text));
    fprintf(out, " %11s", explain_rounds(times->known, text));
    fprintf(out, " %11s\n", explain_number_up(times->regret, text));
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

static void put_episode(const explain_episode *episode, size_t e, FILE *out)
{
    explain_times ucb = {NAN, NAN, episode->ucb, NAN, NULL}, most = {NAN, NAN, episode->most, NAN, NULL};
    size_t width = label_width(episode);
    char rounds[40];
    fprintf(out, "  Episode %zu, %s rounds\n  ", e + 1, explain_rounds((double)episode->rounds, rounds));
    explain_put(out, "agent", width);
    fprintf(out, " %-11s %9s %9s %11s %11s %11s\n", "source", "its C", "needs C", "tau_1", "known after", "regret");
    for (size_t b = 0; b < episode->n_bounds; b++) {
        const explain_bound *bound = &episode->bounds[b];
        put_line(out, width, bound->label, bound->theorem, bound->constants.C, &bound->times);
    }
    put_line(out, width, "ucb", "Theorem 8.1", NAN, &ucb);
    put_line(out, width, "any", "largest gap", NAN, &most);
}

static bool none_applies(const explanation *self)
{
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        for (size_t b = 0; b < self->episodes[e].n_bounds; b++)
            if (self->episodes[e].bounds[b].applies)
                return false;
    return true;
}

void explain_bounds(const explanation *self, FILE *out)
{
    char text[800];
    fputs("\nWhat is proven: expected reward lost, with the C that the theorems need\n", out);
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        put_episode(&self->episodes[e], e, out);
    snprintf(text, sizeof text,
             "%s 'known after' is the round from which the best is told apart from all others. A bound above that of "
             "'any' agent, rounds times the largest gap, says nothing. Theorem 8.1 is that of Lattimore and "
             "Szepesvari's Bandit Algorithms.",
             none_applies(self)
                 ? "No agent here has the C that its theorem needs, so no bound but the last two holds for the agents "
                   "as they are; the figures above are measured."
                 : "A bound holds for agents whose C is at least what the theorem needs, and for no others.");
    cli_wrap(out, text, 2, 0);
}
