/*
 * log_vw.c: contextual-bandit text of Vowpal Wabbit.
 *
 *   one line per event        action:cost:probability [other actions] | features
 *   several lines (ADF)       shared | features, then a line per action; that of the action taken begins with
 *                             number:cost:probability, the number meaning nothing; an empty line ends the event
 *
 * Which of the two a file is, its beginning says: of several lines if the first is `shared` or has no label, or if an
 * empty line stands between two others.
 *
 * The reward is -cost. Actions of ADF events are numbered by their lines from 1. With `--context shared` the text
 * behind `shared` is the context. Events without a cost are passed over. Slates and slots (ccb, slates) are refused.
 *
 * Paper: none. Cost: a few steps per byte.
 * Check: tests/cli/evaluate-formats.t.
 */
#include "read_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

static bool is_word(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '|' || line[n] == '\t' || line[n] == '\0');
}

static bool fits(const char *head, size_t size)
{
    size_t at = 0;
    while (at < size && (head[at] == '\n' || head[at] == '\r'))
        at++;
    const char *end = at < size ? memchr(head + at, '\n', size - at) : NULL;
    size_t line = end != NULL ? (size_t)(end - head) : size;
    const char *bar = at < line ? memchr(head + at, '|', line - at) : NULL;
    if (bar == NULL || memchr(head + at, '{', (size_t)(bar - head) - at) != NULL)
        return false;
    for (const char *c = head + at; c < bar; c++)
        if (*c == ',')
            return false;
    return true;
}

/* Whether events have several lines. */
static bool is_adf(const char *head, size_t size)
{
    const char *end = head + size, *line = head;
    while (line < end && strchr("\n\r \t", *line) != NULL)
        line++;
    if (line == end || *line == '|' || ((size_t)(end - line) > 7 && strncmp(line, "shared", 6) == 0))
        return true;
    for (bool empty = false; line != NULL && line < end; line = memchr(line, '\n', (size_t)(end - line))) {
        line += *line == '\n';
        bool blank = line < end && (*line == '\n' || *line == '\r');
        if (empty && !blank && line < end)
            return true;
        empty = blank;
    }
    return false;
}

static int begin(log_reader *self, roster_error *err)
{
    const log_wishes *w = &self->wishes;
    size_t size;
    const char *head = log_input_head(self->input, &size);
    self->adf = is_adf(head, size);
    log_lines_begin(self);
    if (w->n_features > 0 || w->n_contexts > 1 || (w->n_contexts == 1 && strcmp(w->contexts[0], "shared") != 0))
        return common_fail(err, ROSTER_EINVAL, "of Vowpal Wabbit text only --context shared can be used");
    return log_make_choices(self) ? ROSTER_OK : common_fail_memory(err);
}

/* action:cost:probability; LOG_PASSED: the token is none. */
static log_status take_label(log_reader *self, const char *token, size_t size, char *action, log_event *event)
{
    char text[200], *cost, *probability, shown[60];
    if (size >= sizeof text || memchr(token, ':', size) == NULL)
        return LOG_PASSED;
    memcpy(text, token, size);
    text[size] = '\0';
    cost = strchr(text, ':');
    *cost++ = '\0';
    probability = strchr(cost, ':');
    if (probability == NULL)
        return log_damage_at(self, "the label '%s' has no probability, must be action:cost:probability",
                             log_shown(token, size, shown, sizeof shown));
    *probability++ = '\0';
    double c;
    if (!log_number(cost, strlen(cost), &c) || !log_number(probability, strlen(probability), &event->propensity))
        return log_damage_at(self, "the label '%s' must be action:cost:probability",
                             log_shown(token, size, shown, sizeof shown));
    event->reward = c == 0 ? 0 : -c;
    snprintf(action, 32, "%.31s", text);
    return log_check_propensity(self, event->propensity);
}

