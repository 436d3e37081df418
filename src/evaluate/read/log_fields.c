/*
 * log_fields.c: from the fields of a line to an event, checked.
 *
 * Paper: none. Cost: a few steps per field.
 * Check: tests/cli/evaluate.t.
 */
#include "read_internal.h"

#include "utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

log_status log_damage_at(log_reader *self, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    common_vformat(self->reason, sizeof self->reason, format, args);
    va_end(args);
    return LOG_DAMAGED;
}

const char *log_shown(const char *text, size_t size, char *buf, size_t room)
{
    size_t n = 0;
    for (; n < size && n + 1 < room; n++)
        buf[n] = (unsigned char)text[n] < 0x20 || text[n] == 0x7f ? '?' : text[n];
    buf[n] = '\0';
    if (n == size)
        return buf;
    for (n = room - 4; n > 0 && ((unsigned char)buf[n] & 0xc0) == 0x80;)
        n--;
    strcpy(buf + n, "...");
    return buf;
}

bool log_make_choices(log_reader *self)
{
    if (self->choices == NULL)
        self->choices = malloc(2 * (size_t)LOG_CHOICES * sizeof *self->choices);
    if (self->probabilities == NULL)
        self->probabilities = malloc(LOG_CHOICES * sizeof *self->probabilities);
    return self->choices != NULL && self->probabilities != NULL;
}

bool log_is_label(log_role role)
{
    return role == LOG_ACTION || role == LOG_EXPERT || role == LOG_BY || role == LOG_CONTEXT || role == LOG_TIME ||
           role == LOG_ID || role == LOG_POLICY_ACTION;
}

void log_event_begin(log_reader *self, log_event *event)
{
    *event = (log_event){.action = LOG_NONE,
                         .expert = LOG_NONE,
                         .segment = LOG_NONE,
                         .propensity = NAN,
                         .reward = NAN,
                         .squares = NAN,
                         .count = 1,
                         .policies = self->policy_values,
                         .features = self->feature_values};
    self->cost = self->sum = NAN;
    self->joined.used = 0;
    self->has_action = false;
}

/* What a label's role is called in sentences. */
static const char *title(const log_slot *slot)
{
    return slot->role < LOG_NAMED ? log_role_names[slot->role] : slot->name;
}

static log_status take_label(log_reader *self, const log_slot *slot, log_labels *labels, const char *text, size_t size,
                             uint32_t *number)
{
    size_t before = log_labels_count(labels);
    if (size == 0 || size > LOG_LABEL_LONGEST)
        return log_damage_at(self, size == 0 ? "the %s is empty" : "the %s is longer than %d bytes", title(slot),
                             LOG_LABEL_LONGEST);
    *number = log_labels_add(labels, text, size);
    if (*number == LOG_NONE)
        return LOG_FAILED;
    if (log_labels_count(labels) > before && !utf8_is_valid(text, size))
        return log_damage_at(self, "the %s is not UTF-8", title(slot));
    return LOG_EVENT;
}

/* Several columns of a context are one label, joined by commas. */
static log_status take_context(log_reader *self, const log_slot *slot, const char *text, size_t size)
{
    if (size == 0 || size + self->joined.used > LOG_LABEL_LONGEST)
        return log_damage_at(
            self, size == 0 ? "'%s', part of the context, is empty" : "the context with '%s' is longer than %d bytes",
            slot->name, LOG_LABEL_LONGEST);
    if (self->joined.used > 0)
        common_put(&self->joined, ",", 1);
    common_put(&self->joined, text, size);
    return self->joined.failed ? LOG_FAILED : LOG_EVENT;
}

log_status log_take_action(log_reader *self, const char *text, size_t size, log_event *event)
{
    static const log_slot slot = {.role = LOG_ACTION};
    return take_label(self, &slot, &self->actions, text, size, &event->action);
}

static log_status take_policy_action(log_reader *self, const log_slot *slot, const char *text, size_t size)
{
    uint32_t number;
    log_status status = take_label(self, slot, &self->actions, text, size, &number);
    if (status == LOG_EVENT)
        self->policy_values[slot->place] = number;
    return status;
}

