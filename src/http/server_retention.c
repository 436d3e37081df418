/*
 * server_retention.c: records that no campaign retains are dropped after each snapshot.
 *
 *   find     a job: the last row that may go, and the head of the log there
 *   export   a process, where it was asked for: `roster export` writes what will go, synchronised
 *   tidy     a job: the file takes the place of those from before a crash (server_export.c)
 *   say      a record in the log: up to where, and the head
 *   make     a job, when that record is durable: the rows go
 *
 * A crash between two steps leaves a log that is whole: the next snapshot begins again. An export whose file does not
 * grow for ten minutes is killed.
 *
 * Paper: none.
 * Check: tests/http/retention.py.
 */
#include "server_erase.h"
#include "server_export.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

enum { EXPORT_SECONDS_MOST = 600 };
typedef enum phase { IDLE, FINDS, EXPORTS, TIDIES, SAYS, MAKES } phase;

struct server_retention {
    server_job job;
    phase phase;
    uint64_t snapshot, most; /* the base; the last record that may go, by number */
    int64_t since;           /* records since then stay                          */
    store_cut before, cut;
    uint64_t said; /* the drop's record */
    pid_t exporter;
    off_t exported; /* bytes, when it was last looked at */
    int64_t grew;   /* when they became more             */
    int code;
    roster_error wrong;
};

static server_retention *retention_of(server_job *job)
{
    return (server_retention *)((char *)job - offsetof(server_retention, job));
}

static void fail(server *self, const char *why)
{
    self->retention->phase = IDLE;
    self->measures.retention_failures++;
    server_log(self, SERVER_LOG_ERRORS, "retention-failed", "message", why, (char *)NULL);
}

/* The last record before that time, in rows that are in its order. */
static int last_before(store *log, int64_t since, uint64_t low, uint64_t high, uint64_t *out, roster_error *err)
{
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        store_row row;
        bool found;
        int code = store_read(log, middle, &row, &found, err);
        if (code != ROSTER_OK)
            return code;
        if (found && row.at < since)
            low = row.first + row.count - 1 < high ? row.first + row.count - 1 : high;
        else
            high = found && row.first <= middle ? row.first - 1 : middle - 1;
    }
    *out = low;
    return ROSTER_OK;
}

static void find(server_job *job, store **reader)
{
    server_retention *r = retention_of(job);
    store *log = server_job_reader(job, reader, &r->wrong);
    r->code = log != NULL ? store_cut_keep(log, r->snapshot, &r->wrong) : r->wrong.code;
    /* The reader may have been opened long ago: how far the log reaches now is known by the snapshot. */
    if (r->code == ROSTER_OK && r->since < INT64_MAX)
        r->code = last_before(log, r->since, store_cut_of(log)->record, r->most, &r->most, &r->wrong);
    if (r->code != ROSTER_OK)
        return;
    r->code = store_cut_find(log, r->most, r->snapshot, &r->cut, &r->wrong);
    r->before = *store_cut_of(log);
    if (job->server->options->export_before_drop != NULL)
        server_export_clean(job->server->options->export_before_drop, r->before.record + 1);
}

static void say(server *self)
{
    server_retention *r = self->retention;
    service_error err;
    if (service_drop(self->engine, &r->cut, server_service_time(self), &err) != SERVICE_OK) {
        fail(self, err.msg);
        return;
    }
    r->said = service_last(self->engine);
    r->phase = SAYS;
}

static void fail_export(server *self, const char *why)
{
    char words[4400];
    snprintf(words, sizeof words,
             "records that are to be dropped cannot be exported to %.4000s, so they stay: %.200s; make room there, or "
             "change --export-before-drop",
             self->options->export_before_drop, why);
    fail(self, words);
}

static void export(server *self)
{
    server_retention *r = self->retention;
    char after[32], until[32], path[SERVER_EXPORT_PATH];
    const char *folder = self->options->export_before_drop;
    snprintf(after, sizeof after, "%llu", (unsigned long long)r->before.record);
    snprintf(until, sizeof until, "%llu", (unsigned long long)r->cut.record);
    server_export_path(path, sizeof path, folder, r->before.record + 1, r->cut.record);
    const char *arguments[] = {"roster", "export", self->options->data, "--after", after, "--until", until, "--out",
                               path,     NULL};
    int why = posix_spawn(&r->exporter, "/proc/self/exe", NULL, NULL, (char *const *)(uintptr_t)arguments, environ);
    r->phase = EXPORTS;
    r->grew = server_clock();
    if (why != 0)
        fail_export(self, strerror(why));
}

