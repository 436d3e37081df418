/*
 * connections.c: the roll of open connections, to cut off those that take too long over a request.
 *
 * The library closes a connection on which nothing moves. One that moves a byte now and then, and so never gets a request
 * whole, is closed from here.
 *
 * Paper: none.
 * Cost: a look at every connection per second, with a lock of its own.
 * Check: tests/http/limits.py, tests/http/drip.py.
 */
#include "inside.h"

#include <stdlib.h>
#include <sys/socket.h>

server_connection *server_connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void enter(server *self, struct MHD_Connection *connection, void **context)
{
    server_connection *c = *context = calloc(1, sizeof *c);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (c == NULL)
        return;
    c->socket = info != NULL ? info->connect_fd : -1;
    atomic_init(&c->since, server_clock());
    c->after = self->connections;
    if (c->after != NULL)
        c->after->before = c;
    self->connections = c;
}

static void leave(server *self, server_connection *c)
{
    if (c == NULL)
        return;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        self->connections = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    free(c);
}

void server_connected(void *context, struct MHD_Connection *connection, void **socket_context,
                      enum MHD_ConnectionNotificationCode code)
{
    server *self = context;
    bool begins = code == MHD_CONNECTION_NOTIFY_STARTED;
    self->measures.connections += begins ? 1 : (uint64_t)-1;
    pthread_mutex_lock(&self->roll);
    if (begins)
        enter(self, connection, socket_context);
    else
        leave(self, *socket_context);
    pthread_mutex_unlock(&self->roll);
    if (!begins)
        *socket_context = NULL;
}

/* Whether the client has closed its side, and nothing of it is left to read. */
static bool has_gone(int socket)
{
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Sockets are closed by their owner, which sees that they have ended. It does not always see by itself that a client
   went in the middle of a request: an end that comes together with the last bytes makes no event of its own. */
void server_sweep(server *self, int seconds)
{
    int64_t limit = server_clock() - (int64_t)seconds * 1000000;
    pthread_mutex_lock(&self->roll);
    for (server_connection *c = self->connections; c != NULL; c = c->after) {
        int64_t since = atomic_load(&c->since);
        if (since != 0 && (since < limit || has_gone(c->socket)))
            shutdown(c->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&self->roll);
}
