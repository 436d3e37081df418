/*
 * log_jsonl.c: logs of a JSON object per line. Its keys are the columns; a key inside of an object inside is named with
 * a point: user.device.
 *
 * Paper: none. Cost: that of parsing.
 * Check: tests/cli/evaluate-formats.t.
 */
#include "read_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 4, NAMES = 1000, LONGEST = 240 };

bool log_head_has(const char *head, size_t size, const char *text)
{
    const char *end = memchr(head, '\n', size);
    size_t n = strlen(text), line = end != NULL ? (size_t)(end - head) : size;
    for (size_t i = 0; i + n <= line; i++)
        if (memcmp(head + i, text, n) == 0)
            return true;
    return false;
}

log_status log_object_next(log_reader *self, json_t **object)
{
    char *line;
    size_t size;
    log_status status;
    do
        status = log_line_next(self, &line, &size);
    while (status == LOG_EVENT && line[strspn(line, " \t")] == '\0' && strlen(line) == size);
    if (status != LOG_EVENT)
        return status;
    json_error_t error;
    *object = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
    if (*object == NULL)
        return log_damage_at(self, "is no JSON: %.120s", error.text);
    if (json_is_object(*object))
        return LOG_EVENT;
    json_decref(*object);
    return log_damage_at(self, "is no JSON object");
}

const char *log_json_label(const json_t *value, char *text, size_t size)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "true" : "false");
    else
        return NULL;
    return text;
}

bool log_json_number(const json_t *value, double *out)
{
    *out = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
    return (json_is_number(value) || json_is_boolean(value)) && isfinite(*out);
}

const char *log_keep(log_reader *self, const char *text)
{
    common_text_clear(&self->keep);
    common_put_text(&self->keep, text);
    return self->keep.failed ? NULL : self->keep.data;
}

/* Names of all keys with what stands above them. */
typedef struct names {
    const char *list[NAMES];
    size_t n;
    common_arena *arena;
    bool failed;
} names;

static void flatten(names *self, const json_t *object, const char *above, int depth)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        char name[LONGEST];
        if (snprintf(name, sizeof name, "%s%s", above, key) >= (int)sizeof name - 1 || self->n == NAMES)
            continue;
        const char *copy = common_arena_text(self->arena, name);
        self->failed = self->failed || copy == NULL;
        if (copy != NULL)
            self->list[self->n++] = copy;
        strcat(name, ".");
        if (json_is_object(value) && depth < DEPTH)
            flatten(self, value, name, depth + 1);
    }
}

static bool fits(const char *head, size_t size)
{
    size_t at = 0;
    while (at < size && (head[at] == ' ' || head[at] == '\n' || head[at] == '\r' || head[at] == '\t'))
        at++;
    return at < size && head[at] == '{';
}

/* The columns are the keys of the first line. */
static int begin(log_reader *self, roster_error *err)
{
    size_t size;
    const char *head = log_input_head(self->input, &size);
    log_lines_begin(self);
    if (self->planned)
        return ROSTER_OK;
    while (size > 0 && (*head == '\n' || *head == '\r')) {
        head++;
        size--;
    }
    const char *end = memchr(head, '\n', size);
    json_error_t error;
    json_t *first = json_loadb(head, end != NULL ? (size_t)(end - head) : size, 0, &error);
    if (!json_is_object(first)) {
        json_decref(first);
        return common_fail(err, ROSTER_EINVAL, "%s:1: the first line must be a JSON object whose keys are the columns",
                           log_input_title(self->input));
    }
    static const names none;
    names all = none;
    all.arena = &self->arena;
    flatten(&all, first, "", 0);
    json_decref(first);
    return all.failed ? common_fail_memory(err) : log_plan(self, all.list, all.n, err);
}

/* The value under user.device, where a key with a point in it comes first. */
static const json_t *find(const json_t *object, const char *name)
{
    const json_t *found = json_object_get(object, name);
    const char *point = strchr(name, '.');
    if (found != NULL || point == NULL)
        return found;
    char key[LONGEST];
    snprintf(key, sizeof key, "%.*s", (int)(point - name), name);
    return find(json_object_get(object, key), point + 1);
}

static log_status take_member(log_reader *self, const log_slot *slot, const json_t *value, log_event *event)
{
    char text[32];
    double number;
    if (value == NULL || json_is_null(value))
        return log_damage_at(self, "has no '%.80s'", slot->name);
    if (log_is_label(slot->role)) {
        const char *label = log_json_label(value, text, sizeof text);
        if (slot->role == LOG_TIME && label == text)
            label = log_keep(self, text);
        else if (slot->role == LOG_ID && label == text)
            return LOG_EVENT; /* a number: order and duplicates are looked for in texts */
        return label != NULL ? log_take_text(self, slot, label, strlen(label), event)
                             : log_damage_at(self, "'%.80s' must be a text or a number", slot->name);
    }
    if (log_json_number(value, &number))
        return log_take_number(self, slot, number, event);
    return log_damage_at(self, "'%.80s' must be a number", slot->name);
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    json_t *object;
    (void)err;
    log_status status = log_object_next(self, &object);
    if (status != LOG_EVENT)
        return status;
    log_event_begin(self, event);
    event->line = self->line_number;
    for (size_t i = 0; status == LOG_EVENT && i < self->n_slots; i++)
        status = take_member(self, &self->slots[i], find(object, self->slots[i].name), event);
    event->id = NULL;
    if (event->time != NULL)
        event->time = log_keep(self, event->time);
    json_decref(object);
    return status == LOG_EVENT ? log_event_end(self, event) : status;
}

const log_format log_jsonl = {"jsonl", fits, begin, next};
