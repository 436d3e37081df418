/*
 * json.h: JSON written piece by piece. Commas and null for what is no finite number are seen to.
 */
#ifndef ROSTER_CLI_JSON_H
#define ROSTER_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_json {
    FILE *out;   /* borrowed; what goes wrong with it is for the caller to ask (ferror) */
    bool follow; /* something stands before, so that a comma is due                     */
} cli_json;

/* Every function takes the key under which the value stands, NULL inside of a list and outside of everything. */
void cli_json_open(cli_json *self, const char *key, char bracket); /* '{' or '[' */
void cli_json_close(cli_json *self, char bracket);                 /* '}' or ']' */
void cli_json_text(cli_json *self, const char *key, const char *text);
void cli_json_count(cli_json *self, const char *key, uint64_t count);
/* 17 digits, so that the same number is read; infinities and NAN are null. */
void cli_json_number(cli_json *self, const char *key, double number);
void cli_json_numbers(cli_json *self, const char *key, const double *numbers, size_t n);
void cli_json_truth(cli_json *self, const char *key, bool truth);
void cli_json_null(cli_json *self, const char *key);
/* A newline after a whole value; the next one starts afresh. */
void cli_json_end(cli_json *self);

#endif
