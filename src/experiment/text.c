/*
 * text.c: a document as JSON in one line, to be kept with results and read again as the same.
 *
 * A number is written with the fewest of 15, 16 or 17 digits that read back as the same bits: 0.8 stays 0.8.
 *
 * Cost: linear in the text; depth is bounded by the parser's.
 * Check: the text of every shipped file parses to the same cases (tests/unit/test_experiment.c: shipped_files).
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Once memory is out, data is NULL and all further writing does nothing. */
typedef struct line {
    char *data; /* owned */
    size_t used, room;
} line;

static void put(line *self, const char *bytes, size_t n)
{
    if (self->data == NULL)
        return;
    if (self->used + n + 1 > self->room) {
        size_t room = 2 * self->room + n + 1;
        char *more = realloc(self->data, room);
        if (more == NULL)
            free(self->data);
        self->data = more;
        self->room = room;
    }
    if (self->data == NULL)
        return;
    memcpy(self->data + self->used, bytes, n);
    self->used += n;
    self->data[self->used] = '\0';
}

static void put_text(line *self, const char *text)
{
    put(self, text, strlen(text));
}

static void put_real(line *self, double number)
{
    char digits[40];
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    put_text(self, digits);
}

static void put_string(line *self, const char *text, size_t n)
{
    put_text(self, "\"");
    for (size_t i = 0; i < n; i++) {
        char escape[8];
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < ' ')
            snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        put_text(self, escape);
    }
    put_text(self, "\"");
}

static void put_json(line *self, const json_t *json);

static void put_object(line *self, const json_t *json)
{
    const char *comma = "{", *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        put_text(self, comma);
        put_string(self, key, strlen(key));
        put_text(self, ":");
        put_json(self, value);
        comma = ",";
    }
    put_text(self, *comma == '{' ? "{}" : "}");
}

static void put_list(line *self, const json_t *json)
{
    put_text(self, "[");
    for (size_t i = 0; i < json_array_size(json); i++) {
        put_text(self, i > 0 ? "," : "");
        put_json(self, json_array_get(json, i));
    }
    put_text(self, "]");
}

static void put_json(line *self, const json_t *json)
{
    char digits[40];
    if (json_is_object(json))
        put_object(self, json);
    else if (json_is_array(json))
        put_list(self, json);
    else if (json_is_string(json))
        put_string(self, json_string_value(json), json_string_length(json));
    else if (json_is_real(json))
        put_real(self, json_real_value(json));
    else if (json_is_integer(json)) {
        snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        put_text(self, digits);
    } else
        put_text(self, json_is_true(json) ? "true" : json_is_false(json) ? "false" : "null");
}

char *experiment_text(const json_t *json)
{
    line text = {.data = malloc(256), .room = 256};
    put_json(&text, json);
    return text.data;
}
