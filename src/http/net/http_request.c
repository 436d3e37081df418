/*
 * http_request.c: a request: its head and body are taken in, it is run, and its answer waits for what it changed to be
 * durable.
 *
 * A body that came together with its head is not copied: it is borrowed while the handler runs. A request that is
 * refused by its head is answered when its body, which is dropped, is over; one whose body is too large at once, and
 * its connection ends.
 *
 * Paper: none.
 * Check: tests/http/limits.py, tests/http/framing.py.
 */
#include "server_commits.h"

#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a request runs ---- */

void server_request_finish(server *self, server_request *q)
{
    bool durable = q->route == NULL || !q->route->changes || q->refused || service_pending(self->engine) == 0;
    server_connection *c = q->connection;
    bool waited = q->waits; /* so nobody works on the connection now, and what follows may be there already */
    q->waits = !durable;
    if (!durable)
        self->commits->wait(self, q);
    else
        server_request_send(self, q);
    if (durable && waited)
        server_connection_again(c);
}

static void run_now(server_connection *c)
{
    server *self = c->server;
    server_request *q = &c->request;
    if (!q->refused && !server_is_open(self) && q->route->role != SERVER_PUBLIC)
        server_refuse(q, 503, "starting", "the server is starting: ask again when /readyz says 200");
    else if (!q->refused)
        q->route->run(self, q);
    if (q->body != q->owned)
        q->body = NULL; /* what it points to goes */
    if (!q->waits)
        server_request_finish(self, q);
}

/* Into the queue, behind at most so many others. */
static void queue(server *self, server_request *q, size_t others)
{
    server_request **at = self->large != NULL && others == SIZE_MAX ? self->large_end : &self->large;
    for (; others > 0 && *at != NULL; others--)
        at = &(*at)->next;
    q->waits = true;
    q->next = *at;
    *at = q;
    if (q->next == NULL)
        self->large_end = &q->next;
}

void server_run_later(server_request *q, size_t rest)
{
    q->waits = server_keep_body(q);
    q->rest = q->waits ? rest : 0;
    if (!q->waits)
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
}

/* Requests with large bodies take milliseconds each: they run one per turn of the loop, so that those with small ones
   never wait for more than one of them. So do the rests of lists that took longer than a turn. Where others append to
   the log, too, all that could change something waits there for a turn on it. */
static void run(server_connection *c)
{
    server_request *q = &c->request;
    bool turn = server_turns_queues(c->server) && q->route != NULL && q->route->changes;
    if (turn && !q->refused && !server_keep_body(q))
        server_refuse(q, 503, service_code_word(SERVICE_MEMORY), "out of memory");
    bool light = q->refused || (q->used <= SERVER_BODY_LIGHT && !turn) || !server_keep_body(q);
    c->state = SERVER_RUNS;
    if (light)
        run_now(c);
    if (!light || q->rest > 0)
        queue(c->server, q, SIZE_MAX);
}

/* A list that is not done lets some others go on before it does; not all of them, since each holds its answer. */
void server_run_large(server *self)
{
    server_request *q = self->large;
    if (q == NULL)
        return;
    self->large = q->next;
    q->waits = false;
    if (q->connection->socket < 0) {
        server_bury(q->connection);
        return;
    }
    run_now(q->connection);
    if (q->rest > 0)
        queue(self, q, SERVER_LISTS_MOST - 1);
    else
        server_connection_again(q->connection); /* what follows it may be there already */
}

void server_lists_refuse(server *self)
{
    for (server_request *q = self->large; q != NULL; q = q->next)
        if (q->rest > 0) {
            q->rest = 0;
            server_refuse(q, 503, service_code_word(SERVICE_STORE), "the log was replaced: ask again");
        }
}

void server_drop_large(server *self)
{
    for (server_request *q = self->large, *next; q != NULL; q = next) {
        next = q->next;
        q->waits = false;
        if (q->connection->socket < 0)
            server_bury(q->connection);
    }
    self->large = NULL;
}

/* The answer goes out before the request is whole, and is the last of its connection. */
static void answer_early(server_connection *c)
{
    c->request.keep = false;
    run(c);
}

bool server_keep_body(server_request *q)
{
    if (q->owned != NULL || q->body == NULL)
        return true;
    q->owned = malloc(q->used + 1);
    if (q->owned == NULL)
        return false;
    memcpy(q->owned, q->body, q->used + 1);
    q->room = q->used + 1;
    q->server->measures.body_bytes += q->room;
    q->body = q->owned;
    return true;
}

/* ---- bodies ---- */

/* Refuses a body of that size where it cannot be taken in. */
static bool check_room(server *self, server_request *q, uint64_t size)
{
    if (size > SERVER_BODY_MOST)
        server_refuse(q, 413, "too-large", "the body has more than %d bytes, the most that is allowed",
                      SERVER_BODY_MOST);
    else if (size > SERVER_BODY_SMALL && self->measures.body_bytes + size > SERVER_BODIES_MOST)
        server_refuse(q, 503, "busy", "too many large requests are on their way: ask again later");
    else
        return true;
    return false;
}

