/*
 * http_connection.c: a connection: requests come in, run, and their answers go out, one after another.
 *
 *   HEAD -> BODY -> RUNS -> SENDS -> HEAD ..        one request; pipelined ones wait in c->in
 *                                 -> LINGERS        the last answer was sent: what still comes is dropped
 *
 * epoll reports every change once (edge triggered), so what it said is kept in `readable` and `writable` until a call
 * on the socket says otherwise. Nothing is read while an answer is not yet sent: a client that does not take its
 * answers is not listened to. An idle connection has no buffers.
 *
 * A request may outlive its connection while a commit or a job holds it (request.waits); it is freed after that.
 *
 * Paper: none.
 * Cost: two system calls per request that comes whole: recv and sendmsg.
 * Check: tests/http/limits.py, connections.py, drip.py.
 */
#define _GNU_SOURCE
#include "http_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STEPS_PER_TURN = 16, PIPELINED_AT_ONCE = 8, LINGER_BYTES = 64 << 20 };

/* ---- the life of a connection ---- */

void server_connect(server *self, const server_listener *listener, int socket, const char *peer)
{
    server_connection *c = malloc(sizeof *c);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
    if (c == NULL || epoll_ctl(self->poll, EPOLL_CTL_ADD, socket, &event) != 0) {
        free(c);
        close(socket);
        return;
    }
    memset(c, 0, offsetof(server_connection, request));
    c->request = (server_request){.server = self, .connection = c};
    c->source = SERVER_CONNECTION;
    c->socket = socket;
    c->server = self;
    c->listener = listener;
    snprintf(c->peer, sizeof c->peer, "%s", peer);
    c->since = c->moved = server_clock();
    c->after = self->connections;
    if (c->after != NULL)
        c->after->before = c;
    self->connections = c;
    self->measures.connections++;
}

void server_request_reset(server_connection *c)
{
    server_request *q = &c->request;
    if (q->begun > 0)
        server_answered(c->server, q);
    if (q->stream != NULL)
        q->stream->free(q->stream);
    c->server->measures.streams -= q->streams;
    c->server->measures.body_bytes -= q->room;
    common_text_free(&q->text);
    free(q->owned);
    free(q->query);
    *q = (server_request){.server = c->server, .connection = c};
}

/* Frees it at the end of this turn; until then events of this turn may point to it. */
void server_bury(server_connection *c)
{
    server_request_reset(c);
    c->after = c->server->dead;
    c->server->dead = c;
}

void server_disconnect(server_connection *c)
{
    server *self = c->server;
    if (c->socket < 0)
        return;
    /* A child that was just made may have it open still, and then closing alone would not take it out. */
    epoll_ctl(self->poll, EPOLL_CTL_DEL, c->socket, NULL);
    close(c->socket);
    c->socket = -1;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        self->connections = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    self->measures.connections--;
    self->measures.unsent_bytes -= c->unsent;
    c->unsent = 0;
    if (!c->request.waits)
        server_bury(c);
    server_accept_again(self);
}

void server_free_dead(server *self)
{
    server_connection **at = &self->dead;
    while (*at != NULL) {
        server_connection *c = *at;
        if (c->again) { /* still in that list */
            at = &c->after;
            continue;
        }
        *at = c->after;
        common_text_free(&c->out);
        free(c->in);
        free(c);
    }
}

void server_connection_again(server_connection *c)
{
    if (c->again || c->socket < 0)
        return;
    server *self = c->server;
    c->again = true;
    c->next_again = NULL;
    *(self->again == NULL ? &self->again : self->again_end) = c;
    self->again_end = &c->next_again;
}

bool server_is_busy(const server_connection *c, bool also_begun)
{
    bool waits = c->state == SERVER_HEAD && c->again; /* epoll told about it, its turn comes */
    return waits || c->state == SERVER_RUNS || c->state == SERVER_SENDS ||
           (also_begun && (c->state == SERVER_BODY || (c->state == SERVER_HEAD && c->at < c->used)));
}

void server_sweep(server *self, int64_t now)
{
    enum { SECOND = 1000000 };
    for (server_connection *c = self->connections, *after; c != NULL; c = after) {
        after = c->after;
        int64_t limit = c->state == SERVER_LINGERS ? SERVER_LINGER_SECONDS : SERVER_REQUEST_SECONDS;
        int64_t since = c->state == SERVER_BODY ? c->request.begun : c->since;
        bool late = c->state != SERVER_RUNS && c->state != SERVER_SENDS && now - since > limit * SECOND;
        bool idle = c->state != SERVER_RUNS && now - c->moved > (int64_t)SERVER_IDLE_SECONDS * SECOND;
        if ((late || idle) && !c->again)
            server_disconnect(c);
    }
}

server_connection *server_longest_idle(server *self)
{
    enum { SECOND = 1000000 };
    server_connection *found = NULL;
    int64_t before = server_clock() - SECOND;
    for (server_connection *c = self->connections; c != NULL; c = c->after)
        if (c->state == SERVER_HEAD && !c->again && c->since < before) {
            before = c->since;
            found = c;
        }
    return found;
}

