/*
 * commit.c: the thread that makes changes durable and lets their requests be answered.
 *
 * While one transaction is written, requests go on and gather for the next: the longer the disk takes, the more share
 * one of its waits. Where many connections lately changed something, a transaction also waits up to a millisecond until
 * most of them do so again: fewer, larger ones cost each request less. A client that is alone never waits for others.
 *
 * A transaction that fails is tried again every second; meanwhile the engine refuses what would change something. The
 * thread also moves the campaigns' clocks, takes snapshots and closes connections that linger.
 *
 * Paper: none.
 * Check: tests/http/durability.py.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICK = 50000, RETRY = 1000000, LOOK = 1000000, GATHER = 1000 }; /* microseconds */

/* Of the thread alone, but for what is said. */
typedef struct round {
    store_row row;
    server_request *waiting; /* taken over from the server */
    void *snapshot;          /* taken with the row, NULL: none was due */
    size_t snapshot_size;
    uint64_t snapshot_number;
} round;

/* Most of those that lately waited wait again. */
static bool has_gathered(const server *self)
{
    return 4 * self->n_waiting >= 3 * self->active;
}

void server_commit_wait(server *self, server_request *q)
{
    server_connection *c = server_connection_of(q->connection);
    if (c != NULL && c->period != self->period) {
        c->period = self->period;
        self->active_now++;
    }
    if (self->n_waiting++ == 0)
        self->waiting_since = server_clock();
    q->next = self->waiting;
    self->waiting = q;
    MHD_suspend_connection(q->connection);
    if (self->sleeps && (self->n_waiting == 1 || has_gathered(self)))
        pthread_cond_signal(&self->wake);
}

/* Until there is something to do, for at most that many microseconds. */
static void sleep_until_woken(server *self, int64_t most)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += most / 1000000;
    end.tv_nsec += most % 1000000 * 1000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    self->sleeps = true;
    pthread_cond_timedwait(&self->wake, &self->lock, &end);
    self->sleeps = false;
}

static void take_snapshot(server *self, round *r)
{
    service_error err;
    if (r->row.first + r->row.count - 1 != service_last(self->engine) || !service_snapshot_due(self->engine))
        return;
    if (service_snapshot_take(self->engine, &r->snapshot, &r->snapshot_size, &r->snapshot_number, &err) == SERVICE_OK)
        return;
    r->snapshot = NULL;
    self->measures.snapshot_failures++;
    server_log(self, SERVER_LOG_ERRORS, "snapshot-failed", "message", err.msg, (char *)NULL);
}

static void put_snapshot(server *self, round *r, bool ok)
{
    roster_error wrong;
    if (r->snapshot == NULL)
        return;
    bool put = ok && store_snapshot_put(self->log, r->snapshot_number, r->snapshot, r->snapshot_size, &wrong) == 0;
    free(r->snapshot);
    pthread_mutex_lock(&self->lock);
    self->measures.snapshots += put;
    self->measures.snapshot_failures += !put;
    pthread_mutex_unlock(&self->lock);
    if (ok && !put)
        server_log(self, SERVER_LOG_ERRORS, "snapshot-failed", "message", wrong.msg, (char *)NULL);
}

/* With the lock held. */
static void count(server *self, const round *r, bool ok, double seconds)
{
    server_measures *m = &self->measures;
    if (ok) {
        m->commits++;
        m->commit_records += r->row.count;
        server_measure(&m->commit, seconds);
    } else {
        m->commit_failures++;
    }
}

/* With the lock held: all that wait, also for records that came while the disk refused others. */
static void fail_waiting(server *self, round *r)
{
    server_request **end = &r->waiting;
    while (*end != NULL)
        end = &(*end)->next;
    *end = self->waiting;
    self->waiting = NULL;
    self->n_waiting = 0;
    for (server_request *q = r->waiting; q != NULL; q = q->next)
        q->failed = true;
}

/* Without the lock. A request may be gone as soon as it is resumed. */
static void resume(server_request *q)
{
    for (server_request *next; q != NULL; q = next) {
        next = q->next;
        MHD_resume_connection(q->connection);
    }
}

