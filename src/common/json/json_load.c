/*
 * json_load.c: from bytes to a JSON document.
 *
 * Check: "toy.json:3:14: ..." where it is no JSON (tests/unit/test_experiment_refused.c: texts_refused).
 */
#include "input_file.h"
#include "json_node.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (memchr(" \t\r\n", text[i], 4) == NULL)
            return false;
    return true;
}

int common_load_text(json_t **out, const char *text, size_t size, const char *path, roster_error *err)
{
    json_error_t wrong;
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* some editors begin a file with it */
    *out = NULL;
    if (size > COMMON_FILE_MOST)
        return common_fail(err, ROSTER_EINVAL, "%s is larger than %zu MiB", path, COMMON_FILE_MOST >> 20);
    if (is_blank(text + mark, size - mark))
        return common_fail(err, ROSTER_EINVAL, "%s is empty, must hold JSON", path);
    *out = json_loadb(text + mark, size - mark, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &wrong);
    if (*out != NULL)
        return ROSTER_OK;
    if (wrong.line < 0 || json_error_code(&wrong) == json_error_out_of_memory) /* it knows no place for that */
        return common_fail_memory(err);
    const char *reason = wrong.text;
    if (json_error_code(&wrong) == json_error_null_character || json_error_code(&wrong) == json_error_null_byte_in_key)
        reason = "a string with \\u0000 in it";
    return common_fail(err, ROSTER_EINVAL, "%s:%d:%d: %s", path, wrong.line, wrong.column, reason);
}

int common_load_file(json_t **out, const char *path, roster_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    int code = input_file_read(path, COMMON_FILE_MOST + 1, &text, &size, err);
    if (code == ROSTER_OK)
        code = common_load_text(out, text, size, path, err);
    free(text);
    return code;
}
