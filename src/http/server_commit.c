/*
 * server_commit.c: makes changes durable and lets their requests be answered.
 *
 * The loop freezes what is pending into a row and hands it to a thread, which only appends it to the log. The loop
 * waits for that at most a millisecond: a disk that is fast costs no detour through epoll, and one that is slow delays
 * only the requests that wait for it. While a row is written, requests go on and gather for the next: the longer the
 * disk takes, the more share one of its waits. Where many connections lately changed something, a row also waits up to
 * a millisecond until most of them do so again. A client that is alone never waits for others.
 *
 * A row that fails is tried again every second; meanwhile the engine refuses what would change something.
 *
 * Paper: none.
 * Check: tests/http/durability.py, tests/http/slow_disk.py.
 */
#include "server_commits.h"
#include "server_erase.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RETRY = 1000000, INLINE = 1000, GATHER = 1000 }; /* microseconds */

struct server_committer {
    server *server;
    pthread_t thread;
    pthread_mutex_t lock; /* of these */
    pthread_cond_t wake, done;
    bool has_row, wants_state, stops;
    bool has_ended, loop_waits;
    store_row row;
    bool ok;
    roster_error wrong;
    double seconds;
    bool has_state;
    store_state state;

    /* of the loop */
    bool busy; /* a row is with the thread */
    server_request *waiting, **waiting_end, *written;
    int64_t retry;
    size_t n_waiting;
    int64_t waiting_since; /* the first of them, by server_clock */
    size_t active;         /* connections that lately waited: how many may share one row */
    size_t active_now;     /* those counted in the present period */
    uint32_t period;       /* its number */
};

/* ---- the thread ---- */

static void append(server_committer *self)
{
    store_row row = self->row;
    roster_error wrong = {0};
    store_state state;
    bool has_row = self->has_row, wants_state = self->wants_state;
    self->wants_state = false;
    pthread_mutex_unlock(&self->lock);
    int64_t begun = server_clock();
    bool ok = !has_row || store_append(self->server->log, &row, &wrong) == ROSTER_OK;
    double seconds = (double)(server_clock() - begun) * 1e-6;
    if (wants_state)
        store_state_get(self->server->log, &state);
    pthread_mutex_lock(&self->lock);
    if (wants_state) {
        self->state = state;
        self->has_state = true;
    }
    if (!has_row)
        return;
    self->ok = ok;
    self->wrong = wrong;
    self->seconds = seconds;
    self->has_row = false;
    self->has_ended = true;
    if (self->loop_waits)
        pthread_cond_signal(&self->done);
    else
        server_wake(self->server);
}

