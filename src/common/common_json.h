/*
 * common_json.h: JSON written piece by piece. Commas and null for what is no finite number are seen to.
 */
#ifndef ROSTER_COMMON_JSON_H
#define ROSTER_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct common_json {
    FILE *out;   /* borrowed; what goes wrong with it is for the caller to ask (ferror) */
    bool follow; /* something stands before, so that a comma is due                     */
} common_json;

/* Every function takes the key under which the value stands, NULL inside of a list and outside of everything. */
void common_json_open(common_json *self, const char *key, char bracket); /* '{' or '[' */
void common_json_close(common_json *self, char bracket);                 /* '}' or ']' */
void common_json_text(common_json *self, const char *key, const char *text);
void common_json_count(common_json *self, const char *key, uint64_t count);
/* 17 digits, so that the same number is read; infinities and NAN are null. */
void common_json_number(common_json *self, const char *key, double number);
void common_json_numbers(common_json *self, const char *key, const double *numbers, size_t n);
void common_json_truth(common_json *self, const char *key, bool truth);
void common_json_null(common_json *self, const char *key);
/* A newline after a whole value; the next one starts afresh. */
void common_json_end(common_json *self);

#endif
