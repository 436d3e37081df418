/*
 * http_send.c: answers on their way to the client: at once where the socket takes them, else as it does; streams piece
 * by piece, each when the one before is gone.
 *
 * Paper: none.
 * Check: tests/http/events.py: streams whole, to clients that do not read.
 */
#define _GNU_SOURCE
#include "http_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static server_connection *largest(const server *self)
{
    server_connection *found = NULL;
    for (server_connection *c = self->connections; c != NULL; c = c->after)
        if (c->state == SERVER_SENDS && c->unsent > (found != NULL ? found->unsent : 0))
            found = c;
    return found;
}

/* Counts what waits for the client. Where that is too much in all, the connections with the most are given up. */
static void count_unsent(server_connection *c)
{
    server *self = c->server;
    server_connection *goes;
    if (c->socket < 0)
        return;
    size_t unsent = c->out.room + (c->request.stream != NULL ? c->request.stream->bytes : 0);
    self->measures.unsent_bytes += unsent - c->unsent;
    c->unsent = unsent;
    while (self->measures.unsent_bytes > SERVER_UNSENT_MOST && (goes = largest(self)) != NULL)
        server_disconnect(goes);
}

static void answer_done(server_connection *c)
{
    bool keep = c->request.keep;
    server_request_reset(c);
    common_text_free(&c->out);
    count_unsent(c);
    c->sent = 0;
    c->since = c->moved = server_clock();
    c->state = keep ? SERVER_HEAD : SERVER_LINGERS;
    if (!keep)
        shutdown(c->socket, SHUT_WR);
}

/* Sends what it can of the two texts; the rest waits in c->out. False: the connection is gone. */
bool server_send_both(server_connection *c, const common_text *head, const common_text *body)
{
    struct iovec parts[2] = {{head->data, head->used}, {body->data, body->used}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = body->used > 0 ? 2 : 1};
    size_t all = head->used + body->used, sent = 0;
    ssize_t n;
    do
        n = sendmsg(c->socket, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        server_disconnect(c);
        return false;
    }
    sent = n > 0 ? (size_t)n : 0;
    c->writable = sent == all;
    if (sent < head->used)
        common_put(&c->out, head->data + sent, head->used - sent);
    size_t done = sent > head->used ? sent - head->used : 0;
    if (done < body->used)
        common_put(&c->out, body->data + done, body->used - done);
    if (c->out.failed)
        server_disconnect(c);
    count_unsent(c);
    return c->socket >= 0;
}

void server_request_send(server *self, server_request *q)
{
    static const common_text none;
    common_text head = {0};
    server_connection *c = q->connection;
    q->waits = false;
    if (c->socket < 0) {
        server_bury(c);
        return;
    }
    q->header = q->failed ? NULL : q->header; /* of the answer that it cannot be */
    if (q->failed)
        server_refuse(q, 503, "store",
                      "the log cannot be written, so the outcome of this request is unknown: send it again later");
    if ((q->only_head || q->failed) && q->stream != NULL) {
        q->stream->free(q->stream);
        q->stream = NULL;
    }
    q->keep = q->keep && self->phase < SERVER_FINISHING && !(q->old && q->stream != NULL);
    server_put_head(self, q, &head);
    if (q->stream == NULL)
        server_answered(self, q); /* a stream when it ends */
    c->state = SERVER_SENDS;
    c->moved = server_clock();
    if (q->text.failed || head.failed || q->status == 0)
        server_disconnect(c);
    else if (server_send_both(c, &head, q->only_head ? &none : &q->text)) {
        common_text_free(&q->text); /* what is left of it is in c->out */
        if (c->out.used == 0 && q->stream == NULL)
            answer_done(c);
    }
    common_text_free(&head);
}

/* The next piece of a stream into c->out. */
static void next_piece(server_connection *c)
{
    server_request *q = &c->request;
    common_text piece = {0};
    char size[24];
    server_piece what = q->stream->next(q->stream, &piece);
    if (piece.used > 0 && !q->old) {
        common_put(&c->out, size, (size_t)snprintf(size, sizeof size, "%zx\r\n", piece.used));
        common_put(&c->out, piece.data, piece.used);
        common_put_text(&c->out, "\r\n");
    } else if (piece.used > 0) {
        common_put(&c->out, piece.data, piece.used);
    }
    if (what == SERVER_PIECE_LAST) {
        common_put_text(&c->out, q->old ? "" : "0\r\n\r\n");
        q->stream->free(q->stream);
        q->stream = NULL;
    }
    if (what == SERVER_PIECE_WRONG || piece.failed || c->out.failed) {
        server_disconnect(c);
    } else if (what == SERVER_PIECE_WAITS) {
        q->waits = true;
        c->state = SERVER_RUNS;
    }
    common_text_free(&piece);
    count_unsent(c);
}

void server_stream_go_on(server_request *q)
{
    server_connection *c = q->connection;
    q->waits = false;
    if (c->socket < 0) {
        server_bury(c);
        return;
    }
    c->state = SERVER_SENDS;
    c->moved = server_clock();
    server_connection_again(c);
}

/* Some bytes: a client that takes them as they come would else keep all others waiting. */
bool server_step_send(server_connection *c)
{
    enum { SOME = 256 << 10 };
    size_t left = c->out.used - c->sent;
    if (c->sent == c->out.used && c->request.stream != NULL) {
        common_text_clear(&c->out);
        c->sent = 0;
        next_piece(c);
        return c->socket >= 0 && c->state == SERVER_SENDS;
    }
    if (c->sent < c->out.used && !c->writable)
        return false;
    ssize_t n = left > 0 ? send(c->socket, c->out.data + c->sent, left < SOME ? left : SOME, MSG_NOSIGNAL) : 0;
    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0) {
        c->writable = false;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            server_disconnect(c);
        return false;
    }
    c->sent += (size_t)n;
    c->moved = server_clock();
    if (c->sent == c->out.used && c->request.stream == NULL)
        answer_done(c);
    return c->socket >= 0;
}
