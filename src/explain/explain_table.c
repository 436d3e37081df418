/*
 * explain_table.c: the experts of an episode, and the divergence matrix, shaded on a terminal.
 *
 * Names are cut to 24 letters. Of more than 20 experts the 20 best are listed, and the matrix gives way to its
 * quantiles. On a terminal a cell's background is the brighter the larger ln M is, from 0 to the largest finite one; a
 * shade block takes its place where NO_COLOR is set. Elsewhere there are numbers alone.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"

#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 24 };

size_t explain_letters(const char *text)
{
    return utf8_columns(text, strlen(text));
}

void explain_put(FILE *out, const char *text, size_t width)
{
    size_t total = explain_letters(text), shown = total > width ? width - 3 : total, n = 0;
    for (; *text != '\0'; text++) {
        n += !utf8_continues(*text);
        if (n > shown)
            break;
        fputc(*text, out);
    }
    if (shown < total)
        fputs("...", out);
    for (size_t i = shown < total ? width : shown; i < width; i++)
        fputc(' ', out);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void explain_head(const experiment *file, const experiment_case *chosen, FILE *out)
{
    size_t n = roster_experts_count(chosen->experts), x = roster_experts_contexts(chosen->experts);
    size_t v = roster_experts_actions(chosen->experts);
    fprintf(out, "%s%s%s: %zu expert%s, %zu context%s, %zu action%s", file->name, chosen->title[0] != '\0' ? ", " : "",
            chosen->title, n, plural(n), x, plural(x), v, plural(v));
}

static size_t name_width(const explanation *self, const size_t *order, size_t n)
{
    size_t width = explain_letters("expert");
    for (size_t i = 0; i < n; i++) {
        size_t length = explain_letters(roster_experts_name(self->chosen->experts, order != NULL ? order[i] : i));
        width = length > width ? length : width;
    }
    return width < NAME_WIDTH ? width : NAME_WIDTH;
}

/* The experts with the smallest gaps into order; ties keep the order of the file. Returns how many. */
static size_t find_leaders(const explanation *self, const explain_episode *episode, size_t order[EXPLAIN_SHOWN])
{
    size_t n = 0;
    for (size_t k = 0; k < self->n; k++) {
        size_t at = n < EXPLAIN_SHOWN ? n++ : EXPLAIN_SHOWN;
        for (; at > 0 && episode->gaps[k] < episode->gaps[order[at - 1]]; at--)
            if (at < EXPLAIN_SHOWN)
                order[at] = order[at - 1];
        if (at < EXPLAIN_SHOWN)
            order[at] = k;
    }
    return n;
}

static void row_of_expert(const explanation *self, const explain_episode *episode, size_t k, FILE *out, size_t width)
{
    bool best = episode->gaps[k] <= COMMON_ZERO_GAP;
    fputs("  ", out);
    explain_put(out, roster_experts_name(self->chosen->experts, k), width);
    fprintf(out, "  %10.6f", episode->values[k]);
    if (best)
        fprintf(out, "  %10s", "best");
    else
        fprintf(out, "  %10.6f", episode->gaps[k]);
    fputc('\n', out);
}

void explain_experts(const explanation *self, const explain_episode *episode, FILE *out)
{
    size_t order[EXPLAIN_SHOWN] = {0}, n = find_leaders(self, episode, order);
    size_t width = name_width(self, order, n);
    double least = 1;
    fputs("  ", out);
    explain_put(out, "expert", width);
    fprintf(out, "  %10s  %10s\n", "value", "gap");
    for (size_t i = 0; i < n; i++)
        row_of_expert(self, episode, order[i], out, width);
    for (size_t k = 0; k < self->n; k++)
        least = fmin(least, episode->values[k]);
    if (n < self->n)
        fprintf(out, "  and %zu more, with values from %.6f on\n", self->n - n, least);
}

static double largest_finite(const explain_episode *episode, size_t n)
{
    double largest = 1;
    for (size_t i = 0; i < n * n; i++)
        if (isfinite(episode->m[i]))
            largest = fmax(largest, episode->m[i]);
    return largest;
}

/* From 0 (M = 1) to 1 (the largest). */
static double brightness(double m, double largest)
{
    if (!isfinite(m))
        return 1;
    return largest > 1 ? log(m) / log(largest) : 0;
}

static void put_cell(FILE *out, double m, double bright, bool terminal)
{
    static const char *const shades[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
    char text[40];
    bool colour = terminal && getenv("NO_COLOR") == NULL;
    if (isinf(m))
        strcpy(text, "inf");
    else
        snprintf(text, sizeof text, m < 1000 ? "%.3f" : "%.3g", m);
    if (colour) /* greys, from white on dark to black on bright */
        fprintf(out, "\033[48;5;%d;38;5;%dm %9s\033[0m", 235 + (int)(20 * bright), bright > 0.5 ? 16 : 231, text);
    else if (terminal)
        fprintf(out, " %s%8s", shades[(int)(4 * bright)], text);
    else
        fprintf(out, " %9s", text);
}

static void put_matrix(const explanation *self, const explain_episode *episode, FILE *out, bool terminal)
{
    size_t n = self->n, width = name_width(self, NULL, n);
    double largest = largest_finite(episode, n);
    fprintf(out, "  %*s", (int)(width + 4), "");
    for (size_t j = 0; j < n; j++)
        fprintf(out, " %9zu", j + 1);
    fputc('\n', out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "  %2zu  ", i + 1);
        explain_put(out, roster_experts_name(self->chosen->experts, i), width);
        for (size_t j = 0; j < n; j++) {
            double m = episode->m[i * n + j];
            put_cell(out, m, brightness(m, largest), terminal);
        }
        fputc('\n', out);
    }
}

void explain_matrix(const explanation *self, const explain_episode *episode, FILE *out, bool terminal)
{
    char text[40];
    fprintf(out, "  Divergence M_ij: row i from samples of column j; 1 is as good as its own%s\n",
            self->shared ? " (support shared)" : "");
    if (episode->m != NULL) {
        put_matrix(self, episode, out, terminal);
    } else {
        fprintf(out, "  of %zu pairs: from %s", self->n * (self->n - 1), explain_number(episode->quantiles[0], text));
        for (size_t q = 1; q + 1 < EXPLAIN_QUANTILES; q++)
            fprintf(out, ", %.0f%% up to %s", 100 * explain_quantile[q], explain_number(episode->quantiles[q], text));
        fputc('\n', out);
    }
    if (self->n > 1)
        fprintf(out, "  Largest: %s, for '%.60s' from samples of '%.60s'\n", explain_number(episode->largest, text),
                roster_experts_name(self->chosen->experts, episode->largest_i),
                roster_experts_name(self->chosen->experts, episode->largest_j));
}
