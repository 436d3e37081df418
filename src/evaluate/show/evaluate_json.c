/*
 * evaluate_json.c: the figures as JSON; experiments/schema/evaluation.schema.json describes it.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include "common_json.h"

#include <string.h>

static void put_interval(common_json *json, const char *key, const roster_interval *at)
{
    common_json_open(json, key, '{');
    common_json_number(json, "value", at->value);
    common_json_number(json, "low", at->low);
    common_json_number(json, "high", at->high);
    common_json_close(json);
}

static void put_warnings(common_json *json, const char *key, const char (*texts)[EVALUATE_SENTENCE], size_t n)
{
    common_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++)
        common_json_text(json, NULL, texts[i]);
    common_json_close(json);
}

/* The words of the schema have no hyphens. */
static const char *const keys[EVALUATE_ESTIMATORS] = {"ips", "snips", "clipped", "dm", "dr", "switch_dr", "dros"};

static void put_finding(common_json *json, const evaluate_settings *s, const roster_finding *at)
{
    double span = s->high - s->low;
    common_json_open(json, "evidence", '{');
    common_json_number(json, "value", s->low + span * at->value.value);
    common_json_number(json, "low", s->low + span * at->value.low);
    common_json_number(json, "high", s->low + span * at->value.high);
    common_json_truth(json, "excluded", at->excluded);
    common_json_close(json);
}

static void put_policy(common_json *json, const evaluate_settings *settings, const evaluate_policy *p)
{
    const evaluate_result *r = &p->r;
    common_json_open_lines(json, NULL, '{');
    common_json_text(json, "name", p->name);
    common_json_text(json, "estimator", evaluate_estimator_names[r->estimator]);
    common_json_number(json, "value", r->value);
    common_json_number(json, "low", r->interval.low);
    common_json_number(json, "high", r->interval.high);
    put_interval(json, "difference", &r->difference);
    for (int e = 0; e < EVALUATE_ESTIMATORS; e++)
        common_json_number(json, keys[e], r->estimates[e]);
    common_json_number(json, "effective_samples", r->effective);
    common_json_number(json, "largest_weight", r->largest);
    common_json_number(json, "mean_weight", r->mean_weight);
    common_json_number(json, "clipped_share", r->clipped_share);
    common_json_number(json, "unlogged_share", r->unlogged);
    common_json_number(json, "impossible_share", r->impossible);
    if (p->has_finding)
        put_finding(json, settings, &p->finding);
    common_json_text(json, "verdict", p->verdict);
    put_warnings(json, "warnings", p->warnings, p->n_warnings);
    common_json_close(json);
}

static void put_part(common_json *json, const evaluate *self, const evaluate_part *part)
{
    common_json_number(json, "events", part->events);
    put_interval(json, "served", &part->served);
    common_json_open_lines(json, "policies", '[');
    for (size_t i = 0; i < self->n_policies && part->events > 0; i++)
        put_policy(json, &self->settings, &part->policies[i]);
    common_json_close(json);
}

static void put_log(common_json *json, const evaluate *self)
{
    const log_column *columns;
    size_t n = log_columns(self->log, &columns);
    common_json_open(json, "log", '{');
    common_json_text(json, "format", log_format_name(self->log));
    common_json_count(json, "lines", log_lines(self->log));
    common_json_count(json, "damaged", log_damaged(self->log));
    common_json_count(json, "passed_over", log_passed_over(self->log));
    common_json_open(json, "columns", '[');
    for (size_t i = 0; i < n; i++)
        common_json_text(json, NULL, columns[i].name);
    common_json_close(json);
    common_json_close(json);
}

static void put_change(common_json *json, const evaluate *self, const char *of, const change_found *found)
{
    bool rewards = found == &self->rewards_changed;
    double low = rewards ? self->settings.low : 0, span = rewards ? self->settings.high - low : 1;
    if (found->count == 0)
        return;
    common_json_open(json, NULL, '{');
    common_json_text(json, "of", of);
    common_json_count(json, "times", found->count);
    common_json_count(json, "after_event", found->since);
    common_json_count(json, "noticed_at", found->noticed);
    if (log_labels_count(log_contexts(self->log)) > 1)
        common_json_text(json, "context", log_labels_name(log_contexts(self->log), found->context));
    if (rewards)
        common_json_text(json, "action", log_labels_name(log_actions(self->log), found->action));
    common_json_number(json, "before", low + span * found->before);
    common_json_number(json, "after", low + span * found->after);
    common_json_close(json);
}

static void put_changes(common_json *json, const evaluate *self)
{
    common_json_open(json, "changes", '{');
    common_json_open(json, "looked_for", '[');
    if (self->contexts_watched)
        common_json_text(json, NULL, "contexts");
    if (self->rewards_watched)
        common_json_text(json, NULL, "rewards");
    common_json_close(json);
    common_json_open(json, "found", '[');
    put_change(json, self, "contexts", &self->contexts_changed);
    put_change(json, self, "rewards", &self->rewards_changed);
    common_json_close(json);
    common_json_close(json);
}

void evaluate_json(const evaluate *self, FILE *out)
{
    common_json json = {.out = out, .document = true, .digits = 17};
    common_json_open_lines(&json, NULL, '{');
    put_log(&json, self);
    common_json_text(&json, "interval", evaluate_interval_names[self->settings.interval]);
    common_json_number(&json, "level", 1 - self->settings.delta);
    common_json_truth(&json, "propensities_fitted", self->settings.fitted);
    put_part(&json, self, &self->whole);
    put_warnings(&json, "notes", self->notes, self->n_notes);
    put_changes(&json, self);
    common_json_open_lines(&json, "segments", '[');
    for (size_t i = 0; i < self->n_segments; i++) {
        common_json_open_lines(&json, NULL, '{');
        common_json_text(&json, "name", self->segments[i].segment);
        put_part(&json, self, &self->segments[i]);
        common_json_close(&json);
    }
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}