static void *work(void *context)
{
    server_committer *self = context;
    pthread_mutex_lock(&self->lock);
    while (self->has_row || !self->stops) {
        if (self->has_row || self->wants_state)
            append(self);
        else
            pthread_cond_wait(&self->wake, &self->lock);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* ---- the loop ---- */

static void wait_for(server *self, server_request *q)
{
    server_committer *c = self->committer;
    if (c->busy && !service_gathers(self->engine)) { /* what it rests on is in that row: there may be no next one */
        q->next = c->written;
        c->written = q;
        return;
    }
    q->next = NULL;
    *c->waiting_end = q;
    c->waiting_end = &q->next;
    if (c->n_waiting++ == 0)
        c->waiting_since = server_clock();
    if (q->connection->period != c->period) {
        q->connection->period = c->period;
        c->active_now++;
    }
}

static void tick(server *self)
{
    server_committer *c = self->committer;
    c->active = c->active_now;
    c->active_now = 0;
    c->period++;
}

/* When what is pending is to be written: when most of those that lately waited wait again, and soon in any case. */
static int64_t gathered(const server_committer *c)
{
    bool enough = c->n_waiting == 0 || 4 * c->n_waiting >= 3 * c->active;
    int64_t soon = c->waiting_since + GATHER;
    return enough || soon < c->retry ? c->retry : soon;
}

void server_answer_all(server *self, server_request *q, bool failed)
{
    for (server_request *next; q != NULL; q = next) {
        server_connection *c = q->connection;
        next = q->next;
        q->failed = failed;
        server_request_send(self, q);
        server_connection_again(c);
    }
}

/* All that wait, also for records that came while the disk refused others. */
static void fail_all(server *self)
{
    server_committer *c = self->committer;
    server_request *written = c->written, *waiting = c->waiting;
    c->written = c->waiting = NULL;
    c->waiting_end = &c->waiting;
    c->n_waiting = 0;
    server_answer_all(self, written, true);
    server_answer_all(self, waiting, true);
}

void server_say_store(server *self, bool was_failed, bool ok, const roster_error *wrong)
{
    if (!ok && !was_failed)
        server_log(self, SERVER_LOG_ERRORS, "store-failed", "message", wrong->msg, (char *)NULL);
    if (ok && was_failed)
        server_log(self, SERVER_LOG_INFO, "store-recovered", (char *)NULL);
}

/* What became of the row. */
static void collect(server *self)
{
    server_committer *c = self->committer;
    server_measures *m = &self->measures;
    bool was_failed = service_failed(self->engine), ok = c->ok;
    c->busy = false;
    service_commit_end(self->engine, ok, &c->wrong);
    server_say_store(self, was_failed, ok, &c->wrong);
    if (!ok) {
        m->commit_failures++;
        c->retry = server_clock() + RETRY;
        fail_all(self);
        server_erase_failed(self, SERVICE_STORE, "the log cannot be written");
        return;
    }
    m->commits++;
    m->commit_records += c->row.count;
    server_measure(&m->commit, c->seconds);
    c->retry = 0;
    server_request *written = c->written;
    c->written = NULL;
    server_answer_all(self, written, false);
    server_snapshot_committed(self);
}

static struct timespec in_micro(int64_t micro)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += micro * 1000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    return end;
}

/* Waits so long for the thread to be done with its row; false: it is not. */
static bool wait_for_row(server_committer *c, int64_t patience)
{
    struct timespec end = in_micro(patience);
    int late = 0;
    pthread_mutex_lock(&c->lock);
    c->loop_waits = patience > 0;
    while (!c->has_ended && patience > 0 && late == 0)
        late = pthread_cond_timedwait(&c->done, &c->lock, &end);
    c->loop_waits = false;
    bool ended = c->has_ended;
    c->has_ended = false;
    if (c->has_state)
        c->server->state = c->state;
    pthread_mutex_unlock(&c->lock);
    return ended;
}

static bool hand_over(server *self)
{
    server_committer *c = self->committer;
    store_row row;
    if (!service_commit_begin(self->engine, server_service_time(self), &row))
        return false;
    c->busy = true;
    c->written = c->waiting;
    c->waiting = NULL;
    c->waiting_end = &c->waiting;
    c->n_waiting = 0;
    pthread_mutex_lock(&c->lock);
    c->row = row;
    c->has_row = true;
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
    return true;
}

static void step(server *self, int64_t now)
{
    server_committer *c = self->committer;
    if (c->busy && wait_for_row(c, 0))
        collect(self);
    if (!c->busy && service_pending(self->engine) > 0 && now >= gathered(c) && hand_over(self) &&
        wait_for_row(c, INLINE))
        collect(self);
}

static int64_t next(const server *self)
{
    const server_committer *c = self->committer;
    return c != NULL && !c->busy && service_pending(self->engine) > 0 ? gathered(c) : INT64_MAX;
}

static void check(server *self)
{
    server_committer *c = self->committer;
    pthread_mutex_lock(&c->lock);
    c->wants_state = true;
    if (c->has_state)
        self->state = c->state;
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

static int start(server *self, roster_error *err)
{
    server_committer *c = self->committer = calloc(1, sizeof *c);
    pthread_condattr_t clock;
    if (c == NULL)
        return common_fail_memory(err);
    c->server = self;
    c->waiting_end = &c->waiting;
    store_state_get(self->log, &self->state);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&c->wake, NULL);
    pthread_cond_init(&c->done, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&c->lock, NULL);
    int code = server_thread_start(&c->thread, work, c, err);
    if (code != ROSTER_OK) {
        free(c);
        self->committer = NULL;
    }
    return code;
}

static void stop(server *self)
{
    server_committer *c = self->committer;
    enum { WHILE = 100000 };
    if (c == NULL)
        return;
    while (c->busy)
        if (wait_for_row(c, WHILE))
            collect(self);
    while (!service_failed(self->engine) && hand_over(self))
        while (c->busy)
            if (wait_for_row(c, WHILE))
                collect(self);
    fail_all(self);
    pthread_mutex_lock(&c->lock);
    c->stops = true;
    pthread_cond_signal(&c->wake);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->wake);
    pthread_cond_destroy(&c->done);
    free(c);
    self->committer = NULL;
    if (service_pending(self->engine) > 0)
        server_log(self, SERVER_LOG_ERRORS, "records-lost", "message",
                   "the log could not be written; what was not acknowledged is lost", (char *)NULL);
}

const server_commits server_commits_alone = {start, stop, wait_for, step, next, tick, check};