static void append(server *self, server_request *q, const char *bytes, size_t n)
{
    q->seen += n;
    if (q->refused || !check_room(self, q, q->used + n))
        return;
    size_t before = q->room;
    if (!common_grow(&q->owned, &q->room, q->used + n + 1, 1)) {
        server_refuse(q, 503, "out-of-memory", "out of memory");
        return;
    }
    self->measures.body_bytes += q->room - before;
    q->body = q->owned;
    memcpy(q->owned + q->used, bytes, n);
    q->used += n;
    q->owned[q->used] = '\0';
}

/* Takes *used of the bytes as chunks of the body. False: it is not whole yet. */
static bool take_chunks(server_connection *c, const char *bytes, size_t size, size_t *used)
{
    server_request *q = &c->request;
    for (*used = 0; *used < size;) {
        size_t taken, n;
        http_chunk what = http_parse_chunk(&c->chunks, bytes + *used, size - *used, &taken, &n);
        *used += taken;
        if (what == HTTP_CHUNK_DATA)
            append(c->server, q, bytes + *used - n, n);
        if (what == HTTP_CHUNK_END)
            return true;
        if (what == HTTP_CHUNK_WRONG)
            server_refuse(q, 400, "bad-request", "the chunks of the body are malformed");
        if (what == HTTP_CHUNK_WRONG || q->seen > SERVER_BODY_MOST) {
            q->keep = false;
            return true;
        }
    }
    return false;
}

/* Takes *used of the bytes as body, and runs the request when it is whole. */
void server_take_body(server_connection *c, const char *bytes, size_t size, size_t *used)
{
    server_request *q = &c->request;
    if (c->chunked) {
        if (take_chunks(c, bytes, size, used))
            run(c);
        return;
    }
    *used = c->length - q->seen < size ? (size_t)(c->length - q->seen) : size;
    append(c->server, q, bytes, *used);
    if (q->seen == c->length)
        run(c);
}

/* ---- heads ---- */

static bool is_sane(const char *id)
{
    size_t n = id != NULL ? strspn(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.:/+=@") : 0;
    return n > 0 && n <= SERVER_ID_MOST && id[n] == '\0';
}

static void name_request(server *self, server_request *q)
{
    const char *given = http_field_of(&self->head, "X-Request-Id");
    if (is_sane(given))
        memcpy(q->id, given, strlen(given) + 1);
    else
        snprintf(q->id, sizeof q->id, "%llx-%llx", (unsigned long long)self->started, (unsigned long long)++self->ids);
}

static const char *code_of(unsigned status)
{
    return status == 414 ? "uri-too-long" : status == 431 ? "headers-too-large" : "bad-request";
}

/* What the head says; whether the body may come. */
static void read_head(server *self, server_connection *c, http_result result)
{
    const http_head *head = &self->head;
    server_request *q = &c->request;
    q->begun = server_clock();
    q->engine = self->engine;
    q->old = head->old;
    q->keep = result == HTTP_WHOLE && head->keep;
    name_request(self, q);
    c->chunked = head->chunked;
    c->chunks = (http_chunks){0};
    c->length = head->length;
    if (result == HTTP_WRONG) {
        server_refuse(q, head->status, code_of(head->status), "%s", head->wrong);
        return;
    }
    size_t length = strlen(head->path);
    memcpy(q->path, head->path, length <= SERVER_URI_MOST ? length : SERVER_URI_MOST);
    q->only_head = strcmp(head->method, "HEAD") == 0;
    if (head->query != NULL && (q->query = strdup(head->query)) == NULL)
        server_refuse(q, 503, "out-of-memory", "out of memory");
    else if (length > SERVER_URI_MOST)
        server_refuse(q, 414, "uri-too-long", "the path has %zu bytes, must have at most %d", length, SERVER_URI_MOST);
    else
        server_find_route(q, head->method);
    if (!q->refused && server_guard(self, q, head))
        server_check_query(q);
}

/* The body that begins behind the head, as far as it is there. */
static void begin_body(server *self, server_connection *c, char *bytes, size_t size, size_t *used)
{
    static const common_text none;
    common_text go_on = {.data = (char[]){"HTTP/1.1 100 Continue\r\n\r\n"}, .used = 25};
    server_request *q = &c->request;
    bool fits = c->chunked || check_room(self, q, c->length);
    bool whole = !c->chunked && c->length <= size, waits = self->head.expects && size == 0 && !whole;
    *used = 0;
    c->state = SERVER_BODY;
    if ((!fits && c->length > SERVER_BODY_MOST) || (waits && q->refused)) {
        answer_early(c);
    } else if (whole) {
        char after = bytes[c->length];
        bytes[c->length] = '\0';
        q->body = bytes;
        q->used = *used = (size_t)c->length;
        run(c);
        bytes[*used] = after;
    } else {
        server_take_body(c, bytes, size, used);
        if (waits && c->socket >= 0 && server_send_both(c, &go_on, &none) && c->out.used > 0)
            server_disconnect(c);
    }
}

/* A request from the bytes, of which `seen` were looked at before: *used of them are taken. False: there is no whole
   head yet. */
bool server_begin(server_connection *c, char *bytes, size_t size, size_t seen, size_t *used)
{
    server *self = c->server;
    http_result result = http_parse_head(&self->head, bytes, size, seen);
    *used = 0;
    if (result == HTTP_MORE)
        return false;
    read_head(self, c, result);
    if (result == HTTP_WRONG) {
        *used = size;
        answer_early(c);
        return true;
    }
    size_t head = self->head.size;
    begin_body(self, c, bytes + head, size - head, used);
    *used += head;
    return true;
}
