/*
 * server.c: the life of a server: listening, opened, serving, asked to stop, drained, closed.
 *
 * It listens before the log is read, so that questions about its health are answered meanwhile.
 *
 * Paper: none.
 * Check: tests/http/start.py, tests/http/durability.py.
 */
#include "server_commits.h"
#include "server_erase.h"

#include "input_file.h"
#include "store_turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int pass(const service_error *from, roster_error *err)
{
    return common_fail(err, from->code == SERVICE_DAMAGED ? ROSTER_EDAMAGED : ROSTER_EINVAL, "%s", from->msg);
}

/* ---- campaigns of files ---- */

static int create_campaign(service *engine, const char *path, int64_t now, roster_error *err)
{
    size_t size;
    char *text;
    service_campaign *campaign;
    bool created;
    service_error wrong;
    int code = input_file_read(path, SERVER_BODY_MOST + 1, &text, &size, err);
    if (code == ROSTER_OK &&
        service_campaign_create(engine, text, size, now, &campaign, &created, &wrong) != SERVICE_OK)
        code = common_fail(err, ROSTER_EINVAL, "%.100s: %s", path, wrong.msg);
    free(text);
    return code;
}

static int create_all(server *self, service *engine, int64_t now, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < self->options->n_campaigns && !atomic_load(&self->cancelled); i++)
        code = create_campaign(engine, self->options->campaigns[i], now, err);
    return code;
}

/* What others appended, and then what this server creates. */
static int create_in_turn(server *self, service *engine, int64_t now, roster_error *err)
{
    store_row row;
    service_error wrong;
    bool found = true;
    int code = ROSTER_OK;
    while (code == ROSTER_OK && found) {
        code = store_read(self->log, store_last(self->log) + 1, &row, &found, err);
        if (code == ROSTER_OK && found && service_follow(engine, &row, &wrong) != SERVICE_OK)
            code = pass(&wrong, err);
    }
    if (code == ROSTER_OK)
        code = create_all(self, engine, now, err);
    if (code != ROSTER_OK || !service_commit_begin(engine, now, &row))
        return code;
    code = store_turn_append(self->log, &row, err);
    service_commit_end(engine, code == ROSTER_OK, err);
    return code;
}

static int create_by_turn(server *self, service *engine, roster_error *err)
{
    enum { SECONDS = 60 }; /* a thousand experts take their time */
    store_turn turn;
    if (self->options->n_campaigns == 0)
        return ROSTER_OK;
    int code = store_turn_begin(self->log, SECONDS, &turn, err);
    if (code != ROSTER_OK)
        return code;
    code = create_in_turn(self, engine, turn.now, err);
    store_turn_cancel(self->log);
    return code;
}

static int create_campaigns(server *self, service *engine, roster_error *err)
{
    service_error wrong;
    if (store_is_url(self->options->data))
        return create_by_turn(self, engine, err);
    int code = create_all(self, engine, server_now(), err);
    if (code == ROSTER_OK && service_commit(engine, self->log, server_now(), &wrong) != SERVICE_OK)
        code = pass(&wrong, err);
    return code;
}

/* ---- opening, by a job ---- */

typedef struct open_job {
    server_job job;
    service *engine; /* owned until it is the server's */
    int code;
    roster_error err;
} open_job;

static bool watch(void *context, uint64_t records)
{
    server *self = context;
    atomic_store(&self->opened, records);
    return !atomic_load(&self->cancelled);
}

static void open_log(server_job *job, store **reader)
{
    open_job *self = (open_job *)job;
    server *owner = job->server;
    const server_options *options = owner->options;
    const store_options how = {.mode = options->mode, .key = options->key, .accept_loss = options->accept_loss};
    service_error wrong;
    (void)reader;
    self->code = store_open_with(&owner->log, options->data, &how, &self->err);
    if (self->code != ROSTER_OK)
        return;
    atomic_store(&owner->to_open, store_last(owner->log));
    if (service_open_watched(&self->engine, owner->log, watch, owner, &wrong) != SERVICE_OK)
        self->code = pass(&wrong, &self->err);
    else
        self->code = create_campaigns(owner, self->engine, &self->err);
    store_rest(owner->log);
    if (self->code != ROSTER_OK)
        return;
    service_snapshot_every(self->engine, options->snapshot_every);
    service_limit(self->engine, &options->limits);
}

static void say_ready(server *self)
{
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", (double)(server_now() - self->started) * 1e-6);
    server_log(self, SERVER_LOG_INFO, "ready", "#seconds", seconds, (char *)NULL);
    for (size_t i = 0; i < self->n_listeners; i++)
        printf(self->listeners[i].local ? "roster serves %s from %s\n" : "roster serves http://%s/ from %s\n",
               self->listeners[i].address, self->place);
    fflush(stdout);
    clearerr(stdout); /* that nobody reads this is no reason to fail in the end */
}

static void say_loss(const server *self)
{
    char records[24];
    if (self->state.lost == 0)
        return;
    snprintf(records, sizeof records, "%llu", (unsigned long long)self->state.lost);
    server_log(self, SERVER_LOG_ERRORS, "loss-accepted", "#records", records, "message",
               "records at the end of the log are lost; what is left of them has names that begin with lost-",
               (char *)NULL);
}

