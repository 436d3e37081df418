/*
 * log_roster.c: what `roster export` writes: decisions and rewards of a campaign of `roster serve`, a JSON object each.
 *
 * An event is a decision with the reward that was learnt for it, in the order of rewards, as the service learnt them:
 * from a record "reward", or "close" for those whose time was over. Decisions wait for theirs in a table by number, so
 * that memory grows with open decisions, not with the log.
 *
 * Paper: none. Cost: that of parsing.
 * Check: tests/cli/evaluate-formats.t, tests/http/evaluate.py.
 */
#include "read_json.h"

#include "grow.h"

#include <stdlib.h>
#include <string.h>

typedef struct decision {
    uint64_t number; /* 0: the place is free */
    uint32_t context, action, expert;
    double propensity, reward;
} decision;

struct log_pending {
    decision *open; /* owned, [size], a power of two: hashed by number */
    size_t size, n;
    decision *ready; /* owned: those whose reward is known, to be given */
    size_t ready_room, n_ready, given;
    char campaign[300];
};

void log_pending_free(struct log_pending *self)
{
    if (self == NULL)
        return;
    free(self->open);
    free(self->ready);
    free(self);
}

size_t log_pending_count(const struct log_pending *self)
{
    return self != NULL ? self->n : 0;
}

static bool fits(const char *head, size_t size)
{
    return size > 10 && memcmp(head, "{\"number\":", 10) == 0 && log_head_has(head, size, "\"kind\":");
}

static int begin(log_reader *self, roster_error *err)
{
    log_lines_begin(self);
    if (self->wishes.n_contexts > 0 || self->wishes.n_features > 0)
        return common_fail(err, ROSTER_EINVAL, "--context and --features cannot be used with an export of roster");
    if (self->pending == NULL)
        self->pending = calloc(1, sizeof *self->pending);
    return self->pending != NULL ? ROSTER_OK : common_fail_memory(err);
}

static size_t place_of(const struct log_pending *p, uint64_t number)
{
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (p->size - 1);
    while (p->open[at].number != 0 && p->open[at].number != number)
        at = (at + 1) & (p->size - 1);
    return at;
}

static bool reserve(struct log_pending *p)
{
    if (2 * (p->n + 1) <= p->size)
        return true;
    struct log_pending larger = *p;
    larger.size = p->size > 0 ? 2 * p->size : 64;
    larger.open = calloc(larger.size, sizeof *larger.open);
    if (larger.open == NULL)
        return false;
    for (size_t i = 0; i < p->size; i++)
        if (p->open[i].number != 0)
            larger.open[place_of(&larger, p->open[i].number)] = p->open[i];
    free(p->open);
    *p = larger;
    return true;
}

/* What stood behind the place that became free moves up, as far as its hash lets it. */
static void close_gap(struct log_pending *p, size_t gap)
{
    size_t mask = p->size - 1;
    p->open[gap].number = 0;
    p->n--;
    for (size_t at = (gap + 1) & mask; p->open[at].number != 0; at = (at + 1) & mask) {
        decision moved = p->open[at];
        p->open[at].number = 0;
        p->open[place_of(p, moved.number)] = moved;
    }
}

/* The decision has its reward. False: out of memory. */
static bool settle(struct log_pending *p, uint64_t number, double reward)
{
    if (p->size == 0)
        return true;
    size_t at = place_of(p, number);
    if (p->open[at].number == 0)
        return true;
    if (!common_grow(&p->ready, &p->ready_room, p->n_ready + 1, sizeof *p->ready))
        return false;
    p->ready[p->n_ready] = p->open[at];
    p->ready[p->n_ready++].reward = reward;
    close_gap(p, at);
    return true;
}

static log_status take_names(log_reader *self, const json_t *o, decision *d)
{
    const char *action = json_string_value(json_object_get(o, "action"));
    const char *expert = json_string_value(json_object_get(o, "expert"));
    const char *context = json_string_value(json_object_get(o, "context"));
    if (action == NULL || *action == '\0')
        return log_damage_at(self, "the decision has no action");
    d->action = log_labels_add(&self->actions, action, strlen(action));
    d->expert = expert != NULL ? log_labels_add(&self->experts, expert, strlen(expert)) : LOG_NONE;
    d->context = context != NULL ? log_labels_add(&self->contexts, context, strlen(context)) : 0;
    bool room = d->action != LOG_NONE && d->context != LOG_NONE && (expert == NULL || d->expert != LOG_NONE);
    return room ? LOG_PASSED : LOG_FAILED;
}

