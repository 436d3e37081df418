/*
 * server_snapshot.c: when the state is put beside the log, and how: taken on the loop, written by a job.
 *
 * Paper: none.
 * Check: tests/http/durability.py.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct snapshot_job {
    server_job job;
    void *bytes; /* owned */
    size_t size;
    uint64_t number;
    bool ok;
    roster_error wrong;
} snapshot_job;

static void fail(server *self, const char *why)
{
    self->measures.snapshot_failures++;
    server_log(self, SERVER_LOG_ERRORS, "snapshot-failed", "message", why, (char *)NULL);
}

static void run(server_job *job, store **reader)
{
    snapshot_job *self = (snapshot_job *)job;
    (void)reader;
    self->ok = store_snapshot_put(job->server->log, self->number, self->bytes, self->size, &self->wrong) == ROSTER_OK;
}

static void done(server *owner, server_job *job)
{
    snapshot_job *self = (snapshot_job *)job;
    owner->snapshotting = false;
    if (self->ok)
        owner->measures.snapshots++;
    else
        fail(owner, self->wrong.msg);
    free(self->bytes);
    free(self);
}

/* It may be stored when its last record is committed, not before. */
void server_snapshot_committed(server *self)
{
    snapshot_job *job = self->snapshot;
    if (job == NULL || job->number > service_last(self->engine) - service_pending(self->engine))
        return;
    self->snapshot = NULL;
    server_job_start(self, &job->job);
}

void server_snapshot_if_due(server *self)
{
    service_error err;
    if (self->snapshotting || !service_snapshot_due(self->engine))
        return;
    snapshot_job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return;
    job->job = (server_job){.run = run, .done = done};
    snprintf(job->wrong.msg, sizeof job->wrong.msg, "the server stops");
    if (service_snapshot_take(self->engine, &job->bytes, &job->size, &job->number, &err) != SERVICE_OK) {
        free(job);
        fail(self, err.msg);
        return;
    }
    self->snapshotting = true;
    self->snapshot = job;
    server_snapshot_committed(self);
}

void server_snapshot_last(server *self)
{
    service_error err;
    if (self->snapshot != NULL)
        done(self, self->snapshot);
    self->snapshot = NULL;
    if (service_pending(self->engine) == 0 && service_last(self->engine) > self->state.snapshot &&
        service_snapshot(self->engine, self->log, &err) != SERVICE_OK)
        fail(self, err.msg);
}
