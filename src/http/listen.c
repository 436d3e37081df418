/*
 * listen.c: the address to listen on, and the names by which it may be called.
 *
 * Without tokens only loopback is listened on. A page of somebody else's can have its own name resolve to 127.0.0.1
 * (DNS rebinding); what its script then asks carries that name as Host, so on loopback only known names are answered.
 *
 * Paper: none.
 * Check: tests/http/guard.py.
 */
#include "inside.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int fail(roster_error *err, const char *listen, const char *what)
{
    err->code = ROSTER_EINVAL;
    snprintf(err->msg, sizeof err->msg, "--listen %.120s: %.300s", listen, what);
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
    return fail(err, listen_text, strerror(why));
}

/* What it is called, with the port that was free where any would do. */
static void name_socket(server *self, int s)
{
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    char host[64] = "", port[8] = "";
    getsockname(s, (struct sockaddr *)&own, &size);
    getnameinfo((struct sockaddr *)&own, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(self->address, sizeof self->address, own.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

int server_listen(server *self, roster_error *err)
{
    const char *text = self->options->listen, *port;
    char host[256];
    if (take_apart(text, host, sizeof host, &port) != 0)
        return fail(err, text, "must be ADDRESS:PORT, such as 127.0.0.1:7700 or [::1]:7700");
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found;
    int why = getaddrinfo(host, port, &wanted, &found);
    if (why != 0)
        return fail(err, text, gai_strerror(why));
    self->loopback = is_loopback(found->ai_addr);
    int s = -1;
    if (!self->loopback && self->tokens.n == 0)
        fail(err, text,
             "is not on loopback, so that everybody could decide and change campaigns: give --tokens FILE as well, "
             "or listen on 127.0.0.1");
    else
        s = open_socket(found, text, err);
    freeaddrinfo(found);
    if (s >= 0)
        name_socket(self, s);
    return s;
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
    rlim_t most = files.rlim_cur > 2 * OWN ? files.rlim_cur - OWN : OWN;
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

bool server_knows_host(const server *self, const char *host)
{
    const char *port = strrchr(host, ':');
    size_t length = port != NULL && strchr(port, ']') == NULL ? (size_t)(port - host) : strlen(host);
    return !self->loopback || is_listed("localhost,127.0.0.1,[::1]", host, length) ||
           is_listed(self->options->hosts, host, length) || strcasecmp(host, self->address) == 0;
}
