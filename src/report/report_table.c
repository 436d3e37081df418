/*
 * report_table.c: the table of final regrets for a terminal.
 *
 * One line per agent, or in a sweep per value and agent: mean regret with its 95% interval, standard deviation, paired
 * difference and ratio to the first agent with their intervals, share of rounds on an episode's best expert, time per
 * round. A second table has the regret by episode where there are few. "-" is what cannot be said: an interval from one
 * run, the time of runs that were read from a file.
 *
 * Paper: none.
 * Cost: the cells in memory.
 * Check: tests/unit/test_report.c: table_is_aligned.
 */
#include "report_internal.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 136, LABEL_WIDTH = 24, MOST_EPISODES = 8 };

typedef char cell[CELL];

/* Cells line by line; the first `words` columns are to the left, numbers to the right. */
typedef struct grid {
    size_t rows, columns, words, used;
    cell *cells; /* owned */
} grid;

static int grid_init(grid *self, size_t rows, size_t columns, size_t words, roster_error *err)
{
    *self = (grid){rows, columns, words, 0, calloc(rows * columns, sizeof(cell))};
    return self->cells != NULL ? ROSTER_OK : common_fail_memory(err);
}

static void put(grid *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(grid *self, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    common_vformat(self->cells[self->used++], CELL, format, list);
    va_end(list);
}

static void put_number(grid *self, const char *before, double value, int decimals)
{
    if (isfinite(value))
        put(self, "%s%.*f", before, decimals, value);
    else
        put(self, "-");
}

/* A label in at most LABEL_WIDTH characters, without what would move the cursor. */
static void put_label(grid *self, const char *text)
{
    char *out = self->cells[self->used++];
    size_t width = 0, n = 0;
    for (const char *s = text; *s != 0 && n < CELL - 5; s++) {
        bool starts = !utf8_continues(*s);
        if (starts && ++width > LABEL_WIDTH) {
            strcpy(out + n, "~");
            return;
        }
        out[n++] = (unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s;
    }
}

static int width_of(const char *text)
{
    return (int)utf8_columns(text, strlen(text));
}

static int column_width(const grid *self, size_t column)
{
    int widest = 0;
    for (size_t row = 0; row < self->rows; row++) {
        int width = width_of(self->cells[row * self->columns + column]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void print(const grid *self, FILE *out)
{
    for (size_t i = 0; i < self->rows * self->columns; i++) {
        size_t column = i % self->columns;
        bool last = column + 1 == self->columns;
        int pad = column_width(self, column) - width_of(self->cells[i]);
        if (column < self->words)
            fprintf(out, "%s%*s", self->cells[i], last ? 0 : pad, "");
        else
            fprintf(out, "%*s%s", pad, "", self->cells[i]);
        bool tight = !last && strcmp(self->cells[column + 1], "95%") == 0; /* belongs to the number before it */
        fputs(last ? "\n" : tight ? " " : "  ", out);
    }
}

/* Enough decimals for four digits of the largest mean, at most three. */
static int decimals_for(const report *self)
{
    double largest = 0;
    for (size_t c = 0; c < self->experiment->n_cases; c++) {
        const roster_results *r = self->results[c];
        for (size_t a = 0; a < r->agents; a++)
            largest = fmax(largest, fabs(report_summarize(&r->total[a], r->runs).mean));
    }
    return largest < 10 ? 3 : largest < 1000 ? 2 : largest < 1e5 ? 1 : 0;
}

static void put_names(grid *g, const report *self, size_t c, size_t a)
{
    if (self->experiment->sweep != NULL)
        put(g, "%.10g", self->experiment->cases[c].value);
    put_label(g, self->experiment->cases[c].agents[a].label);
}

static void put_row(grid *g, const report *self, size_t c, size_t a, int decimals)
{
    const roster_results *r = self->results[c];
    report_summary s = report_summarize(&r->total[a], r->runs);
    put_names(g, self, c, a);
    put_number(g, "", s.mean, decimals);
    put_number(g, "\302\261", s.half, decimals);
    put_number(g, "", s.sd, decimals);
    if (r->agents > 1) {
        report_summary d = report_summarize(&r->paired[a], r->runs);
        put_number(g, "", a > 0 ? d.mean : NAN, decimals);
        put_number(g, "\302\261", a > 0 ? d.half : NAN, decimals);
        report_summary ratio = report_ratio(&r->total[0], &r->total[a], &r->paired[a], r->runs);
        put_number(g, "", a > 0 ? ratio.mean : NAN, 3);
        put_number(g, "\302\261", a > 0 ? ratio.half : NAN, 3);
    }
    double rounds = (double)r->rounds[a];
    if (r->rounds[a] > 0)
        put(g, "%.1f%%", 100 * (double)r->best_rounds[a] / rounds);
    else
        put(g, "-");
    put_number(g, "", r->nanoseconds[a] > 0 ? (double)r->nanoseconds[a] / rounds : NAN, 0);
}

static void put_heads(grid *g, const report *self, const char *const *heads)
{
    if (self->experiment->sweep != NULL)
        put_label(g, self->experiment->sweep);
    for (; *heads != NULL; heads++)
        put(g, "%s", *heads);
}

static int print_regrets(const report *self, FILE *out, roster_error *err)
{
    static const char *const alone[] = {"agent", "regret", "95%", "sd", "best", "ns/round", NULL};
    static const char *const several[] = {"agent", "regret", "95%",  "sd",       "vs first", "95%",
                                          "ratio", "95%",    "best", "ns/round", NULL};
    const experiment *x = self->experiment;
    size_t sweep = x->sweep != NULL;
    grid g;
    int code = grid_init(&g, 1 + x->n_cases * x->n_agents, (x->n_agents > 1 ? 10 : 6) + sweep, 1 + sweep, err);
    if (code != ROSTER_OK)
        return code;
    put_heads(&g, self, x->n_agents > 1 ? several : alone);
    int decimals = decimals_for(self);
    for (size_t c = 0; c < x->n_cases; c++)
        for (size_t a = 0; a < x->n_agents; a++)
            put_row(&g, self, c, a, decimals);
    print(&g, out);
    free(g.cells);
    return ROSTER_OK;
}

static size_t most_episodes(const experiment *x)
{
    size_t most = 0;
    for (size_t c = 0; c < x->n_cases; c++)
        most = x->cases[c].n_episodes > most ? x->cases[c].n_episodes : most;
    return most;
}

static int print_episodes(const report *self, FILE *out, roster_error *err)
{
    static const char *const heads[] = {"agent", NULL};
    const experiment *x = self->experiment;
    size_t sweep = x->sweep != NULL, episodes = most_episodes(x);
    grid g;
    if (episodes < 2 || episodes > MOST_EPISODES)
        return ROSTER_OK;
    int code = grid_init(&g, 1 + x->n_cases * x->n_agents, 1 + sweep + episodes, 1 + sweep, err);
    if (code != ROSTER_OK)
        return code;
    put_heads(&g, self, heads);
    for (size_t e = 0; e < episodes; e++)
        put(&g, "%zu", e + 1);
    int decimals = decimals_for(self);
    for (size_t c = 0; c < x->n_cases; c++)
        for (size_t a = 0; a < x->n_agents; a++) {
            const roster_results *r = self->results[c];
            put_names(&g, self, c, a);
            for (size_t e = 0; e < episodes; e++) {
                bool there = e < r->episodes;
                put_number(&g, "", there ? report_summarize(&r->episode[a * r->episodes + e], r->runs).mean : NAN,
                           decimals);
            }
        }
    fputs("\nregret by episode\n", out);
    print(&g, out);
    free(g.cells);
    return ROSTER_OK;
}

static bool is_guarded(const report *self)
{
    const experiment *x = self->experiment;
    for (size_t a = 0; a < x->n_agents; a++)
        if (x->cases[0].studies[a].restart == ROSTER_RESTART_ALARM || x->cases[0].studies[a].model_test)
            return true;
    return false;
}

/* A run's alarms in the mean, how many of all were false, how long changes went unnoticed, experts rejected a run. */
static void put_guard(grid *g, const report *self, size_t c, size_t a)
{
    const roster_results *r = self->results[c];
    const roster_study *study = &self->experiment->cases[c].studies[a];
    const roster_alarm_counts *x = &r->contexts[a], *y = &r->rewards[a];
    double runs = (double)r->runs, raised = (double)(x->raised + y->raised), wrong = (double)(x->wrong + y->wrong);
    bool alarms = study->restart == ROSTER_RESTART_ALARM;
    put_names(g, self, c, a);
    put_number(g, "", alarms ? (double)x->raised / runs : NAN, 2);
    put_number(g, "", alarms ? (double)y->raised / runs : NAN, 2);
    put_number(g, "", alarms ? wrong / runs : NAN, 4);
    put_number(g, "", alarms ? (double)(x->delay + y->delay) / (raised - wrong) : NAN, 0);
    put_number(g, "", study->model_test ? (double)r->rejected[a] / runs : NAN, 2);
}

static int print_guard(const report *self, FILE *out, roster_error *err)
{
    static const char *const heads[] = {"agent", "contexts", "rewards", "false", "delay", "rejected", NULL};
    const experiment *x = self->experiment;
    size_t sweep = x->sweep != NULL;
    grid g;
    if (!is_guarded(self))
        return ROSTER_OK;
    int code = grid_init(&g, 1 + x->n_cases * x->n_agents, 6 + sweep, 1 + sweep, err);
    if (code != ROSTER_OK)
        return code;
    put_heads(&g, self, heads);
    for (size_t c = 0; c < x->n_cases; c++)
        for (size_t a = 0; a < x->n_agents; a++)
            put_guard(&g, self, c, a);
    fputs("\nalarms a run, rounds from a change to its alarm, experts that the test of the model rejected a run\n",
          out);
    print(&g, out);
    free(g.cells);
    return ROSTER_OK;
}

static int print_growth(const report *self, FILE *out, roster_error *err)
{
    const experiment *x = self->experiment;
    grid g;
    if (!report_has_growth(self))
        return ROSTER_OK;
    int code = grid_init(&g, 1 + x->n_agents, 5, 1, err);
    if (code != ROSTER_OK)
        return code;
    put(&g, "agent");
    put(&g, "a + b ln N");
    put(&g, "R^2");
    put(&g, "a + b N");
    put(&g, "R^2");
    for (size_t a = 0; a < x->n_agents && code == ROSTER_OK; a++) {
        report_growth fit;
        code = report_grow(self, a, &fit, err);
        put_label(&g, x->cases[0].agents[a].label);
        put(&g, "%.4g %+.4g ln N", fit.logarithmic.intercept, fit.logarithmic.slope);
        put(&g, "%.4f", fit.logarithmic.r2);
        put(&g, "%.4g %+.4g N", fit.linear.intercept, fit.linear.slope);
        put(&g, "%.4f", fit.linear.r2);
    }
    if (code == ROSTER_OK) {
        fputs("\nregret against the number of experts N, least squares\n", out);
        print(&g, out);
    }
    free(g.cells);
    return code;
}

/* "unbounded-1: 250 runs, seed 1"; a sweep that was stopped has cases with more and with fewer runs. */
static void print_title(const report *self, FILE *out)
{
    const experiment *x = self->experiment;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t c = 0; c < x->n_cases; c++) {
        uint64_t runs = self->results[c]->runs;
        least = runs < least ? runs : least;
        most = runs > most ? runs : most;
    }
    fprintf(out, "%s: ", x->name);
    if (self->shards > 1)
        fprintf(out, "part %" PRIu64 " of %" PRIu64 ", ", self->shard + 1, self->shards);
    if (self->stopped)
        fprintf(out, "stopped after ");
    fprintf(out, "%" PRIu64, least);
    if (most > least)
        fprintf(out, " to %" PRIu64, most);
    if (self->stopped)
        fprintf(out, " of %" PRIu64, x->runs);
    fprintf(out, " run%s, seed %" PRIu64 "\n", most == 1 && !self->stopped ? "" : "s", x->seed);
}

int report_table(const report *self, FILE *out, roster_error *err)
{
    print_title(self, out);
    int code = print_regrets(self, out, err);
    if (code == ROSTER_OK)
        code = print_episodes(self, out, err);
    if (code == ROSTER_OK)
        code = print_guard(self, out, err);
    if (code == ROSTER_OK)
        code = print_growth(self, out, err);
    return code;
}