/* ---- bytes in ---- */

/* As recv; 0: nothing is there now, or the client has ended. The connection may be gone afterwards. */
static size_t receive(server_connection *c, char *to, size_t room)
{
    ssize_t n;
    do
        n = recv(c->socket, to, room, 0);
    while (n < 0 && errno == EINTR);
    if (n > 0) {
        c->moved = server_clock();
        c->readable = (size_t)n == room || c->ended;
        return (size_t)n;
    }
    c->readable = false;
    if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
        server_disconnect(c); /* it ended between requests, or within one that now never gets whole */
    return 0;
}

/* Bytes that are not used yet stay with the connection. */
static void save(server_connection *c, const char *bytes, size_t size, bool seen)
{
    size_t room = size < 1024 ? 1024 : size;
    c->in = malloc(room + 1);
    if (c->in == NULL) {
        server_disconnect(c);
        return;
    }
    memcpy(c->in, bytes, size);
    c->room = room;
    c->at = 0;
    c->used = size;
    c->seen = seen ? size : 0;
}

static void drop_input(server_connection *c)
{
    free(c->in);
    c->in = NULL;
    c->at = c->used = c->room = c->seen = 0;
}

/* Room for the rest of a head behind what is there. */
static bool make_room(server_connection *c)
{
    memmove(c->in, c->in + c->at, c->used - c->at);
    c->used -= c->at;
    c->at = 0;
    if (c->used < c->room)
        return true;
    size_t room = 2 * c->room < HTTP_HEAD_MOST ? 2 * c->room : HTTP_HEAD_MOST;
    char *in = room > c->used ? realloc(c->in, room + 1) : NULL;
    if (in == NULL) {
        server_disconnect(c);
        return false;
    }
    c->in = in;
    c->room = room;
    return true;
}

/* ---- steps ---- */

/* From what came before; more is read where a head is not whole. */
static bool step_saved(server_connection *c)
{
    size_t used;
    if (server_begin(c, c->in + c->at, c->used - c->at, c->seen, &used)) {
        c->at += used;
        c->seen = 0;
        if (c->at >= c->used || c->state == SERVER_LINGERS)
            drop_input(c);
        return c->socket >= 0;
    }
    c->seen = c->used - c->at;
    if (!c->readable || !make_room(c))
        return false;
    size_t n = receive(c, c->in + c->used, c->room - c->used);
    if (c->socket >= 0)
        c->used += n;
    return n > 0;
}

static bool step_head(server_connection *c)
{
    if (c->at < c->used)
        return step_saved(c);
    if (!c->readable)
        return false;
    char *bytes = c->server->input;
    size_t n = receive(c, bytes, SERVER_READ_MOST), at = 0, used;
    bool begun = true;
    for (int i = 0; i < PIPELINED_AT_ONCE && at < n && begun && c->socket >= 0 && c->state == SERVER_HEAD; i++) {
        begun = server_begin(c, bytes + at, n - at, 0, &used);
        at += used;
        if (server_clock() > c->server->turn_end)
            break;
    }
    if (at < n && c->socket >= 0 && c->state != SERVER_LINGERS)
        save(c, bytes + at, n - at, !begun);
    return n > 0 && c->socket >= 0;
}

static bool step_body(server_connection *c)
{
    server_request *q = &c->request;
    uint64_t left = c->chunked ? SERVER_READ_MOST : c->length - q->seen;
    char *bytes = c->server->input;
    if (!c->readable)
        return false;
    size_t n = receive(c, bytes, left < SERVER_READ_MOST ? (size_t)left : SERVER_READ_MOST), used = 0;
    if (n == 0)
        return false;
    server_take_body(c, bytes, n, &used);
    if (used < n && c->socket >= 0 && c->state != SERVER_LINGERS)
        save(c, bytes + used, n - used, false);
    return c->socket >= 0;
}

static bool step_linger(server_connection *c)
{
    if (c->in != NULL)
        drop_input(c);
    if (!c->readable)
        return false;
    size_t n = receive(c, c->server->input, SERVER_READ_MOST);
    c->seen += n;
    if (n > 0 && c->seen > LINGER_BYTES)
        server_disconnect(c);
    return n > 0 && c->socket >= 0;
}

void server_connection_work(server_connection *c)
{
    for (int i = 0; i < STEPS_PER_TURN; i++) {
        bool more = c->socket >= 0 && (c->state == SERVER_HEAD      ? step_head(c)
                                       : c->state == SERVER_BODY    ? step_body(c)
                                       : c->state == SERVER_SENDS   ? server_step_send(c)
                                       : c->state == SERVER_LINGERS ? step_linger(c)
                                                                    : false);
        if (!more)
            return;
        if (server_clock() > c->server->turn_end)
            break;
    }
    server_connection_again(c);
}
