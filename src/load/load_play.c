/*
 * load_play.c: the loop: connections that are idle get work, answers are taken, until nothing is left to do.
 *
 * Rewards that are due go first, then decisions as the rate allows; so one connection without delay plays strictly in
 * turn: decision, reward, decision, reward. At the end of an episode all decisions under way are waited for, then the
 * service is told to start the next one. What a broken connection or an answer 503 leaves open is asked again:
 * decisions have their event's name and rewards join once, so that asking again does no harm.
 *
 * Paper: none.
 * Check: tests/http/drive.py.
 */
#include "load_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

static const double PATIENCE = 15;             /* seconds without an answer, before the service is given up */
static const double AGAIN = 0.1, PERIOD = 0.1; /* seconds until a request is tried again, and between reports */
static const double LAST = 1;                  /* seconds for asking again, once it shall end */

enum { READY = 256 };

/* ---- asking ---- */

static void watch(load *self, load_connection *c, bool fresh)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (load_wants_to_send(c))
        event.events |= EPOLLOUT;
    epoll_ctl(self->poll, fresh ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, c->socket, &event);
}

/* The request was not answered: once more, later. */
static void postpone(load *self, load_connection *c, double now)
{
    self->figures->faults++;
    load_close(c);
    c->sent = c->in.used = c->head = 0;
    c->tried = true;
    c->retry = now + AGAIN;
}

static void send_request(load *self, load_connection *c, double now)
{
    bool fresh = c->socket < 0;
    c->retry = 0;
    c->asked = now;
    if (!load_connect(c, &self->place)) {
        postpone(self, c, now);
        return;
    }
    if (load_send(c))
        watch(self, c, fresh);
    else
        postpone(self, c, now);
}

static void put_item(common_text *body, const load_connection *c, const load_item *item)
{
    if (c->task == LOAD_DECIDE)
        common_put_format(body, "{\"event_id\":\"%llu\",\"context\":%u}", (unsigned long long)item->event,
                          item->context);
    else
        common_put_format(body, "{\"event_id\":\"%llu\",\"reward\":%.17g}", (unsigned long long)item->event,
                          item->reward);
}

static int ask(load *self, load_connection *c, double now, roster_error *err)
{
    static const char *const last[] = {[LOAD_DECIDE] = "decide", [LOAD_REWARD] = "reward", [LOAD_EPISODE] = "episodes"};
    char path[LOAD_NAME_MOST + 40];
    common_text body = {0};
    bool list = self->options->batch > 1 && c->task != LOAD_EPISODE;
    snprintf(path, sizeof path, "/v1/campaigns/%s/%s", self->options->campaign, last[c->task]);
    common_put_format(&body, list ? "[" : c->task == LOAD_EPISODE ? "{}" : "");
    for (size_t i = 0; i < c->n_items; i++) {
        common_put_format(&body, i > 0 ? "," : "");
        put_item(&body, c, &c->items[i]);
    }
    common_put_format(&body, list ? "]" : "");
    load_request(c, &self->place, "POST", path, &body);
    bool failed = body.failed || c->out.failed;
    common_text_free(&body);
    if (failed)
        return common_fail(err, ROSTER_EINVAL, "out of memory");
    c->began = now;
    send_request(self, c, now);
    return ROSTER_OK;
}

/* ---- what to do next ---- */

static bool all_decided(const load *self)
{
    return self->users.event >= self->last;
}

/* How many more decisions may be asked for now. */
static uint64_t allowed(const load *self, double now)
{
    uint64_t left = self->last - self->users.event, batch = self->options->batch;
    uint64_t most = left < batch ? left : batch;
    if (self->options->rate <= 0)
        return most;
    double due = (now - self->started) * self->options->rate - (double)(self->users.event + 1 - self->first);
    return due >= (double)most ? most : 0;
}

static void take_decisions(load *self, load_connection *c, uint64_t n)
{
    c->n_items = 0;
    while (c->n_items < n && load_users_next(&self->users, &c->items[c->n_items]))
        c->n_items++;
    self->turning = c->n_items < n;
}

static void take_rewards(load *self, load_connection *c, double now)
{
    c->n_items = 0;
    while (c->n_items < self->options->batch && self->queue.used > 0 && self->queue.items[0].due <= now)
        c->items[c->n_items++] = load_queue_take(&self->queue);
}

static void turn(load *self)
{
    self->turning = false;
    self->figures->episodes++;
    load_users_turn(&self->users);
}

static void find_task(load *self, load_connection *c, double now)
{
    uint64_t n;
    take_rewards(self, c, now);
    if (c->n_items > 0)
        c->task = LOAD_REWARD;
    if (c->n_items > 0 || all_decided(self))
        return;
    if (self->turning && self->options->unannounced)
        turn(self);
    if (!self->turning && (n = allowed(self, now)) > 0)
        take_decisions(self, c, n);
    if (c->n_items > 0)
        c->task = LOAD_DECIDE;
    else if (self->turning && !self->options->unannounced && self->deciding == 0)
        c->task = LOAD_EPISODE;
    self->deciding += c->task == LOAD_DECIDE || c->task == LOAD_EPISODE;
}