static void opened(server *self, server_job *job)
{
    open_job *own = (open_job *)job;
    bool cancelled = atomic_load(&self->cancelled);
    self->engine = own->engine;
    if (own->code == ROSTER_OK)
        own->code = self->commits->start(self, &own->err);
    self->code = cancelled ? ROSTER_OK : own->code;
    self->error = own->err;
    if (cancelled || own->code != ROSTER_OK) {
        server_set_phase(self, SERVER_ENDED);
        return;
    }
    server_time_begin(self);
    say_loss(self);
    server_set_phase(self, SERVER_SERVING);
    server_erase_resume(self);
    say_ready(self);
}

/* ---- the whole ---- */

static void say_listening(const server *self)
{
    for (size_t i = 0; i < self->n_listeners; i++)
        server_log(self, SERVER_LOG_INFO, "listening", "address", self->listeners[i].address, "data", self->place,
                   "durability", self->options->mode == STORE_DURABLE ? "fsync" : "os", "version", roster_version(),
                   (char *)NULL);
}

/* That a campaign's file can be read; a pipe is read once, when the campaign is created. What is in it cannot be judged
   before the log is read, which may have the roster it names. */
static int check_campaign(const char *path, roster_error *err)
{
    struct stat what;
    size_t size;
    char *text;
    if (stat(path, &what) == 0 && !S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode))
        return ROSTER_OK;
    int code = input_file_read(path, 1, &text, &size, err);
    free(text);
    return code;
}

/* The folder of --export-before-drop, created where it is missing; as that of --data it is for its owner alone. */
static int check_folder(const char *folder, roster_error *err)
{
    struct stat what;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return common_fail(err, ROSTER_EINVAL, "--export-before-drop %.200s: cannot be created: %.100s", folder,
                           strerror(errno));
    if (stat(folder, &what) != 0 || !S_ISDIR(what.st_mode) || access(folder, W_OK | X_OK) != 0)
        return common_fail(err, ROSTER_EINVAL, "--export-before-drop %.200s: must be a folder that can be written into",
                           folder);
    return ROSTER_OK;
}

/* What would otherwise be found out when it is needed, with a folder made for nothing. */
static int check_options(const server_options *options, roster_error *err)
{
    int code = server_check_hosts(options->hosts, err);
    for (size_t i = 0; code == ROSTER_OK && i < options->n_campaigns; i++)
        code = check_campaign(options->campaigns[i], err);
    return code;
}

static int start(server *self, roster_error *err)
{
    const server_options *options = self->options;
    int code = check_options(options, err);
    if (code == ROSTER_OK && (self->place = store_place(options->data, err)) == NULL)
        code = ROSTER_EINVAL;
    self->commits = store_is_url(options->data) ? &server_commits_by_turns : &server_commits_alone;
    if (code == ROSTER_OK && options->tokens != NULL)
        code = server_tokens_read(&self->tokens, options->tokens, err);
    if (code == ROSTER_OK)
        code = server_loop_open(self, err);
    if (code == ROSTER_OK)
        code = server_listen(self, err);
    if (code == ROSTER_OK && options->export_before_drop != NULL)
        code = check_folder(options->export_before_drop, err);
    if (code == ROSTER_OK && (self->openapi = server_openapi()) == NULL)
        code = common_fail_memory(err);
    if (code == ROSTER_OK)
        code = server_log_start(err);
    if (code == ROSTER_OK)
        code = server_jobs_start(self, err);
    return code;
}

static int serve(server *self, roster_error *err)
{
    open_job opening = {.job = {.run = open_log, .done = opened}};
    say_listening(self);
    server_job_start(self, &opening.job);
    server_loop(self);
    if (self->engine != NULL && server_is_open(self)) {
        self->commits->stop(self);
        server_snapshot_last(self);
    }
    *err = self->error;
    if (self->code == ROSTER_OK)
        server_log(self, SERVER_LOG_INFO, "stopped", (char *)NULL);
    return self->code;
}

static void free_all(server *self)
{
    server_unlisten(self);
    server_disconnect_all(self);
    server_jobs_stop(self);
    server_retention_end(self);
    server_erase_end(self);
    server_loop_close(self);
    server_free_engines(self);
    store_close(self->log);
    server_tokens_free(&self->tokens);
    free(self->openapi);
    free(self->place);
    server_log_stop();
    free(self);
}

/* Where standard input or output is closed, no file of the server's gets its number, and what is said goes nowhere. */
static void hold_standard(void)
{
    int handle = 0;
    while (handle >= 0 && handle <= STDERR_FILENO)
        handle = open("/dev/null", O_RDWR);
    if (handle >= 0)
        close(handle);
}

int server_run(const server_options *options, roster_error *err)
{
    server *self = calloc(1, sizeof *self);
    if (self == NULL)
        return common_fail_memory(err);
    hold_standard();
    self->options = options;
    self->poll = self->wake = -1;
    self->started = server_now();
    int code = start(self, err);
    if (code == ROSTER_OK)
        code = serve(self, err);
    free_all(self);
    return code;
}
