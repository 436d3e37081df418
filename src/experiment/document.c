/*
 * document.c: from bytes to a JSON document.
 *
 * Check: "toy.json:3:14: ..." where it is no JSON (tests/unit/test_experiment_refused.c: texts_refused).
 */
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (memchr(" \t\r\n", text[i], 4) == NULL)
            return false;
    return true;
}

int experiment_load_text(json_t **out, const char *text, size_t size, const char *path, roster_error *err)
{
    json_error_t wrong;
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* some editors begin a file with it */
    *out = NULL;
    if (size > EXPERIMENT_FILE_MOST)
        return experiment_fail_plain(err, "%s is larger than %zu MiB", path, EXPERIMENT_FILE_MOST >> 20);
    if (is_blank(text + mark, size - mark))
        return experiment_fail_plain(err, "%s is empty, must hold JSON", path);
    *out = json_loadb(text + mark, size - mark, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &wrong);
    if (*out != NULL)
        return ROSTER_OK;
    if (wrong.line < 0 || json_error_code(&wrong) == json_error_out_of_memory) /* it knows no place for that */
        return experiment_fail_memory(err);
    const char *reason = wrong.text;
    if (json_error_code(&wrong) == json_error_null_character || json_error_code(&wrong) == json_error_null_byte_in_key)
        reason = "a string with \\u0000 in it";
    return experiment_fail_plain(err, "%s:%d:%d: %s", path, wrong.line, wrong.column, reason);
}

/* All of a stream, or one byte more than is allowed. */
static int read_all(FILE *file, char **text, size_t *size)
{
    size_t room = 1 << 16;
    *text = malloc(room);
    *size = 0;
    while (*text != NULL) {
        *size += fread(*text + *size, 1, room - *size, file);
        if (*size < room || *size > EXPERIMENT_FILE_MOST)
            return ROSTER_OK;
        room *= 2;
        char *more = realloc(*text, room);
        if (more == NULL)
            free(*text);
        *text = more;
    }
    return ROSTER_ENOMEM;
}

int experiment_load_file(json_t **out, const char *path, roster_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return experiment_fail_plain(err, "%s cannot be read: %s", path, strerror(errno));
    int code = read_all(file, &text, &size);
    int reason = errno;
    if (code != ROSTER_OK)
        experiment_fail_memory(err);
    else if (ferror(file))
        code = experiment_fail_plain(err, "%s cannot be read: %s", path, strerror(reason));
    else
        code = experiment_load_text(out, text, size, path, err);
    free(text);
    fclose(file);
    return code;
}
