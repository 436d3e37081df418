/*
 * json_line.c: a document as JSON in one line, to be kept with results and read again as the same.
 *
 * A number is written with the fewest of 15, 16 or 17 digits that read back as the same bits: 0.8 stays 0.8. That is
 * not common_put_number, which answers requests: it finds short decimals without printf, and writes 17 digits where
 * there is none below 1e6 (1.0000000000000001e+300). Here people read what they wrote: 1e+300.
 *
 * Cost: linear in the text; depth is bounded by the parser's.
 * Check: the text of every shipped file parses to the same cases (tests/unit/test_experiment.c: shipped_files).
 */
#include "common_text.h"
#include "json_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_real(common_text *self, double number)
{
    char digits[40];
    for (int n = 15; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    common_put_text(self, digits);
}

static void put_json(common_text *self, const json_t *json);

static void put_object(common_text *self, const json_t *json)
{
    const char *comma = "{", *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        common_put_text(self, comma);
        common_put_string(self, key);
        common_put_text(self, ":");
        put_json(self, value);
        comma = ",";
    }
    common_put_text(self, *comma == '{' ? "{}" : "}");
}

static void put_list(common_text *self, const json_t *json)
{
    common_put_text(self, "[");
    for (size_t i = 0; i < json_array_size(json); i++) {
        common_put_text(self, i > 0 ? "," : "");
        put_json(self, json_array_get(json, i));
    }
    common_put_text(self, "]");
}

static void put_json(common_text *self, const json_t *json)
{
    if (json_is_object(json))
        put_object(self, json);
    else if (json_is_array(json))
        put_list(self, json);
    else if (json_is_string(json))
        common_put_string(self, json_string_value(json));
    else if (json_is_real(json))
        put_real(self, json_real_value(json));
    else if (json_is_integer(json)) {
        common_put_format(self, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
    } else
        common_put_text(self, json_is_true(json) ? "true" : json_is_false(json) ? "false" : "null");
}

char *common_json_line(const json_t *json)
{
    common_text text = {0};
    put_json(&text, json);
    if (text.failed)
        common_text_free(&text);
    return text.data;
}
