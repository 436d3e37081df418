/*
 * http.c: between libmicrohttpd and the routes: takes bodies in, hands requests on, sends answers.
 *
 * libmicrohttpd calls `handle` for a request once when its headers are there, then with pieces of its body, then once
 * more: only an answer queued at that last call keeps the connection open for the next request, so every answer waits
 * for it, but that to a body that says to be too large. A connection suspended by commit.c is handled once again after
 * it was resumed.
 *
 * Paper: none.
 * Check: tests/http/.
 */
#include "inside.h"

#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t micro(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t server_now(void)
{
    return micro(CLOCK_REALTIME);
}

int64_t server_clock(void)
{
    return micro(CLOCK_MONOTONIC);
}

/* ---- answers ---- */

void server_refuse(server_request *q, unsigned status, const char *code, const char *format, ...)
{
    char sentence[480];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    q->refused = true;
    q->status = status;
    service_text_clear(&q->text);
    service_put_text(&q->text, "{\"error\":{\"code\":");
    service_put_string(&q->text, code);
    service_put_text(&q->text, ",\"message\":");
    service_put_string(&q->text, sentence);
    service_put_text(&q->text, "}}");
}

void server_refuse_engine(server_request *q, const service_error *err)
{
    q->refused = true;
    q->status = (unsigned)service_code_status(err->code);
    service_text_clear(&q->text);
    service_put_error(&q->text, err);
}

bool server_query_count(server_request *q, const char *key, uint64_t most, uint64_t *out)
{
    const char *text = MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, key);
    if (text == NULL)
        return true;
    uint64_t n = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && n <= (UINT64_MAX - 9) / 10; at++)
        n = 10 * n + (uint64_t)(*at - '0');
    if (at == text || *at != '\0' || n > most) {
        server_refuse(q, 400, "invalid", "%s must be a whole number from 0 to %llu", key, (unsigned long long)most);
        return false;
    }
    *out = n;
    return true;
}

static void add_headers(const server_request *q, struct MHD_Response *response)
{
    MHD_add_response_header(response, "Content-Type", q->type != NULL ? q->type : "application/json");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (q->header != NULL)
        MHD_add_response_header(response, q->header, q->value);
    if (q->status == 503)
        MHD_add_response_header(response, "Retry-After", "1");
    if (atomic_load(&q->server->draining))
        MHD_add_response_header(response, "Connection", "close");
}

static void measure(server *self, const server_request *q)
{
    size_t which = q->route != NULL ? (size_t)(q->route - server_routes) : SERVER_ROUTES_MOST;
    double seconds = (double)(server_clock() - q->begun) * 1e-6;
    self->measures.requests[which][q->status / 100 % SERVER_STATUS_CLASSES]++;
    server_measure(&self->measures.seconds[which], seconds);
    if (self->options->log < SERVER_LOG_REQUESTS)
        return;
    char status[16], time[32];
    snprintf(status, sizeof status, "%u", q->status);
    snprintf(time, sizeof time, "%.6f", seconds);
    server_log(self, SERVER_LOG_REQUESTS, "request", "route", q->route != NULL ? q->route->id : "none", "path", q->path,
               "#status", status, "#seconds", time, (char *)NULL);
}