static log_status take_decision(log_reader *self, const json_t *o, uint64_t number)
{
    decision d = {.number = number};
    if (!log_json_number(json_object_get(o, "propensity"), &d.propensity))
        return log_damage_at(self, "the decision has no propensity");
    if (log_check_propensity(self, d.propensity) != LOG_EVENT)
        return LOG_DAMAGED;
    log_status status = take_names(self, o, &d);
    if (status != LOG_PASSED)
        return status;
    struct log_pending *p = self->pending;
    if (!reserve(p))
        return LOG_FAILED;
    size_t at = place_of(p, number);
    p->n += p->open[at].number == 0;
    p->open[at] = d;
    return LOG_PASSED;
}

static bool take_settled(log_reader *self, const json_t *o)
{
    double number, reward;
    if (!log_json_number(json_object_get(o, "learnt"), &reward) ||
        !log_json_number(json_object_get(o, "decision"), &number) || !(number >= 1 && number < 9e15))
        return true;
    return settle(self->pending, (uint64_t)number, reward);
}

static bool take_closed(log_reader *self, const json_t *o)
{
    const json_t *list = json_object_get(o, "closed");
    bool room = true;
    for (size_t i = 0; room && i < json_array_size(list); i++)
        room = take_settled(self, json_array_get(list, i));
    return room;
}

/* All decisions must be of one campaign. */
static log_status check_campaign(log_reader *self, const json_t *o, roster_error *err)
{
    const char *name = json_string_value(json_object_get(o, "campaign"));
    char *known = self->pending->campaign;
    size_t room = sizeof self->pending->campaign;
    if (name == NULL || strlen(name) >= room || strcmp(known, name) == 0)
        return LOG_PASSED;
    if (*known != '\0') {
        common_fail(err, ROSTER_EINVAL,
                    "%s:%llu: decisions of the campaigns %.80s and %.80s are in one log: `roster export --campaign "
                    "NAME` writes one",
                    log_input_title(self->input), (unsigned long long)self->line_number, known, name);
        return LOG_FAILED;
    }
    strcpy(known, name);
    return LOG_PASSED;
}

/* What an expert did that was chosen before: rewards name this record, and one that came earlier stands in it. */
static log_status take_acted(log_reader *self, const json_t *o, uint64_t number, roster_error *err)
{
    double reward;
    log_status status = check_campaign(self, o, err);
    if (status == LOG_PASSED)
        status = take_decision(self, o, number);
    bool settled = status == LOG_PASSED && log_json_number(json_object_get(o, "learnt"), &reward);
    return settled && !settle(self->pending, number, reward) ? LOG_FAILED : status;
}

static log_status take_record(log_reader *self, const json_t *o, roster_error *err)
{
    const char *kind = json_string_value(json_object_get(o, "kind"));
    json_int_t number = json_integer_value(json_object_get(o, "number"));
    if (kind == NULL || number < 1)
        return log_damage_at(self, "is no record of an export: it has no kind or number");
    if (strcmp(kind, "decide") == 0) {
        log_status status = check_campaign(self, o, err);
        return status == LOG_PASSED ? take_decision(self, o, (uint64_t)number) : status;
    }
    if (strcmp(kind, "observed") == 0 && json_is_null(json_object_get(o, "propensity")))
        return LOG_PASSED;
    if (strcmp(kind, "acted") == 0 || strcmp(kind, "observed") == 0)
        return take_acted(self, o, (uint64_t)number, err);
    if (strcmp(kind, "reward") == 0)
        return take_settled(self, o) ? LOG_PASSED : LOG_FAILED;
    if (strcmp(kind, "close") == 0)
        return take_closed(self, o) ? LOG_PASSED : LOG_FAILED;
    return LOG_PASSED;
}

static log_status give(log_reader *self, log_event *event)
{
    struct log_pending *p = self->pending;
    const decision *d = &p->ready[p->given++];
    log_event_begin(self, event);
    event->line = self->line_number;
    event->context = d->context;
    event->action = d->action;
    event->expert = d->expert;
    event->propensity = d->propensity;
    event->reward = d->reward;
    if (p->given == p->n_ready)
        p->given = p->n_ready = 0;
    return log_event_end(self, event);
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    while (self->pending->given == self->pending->n_ready) {
        json_t *object;
        log_status status = log_object_next(self, &object);
        if (status != LOG_EVENT)
            return status;
        status = take_record(self, object, err);
        json_decref(object);
        if (status != LOG_PASSED)
            return status;
    }
    return give(self, event);
}

const log_format log_roster = {"roster", fits, begin, next};
