/*
 * load_http.c: a small strict client of HTTP/1.1: one request at a time on a connection that is kept.
 *
 * Paper: none.
 *
 * An answer is HTTP/1.1 NNN, headers of which Content-Length, Transfer-Encoding and Connection count, and a body of
 * that length, or in chunks, which are put together in place. Answers of more than 64 MiB are not understood; this
 * service sends none where it is asked here.
 *
 * Check: tests/http/drive.py.
 */
#include "load_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_MOST = 64 << 10, BODY_MOST = 64 << 20, PIECE = 64 << 10, CHUNK_LINE = 16 };

/* ---- where ---- */

/* Host and port of http://HOST[:PORT][/]; a host with colons stands in brackets. */
static bool split_url(load_place *self, const char *url)
{
    if (strncmp(url, "http://", 7) != 0)
        return false;
    const char *at = url + 7, *end = at + strcspn(at, "/");
    bool bracket = *at == '[';
    const char *host = bracket ? at + 1 : at, *host_end = host + strcspn(host, bracket ? "]" : ":/");
    const char *port = host_end + (bracket && *host_end == ']');
    size_t size = (size_t)(host_end - host), digits = *port == ':' ? strspn(port + 1, "0123456789") : 0;
    if (size == 0 || size >= sizeof self->host || strcmp(end, "/") > 0 || digits >= sizeof self->port ||
        port + (*port == ':') + digits != end || (*port == ':' && digits == 0))
        return false;
    memcpy(self->host, host, size);
    memcpy(self->port, digits > 0 ? port + 1 : "80", digits > 0 ? digits : 2);
    memcpy(self->name, at, (size_t)(end - at));
    return true;
}

int load_place_init(load_place *self, const char *url, const char *token, roster_error *err)
{
    *self = (load_place){.token = token};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    if (!split_url(self, url))
        return common_fail(err, ROSTER_EINVAL, "--server is '%.200s', must be http://HOST:PORT", url);
    int code = getaddrinfo(self->host, self->port, &hints, &self->addresses);
    return code == 0 ? ROSTER_OK
                     : common_fail(err, ROSTER_EINVAL, "%.200s is not found: %s", self->host, gai_strerror(code));
}

void load_place_fini(load_place *self)
{
    if (self->addresses != NULL)
        freeaddrinfo(self->addresses);
}

bool load_connect(load_connection *c, const load_place *place)
{
    for (const struct addrinfo *a = place->addresses; c->socket < 0 && a != NULL; a = a->ai_next) {
        int one = 1, s = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (s >= 0 && connect(s, a->ai_addr, a->ai_addrlen) == 0) {
            setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            fcntl(s, F_SETFL, fcntl(s, F_GETFL) | O_NONBLOCK);
            c->socket = s;
        } else if (s >= 0) {
            int number = errno;
            close(s);
            errno = number;
        }
    }
    return c->socket >= 0;
}

void load_close(load_connection *c)
{
    if (c->socket >= 0)
        close(c->socket);
    c->socket = -1;
}

/* ---- requests ---- */

void load_request(load_connection *c, const load_place *place, const char *method, const char *path,
                  const common_text *body)
{
    c->out.used = c->in.used = c->sent = c->head = 0;
    c->tried = false;
    common_put_format(&c->out, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, place->name);
    if (place->token != NULL)
        common_put_format(&c->out, "Authorization: Bearer %s\r\n", place->token);
    if (body != NULL)
        common_put_format(&c->out, "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", body->used,
                          body->data);
    else
        common_put_format(&c->out, "\r\n");
}

bool load_wants_to_send(const load_connection *c)
{
    return c->sent < c->out.used;
}