static int give_work(load *self, double now, bool ending, roster_error *err)
{
    int code = ROSTER_OK;
    bool more = !ending;
    for (size_t i = 0; code == ROSTER_OK && i < self->options->connections; i++) {
        load_connection *c = &self->connections[i];
        if (c->retry > 0 && c->retry <= now)
            send_request(self, c, now);
        if (c->task != LOAD_IDLE || !more)
            continue;
        find_task(self, c, now);
        more = c->task != LOAD_IDLE;
        if (more)
            code = ask(self, c, now, err);
    }
    return code;
}

/* ---- answers ---- */

static int take_answer(load *self, load_connection *c, roster_error *err)
{
    load_task task = c->task;
    self->heard = cli_seconds();
    if (c->status == 503) {
        postpone(self, c, self->heard);
        return ROSTER_OK;
    }
    load_note_latency(self->figures, self->heard - c->asked);
    self->deciding -= task == LOAD_DECIDE || task == LOAD_EPISODE;
    c->task = LOAD_IDLE;
    if (c->closing)
        load_close(c);
    if (task == LOAD_DECIDE)
        return load_take_decisions(self, c, err);
    if (task == LOAD_REWARD)
        return load_take_rewards(self, c, err);
    if (c->status != 200)
        return load_refused(c, "a new episode", err);
    turn(self);
    return ROSTER_OK;
}

static int handle(load *self, load_connection *c, roster_error *err)
{
    if (c->task == LOAD_IDLE || c->retry > 0) { /* the service closes what is idle */
        load_close(c);
        return ROSTER_OK;
    }
    switch (load_exchange(c)) {
    case LOAD_WAITS:
        watch(self, c, false);
        return ROSTER_OK;
    case LOAD_ANSWERED:
        return take_answer(self, c, err);
    case LOAD_BROKEN:
        postpone(self, c, cli_seconds());
        return ROSTER_OK;
    default:
        return common_fail(err, ROSTER_EINVAL, "what http://%s answers is not valid HTTP/1.1", self->place.name);
    }
}

/* ---- the loop ---- */

static size_t under_way(const load *self)
{
    size_t n = 0;
    for (size_t i = 0; i < self->options->connections; i++)
        n += self->connections[i].task != LOAD_IDLE;
    return n;
}

/* Of these, those that were not answered and are asked again later. */
static size_t postponed(const load *self)
{
    size_t n = 0;
    for (size_t i = 0; i < self->options->connections; i++)
        n += self->connections[i].retry > 0;
    return n;
}

/* Whether the service is given up. Whoever wants an end does not wait for a service that is gone to come back. */
static int check_patience(const load *self, size_t busy, double now, double end, roster_error *err)
{
    if (now - self->heard > PATIENCE)
        return common_fail(err, ROSTER_EINVAL, "http://%s has not answered for %g seconds", self->place.name, PATIENCE);
    if (end > 0 && now - end > LAST && busy > 0 && postponed(self) == busy)
        return common_fail(err, ROSTER_EINVAL, "http://%s does not answer: what becomes of the last %zu %s is unknown",
                           self->place.name, busy, busy == 1 ? "request" : "requests");
    return ROSTER_OK;
}

/* Seconds until there may be something to do again. */
static double idle_time(const load *self, double now)
{
    double until = now + PERIOD, rate = self->options->rate;
    if (self->queue.used > 0 && self->queue.items[0].due < until)
        until = self->queue.items[0].due;
    if (rate > 0 && !all_decided(self) && !self->turning) {
        uint64_t asked = self->users.event + 1 - self->first, left = self->last - self->users.event;
        uint64_t batch = left < self->options->batch ? left : self->options->batch;
        double next = self->started + (double)(asked + batch) / rate;
        until = next < until ? next : until;
    }
    return until > now ? until - now : 0;
}

static int poll_connections(load *self, double now, roster_error *err)
{
    struct epoll_event ready[READY];
    bool full = under_way(self) == self->options->connections;
    int wait = full ? (int)(PERIOD * 1e3) : (int)(1e3 * idle_time(self, now) + 0.999);
    int n = epoll_wait(self->poll, ready, READY, wait), code = ROSTER_OK;
    if (n < 0 && errno != EINTR)
        return common_fail(err, ROSTER_EINVAL, "epoll: %s", strerror(errno));
    for (int i = 0; i < n && code == ROSTER_OK; i++)
        code = handle(self, ready[i].data.ptr, err);
    return code;
}

static bool show(load *self, double now, double *shown)
{
    if (now - *shown < PERIOD)
        return true;
    *shown = now;
    self->figures->seconds = now - self->started;
    return self->options->progress == NULL || self->options->progress(self->options->context, self->figures);
}

int load_play(load *self, roster_error *err)
{
    int code = ROSTER_OK;
    double shown = self->heard = self->started = cli_seconds(), end = 0;
    for (;;) {
        double now = cli_seconds();
        if (!show(self, now, &shown) && end == 0)
            end = now;
        size_t busy = under_way(self);
        if (busy == 0)
            self->heard = now;
        if (busy == 0 && (end > 0 || (all_decided(self) && self->queue.used == 0)))
            break;
        code = check_patience(self, busy, now, end, err);
        if (code == ROSTER_OK)
            code = give_work(self, now, end > 0, err);
        if (code == ROSTER_OK)
            code = poll_connections(self, now, err);
        if (code != ROSTER_OK)
            break;
    }
    self->figures->seconds = cli_seconds() - self->started;
    self->figures->unsent = self->queue.used;
    return code;
}
