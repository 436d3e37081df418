/*
 * read_json.h: what the formats that are made of JSON objects share.
 */
#ifndef ROSTER_READ_JSON_H
#define ROSTER_READ_JSON_H

#include "read_internal.h"

#include <jansson.h>

/* The next line that is not empty as an object, which the caller decrefs; LOG_EVENT: there is one. */
log_status log_object_next(log_reader *self, json_t **object);
/* Whether the first line of a file holds a text. */
bool log_head_has(const char *head, size_t size, const char *text);
/* A string or number as a label's text: the string itself, or into `text`. NULL: it is neither. */
const char *log_json_label(const json_t *value, char *text, size_t size);
/* A member that is a finite number, or a truth as 0 or 1. */
bool log_json_number(const json_t *value, double *out);
/* Keeps a copy of a text until the next event. NULL: out of memory. */
const char *log_keep(log_reader *self, const char *text);

#endif
