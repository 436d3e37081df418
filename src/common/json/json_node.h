/*
 * json_node.h: JSON values that know their place, so that a sentence about what is wrong names it:
 * "toy.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000".
 */
#ifndef ROSTER_JSON_NODE_H
#define ROSTER_JSON_NODE_H

#include "common_error.h"

#include <jansson.h>
#include <stdbool.h>

#define COMMON_FILE_MOST ((size_t)64 << 20) /* bytes of a file that is read */

/* A value and the way to it: episodes[0].rounds of toy.json. Lives on the reader's stack. */
typedef struct common_node {
    const struct common_node *up; /* NULL: the whole document                                     */
    const char *key;              /* in an object, or the document's file; NULL: the index counts */
    size_t index;                 /* in a list                                                    */
    json_t *json;                 /* borrowed; NULL: it is not there                              */
} common_node;

common_node common_root(const char *path, json_t *json);
common_node common_key(const common_node *object, const char *key);
common_node common_item(const common_node *list, size_t index);

/* ---- sentences (json_node.c); all return the code ---- */

/* "FILE: PLACE WORDS" */
int common_fail_at(const common_node *at, roster_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "FILE: WORDS", for a sentence that names its place itself. */
int common_fail_file(const common_node *at, roster_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "FILE: PLACE<between>SENTENCE", for a sentence of the library about something inside that place. */
int common_fail_inside(const common_node *at, const char *between, const roster_error *from, roster_error *err);
/* "FILE: 'KEY' is missing in PLACE" */
int common_fail_missing(const common_node *at, roster_error *err);
/* "FILE: unknown key 'KEY' in PLACE; did you mean 'NEAREST'?"; nearest may be NULL. */
int common_fail_key(const common_node *object, const char *key, const char *nearest, roster_error *err);

/* ---- typed values (json_get.c); what is missing or of another type is refused ---- */

int common_number(const common_node *at, double *out, roster_error *err);
int common_number_in(const common_node *at, double low, double high, double *out, roster_error *err);
/* Whole, also written as 1e6. */
int common_count(const common_node *at, uint64_t low, uint64_t high, uint64_t *out, roster_error *err);
/* Borrowed from the document; a word is not empty. */
int common_string(const common_node *at, const char **out, roster_error *err);
int common_word(const common_node *at, const char **out, roster_error *err);
/* A number or a string. */
int common_scalar(const common_node *at, roster_error *err);
int common_object(const common_node *at, roster_error *err);
/* A list that is not empty. */
int common_list(const common_node *at, size_t *size, roster_error *err);
/* A list of `size` entries, one per `what` ("context"). */
int common_list_of(const common_node *at, size_t size, const char *what, roster_error *err);
/* A number per context and action, row by row. */
int common_matrix(const common_node *at, size_t rows, size_t columns, double *out, roster_error *err);
/* Refuses a key that is not among `known` (ends with NULL), with the nearest one that is. */
int common_keys(const common_node *object, const char *const *known, roster_error *err);

/* ---- documents ---- */

/* JSON from a text or a file of at most COMMON_FILE_MOST bytes; the caller owns *out (json_load.c). */
int common_load_text(json_t **out, const char *text, size_t size, const char *path, roster_error *err);
int common_load_file(json_t **out, const char *path, roster_error *err);
/* The document in one line; every number as short as it can be written and be read as the same. NULL: no memory
   (json_line.c). */
char *common_json_line(const json_t *json);

#endif
