/*
 * route_tokens.c: who may ask for what, and how often: a file of Bearer tokens.
 *
 *   # comment
 *   decide 4f1c2b...                               may decide, reward and read /metrics
 *   decide 77d0aa... campaigns=shop,blog rate=200  only in these campaigns, 200 requests a second
 *   admin  99a0e3...                               may do everything
 *
 * Paper: none.
 *
 * A token is compared with all of the file's, all bytes of each, and what differs is gathered by "or": how long that
 * takes says nothing about how much of it is right.
 *
 * A rate fills a bucket of one second's requests (at least one), from which every request takes one.
 *
 * Check: tests/unit/test_tokens.c, tests/http/guard.py.
 */
#include "http_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So that Retry-After is a number of seconds that somebody may wait for. */
static const double RATE_LEAST = 0.001, RATE_MOST = 1000000;

static const char shape[] =
    "must be `decide TOKEN` or `admin TOKEN`, and may go on with campaigns=NAME,.. and rate=NUMBER";

static int fail(roster_error *err, const char *path, unsigned line, const char *what)
{
    return common_fail(err, ROSTER_EINVAL, "%.200s, line %u: %.200s", path, line, what);
}

/* The next word of the line, which is cut behind it; NULL: there is none. */
static char *next_word(char **at)
{
    *at += strspn(*at, " \t\r\n");
    if (**at == '\0')
        return NULL;
    char *word = *at;
    *at += strcspn(*at, " \t\r\n");
    if (**at != '\0')
        *(*at)++ = '\0';
    return word;
}

static const char *read_campaigns(server_token *self, const char *names)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t size = strlen(names);
    for (const char *at = names; at <= names + size; at += strcspn(at, ",") + 1) {
        size_t n = strcspn(at, ",");
        if (n == 0 || n > SERVICE_NAME_MOST || strspn(at, plain) < n || *at == '.')
            return "campaigns must be names separated by commas";
    }
    if (self->campaigns != NULL)
        return "campaigns is given twice";
    self->campaigns = malloc(size + 3);
    if (self->campaigns == NULL)
        return "out of memory";
    snprintf(self->campaigns, size + 3, ",%s,", names);
    return NULL;
}

static const char *read_rate(server_token *self, const char *text)
{
    char *end;
    if (self->rate > 0)
        return "rate is given twice";
    self->rate = strtod(text, &end);
    bool ok = text[0] >= '0' && text[0] <= '9' && *end == '\0' && self->rate >= RATE_LEAST && self->rate <= RATE_MOST;
    self->left = fmax(self->rate, 1);
    return ok ? NULL : "rate must be a number of requests per second, from 0.001 to 1000000";
}

/* One more token; a sentence: what is wrong. */
static const char *read_token(server_token *self, char *text)
{
    const char *role = next_word(&text), *token = next_word(&text), *more, *wrong = NULL;
    bool decides = strcmp(role, "decide") == 0;
    if (token == NULL || !(decides || strcmp(role, "admin") == 0))
        return shape;
    size_t size = strlen(token);
    if (size < SERVER_TOKEN_LEAST || size > SERVER_TOKEN_MOST)
        return "the token must have 16 to 128 characters";
    self->role = decides ? SERVER_CLIENT : SERVER_ADMIN;
    memcpy(self->word, token, size);
    while (wrong == NULL && (more = next_word(&text)) != NULL) {
        if (strncmp(more, "campaigns=", 10) == 0)
            wrong = read_campaigns(self, more + 10);
        else if (strncmp(more, "rate=", 5) == 0)
            wrong = read_rate(self, more + 5);
        else
            wrong = shape;
    }
    if (wrong == NULL && !decides && self->campaigns != NULL)
        wrong = "campaigns= is for decide tokens: an admin may do everything";
    return wrong;
}

static int read_line(server_tokens *self, char *text, const char *path, unsigned line, roster_error *err)
{
    text += strspn(text, " \t\r\n");
    if (*text == '\0' || *text == '#')
        return ROSTER_OK;
    if (self->n == SERVER_TOKENS_MOST)
        return fail(err, path, line, "a file can have at most 64 tokens");
    const char *wrong = read_token(&self->all[self->n++], text);
    return wrong != NULL ? fail(err, path, line, wrong) : ROSTER_OK;
}

/* Opened without waiting: what is no file, such as a pipe that nobody writes into, must not hold up the requests. */
static FILE *open_file(const char *path, roster_error *err)
{
    struct stat what;
    FILE *file = NULL;
    int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (handle < 0 || fstat(handle, &what) != 0)
        common_fail(err, ROSTER_EINVAL, "%.200s cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(what.st_mode))
        common_fail(err, ROSTER_EINVAL, "%.200s is not a file", path);
    else if ((file = fdopen(handle, "r")) == NULL)
        common_fail_memory(err);
    if (file == NULL && handle >= 0)
        close(handle);
    return file;
}

int server_tokens_read(server_tokens *self, const char *path, roster_error *err)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t size;
    int code = ROSTER_OK;
    *self = (server_tokens){0};
    FILE *file = open_file(path, err);
    if (file == NULL)
        return ROSTER_EINVAL;
    for (unsigned line = 1; code == ROSTER_OK && (size = getline(&text, &room, file)) >= 0; line++)
        code = memchr(text, '\0', (size_t)size) != NULL ? fail(err, path, line, "the line has a NUL byte")
                                                        : read_line(self, text, path, line, err);
    if (code == ROSTER_OK && ferror(file))
        code = fail(err, path, 1, "cannot be read");
    free(text);
    fclose(file);
    if (code == ROSTER_OK && self->n == 0)
        code = fail(err, path, 1, "the file has no token");
    if (code != ROSTER_OK)
        server_tokens_free(self);
    return code;
}

void server_tokens_free(server_tokens *self)
{
    for (size_t i = 0; i < self->n; i++)
        free(self->all[i].campaigns);
    *self = (server_tokens){0};
}

server_token *server_tokens_find(server_tokens *self, const char *text)
{
    unsigned char given[SERVER_TOKEN_MOST] = {0};
    size_t size = strlen(text), found = 0;
    bool fits = size >= SERVER_TOKEN_LEAST && size <= SERVER_TOKEN_MOST;
    memcpy(given, text, fits ? size : 0);
    for (size_t i = 0; i < self->n; i++) {
        unsigned differs = 0;
        for (size_t j = 0; j < SERVER_TOKEN_MOST; j++)
            differs |= (unsigned)(given[j] ^ self->all[i].word[j]);
        size_t same = (differs - 1) >> 31; /* 1 where differs is 0 */
        /* Of a token that stands there twice the first counts. */
        found |= same * (i + 1) * (found == 0);
    }
    return found > 0 ? &self->all[found - 1] : NULL;
}

bool server_token_covers(const server_token *self, const char *campaign, size_t size)
{
    const char *at = self->campaigns;
    for (size_t n; at != NULL && at[1] != '\0'; at += n + 1) {
        n = strcspn(at + 1, ",");
        if (n == size && memcmp(at + 1, campaign, n) == 0)
            return true;
    }
    return self->campaigns == NULL;
}

unsigned server_token_take(server_token *self, int64_t now)
{
    if (self->rate == 0)
        return 0;
    double most = fmax(self->rate, 1);
    self->left = fmin(most, self->left + self->rate * 1e-6 * (double)(now - self->filled));
    self->filled = now;
    if (self->left < 1)
        return (unsigned)fmax(1, ceil((1 - self->left) / self->rate));
    self->left -= 1;
    return 0;
}
