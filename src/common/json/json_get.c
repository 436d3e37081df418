/*
 * json_get.c: typed values from nodes. What is missing, of another type or out of range is refused with its place.
 *
 * Check: "toy.json: runs is a string, must be a whole number from 1 to 1000000000000"
 *        (tests/unit/test_experiment_refused.c: types_refused).
 */
#include "json_node.h"
#include "nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *type_of(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    default:
        return "a number";
    }
}

static int fail_type(const common_node *at, const char *expected, roster_error *err)
{
    if (at->json == NULL)
        return common_fail_missing(at, err);
    return common_fail_at(at, err, "is %s, must be %s", type_of(at->json), expected);
}

int common_number(const common_node *at, double *out, roster_error *err)
{
    if (!json_is_number(at->json))
        return fail_type(at, "a number", err);
    *out = json_number_value(at->json);
    return ROSTER_OK;
}

int common_number_in(const common_node *at, double low, double high, double *out, roster_error *err)
{
    int code = common_number(at, out, err);
    if (code == ROSTER_OK && !(*out >= low && *out <= high))
        return common_fail_at(at, err, "is %g, must be in [%g, %g]", *out, low, high);
    return code;
}

int common_count(const common_node *at, uint64_t low, uint64_t high, uint64_t *out, roster_error *err)
{
    char expected[80];
    snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)low,
             (unsigned long long)high);
    if (!json_is_number(at->json))
        return fail_type(at, expected, err);
    double number = json_number_value(at->json);
    bool whole = json_is_integer(at->json) || (number == floor(number) && fabs(number) <= 0x1p53);
    json_int_t integer = json_is_integer(at->json) ? json_integer_value(at->json) : whole ? (json_int_t)number : 0;
    if (!whole || integer < 0 || (uint64_t)integer < low || (uint64_t)integer > high)
        return common_fail_at(at, err, "is %.17g, must be %s", number, expected);
    *out = (uint64_t)integer;
    return ROSTER_OK;
}

int common_string(const common_node *at, const char **out, roster_error *err)
{
    if (!json_is_string(at->json))
        return fail_type(at, "a string", err);
    *out = json_string_value(at->json);
    return ROSTER_OK;
}

int common_word(const common_node *at, const char **out, roster_error *err)
{
    int code = common_string(at, out, err);
    return code != ROSTER_OK || **out != '\0' ? code : common_fail_at(at, err, "is an empty string, must be a word");
}

int common_scalar(const common_node *at, roster_error *err)
{
    bool scalar = json_is_string(at->json) || json_is_number(at->json);
    return scalar ? ROSTER_OK : fail_type(at, "a number or a string", err);
}

int common_object(const common_node *at, roster_error *err)
{
    return json_is_object(at->json) ? ROSTER_OK : fail_type(at, "an object", err);
}

int common_list(const common_node *at, size_t *size, roster_error *err)
{
    if (!json_is_array(at->json))
        return fail_type(at, "a list", err);
    *size = json_array_size(at->json);
    return *size > 0 ? ROSTER_OK : common_fail_at(at, err, "is an empty list, must not be empty");
}

int common_list_of(const common_node *at, size_t size, const char *what, roster_error *err)
{
    if (!json_is_array(at->json))
        return fail_type(at, "a list", err);
    if (json_array_size(at->json) != size)
        return common_fail_at(at, err, "has %zu entries, must have %zu, one per %s", json_array_size(at->json), size,
                              what);
    return ROSTER_OK;
}

int common_matrix(const common_node *at, size_t rows, size_t columns, double *out, roster_error *err)
{
    int code = common_list_of(at, rows, "context", err);
    for (size_t x = 0; code == ROSTER_OK && x < rows; x++) {
        common_node row = common_item(at, x);
        code = common_list_of(&row, columns, "action", err);
        for (size_t v = 0; code == ROSTER_OK && v < columns; v++) {
            common_node cell = common_item(&row, v);
            code = common_number(&cell, &out[x * columns + v], err);
        }
    }
    return code;
}

static bool is_known(const char *key, const char *const *known)
{
    for (size_t i = 0; known[i] != NULL; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

int common_keys(const common_node *object, const char *const *known, roster_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->json, key, value)
    {
        if (!is_known(key, known))
            return common_fail_key(object, key, common_nearest_of(key, known), err);
    }
    return ROSTER_OK;
}
