/*
 * server.c: the life of a server: opened, listening, asked to stop, drained, closed.
 *
 * Paper: none.
 * Check: tests/http/durability.py.
 */
#include "inside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int pass(const service_error *from, roster_error *err)
{
    err->code = from->code == SERVICE_DAMAGED ? ROSTER_EDAMAGED : ROSTER_EINVAL;
    snprintf(err->msg, sizeof err->msg, "%.*s", (int)sizeof err->msg - 1, from->msg);
    return err->code;
}

static int open_all(server *self, roster_error *err)
{
    service_error wrong;
    const server_options *options = self->options;
    const store_options how = {.mode = options->mode, .key = options->key, .accept_loss = options->accept_loss};
    int code = options->tokens != NULL ? server_tokens_read(&self->tokens, options->tokens, err) : ROSTER_OK;
    if (code == ROSTER_OK && (self->socket = server_listen(self, err)) < 0)
        code = ROSTER_EINVAL;
    if (code == ROSTER_OK)
        code = store_open_with(&self->log, options->data, &how, err);
    if (code == ROSTER_OK)
        code = store_open(&self->reader, options->data, STORE_READ, err);
    if (code == ROSTER_OK && service_open(&self->engine, self->log, &wrong) != SERVICE_OK)
        code = pass(&wrong, err);
    if (code == ROSTER_OK)
        service_snapshot_every(self->engine, options->snapshot_every);
    self->openapi = server_openapi();
    return code;
}

/* The whole file; owned by the caller, NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    service_text text = {0};
    char block[4096];
    size_t n;
    if (file == NULL)
        return NULL;
    while ((n = fread(block, 1, sizeof block, file)) > 0 && text.used <= SERVER_BODY_MOST)
        service_put(&text, block, n);
    bool ok = !ferror(file) && !text.failed;
    fclose(file);
    *size = text.used;
    if (!ok)
        service_text_free(&text);
    return text.data;
}

static int create_campaign(server *self, const char *path, roster_error *err)
{
    size_t size;
    service_campaign *campaign;
    bool created;
    service_error wrong;
    char *text = read_file(path, &size);
    if (text == NULL) {
        err->code = ROSTER_EINVAL;
        snprintf(err->msg, sizeof err->msg, "%.200s cannot be read: %.200s", path, strerror(errno));
        return err->code;
    }
    service_code code = service_campaign_create(self->engine, text, size, server_now(), &campaign, &created, &wrong);
    free(text);
    if (code == SERVICE_OK)
        return ROSTER_OK;
    err->code = ROSTER_EINVAL;
    snprintf(err->msg, sizeof err->msg, "%.100s: %.350s", path, wrong.msg);
    return err->code;
}

static int create_campaigns(server *self, roster_error *err)
{
    int code = ROSTER_OK;
    service_error wrong;
    for (size_t i = 0; code == ROSTER_OK && i < self->options->n_campaigns; i++)
        code = create_campaign(self, self->options->campaigns[i], err);
    if (code == ROSTER_OK && service_commit(self->engine, self->log, server_now(), &wrong) != SERVICE_OK)
        code = pass(&wrong, err);
    return code;
}

static int start_answering(server *self, roster_error *err)
{
    self->daemon = server_daemon(self, self->socket, server_connections());
    if (self->daemon != NULL) {
        self->socket = -1;
        return ROSTER_OK;
    }
    err->code = ROSTER_ENOMEM;
    snprintf(err->msg, sizeof err->msg, "the HTTP library could not be started");
    return err->code;
}

/* Answers what was accepted, that is, whole. Every answer now closes its connection, so that clients go elsewhere. */
static void drain(server *self)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    int64_t begun = server_clock(), end = begun + (int64_t)SERVER_DRAIN_SECONDS * 1000000;
    int quiet = 0;
    atomic_store(&self->draining, true);
    int socket = MHD_quiesce_daemon(self->daemon);
    while (quiet < 5 && server_clock() < end) {
        nanosleep(&pause, NULL);
        if (server_clock() > begun + (int64_t)SERVER_GRACE_SECONDS * 1000000)
            server_sweep(self, 0);
        quiet = atomic_load(&self->running) == 0 ? quiet + 1 : 0;
    }
    if (socket >= 0)
        close(socket);
}

static void wait_for_signal(const server *self)
{
    sigset_t ends;
    int which = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigwait(&ends, &which);
    server_log(self, SERVER_LOG_INFO, "stopping", "signal", which == SIGINT ? "SIGINT" : "SIGTERM", (char *)NULL);
}

/* Threads begun from here on leave the signals to the one that waits for them. */
static void hold_signals(void)
{
    sigset_t ends;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
}

static void say_listening(const server *self)
{
    server_log(self, SERVER_LOG_INFO, "listening", "address", self->address, "data", self->options->data, "durability",
               self->options->mode == STORE_DURABLE ? "fsync" : "os", "version", roster_version(), (char *)NULL);
    printf("roster serves http://%s/ from %s\n", self->address, self->options->data);
    fflush(stdout);
}

static int serve(server *self, roster_error *err)
{
    int code = server_commit_start(self, err);
    if (code != ROSTER_OK)
        return code;
    code = start_answering(self, err);
    if (code == ROSTER_OK) {
        say_listening(self);
        wait_for_signal(self);
        drain(self);
    }
    server_commit_stop(self);
    if (self->daemon != NULL)
        MHD_stop_daemon(self->daemon);
    server_log(self, SERVER_LOG_INFO, "stopped", (char *)NULL);
    return code;
}

static void init_locks(server *self)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&self->wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&self->lock, NULL);
    pthread_mutex_init(&self->roll, NULL);
}

int server_run(const server_options *options, roster_error *err)
{
    server *self = calloc(1, sizeof *self);
    if (self == NULL) {
        err->code = ROSTER_ENOMEM;
        snprintf(err->msg, sizeof err->msg, "out of memory");
        return err->code;
    }
    self->options = options;
    self->socket = -1;
    self->started = server_now();
    init_locks(self);
    hold_signals();
    int code = open_all(self, err);
    if (code == ROSTER_OK)
        code = create_campaigns(self, err);
    if (code == ROSTER_OK)
        code = serve(self, err);
    if (self->socket >= 0)
        close(self->socket);
    service_free(self->engine);
    store_close(self->reader);
    store_close(self->log);
    free(self->openapi);
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->lock);
    pthread_mutex_destroy(&self->roll);
    free(self);
    return code;
}
