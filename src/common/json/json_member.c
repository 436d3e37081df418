/*
 * json_member.c: members of JSON objects, into text that grows.
 *
 * No value ends with an opening bracket, so the last byte tells whether a member is the first.
 *
 * Paper: none. Cost: as common_text.c.
 * Check: tests/unit/test_common.c: members_have_commas.
 */
#include "json_member.h"

void json_member_key(common_text *out, const char *key)
{
    char last = out->used > 0 ? out->data[out->used - 1] : '{';
    if (last != '{' && last != '[')
        common_put(out, ",", 1);
    if (key == NULL)
        return;
    common_put_string(out, key);
    common_put(out, ":", 1);
}

void json_member_open(common_text *out, const char *key, char bracket)
{
    json_member_key(out, key);
    common_put(out, &bracket, 1);
}

void json_member_text(common_text *out, const char *key, const char *text)
{
    json_member_key(out, key);
    common_put_string(out, text);
}

void json_member_texts(common_text *out, const char *key, const char *const *texts, size_t n)
{
    json_member_open(out, key, '[');
    for (size_t i = 0; i < n; i++)
        json_member_text(out, NULL, texts[i]);
    common_put(out, "]", 1);
}

void json_member_count(common_text *out, const char *key, uint64_t count)
{
    json_member_key(out, key);
    common_put_count(out, count);
}

void json_member_number(common_text *out, const char *key, double number)
{
    json_member_key(out, key);
    common_put_number(out, number);
}

void json_member_truth(common_text *out, const char *key, bool truth)
{
    json_member_key(out, key);
    common_put_text(out, truth ? "true" : "false");
}

void json_member_time(common_text *out, const char *key, int64_t at)
{
    json_member_key(out, key);
    common_put_time(out, at);
}
