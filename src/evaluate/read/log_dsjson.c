/*
 * log_dsjson.c: DSJSON, the logs of Vowpal Wabbit's decision services.
 *
 *   {"_label_cost": c, "_label_probability": p, "_labelIndex": i, "a": [..], "p": [..], "pdrop": d, "EventId": .., ..}
 *
 * The reward is -c; the action is i + 1, whatever `a` says first, since `a` counts from 0 in some logs and from 1 in
 * others (from 0 if it holds a 0). `p` are the probabilities of `a`. Events without a cost, and those marked
 * _skipLearn, are passed over. Logs of slates or slots are refused: several actions share one reward there.
 *
 * Paper: none. Cost: that of parsing.
 * Check: tests/cli/evaluate-formats.t.
 */
#include "read_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fits(const char *head, size_t size)
{
    return size > 0 && *head == '{' &&
           (log_head_has(head, size, "\"_label_cost\"") || log_head_has(head, size, "\"_multi\"") ||
            log_head_has(head, size, "\"_outcomes\""));
}

static int begin(log_reader *self, roster_error *err)
{
    log_lines_begin(self);
    if (self->wishes.n_contexts > 0 || self->wishes.n_features > 0)
        return common_fail(err, ROSTER_EINVAL, "--context and --features cannot be used with DSJSON");
    return log_make_choices(self) ? ROSTER_OK : common_fail_memory(err);
}

static bool is_slates(const json_t *o)
{
    return json_object_get(o, "_outcomes") != NULL || json_object_get(json_object_get(o, "c"), "_slots") != NULL;
}