static void tidy(server_job *job, store **reader)
{
    server_retention *r = retention_of(job);
    (void)reader;
    r->code =
        server_export_replace(job->server->options->export_before_drop, r->before.record + 1, r->cut.record, &r->wrong);
}

static void tidied(server *self, server_job *job)
{
    server_retention *r = retention_of(job);
    if (r->code == ROSTER_OK)
        say(self);
    else
        fail_export(self, r->wrong.msg);
}

static void start(server *self, phase next, void (*run)(server_job *, store **), void (*done)(server *, server_job *))
{
    server_retention *r = self->retention;
    r->job = (server_job){.run = run, .done = done};
    r->phase = next;
    r->code = common_fail(&r->wrong, ROSTER_EINVAL, "the server stops");
    server_job_start(self, &r->job);
}

/* Whether the exporter has ended, or writes no more: a disk that is slow must not be taken for one that hangs. */
static void look_after(server *self)
{
    server_retention *r = self->retention;
    char path[SERVER_EXPORT_PATH], half[SERVER_EXPORT_PATH + 32];
    struct stat what;
    int status = 0;
    int64_t now = server_clock();
    if (waitpid(r->exporter, &status, WNOHANG) == r->exporter) {
        if (status == 0)
            start(self, TIDIES, tidy, tidied);
        else
            fail_export(self, WIFSIGNALED(status) ? "roster export was killed"
                                                  : "roster export has failed, and said why on standard error");
        return;
    }
    server_export_path(path, sizeof path, self->options->export_before_drop, r->before.record + 1, r->cut.record);
    snprintf(half, sizeof half, "%s.%ld-0.part", path, (long)r->exporter);
    if (stat(half, &what) == 0 && what.st_size > r->exported) {
        r->exported = what.st_size;
        r->grew = now;
    }
    if (now - r->grew > (int64_t)EXPORT_SECONDS_MOST * 1000000)
        kill(r->exporter, SIGKILL);
}

static void found(server *self, server_job *job)
{
    server_retention *r = retention_of(job);
    if (r->code != ROSTER_OK)
        fail(self, r->wrong.msg);
    else if (r->cut.record == r->before.record)
        r->phase = IDLE;
    else if (self->options->export_before_drop != NULL)
        export(self);
    else
        say(self);
}

static void make(server_job *job, store **reader)
{
    server_retention *r = retention_of(job);
    (void)reader;
    r->code = store_cut_make(job->server->options->data, &r->cut, &r->wrong);
}

static void made(server *self, server_job *job)
{
    server_retention *r = retention_of(job);
    char number[32];
    if (r->code != ROSTER_OK) {
        fail(self, r->wrong.msg);
        return;
    }
    r->phase = IDLE;
    self->measures.dropped += r->cut.record - r->before.record;
    snprintf(number, sizeof number, "%llu", (unsigned long long)r->cut.record);
    server_log(self, SERVER_LOG_INFO, "records-dropped", "#up_to", number, (char *)NULL);
}

void server_retention_begin(server *self, uint64_t snapshot)
{
    int64_t since;
    uint64_t first = service_retained(self->engine, server_service_time(self), &since);
    if (self->retention == NULL)
        self->retention = calloc(1, sizeof *self->retention);
    server_retention *r = self->retention;
    if (r == NULL || first == 0 || self->turns != NULL || r->phase != IDLE || !server_erase_is_idle(self))
        return;
    *r = (server_retention){.job = {.run = find, .done = found},
                            .phase = FINDS,
                            .snapshot = snapshot,
                            .most = first - 1 < snapshot ? first - 1 : snapshot,
                            .since = since};
    r->code = common_fail(&r->wrong, ROSTER_EINVAL, "the server stops");
    server_job_start(self, &r->job);
}

void server_retention_go_on(server *self)
{
    server_retention *r = self->retention;
    if (r == NULL)
        return;
    if (r->phase == EXPORTS)
        look_after(self);
    if (r->phase == SAYS && r->said <= service_last(self->engine) - service_pending(self->engine))
        start(self, MAKES, make, made);
}

bool server_retention_is_idle(const server *self)
{
    return self->retention == NULL || self->retention->phase == IDLE;
}

void server_retention_end(server *self)
{
    server_retention *r = self->retention;
    if (r != NULL && r->phase == EXPORTS) {
        kill(r->exporter, SIGKILL);
        while (waitpid(r->exporter, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    free(r);
    self->retention = NULL;
}
