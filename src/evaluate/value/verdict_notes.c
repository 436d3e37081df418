/*
 * verdict_notes.c: the health of the log, in words.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include "common_error.h"

#include <stdarg.h>

static void note(evaluate *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(evaluate *self, const char *format, ...)
{
    va_list args;
    if (self->n_notes == EVALUATE_NOTES)
        return;
    va_start(args, format);
    common_vformat(self->notes[self->n_notes++], EVALUATE_SENTENCE, format, args);
    va_end(args);
}

/* "action 'blue' in context 'phone'" */
static void put_place(const evaluate *self, const change_found *found, char *text, size_t size)
{
    const char *action = log_labels_name(log_actions(self->log), found->action);
    if (log_labels_count(log_contexts(self->log)) > 1)
        snprintf(text, size, "action '%.60s' in context '%.60s'", action,
                 log_labels_name(log_contexts(self->log), found->context));
    else
        snprintf(text, size, "action '%.60s'", action);
}

static void put_times(uint64_t count, char *text, size_t size)
{
    text[0] = '\0';
    if (count > 1)
        snprintf(text, size, ", the first of %.0f changes", (double)count);
}

static void note_changes(evaluate *self)
{
    const change_found *c = &self->contexts_changed, *r = &self->rewards_changed;
    double span = self->settings.high - self->settings.low, low = self->settings.low;
    char place[160], times[60];
    if (r->count > 0) {
        put_place(self, r, place, sizeof place);
        put_times(r->count, times, sizeof times);
        note(self,
             "rewards changed after about event %.0f%s: %s earned %.3g before and %.3g after (a false alarm in at most "
             "1 log of 1,000, if actions were chosen by nothing but the context); values are means over the whole log, "
             "and intervals take it that nothing changes: look at the later part by itself",
             (double)r->since, times, place, low + span * r->before, low + span * r->after);
    }
    if (c->count > 0) {
        put_times(c->count, times, sizeof times);
        note(self,
             "contexts changed after about event %.0f%s: '%.60s' was %.3g%% of events before and %.3g%% after (a false "
             "alarm in at most 1 log of 1,000); values are those of the mixture in the log",
             (double)c->since, times, log_labels_name(log_contexts(self->log), c->context), 100 * c->before,
             100 * c->after);
    }
    if (!log_is_tally(self->log) && !self->drop_varies && !(self->contexts_watched && self->rewards_watched))
        note(self, "changes over time were not looked for%s: there are more than %d %s",
             self->rewards_watched    ? " in contexts"
             : self->contexts_watched ? " in rewards"
                                      : "",
             self->rewards_watched ? CHANGES_CONTEXTS : CHANGES_CELLS,
             self->rewards_watched ? "contexts" : "pairs of context and action");
}

void evaluate_note(evaluate *self)
{
    const log_reader *log = self->log;
    double kept = evaluation_kept(self->whole.evaluation);
    if (kept < self->whole.events * (1 - 1e-9))
        note(self, "of %.6g events %.0f were kept, the others dropped: each counts for those like it",
             self->whole.events, kept);
    if (log_damaged(log) > 0)
        note(self, "damaged lines left out: %.0f of %.0f", (double)log_damaged(log), (double)log_lines(log));
    if (log_passed_over(log) > 0)
        note(self, "events without an outcome, or not to be learnt from, passed over: %.0f",
             (double)log_passed_over(log));
    if (self->duplicates > 0)
        note(self,
             "ids that were seen before: at least %.0f; events that are counted twice make every interval too "
             "narrow",
             self->duplicates);
    if (self->disordered > 0)
        note(self, "times that go back: %.0f; intervals valid at any time take the order of the lines for that of time",
             self->disordered);
    if (self->unsummed > 0)
        note(self, "probabilities of an event that do not sum to 1: %.0f", self->unsummed);
    if (evaluate_takes_least_seen(self))
        note(self, "intervals valid at any time take the smallest propensity so far for the smallest possible; "
                   "--least-propensity P says what was possible");
    if (log_is_tally(log))
        note(self, "this is a tally: intervals are for one look at the end, since the order of events is not known");
    if (self->drop_varies && !log_is_tally(log))
        note(self,
             "the rate at which events were dropped varies: intervals are for one look at the end, since the order "
             "of the events that were dropped is not known, and changes over time were not looked for");
    note_changes(self);
}
