/*
 * server_retention.c: records that no campaign retains are dropped after each snapshot.
 *
 *   find     a job: the last row that may go, and the head of the log there
 *   export   a process, where it was asked for: `roster export` writes what will go, synchronised
 *   say      a record in the log: up to where, and the head
 *   make     a job, when that record is durable: the rows go
 *
 * A crash between two steps leaves a log that is whole: the next snapshot begins again. A file of an export that was
 * not followed by a drop is written again under the same name.
 *
 * Paper: none.
 * Check: tests/http/retention.py.
 */
#include "server_erase.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

typedef enum phase { IDLE, FINDS, EXPORTS, SAYS, MAKES } phase;

struct server_retention {
    server_job job;
    phase phase;
    uint64_t snapshot, most; /* the base; the last record that may go, by number */
    int64_t since;           /* records since then stay                          */
    store_cut before, cut;
    uint64_t said; /* the drop's record */
    pid_t exporter;
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
    char after[32], until[32], path[4200];
    const char *folder = self->options->export_before_drop;
    snprintf(after, sizeof after, "%llu", (unsigned long long)r->before.record);
    snprintf(until, sizeof until, "%llu", (unsigned long long)r->cut.record);
    snprintf(path, sizeof path, "%.4000s/events-%020llu-%020llu.jsonl", folder,
             (unsigned long long)r->before.record + 1, (unsigned long long)r->cut.record);
    const char *arguments[] = {"roster", "export", self->options->data, "--after", after, "--until", until, "--out",
                               path,     NULL};
    int why = posix_spawn(&r->exporter, "/proc/self/exe", NULL, NULL, (char *const *)(uintptr_t)arguments, environ);
    r->phase = EXPORTS;
    if (why != 0)
        fail_export(self, strerror(why));
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
    if (r == NULL || first == 0 || r->phase != IDLE || !server_erase_is_idle(self))
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
    int status = 0;
    if (r == NULL)
        return;
    if (r->phase == EXPORTS && waitpid(r->exporter, &status, WNOHANG) == r->exporter) {
        if (status == 0)
            say(self);
        else
            fail_export(self, "roster export has failed, and said why on standard error");
    }
    if (r->phase == SAYS && r->said <= service_last(self->engine) - service_pending(self->engine)) {
        r->job = (server_job){.run = make, .done = made};
        r->phase = MAKES;
        r->code = common_fail(&r->wrong, ROSTER_EINVAL, "the server stops");
        server_job_start(self, &r->job);
    }
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
