/*
 * server_turns.c: any number of servers on one log, by turns.
 *
 *   take a turn          nobody else appends from now on
 *   fold                 what others appended, through the engine
 *   run                  what is due by the database's clock, then the requests that wait
 *   append               all records of the turn as one row, which ends it
 *   answer
 *
 * Paper: none.
 *
 * Requests that could change something wait for a turn; others are answered at once, from what the engine knows. The
 * loop never waits for the database: a thread talks to it (server_turns_thread.c), and the loop goes on. Between turns
 * what others append is folded every 50 ms, so that little is left to fold while a turn is held.
 *
 * Where the fate of a row is not known, or the database is not there, requests that would change something are refused
 * until it is known. Where the log is not the one that the engine was made from, the engine is made anew by the thread,
 * and the old one stays for as long as something points into it.
 *
 * Check: tests/http/replicas.py, tests/http/replica_faults.py.
 */
#include "server_turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORDS_MOST = 2000,    /* of a turn, about */
    BYTES_MOST = 256 << 10, /* of a turn, about */
    TAIL = 50000,           /* microseconds */
    PROBE = 1000000,        /* the head is looked at though nothing happens */
    RUN = 5000,             /* for requests of a turn */
    PAUSE_LEAST = 50000,    /* after a failure */
    PAUSE_MOST = 2000000
};

/* ---- the thread ---- */