bool load_send(load_connection *c)
{
    while (c->sent < c->out.used) {
        ssize_t n = send(c->socket, c->out.data + c->sent, c->out.used - c->sent, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        c->sent += (size_t)n;
    }
    return true;
}

/* ---- answers ---- */

/* The value of a header in the lines from `at` to the empty one; NULL: there is none. */
static const char *header(const char *at, const char *name)
{
    size_t n = strlen(name);
    for (; *at != '\r' && *at != '\0'; at = strstr(at, "\r\n") + 2)
        if (strncasecmp(at, name, n) == 0 && at[n] == ':')
            return at + n + 1 + strspn(at + n + 1, " \t");
    return NULL;
}

/* Looks for the end of the head. False: it makes no sense. */
static bool read_head(load_connection *c)
{
    char *end = strstr(c->in.data, "\r\n\r\n");
    if (end == NULL)
        return c->in.used < HEAD_MOST;
    const char *data = c->in.data;
    if (strncmp(data, "HTTP/1.1 ", 9) != 0 || strspn(data + 9, "0123456789") != 3)
        return false;
    const char *lines = strstr(data, "\r\n") + 2, *length = header(lines, "Content-Length");
    const char *connection = header(lines, "Connection"), *encoding = header(lines, "Transfer-Encoding");
    bool chunked = encoding != NULL && strncasecmp(encoding, "chunked\r", 8) == 0;
    if (chunked ? length != NULL : encoding != NULL || length == NULL || !isdigit((unsigned char)*length))
        return false;
    unsigned long long size = chunked ? 0 : strtoull(length, NULL, 10);
    c->status = atoi(data + 9);
    c->closing = connection != NULL && strncasecmp(connection, "close", 5) == 0;
    c->head = (size_t)(end + 4 - data);
    c->length = (size_t)size;
    c->chunk = chunked ? c->head : 0;
    return size <= BODY_MOST;
}

/* Puts the chunks that are whole behind the body so far. */
static load_outcome join_chunks(load_connection *c)
{
    for (;;) {
        char *at = c->in.data + c->chunk, *end = strstr(at, "\r\n");
        if (end == NULL)
            return c->in.used - c->chunk < CHUNK_LINE ? LOAD_WAITS : LOAD_NONSENSE;
        size_t digits = strspn(at, "0123456789abcdefABCDEF"), line = (size_t)(end + 2 - at);
        size_t size = digits < CHUNK_LINE ? strtoull(at, NULL, 16) : SIZE_MAX;
        if (digits == 0 || at + digits != end || size > BODY_MOST || c->length + size > BODY_MOST)
            return LOAD_NONSENSE;
        if (c->in.used - c->chunk < line + size + 2)
            return LOAD_WAITS;
        if (memcmp(end + 2 + size, "\r\n", 2) != 0)
            return LOAD_NONSENSE;
        memmove(c->in.data + c->head + c->length, end + 2, size);
        c->length += size;
        c->chunk += line + size + 2;
        if (size == 0)
            return c->chunk == c->in.used ? LOAD_ANSWERED : LOAD_NONSENSE;
    }
}

/* Whether the body is there. */
static load_outcome check_body(load_connection *c)
{
    if (c->chunk > 0)
        return join_chunks(c);
    size_t whole = c->head + c->length;
    return c->in.used < whole ? LOAD_WAITS : c->in.used == whole ? LOAD_ANSWERED : LOAD_NONSENSE;
}

load_outcome load_exchange(load_connection *c)
{
    if (!load_send(c))
        return LOAD_BROKEN;
    for (;;) {
        if (!common_text_reserve(&c->in, PIECE))
            return LOAD_NONSENSE;
        ssize_t n = recv(c->socket, c->in.data + c->in.used, PIECE, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return LOAD_WAITS;
        if (n <= 0)
            return LOAD_BROKEN;
        c->in.used += (size_t)n;
        c->in.data[c->in.used] = '\0';
        if (c->head == 0 && !read_head(c))
            return LOAD_NONSENSE;
        load_outcome look = c->head > 0 ? check_body(c) : LOAD_WAITS;
        if (look != LOAD_WAITS)
            return look;
    }
}