log_status log_take_text(log_reader *self, const log_slot *slot, const char *text, size_t size, log_event *event)
{
    char shown[60];
    double number;
    switch (slot->role) {
    case LOG_ACTION:
        return take_label(self, slot, &self->actions, text, size, &event->action);
    case LOG_EXPERT: /* empty: it is not known who acted */
        return size == 0 ? LOG_EVENT : take_label(self, slot, &self->experts, text, size, &event->expert);
    case LOG_BY:
        return take_label(self, slot, &self->segments, text, size, &event->segment);
    case LOG_CONTEXT:
        return take_context(self, slot, text, size);
    case LOG_POLICY_ACTION:
        return take_policy_action(self, slot, text, size);
    case LOG_TIME:
        event->time = text;
        return LOG_EVENT;
    case LOG_ID:
        event->id = text;
        return LOG_EVENT;
    default:
        if (log_number(text, size, &number))
            return log_take_number(self, slot, number, event);
        return log_damage_at(self, "the %s is '%s', must be a number", title(slot),
                             log_shown(text, size, shown, sizeof shown));
    }
}

log_status log_check_propensity(log_reader *self, double p)
{
    static const double LEAST = 1e-100; /* the squares of weights are numbers too */
    if (p >= LEAST && p <= 1)
        return LOG_EVENT;
    if (p > 0 && p < LEAST)
        return log_damage_at(self, "the propensity is %.3g, must be at least %g", p, LEAST);
    return log_damage_at(self, "the propensity is %.17g, must be above 0 and at most 1", p);
}

static log_status take_share(log_reader *self, const log_slot *slot, double number, double *to)
{
    *to = number;
    if (slot->role == LOG_DROP ? number >= 0 && number < 1 : number >= 0 && number <= 1)
        return LOG_EVENT;
    return log_damage_at(self, "the %s is %.17g, must be at least 0 and %s 1", title(slot), number,
                         slot->role == LOG_DROP ? "below" : "at most");
}

log_status log_take_number(log_reader *self, const log_slot *slot, double number, log_event *event)
{
    switch (slot->role) {
    case LOG_REWARD:
        event->reward = number;
        return LOG_EVENT;
    case LOG_COST:
        self->cost = number;
        return LOG_EVENT;
    case LOG_PROPENSITY:
        event->propensity = number;
        return log_check_propensity(self, number);
    case LOG_DROP:
        return take_share(self, slot, number, &event->drop);
    case LOG_POLICY_PROBABILITY:
        return take_share(self, slot, number, &self->policy_values[slot->place]);
    case LOG_COUNT:
        event->count = number;
        return number >= 1 && number <= 9007199254740992.0 && number == floor(number)
                   ? LOG_EVENT
                   : log_damage_at(self, "the count is %.17g, must be a whole number from 1 to 2^53", number);
    case LOG_SUM:
        self->sum = number;
        return LOG_EVENT;
    case LOG_SQUARES:
        event->squares = number;
        return LOG_EVENT;
    default:
        self->feature_values[slot->place] = number;
        return LOG_EVENT;
    }
}

static log_status end_tally(log_reader *self, log_event *event)
{
    event->reward = self->sum / event->count;
    event->squares /= event->count;
    if (event->squares * (1 + 1e-9) + 1e-12 < event->reward * event->reward)
        return log_damage_at(self, "reward_squares is below reward_sum^2 / count, which no rewards can give");
    return LOG_EVENT;
}

log_status log_event_end(log_reader *self, log_event *event)
{
    static const log_slot context = {.role = LOG_CONTEXT, .name = "context"};
    log_status status = LOG_EVENT;
    if (self->joined.used > 0)
        status = take_label(self, &context, &self->contexts, self->joined.data, self->joined.used, &event->context);
    if (status != LOG_EVENT)
        return status;
    if (self->tally)
        return end_tally(self, event);
    if (isnan(event->reward))
        event->reward = 0 - self->cost; /* never -0 */
    event->squares = event->reward * event->reward;
    return LOG_EVENT;
}
