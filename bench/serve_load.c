/*
 * serve_load.c: load for an HTTP server from one thread: `load PORT CONNECTIONS SECONDS get|one|many`.
 *
 * Every connection asks, waits for the whole answer, and asks again. `get` asks for /; `one` decides and then tells the
 * reward, event by event; `many` does so for 100 events per request. Prints decisions and rewards (or requests) per
 * second and percentiles of the time that a request takes.
 *
 * Paper: none.
 * Check: tools/bench-serve compares its counts with the server's.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 100, ROOM = 64 << 10, SLOTS = 100000 }; /* a slot is 10 microseconds */

typedef enum mode { GET, ONE, MANY_EACH } mode;

typedef struct connection {
    int socket;
    unsigned number;
    uint64_t turn; /* even: decides, odd: rewards */
    double began;
    size_t used; /* bytes of the answer so far */
    char in[ROOM], out[ROOM];
} connection;

static uint64_t slots[SLOTS + 1], answers, refused;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *what)
{
    perror(what);
    exit(1);
}

/* The items of a turn's request. */
static size_t put_items(char *to, const connection *c, unsigned items)
{
    size_t n = 0;
    int own = (int)getpid(); /* so that two loads in turn do not ask for the same events */
    for (unsigned i = 0; i < items; i++) {
        unsigned long long event = (unsigned long long)(c->turn / 2) * items + i + 1;
        n += (size_t)sprintf(to + n, i > 0 ? "," : "");
        if (c->turn % 2 == 0)
            n += (size_t)sprintf(to + n, "{\"event_id\":\"%d.%u.%llu\",\"context\":%llu}", own, c->number, event,
                                 event % 2);
        else
            n += (size_t)sprintf(to + n, "{\"event_id\":\"%d.%u.%llu\",\"reward\":%llu}", own, c->number, event,
                                 event % 2);
    }
    return n;
}

static size_t put_request(connection *c, mode m)
{
    static char body[ROOM];
    size_t n = 0;
    if (m == GET)
        return (size_t)sprintf(c->out, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    if (m == MANY_EACH)
        body[n++] = '[';
    n += put_items(body + n, c, m == ONE ? 1 : MANY);
    if (m == MANY_EACH)
        body[n++] = ']';
    int head = sprintf(c->out,
                       "POST /v1/campaigns/bench/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       "Content-Length: %zu\r\n\r\n",
                       c->turn % 2 == 0 ? "decide" : "reward", n);
    memcpy(c->out + head, body, n);
    return (size_t)head + n;
}

static void ask(connection *c, mode m)
{
    size_t size = put_request(c, m);
    c->used = 0;
    c->began = now();
    for (size_t sent = 0; sent < size;) {
        ssize_t n = send(c->socket, c->out + sent, size - sent, 0);
        if (n <= 0)
            fail("send");
        sent += (size_t)n;
    }
}

/* Whether the whole answer is there. */
static bool is_whole(connection *c)
{
    c->in[c->used] = '\0';
    const char *end = strstr(c->in, "\r\n\r\n"), *length = strcasestr(c->in, "Content-Length:");
    return end != NULL && length != NULL &&
           c->used >= (size_t)(end + 4 - c->in) + strtoull(length + strlen("Content-Length:"), NULL, 10);
}

static void take(connection *c)
{
    double micro = 1e6 * (now() - c->began);
    size_t slot = (size_t)(micro / 10);
    slots[slot < SLOTS ? slot : SLOTS]++;
    answers++;
    refused += strncmp(c->in, "HTTP/1.1 200", 12) != 0 || strstr(c->in, "\"error\"") != NULL;
    c->turn++;
}

static connection *open_all(unsigned n, int port, int poll)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection *all = calloc(n, sizeof *all);
    for (unsigned i = 0; all != NULL && i < n; i++) {
        int on = 1;
        all[i].number = i;
        all[i].socket = socket(AF_INET, SOCK_STREAM, 0);
        if (all[i].socket < 0 || connect(all[i].socket, (struct sockaddr *)&to, sizeof to) != 0)
            fail("connect");
        setsockopt(all[i].socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event);
    }
    return all != NULL ? all : (fail("calloc"), NULL);
}

static double percentile(double share)
{
    uint64_t wanted = (uint64_t)(share * (double)answers), seen = 0;
    for (size_t i = 0; i <= SLOTS; i++)
        if ((seen += slots[i]) > wanted)
            return (double)i * 0.01;
    return 0;
}

static void work(connection *all, unsigned n, int poll, mode m, double seconds)
{
    struct epoll_event events[256];
    double end = now() + seconds;
    for (unsigned i = 0; i < n; i++)
        ask(&all[i], m);
    for (unsigned open = n; open > 0;) {
        int ready = epoll_wait(poll, events, 256, 10000);
        bool over = now() > end;
        for (int i = 0; i < ready; i++) {
            connection *c = events[i].data.ptr;
            ssize_t got = recv(c->socket, c->in + c->used, ROOM - 1 - c->used, 0);
            if (got <= 0)
                fail("recv");
            c->used += (size_t)got;
            if (!is_whole(c))
                continue;
            take(c);
            open -= over && c->turn % 2 == 0;
            if (!over || c->turn % 2 != 0)
                ask(c, m);
        }
    }
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"get", "one", "many"};
    int m = 0, poll = epoll_create1(0);
    while (argc == 5 && m < 3 && strcmp(argv[4], words[m]) != 0)
        m++;
    if (argc != 5 || m == 3)
        return fprintf(stderr, "usage: load PORT CONNECTIONS SECONDS get|one|many\n"), 2;
    unsigned n = (unsigned)strtoul(argv[2], NULL, 10);
    connection *all = open_all(n, atoi(argv[1]), poll);
    double begun = now();
    work(all, n, poll, (mode)m, strtod(argv[3], NULL));
    double took = now() - begun, items = (double)answers * (m == MANY_EACH ? MANY : 1);
    printf("%.0f per second, p50 %.2f ms, p99 %.2f ms, %.0f in all, %llu refused\n", items / took, percentile(.5),
           percentile(.99), items, (unsigned long long)refused);
    free(all);
    return 0;
}
