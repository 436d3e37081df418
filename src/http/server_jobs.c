/*
 * server_jobs.c: threads for work that would make the loop wait: opening and reading the log, preparing campaigns and
 * episodes, dropping and erasing rows.
 *
 * A job is run by a thread, and then done on the loop. Each thread has a store of its own to read with, opened when it
 * is first needed.
 *
 * Paper: none.
 * Check: tests/http/events.py, tests/http/start.py.
 */
#include "http_internal.h"

#include <signal.h>
#include <stdlib.h>

enum { THREADS = 2 };

struct server_jobs {
    server *server;
    pthread_t threads[THREADS];
    size_t n_threads;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t wake;
    server_job *first, **end; /* not begun */
    server_job *done, **done_end;
    bool stopping;
};

static void *work(void *context)
{
    server_jobs *self = context;
    store *reader = NULL;
    pthread_mutex_lock(&self->lock);
    while (!self->stopping) {
        server_job *job = self->first;
        if (job == NULL) {
            pthread_cond_wait(&self->wake, &self->lock);
            continue;
        }
        self->first = job->next;
        if (self->first == NULL)
            self->end = &self->first;
        pthread_mutex_unlock(&self->lock);
        job->run(job, &reader);
        store_rest(reader);
        pthread_mutex_lock(&self->lock);
        job->next = NULL;
        *self->done_end = job;
        self->done_end = &job->next;
        server_wake(self->server);
    }
    pthread_mutex_unlock(&self->lock);
    store_close(reader);
    return NULL;
}

store *server_job_reader(server_job *self, store **reader, roster_error *err)
{
    if (*reader == NULL && store_open(reader, self->server->options->data, STORE_READ, err) != ROSTER_OK)
        *reader = NULL;
    return *reader;
}

int server_thread_start(pthread_t *out, void *(*work_of)(void *), void *context, roster_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(out, NULL, work_of, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0 ? ROSTER_OK : common_fail(err, ROSTER_ENOMEM, "cannot start a thread");
}

int server_jobs_start(server *self, roster_error *err)
{
    server_jobs *jobs = self->jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        return common_fail_memory(err);
    jobs->server = self;
    jobs->end = &jobs->first;
    jobs->done_end = &jobs->done;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->wake, NULL);
    int code = ROSTER_OK;
    while (code == ROSTER_OK && jobs->n_threads < THREADS) {
        code = server_thread_start(&jobs->threads[jobs->n_threads], work, jobs, err);
        jobs->n_threads += code == ROSTER_OK;
    }
    return code;
}

void server_job_start(server *self, server_job *job)
{
    server_jobs *jobs = self->jobs;
    self->jobs_under_way++;
    job->server = self;
    job->next = NULL;
    pthread_mutex_lock(&jobs->lock);
    *jobs->end = job;
    jobs->end = &job->next;
    pthread_cond_signal(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
}

void server_jobs_done(server *self)
{
    server_jobs *jobs = self->jobs;
    pthread_mutex_lock(&jobs->lock);
    server_job *done = jobs->done;
    jobs->done = NULL;
    jobs->done_end = &jobs->done;
    pthread_mutex_unlock(&jobs->lock);
    for (server_job *next; done != NULL; done = next) {
        next = done->next;
        self->jobs_under_way--;
        done->done(self, done);
    }
}

void server_jobs_stop(server *self)
{
    server_jobs *jobs = self->jobs;
    if (jobs == NULL)
        return;
    pthread_mutex_lock(&jobs->lock);
    jobs->stopping = true;
    pthread_cond_broadcast(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
    for (size_t i = 0; i < jobs->n_threads; i++)
        pthread_join(jobs->threads[i], NULL);
    /* Those that were not begun have nothing to show, but their owners wait for them. */
    *jobs->done_end = jobs->first;
    server_jobs_done(self);
    pthread_mutex_destroy(&jobs->lock);
    pthread_cond_destroy(&jobs->wake);
    free(jobs);
    self->jobs = NULL;
}
