/*
 * http_loop.c: the one thread that owns connections and engine: it waits for sockets, other threads, signals and times,
 * and never for anything else.
 *
 * A turn: what epoll tells is worked on; then what other threads have done; then the clocks of the campaigns; then all
 * that is pending is committed, and the answers that waited for it leave in one pass. Requests get TURN of a turn, and
 * so does one of the large ones: what is left is worked on in the next ones, after what epoll has told by then, so that
 * nobody waits for all the others.
 *
 * Signals are taken by handlers, not by a mask: a library may have started a thread before main, which would not have
 * that mask, and a signal that reaches it would end the process.
 *
 * Paper: none.
 * Check: tests/http/connections.py, tests/http/stopping.py.
 */
#include "server_commits.h"
#include "server_erase.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS = 512,
    TICK = 50000,
    TURN = 5000,
    PACE = 15000,
    SECOND = 1000000,
    QUIET = 50000,
    FINISHING_PAUSE = 10000
}; /* microseconds */

/* Set by handlers, which know no server. */
static volatile sig_atomic_t signal_wake = -1, stop_signal, reload_asked;

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

static void wake(int file)
{
    uint64_t one = 1;
    ssize_t written = write(file, &one, sizeof one);
    (void)written; /* it fails only where it is set already */
}

void server_wake(server *self)
{
    wake(self->wake);
}

/* ---- signals ---- */

static void take_signal(int which)
{
    int before = errno;
    if (which == SIGHUP)
        reload_asked = 1;
    else
        stop_signal = which;
    if (signal_wake >= 0)
        wake((int)signal_wake);
    errno = before;
}

/* However the program was started: signals may come ignored and blocked from a shell. They are caught until the process
   ends: whoever asks twice shall not cut short what is closed then. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = take_signal, .sa_flags = SA_RESTART};
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGTERM);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGHUP);
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
}

/* New tokens from the file; where it cannot be used the old ones stay. */
static void reload_tokens(server *self)
{
    server_tokens read;
    roster_error err;
    reload_asked = 0;
    if (self->options->tokens == NULL) {
        server_log(self, SERVER_LOG_INFO, "tokens-unchanged", "message", "there is no --tokens FILE to read again",
                   (char *)NULL);
    } else if (server_tokens_read(&read, self->options->tokens, &err) != ROSTER_OK) {
        server_log(self, SERVER_LOG_ERRORS, "tokens-kept", "message", err.msg, (char *)NULL);
    } else {
        server_tokens_free(&self->tokens);
        self->tokens = read;
        server_log(self, SERVER_LOG_INFO, "tokens-read", "file", self->options->tokens, (char *)NULL);
    }
}

static void begin_to_stop(server *self)
{
    if (self->phase > SERVER_SERVING || atomic_load(&self->cancelled))
        return;
    server_log(self, SERVER_LOG_INFO, "stopping", "signal", stop_signal == SIGINT ? "SIGINT" : "SIGTERM", (char *)NULL);
    if (self->phase == SERVER_STARTING)
        atomic_store(&self->cancelled, true);
    else
        server_set_phase(self, SERVER_DRAINING);
}

static void handle_signals(server *self)
{
    if (reload_asked)
        reload_tokens(self);
    if (stop_signal != 0)
        begin_to_stop(self);
}

/* ---- times ---- */

void server_set_phase(server *self, server_phase phase)
{
    self->phase = phase;
    self->phase_began = server_clock();
    self->quiet_since = 0;
}

static void tick(server *self)
{
    uint64_t records;
    service_error err;
    if (!server_is_open(self))
        return;
    self->commits->tick(self);
    if (service_failed(self->engine))
        return;
    service_pace(self->engine, PACE);
    if (self->turns == NULL && service_tick(self->engine, server_service_time(self), &records, &err) != SERVICE_OK)
        server_log(self, SERVER_LOG_ERRORS, "tick-failed", "message", err.msg, (char *)NULL);
    server_erase_go_on(self);
    server_snapshot_if_due(self);
}

static void set_date(server *self)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(self->date, sizeof self->date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
}

static void every_second(server *self, int64_t now)
{
    set_date(self);
    server_sweep(self, now);
    server_accept_again(self);
    if (server_is_open(self)) {
        server_time_check(self);
        self->commits->check(self);
        server_retention_go_on(self);
        server_trim_if_due(self);
    }
}

/* Whether any request is under way; also_begun: those that are not whole yet count too. */
static bool is_busy(const server *self, bool also_begun)
{
    bool busy = false;
    for (const server_connection *c = self->connections; c != NULL && !busy; c = c->after)
        busy = server_is_busy(c, also_begun);
    return busy;
}

static void disconnect_idle(server *self)
{
    for (server_connection *c = self->connections, *after; c != NULL; c = after) {
        after = c->after;
        if (!server_is_busy(c, false))
            server_disconnect(c);
    }
}

