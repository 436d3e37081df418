/*
 * get.c: typed values from nodes. What is missing, of another type or out of range is refused with its place.
 *
 * Check: "toy.json: runs is a string, must be a whole number from 1 to 1000000000000"
 *        (tests/unit/test_experiment_refused.c: types_refused).
 */
#include "inside.h"

#include <math.h>
#include <stdio.h>

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

static int fail_type(const experiment_node *at, const char *expected, roster_error *err)
{
    if (at->json == NULL)
        return experiment_fail_missing(at, err);
    return experiment_fail(at, err, "is %s, must be %s", type_of(at->json), expected);
}

int experiment_number(const experiment_node *at, double *out, roster_error *err)
{
    if (!json_is_number(at->json))
        return fail_type(at, "a number", err);
    *out = json_number_value(at->json);
    return ROSTER_OK;
}

int experiment_number_in(const experiment_node *at, double low, double high, double *out, roster_error *err)
{
    int code = experiment_number(at, out, err);
    if (code == ROSTER_OK && !(*out >= low && *out <= high))
        return experiment_fail(at, err, "is %g, must be in [%g, %g]", *out, low, high);
    return code;
}

int experiment_count(const experiment_node *at, uint64_t low, uint64_t high, uint64_t *out, roster_error *err)
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
        return experiment_fail(at, err, "is %.17g, must be %s", number, expected);
    *out = (uint64_t)integer;
    return ROSTER_OK;
}

int experiment_string(const experiment_node *at, const char **out, roster_error *err)
{
    if (!json_is_string(at->json))
        return fail_type(at, "a string", err);
    *out = json_string_value(at->json);
    return ROSTER_OK;
}

int experiment_word(const experiment_node *at, const char **out, roster_error *err)
{
    int code = experiment_string(at, out, err);
    return code != ROSTER_OK || **out != '\0' ? code : experiment_fail(at, err, "is an empty string, must be a word");
}

int experiment_scalar(const experiment_node *at, roster_error *err)
{
    bool scalar = json_is_string(at->json) || json_is_number(at->json);
    return scalar ? ROSTER_OK : fail_type(at, "a number or a string", err);
}

int experiment_object(const experiment_node *at, roster_error *err)
{
    return json_is_object(at->json) ? ROSTER_OK : fail_type(at, "an object", err);
}

int experiment_list(const experiment_node *at, size_t *size, roster_error *err)
{
    if (!json_is_array(at->json))
        return fail_type(at, "a list", err);
    *size = json_array_size(at->json);
    return *size > 0 ? ROSTER_OK : experiment_fail(at, err, "is an empty list, must hold something");
}

int experiment_list_of(const experiment_node *at, size_t size, const char *what, roster_error *err)
{
    if (!json_is_array(at->json))
        return fail_type(at, "a list", err);
    if (json_array_size(at->json) != size)
        return experiment_fail(at, err, "has %zu entries, must have %zu, one per %s", json_array_size(at->json), size,
                               what);
    return ROSTER_OK;
}

int experiment_matrix(const experiment_node *at, size_t rows, size_t columns, double *out, roster_error *err)
{
    int code = experiment_list_of(at, rows, "context", err);
    for (size_t x = 0; code == ROSTER_OK && x < rows; x++) {
        experiment_node row = experiment_item(at, x);
        code = experiment_list_of(&row, columns, "action", err);
        for (size_t v = 0; code == ROSTER_OK && v < columns; v++) {
            experiment_node cell = experiment_item(&row, v);
            code = experiment_number(&cell, &out[x * columns + v], err);
        }
    }
    return code;
}