static enum MHD_Result send_answer(server *self, server_request *q)
{
    if (q->failed)
        server_refuse(q, 503, "store", "the log cannot be written, so whether this was done is open: ask again later");
    if (q->text.failed || q->status == 0)
        return MHD_NO;
    struct MHD_Response *response = q->response;
    if (response == NULL)
        response = MHD_create_response_from_buffer(q->text.used, q->text.data, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        return MHD_NO;
    if (q->response == NULL)
        q->text = (service_text){0};
    q->response = NULL;
    add_headers(q, response);
    enum MHD_Result result = MHD_queue_response(q->connection, q->status, response);
    MHD_destroy_response(response);
    measure(self, q);
    return result;
}

/* ---- requests ---- */

static void set_since(struct MHD_Connection *connection, int64_t since)
{
    server_connection *c = server_connection_of(connection);
    if (c != NULL)
        atomic_store(&c->since, since);
}

/* Whether a body of that size can be taken in; else the answer says why not. */
static bool has_room(server *self, server_request *q, uint64_t size)
{
    if (size > SERVER_BODY_MOST)
        server_refuse(q, 413, "too-large", "the body has more than %d bytes, the most there can be", SERVER_BODY_MOST);
    else if (self->measures.body_bytes + size > SERVER_BODIES_MOST)
        server_refuse(q, 503, "busy", "too many large requests are on their way: ask again later");
    else
        return true;
    return false;
}

static uint64_t said_size(const server_request *q)
{
    const char *text = MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Content-Length");
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

static enum MHD_Result begin(server *self, struct MHD_Connection *connection, const char *url, const char *method,
                             void **context)
{
    server_request *q = calloc(1, sizeof *q);
    if (q == NULL)
        return MHD_NO;
    *context = q;
    q->server = self;
    q->connection = connection;
    q->begun = server_clock();
    atomic_fetch_add(&self->running, 1);
    size_t length = strlen(url);
    memcpy(q->path, url, length < SERVER_URI_MOST ? length : SERVER_URI_MOST);
    if (length > SERVER_URI_MOST)
        server_refuse(q, 414, "uri-too-long", "the path has %zu bytes, the most are %d", length, SERVER_URI_MOST);
    else
        server_find_route(q, method);
    if (!q->refused)
        server_guard(self, q);
    uint64_t size = said_size(q);
    bool fits = has_room(self, q, size);
    return fits || size <= SERVER_BODY_MOST ? MHD_YES : send_answer(self, q);
}

/* A piece of the body. A request that is refused already, or drips, does not hold its connection for ever. */
static enum MHD_Result take(server *self, server_request *q, const char *data, size_t *size)
{
    size_t n = *size;
    *size = 0;
    q->seen += n;
    if (q->seen > 2 * (size_t)SERVER_BODY_MOST || server_clock() - q->begun > (int64_t)SERVER_REQUEST_SECONDS * 1000000)
        return MHD_NO;
    if (q->refused || !has_room(self, q, q->used + n))
        return MHD_YES;
    if (q->used + n + 1 > q->room) {
        size_t room = 2 * q->room + n + 1;
        char *body = realloc(q->body, room);
        if (body == NULL)
            return MHD_NO;
        self->measures.body_bytes += room - q->room;
        q->body = body;
        q->room = room;
    }
    memcpy(q->body + q->used, data, n);
    q->used += n;
    q->body[q->used] = '\0';
    return MHD_YES;
}

/* All of the request is there. */
static enum MHD_Result finish(server *self, server_request *q)
{
    set_since(q->connection, 0);
    if (q->refused)
        return send_answer(self, q);
    pthread_mutex_lock(&self->lock);
    if (self->stopping)
        server_refuse(q, 503, "stopping", "the server is stopping");
    else
        q->route->run(self, q);
    q->waits = q->route->changes && !q->refused && service_pending(self->engine) > 0;
    if (q->waits)
        server_commit_wait(self, q);
    pthread_mutex_unlock(&self->lock);
    return q->waits ? MHD_YES : send_answer(self, q);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **request)
{
    server *self = context;
    server_request *q = *request;
    (void)version;
    if (q == NULL)
        return begin(self, connection, url, method, request);
    if (*size > 0)
        return take(self, q, data, size);
    return q->waits ? send_answer(self, q) : finish(self, q);
}

static void completed(void *context, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode code)
{
    server *self = context;
    server_request *q = *request;
    (void)code;
    if (q == NULL)
        return;
    set_since(connection, server_clock());
    self->measures.body_bytes -= q->room;
    if (q->response != NULL)
        MHD_destroy_response(q->response);
    service_text_free(&q->text);
    free(q->body);
    free(q);
    *request = NULL;
    atomic_fetch_sub(&self->running, 1);
}

/* ---- the thread ---- */

struct MHD_Daemon *server_daemon(server *self, int socket, unsigned connections)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, self, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_NOTIFY_COMPLETED, completed,
        self, MHD_OPTION_NOTIFY_CONNECTION, server_connected, self, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)SERVER_HEADERS_MOST, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}