/* From phase to phase until it has ended. */
static void end_phases(server *self, int64_t now)
{
    int64_t since = now - self->phase_began;
    if (self->phase == SERVER_DRAINING && since >= (int64_t)(self->options->drain * 1e6)) {
        for (size_t i = 0; i < self->n_listeners; i++)
            server_accept(self, &self->listeners[i]);
        server_unlisten(self);
        server_set_phase(self, SERVER_FINISHING);
    } else if (self->phase == SERVER_FINISHING) {
        bool grace = since < (int64_t)SERVER_GRACE_SECONDS * SECOND, busy = is_busy(self, grace);
        if (!grace) {
            server_erase_failed(self, SERVICE_BUSY, "the server is stopping");
            disconnect_idle(self);
        }
        if (busy)
            self->quiet_since = 0;
        else if (self->quiet_since == 0)
            self->quiet_since = now;
        if ((!busy && now - self->quiet_since >= QUIET) || since >= (int64_t)SERVER_FINISH_SECONDS * SECOND)
            server_set_phase(self, SERVER_ENDED);
    }
}

static void run_timers(server *self, int64_t now)
{
    if (now >= self->next_tick) {
        tick(self);
        self->next_tick = now + TICK;
    }
    if (now >= self->next_second) {
        every_second(self, now);
        self->next_second = now + SECOND;
    }
    if (self->phase >= SERVER_DRAINING)
        end_phases(self, now);
}

/* Milliseconds that epoll may wait. */
static int patience(const server *self, int64_t now)
{
    int64_t next = self->next_tick < self->next_second ? self->next_tick : self->next_second;
    int64_t commit = server_is_open(self) ? self->commits->next(self) : INT64_MAX;
    bool large = self->large != NULL && !server_turns_queues(self);
    next = commit < next ? commit : next;
    if (self->phase >= SERVER_DRAINING && next > now + FINISHING_PAUSE)
        next = now + FINISHING_PAUSE;
    return self->again != NULL || large || next <= now ? 0 : (int)((next - now + 999) / 1000);
}

/* ---- the loop ---- */

static void take_event(server *self, const struct epoll_event *event)
{
    server_source *source = event->data.ptr;
    if (*source == SERVER_LISTENER) {
        server_accept(self, event->data.ptr);
    } else if (*source == SERVER_CONNECTION) {
        server_connection *c = event->data.ptr;
        c->readable = c->readable || event->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR);
        c->writable = c->writable || event->events & (EPOLLOUT | EPOLLHUP | EPOLLERR);
        c->ended = c->ended || event->events & (EPOLLRDHUP | EPOLLHUP);
        if (server_clock() > self->turn_end)
            server_connection_again(c);
        else
            server_connection_work(c);
    }
}

/* Those that were there before, as far as the time goes, and one at least. */
static void work_again(server *self, int64_t time)
{
    server_connection *const *end = self->again_end;
    server_connection *c = self->again;
    self->turn_end = server_clock() + time;
    for (bool last = c == NULL; !last; c = self->again) {
        last = &c->next_again == end;
        self->again = c->next_again;
        c->again = false;
        server_connection_work(c);
        last = last || self->again == NULL || server_clock() > self->turn_end;
    }
}

static void turn(server *self)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(self->poll, events, EVENTS, patience(self, server_clock()));
    int64_t told = server_clock();
    self->turn_end = told + TURN;
    for (int i = 0; i < n; i++)
        take_event(self, &events[i]);
    self->turn_end = server_clock() + TURN;
    if (!server_turns_queues(self))
        server_run_large(self);
    handle_signals(self);
    server_jobs_done(self);
    work_again(self, TURN);
    run_timers(self, told);
    if (server_is_open(self))
        self->commits->step(self, server_clock());
    server_free_dead(self);
}

void server_loop(server *self)
{
    set_date(self);
    while (self->phase != SERVER_ENDED)
        turn(self);
}

int server_loop_open(server *self, roster_error *err)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &self->wake_source};
    self->wake_source = SERVER_WAKE;
    self->poll = epoll_create1(EPOLL_CLOEXEC);
    self->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (self->poll < 0 || self->wake < 0 || epoll_ctl(self->poll, EPOLL_CTL_ADD, self->wake, &event) != 0)
        return common_fail(err, ROSTER_EINVAL, "the event loop cannot be set up: %s", strerror(errno));
    stop_signal = reload_asked = 0;
    signal_wake = self->wake;
    catch_signals();
    return ROSTER_OK;
}

void server_disconnect_all(server *self)
{
    while (self->connections != NULL)
        server_disconnect(self->connections);
}

void server_loop_close(server *self)
{
    server_drop_large(self);
    work_again(self, INT64_MAX / 2); /* takes them from that list */
    server_free_dead(self);
    signal_wake = -1; /* handlers stay */
    if (self->wake >= 0)
        close(self->wake);
    if (self->poll >= 0)
        close(self->poll);
}