/* The choices and their probabilities; what does not fit together is left unsaid. */
static log_status take_choices(log_reader *self, const json_t *o, log_event *event)
{
    const json_t *a = json_object_get(o, "a"), *p = json_object_get(o, "p");
    size_t n = json_array_size(a);
    json_int_t least = 1;
    if (n == 0 || n > LOG_CHOICES || json_array_size(p) != n)
        return LOG_EVENT;
    for (size_t i = 0; i < n; i++)
        least = json_integer_value(json_array_get(a, i)) < least ? 0 : least;
    for (size_t i = 0; i < n; i++) {
        char label[32];
        double probability;
        const json_t *number = json_array_get(a, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return log_damage_at(self, "'a' must be a list of numbers of actions");
        if (!log_json_number(json_array_get(p, i), &probability) || probability < 0 || probability > 1 + 1e-6)
            return log_damage_at(self, "'p' must be a list of probabilities");
        int size = snprintf(label, sizeof label, "%lld", (long long)(json_integer_value(number) + 1 - least));
        self->choices[i] = log_labels_add(&self->actions, label, (size_t)size);
        self->probabilities[i] = probability;
        if (self->choices[i] == LOG_NONE)
            return LOG_FAILED;
    }
    event->n_choices = n;
    event->choices = self->choices;
    event->probabilities = self->probabilities;
    return LOG_EVENT;
}

static int compare_labels(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Whether a choice stands there twice; sorts a copy behind the choices. */
static bool has_twice(log_reader *self, size_t n)
{
    uint32_t *sorted = self->choices + LOG_CHOICES;
    bool twice = false;
    memcpy(sorted, self->choices, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_labels);
    for (size_t i = 1; i < n; i++)
        twice = twice || sorted[i] == sorted[i - 1];
    return twice;
}

/* The action and its probability against the choices and theirs, up to the digits that were written. */
static log_status check_choices(log_reader *self, const log_event *event)
{
    size_t at = 0;
    if (event->n_choices == 0)
        return LOG_EVENT;
    while (at < event->n_choices && event->choices[at] != event->action)
        at++;
    if (at == event->n_choices)
        return log_damage_at(self, "the action that was taken, %s, is not among those of 'a'",
                             log_labels_name(&self->actions, event->action));
    if (has_twice(self, event->n_choices))
        return log_damage_at(self, "'a' names an action twice");
    if (fabs(event->probabilities[at] - event->propensity) > 1e-3 * event->propensity)
        return log_damage_at(self, "'_label_probability' is %g, but 'p' gives the action %g", event->propensity,
                             event->probabilities[at]);
    return LOG_EVENT;
}

static log_status take_action(log_reader *self, const json_t *o, log_event *event)
{
    char label[32];
    const json_t *index = json_object_get(o, "_labelIndex"), *number = json_object_get(o, "_label_Action");
    if (!json_is_integer(index) && !json_is_integer(number))
        return log_damage_at(self, "has neither '_labelIndex' nor '_label_Action'");
    json_int_t action = json_is_integer(index) ? json_integer_value(index) + 1 : json_integer_value(number);
    if (json_is_integer(number) && json_integer_value(number) != action)
        return log_damage_at(self, "'_label_Action' is %lld, but '_labelIndex' says %lld",
                             (long long)json_integer_value(number), (long long)action);
    if (action < 1)
        return log_damage_at(self, "the number of the action is %lld, must not be negative", (long long)action - 1);
    int size = snprintf(label, sizeof label, "%lld", (long long)action);
    return log_take_action(self, label, (size_t)size, event);
}

static log_status take_numbers(log_reader *self, const json_t *o, log_event *event)
{
    double cost, drop = 0;
    if (!log_json_number(json_object_get(o, "_label_cost"), &cost))
        return log_damage_at(self, "'_label_cost' must be a number");
    if (!log_json_number(json_object_get(o, "_label_probability"), &event->propensity))
        return log_damage_at(self, "'_label_probability' must be a number");
    if (json_object_get(o, "pdrop") != NULL && !log_json_number(json_object_get(o, "pdrop"), &drop))
        return log_damage_at(self, "'pdrop' must be a number");
    if (!(drop >= 0 && drop < 1))
        return log_damage_at(self, "'pdrop' is %g, must be at least 0 and below 1", drop);
    event->reward = 0 - cost; /* never -0 */
    event->drop = drop;
    return log_check_propensity(self, event->propensity);
}

static log_status take_texts(log_reader *self, const json_t *o, log_event *event)
{
    const char *id = json_string_value(json_object_get(o, "EventId"));
    const char *time = json_string_value(json_object_get(o, "Timestamp"));
    common_text_clear(&self->keep);
    common_put_text(&self->keep, id != NULL ? id : "");
    common_put(&self->keep, "", 1);
    size_t second = self->keep.used;
    common_put_text(&self->keep, time != NULL ? time : "");
    if (self->keep.failed)
        return LOG_FAILED;
    event->id = id != NULL ? self->keep.data : NULL;
    event->time = time != NULL ? self->keep.data + second : NULL;
    return LOG_EVENT;
}

static log_status take_object(log_reader *self, const json_t *o, log_event *event, roster_error *err)
{
    if (is_slates(o)) {
        common_fail(err, ROSTER_EINVAL,
                    "%s:%llu: this is a log of slates or slots, in which several actions share a reward: it cannot be "
                    "evaluated",
                    log_input_title(self->input), (unsigned long long)self->line_number);
        return LOG_FAILED;
    }
    if (json_object_get(o, "_label_cost") == NULL || json_is_true(json_object_get(o, "_skipLearn")))
        return LOG_PASSED;
    log_event_begin(self, event);
    event->line = self->line_number;
    log_status status = take_numbers(self, o, event);
    if (status == LOG_EVENT)
        status = take_action(self, o, event);
    if (status == LOG_EVENT)
        status = take_choices(self, o, event);
    if (status == LOG_EVENT)
        status = check_choices(self, event);
    if (status == LOG_EVENT)
        status = take_texts(self, o, event);
    return status == LOG_EVENT ? log_event_end(self, event) : status;
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    json_t *object;
    log_status status = log_object_next(self, &object);
    if (status != LOG_EVENT)
        return status;
    status = take_object(self, object, event, err);
    json_decref(object);
    return status;
}

const log_format log_dsjson = {"dsjson", fits, begin, next};
