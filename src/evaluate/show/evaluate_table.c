/*
 * evaluate_table.c: the figures for a terminal.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_log(const evaluate *self, FILE *out)
{
    const log_column *columns;
    size_t n = log_columns(self->log, &columns), shown = 0;
    fprintf(out, "%.0f events (%s)", self->whole.events, log_format_name(self->log));
    for (size_t i = 0; i < n; i++) {
        const char *role = columns[i].role < LOG_NAMED      ? log_role_names[columns[i].role]
                           : columns[i].role == LOG_CONTEXT ? "context"
                                                            : NULL;
        if (role == NULL || (columns[i].role == LOG_COST && log_has(self->log, LOG_REWARD)))
            continue;
        fprintf(out, "%s%s %s%s", shown++ > 0 ? ", " : ": ", role, columns[i].name,
                columns[i].guessed && strcmp(role, columns[i].name) != 0 ? " (guessed)" : "");
    }
    fputc('\n', out);
    if (self->settings.fitted)
        fprintf(out, "no propensities: fitted %s\n",
                self->settings.frequencies ? "as frequencies by context and action"
                                           : "by a logistic model of the features");
    for (size_t i = 0; i < self->n_notes; i++)
        fprintf(out, "note: %s\n", self->notes[i]);
}

static size_t name_width(const evaluate *self)
{
    size_t width = strlen("served");
    for (size_t i = 0; i < self->n_policies; i++) {
        size_t n = strlen(self->whole.policies[i].name);
        width = n > width ? n : width;
    }
    return width < 40 ? width : 40;
}

/* Aligned, four digits behind the first; "-" where there is none. */
static void put_number(FILE *out, double number, int width)
{
    if (isnan(number))
        fprintf(out, " %*s", width, "-");
    else
        fprintf(out, " %*.5g", width, number);
}

static void put_row(const evaluate_policy *p, int width, FILE *out)
{
    const evaluate_result *r = &p->r;
    fprintf(out, "%-*.40s", width, p->name);
    put_number(out, r->value, 10);
    put_number(out, r->interval.low, 10);
    put_number(out, r->interval.high, 10);
    put_number(out, r->difference.value, 11);
    put_number(out, r->difference.low, 10);
    put_number(out, r->difference.high, 10);
    put_number(out, floor(r->effective), 9);
    put_number(out, r->largest, 9);
    fprintf(out, " %7.3g%%\n", 100 * r->clipped_share);
}

static void put_part(const evaluate *self, const evaluate_part *part, FILE *out)
{
    int width = (int)name_width(self);
    fprintf(out, "%-*s %10s %10s %10s %11s %10s %10s %9s %9s %8s\n", width, "policy", "value", "low", "high",
            "difference", "low", "high", "effective", "largest w", "clipped");
    fprintf(out, "%-*s", width, "served");
    put_number(out, part->served.value, 10);
    put_number(out, part->served.low, 10);
    put_number(out, part->served.high, 10);
    fputc('\n', out);
    for (size_t i = 0; i < self->n_policies; i++)
        put_row(&part->policies[i], width, out);
}

void evaluate_table(const evaluate *self, FILE *out)
{
    put_log(self, out);
    fprintf(out, "\n");
    put_part(self, &self->whole, out);
    fprintf(out, "\n");
    for (size_t i = 0; i < self->n_policies; i++) {
        const evaluate_policy *p = &self->whole.policies[i];
        if (p->kind != POLICY_LOGGED)
            fprintf(out, "%s: ", evaluate_estimator_names[p->r.estimator]);
        fprintf(out, "%s\n", p->verdict);
        if (p->has_finding)
            fprintf(out, "  %s\n", p->shown);
        for (size_t k = 0; k < p->n_warnings; k++)
            fprintf(out, "  mind: %s\n", p->warnings[k]);
    }
    for (size_t i = 0; i < self->n_segments; i++) {
        const evaluate_part *part = &self->segments[i];
        fprintf(out, "\n%s: %.0f events\n", part->segment, part->events);
        if (part->events > 0)
            put_part(self, part, out);
    }
}
