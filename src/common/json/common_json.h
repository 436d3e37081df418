/*
 * common_json.h: JSON written piece by piece into a stream. Commas, line breaks, quotes, and null for what is no finite
 * number are seen to.
 */
#ifndef ROSTER_COMMON_JSON_H
#define ROSTER_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { COMMON_JSON_DEPTH = 16 };

/*
 * Starts as {.out = stream}: in one line, reals with 17 digits and always a point or an exponent, so that readers which
 * tell whole numbers from others see one type.
 *
 * With .document set, for files that people and browsers read: spaces behind commas and colons, lines where
 * common_json_open_lines asks for them, reals with `digits` digits, whole numbers from 2^53 on as strings (not every
 * reader has them), and '<' escaped, so that the text can stand in HTML.
 */
typedef struct common_json {
    FILE *out; /* borrowed; what goes wrong with it is for the caller to ask (ferror) */
    bool document;
    int digits; /* of a document's reals */
    int indent; /* of a document's lines, spaces per level; 0: two */
    unsigned depth;
    struct {
        char close;
        bool lines; /* one member a line                             */
        bool hangs; /* the brackets stand beside the first and last  */
        bool some;  /* has members, so that a comma is due           */
    } level[COMMON_JSON_DEPTH];
} common_json;

/* Every function takes the key under which the value stands, NULL inside of a list and outside of everything. */
void common_json_open(common_json *self, const char *key, char bracket); /* '{' or '[' */
void common_json_open_lines(common_json *self, const char *key, char bracket);
/* One member a line too, but the first stands in the line of its bracket, and so does the last. */
void common_json_open_hanging(common_json *self, const char *key, char bracket);
void common_json_close(common_json *self);
/* null where it is NULL. What is not UTF-8 becomes U+FFFD. */
void common_json_text(common_json *self, const char *key, const char *text);
void common_json_count(common_json *self, const char *key, uint64_t count);
/* Infinities and NAN are null. */
void common_json_number(common_json *self, const char *key, double number);
void common_json_numbers(common_json *self, const char *key, const double *numbers, size_t n);
void common_json_texts(common_json *self, const char *key, const char *const *texts, size_t n);
void common_json_truth(common_json *self, const char *key, bool truth);
void common_json_null(common_json *self, const char *key);
/* Before a value that the caller writes. */
void common_json_key(common_json *self, const char *key);
/* A newline after a whole value; the next one starts afresh. */
void common_json_end(common_json *self);

#endif
