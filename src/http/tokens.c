/*
 * tokens.c: who may ask for what: a file of Bearer tokens.
 *
 *   # comment
 *   decide 4f1c2b...        may decide, reward and read /metrics
 *   admin  99a0e3...        may do everything
 *
 * Paper: none.
 *
 * A token is compared with all of the file's, all bytes of each, and what differs is gathered by "or": how long that
 * takes says nothing about how much of it is right.
 *
 * Check: tests/http/guard.py.
 */
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int fail(roster_error *err, const char *path, unsigned line, const char *what)
{
    err->code = ROSTER_EINVAL;
    snprintf(err->msg, sizeof err->msg, "%.200s, line %u: %.200s", path, line, what);
    return ROSTER_EINVAL;
}

static int read_line(server_tokens *self, const char *text, const char *path, unsigned line, roster_error *err)
{
    char role[16], token[SERVER_TOKEN_MOST + 2], more[2];
    int n = sscanf(text, "%15s %129s %1s", role, token, more);
    if (n <= 0 || role[0] == '#')
        return ROSTER_OK;
    bool decides = strcmp(role, "decide") == 0, admin = strcmp(role, "admin") == 0;
    if (n != 2 || !(decides || admin))
        return fail(err, path, line, "must be `decide TOKEN` or `admin TOKEN`");
    size_t size = strlen(token);
    if (size < SERVER_TOKEN_LEAST || size > SERVER_TOKEN_MOST)
        return fail(err, path, line, "the token must have 16 to 128 letters");
    if (self->n == SERVER_TOKENS_MOST)
        return fail(err, path, line, "there are more than 64 tokens");
    self->roles[self->n] = admin ? SERVER_ADMIN : SERVER_CLIENT;
    memcpy(self->words[self->n++], token, size);
    return ROSTER_OK;
}

int server_tokens_read(server_tokens *self, const char *path, roster_error *err)
{
    char text[512];
    int code = ROSTER_OK;
    *self = (server_tokens){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        err->code = ROSTER_EINVAL;
        snprintf(err->msg, sizeof err->msg, "%.200s cannot be read: %.200s", path, strerror(errno));
        return ROSTER_EINVAL;
    }
    for (unsigned line = 1; code == ROSTER_OK && fgets(text, sizeof text, file) != NULL; line++)
        code = read_line(self, text, path, line, err);
    fclose(file);
    return code == ROSTER_OK && self->n == 0 ? fail(err, path, 1, "there is no token in it") : code;
}

server_role server_tokens_role(const server_tokens *self, const char *token)
{
    unsigned char given[SERVER_TOKEN_MOST] = {0};
    unsigned role = SERVER_PUBLIC;
    size_t size = strlen(token);
    bool fits = size >= SERVER_TOKEN_LEAST && size <= SERVER_TOKEN_MOST;
    memcpy(given, token, fits ? size : 0);
    for (size_t i = 0; i < self->n; i++) {
        unsigned differs = 0;
        for (size_t j = 0; j < SERVER_TOKEN_MOST; j++)
            differs |= (unsigned)(given[j] ^ self->words[i][j]);
        unsigned same = (differs - 1) >> 31; /* 1 where differs is 0 */
        role |= same * (unsigned)self->roles[i];
    }
    /* A token in the file under both roles gives both bits: the larger one counts. */
    return role >= SERVER_ADMIN ? SERVER_ADMIN : (server_role)role;
}