static void *work(void *context)
{
    server_turns *self = context;
    pthread_mutex_lock(&self->lock);
    while (!self->stops) {
        turns_command command = self->command;
        if (command == TURNS_NONE) {
            pthread_cond_wait(&self->wake, &self->lock);
            continue;
        }
        pthread_mutex_unlock(&self->lock);
        turns_run(self, command);
        pthread_mutex_lock(&self->lock);
        self->command = TURNS_NONE;
        self->has_ended = true;
        server_wake(self->server);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static void ask(server_turns *t, turns_command command)
{
    t->busy = true;
    t->asked = command;
    t->begun = server_clock();
    pthread_mutex_lock(&t->lock);
    t->command = command;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

static bool has_ended(server_turns *t)
{
    pthread_mutex_lock(&t->lock);
    bool ended = t->has_ended;
    t->has_ended = false;
    pthread_mutex_unlock(&t->lock);
    return ended;
}

/* ---- what requests see ---- */

bool server_turns_defer(server *self, server_job *job)
{
    server_turns *t = self->turns;
    if (t == NULL || t->held || service_failed(self->engine))
        return false;
    job->next = NULL;
    *t->jobs_end = job;
    t->jobs_end = &job->next;
    return true;
}

bool server_turns_queues(const server *self)
{
    return self->turns != NULL && !self->turns->held && !service_failed(self->engine);
}

bool server_turns_is_full(const server *self)
{
    return self->turns != NULL &&
           (service_pending(self->engine) >= RECORDS_MOST || service_pending_bytes(self->engine) >= BYTES_MOST);
}

int64_t server_turns_time(const server *self)
{
    const server_turns *t = self->turns;
    return t->held ? t->time : t->time + server_clock() - t->time_at;
}

store_end server_log_end(const server *self)
{
    return self->turns != NULL ? self->turns->engine_end : store_ends(self->log);
}

double server_turns_lag(const server *self)
{
    return (double)(server_clock() - self->turns->known_at) * 1e-6;
}

static void wait(server *self, server_request *q)
{
    server_turns *t = self->turns;
    if (!t->held) { /* what it rests on is in the row that is under way */
        q->next = t->written;
        t->written = q;
        return;
    }
    q->next = NULL;
    *t->waiting_end = q;
    t->waiting_end = &q->next;
}

static void answer(server *self, bool failed)
{
    server_turns *t = self->turns;
    server_request *written = t->written, *waiting = failed ? t->waiting : NULL;
    t->written = NULL;
    if (failed) {
        t->waiting = NULL;
        t->waiting_end = &t->waiting;
    }
    server_answer_all(self, written, failed);
    server_answer_all(self, waiting, failed);
}

/* ---- failures ---- */

static void run_jobs(server *self)
{
    server_turns *t = self->turns;
    server_job *job = t->jobs;
    t->jobs = NULL;
    t->jobs_end = &t->jobs;
    for (server_job *next; job != NULL; job = next) {
        next = job->next;
        job->done(self, job);
    }
}

/* From now on what would change something is refused; so is what waited. */
static void go_down(server *self)
{
    server_turns *t = self->turns;
    bool was_failed = service_failed(self->engine);
    service_commit_end(self->engine, false, &t->wrong);
    server_say_store(self, was_failed, false, &t->wrong);
    if (!was_failed)
        self->measures.commit_failures++;
    t->pause = t->pause == 0 ? PAUSE_LEAST : 2 * t->pause < PAUSE_MOST ? 2 * t->pause : PAUSE_MOST;
    t->retry = server_clock() + t->pause;
    answer(self, true);
    run_jobs(self);
}

static void come_up(server *self)
{
    server_turns *t = self->turns;
    t->pause = 0;
    t->known_at = server_clock();
    if (!service_failed(self->engine))
        return;
    service_commit_end(self->engine, true, NULL);
    server_say_store(self, true, true, NULL);
}

static void say_lost(const server *self)
{
    char records[24];
    snprintf(records, sizeof records, "%llu", (unsigned long long)self->turns->lost);
    server_log(self, SERVER_LOG_ERRORS, "rebuilding", "#records_lost", records, "message", self->turns->wrong.msg,
               (char *)NULL);
}

/* The log is another: what the engine did since is forgotten. */
static void lose(server *self)
{
    server_turns *t = self->turns;
    self->measures.records_lost += t->lost;
    say_lost(self);
    t->damaged = true;
    t->unresolved = false;
    go_down(self);
    t->retry = 0;
}

static void take_engine(server *self)
{
    server_turns *t = self->turns;
    server_replace_engine(self, t->rebuilt);
    t->rebuilt = NULL;
    t->engine_end = t->end;
    t->damaged = false;
    self->measures.rebuilds++;
    server_log(self, SERVER_LOG_INFO, "rebuilt", (char *)NULL);
}

/* ---- a turn ---- */

static bool fold(server *self)
{
    server_turns *t = self->turns;
    service_error err;
    service_code code = SERVICE_OK;
    for (size_t i = 0; i < t->rows.n && code == SERVICE_OK; i++) {
        code = service_follow(self->engine, &t->rows.rows[i], &err);
        if (code == SERVICE_OK)
            t->engine_end = (store_end){service_last(self->engine), t->rows.rows[i].checksum};
        self->measures.followed += t->rows.rows[i].count;
    }
    turns_rows_clear(&t->rows);
    if (code != SERVICE_OK)
        common_fail(&t->wrong, ROSTER_EDAMAGED, "%s", err.msg);
    return code == SERVICE_OK;
}

static void run_due(server *self)
{
    uint64_t records;
    service_error err;
    self->turns->has_due = false;
    if (service_tick(self->engine, self->turns->time, &records, &err) != SERVICE_OK)
        server_log(self, SERVER_LOG_ERRORS, "tick-failed", "message", err.msg, (char *)NULL);
}

/* All records of the turn, and those that wait for them. */
static void append(server *self)
{
    server_turns *t = self->turns;
    if (!service_commit_begin(self->engine, t->time, &t->row)) {
        ask(t, TURNS_CANCEL);
        return;
    }
    *t->waiting_end = t->written;
    t->written = t->waiting;
    t->waiting = NULL;
    t->waiting_end = &t->waiting;
    t->unresolved = true;
    ask(t, TURNS_APPEND);
}

static void hold(server *self)
{
    server_turns *t = self->turns;
    t->time = t->turn.now;
    t->time_at = t->known_at = server_clock();
    t->next_probe = t->time_at + PROBE;
    t->held = true;
    self->measures.turns++;
    run_due(self);
    run_jobs(self);
    self->turn_end = server_clock() + RUN;
    while (self->large != NULL && !server_turns_is_full(self) && server_clock() <= self->turn_end)
        server_run_large(self);
    t->held = false;
    append(self);
}

static void appended(server *self)
{
    server_turns *t = self->turns;
    server_measures *m = &self->measures;
    m->commits++;
    m->commit_records += t->row.count;
    m->commits_found += t->was_in;
    server_measure(&m->commit, (double)(server_clock() - t->begun) * 1e-6);
    t->unresolved = false;
    if (!service_failed(self->engine))
        service_commit_end(self->engine, true, NULL);
    come_up(self);
    t->engine_end = t->end;
    answer(self, false);
    server_snapshot_committed(self);
}

/* A snapshot of another server serves as well as one of this. */
static void take_state(server *self)
{
    uint64_t number = self->turns->state.snapshot;
    self->state = self->turns->state;
    if (number > service_snapshot_number(self->engine) && number <= service_last(self->engine))
        service_snapshot_mark(self->engine, number);
}

/* What came of a command. */
static void collect(server *self)
{
    server_turns *t = self->turns;
    turns_command asked = t->asked;
    t->busy = false;
    bool folded = fold(self);
    if (t->outcome == TURNS_LOST || !folded) {
        lose(self);
    } else if (t->outcome == TURNS_DOWN) {
        go_down(self);
    } else if (asked == TURNS_APPEND || asked == TURNS_RESOLVE) {
        appended(self);
    } else {
        if (asked == TURNS_REBUILD)
            take_engine(self);
        if (asked == TURNS_STATE)
            take_state(self);
        come_up(self);
        if (asked == TURNS_TAKE && t->outcome == TURNS_DONE)
            hold(self);
    }
}

static turns_command next_command(server *self, int64_t now)
{
    server_turns *t = self->turns;
    if (service_failed(self->engine) && now < t->retry)
        return TURNS_NONE;
    if (t->damaged)
        return TURNS_REBUILD;
    if (t->unresolved)
        return TURNS_RESOLVE;
    if (t->wants_state && !service_failed(self->engine)) {
        t->wants_state = false;
        return TURNS_STATE;
    }
    if (self->large != NULL || t->jobs != NULL || t->has_due || now >= t->next_probe || service_failed(self->engine))
        return TURNS_TAKE;
    return now >= t->next_tail ? TURNS_TAIL : TURNS_NONE;
}

static void step(server *self, int64_t now)
{
    server_turns *t = self->turns;
    if (t->busy && has_ended(t))
        collect(self);
    turns_command next = t->busy ? TURNS_NONE : next_command(self, now);
    if (next == TURNS_TAIL)
        t->next_tail = now + TAIL;
    if (next != TURNS_NONE)
        ask(t, next);
}

static int64_t next(const server *self)
{
    const server_turns *t = self->turns;
    if (t->busy)
        return INT64_MAX;
    return service_failed(self->engine) ? t->retry : t->next_tail;
}

static void tick(server *self)
{
    server_turns *t = self->turns;
    t->has_due = service_next(self->engine) <= server_turns_time(self);
    server_free_retired(self);
}

static void check(server *self)
{
    self->turns->wants_state = true;
}

/* ---- from start to end ---- */

static int start(server *self, roster_error *err)
{
    server_turns *t = self->turns = calloc(1, sizeof *t);
    if (t == NULL)
        return common_fail_memory(err);
    t->server = self;
    t->waiting_end = &t->waiting;
    t->jobs_end = &t->jobs;
    t->time = server_now();
    t->time_at = t->known_at = server_clock();
    t->engine_end = store_ends(self->log);
    store_state_get(self->log, &self->state);
    t->state = self->state;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    int code = server_thread_start(&t->thread, work, t, err);
    if (code != ROSTER_OK) {
        free(t);
        self->turns = NULL;
    }
    return code;
}

/* The row that is under way, until its fate is known or the database is gone. */
static void finish(server *self)
{
    server_turns *t = self->turns;
    while (t->busy) {
        struct timespec moment = {.tv_nsec = 1000000};
        if (has_ended(t))
            collect(self);
        else
            nanosleep(&moment, NULL);
    }
}

static void stop(server *self)
{
    server_turns *t = self->turns;
    roster_error stopping;
    if (t == NULL)
        return;
    atomic_store(&self->cancelled, true);
    finish(self);
    bool unknown = t->unresolved;
    common_fail(&stopping, ROSTER_EINVAL, "the server is stopping");
    service_commit_end(self->engine, false, &stopping);
    answer(self, true);
    run_jobs(self);
    pthread_mutex_lock(&t->lock);
    t->stops = true;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->wake);
    service_free(t->rebuilt);
    turns_rows_clear(&t->rows);
    free(t);
    self->turns = NULL;
    if (unknown)
        server_log(self, SERVER_LOG_ERRORS, "records-lost", "message",
                   "the log could not be written; what was not acknowledged may be lost", (char *)NULL);
}

const server_commits server_commits_by_turns = {start, stop, wait, step, next, tick, check};
