/*
 * json_member.h: members of JSON objects, into text that grows. common_json.h is for streams.
 *
 * Every function takes the key under which the value stands, NULL in a list. A comma is written where the text does not
 * end with an opening bracket; brackets are the caller's.
 */
#ifndef ROSTER_JSON_MEMBER_H
#define ROSTER_JSON_MEMBER_H

#include "common_text.h"

/* Before a value that the caller writes. */
void json_member_key(common_text *out, const char *key);
void json_member_open(common_text *out, const char *key, char bracket); /* '{' or '[' */
void json_member_text(common_text *out, const char *key, const char *text);
void json_member_texts(common_text *out, const char *key, const char *const *texts, size_t n);
void json_member_count(common_text *out, const char *key, uint64_t count);
void json_member_number(common_text *out, const char *key, double number);
void json_member_truth(common_text *out, const char *key, bool truth);
/* Microseconds since 1970. */
void json_member_time(common_text *out, const char *key, int64_t at);

#endif