/* The label among the words before the bar; *n counts the words that are actions. */
static log_status find_label(log_reader *self, const char *line, char *action, size_t *n, log_event *event)
{
    const char *bar = strchr(line, '|'), *end = bar != NULL ? bar : line + strlen(line);
    log_status status = LOG_PASSED;
    *n = 0;
    for (const char *at = skip_spaces(line); at < end;) {
        size_t size = strcspn(at, " \t|");
        log_status one = *at == '\'' ? LOG_PASSED : take_label(self, at, size, action, event);
        *n += *at != '\'';
        if (one == LOG_DAMAGED)
            return one;
        if (one == LOG_EVENT && status == LOG_EVENT)
            return log_damage_at(self, "has two costs");
        status = one == LOG_EVENT ? one : status;
        at = skip_spaces(at + size);
    }
    return status;
}

static log_status refuse_slates(log_reader *self, roster_error *err)
{
    common_fail(err, ROSTER_EINVAL,
                "%s:%llu: this is a log of slates or slots, in which several actions share a reward: it cannot be "
                "evaluated",
                log_input_title(self->input), (unsigned long long)self->line_number);
    return LOG_FAILED;
}

static log_status take_shared(log_reader *self, const char *line, log_event *event)
{
    const char *bar = strchr(line, '|'), *text = bar != NULL ? skip_spaces(bar + 1) : "";
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    if (self->wishes.n_contexts == 0)
        return LOG_EVENT;
    if (size == 0 || size > LOG_LABEL_LONGEST)
        return log_damage_at(self, "what is shared must have from 1 to %d bytes to be a context", LOG_LABEL_LONGEST);
    event->context = log_labels_add(&self->contexts, text, size);
    return event->context != LOG_NONE ? LOG_EVENT : LOG_FAILED;
}

static log_status end_event(log_reader *self, const char *action, size_t n_choices, log_event *event)
{
    event->n_choices = n_choices;
    log_status status = log_take_action(self, action, strlen(action), event);
    return status == LOG_EVENT ? log_event_end(self, event) : status;
}

/* Labels 1 to n stand for the lines of an event. */
static bool enter_lines(log_reader *self, size_t n)
{
    for (size_t i = log_labels_count(&self->actions); i < n; i++) {
        char label[32];
        snprintf(label, sizeof label, "%zu", i + 1);
        if (log_labels_add(&self->actions, label, strlen(label)) == LOG_NONE)
            return false;
    }
    return true;
}

/* The lines of an event up to an empty one; the first is given. */
static log_status take_lines(log_reader *self, char *line, size_t size, log_event *event)
{
    log_status status = is_word(line, "shared") ? take_shared(self, line, event) : LOG_EVENT, result = LOG_PASSED;
    size_t n = is_word(line, "shared") ? 0 : 1, words;
    char action[32] = "", unused[32];
    result = status == LOG_DAMAGED ? status : n == 1 ? find_label(self, line, unused, &words, event) : result;
    if (result == LOG_EVENT)
        snprintf(action, sizeof action, "1");
    for (;;) {
        status = log_line_next(self, &line, &size);
        if (status != LOG_EVENT && status != LOG_END)
            return status;
        if (status == LOG_END || *skip_spaces(line) == '\0')
            break;
        n++;
        log_status one = result != LOG_DAMAGED ? find_label(self, line, unused, &words, event) : LOG_PASSED;
        if (one == LOG_EVENT && result == LOG_EVENT)
            one = log_damage_at(self, "is the second line of an event with a cost");
        if (one == LOG_EVENT)
            snprintf(action, sizeof action, "%zu", n);
        result = one == LOG_PASSED ? result : one;
    }
    if (result == LOG_EVENT && !enter_lines(self, n))
        return LOG_FAILED;
    return result == LOG_EVENT ? end_event(self, action, n, event) : result;
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    char *line;
    size_t size, words;
    char action[32];
    log_status status;
    do
        status = log_line_next(self, &line, &size);
    while (status == LOG_EVENT && *skip_spaces(line) == '\0' && strlen(line) == size);
    if (status != LOG_EVENT)
        return status;
    log_event_begin(self, event);
    event->line = self->line_number;
    if (strlen(line) != size)
        return log_damage_at(self, "has a NUL byte");
    if (is_word(line, "ccb") || is_word(line, "slates"))
        return refuse_slates(self, err);
    if (self->adf)
        return take_lines(self, line, size, event);
    status = find_label(self, line, action, &words, event);
    return status == LOG_EVENT ? end_event(self, action, words > 1 ? words : 0, event) : status;
}

const log_format log_vw = {"vw", fits, begin, next};
