/*
 * input_file.c: a whole file in memory.
 *
 * Paper: none. Cost: at most twice the file in memory.
 * Check: tests/unit/test_common.c: files_are_read_whole.
 */
#include "input_file.h"

#include "common_error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Until the stream ends or there are `most` bytes; NULL: out of memory. */
static char *read_all(FILE *file, size_t most, size_t *size)
{
    size_t room = most < 1 << 16 ? most : 1 << 16;
    char *bytes = malloc(room + 1);
    *size = 0;
    while (bytes != NULL) {
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room || room == most)
            break;
        room = room > most / 2 ? most : 2 * room;
        char *more = realloc(bytes, room + 1);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    return bytes;
}

int input_file_read(const char *path, size_t most, char **bytes, size_t *size, roster_error *err)
{
    FILE *file = fopen(path, "rb");
    *bytes = NULL;
    if (file == NULL)
        return common_fail(err, ROSTER_EINVAL, "%s cannot be read: %s", path, strerror(errno));
    *bytes = read_all(file, most, size);
    int reason = errno;
    int code = *bytes != NULL ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK && ferror(file)) {
        code = common_fail(err, ROSTER_EINVAL, "%s cannot be read: %s", path, strerror(reason));
        free(*bytes);
        *bytes = NULL;
    }
    fclose(file);
    return code;
}
