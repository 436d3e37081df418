/*
 * http_listen.c: the addresses to listen on, and the names by which the server may be called there.
 *
 * Without tokens only loopback is listened on. A page of somebody else's can have its own name resolve to 127.0.0.1
 * (DNS rebinding); what its script then asks carries that name as Host, so on loopback only known names are answered.
 *
 * A socket of the file system (unix:PATH) is reached by users who may open it, and by no page: any name will do there.
 *
 * Paper: none.
 * Check: tests/http/guard.py, tests/http/listeners.py.
 */
#define _GNU_SOURCE
#include "http_internal.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(roster_error *err, const char *listen, const char *what)
{
    common_fail(err, ROSTER_EINVAL, "--listen %.120s: %.300s", listen, what);
    return -1;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return ntohl(in.sin_addr.s_addr) >> 24 == 127;
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

/* "127.0.0.1:7700", "[::1]:7700". */
static int take_apart(const char *listen, char *host, size_t size, const char **port)
{
    const char *colon = strrchr(listen, ':');
    if (colon == NULL || colon == listen || colon[1] == '\0' || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return -1;
    bool bracketed = listen[0] == '[' && colon[-1] == ']';
    size_t length = (size_t)(colon - listen) - (bracketed ? 2 : 0);
    if (length == 0 || length >= size || (!bracketed && memchr(listen, ':', length) != NULL))
        return -1;
    memcpy(host, listen + bracketed, length);
    host[length] = '\0';
    *port = colon + 1;
    return 0;
}

static int open_socket(const struct addrinfo *at, const char *listen_text, roster_error *err)
{
    int on = 1, s = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s >= 0)
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s >= 0 && bind(s, at->ai_addr, at->ai_addrlen) == 0 && listen(s, 1024) == 0)
        return s;
    int why = errno;
    if (s >= 0)
        close(s);
    return fail(err, listen_text,
                why == EADDRINUSE ? "another program listens there: stop it, or choose another port" : strerror(why));
}

/* What it is called, with the port that was free where any would do. */
static void name_socket(server_listener *listener)
{
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    char host[64] = "", port[8] = "";
    getsockname(listener->socket, (struct sockaddr *)&own, &size);
    getnameinfo((struct sockaddr *)&own, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(listener->address, sizeof listener->address, own.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

static int listen_on_address(server *self, server_listener *listener, const char *text, roster_error *err)
{
    const char *port;
    char host[256];
    if (take_apart(text, host, sizeof host, &port) != 0)
        return fail(err, text, "must be ADDRESS:PORT or unix:PATH, such as 127.0.0.1:7700 or [::1]:7700");
    if (strlen(port) > 5 || atoi(port) > 65535) /* getaddrinfo would take the lowest 16 bits */
        return fail(err, text, "the port must be at most 65535");
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found;
    int why = getaddrinfo(host, port, &wanted, &found);
    if (why != 0)
        return fail(err, text, gai_strerror(why));
    listener->loopback = is_loopback(found->ai_addr);
    if (!listener->loopback && self->options->tokens == NULL)
        fail(err, text,
             "is not on loopback, so any client could decide and change campaigns: add --tokens FILE, "
             "or listen on 127.0.0.1");
    else
        listener->socket = open_socket(found, text, err);
    freeaddrinfo(found);
    if (listener->socket >= 0)
        name_socket(listener);
    return listener->socket;
}

/* A socket that a server left behind when it was killed goes; one on which somebody listens, or another file, stays. */
static int clear_path(const char *text, const struct sockaddr_un *at, roster_error *err)
{
    struct stat there;
    if (lstat(at->sun_path, &there) != 0)
        return 0;
    if (!S_ISSOCK(there.st_mode))
        return fail(err, text, "there is another file at that path");
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answers = s >= 0 && (connect(s, (const struct sockaddr *)at, sizeof *at) == 0 || errno != ECONNREFUSED);
    if (s >= 0)
        close(s);
    if (answers)
        return fail(err, text, "another program listens there: stop it, or choose another path");
    return unlink(at->sun_path) == 0 ? 0 : fail(err, text, strerror(errno));
}

/* Who may connect is a matter of permissions: the owner and the group of the process. */
static int listen_on_path(server_listener *listener, const char *text, roster_error *err)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const char *path = text + strlen("unix:");
    if (*path == '\0' || strlen(path) >= sizeof at.sun_path || strlen(text) >= sizeof listener->address)
        return fail(err, text, "the path of a socket must have 1 to 107 bytes");
    memcpy(at.sun_path, path, strlen(path) + 1);
    if (clear_path(text, &at, err) != 0)
        return -1;
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof at) != 0 || chmod(path, 0660) != 0 || listen(s, 1024) != 0) {
        int why = errno;
        if (s >= 0)
            close(s);
        return fail(err, text, strerror(why));
    }
    listener->socket = s;
    listener->local = true;
    memcpy(listener->address, text, strlen(text) + 1);
    return s;
}