static void say_state(server *self, bool was_failed, bool ok, const roster_error *wrong)
{
    if (!ok && !was_failed)
        server_log(self, SERVER_LOG_ERRORS, "store-failed", "message", wrong->msg, (char *)NULL);
    if (ok && was_failed)
        server_log(self, SERVER_LOG_INFO, "store-recovered", (char *)NULL);
}

/* Called and returns with the lock held; without it while the disk works. False: the disk refused. */
static bool commit(server *self, round *r)
{
    roster_error wrong = {0};
    bool was_failed = service_failed(self->engine);
    r->waiting = self->waiting;
    self->waiting = NULL;
    self->n_waiting = 0;
    take_snapshot(self, r);
    pthread_mutex_unlock(&self->lock);

    int64_t begun = server_clock();
    bool ok = store_append(self->log, &r->row, &wrong) == ROSTER_OK;
    double seconds = (double)(server_clock() - begun) * 1e-6;

    pthread_mutex_lock(&self->lock);
    service_commit_end(self->engine, ok, &wrong);
    count(self, r, ok, seconds);
    if (!ok)
        fail_waiting(self, r);
    pthread_mutex_unlock(&self->lock);

    resume(r->waiting);
    say_state(self, was_failed, ok, &wrong);
    put_snapshot(self, r, ok);
    pthread_mutex_lock(&self->lock);
    return ok;
}

/* With the lock held. */
static void tick(server *self)
{
    uint64_t records;
    service_error err;
    self->active = self->active_now;
    self->active_now = 0;
    self->period++;
    if (service_failed(self->engine))
        return;
    if (service_tick(self->engine, server_now(), &records, &err) != SERVICE_OK)
        server_log(self, SERVER_LOG_ERRORS, "tick-failed", "message", err.msg, (char *)NULL);
}

static void look(server *self)
{
    store_state state;
    pthread_mutex_unlock(&self->lock);
    store_look(self->log, &state);
    server_sweep(self, SERVER_REQUEST_SECONDS);
    pthread_mutex_lock(&self->lock);
    self->state = state;
}

/* How long to wait for more before what is pending is written: nobody waits alone, nor for long. */
static int64_t gathering(const server *self, int64_t now)
{
    if (self->n_waiting == 0 || self->stopping || has_gathered(self))
        return 0;
    int64_t left = self->waiting_since + GATHER - now;
    return left > 0 ? left : 0;
}

/* One turn of the thread. False: it is to end. */
static bool turn(server *self, int64_t *next_tick, int64_t *next_look, int64_t *retry)
{
    int64_t now = server_clock();
    if (now >= *next_tick) {
        tick(self);
        *next_tick = now + TICK;
    }
    if (now >= *next_look) {
        look(self);
        *next_look = now + LOOK;
    }
    round r = {0};
    int64_t left = service_pending(self->engine) > 0 && now >= *retry ? gathering(self, now) : *next_tick - now;
    if (left == 0 && service_commit_begin(self->engine, server_now(), &r.row))
        *retry = commit(self, &r) ? 0 : server_clock() + RETRY;
    else if (self->stopping)
        return false;
    else
        sleep_until_woken(self, left);
    return true;
}

static void *work(void *context)
{
    server *self = context;
    int64_t next_tick = 0, next_look = 0, retry = 0;
    pthread_mutex_lock(&self->lock);
    while (turn(self, &next_tick, &next_look, &retry))
        continue;
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

int server_commit_start(server *self, roster_error *err)
{
    store_look(self->log, &self->state);
    if (pthread_create(&self->committer, NULL, work, self) == 0)
        return ROSTER_OK;
    err->code = ROSTER_ENOMEM;
    snprintf(err->msg, sizeof err->msg, "no thread could be started");
    return err->code;
}

void server_commit_stop(server *self)
{
    service_error err;
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->committer, NULL);
    round rest = {0};
    fail_waiting(self, &rest);
    resume(rest.waiting);
    if (service_pending(self->engine) > 0)
        server_log(self, SERVER_LOG_ERRORS, "records-lost", "message",
                   "the log could not be written; what was not acknowledged is lost", (char *)NULL);
    else if (service_last(self->engine) > self->state.snapshot &&
             service_snapshot(self->engine, self->log, &err) != SERVICE_OK)
        server_log(self, SERVER_LOG_ERRORS, "snapshot-failed", "message", err.msg, (char *)NULL);
}
