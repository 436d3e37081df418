/*
 * show_health.c: what was looked at in the log, and what was found, as a table of the report.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "show_internal.h"

#include "html_writer.h"

#include <math.h>
#include <stdio.h>

/* One row; wrong: it is marked. */
static void put_check(FILE *out, const char *what, const char *found, bool wrong)
{
    fprintf(out, "<tr%s><td>%s</td><td>", wrong ? " class=\"wrong\"" : "", what);
    html_put_text(out, found);
    fputs("</td></tr>\n", out);
}

/* A count of what should not be. */
static void put_count(FILE *out, const char *what, double count, bool looked, const char *unless)
{
    char text[64];
    snprintf(text, sizeof text, count > 0 ? "%.0f" : "none", count);
    put_check(out, what, looked ? text : unless, looked && count > 0);
}

static void put_change(FILE *out, const char *what, const change_found *found, bool looked)
{
    char text[80];
    snprintf(text, sizeof text, found->count > 0 ? "after about event %.0f" : "none seen", (double)found->since);
    put_check(out, what, looked ? text : "not looked for", looked && found->count > 0);
}

static void put_weights(const evaluate *self, FILE *out)
{
    char text[160];
    double unlogged = 0;
    bool off = false;
    for (size_t i = 0; i < self->n_policies; i++) {
        const evaluate_result *r = &self->whole.policies[i].r;
        off = off || evaluate_weights_are_off(self->whole.events, r);
        unlogged = fmax(unlogged, r->unlogged);
    }
    put_check(out, "mean weight away from 1",
              off ? "of some policy, farther than chance takes it" : "no more than by chance", off);
    snprintf(text, sizeof text, unlogged > 0 ? "up to %.3g%% of what a policy does" : "none", 100 * unlogged);
    put_check(out, "actions never logged in their context", text, unlogged > 0);
}

void show_health(const evaluate *self, FILE *out)
{
    const log_reader *log = self->log;
    char text[120];
    fputs("<div class=\"scroll\"><table class=\"health\">\n", out);
    put_count(out, "damaged lines, left out", (double)log_damaged(log), true, "");
    put_count(out, "events without an outcome, passed over", (double)log_passed_over(log), true, "");
    snprintf(text, sizeof text, "all from %g to %g", self->settings.low, self->settings.high);
    put_check(out, "rewards", text, false);
    put_check(out, "propensities", self->settings.fitted ? "none: fitted" : "all above 0 and at most 1",
              self->settings.fitted);
    put_count(out, "events whose probabilities do not sum to 1", self->unsummed, self->has_probabilities,
              "the log has those of the actions taken alone");
    put_count(out, "ids seen before", self->duplicates, self->has_ids, "the log has no ids");
    put_count(out, "times that go back", self->disordered, self->has_times, "the log has no times");
    put_weights(self, out);
    put_change(out, "change of contexts", &self->contexts_changed, self->contexts_watched);
    put_change(out, "change of rewards", &self->rewards_changed, self->rewards_watched);
    fputs("</table></div>\n", out);
}