static int listen_on(server *self, const char *text, roster_error *err)
{
    if (self->n_listeners == SERVER_LISTENERS_MOST)
        return fail(err, text, "at most 16 addresses can be given");
    server_listener *listener = &self->listeners[self->n_listeners];
    *listener = (server_listener){.source = SERVER_LISTENER, .socket = -1};
    int s = strncmp(text, "unix:", 5) == 0 ? listen_on_path(listener, text, err)
                                           : listen_on_address(self, listener, text, err);
    self->n_listeners += s >= 0;
    return s >= 0 ? ROSTER_OK : err->code;
}

int server_listen(server *self, roster_error *err)
{
    int code = ROSTER_OK;
    for (const char *at = self->options->listen; code == ROSTER_OK && *at != '\0'; at += *at == ',') {
        char text[256];
        size_t n = strcspn(at, ",");
        snprintf(text, sizeof text, "%.*s", (int)(n < 255 ? n : 255), at);
        code = listen_on(self, text, err);
        at += n;
    }
    self->connections_most = server_connections();
    if (code == ROSTER_OK && self->n_listeners == 0)
        fail(err, "", "must be ADDRESS:PORT or unix:PATH");
    server_accept_again(self);
    return self->n_listeners == 0 ? ROSTER_EINVAL : code;
}

void server_unlisten(server *self)
{
    for (size_t i = 0; i < self->n_listeners; i++) {
        server_listener *listener = &self->listeners[i];
        if (listener->socket >= 0 && listener->local)
            unlink(listener->address + strlen("unix:"));
        if (listener->socket >= 0)
            close(listener->socket);
        listener->socket = -1;
    }
}

/* ---- accepting ---- */

static void set_accepting(server *self, bool accepts)
{
    for (size_t i = 0; i < self->n_listeners && accepts != self->accepts; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &self->listeners[i]};
        if (self->listeners[i].socket >= 0)
            epoll_ctl(self->poll, accepts ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, self->listeners[i].socket, &event);
    }
    self->accepts = accepts;
}

void server_accept_again(server *self)
{
    if (!self->accepts)
        set_accepting(self, true);
}

static void name_peer(const struct sockaddr_storage *from, socklen_t size, char *to, size_t room)
{
    char host[48] = "", port[8] = "";
    if (from->ss_family == AF_UNIX || getnameinfo((const struct sockaddr *)from, size, host, sizeof host, port,
                                                  sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        snprintf(to, room, "unix");
    else
        snprintf(to, room, from->ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

void server_accept(server *self, server_listener *listener)
{
    while (listener->socket >= 0) {
        bool full = self->measures.connections >= self->connections_most;
        server_connection *leaves = full ? server_longest_idle(self) : NULL;
        if (full && leaves == NULL)
            break;
        struct sockaddr_storage from = {.ss_family = AF_UNIX};
        socklen_t size = sizeof from;
        char peer[64];
        int on = 1, s = accept4(listener->socket, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (s < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (s < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (s < 0)
            break;
        if (!listener->local)
            setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        name_peer(&from, size, peer, sizeof peer);
        if (leaves != NULL)
            server_disconnect(leaves);
        server_connect(self, listener, s, peer);
    }
    /* Too many of which none can go, or no more files: until a connection ends, or a second later. */
    set_accepting(self, false);
}

unsigned server_connections(void)
{
    enum { OWN = 64 }; /* files of the log, and what a program has open anyway */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return 256;
    if (files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max < 65536 ? files.rlim_max : 65536;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    rlim_t most = files.rlim_cur > 2 * OWN ? files.rlim_cur - OWN : files.rlim_cur / 2;
    return most < SERVER_CONNECTIONS_MOST ? (unsigned)most : SERVER_CONNECTIONS_MOST;
}

/* Whether one of the names in the list, commas between, is this one. */
static bool is_listed(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at != NULL && *at != '\0'; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n == length && strncasecmp(at, name, n) == 0)
            return true;
        at += n;
    }
    return false;
}

int server_check_hosts(const char *hosts, roster_error *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    for (const char *at = hosts; at != NULL;) {
        size_t n = strcspn(at, ","), good = strspn(at, plain);
        if (*at == '[') /* an address of IPv6 */
            good = strspn(at + 1, "0123456789abcdefABCDEF:.") + 1, good += at[good] == ']';
        if (n == 0 || good < n || (*at == '[' && at[n - 1] != ']'))
            return common_fail(err, ROSTER_EINVAL,
                               "--host %.*s: must be a name without port or path, such as roster.example.org",
                               (int)(n < 200 ? n : 200), at);
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return ROSTER_OK;
}

bool server_knows_host(const server *self, const server_listener *listener, const char *host)
{
    const char *port = strrchr(host, ':');
    bool numbered = port != NULL && strspn(port + 1, "0123456789") == strlen(port + 1);
    size_t length = numbered ? (size_t)(port - host) : strlen(host);
    return !listener->loopback || is_listed("localhost,127.0.0.1,[::1]", host, length) ||
           is_listed(self->options->hosts, host, length) || strcasecmp(host, listener->address) == 0;
}
